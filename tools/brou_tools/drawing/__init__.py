"""Pictures of cards, tricks, hands, slates and tables: SVG of our own, each with its text."""
