"""`brou corpus`: the scenarios, and what they cover."""
