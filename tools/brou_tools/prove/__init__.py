"""`brou prove`: what a solver shows of the rules."""
