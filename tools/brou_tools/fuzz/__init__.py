"""`brou fuzz`: random matches played in lock-step with a program, and every difference explained and shrunk."""
