"""How a command runs: its streams, its processes, its end, and the display on a terminal."""
