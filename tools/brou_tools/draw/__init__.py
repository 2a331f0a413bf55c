"""`brou draw`: cards, hands, tricks, and how scores are kept, as SVG."""
