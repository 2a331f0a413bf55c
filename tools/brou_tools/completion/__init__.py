"""`brou completion`: scripts by which shells complete commands, options and values."""
