"""The pages for a table of players: its agreement, and the account of its evening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from brou import Choice, Json, Words, rules, spread
from brou_tools.pages.page_writer import write_data
from brou_tools.site.play_page import describe_readings, describe_rules
from brou_tools.site.score_form import describe_sheet

if TYPE_CHECKING:
    from brou_tools.site.game_pages import GamePages

AGREE, SCORE = "agree.html", "score.html"


class WritesPage(Protocol):
    """Writes a page of a game from a template, by its name."""

    def __call__(self, template: str, name: str, **values: object) -> str:
        """Return the page; `name` is its place below the game."""
        ...


def has_sheet(choices: Iterable[Choice]) -> bool:
    """Say whether the evening of a game can be settled from its score sheet by some of its rules."""
    return any(rules(choice).summary for choice in choices)


def write_pages(game: GamePages, write: WritesPage) -> Iterator[tuple[str, str]]:
    """Yield the agreement of a game, and where it has a score sheet the form of it, by their places."""
    open_questions = [one for one in game.questions if one.treatment == "OPEN"]
    told = {**_describe(game, sheet=False), "words": game.words.list_words("agree_", "play_copied")}
    page = write("site_agree.html.jinja", AGREE, games=game.name_games(), open=open_questions, told=write_data(told))
    yield f"{game.game}/{AGREE}", page
    if game.has_sheet:
        told = {
            **_describe(game, sheet=True),
            "words": game.words.list_words("score_", "agree_other", "agree_same", "play_"),
            "passages": list(game.matter.questions),
            "answers": [],
            **game.engine_places,
        }
        games = game.name_games(with_sheet=True)
        yield f"{game.game}/{SCORE}", write("site_score.html.jinja", SCORE, games=games, told=write_data(told))


def _describe(game: GamePages, *, sheet: bool) -> dict[str, Json]:
    """Return the rules to choose from with their readings, and their score sheets."""
    choices = [one for one in spread(game.game, game.project) if not sheet or rules(one).summary]
    return {
        "game": game.game,
        "lang": game.lang,
        "rules": [_describe_choice(one, game, sheet=sheet) for one in choices],
        "readings": describe_readings(game.game, game.lang, game.project),
    }


def _describe_choice(choice: Choice, game: GamePages, *, sheet: bool) -> Json:
    words = Words(rules(choice), game.lang, game.project)
    told = describe_rules(choice, dict(game.editions), game.lang, game.project)
    if sheet:
        ledger = game.matter.layout.get("ledger")
        told |= {"teams": [list(one) for one in rules(choice).teams], "sheet": describe_sheet(choice, words, ledger)}
    return told
