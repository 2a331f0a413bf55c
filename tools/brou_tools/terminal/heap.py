"""The heap of a command that ends soon."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keep_garbage() -> Iterator[None]:
    """Let nobody search the heap for garbage: rules are loaded for every reading, and little is given back.

    Nor is it searched when the process ends, with all of it.
    """
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
