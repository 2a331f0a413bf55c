"""The one form of a file: keys in their order, short values in one line, texts folded."""

from __future__ import annotations

from collections.abc import Iterator

from brou.chapters import Shape
from brou_tools.fmt.forms import Standing
from brou_tools.fmt.scalars import fold, quote, write_scalar, write_text
from brou_tools.fmt.tree import Remark, Writing, WrittenEntry, WrittenFile, is_noted

#: No line is longer, where words allow it.
WIDTH = 120
#: How many columns a value stands further in than its key.
_STEP = 2
#: The keys of a step behind which other steps stand.
_INNER = frozenset({"do", "else"})


def write_file(file: WrittenFile, form: type[Shape]) -> str:
    """Return a file of a kind in its one form."""
    lines = [*_write_remarks(file.head), *_write_block(file.root, Standing(form), 0)]
    lines += _write_remarks(file.end[:-1])
    lines += [one.text for one in file.end[-1:]]
    return "".join(f"{line}\n" for line in lines)


def _write_remarks(remarks: list[Remark]) -> Iterator[str]:
    for one in remarks:
        yield one.text
        if one.spaced:
            yield ""


# Lines ----------------------------------------------------------------------------------------------------------------


def _write_block(writing: Writing, standing: Standing, column: int) -> list[str]:
    """Return a list or a mapping with a line for each member; the lines are to be indented to a column."""
    lines: list[str] = []
    for one in _order(writing, standing):
        lines += [""] if lines and standing.is_parted else []
        inner = _enter(standing, one)
        lines += _write_remarks(one.above)
        lines += _write_field(one, inner, column) if writing.kind == "mapping" else _write_item(one, inner, column)
        lines += _write_remarks(one.below[:-1])
        lines += [remark.text for remark in one.below[-1:]]
    return lines


def _order(writing: Writing, standing: Standing) -> list[WrittenEntry]:
    if writing.kind == "list":
        return list(writing.entries)
    entries = {one.key: one for one in writing.entries}
    return [entries[key] for key in standing.order(entries)]


def _enter(standing: Standing, entry: WrittenEntry) -> Standing:
    return standing.enter(entry.key, entry.writing.kind, {one.key for one in entry.writing.entries})


def _write_field(entry: WrittenEntry, standing: Standing, column: int) -> list[str]:
    head = f"{write_text(entry.key, flow=False)}:"
    short = _write_short(entry.writing, standing, column, len(head) + 1)
    if short is not None:
        first, *rest = short
        return [f"{head} {first}{_write_beside(entry)}", *_indent(rest)]
    deep = _STEP if entry.writing.kind == "mapping" else 0
    return [f"{head}{_write_beside(entry)}", *_indent(_write_block(entry.writing, standing, column + deep), deep)]


def _write_item(entry: WrittenEntry, standing: Standing, column: int) -> list[str]:
    short = _write_short(entry.writing, standing, column, _STEP)
    if short is not None:
        first, *rest = short
        return [f"- {first}{_write_beside(entry)}", *_indent(rest)]
    lines = _write_block(entry.writing, standing, column + _STEP)
    # Comments at the head of a member stand above its dash.
    cut = next(number for number, line in enumerate(lines) if line and not line.startswith("#"))
    first, *rest = lines[cut:]
    return [*(one.text for one in entry.beside), *lines[:cut], f"- {first}", *_indent(rest)]


def _write_beside(entry: WrittenEntry) -> str:
    return "".join(f"  {one.text}" for one in entry.beside)


def _indent(lines: list[str], deep: int = _STEP) -> list[str]:
    return [" " * deep + line if line else "" for line in lines]


def _write_short(writing: Writing, standing: Standing, column: int, head: int) -> list[str] | None:
    """Return a value that begins behind its key: a scalar, which may be folded, or a list or a mapping in one line.

    The line begins at a column, and before the value it has so many characters.
    """
    if writing.kind != "scalar":
        flow = _write_flow(writing, standing) if _is_short(writing, standing) else None
        return None if flow is None or column + head + len(flow) > WIDTH else [flow]
    text = writing.value
    if not isinstance(text, str):
        return [write_scalar(text, flow=False)]
    whole = quote(text) if standing.is_mark else write_text(text, flow=False)
    is_prose = whole != text and " " in text and not standing.is_expression
    if column + head + len(whole) <= WIDTH and not is_prose:
        return [whole]
    folded = fold(text, WIDTH - column - _STEP, is_expression=standing.is_expression)
    return [whole] if folded is None else [">-", *folded]


# What stands in one line ----------------------------------------------------------------------------------------------


def _write_flow(writing: Writing, standing: Standing) -> str:
    if writing.kind == "scalar":
        return write_scalar(writing.value, flow=True)
    inside = [(one.key, _write_flow(one.writing, _enter(standing, one))) for one in _order(writing, standing)]
    if writing.kind == "list":
        return f"[{', '.join(value for _, value in inside)}]"
    return f"{{{', '.join(f'{write_text(key, flow=True)}: {value}' for key, value in inside)}}}"


def _is_short(writing: Writing, standing: Standing) -> bool:
    """Say whether a list or a mapping below others is written in one line where there is room."""
    if not writing.entries:
        return True
    if is_noted(writing) or not _fits_inside(writing, standing):
        return False
    inner = [one.writing for one in writing.entries]
    if standing.member is not None:
        return standing.owner is not None and Standing(standing.owner).is_step
    if standing.is_step:
        return len(inner) > 1
    if standing.is_picture:
        return all(one.kind == "scalar" for one in inner)
    if standing.is_unquoted:
        return _write_flow(writing, standing) == _write_unquoted(writing)
    several = len(inner) > 1 and standing.form is None
    return not (several and any(one.kind == "mapping" and one.entries for one in inner))


def _fits_inside(writing: Writing, standing: Standing) -> bool:
    """Say whether a value may share a line with its neighbours."""
    if writing.kind == "scalar" or not writing.entries:
        return True
    if standing.is_tall(writing.kind):
        return False
    if standing.is_step and any(one.key in _INNER for one in writing.entries):
        return False
    of_rule = standing.member is not None and not (standing.owner and Standing(standing.owner).is_step)
    if of_rule and len(writing.entries) > 1:
        return False
    return all(_fits_inside(one.writing, _enter(standing, one)) for one in writing.entries)


def _write_unquoted(writing: Writing) -> str:
    """Return a mapping of scalars in one line as it would be if nothing in it needed quotes."""
    return f"{{{', '.join(f'{one.key}: {one.writing.value}' for one in writing.entries)}}}"
