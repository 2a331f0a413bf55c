"""What is kept: games with their editions, set-ups and readings, records of what was played, mutants."""
