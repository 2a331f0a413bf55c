"""`brou diff`: two rule bases side by side."""
