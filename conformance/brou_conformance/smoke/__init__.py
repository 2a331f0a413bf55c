"""The smoke test: whether the adapter of a program is sound, before any rule is blamed."""
