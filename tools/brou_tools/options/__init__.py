"""Options of commands: how they are declared, read from the command line, and explained."""
