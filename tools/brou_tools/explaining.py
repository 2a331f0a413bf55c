"""An explanation as people read it: what was found, laid out, with the text of each clause once at the end."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from brou import Choice, rules
from brou.words.wording import Words

#: Where lines are broken; how far things are indented under each other; of how many acts alike only the form is told.
_WIDTH, _STEP, _ALIKE = 110, 2, 3
_FIRED, _PASSED = "→", "·"


def told(found: Mapping[str, Any], choice: Choice, lang: str) -> str:
    """Return everything that was found to a question."""
    words = Words(rules(choice), lang)
    lines = [*_head(found, words), ""]
    kinds = {"act": _acts, "sight": _sights, "figure": _figures}
    for kind, tell in kinds.items():
        entries = [entry for entry in found["entries"] if kind in entry]
        if entries:
            lines += tell(entries, words)
    if not found["unreached"] and not any(entry["readings"] for entry in found["entries"]):
        lines += [words.frame("no_reading"), ""]
    for item in found["unreached"]:
        reading, step = f"{item['key']}={item['value']}", item["step"]
        lines += wrapped(words.frame("unreached", reading=reading, step=step), "")
    lines += [""] if found["unreached"] else []
    lines += _clauses([entry for entry in found["entries"] if "figure" not in entry or _heard(entry)], words)
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line or before) + "\n"


def _head(found: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield what is explained: the rules, with readings that are not the edition's, and the question."""
    question = found["question"]
    name = f"{found['game']}@{found['edition']}:{found['setup']}"
    yield f"{name}  {found['subject']}" if found.get("subject") else name
    for kind in ("legal", "view", "score", "winner"):
        if kind in question:
            yield words.frame(f"{kind}_of", seat=str(question[kind]))


# Acts ---------------------------------------------------------------------------


def _acts(entries: list[Mapping[str, Any]], words: Words) -> Iterator[str]:
    """Yield every act with its verdict; of several, those with the same reason together."""
    if len(entries) == 1:
        yield from _act(entries[0], words)
        return
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for entry in sorted(entries, key=lambda entry: not entry["allowed"]):
        same = [entry[key] for key in ("allowed", "code", "because", "rows", "readings", "changes")]
        groups.setdefault(json.dumps([next(iter(entry["act"])), same]), []).append(entry)
    for group in groups.values():
        yield from _alike(group, words)
    yield ""


def _act(entry: Mapping[str, Any], words: Words) -> Iterator[str]:
    yield from wrapped(words.frame("is", what=entry["said"], value=_verdict(entry, words)), "")
    for table in dict.fromkeys(row["table"] for row in entry["rows"]):
        yield ""
        yield f"  {words.frame('rows', table=table)}"
        yield from rows_lines([row for row in entry["rows"] if row["table"] == table])
    yield ""
    yield from _changes(entry, words)
    yield from _readings(entry, words)


def _verdict(entry: Mapping[str, Any], words: Words) -> str:
    verdict = words.frame("allowed" if entry["allowed"] else "refused")
    why = f"{words.frame('dash')}{entry['because']}" if entry["because"] else ""
    cited = f" [{entry['clauses'][0]['id']}]" if entry["clauses"] else ""
    return f"{verdict}{why}{cited}"


def rows_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the rows of a table, the one that decides marked."""
    listed = list(rows)
    width = max(len(row["row"]) for row in listed)
    for row in listed:
        head = f"    {_FIRED if row['fired'] else _PASSED} {row['row']:{width}}  "
        yield from wrapped(row["because"], head)


def _alike(group: list[Mapping[str, Any]], words: Words) -> Iterator[str]:
    """Yield acts that are judged alike, with the one reason for all of them."""
    first = group[0]
    seat = f"{words.capital(words.seat(first['by']))} "
    acts = [entry["said"].removeprefix(seat) for entry in group]
    parameters = words.game.actions[next(iter(first["act"])).replace("-", "_")].parameters
    if len(acts) > _ALIKE and not any(str(parameter.type) == "card" for parameter in parameters):
        acts = [f"{_form(first, words)} ({len(acts)})"]
    elif len(acts) > 1:
        same = takewhile(lambda words_: len(set(words_)) == 1, zip(*(act.split(" ") for act in acts), strict=False))
        spoken = sum(1 for _ in same)
        acts = [acts[0], *(" ".join(act.split(" ")[spoken:]) for act in acts[1:])]
    yield from wrapped(words.frame("is", what=words.frame("beside").join(acts), value=_verdict(first, words)), "")
    yield from _changes(first, words)
    yield from _readings(first, words)


def _form(entry: Mapping[str, Any], words: Words) -> str:
    """Return the form of an act, dots in place of what is chosen."""
    name = next(iter(entry["act"])).replace("-", "_")
    said = words.glossary.name("acts", name, words.lang, words.game.id)
    for parameter in words.game.actions[name].parameters:
        said = said.replace(f"{{{parameter.id}}}", "…")
    return words.typeset(said)


def _changes(entry: Mapping[str, Any], words: Words) -> Iterator[str]:
    if not entry["changes"]:
        return
    yield f"  {words.frame('changes')}"
    for change in entry["changes"]:
        old = words.frame("nothing") if change["before"] is None else str(change["before"])
        yield from figure_lines(
            {**change, "readings": []},
            words,
            4,
            said=words.frame("from_to", what=change["said"], old=old, new=change["shown"]),
        )
    yield ""


def _readings(entry: Mapping[str, Any], words: Words) -> Iterator[str]:
    if not entry["readings"]:
        return
    yield f"  {words.frame('open_readings')}"
    for item in entry["readings"]:
        head = f"    {item['key']}={item['value']}: "
        yield from wrapped(f"{_then(item['then'], words)} [{item['id']}]", head, plain=True)
    yield ""


def _then(then: Mapping[str, Any], words: Words) -> str:
    """Return what the answer would be."""
    if "allowed" in then:
        code = words.typeset(words.glossary.code(then["code"], words.lang)) if then.get("code") else ""
        verdict = words.frame("allowed" if then["allowed"] else "refused")
        return f"{verdict}{words.frame('dash')}{code}" if code else verdict
    if "shown" in then:
        return str(then["shown"])
    if "seen" in then:
        return f"{words.frame('shown')} {json.dumps(then['value'], ensure_ascii=False)}"
    return words.frame("hidden") if not then else json.dumps(then, ensure_ascii=False)


# Sight ---------------------------------------------------------------------------


def _sights(entries: list[Mapping[str, Any]], words: Words) -> Iterator[str]:
    for entry in entries:
        cited = f" [{entry['clauses'][0]['id']}]" if entry["clauses"] else ""
        value = entry["shown"] if entry["seen"] else words.frame("hidden")
        parts = [words.frame("is", what=entry["said"], value=value), entry["because"]]
        if entry["seen"]:
            parts.insert(1, words.frame(entry["level"]))
        line = words.frame("dash").join(parts) + cited
        yield from wrapped(line, "")
        yield from _readings(entry, words)
    yield ""


# Figures -------------------------------------------------------------------------


def _figures(entries: list[Mapping[str, Any]], words: Words) -> Iterator[str]:
    """Yield each figure with what it is made of, and at the end those of which there is nothing to tell."""
    silent = [entry for entry in entries if not _heard(entry)]
    for entry in filter(_heard, entries):
        yield from figure_lines(entry, words, 0)
        yield ""
    if silent:
        names = words.frame("and").join(entry["said"] for entry in silent)
        yield from wrapped(f"{words.frame('untold')} {names}", "")
        yield ""


def _heard(entry: Mapping[str, Any]) -> bool:
    """Say whether there is anything to tell of a figure."""
    return bool(entry["readings"]) or _telling(entry)


def _telling(item: Mapping[str, Any]) -> bool:
    """Say whether anything but nothing has ever been written where a figure comes from."""
    return not item["empty"] or any(
        _telling(part) for key in ("terms", "parts", "writes") for part in item.get(key, ())
    )


def figure_lines(entry: Mapping[str, Any], words: Words, indent: int, said: str = "") -> Iterator[str]:
    """Yield a figure with what it is made of and who wrote it."""
    head = said or words.frame("is", what=entry["said"], value=entry["shown"])
    terms = entry["terms"]
    sole = entry["writes"][0] if len(entry["writes"]) == 1 and not terms else None
    if sole is not None and not sole["adds"] and (_plain(sole) or len(sole["terms"]) > 1):
        if len(sole["terms"]) > 1:
            head += f" = {figures(sole['terms'], words)}"
        why = _why(sole, words)
        joined = "" if why.startswith(" [") else words.frame("dash")
        yield from wrapped(f"{head}{joined}{why}", " " * indent)
        for term in sole["terms"] if len(sole["terms"]) > 1 else ():
            yield from _term(term, words, indent + _STEP)
        yield from _readings(entry, words)
        return
    if len(terms) > 1:
        head += f" = {figures(terms, words)}"
    yield from wrapped(head, " " * indent)
    inner = indent + _STEP
    for term in terms:
        yield from _term(term, words, inner)
    if not terms and not entry["writes"] and entry["value"]:
        yield f"{' ' * inner}{words.frame('given')}"
    yield from _writes(entry["writes"], words, inner)
    yield from _readings(entry, words)


def _plain(write: Mapping[str, Any]) -> bool:
    """Say whether what was written can be told in one line."""
    return all(not (term["parts"] or term["writes"]) for term in write["terms"]) and len(write["terms"]) < _STEP


def _why(write: Mapping[str, Any], words: Words, *, common: bool = False) -> str:
    """Return what was written, when and why, and the first clause that it rests on."""
    parts = [write["when"], "" if common else write["because"]]
    if len(write["terms"]) == 1:
        parts.insert(0, write["terms"][0]["what"])
    clauses = write["clauses"]
    if len(write["terms"]) == 1 and write["terms"][0]["because"]:
        clauses = [*write["terms"][0]["clauses"], *clauses]
    cited = f" [{clauses[0]}]" if clauses else ""
    return words.frame("dash").join(part for part in parts if part) + cited


def figures(terms: Iterable[Mapping[str, Any]], words: Words) -> str:
    """Return the figures of a sum with their signs."""
    minus = words.glossary.languages[words.lang].minus
    first, *rest = (term["value"] for term in terms)
    return " ".join([words.number(first), *(f"{'+' if n >= 0 else minus} {words.number(abs(n))}" for n in rest)])


def _term(term: Mapping[str, Any], words: Words, indent: int) -> Iterator[str]:
    cited = f" [{term['clauses'][0]}]" if term["clauses"] else ""
    because = f"{words.frame('dash')}{term['because']}" if term["because"] else ""
    yield from wrapped(f"{term['what']}{because}{cited}", f"{' ' * indent}{words.number(term['value']):>5}  ")
    for part in term["parts"]:
        yield from _term(part, words, indent + _STEP * 2)
    sole = len(term["writes"]) == 1 and term["writes"][0]["value"] == term["value"] and not term["writes"][0]["because"]
    if not sole:
        yield from _writes(term["writes"], words, indent + _STEP * 2)


def _writes(writes: Iterable[Mapping[str, Any]], words: Words, indent: int) -> Iterator[str]:
    listed = list(writes)
    if any(not write["empty"] for write in listed):
        listed = [write for write in listed if not write["empty"]]
    common = len(listed) > 1 and len({write["because"] for write in listed}) == 1
    for write in listed:
        adds = write["adds"] and isinstance(write["value"], int)
        sign = "+" if adds and write["value"] >= 0 else ""
        terms = write["terms"]
        whole = f"{sign}{write['shown']}"
        if len(terms) > 1:
            whole += f" = {figures(terms, words)}"
        yield from wrapped(_why(write, words, common=common), f"{' ' * indent}{whole:>5}  ")
        if len(terms) > 1:
            for term in terms:
                yield from _term(term, words, indent + _STEP * 2)
        elif terms:
            for part in terms[0]["parts"]:
                yield from _term(part, words, indent + _STEP * 2)
            yield from _writes(terms[0]["writes"], words, indent + _STEP * 2)


# Clauses -------------------------------------------------------------------------


def _clauses(entries: Iterable[Mapping[str, Any]], words: Words) -> Iterator[str]:
    """Yield the text of every clause that was cited."""
    cited: dict[str, str] = {}
    for entry in entries:
        cited |= {clause["id"]: clause["text"] for clause in entry["clauses"]}
        cited |= {reading["id"]: reading["text"] for reading in entry["readings"]}
        for change in entry.get("changes", ()):
            cited |= {clause["id"]: clause["text"] for clause in change["clauses"]}
    yield from clause_lines(cited, words)


def clause_lines(cited: Mapping[str, str], words: Words) -> Iterator[str]:
    """Yield clauses with their texts."""
    width = max((len(id_) for id_ in cited), default=0)
    for id_, text in cited.items():
        yield from wrapped(text or words.clause(id_), f"{id_:{width}}  ")


def wrapped(text: str, head: str, *, plain: bool = False) -> list[str]:
    """Return a text after a head, its lines broken and indented under it."""
    indent = " " * (len(head) if not plain else len(head) - len(head.lstrip()) + _STEP)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent or "  ", break_on_hyphens=False
    ) or [head]
