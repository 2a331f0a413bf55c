"""A situation at the table as nodes: its pictures, its values in words, worked examples."""

from pathlib import Path

#: The words that registers, comparisons and clauses are told in.
REGISTER_WORDS = Path(__file__).parent / "register_words.yaml"
