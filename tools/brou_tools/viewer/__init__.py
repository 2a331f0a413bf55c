"""A scenario card by card: the hand of a seat, its legal cards, the table, and the answer to each step."""
