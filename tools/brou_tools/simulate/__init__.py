"""`brou simulate`: what random matches come to."""
