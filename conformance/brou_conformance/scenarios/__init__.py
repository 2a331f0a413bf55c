"""Scenarios: the corpus, the cells of coverage that it fills, and the scripts made of it."""
