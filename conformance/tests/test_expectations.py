"""Expectations: scenarios are played by the rules themselves, under every reading that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou_conformance.judging.expectations import expectation_faults
from brou_conformance.scenarios.corpus import of_file

SCENARIO = """\
- id: test.claim
  title: A claim between two deals
  clauses: {{brouc.claim.01: [permits]}}
  level: {level}
  origin: hand
  because: So it is.
  edition: "2022"
{more}  deal: {{dealer: 3}}
  steps:
  - {{id: claim, by: 0, act: {{claim: true}}, {expected}}}
"""
RIGHT = "readings: {claim_between_deals: {yes: ok, no: {no: window_closed}, after-first-trick: {no: window_closed}}}"


def find_told(folder: Path, expected: str, more: str = "", level: str = "must") -> list[str]:
    """Return what is told of a scenario with one step."""
    path = folder / "some.yaml"
    path.write_text(SCENARIO.format(expected=expected, more=more, level=level), encoding="utf-8")
    return list(map(str, expectation_faults(of_file(path, "brouc", "some.yaml"), "brouc")))


def test_expectations_that_the_rules_meet_are_no_fault(tmp_path: Path) -> None:
    """Every value of the reading is as the rules have it."""
    assert find_told(tmp_path, RIGHT) == []


@pytest.mark.parametrize("value", ["yes", "no", "after-first-trick"])
def test_a_wrong_expectation_is_found_under_each_value(tmp_path: Path, value: str) -> None:
    """Whether the edition plays that value or not, it is told, with the rules that answer otherwise."""
    right, wrong = ("ok", "{no: window_closed}") if value == "yes" else ("{no: window_closed}", "ok")
    (told,) = find_told(tmp_path, RIGHT.replace(f"{value}: {right}", f"{value}: {wrong}"))
    assert told.startswith("some.yaml:10:5: test.claim#claim expects ")
    assert told.count(f"brouc@2022:4[claim_between_deals={value}]") == (0 if value == "yes" else 2)


def test_a_premise_holds_for_every_step(tmp_path: Path) -> None:
    """A scenario with a premise is played under it."""
    more = "  readings: {claim_between_deals: no}\n"
    assert find_told(tmp_path, "expect: {no: window_closed}", more) == []
    (told,) = find_told(tmp_path, "expect: ok", more)
    assert "brouc@2022:4[claim_between_deals=no] answers 'refused (window_closed)'" in told


def test_what_is_left_open_is_no_fault(tmp_path: Path) -> None:
    """A scenario that demands nothing may be answered otherwise."""
    assert find_told(tmp_path, "expect: {no: window_closed}", level="open") == []
