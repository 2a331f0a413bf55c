"""Answers to questions about a game: why an act is allowed, how a deal scores, which slips a record may contain."""
