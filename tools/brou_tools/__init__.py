"""Machinery: the command line and what stands behind it."""
