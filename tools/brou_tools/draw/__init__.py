"""`brou draw`: cards, hands, tricks, and the ways to keep scores, as SVG."""
