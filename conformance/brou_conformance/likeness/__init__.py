"""What must be answered alike: other seats, other suits, hidden cards; and scenarios the same but for these."""
