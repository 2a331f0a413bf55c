"""A pytest plugin: `pytest --brou-game GAME --brou-engine COMMAND` runs every scenario as a test.

The scenarios are those of the project that pytest is started in, or of the one that `--brou-data` names; a program of
its `brou.toml` may be named by `--brou-program`.

Each test bears the ids of its clauses as markers, so that `-m "brouc.over.01"` picks those of one clause, and its node
id is `brou::GAME@EDITION:SETUP::SCENARIO`: given back on the command line it picks that test, and a prefix picks all
tests that begin with it. Without these options the plugin does nothing, and imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from brou_conformance.reports.pytest_items import JudgedProgram

#: How the program to judge is named: by its command, as a Python object, or as `brou.toml` calls it.
_PROGRAMS = ("--brou-engine", "--brou-python", "--brou-program")
_TABLE: pytest.StashKey[JudgedProgram] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options."""
    group = parser.getgroup("brou", "judge a program by the rules of historical card games")
    group.addoption("--brou-engine", metavar="COMMAND", help="the program to judge, as one would start it in a shell")
    group.addoption("--brou-python", metavar="MODULE:CLASS", help="or a Python object, judged in this process")
    group.addoption("--brou-program", metavar="NAME", help="or the one that brou.toml has under this name")
    group.addoption(
        "--brou-data",
        metavar="FOLDER",
        help="the project: a folder with brou.toml, or with games/; otherwise that of the nearest brou.toml from here "
        "upwards, else Brou's own games",
    )
    group.addoption("--brou-game", default="", metavar="GAME", help="only this game")
    group.addoption("--brou-edition", default="", metavar="EDITION", help="only this edition")
    group.addoption(
        "--brou-lang", default="", metavar="LANGUAGE", help="tell what fails in a language of the glossary (en)"
    )
    group.addoption("--brou-sources", metavar="DIR", help="the source texts (*.txt), to show how passages begin")
    group.addoption("--brou-known-failing", metavar="FILE", help="ids that fail, one a line: they count as xfailed")


def pytest_configure(config: pytest.Config) -> None:
    """Start the program, if there is one to judge."""
    programs = {one: config.getoption(one) for one in _PROGRAMS}
    named = [one for one, given in programs.items() if given]
    if not named:
        for one in ("--brou-game", "--brou-edition", "--brou-data"):
            if config.getoption(one):
                raise pytest.UsageError(f"{one} needs a program to judge: {', '.join(_PROGRAMS)}")
        return
    if len(named) > 1:
        raise pytest.UsageError(f"{' and '.join(named)} name several programs; one is judged at a time")
    from brou_conformance.reports.pytest_items import JudgedProgram, RequestedRun, choose_teller  # noqa: PLC0415 - only if something is to be judged

    wanted = RequestedRun(
        data=config.getoption("--brou-data"),
        start=config.invocation_params.dir,
        game=config.getoption("--brou-game"),
        edition=config.getoption("--brou-edition"),
        known_failing=config.getoption("--brou-known-failing"),
        sources=config.getoption("--brou-sources"),
    )
    teller = choose_teller(config.getoption("--brou-lang"), wanted)
    table = JudgedProgram.open(wanted, teller, *programs.values())
    for clause in table.clauses:
        config.addinivalue_line("markers", f"{clause}: scenarios of this clause")
    config.stash[_TABLE] = table


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Take our node ids out of the collection: no file bears such a name.

    Where workers do the work they have received them by now, and do the same.
    """
    table = session.config.stash.get(_TABLE, None)
    if table is not None:
        session.config.args, wanted = table.part(session.config.args)
        table.want(wanted)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for every scenario, or for those whose node ids were given."""
    table = config.stash.get(_TABLE, None)
    if table is not None:
        items.extend(table.items(session, asked=not config.getoption("collectonly")))


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the program under test when pytest ends."""
    table = config.stash.get(_TABLE, None)
    if table is not None:
        table.session.close()
