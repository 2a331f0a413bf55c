"""Played deals: the log of a program that cannot be run, judged as its answers would be."""
