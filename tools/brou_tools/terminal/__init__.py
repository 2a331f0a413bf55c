"""How a command runs: its streams, its processes, its end, and what a terminal shows."""
