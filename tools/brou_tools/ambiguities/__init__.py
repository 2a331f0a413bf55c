"""`brou ambiguities`: what the texts leave open, with all readings."""
