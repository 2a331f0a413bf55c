"""Questioning: which situations to ask a program or people about, so that few questions find their readings."""
