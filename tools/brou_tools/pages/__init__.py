"""Pages for browsers: one look, drawn cards, a strict content policy, and templates that escape every value."""
