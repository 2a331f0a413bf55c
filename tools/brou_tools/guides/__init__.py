"""Guides for authors of adapters: what a game has on the wire, from its rules and from scenarios that are played."""
