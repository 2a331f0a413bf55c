"""The notation: what a rules file says, read, typed and checked."""
