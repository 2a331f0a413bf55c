"""The catalogue: games with their editions, set-ups and readings, records of matches, and mutants."""
