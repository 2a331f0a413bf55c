"""Pages for browsers: one look, drawn cards, a strict content policy; whatever is put into them is escaped."""
