"""What a table has agreed on, as a file: rules with the answers that it plays by."""

from __future__ import annotations

from pathlib import Path

from brou import Choice, Malformed, Node, NoFile, Project, choose, read, root, shape_faults, with_readings


def read_agreement(path: Path, project: Project) -> Choice:
    """Return the rules that a table plays by.

    Raise `NoFile` without such a file, `Malformed` if it has another shape, `Unknown` for an answer that no question
    has, and `Impossible` for answers that cannot stand together.
    """
    node = _read_file(path)
    return with_readings(choose(node.string("rules"), project), _list_answers(node))


def name_agreement(path: Path, project: Project) -> str:
    """Return the name of the rules of an agreement with the answers that it gives, and no others; raise as they do."""
    read_agreement(path, project)
    node = _read_file(path)
    base, _, own = node.string("rules").partition("[")
    given = [part for part in own.rstrip("]").split(",") if part.strip()]
    answers = [f"{key}={value}" for key, value in _list_answers(node).items()]
    return f"{base}[{','.join([*given, *answers])}]" if given or answers else base


def _read_file(path: Path) -> Node:
    if not path.is_file():
        raise NoFile(path, "an agreement (brou-agreement/1)")
    node = read(path)
    faults = list(shape_faults(node, root() / "schemas" / "agreement.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


def _list_answers(node: Node) -> dict[str, str]:
    """Return the answers by the keys of their questions."""
    answers = node.get("answers")
    return {} if answers is None else {key: item.text for key, item in answers.fields.items()}
