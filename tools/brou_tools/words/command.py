"""`brou words`: begins a language of a project, and lists its texts that are still in another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from brou import ORIGINAL, Impossible, Node, Project, book, catalogue, glossary, house
from brou.atomic import make_folder, put, read_named
from brou.chapters import Token, Variants, mark_text
from brou.games import find_language, forget_everything
from brou.words import LANGUAGES_FOLDER, has_text, list_texts, read_languages
from brou_tools.situation.parts import list_parts
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.words.language_file import add_missing, write_game_words, write_new
from brou_tools.words.options import WordsOptions

_NAME = re.compile(r"[a-z]{2}")


def run(options: WordsOptions) -> int:
    """Write the files of a language, or list what they lack."""
    lang, project = options.language, options.project
    _check_language(lang, project)
    missing = list(_list_missing(lang, project))
    if options.missing:
        conclude(f"{count(len(missing), 'text')} to translate")
        for name, path, text in missing:
            print(f"{name}: {path}: {text}")
        return Exit.FINDING if missing else Exit.FINE
    for name, content in _write_files(lang, project):
        file = project.data / name
        make_folder(file.parent)
        put(file, content)
    forget_everything()
    own = [_name_file(lang)] if _needs_file(lang, project) else []
    for name in [*own, *(_name_words(game, lang) for game in _list_games(project))]:
        print(f"{name}: {count(sum(one == name for one, _, _ in missing), 'text')} to translate")
    return Exit.FINE


def _check_language(lang: str, project: Project) -> None:
    if not _NAME.fullmatch(lang):
        raise Impossible(f"a language cannot be called {lang[:40]!r}; write two small letters, as in `nl`")
    if project.data == house().data:
        raise Impossible(
            "no project to add a language to: go to its folder, or name it with --data; docs/languages.md "
            "says where the texts of Brou's own games are"
        )
    if not project.data.is_dir():
        raise Impossible(f"{project.data} is a bundle, which holds what its folder says; write there")
    if not _needs_file(lang, project) and find_language(project.data) == lang:
        raise Impossible(f"{lang} is what the project is written in, and Brou speaks it: nothing is to be translated")
    if _needs_file(lang, project) and lang == ORIGINAL:
        raise Impossible(f"Brou speaks {lang} already; name it among `languages` of glossary.yaml, with its words")


def _name_file(lang: str) -> str:
    return f"{LANGUAGES_FOLDER}/{lang}.yaml"


def _name_words(game: str, lang: str) -> str:
    return f"games/{game}/words.{lang}.yaml"


def _needs_file(lang: str, project: Project) -> bool:
    """Say whether what Brou says has to be translated into a language, which the glossary lacks."""
    return lang not in glossary(project).own_languages


def _list_games(project: Project) -> list[str]:
    """Return the games that are written in chapters: generated rules have their texts in all languages side by side."""
    return [game for game in catalogue(project) if isinstance(book(game, project).maker, Variants)]


def _list_originals(game: str, lang: str, project: Project) -> Mapping[str, Token]:
    """Return the texts of a game that are written in another language."""
    maker = book(game, project).maker
    volume = maker.volume if isinstance(maker, Variants) else None
    return (
        {id_: one for id_, one in volume.list_texts().items() if volume.texts.find_language(one) != lang}
        if volume
        else {}
    )


def _list_missing(lang: str, project: Project) -> Iterator[tuple[str, str, str]]:
    """Yield each text to be translated: the file that it belongs in, its path there, and the original."""
    file = read_languages(project.data).get(lang)
    for part, texts in list_parts(project.data).items() if _needs_file(lang, project) else ():
        for path, text in list_texts(texts):
            if file is None or not has_text(file, part, path, text):
                yield _name_file(lang), f"{part}/{path}", _tell(text.fields[ORIGINAL])
    for game in _list_games(project):
        maker = book(game, project).maker
        said = maker.volume.texts if isinstance(maker, Variants) else None
        for id_, original in _list_originals(game, lang, project).items():
            if said is not None and lang not in said.find(id_, original):
                yield _name_words(game, lang), id_, " ".join(original.split())


def _tell(text: Node) -> str:
    return " / ".join(item.text for item in text.items) if isinstance(text.value, tuple) else text.text


def _write_files(lang: str, project: Project) -> Iterator[tuple[str, str]]:
    """Yield each file to be written with its content; the words of a game that are there already stay as they are."""
    file, parts = read_languages(project.data).get(lang), list_parts(project.data)
    name = _name_file(lang)
    if not _needs_file(lang, project):
        pass
    elif file is None:
        yield name, write_new(lang, parts)
    else:
        source = read_named(project.data / name).decode()
        content = add_missing(source, file, parts)
        if content != source:
            yield name, content
    for game in _list_games(project):
        own = _name_words(game, lang)
        marks = {id_: (str(one), mark_text(one)) for id_, one in _list_originals(game, lang, project).items()}
        if marks and not (project.data / own).exists():
            yield own, write_game_words(game, lang, marks)
