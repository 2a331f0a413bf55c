"""The corpus without us: every request spelt out, with the answers that conform under each reading, and why."""
