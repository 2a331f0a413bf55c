"""The commands, a module each with `run(options) -> int`; none is imported before it is asked for."""
