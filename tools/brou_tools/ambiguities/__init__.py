"""`brou ambiguities`: the passages that the texts leave open, with all readings."""
