"""Judging: the status of each step, of each case as a whole, and the clauses that the failing cases share."""
