"""`brou bench`: figures that are ratios or differences within one run."""
