"""Texts as people read them: their language, numbers from the rules, cards and acts in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from brou import Malformed, Unknown, catalogue, rules, spread
from brou.chapters.tokens import RefusalCode
from brou.games.folder import root
from brou.language.codec import Json
from brou.language.node import Node
from brou.language.source import parse_yaml
from brou.language.syntax import Game
from brou.words.glossary import ORIGINAL, choose_text, glossary
from brou.words.text import find_slots, find_user_language, phrase, phrase_choice, prose, render, show_value, texts

LANGUAGES = ("en", "fr", "de")


def brou() -> Game:
    """Return the rules of 1802."""
    return rules("homme-de-brou")


def test_numbers_come_from_the_rules() -> None:
    """A text names a parameter in braces and is read with what the rules say, a reading's own number included."""
    assert render("{target} in {tricks} tricks", brou()) == "301 in 8 tricks"
    assert render("{match_parties}", rules("homme-de-brou[match_parties=10]")) == "10"


@pytest.mark.parametrize(
    ("lang", "order", "worth"),
    [
        ("en", "A 10 K Q J 9 8 7", "A = 11, 10 = 10, K = 4, Q = 3, J = 2, 9 8 7 = 0"),
        ("fr", "A 10 R D V 9 8 7", "A = 11, 10 = 10, R = 4, D = 3, V = 2, 9 8 7 = 0"),
        ("de", "A 10 K D B 9 8 7", "A = 11, 10 = 10, K = 4, D = 3, B = 2, 9 8 7 = 0"),
    ],
)
def test_ranks_bear_the_indices_of_the_language(lang: str, order: str, worth: str) -> None:
    """An order is told from high to low, values with their ranks, each as it stands on a card of that country."""
    assert show_value("strength", brou(), lang) == order
    assert show_value("pips", brou(), lang) == worth


def test_lists_of_numbers() -> None:
    """A list is joined by hyphens, a list of lists by commas."""
    assert show_value("packet_patterns", brou()) == "3-3-2, 2-3-3, 3-2-3"


@pytest.mark.parametrize(
    ("number", "en", "fr", "de"),
    [
        (301, "301", "301", "301"),
        (-20, "\u221220", "\u221220", "\u221220"),
        (1234, "1,234", "1\u202f234", "1234"),
        (-12345, "\u221212,345", "\u221212\u202f345", "\u221212.345"),
    ],
)
def test_numbers_are_written_as_the_language_does(number: int, en: str, fr: str, de: str) -> None:
    """Each language has its own minus, and groups thousands in its own way or not yet."""
    written = [glossary().languages[lang].number(number) for lang in LANGUAGES]

    assert written == [en, fr, de]


def test_marks_are_set_as_the_language_prints_them(tiny: Callable[..., Game]) -> None:
    """French marks keep their word by a space where no line may break; apostrophes are curved everywhere."""
    typed = "l'as : « ici » ! Où ? Là ; {three}"

    assert render(typed, tiny(), "fr") == "l\u2019as\u00a0: «\u00a0ici\u00a0»\u202f! Où\u202f? Là\u202f; 3"
    assert render("the dealer's: here! {three}", tiny(), "en") == "the dealer\u2019s: here! 3"


def test_a_text_falls_back_to_the_original(tiny: Callable[..., Game]) -> None:
    """What a language lacks is read in English, and set as English is; what has no English, in what there is."""
    only = parse_yaml('{en: "Where ? {three}"}', "<test>")

    assert prose(only, tiny(), "fr") == "Where ? 3"
    assert prose(parse_yaml('{en: one, fr: "un ?"}', "<test>"), tiny(), "fr") == "un\u202f?"
    assert choose_text(parse_yaml("{de: eins}", "<test>"), "fr") == "eins"


@pytest.mark.parametrize(
    ("explicit", "environment", "spoken"),
    [
        ("de", {"LC_ALL": "fr_CH.UTF-8"}, "de"),
        (None, {"LC_ALL": "fr_CH.UTF-8", "LANG": "de_CH.UTF-8"}, "fr"),
        (None, {"LC_ALL": "", "LC_MESSAGES": "de_AT@euro", "LANG": "fr_FR"}, "de"),
        (None, {"LANG": "FR"}, "fr"),
        (None, {"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        (None, {"LANG": "it_CH.UTF-8"}, "en"),
        (None, {}, "en"),
        ("", {"LANG": "de"}, "de"),
    ],
)
def test_the_language_is_that_of_the_user(explicit: str | None, environment: dict[str, str], spoken: str) -> None:
    """The language asked for comes first, then the first locale that is set, then English."""
    assert find_user_language(explicit, environment) == spoken


def test_a_language_that_nobody_speaks_here_is_refused() -> None:
    """Asking for an unknown language is answered with those there are."""
    with pytest.raises(Unknown, match="unknown language 'it'; known: en, fr, de"):
        find_user_language("it", {})


@pytest.mark.parametrize(
    ("act", "en", "fr", "de"),
    [
        ({"play": "KH"}, "plays K♥", "joue R♥", "spielt K♥"),
        ({"play": "TS"}, "plays 10♠", "joue 10♠", "spielt 10♠"),
        (
            {"announce": {"suit": "C", "kind": "grand"}},
            "announces the grand marriage in clubs",
            "annonce un grand mariage à trèfle",
            "meldet eine große Mariage in Kreuz",
        ),
        ({"answer": True}, "agrees to stop", "accepte l\u2019arrêt", "willigt in den Abbruch ein"),
        ({"answer": False}, "refuses to stop", "refuse l\u2019arrêt", "lehnt den Abbruch ab"),
        ({"declare": "vole"}, "declares partie et vole", "déclare partie et vole", "sagt partie et vole an"),
        (
            {"deal": {"deck": ["KH", "AS"], "packets": [3, 2, 3]}},
            "deals in packets of 3-2-3",
            "donne par paquets de 3-2-3",
            "gibt in Päckchen zu 3-2-3",
        ),
        ({"cut": 20}, "cuts 20 cards off the top", "coupe (cartes levées\u00a0: 20)", "hebt 20 Karten ab"),
    ],
)
def test_acts_are_told_in_words(act: dict[str, Any], en: str, fr: str, de: str) -> None:
    """An act is a phrase that follows the name of a seat, its parameters as the language names them."""
    assert [phrase(act, brou(), lang) for lang in LANGUAGES] == [en, fr, de]


def test_a_game_may_call_things_by_its_own_name() -> None:
    """What one game calls otherwise is told its way in that game alone."""
    act: dict[str, Json] = {"announce": {"suit": "H", "kind": "grand"}}

    assert phrase(act, rules("brouc")) == "announces the extended marriage in hearts"
    assert phrase({"declare": "cape-dehors"}, rules("brouc"), "fr") == "demande la cape et dehors"
    assert phrase({"declare": "vole"}, brou(), "fr") == "déclare partie et vole"


@pytest.mark.parametrize(
    ("game", "act", "offered"),
    [
        ("brouc", {"claim": {}}, ("Claim to be dehors", "Se dire dehors", "„Dehors“ sagen")),
        (
            "brouc",
            {"declare": "cape-dehors"},
            ("Call cape et dehors", "Demander la cape et dehors", "Cape et dehors ansagen"),
        ),
        (
            "homme-de-brou",
            {"declare": "vole"},
            ("Declare partie et vole", "Déclarer partie et vole", "Partie et vole ansagen"),
        ),
        ("homme-de-brou", {"answer": False}, ("Refuse to stop", "Refuser l\u2019arrêt", "Den Abbruch ablehnen")),
        ("hombre", {"bid": "demande"}, ("Say: demande", "Dire\u00a0: demande", "„Demande“ sagen")),
        ("hombre", {"discard": []}, ("Put nothing away", "Ne rien écarter", "Nichts ablegen")),
    ],
)
def test_an_act_is_offered_as_a_button_has_it(game: str, act: dict[str, Json], offered: tuple[str, ...]) -> None:
    """An imperative with a capital, in every language."""
    assert tuple(phrase_choice(act, rules(game), lang) for lang in LANGUAGES) == offered


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", catalogue())
def test_every_act_of_a_game_is_offered_in_words_of_its_own(game: str, lang: str) -> None:
    """No button has the words that follow the name of a seat, and each begins with a capital, a sign or a value."""
    words = glossary()
    for name in {name for choice in spread(game) for name in rules(choice).actions}:
        offered, told = words.find_choice(name, game), words.find_name("acts", name, game)
        assert offered is not None
        assert told is not None
        shown = set(list_words(offered, lang))
        assert shown.isdisjoint(list_words(told, lang))
        assert all(not one[0].islower() for one in shown)


def list_words(node: Node, lang: str) -> Iterator[str]:
    """Yield the words for an act in a language, in all its variants."""
    for key, item in node.fields.items():
        if isinstance(item.value, dict):
            yield from list_words(item, lang)
        elif key == lang:
            yield item.text


def test_an_act_without_words_that_offer_it_is_told(tiny: Callable[..., Game]) -> None:
    """With a capital all the same."""
    assert phrase_choice({"stay": True}, tiny()) == "Stay"


def test_an_act_that_the_house_has_no_words_for(tiny: Callable[..., Game]) -> None:
    """It is told by its name, and one that is no act of the game is refused."""
    assert phrase({"stay": True}, tiny()) == "stay"
    with pytest.raises(Unknown, match="unknown action of birds 'fly'; known: stay"):
        phrase({"fly": True}, tiny())


def test_an_act_of_another_kind_has_no_words_of_the_house(tiny: Callable[..., Game]) -> None:
    """Where the house tells of a marriage, a game that announces a number is told by the name and the number."""
    announce = {"by": {"who": "players"}, "params": {"points": {"in": "range(0, 9)"}}, "legal": "True", "do": []}
    game = tiny(actions={"announce": announce}, phases={"perch": {"actions": ["announce"]}})

    assert phrase({"announce": 7}, game, "fr") == "announce 7"


def test_cards_in_words() -> None:
    """A card has a short form and a long one; a rank that the house does not know is its code."""
    words = glossary()

    assert [words.short("QD", lang) for lang in LANGUAGES] == ["Q♦", "D♦", "D♦"]
    assert [words.card("JS", lang) for lang in LANGUAGES] == ["jack of spades", "valet de pique", "Pik-Bube"]
    assert words.index("X", "fr") == "X"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusals_are_told_in_a_sentence(lang: str) -> None:
    """Every code of the format has a sentence of its own in every language."""
    codes = RefusalCode.options
    sentences = [glossary().code(code, lang) for code in codes]

    assert all(text.endswith(".") and text not in codes for text in sentences)
    assert len(set(sentences)) == len(codes)


def test_words_and_names() -> None:
    """A term has a word in each language, and what the data calls by a name can be told too."""
    words = glossary()

    assert [words.word("trick", lang) for lang in LANGUAGES] == ["trick", "levée", "Stich"]
    assert words.name("treatments", "OPEN", "de") == "offengelassen"
    assert words.name("values", "claim_right", "fr", "brouc") == "dehors à bon droit"
    assert words.name("values", "claim_right", "fr") == "revendication fondée"
    assert words.name("values", "no_such_value", "fr") == "no_such_value"


def test_texts_are_found_wherever_they_stand() -> None:
    """A mapping from languages is a text, under any key and inside a patch; arguments named like one are none."""
    file = parse_yaml(
        "{a: {text: {en: one, fr: un}}, lacks: {value: {en: two}}, f: {args: {de: player}, is: x},"
        " patch: [{value: {say: {de: drei}}}], unit: {en: {name: English}}}",
        "<test>",
    )

    assert [(path, sorted(text.fields)) for path, text in texts(file)] == [
        (("a", "text"), ["en", "fr"]),
        (("lacks", "value"), ["en"]),
        (("patch", "0", "value", "say"), ["de"]),
    ]


def test_slots() -> None:
    """Only names in lower case stand in braces."""
    assert find_slots("{target} of {pips} and {Not} {9}") == {"target", "pips"}


def test_a_folder_speaks_its_own_words_or_those_of_the_house(tmp_path: Path) -> None:
    """A glossary beside the games is used for them; without one, that of the house is."""
    assert glossary(tmp_path) is glossary()
    text = (root() / "glossary.yaml").read_text(encoding="utf-8")
    (tmp_path / "glossary.yaml").write_text(text.replace("en: trick,", "en: round,"), encoding="utf-8")

    assert glossary(tmp_path).word("trick", ORIGINAL) == "round"
    assert glossary().word("trick", ORIGINAL) == "trick"


def test_a_glossary_of_another_shape_is_refused(tmp_path: Path) -> None:
    """Its faults are told with their places."""
    (tmp_path / "glossary.yaml").write_text("format: brou-glossary/1\nlanguages: {fr: {}}\n", encoding="utf-8")

    with pytest.raises(Malformed, match=r"glossary\.yaml:2:"):
        glossary(tmp_path)


def test_phrase_of_no_card() -> None:
    """An act with a set of cards names them, and has words of its own for an empty set."""
    sets: list[Json] = [["AS", "7H"], []]
    told = [phrase({"discard": cards}, rules("hombre"), "fr") for cards in sets]

    assert told == ["écarte A♠ 7♥", "n\u2019écarte rien"]
