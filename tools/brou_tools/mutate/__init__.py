"""`brou mutate`: what notices rules that are wrong in one thing."""
