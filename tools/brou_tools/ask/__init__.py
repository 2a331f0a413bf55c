"""`brou ask`: by which readings a program, or people at a table, play."""
