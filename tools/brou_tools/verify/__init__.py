"""`brou verify`: a program under test is judged."""
