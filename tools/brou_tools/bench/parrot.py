"""A program that answers at once from a file: the rest of a run's time is the runner's own.

`python -m brou_tools.bench.parrot FILE [SECONDS]`: the first line of the file is the greeting without its braces. Each
other line is a request behind its number, its results, and how many steps it has, with tabs between them. With a time,
each step takes that long.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

_TAB, _ID = b"\t", b'"id":'


def tell(greeting: bytes, results: Mapping[bytes, bytes], steps: Mapping[bytes, int], seconds: float) -> None:
    """Answer until the input ends."""
    write = sys.stdout.buffer.write
    for line in sys.stdin.buffer:
        number, _, request = line[line.index(_ID) + len(_ID) :].partition(b",")
        if b'"op":"run"' in line:
            if seconds:
                time.sleep(seconds * steps[request])
            body = b',"results":' + results[request]
        else:
            number = number.strip(b"}\n")
            body = b"," + greeting if b'"op":"hello"' in line else b""
        write(b'{"id":' + number + b',"ok":true' + body + b"}\n")
        sys.stdout.buffer.flush()


def main(path: str, seconds: str = "0") -> None:
    """Read the answers from a file, and give them."""
    greeting, *lines = Path(path).read_bytes().splitlines()
    said = [line.split(_TAB) for line in lines]
    results = {request + b"\n": result for request, result, _ in said}
    steps = {request + b"\n": int(count) for request, _, count in said}
    tell(greeting, results, steps, float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
