"""Programs under test: child processes, Python objects, the reference engine; and the steps that each can answer."""
