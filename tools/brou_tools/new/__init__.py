"""`brou new`: the beginning of a game of one's own."""
