"""Campaigns: the matches of a fuzzing run and what they came to, in one SQLite file.

A match is written down in one transaction with everything that it adds. So a run that is killed loses the matches that
were under way, and no match counts twice; the next run begins with the first that is not written down. Which seeds a
match chooses among hangs on what all matches of earlier rounds reached, so that a run that goes on comes to the same.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from brou import NoFile
from brou.atomic import expect
from brou_tools.fuzz.lockstep import Finding, MatchResult

FORMAT = "brou-campaign/1"
_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE matches (
    edition TEXT, number INTEGER, seed TEXT NOT NULL, status TEXT NOT NULL, asked INTEGER NOT NULL,
    PRIMARY KEY (edition, number)
);
CREATE TABLE reached (edition TEXT, what TEXT, matches INTEGER NOT NULL, PRIMARY KEY (edition, what));
CREATE TABLE findings (
    edition TEXT, number INTEGER, behaviour TEXT NOT NULL, raw TEXT NOT NULL, small TEXT,
    PRIMARY KEY (edition, number)
);
"""


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A finding as a campaign has it: by its match, as it was found, and once it is shrunk."""

    number: int
    raw: Finding
    small: Finding | None

    @property
    def best(self) -> Finding:
        """Return it as small as it is known."""
        return self.small or self.raw


class Campaign:
    """A campaign under way."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    # Matches ----------------------------------------------------------------------------------------------------------

    def count_matches(self, edition: str) -> int:
        """Return how many matches of an edition are written down; they are the first so many."""
        return int(self._one("SELECT COUNT(*) FROM matches WHERE edition = ?", edition))

    def keep(self, edition: str, results: Iterable[tuple[int, MatchResult]]) -> None:
        """Write down matches by their numbers, all of them or none."""
        with self._database:
            for number, result in results:
                row = (edition, number, str(result.seed), result.status, result.asked)
                self._database.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?)", row)
                self._database.executemany(
                    "INSERT INTO reached VALUES (?, ?, 1)"
                    " ON CONFLICT (edition, what) DO UPDATE SET matches = matches + 1",
                    [(edition, what) for what in sorted(result.reached)],
                )
                if result.finding is not None:
                    behaviour = json.dumps(result.finding.behaviour)
                    found = (edition, number, behaviour, _write(result.finding))
                    self._database.execute("INSERT INTO findings VALUES (?, ?, ?, ?, NULL)", found)

    def count_reached(self, edition: str) -> Counter[str]:
        """Return how many matches reached each thing."""
        return Counter(dict(self._rows("SELECT what, matches FROM reached WHERE edition = ?", edition)))

    def count_statuses(self, edition: str) -> Counter[str]:
        """Return how many matches came to each status."""
        return Counter(dict(self._rows("SELECT status, COUNT(*) FROM matches WHERE edition = ? GROUP BY 1", edition)))

    def count_asked(self, edition: str) -> int:
        """Return how many questions were answered."""
        return int(self._one("SELECT COALESCE(SUM(asked), 0) FROM matches WHERE edition = ?", edition))

    def list_seeds(self, edition: str, statuses: Iterable[str] | None = None) -> list[int]:
        """Return the seeds of all matches, or of those that came to some statuses, in their order."""
        rows = self._rows("SELECT seed, status FROM matches WHERE edition = ? ORDER BY number", edition)
        wanted = None if statuses is None else set(statuses)
        return [int(seed) for seed, status in rows if wanted is None or status in wanted]

    # Findings ---------------------------------------------------------------------------------------------------------

    def list_findings(self, edition: str) -> list[StoredFinding]:
        """Return all findings of an edition in the order of their matches."""
        rows = self._rows("SELECT number, raw, small FROM findings WHERE edition = ? ORDER BY number", edition)
        return [
            StoredFinding(number, _read(raw), None if small is None else _read(small)) for number, raw, small in rows
        ]

    def keep_small(self, edition: str, number: int, small: Finding) -> None:
        """Write down a finding once it is shrunk."""
        with self._database:
            self._database.execute(
                "UPDATE findings SET small = ? WHERE edition = ? AND number = ?", (_write(small), edition, number)
            )

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        return iter(self._database.execute(query, values).fetchall())

    def _one(self, query: str, *values: object) -> Any:  # noqa: ANN401 - whatever is asked for
        return self._database.execute(query, values).fetchone()[0]


@contextmanager
def open_campaign(path: Path | None, about: Mapping[str, Any]) -> Iterator[Campaign]:
    """Open a campaign in a file, or begin one there; without a file it lasts as long as it is open.

    `about` is JSON and names everything that its matches depend on. Raise `NoFile` for a file that is no campaign, that
    of another one, or one that another process has open.
    """
    if path is not None:
        expect(path)
    try:
        with closing(sqlite3.connect(":memory:" if path is None else path, timeout=1)) as database:
            _begin(database, path, {"format": FORMAT, **about})
            yield Campaign(database)
    except sqlite3.Error as error:
        raise NoFile(path or "memory", "a campaign that nobody else has open, or a new name", str(error)) from error


def _begin(database: sqlite3.Connection, path: Path | None, about: Mapping[str, Any]) -> None:
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    wanted = {key: json.dumps(value, sort_keys=True) for key, value in about.items()}
    if not database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        with database:
            for statement in filter(str.strip, _TABLES.split(";")):
                database.execute(statement)
            database.executemany("INSERT INTO about VALUES (?, ?)", wanted.items())
        return
    if not database.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'about'").fetchone()[0]:
        raise NoFile(path or "memory", "a campaign, or a new name", "a database of something else")
    known = dict(database.execute("SELECT key, value FROM about").fetchall())
    differing = [key for key in {**wanted, **known} if known.get(key) != wanted.get(key)]
    if differing:
        instead = "a new name for another campaign, or the options of this one"
        raise NoFile(path or "memory", instead, f"the campaign of another run (other {', '.join(differing)})")
    with database:  # takes the lock, so that two runs do not meet in the middle
        database.execute("UPDATE about SET value = value WHERE key = 'format'")


def _write(finding: Finding) -> str:
    return json.dumps(asdict(finding))


def _read(text: str) -> Finding:
    made = json.loads(text)
    return Finding(**{**made, "messages": tuple(made["messages"]), "behaviour": tuple(made["behaviour"])})
