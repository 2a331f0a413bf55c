"""A built-in function of one's own, on sets of cards: one class, and rules, compiled play and proofs know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from brou import Machine, Refusal, State
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.playing import draw_act
from brou.language.builtin import Builtin, Example, Use, World, fitting
from brou.language.builtins import BUILTINS
from brou.language.load import load_rules
from brou.language.making import Core, Meaning, Part
from brou.language.source import parse_yaml
from brou.language.types import CARDS, Type
from brou_tools.cli import main
from brou_tools.terminal.exits import Exit
from provers import asked


class OfSuit(Builtin):
    """The cards of a set that are of a suit."""

    form = "of_suit(cards, suit)"
    says = "the cards of a suit in a set"
    shown = "of_suit(hand[me], hearts)"
    examples = (
        Example((CARDS, "suit"), (frozenset({"EM", "WM", "OR"}), "M"), frozenset({"EM", "WM"})),
        Example((CARDS, "suit"), (frozenset({"EM"}), "R"), frozenset(), edge="no such card"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return that it takes cards and a suit, and gives cards."""
        return CARDS if list(types[:1]) == [CARDS] and fitting(world, types[1:], "suit", gives="suit") else None

    def meaning(self, world: World) -> Meaning:  # noqa: ARG002 - one signature for all
        """Return what it computes."""
        return lambda cards, suit: frozenset(card for card in cards if card[1] == suit)

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:  # noqa: ARG002 - one signature for all
        """Return what the set has in common with the cards of the suit."""
        cards, suit = parts
        return make.common(cards, make.lookup(CARDS, "suit_set", suit))


#: Two seats that follow suit.
RULES = """
format: brou/1
game: following
seating: {seats: 2, clause: z.rule}
deck: {suits: {M: moss, R: rust}, ranks: {E: eagle, W: wren, O: owl}, clause: z.rule}
state:
  match:
    stock: {type: pile, zone: true}
    hand: {type: "cards[player]", zone: true}
    away: {type: cards, zone: true}
    led: {type: "suit?"}
    turn: {type: player, init: 0}
functions:
  fitting:
    args: {p: player}
    type: cards
    is: "of_suit(hand[p], led) if led != None and not empty(of_suit(hand[p], led)) else hand[p]"
    clause: z.rule
actions:
  deal:
    by: {who: players}
    params: {deck: {in: "orders(pack)"}}
    legal: "True"
    do:
    - {set: stock, to: deck}
    - {for: p, in: players, do: [{draw: 3, from: stock, to: "hand[p]"}]}
    - {goto: play}
    clause: z.rule
  play:
    by: {who: "{p for p in players if p == turn}"}
    params: {what: {in: "fitting(me)"}}
    legal: "True"
    do:
    - {move: "{what}", from: "hand[me]", to: away}
    - {set: led, to: "suit(what) if led == None else None"}
    - {set: turn, to: next(me)}
    - {if: "all(empty(hand[p]) for p in players)", then: [{goto: over}]}
    clause: z.rule
phases:
  deal: {actions: [deal], clause: z.rule}
  play: {actions: [play], clause: z.rule}
  over: {final: true, clause: z.rule}
view: {}
score: {}
invariants: {}
start: {phase: deal, deal: deal, given: {}}
"""

OBLIGATIONS = """
format: brou-obligations/1
game: following
obligations:
  following.of-suit:
    kind: claim
    says: "What it gives is all of the hand that is of the suit."
    clauses: [z.rule]
    expect: proved
    given: {one: player, colour: suit}
    show: "of_suit(hand[one], colour) == {c for c in hand[one] if suit(c) == colour}"
  following.follows:
    kind: claim
    says: "Who has a card of the suit that is led lays one."
    clauses: [z.rule]
    expect: proved
    given: {one: player, c: card}
    where: ["led != None and c in hand[one] and suit(c) == led"]
    show: "all(suit(d) == led for d in fitting(one))"
  following.always:
    kind: claim
    says: "Everybody has a card of every suit; not so."
    clauses: [z.rule]
    expect: refuted
    given: {one: player, colour: suit}
    show: "not empty(of_suit(hand[one], colour))"
"""


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the new built-in be one of the language, and nothing be kept of it."""
    monkeypatch.setenv("BROU_CACHE", "off")
    monkeypatch.setitem(BUILTINS, "of_suit", OfSuit())


def test_rules_play_with_it() -> None:
    """In rules it narrows what may be played: whoever can follow suit has no other card to choose."""
    machine = Machine(load_rules(parse_yaml(RULES, "following.yaml")))
    dealt = machine.act(machine.begin(), 0, {"deal": ["EM", "WM", "ER", "OM", "WR", "OR"]})
    assert isinstance(dealt, State)
    led = machine.act(dealt, 0, {"play": "EM"})
    assert isinstance(led, State)

    assert machine.legal(dealt, 0) == {"play": ["EM", "WM", "ER"]}
    assert machine.legal(led, 1) == {"play": ["OM"]}


@pytest.mark.parametrize("seed", range(20))
def test_compiled_rules_play_the_same(seed: int) -> None:
    """A random match of the compiled rules is one of the interpreter's, act by act."""
    game = load_rules(parse_yaml(RULES, "following.yaml"))
    machine, engine, chance = Machine(game), Compiled(game, keep=False), Chance(seed)
    state, ours = machine.begin(), engine.begin()
    while (move := draw_act(engine, ours, chance)) is not None:
        assert [engine.legal(ours, seat) for seat in range(2)] == [machine.legal(state, seat) for seat in range(2)]
        after, theirs = machine.act(state, *move), engine.act(ours, *move)
        assert isinstance(after, State)
        assert not isinstance(theirs, Refusal)
        state, ours = after, theirs
        assert engine.decode_state(ours) == state
    assert machine.over(state)


@pytest.fixture(name="house")
def _house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the game be one of the house, with its obligations."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    games = tmp_path / "games"
    (games / "following").mkdir(parents=True)
    (games / "following" / "rules.yaml").write_text(RULES.lstrip(), encoding="utf-8")
    (games / "following" / "obligations.yaml").write_text(OBLIGATIONS.lstrip(), encoding="utf-8")
    monkeypatch.setattr(asked, "GAMES", games)
    asked.forget()
    with asked.housed(tmp_path):
        yield
    asked.forget()


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("what", "status"),
    [("following.of-suit", "proved"), ("following.follows", "proved"), ("following.always", "refuted")],
)
def test_proofs_know_it(what: str, status: str) -> None:
    """What follows from it is proved, and what does not is refuted."""
    assert asked.ask(what).status == status


class Otherwise(OfSuit):
    """One that is compiled to something else than it means: to all the cards."""

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:  # noqa: ARG002 - one signature for all
        """Return the whole set."""
        return parts[0]


@pytest.mark.usefixtures("house")
def test_one_that_is_compiled_otherwise_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the interpreter does not see what the formulas say, the built-ins that a statement calls are named."""
    monkeypatch.setitem(BUILTINS, "of_suit", Otherwise())

    assert main(["prove", "following", "--only", "following.of-suit"]) == Exit.OURS
    assert "does each built-in do what it is compiled to? called are of_suit, suit" in capsys.readouterr().err
