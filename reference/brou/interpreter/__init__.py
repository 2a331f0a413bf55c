"""The meaning: a game played step by step from its rules, so plainly that it can be believed."""
