"""Tools: the command line and its machinery."""
