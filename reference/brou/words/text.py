"""Texts of the data as people read them: in their language, every number from the rules by its name in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from brou.cache import load_or_make
from brou.errors import Unknown
from brou.games.bundle import open_bundle
from brou.games.data import read_section
from brou.games.folder import Folder, find_language, locate
from brou.games.freshness import forget_changed, keep_until_changed
from brou.language.codec import Json
from brou.language.node import Node
from brou.language.short_entry import SLOT
from brou.language.syntax import Game, Parameter
from brou.language.types import BOOL, Cards, Int, Named, Pile
from brou.words.glossary import ORIGINAL, Glossary, choose_language, choose_text, glossary

#: How a language is written as a key, and the one mapping whose keys are names that a game chooses for values.
_LANGUAGE = re.compile(r"[a-z]{2}\Z")
_NAMES = "args"

#: The variables that hold the language of the user; the first that is set counts.
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")

#: What stands for no card at all.
NOTHING = "—"


def find_user_language(explicit: str | None, environment: Mapping[str, str], folder: Folder = None) -> str:
    """Return the language to speak: the one asked for, else that of the locale if the glossary has it.

    Otherwise it is the language that the project is written in, or where the glossary has it not the first one there.
    """
    data = locate(folder)
    forget_changed(data)
    known = glossary(folder).languages
    if explicit:
        if explicit not in known:
            raise Unknown("language", explicit, known)
        return explicit
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    spoken = re.split(r"[_.@-]", locale.lower(), maxsplit=1)[0]
    return next((one for one in (spoken, find_language(data), ORIGINAL) if one in known), next(iter(known), ORIGINAL))


def texts(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield every text of a data file, a mapping from languages, with the keys that lead to it."""
    if isinstance(node.value, dict):
        for key, item in node.value.items():
            if key == _NAMES:
                continue
            if is_text(item):
                yield (*path, key), item
            else:
                yield from texts(item, (*path, key))
    elif isinstance(node.value, tuple):
        for number, item in enumerate(node.value):
            yield from texts(item, (*path, str(number)))


def is_text(node: Node) -> bool:
    """Say whether a mapping holds words by language: nothing but scalars, one in a language that the house knows."""
    members = node.value if isinstance(node.value, dict) else {}
    plain = all(_LANGUAGE.match(key) and not isinstance(item.value, (dict, tuple)) for key, item in members.items())
    return plain and not members.keys().isdisjoint(glossary().languages)


def find_slots(text: str) -> frozenset[str]:
    """Return the names in braces."""
    return frozenset(match[1] for match in SLOT.finditer(text))


def prose(node: Node, game: Game, lang: str = ORIGINAL, folder: Folder = None) -> str:
    """Return a text of the data in a language, else in the original one, rendered as that language writes."""
    spoken = choose_language(node, lang)
    return render(choose_text(node, spoken), game, spoken, folder)


def render(text: str, game: Game, lang: str = ORIGINAL, folder: Folder = None) -> str:
    """Return a text with every `{name}` replaced by what the rule base says, set as the language prints it."""
    words = glossary(folder)
    filled = SLOT.sub(lambda match: show_value(match[1], game, lang, folder), text)
    return words.language(lang).typeset(filled)


def show_value(name: str, game: Game, lang: str = ORIGINAL, folder: Folder = None) -> str:
    """Return how a parameter or an attribute is written in a text."""
    words = glossary(folder).of_pack(game.deck.suits, game.deck.ranks)
    if name in game.attributes:
        return _attribute(name, game, words, lang)
    written = words.language(lang).number
    number = game.params[name].value
    if isinstance(number, int):
        return written(number)
    lists = [item if isinstance(item, tuple) else (item,) for item in number]
    if all(isinstance(item, int) for item in number):
        return "-".join(written(item) for item in number if isinstance(item, int))
    return ", ".join("-".join(written(part) for part in item) for item in lists)


def _attribute(name: str, game: Game, words: Glossary, lang: str) -> str:
    """Return ranks with their numbers, or from high to low where every rank has another number."""
    ranks = {card[0]: number for card, number in game.attributes[name].values.items()}
    high_first = sorted(ranks, key=lambda rank: -ranks[rank])
    if len(set(ranks.values())) == len(ranks):
        return " ".join(words.index(rank, lang) for rank in high_first)
    groups = groupby(high_first, key=ranks.__getitem__)
    return ", ".join(
        f"{' '.join(words.index(rank, lang) for rank in group)} = {words.language(lang).number(number)}"
        for number, group in groups
    )


def phrase(act: Mapping[str, Json], game: Game, lang: str = ORIGINAL, folder: Folder = None) -> str:
    """Return an act in words that follow the name of the seat.

    An act without words in the glossary gets its name and its values. So does one whose words there name a value that
    it does not take: they belong to another act of the same name. Raise `Unknown` if the game has no such action.
    """
    name = next(iter(act)).replace("-", "_")
    return _fill_phrase(act, glossary(folder).find_name("acts", name, game.id), game, lang, folder)


def phrase_choice(act: Mapping[str, Json], game: Game, lang: str = ORIGINAL, folder: Folder = None) -> str:
    """Return an act in words that offer it, with a capital, as a button has them: "Call cape et dehors".

    Where the glossary has no such words, they are those of `phrase`.
    """
    name, words = next(iter(act)).replace("-", "_"), glossary(folder)
    pattern = words.find_choice(name, game.id) or words.find_name("acts", name, game.id)
    told = _fill_phrase(act, pattern, game, lang, folder)
    return told[:1].upper() + told[1:]


def _fill_phrase(act: Mapping[str, Json], pattern: Node | None, game: Game, lang: str, folder: Folder) -> str:
    ((outside, given),) = act.items()
    name = outside.replace("-", "_")
    if name not in game.actions:
        raise Unknown(f"action of {game.id}", name, game.actions)
    words, parameters = glossary(folder).of_pack(game.deck.suits, game.deck.ranks), game.actions[name].parameters
    values = given if isinstance(given, dict) else dict.fromkeys((one.id for one in parameters), given)
    if pattern is None or not _find_slots(pattern) <= {one.id for one in parameters}:
        return " ".join([outside, *(_write_parameter(one, values[one.id], game, words, lang) for one in parameters)])
    variants = (pattern.get(_variant(one, values[one.id])) for one in parameters)
    pattern = next((item for item in variants if item is not None), pattern)
    written = {one.id: _write_parameter(one, values[one.id], game, words, lang) for one in parameters}
    filled = SLOT.sub(lambda match: written.get(match[1], match[0]), choose_text(pattern, lang))
    return words.language(lang).typeset(filled)


def _find_slots(pattern: Node) -> set[str]:
    """Return the parameters that some words of an act name, in whatever language."""
    if not isinstance(pattern.value, dict):
        return set(SLOT.findall(pattern.text))
    return set[str]().union(*map(_find_slots, pattern.fields.values()))


def _variant(parameter: Parameter, given: Json) -> str:
    """Return the name of the variant of an act's words: for a truth value, and for no card at all."""
    if parameter.type == BOOL:
        return str(given).lower()
    return "none" if isinstance(parameter.type, (Cards, Pile)) and not given else ""


def _write_parameter(parameter: Parameter, given: Json, game: Game, words: Glossary, lang: str) -> str:
    """Return a parameter of an act as people read it."""
    match parameter.type:
        case Named(name="card"):
            return words.short(_name(given), lang)
        case Named(name="suit"):
            return words.suit(_name(given), lang)
        case Named(name="rank"):
            return words.rank(_name(given), lang)
        case Named(members=members) if isinstance(members[0], str):
            return words.name("values", _name(given).replace("-", "_"), lang, game.id)
        case Named() | Int() if isinstance(given, int):
            return words.language(lang).number(given)
        case Cards() | Pile() if isinstance(given, list):
            return " ".join(words.short(_name(card), lang) for card in given) or NOTHING
        case Named() | Int() | Cards() | Pile():
            raise TypeError(f"{parameter.id}: {given!r} is no {parameter.type}")
    return "-".join(str(part) for part in given) if isinstance(given, list) else str(given)


def _name(given: Json) -> str:
    if isinstance(given, str):
        return given
    raise TypeError(f"{given!r} is no name")


#: The sections whose members can be cited, and the key of their text.
_CITABLE = {"clauses": "text", "ambiguities": "question"}


def citable(game: str, folder: Folder) -> Mapping[str, Node]:
    """Return the texts of a game that can be cited, by the ids of clauses and of open passages."""
    return _find_citable(game, locate(folder))


@keep_until_changed(maxsize=16)
def _find_citable(game: str, data: Path) -> Mapping[str, Node]:
    if open_bundle(data) is not None:
        return dict(_list_citable(game, data))
    files = sorted((data / "games" / game).glob("*.yaml"))
    return load_or_make("texts", files, (game, data, find_language(data)), lambda: dict(_list_citable(game, data)))


def _list_citable(game: str, folder: Path) -> Iterator[tuple[str, Node]]:
    for section, key in _CITABLE.items():
        for id_, node in read_section(game, section, folder).fields.items():
            text = node.get(key)
            if text is not None:
                yield id_, text
