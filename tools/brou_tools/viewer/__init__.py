"""A scenario card by card: what a seat holds and may play, what lies on the table, what comes of each step."""
