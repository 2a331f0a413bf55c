"""Why: reasons, figures and sights as trees of values and of names from the rules, without a word in them."""
