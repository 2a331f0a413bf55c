"""Reviews: fingerprints of every text in all languages, and of the rules that carry it out.

A translation is made from the original text, and a scenario argues from it. When a text or its rules change, both are
suspect until somebody has read them again and has the fingerprints of `reviewed.yaml` written anew.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from brou.atomic import put
from brou.errors import Fault, Malformed, Place
from brou.games.catalogue import book, rules
from brou.games.data import has_chapters, read_section
from brou.games.folder import read_file, root
from brou.games.glossary_file import has_all_words
from brou.language.codec import Json
from brou.language.export import export_rules
from brou.language.node import Node
from brou.language.recent import Recent
from brou.language.schema import shape_faults
from brou.language.syntax import Game
from brou.words.glossary import ORIGINAL
from brou.words.provenance import fingerprint
from brou.words.text import is_text, texts

#: Fingerprints by language, and of the rules under `rules`.
Stamps: TypeAlias = "dict[str, str]"
Sections: TypeAlias = "dict[str, dict[str, Stamps]]"

SECTIONS = ("clauses", "ambiguities", "editions", "phrases")
RULES = "rules"
_DIGITS = 12

_AGAIN = "read it again in every language and with its rules, then run `brou check --reviewed`"
_PLAIN = re.compile(r"[a-z][a-z0-9_.-]*\Z")


def needs_review(game: str, folder: Path) -> bool:
    """Say whether a game needs texts in every language and a review: where its folder has words of its own."""
    return has_all_words(folder) and has_chapters(game, folder)


def review_faults(game: str, folder: Path) -> Iterator[Fault]:
    """Yield every text of a game that differs from the reviewed one, or whose rules do."""
    file = _file(game, folder)
    if not file.exists():
        if needs_review(game, folder):
            what = "no text of this game has been reviewed"
            yield Fault(Place(_name_file(game), 1, 1), what, _AGAIN, is_lagging=True)
        return
    before, now = read_review(game, folder), stamps(game, folder)
    nodes = _units(game, folder)
    for section in SECTIONS:
        for name, found in now[section].items():
            known = before[section].get(name, {})
            place = nodes[section][name].place
            for what, instead in _compare_stamps(name, known, found):
                yield Fault(place, what, instead, is_lagging=True)
        for name in before[section].keys() - now[section].keys():
            what, instead = f"{name} was reviewed and is gone", "run `brou check --reviewed`"
            yield Fault(Place(_name_file(game), 1, 1), what, instead, is_lagging=True)


def list_rewritten(game: str, folder: Path) -> frozenset[str]:
    """Return the clauses and open passages whose original text is not the one that was reviewed."""
    if not _file(game, folder).exists():
        return frozenset()
    before, now = read_review(game, folder), stamps(game, folder)
    return frozenset(
        name
        for section in ("clauses", "ambiguities")
        for name, found in now[section].items()
        if found.get(ORIGINAL) != before[section].get(name, {}).get(ORIGINAL)
    )


def write_reviews(game: str, folder: Path) -> list[str]:
    """Write down that the texts and rules of a game are reviewed in their present form; return the changed names."""
    file, now = _file(game, folder), stamps(game, folder)
    before = read_review(game, folder) if file.exists() else {section: {} for section in SECTIONS}
    lines = [
        "# Which texts and rules have been reviewed together; written by `brou check --reviewed`, never by hand.",
        "format: brou-reviewed/1",
        f"game: {game}",
    ]
    for section, members in now.items():
        if members:
            lines.append(f"{section}:")
        for name, found in members.items():
            written = ", ".join(f'{key}: "{print_}"' for key, print_ in found.items())
            lines.append(f"  {name if _PLAIN.match(name) else json.dumps(name)}: {{{written}}}")
    put(file, "\n".join(lines) + "\n")
    gone = [name for section in SECTIONS for name in before[section].keys() - now[section].keys()]
    new = [name for section in SECTIONS for name, found in now[section].items() if found != before[section].get(name)]
    return [*new, *sorted(gone)]


def read_review(game: str, folder: Path) -> Sections:
    """Return the fingerprints as they were written."""
    node = read_file(folder, _name_file(game))
    faults = list(shape_faults(node, root() / "schemas" / "reviewed.schema.json"))
    if faults:
        raise Malformed(faults)
    return {section: _read_stamps(node.get(section)) for section in SECTIONS}


#: The fingerprints taken lately.
_LATELY: Recent[Sections] = Recent(maxsize=16)


def stamps(game: str, folder: Path) -> Sections:
    """Return the fingerprints of all texts of a game as they stand; they are shared, and nobody may change them."""
    played, written = rules(game, folder), book(game, folder).rules
    said = [read_section(game, section, folder) for section in SECTIONS[:-1]]
    found = _LATELY.find("", played, written, *said)
    return found or _LATELY.keep(_stamps(game, folder, played), "", played, written, *said)


def _stamps(game: str, folder: Path, played: Game) -> Sections:
    made = export_rules(played)
    parts = (part for part in (made["functions"], made["tables"]) if isinstance(part, dict))
    conditions = {
        name: [_line(_own(item, str(item["clause"])))]
        for part in parts
        for name, item in part.items()
        if isinstance(item, dict)
    }
    units = _units(game, folder)
    for name, node in units[SECTIONS[-1]].items():
        conditions.setdefault(name, [_line(_wordless(node))])
    carried = {section: conditions if section == SECTIONS[-1] else _group_by_clause(made) for section in SECTIONS}
    return {
        section: {name: _stamp(node, carried[section].get(name, [])) for name, node in members.items()}
        for section, members in units.items()
    }


def _file(game: str, folder: Path) -> Path:
    return folder / "games" / game / "reviewed.yaml"


def _name_file(game: str) -> str:
    return f"games/{game}/reviewed.yaml"


def _read_stamps(node: Node | None) -> dict[str, Stamps]:
    members = {} if node is None else node.fields
    return {name: {key: item.text for key, item in found.fields.items()} for name, found in members.items()}


def _units(game: str, folder: Path) -> dict[str, dict[str, Node]]:
    """Return the units of review by section: clauses, open passages, editions, named conditions."""
    found = {section: dict(read_section(game, section, folder).fields) for section in SECTIONS[:-1]}
    made = book(game, folder).rules
    conditions = [item for key in ("functions", "tables") if (node := made.get(key)) for item in node.fields.items()]
    told = [
        (f"{key}.{name}", node)
        for key in ("phrases", "summary")
        if (member := made.get(key))
        for name, node in member.fields.items()
    ]
    found[SECTIONS[-1]] = {name: node for name, node in [*conditions, *told] if any(texts(node))}
    return found


def _stamp(node: Node, carried: list[str]) -> Stamps:
    """Return the fingerprints of one unit: a print of its words by language, and one of the rules if it has any."""
    words: dict[str, list[str]] = defaultdict(list)
    for path, text in texts(node):
        for lang, written in text.fields.items():
            words[lang].append(f"{'/'.join(path)}: {written.text}")
    found = {lang: _print("\n".join(words[lang])) for lang in sorted(words, key=lambda lang: (lang != ORIGINAL, lang))}
    made = [*carried, *_changes(node)]
    return {**found, RULES: _print("\n".join(made))} if made else found


def _print(text: str) -> str:
    return fingerprint(text)[:_DIGITS]


def _changes(node: Node) -> list[str]:
    """Return what a reading does to the rules, its words aside."""
    kept = {key: _wordless(node.fields[key]) for key in ("treatment", "key", "number", "readings") if node.get(key)}
    return [_line(kept)] if kept else []


def _wordless(node: Node) -> object:
    if isinstance(node.value, dict):
        return {key: _wordless(item) for key, item in node.value.items() if not is_text(item)}
    if isinstance(node.value, tuple):
        return [_wordless(item) for item in node.value]
    return node.value


def _group_by_clause(made: dict[str, Json]) -> Mapping[str, list[str]]:
    """Return for each clause the records that carry it out, each as canonical JSON without what other clauses say."""
    found: dict[str, list[str]] = defaultdict(list)
    for record in _records(made):
        clause = str(record["clause"])
        found[clause].append(_line(_own(record, clause)))
    return {clause: sorted(lines) for clause, lines in found.items()}


def _records(value: Json) -> Iterator[dict[str, Json]]:
    """Yield everything in an export that cites a clause, outer records first."""
    if isinstance(value, dict):
        if value.get("clause"):
            yield value
        for item in value.values():
            yield from _records(item)
    elif isinstance(value, list):
        for item in value:
            yield from _records(item)


def _own(value: object, clause: str) -> object:
    """Return a record without words and types, and with the ids alone of what belongs to another clause."""
    if isinstance(value, list):
        return [_own(item, clause) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("clause", clause) not in ("", clause):
        return value["id"]
    kept = {key: item for key, item in value.items() if key != "say" and not (key == "type" and "op" in value)}
    return {key: _own(item, clause) for key, item in kept.items()}


def _line(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _compare_stamps(name: str, known: Stamps, found: Stamps) -> Iterator[tuple[str, str]]:
    """Yield what differs between a unit as it was reviewed and as it stands."""
    if not known:
        yield f"{name} has not been reviewed", _AGAIN
        return
    languages = [lang for lang in {**known, **found} if lang != RULES]
    if known.get(ORIGINAL) != found.get(ORIGINAL):
        others = ", ".join(lang for lang in languages if lang != ORIGINAL) or "no translation"
        yield f"the text of {name} has changed since it was reviewed ({others} made from the old one)", _AGAIN
    elif changed := [lang for lang in languages if known.get(lang) != found.get(lang)]:
        yield f"the text of {name} in {', '.join(changed)} has changed since it was reviewed", _AGAIN
    if known.get(RULES) != found.get(RULES):
        yield f"the rules that carry out {name} have changed since its text was reviewed", _AGAIN
