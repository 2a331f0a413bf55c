"""`brou build`: an engine made from the rules, in C, as a shared object or in Python."""
