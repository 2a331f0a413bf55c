"""`brou check`: faults of data files, found without playing."""
