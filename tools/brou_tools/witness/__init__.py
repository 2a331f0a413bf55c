"""`brou witness`: the smallest situation that distinguishes two readings."""
