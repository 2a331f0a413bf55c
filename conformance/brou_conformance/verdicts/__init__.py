"""Verdicts: a program verified, edition by edition, under the readings that all its answers together show."""
