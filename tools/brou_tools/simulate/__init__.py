"""`brou simulate`: figures from random matches."""
