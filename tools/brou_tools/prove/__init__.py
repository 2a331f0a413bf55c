"""`brou prove`: properties of the rules, proved by a solver."""
