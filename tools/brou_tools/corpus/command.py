"""`brou corpus`: the scenarios listed, shown or bundled, and their coverage."""

from __future__ import annotations

import json
from pathlib import Path

from brou import NoFile, Project, Unknown
from brou.atomic import expect, make_folder, put
from brou.words import find_user_language
from brou_conformance.programs.engine import choices
from brou_conformance.protocol import schema
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.coverage import CoverageReport, coverage, report_coverage, table
from brou_conformance.scenarios.scenario import ScriptStep
from brou_tools.corpus.options import BundleOptions, CorpusShowOptions, CoverageOptions, ListOptions
from brou_tools.documents.json_document import print_document, print_report
from brou_tools.situation.examples import choose_rules
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit

#: What the name of an archive ends with.
_ARCHIVE = ".zip"


def run(options: ListOptions | CorpusShowOptions | CoverageOptions | BundleOptions) -> int:
    """List scenarios, show one, print their coverage, or bundle them."""
    project = options.project
    folder = _folder(options.scenarios, project)
    match options:
        case BundleOptions():
            conclude(f"bundled {count(len(_games(options.games, folder)), 'game')} into {options.output}")
            _bundle(_games(options.games, folder), folder, project, Path(options.output))
        case CorpusShowOptions():
            _show(options, folder, _language(options.lang, project))
        case ListOptions(schema=True):
            print(json.dumps(schema("corpus"), indent=2))
        case CoverageOptions(schema=True):
            print(json.dumps(schema("coverage"), indent=2))
        case ListOptions():
            _list(_games(options.games, folder), folder, _language(options.lang, project), as_json=options.json)
        case CoverageOptions():
            return _cover(_games(options.games, folder), folder, project, as_json=options.json)
    return Exit.FINE


def _language(named: str | None, project: Project) -> str:
    """Return the language of titles and reasons; none is taken from the locale, as files are shown as they are."""
    return find_user_language(named, {}, project)


def _folder(named: str | None, project: Project) -> Path:
    """Return the folder of the scenarios, which holds those of some game."""
    folder = project.scenarios if named is None else Path(named)
    if not corpus.games(folder):
        raise NoFile(folder, "a folder that holds GAME/*.yaml", "no folder of scenarios")
    return folder


def _games(named: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    known = corpus.games(folder)
    for game in named:
        if game not in known:
            raise Unknown("game with scenarios", game, known)
    return tuple(dict.fromkeys(named)) or known


def _list(games: tuple[str, ...], folder: Path, lang: str, *, as_json: bool) -> None:
    found = [corpus.translate(one, lang, folder) for game in games for one in corpus.scenarios(game, folder)]
    if as_json:
        print_report(corpus.CorpusReport(scenarios=tuple(map(corpus.entry, found))))
        return
    for one in found:
        print(f"{one.id}  {one.title}")


def _cover(games: tuple[str, ...], folder: Path, project: Project, *, as_json: bool) -> Exit:
    covered = [coverage(game, folder, project) for game in games]
    if as_json:
        print_report(CoverageReport(games=tuple(map(report_coverage, covered))))
    else:
        print("\n".join(table(found) for found in covered), end="")
    return Exit.FINE if all(found.complete for found in covered) else Exit.FINDING


def _bundle(games: tuple[str, ...], folder: Path, project: Project, output: Path) -> None:
    """Write the portable corpus of some games to an archive or a folder, its index last."""
    from brou_conformance.portable.bundling import INDEX, make_archive, make_bundle  # noqa: PLC0415 - plays the corpus
    from brou_tools.guides.guide_text import write_guide  # noqa: PLC0415 - likewise

    if output.suffix != _ARCHIVE:
        make_folder(output)
    expect(output if output.suffix == _ARCHIVE else output / INDEX)
    guides = {game: write_guide(game, project, choices([game], project)) for game in games}
    made = make_bundle(games, guides, folder, project)
    if output.suffix == _ARCHIVE:
        put(output, make_archive(made))
    else:
        for path, content in made.items():
            make_folder((output / path).parent)
            put(output / path, content)
    cases = sum(content.count(b"\n") for path, content in made.items() if path.endswith(".ndjson"))
    print(f"{output}: {len(made)} files, {cases} cases, {sum(map(len, made.values()))} bytes")


def _show(options: CorpusShowOptions, folder: Path, lang: str) -> None:
    wanted, _, step = options.id.partition("#")
    everything = [one for game in corpus.games(folder) for one in corpus.scenarios(game, folder)]
    found = next((one for one in everything if one.id == wanted), None)
    if found is None:
        raise Unknown("scenario", wanted, (one.id for one in everything), "brou corpus list")
    steps = [line.id for line in found.lines if isinstance(line, ScriptStep)]
    if step and step not in steps:
        raise Unknown(f"step of {found.id}", step, steps)
    if options.html:
        from brou_tools.viewer.scenario_page import write_scenario_page  # noqa: PLC0415 - templates are slow to import

        choice = choose_rules(found, options.rules, options.project)
        put(Path(options.html), write_scenario_page(found, choice, lang, folder))
        print(f"{options.html}: {found.id}, by {choice}")
    elif options.json:
        told = corpus.translate(found, lang, folder)
        members = {key: item.plain() for key, item in corpus.source(found, folder).fields.items()}
        scenario = members | {"title": told.title, "because": told.because}
        print_document("scenarios", {"games": [{"game": found.game, "scenarios": [scenario]}]})
    else:
        print(corpus.text(found, folder, lang), end="")
