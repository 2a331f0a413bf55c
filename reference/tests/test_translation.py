"""Texts in several languages: each there, all of one form, none changed behind the back of the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from brou.chapters.texts import mark_text
from brou.check import check, find_schemas
from brou.games import catalogue, data
from brou.games.folder import root
from brou.language.source import parse_yaml
from brou.words import glossary as house
from brou.words.glossary import glossary
from brou.words.reviews import list_rewritten, read_review, write_reviews
from brou.words.translation import text_faults

Rules = dict[str, Any]

CODES = json.loads((find_schemas() / "glossary.schema.json").read_text(encoding="utf-8"))["properties"]["codes"][
    "required"
]

#: A house of two languages for the made-up game.
WORDS: Rules = {
    "format": "brou-glossary/1",
    "languages": {
        "en": {"name": "English", "minus": "-", "thousands": ",", "grouped_from": 4, "set": {}},
        "fr": {"name": "français", "minus": "-", "thousands": " ", "grouped_from": 4, "set": {" ;": "\u202f;"}},
    },
    "ranks": {rank: {"index": {"en": rank, "fr": rank}, "name": {"en": rank, "fr": rank}} for rank in "AK"},
    "suits": {suit: {"symbol": suit, "name": {"en": suit, "fr": suit}} for suit in "SHDC"},
    "card": {"en": "{rank} {suit}", "fr": "{rank} {suit}"},
    "codes": {code: {"en": code, "fr": code} for code in CODES},
    "terms": {
        "nest": {
            "word": {"en": "nest", "fr": "nid"},
            "meaning": {"en": "A home.", "fr": "Une demeure."},
            "avoid": {"fr": ["logis"]},
        },
    },
    "names": {
        **{kind: {} for kind in ("statuses", "kinds", "testable", "treatments", "confidences")},
        "phases": {"perch": {"en": "perch", "fr": "perchoir"}, "night": {"en": "night", "fr": "nuit"}},
        "acts": {"stay": {"en": "stays", "fr": "reste"}},
        "values": {"calm": {"en": "calm", "fr": "calme"}, "wild": {"en": "wild", "fr": "farouche"}},
        "fields": {"total": {"en": "total", "fr": "total"}},
    },
}


def said(text: str, **languages: str) -> list[str]:
    """Return what is wrong with a text that two languages have to speak."""
    file = parse_yaml(json.dumps({"text": {"en": text, **languages}}), "<test>")
    return [fault.what for fault in text_faults(file, ["three", "weight"], glossary(), ("en", "fr"))]


def test_a_text_in_every_language_is_fine() -> None:
    """The same names in braces, in any order and number, and the spaces that the language asks for."""
    assert said("{three} of {weight}: no", fr="{weight} : {three}, oui, {three} ; ici") == []


def test_a_language_that_is_missing_is_told() -> None:
    """Each text is to be there in every language that is asked for."""
    assert said("one") == ["no text in français (fr)"]


def test_a_language_that_the_house_does_not_speak_is_told() -> None:
    """A text in a language without a glossary could not be read out."""
    assert said("one", fr="un", it="uno") == ["a text in 'it', which is no language of the glossary"]


def test_braces_are_the_same_in_all_languages() -> None:
    """A number that one language leaves out is missing there, one that it adds is missing elsewhere."""
    assert said("{three} birds", fr="des oiseaux") == ["{three} is not in every language of this text"]
    assert said("birds", fr="{three} oiseaux") == ["{three} is not in every language of this text"]


def test_braces_name_what_there_is() -> None:
    """A name in braces is a parameter or an attribute, in every language."""
    assert said("{four}", fr="{four}") == ["{four} names no parameter or attribute"] * 2


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("see b.amb.04 and b.seat.01.a", 0),
        ("printed in 1802", 0),
        ("at 4 p.m.", 1),
        ("{three}4", 1),
        ("1802 points or 301", 1),
    ],
)
def test_digits_stand_in_the_rules_alone(text: str, bare: int) -> None:
    """No text has a number of its own, in any language; the id of a clause is none, nor is a year."""
    assert said(text, fr=text) == ["a bare digit in a text"] * 2 * bare


def test_a_title_may_count() -> None:
    """Of two pages with one title the second says so."""
    file = parse_yaml('{title: {en: "The deal (2)", fr: "La donne (2)"}}', "<test>")

    assert list(text_faults(file, (), glossary(), ("en", "fr"))) == []


def test_marks_need_their_space() -> None:
    """What French sets apart is typed with a plain space; other languages are not asked."""
    assert said("one; two: three", fr="un; deux : «trois »") == [
        "';' without a plain space in a text in fr",
        "'«' without a plain space in a text in fr",
    ]
    assert said("one", fr="un\u202f;") == ["';' without a plain space in a text in fr"]


def test_words_that_blur_a_term_are_told() -> None:
    """A word to avoid is found as a whole word, in its own language."""
    assert said("the pli", fr="Les Plis du pliage") == ["'plis' blurs a term of the house"]


def test_data_without_a_glossary_choose_their_own_words() -> None:
    """A project that has no glossary may say what the house would not."""
    file = parse_yaml('{text: {en: "the trick", fr: "le pli"}}', "<test>")

    assert list(text_faults(file, (), glossary(), ())) == []


#: The made-up game: the frame, and its clauses but for those that tests change.
FRAME: Rules = {
    "format": "brou-game/2",
    "game": "birds",
    "prefix": "b",
    "title": "Birds",
    "source": "nowhere",
    "names": {"p": "player"},
    "scopes": ["match"],
    "course": {"perch": "stay.01", "night": "end.01"},
    "start": {"phase": "perch", "deal": "stay", "given": {}},
    "editions": {"1": {"title": "One", "readings": {}}},
}
HEAD = {"format": "brou-chapter/2", "game": "birds", "chapter": "birds", "title": "Birds"}
SEATS = {"seats": 2, "pack": {"cards": "french", "ranks": "A K"}}
MOOD = {"types": {"mood": ["calm", "wild"]}, "keeps": {"match": {"feel": "mood"}}}
STAY = {**MOOD, "act": "stay(p)", "in": "perch", "do": []}
ALL = {"en": "All of {three}.", "fr": "Tous les {three}."}
FULL = {"en": "the nest is full", "fr": "le nid est plein"}


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Return a folder of data with the made-up game, its texts in two languages; parts of it may be replaced.

    Where no text has French words, there is no file of them.
    """

    def build(
        words: Rules | None = WORDS,
        text: Mapping[str, str] = ALL,
        *,
        say: Mapping[str, str] = FULL,
        when: str = "tally > 8",
        name: str = "full",
        three: int = 3,
        shown: str = "total",
    ) -> Path:
        held = {"keeps": {"match": {"tally": "int 0..9"}}, "means": {name: when}, "says": {name: say["en"]}}
        parts: Rules = {
            "seats": SEATS,
            "three": {"text": text["en"], "numbers": {"three": three}},
            name: held,
            "stay": STAY,
        }
        clauses: list[Rules] = [
            {"clause": f"{id_}.01", "from": [], "status": "editor", "text": "x", **part}
            for id_, part in {**parts, "end": {"score": {shown: "tally"}}}.items()
        ]
        said = {"three.01": text, f"says.{name}": say}
        french = {one["clause"]: "y" for one in clauses if one["clause"] not in said}
        french |= {"title": "Oiseaux", "editions.1": "Une"}
        french |= {id_: both["fr"] for id_, both in said.items() if "fr" in both}
        english = {**{one["clause"]: one["text"] for one in clauses}, "title": "Birds", "editions.1": "One"}
        english[f"says.{name}"] = say["en"]
        files = {
            "game": FRAME,
            "10-birds": {**HEAD, "clauses": clauses},
            "words.fr": {
                "format": "brou-words/2",
                "game": "birds",
                "language": "fr",
                "words": french,
                "of": {id_: mark_text(english[id_]) for id_ in french},
            },
        }
        birds = tmp_path / "games" / "birds"
        birds.mkdir(parents=True, exist_ok=True)
        for file, content in files.items():
            (birds / f"{file}.yaml").write_text(json.dumps(content), encoding="utf-8")
        if words is None:
            (birds / "words.fr.yaml").unlink()
        else:
            (tmp_path / "glossary.yaml").write_text(json.dumps(words), encoding="utf-8")
        forget()
        return tmp_path

    return build


def forget() -> None:
    """Forget what was read, as a new process would."""
    for cached in (
        *(catalogue._book, catalogue._rules, catalogue._read_variants),  # noqa: SLF001 - there is no new process
        *(data._read_section, house._glossary),  # noqa: SLF001 - likewise
    ):
        cached.cache_clear()


def found_in(path: Path) -> list[str]:
    """Return what a check of a folder finds."""
    return [fault.what for fault in check(path)]


@pytest.mark.slow
def test_a_folder_with_words_of_its_own_speaks_all_its_languages(folder: Callable[..., Path]) -> None:
    """A clause, or a phrase in the rules, that lacks a language is a fault there."""
    write_reviews("birds", path := folder())
    assert found_in(path) == []

    write_reviews("birds", path := folder(text={"en": "All."}, say={"en": "it is full"}))
    told = ["no text in français (fr)"] * 2
    assert sorted(found_in(path)) == [*told, "says.full is missing in 'fr'", "three.01 is missing in 'fr'"]


def test_sources_speak_the_languages_of_their_folder(folder: Callable[..., Path]) -> None:
    """No schema lists the languages: a text in one that the glossary of the folder has not is a fault."""
    write_reviews("birds", path := folder())
    (path / "sources.yaml").write_bytes((root() / "sources.yaml").read_bytes())

    assert set(found_in(path)) == {"a text in 'de', which is no language of the glossary"}


def test_a_folder_without_words_of_its_own_may_keep_to_one_language(folder: Callable[..., Path]) -> None:
    """Somebody else's game is neither asked for translations, nor for names, nor for a review."""
    assert found_in(folder(words=None)) == []
    assert found_in(folder(words=None, text={"en": "All of {four}."})) == ["{four} names no parameter or attribute"]


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("phases", "night", "birds has 'night', which has no name among phases"),
        ("acts", "stay", "birds has 'stay', which has no name among acts"),
        ("values", "wild", "birds has 'wild', which has no name among values"),
        ("fields", "total", "birds has 'total', which has no name among fields"),
    ],
)
def test_what_people_read_by_name_has_a_name(folder: Callable[..., Path], kind: str, name: str, told: str) -> None:
    """Decisions, acts, values and what is shown have to be in the glossary; a game may have its own name for them."""
    names = {**WORDS["names"], kind: {key: item for key, item in WORDS["names"][kind].items() if key != name}}
    write_reviews("birds", path := folder(words={**WORDS, "names": names}))
    assert found_in(path) == [told]

    own = {"birds": {kind: {name: WORDS["names"][kind][name]}}}
    assert found_in(folder(words={**WORDS, "names": names, "games": own})) == []


def test_ranks_and_phrases_of_a_game_are_those_of_the_glossary(folder: Callable[..., Path]) -> None:
    """A rank of the pack has to be there, and a phrase may use the parameters of its act alone."""
    ranks = {rank: item for rank, item in WORDS["ranks"].items() if rank != "K"}
    stay = {"en": "stays on {branch}", "fr": "reste sur {branch}"}
    words = {**WORDS, "ranks": ranks, "names": {**WORDS["names"], "acts": {"stay": stay}}}
    write_reviews("birds", path := folder(words=words))

    assert found_in(path) == [
        "birds has a card 'K', which is not among the ranks",
        "{branch} names no parameter or attribute",
        "{branch} names no parameter or attribute",
    ]


def test_a_glossary_speaks_its_own_languages(folder: Callable[..., Path]) -> None:
    """A word without a translation, or of another form in it, is a fault of the glossary itself."""
    words = {
        **WORDS,
        "card": {"en": "{rank} {suit}", "fr": "{rank}"},
        "codes": {**WORDS["codes"], "too_low": {"en": "x"}},
    }
    write_reviews("birds", path := folder(words=words))

    assert found_in(path) == ["{suit} is not in every language of this text", "no text in français (fr)"]


# What has been reviewed ---------------------------------------------------------------------------------------------


def test_made_rules_are_not_told_in_words(tmp_path: Path, rules: Callable[..., Rules]) -> None:
    """Rules alone are judged as rules: neither translations, nor names, nor a review are asked of them."""
    say = {"full": {"type": "bool", "is": "tally > 8", "say": {"en": "it is full"}}}
    (tmp_path / "games" / "birds").mkdir(parents=True)
    made = json.dumps(rules(functions=say, score={"unnamed": "total"}))
    (tmp_path / "games" / "birds" / "rules.yaml").write_text(made, encoding="utf-8")
    (tmp_path / "glossary.yaml").write_text(json.dumps(WORDS), encoding="utf-8")

    assert found_in(tmp_path) == []


def test_a_game_that_nobody_has_reviewed_is_told(folder: Callable[..., Path]) -> None:
    """A house with words of its own reviews its texts."""
    assert found_in(folder()) == ["no text of this game has been reviewed"]


def test_what_was_reviewed_is_kept_for_every_text(folder: Callable[..., Path]) -> None:
    """There is a fingerprint a language for each clause and each phrase, and one of the rules where there are any."""
    new = write_reviews("birds", path := folder())
    kept = read_review("birds", path)

    assert set(kept["clauses"]["b.three.01"]) == {"en", "fr", "rules"}
    assert set(kept["phrases"]["phrases.full"]) == {"en", "fr", "rules"}
    assert set(new) == {*kept["clauses"], "1", "phrases.full"}
    assert write_reviews("birds", path) == []
    assert found_in(path) == []


def test_a_changed_original_makes_its_translations_suspect(folder: Callable[..., Path]) -> None:
    """A translation was made from words that are no longer there."""
    write_reviews("birds", folder())
    path = folder(text={"en": "Each of {three}.", "fr": "Tous les {three}."})

    assert found_in(path) == ["the text of b.three.01 has changed since it was reviewed (fr made from the old one)"]
    assert list_rewritten("birds", path) == {"b.three.01"}


def test_a_changed_translation_is_to_be_reviewed(folder: Callable[..., Path]) -> None:
    """It is told by its language, and says nothing against the scenarios, which argue from the original."""
    write_reviews("birds", folder())
    path = folder(text={"en": "All of {three}.", "fr": "Chacun des {three}."})

    assert found_in(path) == ["the text of b.three.01 in fr has changed since it was reviewed"]
    assert list_rewritten("birds", path) == frozenset()


def test_spaces_and_line_breaks_are_no_change(folder: Callable[..., Path]) -> None:
    """A text that is merely broken into other lines is the text that was reviewed."""
    write_reviews("birds", folder())

    assert found_in(folder(text={"en": "All  of\n{three}.", "fr": "Tous les {three}."})) == []


@pytest.mark.slow
def test_changed_rules_make_their_clause_suspect(folder: Callable[..., Path]) -> None:
    """Another number or another condition concerns the clause that it carries out, and no other."""
    write_reviews("birds", folder())
    what = "the rules that carry out {} have changed since its text was reviewed"

    assert found_in(folder(three=4)) == [what.format("b.three.01")]
    assert found_in(folder(when="tally > 7")) == [what.format("b.full.01")]


def test_new_and_lost_clauses_are_told(folder: Callable[..., Path]) -> None:
    """A clause that came after the review was not reviewed, and one that went should be forgotten."""
    write_reviews("birds", folder())

    assert sorted(found_in(path := folder(name="ample"))) == [
        "b.ample.01 has not been reviewed",
        "b.full.01 was reviewed and is gone",
        "phrases.ample has not been reviewed",
        "phrases.full was reviewed and is gone",
    ]
    assert write_reviews("birds", path) == ["b.ample.01", "phrases.ample", "b.full.01", "phrases.full"]
    assert found_in(path) == []


def test_a_file_that_was_written_by_hand_is_checked(folder: Callable[..., Path]) -> None:
    """A fingerprint of another length is a fault of shape."""
    write_reviews("birds", path := folder())
    file = path / "games" / "birds" / "reviewed.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace('en: "', 'en: "0'), encoding="utf-8")

    assert all("is not of the form" in what for what in found_in(path))
    assert found_in(path) != []
