"""`brou implementations`: a table of programs, made from statements about their records."""
