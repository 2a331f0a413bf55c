"""What an answer is worth: each step judged, each case as a whole, and the clauses that the failing ones share."""
