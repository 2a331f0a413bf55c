"""Random matches: who plays how, what is counted in them, and how it is told."""
