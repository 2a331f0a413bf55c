"""Speaks protocol 1 of the suite for the program in ``brou_table``: one JSON object a line, in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brou_table import SEATS, Brouc, Deal, HommeDeBrou, StartError, Table

PLAYED = [["brouc", "2022", "4"], ["homme-de-brou", "1802", "4"]]
HELLO: dict[str, Any] = {
    "protocol": 1,
    "engine": {"name": "brou-table", "version": "1.0", "language": "python"},
    "plays": [{"game": game, "editions": [edition], "setups": [setup]} for game, edition, setup in PLAYED],
    "readings": {
        "brouc@2022": {
            "claim_window": "any-time",
            "claim_counts_open_trick": "no",
            "claim_between_deals": "yes",
            "claim_after_count": "until-written",
            "loser_figure": "slate",
            "claim_net_of_table_losses": "yes",
            "marking": "implicit",
            "marriage_exception": "complete-in-trick",
            "exception_scope": "forced-only",
            "announce_window": "any-time",
            "extend_announced": "once-per-suit",
            "announce_simple_with_jack": "allowed",
            "rounding_order": "cards-then-marriages",
            "cape_carry": "usable-at-once",
            "cape_carry_on_second_cape": "pending",
            "carry_in_thresholds": "no",
            "cape_announce_moment": "any-moment",
            "cape_announce_invalid": "refused",
            "dehors_after_cape_announcement": "refused",
            "cape_failure_moment": "at-once",
            "cape_before_first": "yes",
            "match_end": "immediately",
        },
        "homme-de-brou@1802": {
            "both_over": "first-to-reach",
            "loser_account": "raw",
            "loser_account_unclaimed": "full-deal",
            "wrong_claim_erasure": "gains-only",
            "claim_window": "any-time",
            "announce_window": "after-own-trick",
            "extend_announced": "once-per-suit",
            "announce_simple_with_jack": "allowed",
            "turnup_announceable": "at-once",
            "pv_threshold_base": "account-with-marriages",
            "pv_below_threshold": "refused",
            "pv_marriages": "count",
            "pv_before_first": "no",
            "pv_speaker": "leader",
            "stop_window": "until-fifth-begun",
            "stop_requires_all_tricks": "yes",
            "stop_wrong": "illegal",
            "dealer_rotation": "right",
            "match_end": "immediately",
        },
    },
    "can": ["deal", "match", "score", "view", "codes", "offturn", "winner"],
    "max_in_flight": 16,
}


class RequestError(Exception):
    """A request that says nothing the protocol knows."""


@dataclass(frozen=True)
class Tables:
    """The kind of table at which each game is played."""

    brouc: type[Brouc]
    homme_de_brou: type[HommeDeBrou]


def pair(start: Mapping[str, Any], key: str) -> list[int]:
    """A number for each team, zeros if the key is absent."""
    numbers = start.get(key, [0, 0])
    if not isinstance(numbers, list) or len(numbers) != 2 or any(type(number) is not int for number in numbers):
        raise RequestError(f"start.{key} is not a pair of integers")
    return numbers


def dealt(start: Mapping[str, Any], dealer: int, table: Table) -> Deal | None:
    """The deal that the start describes by hands or by deck, if any."""
    hands, deck = start.get("hands"), start.get("deck")
    try:
        if hands is not None:
            turnup = start["turnup"] if "turnup" in start or deck is None else deck[-1]
            return table.deal_type(dealer, [hands[str(seat)] for seat in SEATS], turnup)
        if deck is not None:
            packets = start.get("packets", list(table.packets[0]))
            if tuple(packets) not in table.packets:
                raise RequestError("start.packets is no pattern of this game")
            return table.deal_type.from_deck(dealer, deck, packets)
    except (StartError, LookupError, TypeError) as problem:
        raise RequestError(f"start: {problem!r}") from problem
    return None


def table_for(request: Mapping[str, Any], tables: Tables) -> Table | None:
    """A fresh table in the position asked for; none if the game is not played here."""
    wanted = [request.get("game"), request.get("edition"), request.get("setup")]
    if not all(isinstance(name, str) for name in wanted):
        raise RequestError("game, edition and setup are not all named")
    if wanted not in PLAYED:
        return None
    start = request.get("start", {})
    if not isinstance(start, dict):
        raise RequestError("start is not an object")
    dealer = start.get("dealer")
    if dealer is not None and (type(dealer) is not int or dealer not in SEATS):
        raise RequestError("start.dealer is not a seat")
    table: Table
    if wanted[0] == "brouc":
        table = tables.brouc(dealer, pair(start, "accounts"), pair(start, "coches"), pair(start, "carry"))
    else:
        table = tables.homme_de_brou(dealer, pair(start, "accounts"), pair(start, "parties"))
    deal = dealt(start, dealer, table) if dealer is not None else None
    if deal is not None:
        table.begin(deal)
    return table


def answer_step(table: Table, step: object) -> dict[str, Any]:
    """What the table says to one step of a script."""
    if not isinstance(step, dict):
        return {"err": "a step is an object"}
    seats = {verb: step[verb] for verb in ("by", "legal", "view") if verb in step}
    if any(type(seat) is not int or seat not in SEATS for seat in seats.values()):
        return {"err": "no such seat"}
    if "act" in step:
        if "by" not in seats or not isinstance(step["act"], dict):
            return {"err": "an act is an object done by a seat"}
        refusal = table.act(seats["by"], step["act"])
        return {"ok": True} if refusal is None else {"no": refusal}
    if "legal" in seats:
        return {"legal": table.legal(seats["legal"])}
    if "view" in seats:
        return {"view": table.view(seats["view"])}
    if "winner" in step:
        return {"winner": table.last_winner()}
    if "score" in step:
        return {"score": table.score()}
    return {"skip": "unknown kind of step"}


def run(request: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
    """Play a whole script at a table of its own."""
    steps = request.get("steps")
    if not isinstance(steps, list):
        raise RequestError("steps is not a list")
    table = table_for(request, tables)
    if table is None:
        return {"results": [{"skip": "not played here"} for _ in steps]}
    return {"results": [answer_step(table, step) for step in steps]}


def answer(line: bytes, tables: Tables) -> tuple[dict[str, Any], bool]:
    """The reply to one line, and whether the conversation is over."""
    number: int | None = None
    try:
        request = json.loads(line.decode("utf-8"))
        if not isinstance(request, dict):
            raise RequestError("a request is an object")
        if type(request.get("id")) is not int:
            raise RequestError("id is not an integer")
        number, operation = request["id"], request.get("op")
        head = {"id": number, "ok": True}
        if operation == "hello":
            if request.get("protocol") != HELLO["protocol"]:
                raise RequestError("only protocol 1 is spoken here")
            return head | HELLO, False
        if operation == "run":
            return head | run(request, tables), False
        if operation in ("ping", "bye"):
            return head, operation == "bye"
        raise RequestError("unknown op")
    except (RequestError, ValueError, RecursionError) as problem:
        return {"id": number, "ok": False, "error": str(problem)}, False


def main(brouc: type[Brouc] = Brouc, homme_de_brou: type[HommeDeBrou] = HommeDeBrou) -> None:
    """Answer every line until goodbye or the end of the input."""
    tables = Tables(brouc, homme_de_brou)
    for line in sys.stdin.buffer:
        if line.strip():
            reply, finished = answer(line, tables)
            sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
            sys.stdout.buffer.flush()
            if finished:
                return


if __name__ == "__main__":
    main()
