"""Two rule bases side by side, and what differs between them, in words."""
