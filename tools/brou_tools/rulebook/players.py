"""What the players' book of a game is made from: its texts, each with the clauses it tells, and the sample deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from brou import (
    Choice,
    Impossible,
    Json,
    Machine,
    Malformed,
    Node,
    Project,
    Refusal,
    State,
    begin,
    choose,
    hands_of,
    keep_until_changed,
    root,
    rules,
    shape_faults,
    with_readings,
)
from brou.games import has_file, read_file
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.course import take

_FILE = "players.yaml"
#: Clauses that no play can break: history, advice.
_ADVISORY = "advisory"
#: What a condition of a block calls the edition, beside the keys of readings.
_EDITION = "edition"
#: And whether a table has agreed on its rules.
_AGREED = "agreed"


def has_players_book(choice: Choice) -> bool:
    """Say whether a game has texts for players, and they tell this edition with these readings."""
    try:
        return texts_for(choice) is not None
    except Impossible:
        return False


@keep_until_changed(maxsize=8)
def read_players(game: str, project: Project) -> Node | None:
    """Return the texts for players of a game; None where it has none. Raise `Malformed` for a file of another shape."""
    name = f"games/{game}/{_FILE}"
    if not has_file(project.data, name):
        return None
    node = read_file(project.data, name)
    faults = list(shape_faults(node, root() / "schemas" / "players.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


def texts_for(choice: Choice) -> Node:
    """Return the texts that tell an edition to players.

    Raise `Impossible` where there are none, or where the readings differ from those of the edition in something that
    the texts take for granted.
    """
    data = read_players(choice.game, choice.project)
    if data is None or choice.edition not in list_editions(data):
        other = "" if data is None else f", or for {choice.game}@{data.string('edition')}"
        raise Impossible(f"{choice.game}@{choice.edition} has no players' book yet: ask with --for arbiters{other}")
    own, plain = (
        choose(f"{choice.game}@{edition}:{choice.setup}", choice.project)
        for edition in (choice.edition, data.string("edition"))
    )
    known, numbers = _list_conditions(data), {*rules(choice).params}
    taken = dict(own.readings) | dict(plain.readings)
    for key, value in choice.readings:
        if value != taken[key] and key not in numbers and value not in known.get(key, ()):
            raise Impossible(
                f"the players' book of {choice.game}@{choice.edition} does not tell {key}={value}: "
                "ask with --for arbiters"
            )
    return data


def list_editions(data: Node) -> tuple[str, ...]:
    """Return the editions that the texts tell."""
    also = data.get("also")
    return (data.string("edition"), *(item.text for item in (() if also is None else also.items)))


def seat_players(data: Node, choice: Choice) -> Choice:
    """Return the rules with as many players as the pages draw, and the readings chosen as far as they matter there."""
    setup = data.string("setup") or choice.setup
    if setup == choice.setup:
        return choice
    there = choose(f"{choice.game}@{choice.edition}:{setup}", choice.project)
    known = dict(there.readings)
    return with_readings(there, {key: value for key, value in choice.readings if key in known})


def _list_conditions(data: Node) -> Mapping[str, Sequence[str]]:
    """Return the readings that some block is written for, by their keys."""
    found: dict[str, list[str]] = {}
    for block in list_blocks(data):
        for key, value in _list_readings(block, "where").items():
            found.setdefault(key, []).append(value.text)
    return found


def list_blocks(data: Node) -> Iterator[Node]:
    """Yield every block of every page, those inside others as well."""
    for page in data.fields["pages"].items:
        yield from _walk(page.fields["blocks"])


def _walk(blocks: Node) -> Iterator[Node]:
    for block in blocks.items:
        yield block
        if (inside := block.get("tinted")) is not None:
            yield from _walk(inside)
        for cell in cells.items if (cells := block.get("row")) is not None else ():
            yield from _walk(cell)


def stands(block: Node, choice: Choice, *, agreed: bool = False) -> bool:
    """Say whether a block is in the book of this edition with these readings, or of a table that agreed on them."""
    chosen = {key: str(value) for key, value in choice.readings}
    chosen |= {_EDITION: choice.edition, _AGREED: "yes" if agreed else "no"}
    where, unless = _list_readings(block, "where"), _list_readings(block, "unless")
    excluded = unless and all(chosen.get(key) == value.text for key, value in unless.items())
    return not excluded and all(chosen.get(key) == value.text for key, value in where.items())


def list_rows(table: Node, choice: Choice) -> Iterator[Node]:
    """Yield the cells of each row of a table that is in the book; a row is a list, or `cells` with a condition."""
    for row in table.fields["rows"].items:
        if isinstance(row.value, tuple):
            yield row
        elif stands(row, choice):
            yield row.fields["cells"]


def _list_readings(block: Node, name: str) -> Mapping[str, Node]:
    """Return the readings that a condition of a block names."""
    found = block.get(name)
    return {} if found is None else found.fields


def list_told(data: Node, choice: Choice) -> frozenset[str]:
    """Return the clauses that the texts tell under these readings, by their ids without the game."""
    named = (block.get("tells") for block in list_blocks(data) if stands(block, choice))
    return frozenset(item.text for tells in named if tells is not None for item in tells.items)


def list_untold(data: Node, clauses: Mapping[str, Node], choice: Choice) -> Mapping[str, str]:
    """Return the testable clauses that no text tells, each with the reason that the file lists, or an empty one."""
    told = list_told(data, choice)
    reasons = data.get("untold")
    why = {} if reasons is None else {key: item.text for key, item in reasons.fields.items()}
    parts = {id_.partition(".")[2]: clause for id_, clause in clauses.items()}
    lacking = (id_ for id_, clause in parts.items() if clause.string("testable") != _ADVISORY and id_ not in told)
    return {id_: why.get(id_, "") for id_ in lacking}


# The sample deal ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToldActs:
    """The acts of one moment of the sample before a card is played, and the remark on them."""

    acts: tuple[tuple[int, Mapping[str, Json]], ...]
    remark: Node


@dataclass(frozen=True, slots=True)
class ToldTrick:
    """A trick of the sample as the interpreter played it, and the remark beside it."""

    number: int
    cards: tuple[tuple[int, str], ...]
    winner: int
    #: What each side had in all before and after.
    before: tuple[int, ...]
    after: tuple[int, ...]
    #: What each player held before it, and how many tricks each has won with it.
    held: tuple[tuple[str, ...], ...]
    won: tuple[int, ...]
    remark: Node


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample deal as it went: the hands, the acts before play, the tricks, the accounts before and after."""

    hands: Mapping[int, Sequence[str]]
    turnup: str
    opening: tuple[ToldActs, ...]
    tricks: tuple[ToldTrick, ...]
    before: tuple[int, ...]
    #: The card points that each side took.
    points: tuple[int, ...]
    written: tuple[int, ...]
    #: Lists of figures of the score when the deal is written down, by their names.
    figures: Mapping[str, tuple[int, ...]]
    #: How many cards are still in hands after the last trick.
    left: int


def play_sample(data: Node, choice: Choice, accounts: str) -> Sample:
    """Play the sample deal; raise `Impossible` where the rules refuse something in it."""
    seated = seat_players(data, choice)
    player = Machine(rules(seated))
    node = data.fields["sample"]
    start = dict(_plain(node.fields["start"]))
    state = begin(player, start)
    first = _figures(player, state, accounts)
    opening: list[ToldActs] = []
    said = node.get("opening")
    moments = (item for item in (() if said is None else said.items) if stands(item, seated))
    for number, item in enumerate(moments, 1):
        acts = tuple(_list_acts(item.fields["acts"], seated))
        for seat, act in acts:
            state = _act(player, state, seat, act, f"moment {number} of the opening")
        opening.append(ToldActs(acts, item.fields["remark"]))
    tricks: list[ToldTrick] = []
    for number, item in enumerate(node.fields["tricks"].items, 1):
        lead, _, cards = item.string("play").partition(": ")
        laid = tuple(((int(lead) + turn) % player.game.seats, card) for turn, card in enumerate(cards.split()))
        before, held = _figures(player, state, accounts), _list_held(player, state)
        for seat, card in laid:
            state = _act(player, state, seat, {"play": card}, f"trick {number}")
        after = _figures(player, state, accounts)
        winner = take(player, state, {"winner": True})[0]["winner"]
        won = tuple(earlier.winner for earlier in tricks).count
        tally = tuple(won(seat) + (seat == winner) for seat in range(player.game.seats))
        tricks.append(ToldTrick(number, laid, winner, before, after, held, tally, item.fields["remark"]))
        for seat, act in _list_acts(item.get("then"), seated):
            state = _act(player, state, seat, act, f"trick {number}")
    points, left = _figures(player, state, "points"), sum(map(len, _list_held(player, state)))
    state = _settle(player, state)
    figures = {name: _figures(player, state, name) for name in player.score(state)}
    turnup = start.get("turnup")
    written = _figures(player, state, accounts)
    return Sample(
        hands_of(start), str(turnup or ""), tuple(opening), tuple(tricks), first, points, written, figures, left
    )


def _list_acts(node: Node | None, choice: Choice) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """Yield the acts of the file that these readings know, each with its seat."""
    for item in (item for item in (() if node is None else node.items) if stands(item, choice)):
        yield int(item.string("by")), dict(_plain(item.fields["act"]))


def _list_held(player: Machine, state: State) -> tuple[tuple[str, ...], ...]:
    """Return what each player holds."""
    return tuple(tuple(words_in(player.view(state, seat).get("hand"))) for seat in range(player.game.seats))


def _settle(player: Machine, state: State) -> State:
    """Return how things stand when the deal is written down."""
    after = (player.act(state, seat, {"next": True}) for seat in range(player.game.seats))
    return next((one for one in after if not isinstance(one, Refusal)), state)


def _act(player: Machine, state: State, seat: int, act: Mapping[str, Json], where: str) -> State:
    after = player.act(state, seat, act)
    if isinstance(after, Refusal):
        raise Impossible(f"the sample deal of {player.game.id}, {where}: seat {seat} may not {act} ({after.code})")
    return after


def _figures(player: Machine, state: State, name: str) -> tuple[int, ...]:
    found = player.score(state).get(name)
    return tuple(one for one in found if isinstance(one, int)) if isinstance(found, list) else ()


def _plain(node: Node) -> Mapping[str, Json]:
    """Return a mapping of a file as plain values."""
    return {key: _value(item) for key, item in node.fields.items()}


def _value(node: Node) -> Json:
    if isinstance(node.value, dict):
        return {key: _value(item) for key, item in node.value.items()}
    if isinstance(node.value, tuple):
        return [_value(item) for item in node.value]
    return node.value
