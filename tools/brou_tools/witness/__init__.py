"""`brou witness`: the smallest situation that parts two readings."""
