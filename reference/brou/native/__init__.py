"""Engines in C: the lowered form written as one C file, and such a file compiled, loaded and played from Python."""
