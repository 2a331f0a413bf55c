"""`brou check`: faults of data files, found without playing."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from brou import (
    BrouError,
    Fault,
    Node,
    NoFile,
    Place,
    Project,
    Unusable,
    catalogue,
    choose,
    find_project,
    open_project,
    read,
    rules,
)
from brou.check import check, file_faults, game_faults, home_of, list_checked_files, source_faults
from brou.games import FRAME, PROJECT, forget_changed, has_chapters, list_programs
from brou.games.record import POSITION, RECORD, position, record
from brou.language import CardReader, find_face, find_kind, is_of_chapters, read_below
from brou.words import LANGUAGES_FOLDER, find_language_faults, write_reviews
from brou_conformance.protocol import NoMessage, decode, fault
from brou_conformance.scenarios import corpus
from brou_tools.check.options import CheckOptions
from brou_tools.check.shown_line import show_line
from brou_tools.check.side_files import beside_faults
from brou_tools.check.watch import watch
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.heap import keep_garbage

#: What files of data are called, and what a record of `brou verify` is.
_DATA = (".yaml", ".yml")
_REPORTS = (".ndjson", ".jsonl")


def run(options: CheckOptions) -> int:
    """Write every fault, one a line, and how many there are; with `--reviewed`, mark all texts as reviewed first."""
    for named in (options.path, options.sources):
        if named is not None and not Path(named).exists():
            raise NoFile(named, "one that is there", "no such file or folder")
    project = _choose_project(options)
    if options.watch:
        return watch(project, [] if options.data is None else ["--data", options.data])
    path = None if options.path is None else Path(options.path)
    if options.reviewed:
        folder = project.data if path is None or (path / PROJECT).is_file() else path
        if not (folder / "games").is_dir():
            raise NoFile(folder, "one with the texts that are reviewed, below games/", "no folder of data")
        _review(folder)
    with keep_garbage():
        faults = find_project_faults(project) if path is None else _faults(path, project)
        texts = () if options.sources is None else source_faults(Path(options.sources), project)
        found = sorted({*faults, *texts}, key=lambda one: (one.is_lagging, one))
    folders = [place for place in (path, project.home, project.data, project.scenarios) if place is not None]
    folders = [place if place.is_dir() else place.parent for place in folders]
    conclude(f"{_count_checked(project, path)}: {count(len(found), 'fault') if found else 'no faults'}")
    for one in found:
        print(one, *show_line(one, folders), sep="\n")
    if not found:
        return Exit.FINE
    print(_count_faults(found), file=sys.stderr)
    return Exit.FINDING


def _count_faults(found: Sequence[Fault]) -> str:
    """Return how many faults there are, and how many of them are texts alone: an edit of rules brings many of these."""
    lagging = sum(1 for one in found if one.is_lagging)
    told = count(len(found), "fault")
    if not lagging:
        return told
    if len(found) == 1:
        return f"{told}: a translation or a review that lags behind the rules"
    share = "all" if lagging == len(found) else str(lagging)
    return f"{told}, {share} of them translations and reviews that lag behind the rules"


def _count_checked(project: Project, path: Path | None) -> str:
    """Return the subject of the check, for the closing line."""
    return f"checked {path}" if path is not None else f"checked {count(len(catalogue(project)), 'game')}"


def _review(folder: Path) -> None:
    """Write down that the texts of every game that has any have been reviewed, and say which of them were new."""
    for game in filter(lambda game: has_chapters(game, folder), catalogue(folder)):
        new = write_reviews(game, folder)
        told = f"{len(new)} new: {', '.join(new)}" if new else "nothing new"
        print(f"games/{game}/reviewed.yaml: {told}")


def _choose_project(options: CheckOptions) -> Project:
    """Return the project that is named, or else the one that the path to check lies in."""
    if options.data is not None or options.path is None:
        return options.project
    return find_project(Path(options.path))


def find_project_faults(project: Project) -> Iterator[Fault]:
    """Yield the faults of the games of a project, of the files beside them, of its scenarios and its `brou.toml`."""
    from brou_tools.check.scenario_faults import find_game_faults  # noqa: PLC0415 - only where there are scenarios

    if project.is_house:
        yield from _of_folder(project.data)
    else:
        if not catalogue(project):
            what, instead = "no game lies here", "write one into games/GAME, or begin with `brou new GAME`"
            yield Fault(Place(str(project.data), 1, 1), what, instead)
        list_programs(project)
        for one in _of_games(project.data):
            path = project.data / one.place.file
            yield _rename_file(one, _name_file(path, project.home)) if path.exists() else one
    for game in corpus.games(project):
        for one in find_game_faults(game, project):
            path = project.scenarios / one.place.file
            yield _rename_file(one, _name_file(path, project.home)) if path.exists() and not project.is_house else one


def _faults(path: Path, project: Project) -> Iterator[Fault]:
    """Yield the faults of a data file, a scenario file, a report, or of all of them below a folder."""
    if path.name == PROJECT and path.is_file():
        list_programs(open_project(path.parent))
    elif path.is_dir():
        yield from find_project_faults(open_project(path)) if (path / PROJECT).is_file() else _of_folder(path)
    else:
        yield from _of_file(path, project)


# A file by itself -----------------------------------------------------------------------------------------------------


def _of_file(path: Path, project: Project) -> Iterator[Fault]:
    """Yield the faults of a file; one that holds a list is a scenario file, in a folder that bears its game's name."""
    if path.suffix in _REPORTS or _begins_a_report(path):
        yield from _report_faults(path, str(path))
        return
    try:
        node = read(path)
        if (place := path.parent.resolve()).parent.name == "games" and is_of_chapters(node):
            yield from _of_chapters(path, place.parent.parent, place.name)
        elif _is_translation(path, node):
            from brou_conformance.scenarios import corpus  # noqa: PLC0415 - only where there are scenarios

            yield from corpus.translation_file_faults(path, project)
        elif isinstance(node.value, tuple):
            from brou_tools.check.scenario_faults import find_file_faults  # noqa: PLC0415 - likewise

            yield from find_file_faults(path, project)
        else:
            yield from _of_kind(path, node, project=project)
    except Unusable as error:
        yield from error.faults


def _of_chapters(path: Path, folder: Path, game: str) -> Iterator[Fault]:
    """Yield the faults of the game that a file of chapters belongs to: no chapter means anything without the others."""
    if game not in catalogue(folder):
        what = f"a file of a game in chapters, and {game} has no {FRAME}"
        yield Fault(Place(str(path), 1, 1), what, "put it into the folder of its game")
        return
    yield from _of_game(path.parent, folder, game, ["obligations"])


def _of_game(shown: Path, folder: Path, game: str, beside: Iterable[str] = ()) -> Iterator[Fault]:
    """Yield the faults of a game of a folder, and, if it has none, of kinds of files beside its rules."""
    for one in list(game_faults(game, folder)) or beside_faults(game, folder, beside):
        own = one.place.file.startswith(f"games/{game}/")
        yield _rename_file(one, str(shown / Path(one.place.file).name)) if own else one


def _is_translation(path: Path, node: Node) -> bool:
    """Say whether a file is called like a translation of scenarios, and holds no data of another format."""
    if isinstance(node.value, dict) and "format" in node.fields:
        return False
    from brou_conformance.scenarios.corpus import is_translation  # noqa: PLC0415 - only where there are scenarios

    return is_translation(path)


def _of_kind(path: Path, node: Node, shown: str = "", project: Project | None = None) -> Iterator[Fault]:
    """Yield the faults of a file with a format; a file beside rules is checked against them."""
    name = shown or str(path)
    faults = list(file_faults(path, name))
    yield from faults
    if faults:
        return
    kind, home = find_kind(node), home_of(path)
    if kind in (RECORD, POSITION):
        yield from _of_table(path, kind, node, project or find_project(path))
    elif kind == "language":
        folder = path.resolve().parent.parent
        for one in _of_languages(folder):
            if (folder / one.place.file) == path.resolve():
                yield _rename_file(one, name)
    elif home is not None:
        folder, game = home
        own = f"games/{game}/{path.name}"
        for one in beside_faults(game, folder, [kind]):
            yield _rename_file(one, name) if one.place.file == own else one


def _of_table(path: Path, kind: str, node: Node, project: Project) -> Iterator[Fault]:
    """Yield the faults of a record or a position beyond its shape: rules that do not exist, deals named twice."""
    try:
        game = rules(choose(node.string("rules"), project))
        yield from _find_surplus(CardReader(game.deck).read_node(node), Counter(map(find_face, game.deck.cards)))
        (record if kind == RECORD else position)(path, game)
    except Unusable as error:
        yield from (_rename_file(one, node.place.file) for one in error.faults)
    except BrouError as error:
        yield Fault(node.fields["rules"].place, str(error))


def _find_surplus(node: Node, pack: Counter[str]) -> Iterator[Fault]:
    """Yield the cards that a list of a table has more often than the pack."""
    if isinstance(node.value, dict):
        for one in node.fields.values():
            yield from _find_surplus(one, pack)
    elif isinstance(node.value, tuple):
        left = pack.copy()
        for one in node.items:
            yield from _find_surplus(one, pack)
            if isinstance(one.value, str) and one.value in pack:
                left[one.value] -= 1
                if left[one.value] < 0:
                    yield Fault(one.place, f"{one.value} lies here more often than the pack has it", "leave it out")


def _rename_file(one: Fault, file: str) -> Fault:
    """Return a fault under another name of its file."""
    return replace(one, place=replace(one.place, file=file))


def _begins_a_report(path: Path) -> bool:
    """Say whether the first line of a file is that of a record of `brou verify`, under any file name."""
    try:
        with path.open("rb") as file:
            line = file.readline(_FIRST)
    except OSError:
        return False
    if not line.lstrip().startswith(b"{"):
        return False

    try:
        return decode(line).get("kind") == "begin"
    except NoMessage:
        return False


#: As much is read of a line to see whether it begins a record.
_FIRST = 1_000_000


def _report_faults(path: Path, shown: str) -> Iterator[Fault]:
    """Yield the first line of a record that is none, or that the record does not end as it was written."""
    from brou_conformance.reports.record import read_record  # noqa: PLC0415 - likewise

    number = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if told := fault("record", decode(line)):
                    yield Fault(Place(shown, number, 1), told, "leave the record as `brou verify --report` wrote it")
                    return
        if not read_record(path).complete:
            what = "the record is cut off, or not as it was written"
            yield Fault(Place(shown, max(number, 1), 1), what, "go on with it: brou verify --report FILE --resume")
    except NoMessage as error:
        instead = "leave the record as `brou verify --report` wrote it, or go on with it by --resume"
        yield Fault(Place(shown, number, 1), str(error), instead)
    except NoFile:
        yield Fault(Place(shown, 1, 1), "no report", "name a file that `brou verify --report` wrote")
    except OSError as error:
        yield Fault(Place(shown, 1, 1), f"cannot be read: {error.strerror}")


# A folder with all that lies below it ---------------------------------------------------------------------------------


def _of_folder(folder: Path) -> Iterator[Fault]:
    """Yield the faults of everything below a folder: games with the files beside them, scenarios, single files."""
    if (place := folder.resolve()).parent.name == "games" and (place / FRAME).is_file():
        yield from _of_game(folder, place.parent.parent, place.name)
        return
    unread: list[Fault] = []
    found = list(_below(folder, unread))
    yield from unread
    if not found and not unread:
        instead = "name a file, or a folder with games/, scenarios, records or reports below it"
        yield Fault(Place(str(folder), 1, 1), "nothing to check: no file of data lies here", instead)
    looked: frozenset[Path] = frozenset()
    if (folder / "games").is_dir():
        looked = frozenset(path for path in list_checked_files(folder) if path.exists())
        yield from _of_games(folder)
    yield from _of_rest(folder, [path for path in found if path not in looked])


def _below(folder: Path, unread: list[Fault]) -> Iterator[Path]:
    """Yield every file that may hold data, hidden ones aside; add the folders that cannot be looked into."""

    def refuse(error: OSError) -> None:
        shown = _name_file(Path(error.filename or folder), folder)
        unread.append(Fault(Place(shown, 1, 1), f"cannot be read: {error.strerror}", "let it be read, or take it out"))

    for place, inside, files in os.walk(folder, onerror=refuse):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in inside:
            linked = Path(place, name)
            if linked.is_symlink() and not linked.resolve().is_relative_to(folder.resolve()):
                what = "a link that leads out of its folder"
                unread.append(Fault(Place(_name_file(linked, folder), 1, 1), what, "put the folder itself there"))
        for name in sorted(files):
            if not name.startswith(".") and Path(name).suffix in (*_DATA, *_REPORTS):
                yield Path(place, name)


def _name_file(path: Path, folder: Path) -> str:
    """Return how messages call a file of a folder."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _of_languages(folder: Path) -> Iterator[Fault]:
    """Yield what does not fit in the languages that a folder brings."""
    forget_changed(folder)
    if any((folder / LANGUAGES_FOLDER).glob("*.yaml")):
        from brou_tools.situation.parts import list_parts  # noqa: PLC0415 - only where there is a language

        yield from find_language_faults(folder, list_parts(folder))


def _of_games(folder: Path) -> Iterator[Fault]:
    """Yield the faults of all games of a folder; of games without any, the faults of the files beside their rules."""
    found = check(folder)
    yield from found
    yield from [] if found else _of_languages(folder)
    at_fault = {one.place.file.split("/")[1] for one in found if one.place.file.startswith("games/")}
    for game in catalogue(folder):
        if game not in at_fault:
            yield from beside_faults(game, folder)


def _of_rest(folder: Path, paths: Iterable[Path]) -> Iterator[Fault]:
    """Yield the faults of files that no game of the folder uses: scenarios together, others one by one."""
    groups: set[Path] = set()
    for path in paths:
        shown = _name_file(path, folder)
        if path.suffix in _REPORTS:
            yield from _report_faults(path, shown)
            continue
        try:
            node = read_below(folder, shown)
        except Unusable as error:
            yield from error.faults
            continue
        if _is_translation(path, node):
            groups.add(path.parent.resolve())
        elif not isinstance(node.value, tuple):
            yield from _of_kind(path, node, shown)
        elif path.suffix == _DATA[0]:
            groups.add(path.parent.resolve())
        else:
            yield Fault(node.place, f"scenarios are not read from a file that ends with {path.suffix}", "name it .yaml")
    for group in sorted(groups):
        yield from _of_group(group, folder)


def _of_group(group: Path, folder: Path) -> Iterator[Fault]:
    """Yield the faults of the scenarios of one game, which lie in a folder of its name."""
    from brou_tools.check.scenario_faults import find_game_faults  # noqa: PLC0415 - only where there are scenarios

    data = folder if group.name in catalogue(folder) else None
    for one in find_game_faults(group.name, replace(open_project(data), scenarios=group.parent)):
        path = group.parent / one.place.file
        yield _rename_file(one, _name_file(path, folder.resolve())) if path.exists() else one
