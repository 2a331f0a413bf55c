"""What a table has agreed on, as a file or in its short form: rules with the answers that it plays by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from brou import (
    Choice,
    Impossible,
    Malformed,
    Node,
    NoFile,
    Project,
    Unknown,
    choose,
    read,
    root,
    shape_faults,
    with_readings,
)
from brou.games import read_section

#: The short form of an agreement: rules, and the number of each question with the letter of its answer.
_SHORT = re.compile(r"(?P<rules>[a-z0-9-]+(@[^\s/\\]+)?(?=\s)|[a-z0-9-]+@[^\s/\\]+)(?P<answers>(\s+[^\s=]+=[^\s=]+)*)")
#: What stands before the number of a question in its id.
_QUESTION = ".amb."


@dataclass(frozen=True, slots=True)
class Agreement:
    """The name of rules, and the answers given beside it, by the keys of their questions."""

    rules: str
    answers: Mapping[str, str]


def read_agreement(given: str, project: Project) -> Choice:
    """Return the rules that a table plays by, from the name of a file or the short form that a sheet prints.

    Raise `NoFile` for a name of neither, `Malformed` if the file has another shape, `Unknown` for an answer that no
    question has, and `Impossible` for answers that exclude each other.
    """
    agreement = _read(given, project)
    return with_readings(choose(agreement.rules, project), agreement.answers)


def name_agreement(given: str, project: Project) -> str:
    """Return the name of the rules of an agreement with the answers that it gives, and no others; raise as they do."""
    read_agreement(given, project)
    agreement = _read(given, project)
    base, _, own = agreement.rules.partition("[")
    named = [part for part in own.rstrip("]").split(",") if part.strip()]
    answers = [f"{key}={value}" for key, value in agreement.answers.items()]
    return f"{base}[{','.join([*named, *answers])}]" if named or answers else base


def shorten_agreement(choice: Choice) -> str:
    """Return the short form of rules: their edition, and each answer that is not the edition's."""
    edition = choose(f"{choice.game}@{choice.edition}", choice.project)
    base = f"{choice.game}@{choice.edition}" + (f":{choice.setup}" if choice.setup != edition.setup else "")
    usual, questions = dict(choose(base, choice.project).readings), _list_questions(choice)
    told = [base]
    for number, node in questions.items():
        key = node.string("key")
        value = dict(choice.readings).get(key)
        if value != usual.get(key):
            told.append(f"{number}={letter_answers(node).get(str(value), str(value))}")
    return " ".join(told)


def number_question(id_: str) -> str:
    """Return the number of a question as sheets print it: `5c` for `game.amb.05.c`."""
    return id_.partition(_QUESTION)[2].replace(".", "").lstrip("0")


def letter_answers(question: Node) -> Mapping[str, str]:
    """Return the letter of each reading of a question by its name; none where the answer is a number."""
    readings = question.get("readings")
    return {} if readings is None else dict(zip(readings.fields, ascii_uppercase, strict=False))


def _read(given: str, project: Project) -> Agreement:
    path = Path(given)
    short = None if path.is_file() else _SHORT.fullmatch(given.strip())
    if short is not None:
        return _read_short(short["rules"], short["answers"].split(), project)
    node = _read_file(path)
    answers = node.get("answers")
    found = {} if answers is None else {key: item.text for key, item in answers.fields.items()}
    return Agreement(node.string("rules"), found)


def _read_short(name: str, parts: list[str], project: Project) -> Agreement:
    """Return an agreement from its short form; questions may stand by their keys and readings by their names, too."""
    questions = _list_questions(choose(name, project))
    answers: dict[str, str] = {}
    for part in parts:
        number, _, answer = part.partition("=")
        question = questions.get(number.lower())
        if question is None and number[0].isdecimal():
            raise Unknown("question", number, questions)
        key = number if question is None else question.string("key")
        if key in answers:
            raise Impossible(f"{name}: {part} answers a question that is answered already; leave one of the two out")
        answers[key] = answer if question is None else _read_answer(number, question, answer)
    return Agreement(name, answers)


def _read_answer(number: str, question: Node, answer: str) -> str:
    """Return the reading that a letter stands for, or a number as it is."""
    letters = {letter: value for value, letter in letter_answers(question).items()}
    if not letters or answer in letters.values():
        return answer
    if answer.upper() not in letters:
        raise Unknown(f"answer to question {number}", answer, letters)
    return letters[answer.upper()]


def _list_questions(choice: Choice) -> Mapping[str, Node]:
    """Return the questions that rules have an answer to by a key, by their numbers."""
    nodes = read_section(choice.game, "ambiguities", choice.project.data).fields
    keys = dict(choice.readings)
    return {number_question(id_): node for id_, node in nodes.items() if node.string("key") in keys}


def _read_file(path: Path) -> Node:
    if not path.is_file():
        raise NoFile(path, "an agreement (brou-agreement/1), or write it in short: rules, and NUMBER=LETTER an answer")
    node = read(path)
    faults = list(shape_faults(node, root() / "schemas" / "agreement.schema.json"))
    if faults:
        raise Malformed(faults)
    return node
