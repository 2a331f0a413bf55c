"""What a table has agreed on, as a file: rules with the answers that it plays by."""

from __future__ import annotations

from pathlib import Path

from brou import Choice, Malformed, NoFile, Project, choose, read, root, shape_faults, with_readings


def read_agreement(path: Path, project: Project) -> Choice:
    """Return the rules that a table plays by.

    Raise `NoFile` without such a file, `Malformed` if it has another shape, `Unknown` for an answer that no question
    has, and `Impossible` for answers that cannot stand together.
    """
    if not path.is_file():
        raise NoFile(path, "an agreement (brou-agreement/1)")
    node = read(path)
    faults = list(shape_faults(node, root() / "schemas" / "agreement.schema.json"))
    if faults:
        raise Malformed(faults)
    answers = node.get("answers")
    given = {} if answers is None else {key: item.text for key, item in answers.fields.items()}
    return with_readings(choose(node.string("rules"), project), given)
