"""A situation at the table as nodes: its pictures, its values in words, worked examples."""

from pathlib import Path

#: The words that registers, comparisons and clauses are told in, those of books and those of the site.
REGISTER_WORDS = Path(__file__).parent / "register_words.yaml"
BOOKS_WORDS = Path(__file__).parent / "words.yaml"
SITE_WORDS = Path(__file__).parents[1] / "site" / "words.yaml"
#: What language files call them.
REGISTER_PART, BOOKS_PART, SITE_PART = "register", "books", "site"
