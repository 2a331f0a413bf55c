"""`brou show`: a clause with all that rests on it."""
