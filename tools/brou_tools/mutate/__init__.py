"""`brou mutate`: mutation scores of the scenarios and the obligations."""
