"""What people read: names, clauses and sentences in their languages, and where each comes from."""
