"""Figures as rows of a table for other programs: CSV by the standard library, Parquet by pyarrow (`brou[parquet]`)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from brou import BrouError
from brou.atomic import put
from brou_tools.simulate.report import SimulationResult

_Cell: TypeAlias = "str | bool | int | float | None"
#: The columns: those of a figure, and of another rule base on the same deals, empty where there is none.
_COLUMNS = (
    *("rules", "readings", "part", "what", "per", "share", "value", "low", "high", "seen", "cases"),
    *("against", "theirs", "difference", "difference_low", "difference_high"),
)
_CSV, _PARQUET = ".csv", ".parquet"


def check_writer(path: Path) -> None:
    """Raise `BrouError` where the rows of a file cannot be written on this machine."""
    if path.suffix == _PARQUET:
        try:
            import pyarrow.parquet  # noqa: F401, PLC0415 - heavy, and for this alone
        except ImportError as error:
            raise BrouError("Parquet needs pyarrow: install brou[parquet], or name a file that ends in .csv") from error


def write_rows(path: Path, results: Sequence[SimulationResult]) -> None:
    """Write the figures of some rule bases, a row each."""
    rows = [row for one in results for row in _rows(one)]
    put(path, _write_csv(rows) if path.suffix == _CSV else _write_parquet(rows))


def _rows(result: SimulationResult) -> Iterator[dict[str, _Cell]]:
    choice = result.plan.choice
    readings = ",".join(f"{key}={value}" for key, value in choice.readings)
    beside = {(one.part, one.what): one for one in result.differences()}
    for one in result.figures():
        found: dict[str, _Cell] = {"rules": result.name, "readings": readings}
        found |= {"part": one.part, "what": one.what, "per": one.per, "share": one.share, "value": float(one.value)}
        found |= {"low": _finite(one.low), "high": _finite(one.high), "seen": int(one.seen), "cases": one.cases}
        other = beside.get((one.part, one.what))
        if other is not None and result.other is not None:
            found |= {"against": result.other.choice.full, "theirs": other.theirs, "difference": other.difference}
            found |= {"difference_low": _finite(other.low), "difference_high": _finite(other.high)}
        yield {name: found.get(name) for name in _COLUMNS}


def _finite(number: float) -> float | None:
    """Return a bound, or nothing where there is none."""
    return float(number) if math.isfinite(number) else None


def _write_csv(rows: Sequence[dict[str, _Cell]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_parquet(rows: Sequence[dict[str, _Cell]]) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - heavy, and for this alone
    from pyarrow import parquet  # noqa: PLC0415 - likewise

    kinds = {"share": pa.bool_(), "seen": pa.int64(), "cases": pa.int64()}
    words = ("rules", "readings", "part", "what", "per", "against")
    kinds |= dict.fromkeys(words, pa.string())
    schema = pa.schema([(name, kinds.get(name, pa.float64())) for name in _COLUMNS])
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(list(rows), schema=schema), sink)
    return bytes(sink.getvalue().to_pybytes())
