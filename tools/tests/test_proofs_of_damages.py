"""Rules that readers of the texts damaged: a statement that is proved of the rules is refuted of the damaged ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brou import Choice, book, house, patch_rules
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.patch import apply_patches, read_patches
from brou.language.source import parse_yaml
from brou_tools.smt.asking import REFUTED, UNKNOWN, Asking, SolverOptions
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.obligations import choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.solve import LIMIT

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

HERE = Path(__file__).with_name("damages.yaml")
#: These follow a card to all that it can end, and take some seconds each; they guard proofs of accounts.
LONG = {
    "auv.account.last-card",
    "brou.account.last-card",
    "brou.account.trick",
    "brouc.account.last-card",
    "brouc.account.tabled",
}


def damages() -> Iterator[Any]:
    """Yield every damage as a case of its own."""
    for name, node in parse_yaml(HERE.read_text(encoding="utf-8"), HERE.name).fields.items():
        yield pytest.param(name, node, id=name, marks=[pytest.mark.thorough] if node.string("by") in LONG else [])


@pytest.mark.sampled(30)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "node"), list(damages()))
def test_what_is_proved_is_refuted_of_damaged_rules(name: str, node: Node) -> None:
    """The interpreter has seen the counterexample, or the statement cannot be told of such rules."""
    game = name.partition(".")[0]
    one = next(one for one in obligations(game, house()).obligations if one.id == node.string("by"))
    choice = next(choices(game, house(), one))[0]
    damaged = load_rules(apply_patches(patch_rules(choice), read_patches(node.fields["patches"])), book(game).codes)

    def around(choice: Choice) -> ProofContext:
        return ProofContext.around(choice, damaged)

    assert prove_obligation(Asking(choice, SolverOptions(LIMIT)), one).status == one.expect
    found = prove_obligation(Asking(choice, SolverOptions(LIMIT), around), one)
    assert found.status == REFUTED or (found.status == UNKNOWN and found.vain)
