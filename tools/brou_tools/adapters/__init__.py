"""What the author of an adapter has to know of a game, made from its data."""
