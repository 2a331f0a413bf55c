"""Wrong provers, and the small games that show what is wrong with them."""
