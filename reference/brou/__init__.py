"""The rules of card games as data: load them, play them, ask why."""

from brou.errors import BadAct, BrouError, Crash, Impossible, Invalid, Malformed, Unknown
from brou.games.catalogue import Choice, book, catalogue, choose, rules
from brou.interpreter.machine import Machine, Refusal, State

__all__ = [
    "BadAct",
    "BrouError",
    "Choice",
    "Crash",
    "Impossible",
    "Invalid",
    "Machine",
    "Malformed",
    "Refusal",
    "State",
    "Unknown",
    "book",
    "catalogue",
    "choose",
    "rules",
]
