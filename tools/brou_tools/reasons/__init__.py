"""Reasons as lines, for explanations and settlements alike."""
