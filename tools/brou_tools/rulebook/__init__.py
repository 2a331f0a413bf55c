"""The printed rulebook: one doctree from the data of a game, written as HTML and, through typst, as PDF."""
