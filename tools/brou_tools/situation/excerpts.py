"""The lines of chapters about a clause."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

from brou import (
    Project,
    keep_until_changed,
)
from brou.atomic import read_named
from brou.chapters import ClauseForm, QuestionForm, Volume, find_mentions
from brou.games import PRELUDE, find_file, list_files
from brou.shapes import Limit, shape

_INDENT = re.compile(r" *(?:- )?")
_KEY = re.compile(r"([a-z]+):")
#: The keys of a clause that are shown elsewhere: its text and source, its questions, proofs and examples.
_TEXTS = frozenset({"clause", "from", "tests", "kind", "status", "text", "note", "lacks", "proves", "examples", "open"})
#: The keys of a reading, and of a question, that say something and change nothing.
_READING_TEXTS = frozenset({"name", "confidence", "why"})
_QUESTION_TEXTS = frozenset(
    {
        *("id", "same", "from", "about", "confidence", "title", "ask", "decided", "settled", "agree", "not", "note"),
        *("because", "readings", "proves"),
    }
)


@shape(closed=True)
class Rule:
    """Lines of a chapter about a clause or a reading."""

    file: Annotated[str, "its file, relative to the folder of the data"]
    line: Annotated[int, Limit(minimum=1), "its first line"]
    path: Annotated[str, "the label of the rule, or KEY=VALUE for a reading"]
    text: Annotated[str, "its lines in the file"]


def _dedent(lines: list[str]) -> str:
    margin = _indent(lines[0]) if lines else 0
    return "\n".join(line[min(margin, _indent(line)) :] for line in lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


@keep_until_changed(maxsize=32)
def _lines(project: Project, file: str) -> list[str]:
    return read_named(find_file(project.data, file)).decode().splitlines()


def quote_clause(volume: Volume, project: Project, id_: str) -> Iterator[Rule]:
    """Yield what carries out a clause of a game in chapters, and what names it from elsewhere.

    Of a question it is the rules that its readings add and that cite it.
    """
    clause = find_stated(volume, id_)
    if clause is None:
        yield from _quote_added(volume, project, id_)
        return
    label, place = clause.clause, clause.clause.place
    yield from _declarations(project, place.file, place.line, label)
    for mention in find_mentions(volume, clause):
        if mention.place.file.startswith(f"{PRELUDE}/") or mention.how != "changes it":
            yield from _declarations(project, mention.place.file, mention.place.line, mention.label)
    cited = re.compile(rf"(?<!- )\bclause: {re.escape(label)}\b")
    for file in list_files(project.data, f"games/{volume.frame.game}/*.yaml"):
        for number, line in enumerate(_lines(project, file), 1):
            if cited.search(line) and not line.lstrip().startswith("#"):
                yield _block(project, file, _find_record(_lines(project, file), number), label)


def _quote_added(volume: Volume, project: Project, id_: str) -> Iterator[Rule]:
    question = by_key(volume).get(id_)
    if question is None:
        return
    for value, reading in question.readings.items():
        for rule in reading.adds:
            if question.id in (rule.rule.partition("/")[0], rule.clause):
                yield _block(project, rule.rule.place.file, rule.rule.place.line, f"{question.key}={value}")


def find_stated(volume: Volume, id_: str) -> ClauseForm | None:
    """Return the clause of an id as its chapter has it, or None if no clause has the id."""
    return next((one for one in volume.clauses() if volume.frame.spell_id(one.clause) == id_), None)


def quote_reading(project: Project, question: QuestionForm, value: str) -> Iterator[Rule]:
    """Yield a reading that changes rules, whole as its chapter has it; nothing for one that leaves them as they are."""
    line = _find_value(project, question, value)
    if line is not None:
        yield _block(project, question.readings[value].why.place.file, line, f"{question.key}={value}")


def quote_changes(project: Project, question: QuestionForm, value: str) -> Iterator[Rule]:
    """Yield what a reading changes, as its chapter has it, without its name and what speaks for it."""
    line = _find_value(project, question, value)
    if line is not None:
        yield from _runs(
            project, question.readings[value].why.place.file, line, f"{question.key}={value}", _READING_TEXTS
        )


def quote_question(project: Project, question: QuestionForm) -> Iterator[Rule]:
    """Yield the lines of a question that are no text: its key, where it arises, its number, the code of a refusal."""
    place = question.id.place
    yield from _runs(project, place.file, place.line, question.id, _QUESTION_TEXTS)


def _find_value(project: Project, question: QuestionForm, value: str) -> int | None:
    """Return the line in which a reading begins; None for one that changes nothing."""
    reading = question.readings[value]
    if not any((reading.changes, reading.adds, reading.drops, reading.means, reading.show)):
        return None
    place = reading.why.place
    lines = _lines(project, place.file)
    head = re.compile(rf"""\s*["']?{re.escape(value)}["']?:""")
    return next(number for number in range(place.line, 0, -1) if head.match(lines[number - 1]))


def _declarations(project: Project, file: str, line: int, label: str) -> Iterator[Rule]:
    """Yield the lines of a clause that declare and decide: from each key that is no text to the next that is one.

    A rule that is no clause has no such texts and is quoted whole.
    """
    if not _lines(project, file)[line - 1].startswith("- clause:"):
        yield _block(project, file, line, label)
        return
    yield from _runs(project, file, line, label, _TEXTS)


def _runs(project: Project, file: str, line: int, label: str, texts: Collection[str]) -> Iterator[Rule]:
    """Yield the lines below a heading from each key that is no text to the next that is one."""
    lines = _lines(project, file)
    end = _find_end(lines, line)
    margin = min((_indent(one) for one in lines[line:end] if one.strip()), default=0)
    runs: list[list[int]] = []
    told = False
    for number in range(line, end):
        key = _KEY.match(lines[number][margin:])
        before, told = told, told if key is None else key[1] not in texts
        if told and not before:
            runs.append([])
        if told and lines[number].strip():
            runs[-1].append(number)
    for run in runs:
        yield Rule(file=file, line=run[0] + 1, path=label, text=_dedent([lines[number] for number in run]))


def _block(project: Project, file: str, line: int, label: str) -> Rule:
    """Return a line with the lines that belong to it."""
    lines = _lines(project, file)
    shown = [one for one in lines[line - 1 : _find_end(lines, line)] if one.strip()]
    return Rule(file=file, line=line, path=label, text=_dedent(shown))


def _find_record(lines: list[str], line: int) -> int:
    """Return the line in which the record begins that cites a clause in a line, alone there or with more of it."""
    within = _indent(lines[line - 1])
    if not lines[line - 1].lstrip().startswith("clause:"):
        return line
    return next(
        number for number in range(line, 0, -1) if lines[number - 1].strip() and _indent(lines[number - 1]) < within
    )


def _find_end(lines: list[str], line: int) -> int:
    """Return the number of lines down to the end of what begins in one."""
    within = _indent(lines[line - 1]) + 1
    end = line
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= within):
        end += 1
    return end


def by_key(volume: Volume) -> Mapping[str, QuestionForm]:
    """Return the questions of a game in chapters by the ids under which they are cited."""
    return {volume.frame.spell_id(question.id): question for _, question in volume.questions()}
