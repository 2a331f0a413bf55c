"""The fuzzer: mutated files, requests and answers, and what must hold whatever they say. `make fuzz` runs it."""
