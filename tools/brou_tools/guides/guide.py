"""The guide of a game for the author of an adapter, gathered from its rules and shown by its scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from brou import (
    HANDS,
    ORIGINAL,
    STOCK,
    TURNUP,
    Action,
    Choice,
    Expression,
    Game,
    Json,
    Parameter,
    Project,
    Refusal,
    Show,
    Words,
    book,
    choose_text,
    keep_until_changed,
    outside,
    rules,
    spread,
)
from brou.games import rules_of_play, vary_one_reading
from brou.language import unparse_expression
from brou.language.tree import And, Call, is_true
from brou.language.types import Orders
from brou_conformance.programs.engine import ReferenceEngine
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_tools.guides.course import behind, dealt, find_leads
from brou_tools.guides.facts import (
    ActFacts,
    Bar,
    Given,
    Item,
    Key,
    Moves,
    Pack,
    ReadingFacts,
    Refused,
    SeatFacts,
    Seen,
    StartKey,
    Variant,
)
from brou_tools.guides.forms import find_expression, form, grounds, members, terms, wire
from brou_tools.guides.moments import GuideExample, GuideMoment, ask, moments
from brou_tools.questions.register import RegisterEntry, entries

#: The view key that the interpreter adds to those of the rules.
PHASE = "phase"
#: Codes that need no rule: an act that nobody knows or that is not open, a card that the pack does not have.
_ALWAYS = ("not_available", "window_closed", "not_your_turn", "no_such_card")
#: The code of a condition that failed and has no code of its own.
_ELSE = "condition_not_met"
#: The variable in which a rules file keeps who took the last trick.
_TAKER = "last"


class Guide:
    """Gathers the facts of one game for its adapters."""

    def __init__(self, game: str, project: Project, choices: Sequence[Choice] = ()) -> None:
        self.game, self.project = game, project
        self.choices = tuple(choices) or spread(game, project)
        self._names = {str(choice) for choice in self.choices}
        self._engine = ReferenceEngine(spread(game, project))
        self.words = Words(rules(self.choices[0]), ORIGINAL, self.choices[0].project)

    @property
    def title(self) -> str:
        """Return the name of the game."""
        return choose_text(book(self.game, self.project).rules.fields["title"], ORIGINAL)

    @cached_property
    def moments(self) -> tuple[GuideMoment, ...]:
        """Return the moments of the corpus under the rules that the guide is for."""
        return tuple(one for one in moments(self.game, self.project) if str(one.choice) in self._names)

    def _collect_variants(self, found: Callable[[Game], Iterable[Item]]) -> list[Variant[Item]]:
        """Return the items of all rule bases, each with those that have it."""
        having: dict[Item, list[str]] = {}
        for choice in self.choices:
            for item in found(rules(choice)):
                having.setdefault(item, []).append(name_rules(choice))
        every = len(self.choices)
        return [Variant(item, () if len(names) == every else tuple(names)) for item, names in having.items()]

    def _text(self, clause: str) -> str:
        return self.words.clause(clause) if clause else ""

    # Table ----------------------------------------------------------------------

    @cached_property
    def seats(self) -> list[Variant[SeatFacts]]:
        """Return seats and teams."""
        return self._collect_variants(lambda game: [SeatFacts(game.seats, game.teams)])

    @cached_property
    def packs(self) -> list[Variant[Pack]]:
        """Return the cards."""

        def pack(game: Game) -> list[Pack]:
            words = self.words.glossary.of_pack(game.deck.suits, game.deck.ranks)
            ranks = tuple((rank, words.rank(rank, ORIGINAL)) for rank in game.deck.ranks)
            suits = tuple((suit, words.suit(suit, ORIGINAL)) for suit in game.deck.suits)
            return [Pack(ranks, suits, tuple(face for face in game.deck.faces for _ in range(game.deck.copies)))]

        return self._collect_variants(pack)

    @cached_property
    def values(self) -> list[Variant[tuple[str, tuple[str, ...]]]]:
        """Return the types that have names, with their values."""
        return self._collect_variants(members)

    @cached_property
    def starts(self) -> list[Variant[StartKey]]:
        """Return the keys that a start may have."""
        return self._collect_variants(self._start_keys)

    def _start_keys(self, game: Game) -> Iterator[StartKey]:
        for name, variable in game.start.given.items():
            yield StartKey(name, wire(game.state[variable].type), "set before the deal")
        used = {key for one in self.moments for key in one.script.start if one.machine.game.id == game.id}
        yield StartKey(HANDS, '{"seat": [card, ...]}', "what each seat is dealt")
        if TURNUP in used:
            yield StartKey(TURNUP, "card", "the card that this deal turns up")
        if STOCK in used:
            yield StartKey(STOCK, "[card, ...] from the top on", "what is dealt to nobody")
        for parameter in game.actions[game.start.deal].parameters:
            values = wire(parameter.type)
            about = "the pack, the first card dealt first" if _is_pack(parameter) else "as the act that deals"
            yield StartKey(outside(parameter.id), values, about)

    @cached_property
    def start(self) -> Message:
        """Return a start of the corpus that has as many keys as any."""
        starts = [one for one in self.moments if HANDS in one.script.start]
        own = [one for one in starts if one.choice == self.choices[0]] or starts
        fullest = max(own, key=lambda one: len(one.script.start), default=None)
        return {} if fullest is None else dict(fullest.script.start)

    @cached_property
    def dealt(self) -> list[Variant[tuple[tuple[str, int], ...]]]:
        """Return where the pack is dealt, from the first card on: to whom, and how many cards."""
        having: dict[tuple[tuple[str, int], ...], list[str]] = {}
        for choice in self.choices:
            found = next((one for one in self.moments if one.choice == choice and HANDS in one.script.start), None)
            if found is not None:
                having.setdefault(dealt(found.machine, found.script.start), []).append(name_rules(choice))
        return [Variant(runs, tuple(names)) for runs, names in having.items()]

    @cached_property
    def dealing(self) -> GuideExample | None:
        """Return a script that acts on the pack before the deal, and asks for all hands at its end."""
        found = [
            one
            for one in self.moments
            if one.machine.game.start.deal == one.act.replace("-", "_")
            and "ok" in one.result
            and any(self._before_deal(one, act) for act in one.acts[-1:])
        ]
        if not found:
            return None
        one = min(found, key=lambda one: (bool(one.script.scenario.premise), one.number))
        views = [{"view": seat} for seat in range(one.machine.game.seats)]
        return ask(one, [*one.acts, dict(one.step.message), *views], self._engine)

    @staticmethod
    def _before_deal(one: GuideMoment, act: Message) -> bool:
        """Say whether an act belongs to the phase in which the pack is dealt, and is another than dealing."""
        game = one.machine.game
        return bool({name.replace("-", "_") for name in act["act"]} & set(game.phases[one.before.phase].actions))

    # Course ---------------------------------------------------------------------

    @cached_property
    def phases(self) -> list[Variant[Moves]]:
        """Return the phases in which somebody decides, and the last one."""
        return self._collect_variants(self._phases)

    def _phases(self, game: Game) -> Iterator[Moves]:
        own = find_leads(game)
        for phase in game.phases.values():
            if not phase.do:
                yield Moves(
                    outside(phase.id),
                    self.words.name("phases", phase.id),
                    tuple(map(outside, phase.actions)),
                    tuple(sorted(outside(led) for start, led in own if start == phase.id)),
                    tuple(
                        sorted((outside(led), reading) for start, led, reading in self._detours if start == phase.id)
                    ),
                    phase.final,
                )

    @cached_property
    def _detours(self) -> set[tuple[str, str, str]]:
        """Return what leads from one phase to another under a single other reading alone, with that reading."""
        own = {lead for choice in self.choices for lead in find_leads(rules(choice))}
        return {
            (*lead, reading)
            for choice in self.choices
            for reading, other in vary_one_reading(choice)
            for lead in find_leads(rules_of_play(other)) - own
        }

    def _closes(self, moment: GuideMoment) -> bool:
        """Say whether a moment ends a deal: an accepted act from within it leads to the next deal or the end."""
        game = moment.machine.game
        start = game.start.phase
        led = moment.before.phase != moment.after.phase and moment.before.phase in behind(game, start)
        ended = moment.after.phase == start or game.phases[moment.after.phase].final
        return moment.act != "" and led and ended

    @cached_property
    def ending(self) -> tuple[GuideExample, int] | None:
        """Return the shortest script of the corpus that ends a deal and goes on, and the place of its last play.

        Around its last acts it asks for everybody's legal acts, and the score.
        """
        found = [one for one in self.moments if self._closes(one) and one.after.phase == one.machine.game.start.phase]
        return self._ask_closing(found)

    @cached_property
    def over(self) -> tuple[GuideExample, int] | None:
        """Return the same for the end of a match."""
        found = [one for one in self.moments if self._closes(one) and one.machine.game.phases[one.after.phase].final]
        return self._ask_closing(found)

    @staticmethod
    def _follows_play(one: GuideMoment) -> bool:
        """Say whether the last act of another name before a moment was a card played."""
        others = [act for step in one.acts if one.act not in (act := step["act"])]
        return bool(others) and PLAY in others[-1]

    def _ask_closing(self, found: Sequence[GuideMoment]) -> tuple[GuideExample, int] | None:
        if not found:
            return None
        last = min(found, key=lambda one: (not self._follows_play(one), bool(one.script.scenario.premise), one.number))
        before = last.acts
        closing = list(reversed([*before, dict(last.step.message)]))
        tail = next((n for n, step in enumerate(closing) if last.act not in step["act"]), len(closing) - 1) + 1
        acts = list(reversed(closing))
        seats = last.machine.game.seats
        steps: list[Message] = acts[:-tail]
        for act in acts[-tail:]:
            steps += [act, *({"legal": seat} for seat in range(seats)), {"view": 0}, {"score": True}]
        return ask(last, steps, self._engine), len(acts) - tail

    # Acts -----------------------------------------------------------------------

    @cached_property
    def acts(self) -> dict[str, list[Variant[ActFacts]]]:
        """Return the acts by name."""
        found: dict[str, list[Variant[ActFacts]]] = {}
        for variant in self._collect_variants(self._acts):
            found.setdefault(variant.item.name, []).append(variant)
        return found

    def _acts(self, game: Game) -> Iterator[ActFacts]:
        for action in game.actions.values():
            given = tuple(
                Given(outside(one.id), wire(one.type), unparse_expression(one.domain), one.described)
                for one in action.parameters
            )
            phases = (outside(phase.id) for phase in game.phases.values() if action.id in phase.actions)
            yield ActFacts(
                name=outside(action.id),
                said=self.words.doing(action.id),
                form=_act_form(action, given),
                given=given,
                phases=tuple(phases),
                by=unparse_expression(action.by),
                otherwise=action.by_code or "not_your_turn",
                clause=action.clause,
                text=self._text(action.clause),
                bars=tuple(dict.fromkeys(self._bars(action, action.legal, game))),
            )

    def _bars(self, action: Action, legal: Expression, game: Game) -> Iterator[Bar]:
        """Yield the reasons to refuse an act beside the phase, the seat and the values of its parameters."""
        if isinstance(legal, And):
            for part in legal.conditions:
                yield from self._bars(action, part, game)
        elif isinstance(legal, Call) and legal.name in game.tables:
            for row in game.tables[legal.name].rows:
                if not is_true(row.then):
                    yield Bar(row.code or game.codes.get(row.clause, _ELSE), row.clause, self._text(row.clause))
        elif not is_true(legal):
            clause = game.functions[legal.name].clause if isinstance(legal, Call) else action.clause
            yield Bar(action.code or game.codes.get(clause, _ELSE), clause, self._text(clause))

    def example(self, act: str) -> GuideExample | None:
        """Return a moment of the corpus at which an act is accepted, after a question for the seat's legal acts."""
        found = [one for one in self.moments if one.act == act and "ok" in one.result]
        if not found:
            return None
        one = min(found, key=lambda one: (bool(one.script.scenario.premise), len(one.acts), one.number))
        message = dict(one.step.message)
        return ask(one, [*one.acts, {"legal": message["by"]}, message], self._engine)

    # Keys -----------------------------------------------------------------------

    @cached_property
    def views(self) -> list[Variant[Key]]:
        """Return the keys of views, the phase first."""
        return self._collect_variants(lambda game: [self._phase(game), *self._keys(game.view, game)])

    @cached_property
    def scores(self) -> list[Variant[Key]]:
        """Return the keys of scores."""
        return self._collect_variants(lambda game: self._keys(game.score, game))

    def _phase(self, game: Game) -> Key:
        values = (f'"{outside(phase.id)}"' for phase in game.phases.values() if not phase.do)
        return Key(PHASE, self.words.name("fields", PHASE), " | ".join(values), (), "", "may", "")

    def _keys(self, shown: Iterable[Show], game: Game) -> Iterator[Key]:
        for one in shown:
            label = self.words.name("fields", one.id)
            level = one.level if one.inner is not None else "may"
            yield Key(
                one.id,
                label,
                form(one),
                tuple(terms(one)),
                find_expression(one),
                level,
                one.clause or grounds(one, game),
            )

    @cached_property
    def seen(self) -> Mapping[str, Seen]:
        """Return for each key of views a telling value."""
        return self._find_values({variant.item.name for variant in self.views}, self._views)

    @cached_property
    def scored(self) -> Mapping[str, Seen]:
        """Return for each key of scores a telling value."""
        return self._find_values({variant.item.name for variant in self.scores}, self._scores)

    @staticmethod
    def _views(moment: GuideMoment) -> Message:
        seat = moment.step.message.get("view", moment.step.message.get("by", 0))
        return moment.machine.view(moment.after, seat) if isinstance(seat, int) else {}

    @staticmethod
    def _scores(moment: GuideMoment) -> Message:
        return moment.machine.score(moment.after)

    def _find_values(self, names: set[str], ask_: Callable[[GuideMoment], Message]) -> dict[str, Seen]:
        """Return for each name the first value that is more than nothing, else the first at all."""
        told: dict[str, Seen] = {}
        waiting = set(names)
        questions = [one for one in self.moments if one.step.verb in ("view", "score")]
        for moment in (*questions, *(one for one in self.moments if one.act and "ok" in one.result)):
            shown = ask_(moment)
            for name in [name for name in waiting if name in shown]:
                seat = moment.step.message.get("view", moment.step.message.get("by", 0))
                case = f"{moment.case}, seat {seat}" if ask_ == self._views else moment.case
                if _tells(shown[name]):
                    told[name] = Seen(shown[name], case)
                    waiting.remove(name)
                else:
                    told.setdefault(name, Seen(shown[name], case))
            if not waiting:
                break
        return told

    # Refusals -------------------------------------------------------------------

    @cached_property
    def refusals(self) -> tuple[Refused, ...]:
        """Return for each code that the corpus has an act that is refused with it, the plainest."""
        found: dict[str, GuideMoment] = {}
        for one in self.moments:
            code = one.result.get("no")
            if isinstance(code, str) and (code not in found or _plainer(one, found[code], code)):
                found[code] = one
        return tuple(self._describe_refusal(code, one) for code, one in sorted(found.items()))

    def _describe_refusal(self, code: str, one: GuideMoment) -> Refused:
        refusal = one.machine.act(one.before, *one.step.deed)
        clause = refusal.clause if isinstance(refusal, Refusal) else ""
        example = ask(one, [*one.acts, dict(one.step.message)], self._engine)
        return Refused(code, clause, self._text(clause), example)

    @cached_property
    def unshown(self) -> tuple[str, ...]:
        """Return the codes that the rules can answer and no scenario shows."""
        possible = {*_ALWAYS}
        for choice in self.choices:
            for action in rules(choice).actions.values():
                possible |= {action.by_code, *(one.code for one in action.parameters)}
        possible |= {bar.code for variants in self.acts.values() for one in variants for bar in one.item.bars}
        return tuple(sorted(possible - {"", *(one.code for one in self.refusals)}))

    # Readings -------------------------------------------------------------------

    @cached_property
    def readings(self) -> tuple[ReadingFacts, ...]:
        """Return the readings that some of the editions leave open."""
        editions = {choice.edition for choice in self.choices}
        return tuple(
            self._choosing(entry.key, entry)
            for entry in entries(self.game, self.project)
            if entry.key and editions & set(entry.default)
        )

    def _choosing(self, key: str, entry: RegisterEntry) -> ReadingFacts:
        reading = book(self.game, self.project).readings[key]
        values = tuple((one.value, self.words.text(one.argument or {})) for one in entry.readings)
        bounds = None if reading.number is None else reading.number[:2]
        question = self.words.text(entry.question or {})
        return ReadingFacts(key, question, entry.id, bounds, values, entry.default)

    # Transcript -----------------------------------------------------------------

    @cached_property
    def trick(self) -> GuideExample | None:
        """Return the shortest script of the corpus from a deal to the end of a first trick, with its questions."""
        found = [one for one in self.moments if self._takes(one) and HANDS in one.script.start]
        if not found:
            return None
        one = min(found, key=lambda one: (bool(one.script.scenario.premise), one.number))
        steps: list[Message] = []
        for act in [*one.acts, dict(one.step.message)]:
            steps += [{"legal": act["by"]}, act] if PLAY in act["act"] else [act]
        taker = one.machine.get(one.after, _TAKER)
        return ask(one, [*steps, {"winner": True}, {"view": taker}, {"score": True}], self._engine)

    def _takes(self, one: GuideMoment) -> bool:
        """Say whether a moment ends the first trick of a deal."""
        if one.act != PLAY or _TAKER not in one.machine.game.state:
            return False
        before, after = (one.machine.get(one_state, _TAKER) for one_state in (one.before, one.after))
        return before is None and after is not None

    # All ------------------------------------------------------------------------

    @property
    def examples(self) -> Iterator[GuideExample]:
        """Yield every request that the guide shows a part of."""
        yield from (found for act in self.acts if (found := self.example(act)) is not None)
        yield from (one.example for one in self.refusals)
        yield from (found[0] for found in (self.ending, self.over) if found is not None)
        yield from (found for found in (self.dealing, self.trick) if found is not None)


@keep_until_changed(maxsize=16)
def guide(game: str, project: Project) -> Guide:
    """Return the guide of a game with all its editions and set-ups."""
    return Guide(game, project)


def _is_pack(parameter: Parameter) -> bool:
    """Say whether a parameter takes the order of the pack."""
    return isinstance(parameter.domain.type, Orders)


def name_rules(choice: Choice) -> str:
    """Return the name of a rule base on the page of its game."""
    return f"{choice.edition}:{choice.setup}"


def _act_form(action: Action, given: Sequence[Given]) -> str:
    """Return how an act looks on the wire."""
    name = outside(action.id)
    if not given:
        return f'{{"{name}": true}}'
    if len(given) == 1:
        return f'{{"{name}": {given[0].name}}}'
    inside = ", ".join(f'"{one.name}": {one.name}' for one in given)
    return f'{{"{name}": {{{inside}}}}}'


def _tells(value: Json) -> bool:
    """Say whether a value is more than an empty one."""
    if isinstance(value, list):
        return any(map(_tells, value))
    return value not in (None, 0, False, {})


def _plainer(one: GuideMoment, other: GuideMoment, code: str) -> bool:
    """Say whether a refusal shows its code better: its scenario names the code, in fewer acts, under no premise."""
    return _plainness(one, code) < _plainness(other, code)


def _plainness(one: GuideMoment, code: str) -> tuple[bool, bool, int]:
    expected = one.step.expected
    named = expected is not None and expected.value == code
    return (not named, bool(one.script.scenario.premise), one.number)
