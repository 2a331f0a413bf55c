"""Games as chapters of clauses, each with its text, its rules and its readings together."""
