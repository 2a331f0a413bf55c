"""Checks of texts without understanding them: complete in every language, and of one form in all of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from brou.errors import Fault, nearest
from brou.language.node import Node
from brou.language.recent import Recent
from brou.language.short_entry import SLOT
from brou.language.syntax import Game, Show
from brou.language.types import Named
from brou.words.glossary import ORIGINAL, Glossary, Language
from brou.words.text import find_slots, is_text, texts

_DIGIT = re.compile(r"[0-9]")

#: What may hold digits in a text: a name in braces, the id of a clause or an open passage, and a year.
_ALLOWED = re.compile(rf"{SLOT.pattern}|\b[a-z]+(?:\.[a-z0-9-]+)+\b|\b(?:1\d|20)\d\d\b", re.ASCII)

#: Types of the language itself, whose values have names of their own.
_GIVEN = ("card", "suit", "rank", "player", "team")

#: The acts, and what names them too.
_ACTS = "acts"
_CHOSEN = {"choices": _ACTS}


def text_faults(file: Node, names: Collection[str], words: Glossary, languages: Collection[str]) -> Iterator[Fault]:
    """Yield the faults of the texts of a data file.

    `names` may appear in braces, and each text needs all the `languages`. Without languages, data do not speak with the
    words of the glossary, so that nothing in them can blur these.
    """
    yield from language_faults(file, words, languages)
    for path, text in texts(file):
        yield from _form_faults(text, words)
        if languages:
            yield from _blur_faults(text, words)
        for written in text.fields.values():
            yield from _slot_faults(written, names)
            if path[-1] != "title" and _DIGIT.search(_ALLOWED.sub("", written.text)):
                yield Fault(written.place, "a bare digit in a text", "write the name of the parameter in braces")


def language_faults(file: Node, words: Glossary, languages: Collection[str]) -> Iterator[Fault]:
    """Yield the texts of a data file that lack one of the `languages`, or have one that the glossary has not."""
    for _, text in texts(file):
        yield from _spoken_faults(text, words, languages)


def glossary_faults(words: Glossary) -> Iterator[Fault]:
    """Yield the faults of a glossary: a text that lacks a language, or has another form in one."""
    for section in ("ranks", "suits", "card", "codes", "frame", "terms", "names", "games"):
        if (node := words.node.get(section)) is not None:
            for text in _find_texts(node):
                yield from _spoken_faults(text, words, words.own_languages)
                yield from _form_faults(text, words)
                yield from _blur_faults(text, words)


def naming_faults(game: Game, words: Glossary) -> Iterator[Fault]:
    """Yield what people read of a game and the glossary does not name, and phrases that use what no act has."""
    for kind, names in _list_named(game).items():
        for name in names:
            if words.find_name(kind, name, game.id) is None:
                instead = f"write names/{kind}/{name} into the glossary"
                yield Fault(words.node.place, f"{game.id} has {name!r}, which has no name among {kind}", instead)
    for section, codes in (("ranks", game.deck.ranks), ("suits", game.deck.suits)):
        for code in codes:
            if code not in words.node.fields[section].fields:
                yield Fault(words.node.place, f"{game.id} has a card {code!r}, which is not among the {section}")
    for name, action in game.actions.items():
        phrases = filter(None, (words.find_name(_ACTS, name, game.id), words.find_choice(name, game.id)))
        for text in chain.from_iterable(map(_find_texts, phrases)):
            for written in text.fields.values():
                yield from _slot_faults(written, [parameter.id for parameter in action.parameters])


def idle_name_faults(name: str, games: Sequence[Game], words: Glossary) -> Iterator[Fault]:
    """Yield the names of a game in a glossary that none of its rules have, and acts with words for other values."""
    said = words.node.get("games")
    own = None if said is None else said.get(name)
    for kind, named in {} if own is None else own.fields.items():
        known = {one for game in games for one in _list_named(game)[_CHOSEN.get(kind, kind)]}
        for called, node in named.fields.items():
            if called not in known:
                near = "".join(f"write {one!r}" for one in nearest(called, known)[:1])
                what = f"{name} has no {called!r} among its {kind}"
                there = f"there are {', '.join(sorted(known))}" if known else f"leave it out: the game has no {kind}"
                yield Fault(named.find_key(called), what, near or there)
            elif _CHOSEN.get(kind, kind) == _ACTS:
                forms = [game.actions[called].parameters for game in games if called in game.actions]
                taken = list(dict.fromkeys(parameter.id for form in forms for parameter in form))
                for written in _list_written(node):
                    yield from _slot_faults(written, taken)


def _list_written(node: Node) -> Iterator[Node]:
    """Yield the texts of a word in all languages and variants."""
    if isinstance(node.value, dict):
        for item in node.value.values():
            yield from _list_written(item)
    else:
        yield node


def _list_named(game: Game) -> dict[str, list[str]]:
    """Return what people read by name: decisions, acts, the values of enumerations, and what views and scores show."""
    enumerations = [type_ for type_ in game.types.values() if isinstance(type_, Named) and type_.name not in _GIVEN]
    shown = [name for show in (*game.view, *game.score) for name in (show.id, *_keys(show))]
    return {
        "phases": [name for name, phase in game.phases.items() if phase.actions or phase.final],
        _ACTS: list(game.actions),
        "values": [str(value) for type_ in enumerations for value in type_.members],
        "fields": list(dict.fromkeys(shown)),
    }


def _keys(show: Show) -> Iterator[str]:
    """Yield the keys of the records that a view or a score shows."""
    if show.inner is not None:
        yield from _keys(show.inner)
    for field in show.fields:
        yield field.id
        yield from _keys(field)


def _find_texts(node: Node) -> Iterator[Node]:
    """Yield the texts of a part of the glossary, whatever their keys."""
    if not isinstance(node.value, dict):
        return
    if is_text(node):
        yield node
        return
    for key, item in node.value.items():
        if key != "avoid":
            yield from _find_texts(item)


def _spoken_faults(text: Node, words: Glossary, languages: Collection[str]) -> Iterator[Fault]:
    """Yield which of the languages a text lacks, and which it has that are none of the glossary."""
    known = ", ".join(words.languages)
    for lang, written in text.fields.items():
        if lang not in words.languages:
            what = f"a text in {lang!r}, which is no language of the glossary"
            yield Fault(written.place, what, f"there are {known}")
    lacking = [f"{words.languages[lang].name} ({lang})" for lang in languages if lang not in text.fields]
    if lacking:
        yield Fault(text.place, f"no text in {', '.join(lacking)}", "write it in every language", is_lagging=True)


def _slot_faults(written: Node, names: Collection[str]) -> Iterator[Fault]:
    """Yield the braces that hold no name."""
    for name in sorted(find_slots(written.text) - set(names)):
        known = ", ".join(names) or "none"
        yield Fault(written.place, f"{{{name}}} names no parameter or attribute", f"there are {known}")


def _form_faults(text: Node, words: Glossary) -> Iterator[Fault]:
    """Yield what a translation has in braces and the original has not, and what its language writes otherwise."""
    first = text.get(ORIGINAL) or next(iter(text.fields.values()))
    for lang, written in text.fields.items():
        if lang not in words.languages:
            continue
        here, there = find_slots(written.text), find_slots(first.text)
        if here != there:
            told = ", ".join(f"{{{name}}}" for name in sorted(here ^ there))
            yield Fault(written.place, f"{told} is not in every language of this text", "use the same names in all")
        yield from _mark_faults(written, words.languages[lang])


def _blur_faults(text: Node, words: Glossary) -> Iterator[Fault]:
    """Yield the words that a language avoids, each with the term that is written instead."""
    for lang, written in text.fields.items():
        for word, instead in _blurring(written.text, lang, words) if lang in words.languages else ():
            yield Fault(written.place, f"{word!r} blurs a term of the house", f"write {instead!r} or another word")


#: How the words to avoid are looked for, all at once, by language.
_LATELY: Recent[re.Pattern[str]] = Recent(maxsize=16)


def _blurring(text: str, lang: str, words: Glossary) -> Iterator[tuple[str, str]]:
    """Yield each word of a text that its language avoids, with what to write instead."""
    every = _LATELY.find(lang, words.node)
    if every is None:
        avoided = [_whole(word) for avoiding, word, _ in words.list_avoided() if avoiding == lang]
        every = _LATELY.keep(re.compile("|".join(avoided) or r"(?!)", re.IGNORECASE), lang, words.node)
    if every.search(text):
        for avoiding, word, instead in words.list_avoided():
            if avoiding == lang and re.search(_whole(word), text, re.IGNORECASE):
                yield word, instead


def _whole(word: str) -> str:
    return rf"\b{re.escape(word)}\b"


def _mark_faults(written: Node, language: Language) -> Iterator[Fault]:
    """Yield marks that are typed without the space that belongs to them."""
    for typed in language.marks:
        mark = typed.strip()
        if mark != typed and written.text.count(mark) > written.text.count(typed):
            yield Fault(written.place, f"{mark!r} without a plain space in a text in {language.id}", f"type {typed!r}")
