"""Proof: rules as formulas, questions about them for a solver, and every answer played again by the interpreter."""
