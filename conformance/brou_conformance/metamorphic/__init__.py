"""Metamorphic tests: pairs of scripts with equal answers under other seats, other suits or other hidden cards."""
