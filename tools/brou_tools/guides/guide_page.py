"""The guide of a game for authors of adapters as a page: the same nodes for the site and for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from brou import Json, Words
from brou_conformance.protocol import Data
from brou_tools.documents.nodes import make_list, paragraph, section, strong, table, text
from brou_tools.guides.facts import ActFacts, Given, Item, Key, Moves, Seen, Variant
from brou_tools.guides.guide import PHASE, Guide, name_rules
from brou_tools.guides.moments import GuideExample

#: Of a view in the middle of other steps these keys are shown.
_GLANCE = (PHASE, "dealer", "turn", "leader", "accounts")


def page(guide: Guide) -> Iterator[nodes.section]:
    """Yield the sections of a guide."""
    yield section("names", "Names", *_names(guide))
    yield section("seats", "Seats and teams", *_seats(guide))
    yield section("cards", "Cards", *_cards(guide))
    yield section("values", "Values", *_values(guide))
    yield section("start", "The start of a script", *_start(guide))
    yield section("course", "Phases, and the end of a deal", *_course(guide))
    yield section("acts", "Acts", *_acts(guide))
    yield section("view", "Keys of a view", *_keys(guide.views, guide.seen))
    yield section("score", "Keys of a score", *_keys(guide.scores, guide.scored, guide.words))
    yield section("refusals", "Refusals", *_refusals(guide))
    yield section("readings", "Readings", *_readings(guide))
    yield section("trick", "A first trick, as it goes over the wire", *_trick(guide))


# Table ---------------------------------------------------------------------------


def _names(guide: Guide) -> Iterator[nodes.Node]:
    yield paragraph(
        "A request names the rules by ",
        code("game"), ", ", code("edition"), " and ", code("setup"),
        "; the reply to ", code("hello"), " names those that a program plays. ", code("game"), " is ",
        code(json.dumps(guide.game)), ".",
    )  # fmt: skip
    editions: dict[str, list[str]] = {}
    for choice in guide.choices:
        editions.setdefault(choice.edition, []).append(choice.setup)
    rows = [[_codes([edition]), _codes(setups)] for edition, setups in editions.items()]
    yield table(["edition", "setup"], rows, [1, 3])
    yield paragraph("Where editions or set-ups differ on this page, they are named as ", code("EDITION:SETUP"), ".")
    yield paragraph(
        "Names of acts, keys and values have hyphens. The columns ",
        "“how it is found” and “to whom” are expressions of the rules, in which names have underscores; ",
        code(f"brou export {guide.game}"), " has them typed, and ", code("brou show CLAUSE"), " tells a clause. ",
        code(f"brou rulebook {guide.game}"), " makes a book of the rules.",
    )  # fmt: skip


def _seats(guide: Guide) -> Iterator[nodes.Node]:
    rows = []
    for variant in guide.seats:
        one = variant.item
        alone = all(len(team) == 1 for team in one.teams)
        teams = "everybody alone" if alone else "; ".join(" and ".join(map(str, team)) for team in one.teams)
        numbers = ", ".join(f"{number}" for number in range(len(one.teams)))
        rows.append([_where(variant, guide), str(one.seats), teams, numbers])
    yield table(["rules", "seats", "who play together", "numbers of the teams"], rows, [4, 1, 4, 3])
    yield paragraph(
        "Seats are numbered from 0; seat s+1 sits at the right of seat s, and seat 0 at the right of the last. Lists "
        "with one value for each seat, or for each team, are in the order of these numbers."
    )


def _cards(guide: Guide) -> Iterator[nodes.Node]:
    for variant in guide.packs:
        pack = variant.item
        yield from _only(variant)
        rows: list[list[nodes.Node | str]] = [
            [what, _codes([f"{one} {name}" for one, name in named])]
            for what, named in (("ranks", pack.ranks), ("suits", pack.suits))
        ]
        yield table(["", "letter and name"], rows, [1, 6])
        yield paragraph(f"A card is its rank and then its suit. The {len(pack.cards)} cards in the order of the pack:")
        yield block([" ".join(pack.cards)])
    yield paragraph(
        "Where a view or a score lists cards “in the order of the pack”, it lists them in this one; such lists are "
        "compared as they stand. In answers to ",
        code("legal"), " the order does not matter.",
    )  # fmt: skip


def _values(guide: Guide) -> Iterator[nodes.Node]:
    yield paragraph(
        "On this page a form such as ", code("seat | null"), " names what is there: ", code("card"), " and ",
        code("seat"), " are as above, ", code("team"), " is the number of a team, and these are words:",
    )  # fmt: skip
    rows: list[list[nodes.Node | str]] = []
    for variant in guide.values:
        name, values = variant.item
        rows.append([_show_name(name, variant), _codes([json.dumps(one) for one in values])])
    yield table(["form", "values"], rows, [1, 4])


def _start(guide: Guide) -> Iterator[nodes.Node]:
    rows: list[list[nodes.Node | str]] = [
        [_show_name(variant.item.key, variant), variant.item.form, variant.item.about] for variant in guide.starts
    ]
    yield table(["key", "form", "what it is"], rows, [2, 5, 4])
    given = f"A start of the corpus with {len(guide.start)} keys:"
    yield paragraph(given)
    yield block([_line(guide.start)])
    yield paragraph(
        "Where the pack goes in such a deal, from its first card on; dealer+1 is the seat after the dealer:"
    )
    dealt: list[list[nodes.Node | str]] = [
        [", ".join(variant.where), "; ".join(f"{who}: {count}" for who, count in variant.item)]
        for variant in guide.dealt
    ]
    yield table(["rules", "cards"], dealt, [2, 5])
    yield from _dealing(guide)
    yield paragraph(
        "Without ", code("start"), " a script begins with the match, in the first phase below. With keys that stand "
        "before the deal and no cards it begins before the deal. Else it begins after the deal; what would follow "
        "at once (an auction, a card turned) is still to come.",
    )  # fmt: skip


def _dealing(guide: Guide) -> Iterator[nodes.Node]:
    example = guide.dealing
    if example is None:
        return
    start = next(number for number, (step, _) in enumerate(example.exchanges) if "view" in step) - 2
    yield paragraph(
        f"In play the pack is dealt by an act. From {example.case.partition('#')[0]}, what is done to the pack before "
        "it, and the hands that come of it (of the views nothing else is shown):"
    )
    yield block(_exchanges(example, start, ("hand",)))


# Course --------------------------------------------------------------------------


def _show_leads(phase: Moves) -> nodes.Node | str:
    """Return the phases that one leads to, each that needs a reading with that reading."""
    if phase.final:
        return "nothing: the match is over"
    found = _codes(phase.leads)
    for led, reading in phase.detours:
        found += paragraph(", " if found.children else "", code(led), " (only with ", code(reading), ")").children
    return found


def _course(guide: Guide) -> Iterator[nodes.Node]:
    rows: list[list[nodes.Node | str]] = []
    for variant in guide.phases:
        one = variant.item
        rows.append([_show_name(one.phase, variant), one.label, _codes(one.acts), _show_leads(one)])
    yield paragraph("A view tells the phase. In each there are these acts, and after them it is one of these phases:")
    yield table(["phase", "", "acts", "leads to"], rows, [2, 3, 3, 5])
    for head, found in (("The end of a deal.", guide.ending), ("The end of a match.", guide.over)):
        if found is None:
            continue
        example, start = found
        yield paragraph(
            strong(head),
            f" From the scenario {example.case.partition('#')[0]}, the last {_count(example, start)} acts. ",
            "After each act every seat is asked what it may do; of the view ",
            text("only the keys on the course of play are shown, where they are there."),
        )
        yield block(_exchanges(example, start))
        if head.endswith("deal."):
            yield paragraph(
                "So a deal ends in steps: going on is an act of its own, and only after it the next deal, or the end "
                "of the match, has come. A program that goes on by itself skips a phase."
            )


def _count(example: GuideExample, start: int) -> str:
    return str(sum("act" in step for step, _ in example.exchanges[start:]))


def _exchanges(example: GuideExample, start: int, keys: Sequence[str] = _GLANCE) -> Iterator[str]:
    """Yield the lines of an example from a step on, of views some keys alone."""
    for step, result in example.exchanges[start:]:
        if "view" in step:
            seen = {key: value for key, value in result["view"].items() if key in keys}
            yield from _exchange(step, {"view": seen})
        else:
            yield from _exchange(step, result)


# Acts ----------------------------------------------------------------------------


def _acts(guide: Guide) -> Iterator[nodes.Node]:
    yield paragraph("Each with an example that the interpreter takes: what its seat may do, then the act.")
    for name, variants in guide.acts.items():
        yield section(f"act-{name}", name, *_act(guide, name, variants))


def _act(guide: Guide, name: str, variants: Sequence[Variant[ActFacts]]) -> Iterator[nodes.Node]:
    for variant in variants:
        one = variant.item
        yield from _only(variant)
        yield paragraph(
            "Form: ", code(one.form), f". In words: {one.said}. Rests on ", code(one.clause), f": {one.text}"
        )
        if one.given:
            rows: list[list[nodes.Node | str]] = [
                [paragraph(code(given.name)), given.form, paragraph(code(given.among)), _choices(given)]
                for given in one.given
            ]
            yield table(["parameter", "form", "how it is found", "in `legal`"], rows, [2, 5, 4, 3])
        yield paragraph("Open in ", *_list_names(one.phases), ", to whom: ", code(one.by), "; others get ", code(
            one.otherwise), ".")  # fmt: skip
        if one.bars:
            yield paragraph("Refused also by:")
            yield make_list([paragraph(code(bar.code), f" {bar.clause}: {bar.text}")] for bar in one.bars)
    example = guide.example(name)
    if example is None:
        yield paragraph("No scenario does this under these rules.")
        return
    yield paragraph("Example: ", code(f"brou explain {example.case}"))
    yield block(line for step, result in example.exchanges[-2:] for line in _exchange(step, result))


def _choices(given: Given) -> str:
    """Return how `legal` tells the values of a parameter."""
    return "described, not listed" if given.described else "listed"


# Keys ----------------------------------------------------------------------------


def _keys(
    variants: Sequence[Variant[Key]], seen: Mapping[str, Seen], words: Words | None = None
) -> Iterator[nodes.Node]:
    """Yield the keys; with words also the texts of the clauses that they rest on."""
    yield paragraph(
        "A key that is absent is unknown. In the examples a value is printed as the interpreter answers it; the "
        "step is that after which it was asked."
    )
    shown: set[str] = set()
    for variant in variants:
        one = variant.item
        facts = [f"{one.label}. "] if one.label != one.name else []
        lines: list[list[nodes.Node]] = [[paragraph(text("Form: "), code(one.form))]]
        lines += [[paragraph(code(term))] for term in one.terms]
        lines += [[paragraph(text("Shows "), code(one.meant))]] if one.meant else []
        if one.name not in shown and one.name in seen:
            value = seen[one.name]
            lines.append([paragraph(text("Example: "), code(_line(value.value)), text(f" ({value.case})"))])
        shown.add(one.name)
        must = "A seat has to be shown it. " if one.level == "must" else ""
        said = f": {words.clause(one.clause)}" if words else "."
        cited: list[nodes.Node | str] = ["Rests on ", code(one.clause), said] if one.clause else []
        limits = [f"(only {', '.join(variant.where)}) "] if variant.where else []
        yield paragraph(strong(f"{one.name}: "), *limits, *facts, must, *cited)
        yield make_list(lines)


# Refusals ------------------------------------------------------------------------


def _refusals(guide: Guide) -> Iterator[nodes.Node]:
    yield paragraph("For each code an act that is refused with it, and the clause that it rests on.")
    for one in guide.refusals:
        yield paragraph(strong(f"{one.code}: "), f"{one.text} ", code(one.clause) if one.clause else "")
        step, result = one.example.exchanges[-1]
        yield block([*_exchange(step, result), f"brou explain {one.example.case}"])
    if guide.unshown:
        yield paragraph(
            "These rules can also answer ", *_list_names(guide.unshown), ", of which no scenario has an example."
        )


# Readings ------------------------------------------------------------------------


def _readings(guide: Guide) -> Iterator[nodes.Node]:
    if not guide.readings:
        yield paragraph("Nothing is open in these rules: there is no reading to declare.")
        return
    yield paragraph(
        "What a program may declare in ", code("hello"), ": for each key the value that it follows. What it does not "
        "declare is inferred from its answers."
    )  # fmt: skip
    for one in guide.readings:
        yield paragraph(strong(f"{one.key}: "), f"{one.question} ", code(one.id))
        follow = ", ".join(f"{edition}: {value}" for edition, value in one.defaults.items())
        bounds = [] if one.bounds is None else [[paragraph("A number from {} to {}.".format(*one.bounds))]]
        values = [[paragraph(code(value), f" {argument}")] for value, argument in one.values]
        yield make_list([*bounds, *values, [paragraph(f"The editions follow {follow}.")]])


# Transcript ----------------------------------------------------------------------


def _trick(guide: Guide) -> Iterator[nodes.Node]:
    example = guide.trick
    if example is None:
        yield paragraph("No scenario of the corpus plays a first trick to its end.")
        return
    yield paragraph(
        f"The request and the reply are one line each. The script begins as that of {example.case.partition('#')[0]}."
    )
    yield block([f"> {_line(example.request)}", f"< {_line(example.reply)}"])
    yield paragraph("The same step by step:")
    yield block(line for step, result in example.exchanges for line in _exchange(step, result))


# Nodes ---------------------------------------------------------------------------


def code(words: str) -> nodes.literal:
    """Return words as code."""
    return nodes.literal(text=words)


def block(lines: Iterable[str]) -> nodes.literal_block:
    """Return lines that stand as they are."""
    words = "\n".join(lines)
    return nodes.literal_block(words, words, language="none")


def _exchange(step: Mapping[str, Json], result: Mapping[str, Json]) -> Iterator[str]:
    yield f"> {_line(step)}"
    yield f"< {_line(result)}"


def _line(value: Data) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list_names(words: Sequence[str]) -> list[nodes.Node]:
    """Return names as code, commas between them."""
    found: list[nodes.Node] = []
    for word in words:
        found += [text(", ")] if found else []
        found.append(code(word))
    return found


def _codes(words: Sequence[str]) -> nodes.paragraph:
    return paragraph(*_list_names(words))


def _show_name(name: str, variant: Variant[Item]) -> nodes.paragraph:
    """Return a name, with the rules that have it where others have not."""
    where = f" (only {', '.join(variant.where)})" if variant.where else ""
    return paragraph(code(name), where)


def _where(variant: Variant[Item], guide: Guide) -> str:
    return ", ".join(variant.where or map(name_rules, guide.choices))


def _only(variant: Variant[Item]) -> Iterator[nodes.Node]:
    """Yield for which rules the following holds, where it does not for all."""
    if variant.where:
        yield paragraph(strong(f"In {', '.join(variant.where)}:"))
