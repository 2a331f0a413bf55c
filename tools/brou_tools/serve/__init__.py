"""`brou serve`: the reference engine as a program."""
