"""Exit codes, the same for every command and never a count."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of commands."""

    FINE = 0
    #: Something was found: a program deviates, a file has faults.
    FINDING = 1
    #: The command line, or what was given to it, cannot be used.
    USAGE = 2
    #: The program under test could not be used.
    UNUSABLE = 3
    #: Our own fault.
    OURS = 4
