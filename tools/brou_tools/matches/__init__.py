"""Random matches: the players, the figures counted, and the report."""
