"""A settlement as people read it: each deal as its sheet, with the clauses that it rests on, or what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brou import Choice, rules
from brou.words.wording import Words
from brou_tools.explaining import clause_lines, figure_lines, rows_lines, wrapped

#: How wide the name of a figure and a column of the sheet are.
_NAME, _COLUMN = 40, 12
_INDENT = 2


def told(found: Mapping[str, Any], choice: Choice, lang: str) -> str:
    """Return the whole settlement."""
    words = Words(rules(choice), lang, None, found["players"])
    name = f"{found['game']}@{found['edition']}:{found['setup']}"
    lines = [f"{name}  {found['title']}".rstrip()]
    for deal in found["deals"]:
        lines += ["", *_deal(deal, words)]
    if found["fault"]:
        lines += ["", *_fault(found["fault"], words)]
    elif not found["complete"]:
        lines += ["", words.frame("unfinished")]
    lines += ["", *([words.frame("so_far")] if found["fault"] and found["standing"] else [])]
    lines += _standing(found["standing"] or {}, words)
    lines += ["", *clause_lines(_cited(found), words)]
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line or before).rstrip() + "\n"


def _deal(deal: Mapping[str, Any], words: Words) -> Iterator[str]:
    yield words.frame("deal_number", deal=deal["id"])
    for line in deal["lines"]:
        yield from _line(line, words)
    for entry in deal["result"]:
        writes = [{**write, "when": ""} for write in entry["writes"]]
        yield from figure_lines({**entry, "writes": writes, "readings": []}, words, _INDENT)
    for sheet in deal["slate"]:
        yield ""
        yield from _sheet(sheet, words)


def _line(line: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield an entry or an act with what it changes at once."""
    seen: set[str] = set()
    changes = []
    for change in line["changes"]:
        key = f"{change['of']}{change['by']}"
        if not change["of"] or change["by"] is None or key in seen:
            continue
        seen.add(key)
        changes.append(f"{change['whose']} {_signed(change['by'], words)}".strip())
    cited = f" [{', '.join(clause['id'] for clause in line['clauses'][:_INDENT])}]" if line["clauses"] else ""
    # A figure that is noted as such needs not be told twice.
    what = f"{words.frame('dash')}{', '.join(changes)}" if changes and line.get("each") is None else ""
    yield from wrapped(f"{line['said']}{what}{cited}", " " * _INDENT)


def _sheet(sheet: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield a sum as it stands on the sheet, a column for each who has one."""
    width = max(_COLUMN, *(len(whose) + _INDENT for whose in sheet["whose"]))

    def row(name: str, values: Iterable[str]) -> str:
        return f"  {name:{_NAME}}{''.join(f'{value:>{width}}' for value in values)}".rstrip()

    yield row(sheet["said"], sheet["whose"])
    yield row(words.frame("old"), (words.number(value) for value in sheet["before"]))
    for item in sheet["rows"]:
        yield row(
            f"{item['what']}{_from(item, words)}", (_signed(value, words) if value else "" for value in item["values"])
        )
    rule = "-" * (width - _INDENT)
    yield row("", [rule for _ in sheet["whose"]])
    if sheet["struck"]:
        yield row(words.frame("begun_anew"), (words.number(value) for value in sheet["after"]))
    else:
        yield row(words.frame("new"), (words.number(value) for value in sheet["after"]))


def _from(item: Mapping[str, Any], words: Words) -> str:
    """Return what the figures of a row were made from, such as card points before they were rounded."""
    found = [part for part in item["parts"] if part]
    same = all(part["parts"] and part["parts"][0]["value"] == part["value"] for part in found)
    if same or any(len(part["parts"]) != 1 for part in found):
        return ""
    return f" ({', '.join(words.number(part['parts'][0]['value']) for part in found)})"


def _signed(value: int, words: Words) -> str:
    return f"{'+' if value > 0 else ''}{words.number(value)}"


def _standing(standing: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield where the game stands in the end."""
    shown = {show.id: show for show in words.game.score}
    for name in words.game.start.given:
        key = name if name in standing else ""
        if key and isinstance(standing[key], list) and key in shown:
            values = ", ".join(words.number(value) for value in standing[key])
            yield words.frame("is", what=words.name("fields", key), value=values)


def _fault(fault: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield what cannot be, why, and what could have been meant."""
    where = words.frame("impossible", deal=fault["deal"] or words.frame("nothing"), step=fault["step"])
    yield from wrapped(where, "")
    said = f"{fault['said']}{words.frame('dash')}" if fault["said"] else ""
    cited = f" [{fault['clauses'][0]['id']}]" if fault["clauses"] else ""
    yield from wrapped(f"{said}{fault['because']}{cited}", " " * _INDENT)
    for table in dict.fromkeys(row["table"] for row in fault["rows"]):
        yield f"  {words.frame('rows', table=table)}"
        yield from rows_lines([row for row in fault["rows"] if row["table"] == table])
    if fault["meant"]:
        yield f"  {words.frame('meant')}"
        yield from (f"    {slip['said']}" for slip in fault["meant"])


def _cited(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the clauses that were cited, with their texts."""
    cited: dict[str, str] = {}
    for deal in found["deals"]:
        for item in (*deal["lines"], *deal["result"]):
            cited |= {clause["id"]: clause["text"] for clause in item["clauses"]}
        for sheet in deal["slate"]:
            cited |= {id_: "" for row in sheet["rows"] for id_ in row["clauses"] if id_ not in cited}
    if found["fault"]:
        cited |= {clause["id"]: clause["text"] for clause in found["fault"]["clauses"]}
    return cited
