"""`brou attested`: a signed statement checked, and told."""
