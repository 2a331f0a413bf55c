"""Text for people is as wide as their terminal, and never wider than is easy to read."""

from __future__ import annotations

import pytest

from brou_tools.cli import main
from brou_tools.terminal.columns import count_columns


@pytest.mark.parametrize(("said", "columns"), [("80", 80), ("20", 40), ("300", 110), ("", 110)])
def test_columns_are_those_of_the_terminal(said: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within bounds; where nobody looks they are the most."""
    monkeypatch.setenv("COLUMNS", said)

    assert count_columns() == columns


@pytest.mark.parametrize(
    "command",
    [
        ["explain", "brouc.over.lower-trump-refused#seven"],
        ["show", "brouc.over.05"],
        ["diff", "brouc@2022", "brouc@club-2026"],
        ["ambiguities", "brusquembille"],
        ["simulate", "brouc@2022", "-n", "1"],
    ],
    ids=lambda command: command[0],
)
def test_answers_fit_eighty_columns(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every line of what people ask for most, paths and names of rules aside."""
    monkeypatch.setenv("COLUMNS", "80")

    assert main([*command, "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert [line for line in lines if len(line) > 80] == []
