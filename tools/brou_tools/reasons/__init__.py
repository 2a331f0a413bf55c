"""Reasons as lines: what explanations and settlements share."""
