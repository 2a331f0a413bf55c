"""`brou score`: a recorded game settled."""
