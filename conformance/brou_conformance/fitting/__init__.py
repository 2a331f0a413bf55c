"""Fitting: the smallest changes of the rules under which they answer as a program does."""
