"""How wide the text of a command is."""

from __future__ import annotations

import shutil

#: The least that is heeded, and the most, beyond which lines are hard to read.
_LEAST, _MOST = 40, 110


def count_columns() -> int:
    """Return the columns of the terminal, or of `COLUMNS`, from 40 to 110; 110 where there is neither."""
    return max(_LEAST, min(shutil.get_terminal_size((_MOST, 1)).columns, _MOST))
