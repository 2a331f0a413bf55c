"""A pytest plugin: `pytest --brou-game GAME --brou-engine COMMAND` runs every scenario as a test.

Each test bears the ids of its clauses as markers, so that `-m "brouc.over.01"` picks those of one clause, and its node
id is `brou::GAME@EDITION:SETUP::SCENARIO`: given back on the command line it picks that test, and a prefix picks all
tests that begin with it. Without these options the plugin does nothing, and imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from brou_conformance.reports.pytest_items import JudgedProgram

_TABLE: pytest.StashKey[JudgedProgram] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options."""
    group = parser.getgroup("brou", "judge a program by the rules of historical card games")
    group.addoption("--brou-engine", metavar="COMMAND", help="the program to judge, as one would start it in a shell")
    group.addoption("--brou-python", metavar="MODULE:CLASS", help="or a Python object, judged in this process")
    group.addoption("--brou-game", default="", metavar="GAME", help="only this game")
    group.addoption("--brou-edition", default="", metavar="EDITION", help="only this edition")
    group.addoption(
        "--brou-lang", default="", metavar="LANGUAGE", help="tell what fails in a language of the glossary (en)"
    )
    group.addoption("--brou-sources", metavar="DIR", help="the source texts (*.txt), to show how passages begin")
    group.addoption("--brou-known-failing", metavar="FILE", help="ids that fail, one a line: they count as xfailed")


def pytest_configure(config: pytest.Config) -> None:
    """Start the program, if there is one to judge."""
    engine, name = config.getoption("--brou-engine"), config.getoption("--brou-python")
    if not engine and not name:
        if config.getoption("--brou-game") or config.getoption("--brou-edition"):
            raise pytest.UsageError("--brou-game and --brou-edition need --brou-engine COMMAND or --brou-python")
        return
    if engine and name:
        raise pytest.UsageError("--brou-engine and --brou-python name two programs; one is judged at a time")
    from brou_conformance.reports.pytest_items import JudgedProgram, choose_teller, select  # noqa: PLC0415 - only if something is to be judged

    known = config.getoption("--brou-known-failing")
    sources = config.getoption("--brou-sources")
    wanted = select(config.getoption("--brou-game"), config.getoption("--brou-edition"), known, sources)
    table = JudgedProgram.open(engine or "", name or "", wanted, choose_teller(config.getoption("--brou-lang")))
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
    """End the program."""
    table = config.stash.get(_TABLE, None)
    if table is not None:
        table.session.close()
