"""`brou build`: what it writes compiles, plays the same matches as everybody, and says what it is."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from brou import catalogue, choose, rules
from brou.chance import Chance
from brou.interpreter.digest import digest
from brou.native.batch import BatchPolicy
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine
from brou.native.shared_object import find_compiler
from brou_tools.cli import main
from brou_tools.matches.engines import teach_engine
from brou_tools.matches.play import simulate
from brou_tools.matches.policy import Players, conduct

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an engine in C, its header and its tables."""
    folder = tmp_path_factory.mktemp("built")
    assert main(["build", "brouc@2022:4", "--c", "-o", str(folder / "brouc.c")]) == 0
    return folder


@pytest.mark.slow
def test_the_tables_stand_beside_the_engine(built: Path) -> None:
    """The tables name the rule base, its cards, acts and variables; the header is in the engine too."""
    tables = json.loads((built / "brouc.json").read_text(encoding="utf-8"))
    game = rules("brouc@2022:4")

    assert tables["format"] == "brou-engine/1"
    assert tables["rules"] == "brouc@2022:4"
    assert tables["cards"] == list(game.deck.cards)
    assert sorted(one["name"] for one in tables["state"]["cells"]) == sorted(game.state)
    assert (built / "brouc.c").read_text(encoding="utf-8").startswith((built / "brouc.h").read_text(encoding="utf-8"))


@pytest.mark.sampled(3)
@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("game", catalogue())
def test_no_compiler_has_anything_to_say(game: str, tmp_path: Path) -> None:
    """Whoever takes an engine home compiles it with all warnings on."""
    written = tmp_path / "engine.c"
    assert main(["build", game, "-o", str(written)]) == 0
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-overlength-strings", "-fsyntax-only"]
    subprocess.run([*(find_compiler() or ()), *warnings, str(written)], check=True)


@pytest.mark.slow
@needs_compiler
def test_the_program_of_the_page_plays_a_match(built: Path) -> None:
    """The program on the page compiles without a warning and comes to the state that players in Python come to."""
    found = re.search(r"```c\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    (built / "match.c").write_text(found[1], encoding="utf-8")
    compiler = [*(find_compiler() or ()), "-O0", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [*compiler, "-Wno-overlength-strings", "-o", "match", "match.c", "brouc.c"]
    subprocess.run(command, cwd=built, check=True)
    told = subprocess.run(["./match"], cwd=built, check=True, capture_output=True, text=True).stdout.splitlines()

    choice, stream = choose("brouc@2022:4"), Chance(1)
    players = Players(choice, conduct(choice.game).acts)
    engine, state = players.engine, players.engine.begin()
    first = engine.legal(state, 0)
    acts = 0
    while made := players.pick(state, stream):
        engine.play(state, made[1], made[0], made[2])
        acts += 1
    legal = [engine.legal(state, seat) for seat in range(engine.game.seats)]
    assert told[1] == f"seat 0 may {json.dumps(first, separators=(',', ':'))}"
    assert told[2] == f"after {acts} acts {json.dumps(engine.score(state), separators=(',', ':'))}"
    assert told[3] == digest(engine.game, engine.decode_state(state), legal)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("game", ["brouc", "brusquembille"])
def test_batches_sum_up_what_simulate_tells(game: str) -> None:
    """The figures of beginners' matches have the same sums in C, in Python and in `brou simulate`."""
    choice = choose(game)
    taught = teach_engine(choice)
    native = NativeEngine(taught.game, taught.label, taught.wish, keep=False, flags=("-O0",))
    sums = native.play_matches(3, 2, BatchPolicy(conduct=True))
    tally = simulate(choice, conduct(game).acts, range(3, 5))

    told = {
        " ".join(filter(None, key)): (
            *(int(one) for one in (c.sums.value, c.sums.square, c.sums.product)),
            c.count,
            c.squared,
        )
        for key, c in tally.told.items()
    }
    assert sums.figures == told
    assert [sums.counts[name] for name in ("matches", "deals", "deals_squared", "unfinished")] == [
        tally.matches, tally.deals, tally.deals_squared, tally.unfinished,
    ]  # fmt: skip
    assert GeneratedEngine(taught.game, taught.wish).play_matches(3, 2, BatchPolicy(conduct=True)) == sums


@pytest.mark.slow
@needs_compiler
def test_parts_of_a_batch_add_up() -> None:
    """Whoever plays which matches, the sums come to the same."""
    taught = teach_engine(choose("brouc"))
    native = NativeEngine(taught.game, taught.label, taught.wish, keep=False, flags=("-O0",))
    policy = BatchPolicy(conduct=True)
    whole, parts = native.play_matches(1, 4, policy), [native.play_matches(seed, 2, policy) for seed in (1, 3)]

    assert all(whole.counts[name] == sum(part.counts[name] for part in parts) for name in whole.counts)
    assert all(
        sums == tuple(map(sum, zip(*(part.figures[key] for part in parts), strict=True)))
        for key, sums in whole.figures.items()
    )


@pytest.mark.slow
def test_python_is_written_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a file the engine goes to standard output."""
    assert main(["build", "brouc", "--python", "--mindless"]) == 0
    assert "def do_play(s, me, " in capsys.readouterr().out


@pytest.mark.slow
@needs_compiler
def test_a_shared_object_can_be_loaded(tmp_path: Path) -> None:
    """What `--native` writes is an engine that knows its rules."""
    import ctypes  # noqa: PLC0415 - here alone

    assert main(["build", "brouc", "--native", "--mindless", "-o", str(tmp_path / "brouc.so")]) == 0
    library = ctypes.CDLL(str(tmp_path / "brouc.so"))
    library.brouc_hash.restype = ctypes.c_char_p

    assert library.brouc_hash().decode() == json.loads((tmp_path / "brouc.json").read_text(encoding="utf-8"))["hash"]


def test_a_missing_compiler_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a C compiler there is no shared object, and the message says what to do."""
    monkeypatch.setenv("CC", "no-such-compiler")

    assert main(["build", "brouc", "--native", "--mindless", "-o", str(tmp_path / "brouc.so")]) == 2
    assert "install one, name it in CC, or install brou[build]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [["--c", "--python"], ["--native"]])
def test_options_that_cannot_go_together_are_refused(options: list[str]) -> None:
    """Two forms at once are refused, and a shared object without a file."""
    with pytest.raises(SystemExit) as ended:
        main(["build", "brouc", *options])
    assert ended.value.code == 2
