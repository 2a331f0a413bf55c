"""Messages of the protocol: the statement of each kind, from which gate, encoder, JSON Schema and page are made.

Objects are open, so that a later version may say more: whoever reads a message passes over keys that it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from brou import CodeOfRefusal
from brou.shapes import ABSENT, Absent, Defined, Limit, Schema, ValueMeanings, make_definitions, make_schema, shape

VERSION: Final = 1
#: Where the schemas of the protocol are at home.
HOME = f"https://brou.example/protocol/{VERSION}"

_NAME = r"^[a-z0-9][a-z0-9-]*$"
_DEED = r"^[a-z][a-z0-9-]*$"

# Values that several messages share ---------------------------------------------------

Id: TypeAlias = Annotated[int, Limit(minimum=0), "number of a request, repeated in its reply", Defined("id")]
Name: TypeAlias = Annotated[str, Limit(pattern=_NAME), "game, edition or set-up", Defined("name")]
Names: TypeAlias = Annotated[tuple[Name, ...], Limit(min_items=1, unique_items=True, max_items=64)]
Seat: TypeAlias = Annotated[
    int, Limit(minimum=0, maximum=15), "0 to n-1; seat s+1 sits at the right of seat s", Defined("seat")
]
Card: TypeAlias = Annotated[str, Limit(pattern="^[A-Z0-9]{2}$"), "a card, rank then suit", Defined("card")]
Cards: TypeAlias = Annotated[tuple[Card, ...], Limit(max_items=104), Defined("cards")]
DeedName: TypeAlias = Annotated[str, Limit(pattern=_DEED)]
Deed: TypeAlias = Annotated[
    Mapping[DeedName, object],
    Limit(min_properties=1, max_properties=1),
    "what a player does, as the rules of the game name it",
    Defined("act"),
]
Code: TypeAlias = Annotated[CodeOfRefusal, "why an act is refused", Defined("code")]
Numbers: TypeAlias = Annotated[tuple[int, ...], Limit(max_items=16), Defined("numbers")]
Readings: TypeAlias = Annotated[
    Mapping[Annotated[str, Limit(pattern="^[a-z][a-z0-9_]*$")], Annotated[str, Limit(pattern=_NAME)] | int],
    "how open passages are read",
    Defined("readings"),
]
Ability: TypeAlias = Literal[
    "deal", "match", "position", "winner", "view", "score", "codes", "offturn", "readings", "why"
]
#: What a program may say that it can do.
ABILITIES: tuple[str, ...] = get_args(Ability)
Capability: TypeAlias = Annotated[
    Ability,
    ValueMeanings(
        (
            ("deal", "takes a given deal: dealer, hands or pack, accounts"),
            ("match", "goes on: plays from the draw, and deals again within a script"),
            ("position", "takes a state in the middle of a deal"),
            ("winner", "answers the step of this name"),
            ("view", "answers the step of this name"),
            ("score", "answers the step of this name"),
            ("codes", "names the reason of a refusal"),
            ("offturn", "takes acts and questions of seats that are not to play"),
            ("readings", "follows the `readings` of each request, whatever it declares"),
            ("why", "gives its reason for taking or refusing an act"),
        )
    ),
    Defined("capability"),
]
Keys: TypeAlias = Annotated[tuple[str, ...], Limit(unique_items=True)]
Text: TypeAlias = Annotated[str, Limit(max_length=200)]

# Requests -----------------------------------------------------------------------------


@shape()
class LaidCard:
    """A card of the trick, and who played it."""

    seat: Annotated[Seat, "who played it"]
    card: Annotated[Card, "the card"]


@shape(name="position")
class PositionMessage:
    """What a seat that is to play sees; other keys are those of the game's view."""

    seat: Annotated[Seat, "who is asked"]
    hand: Annotated[Cards, "the cards in its hand"]
    trump: Annotated[str | None, "the trump suit"] | Absent = ABSENT
    leader: Annotated[int | None, "who leads the trick"] | Absent = ABSENT
    trick: Annotated[tuple[LaidCard, ...], "the cards of the trick, in the order of play"]


_HandSeat: TypeAlias = Annotated[str, Limit(pattern="^[0-9]{1,2}$")]
_Packets: TypeAlias = Annotated[tuple[Annotated[int, Limit(minimum=1)], ...], Limit(max_items=52)]


@shape(name="start")
class StartMessage:
    """Where the play begins; without deck and hands before the deal."""

    dealer: Annotated[Seat, "who deals"] | Absent = ABSENT
    hands: Annotated[Mapping[_HandSeat, Cards], "by seat the cards dealt to it"] | Absent = ABSENT
    turnup: Annotated[Card, "the card that is turned up"] | Absent = ABSENT
    stock: Annotated[Cards, "what goes to nobody, from the top, the turn-up left out"] | Absent = ABSENT
    deck: Annotated[Cards, "the whole pack; its first card is dealt first"] | Absent = ABSENT
    packets: Annotated[_Packets, "how many cards are dealt at a time"] | Absent = ABSENT
    accounts: Annotated[Numbers, "what is written for each before the deal"] | Absent = ABSENT
    parties: Annotated[Numbers, "how many parties each has won"] | Absent = ABSENT
    coches: Annotated[Numbers, "how many coches each has"] | Absent = ABSENT
    carry: Annotated[Numbers, "what each carries over from earlier deals"] | Absent = ABSENT
    position: (
        Annotated[
            PositionMessage,
            "instead of everything else: the seat that is to play and what it sees, for a program that takes positions",
        ]
        | Absent
    ) = ABSENT


@shape(name="step", one_of=[("act",), ("legal",), ("winner",), ("view",), ("score",)], needs={"act": ("by",)})
class StepMessage:
    """One step of a script: an act, or a question."""

    act: Annotated[Deed, "the act that is done"] | Absent = ABSENT
    by: Annotated[Seat, "who does it"] | Absent = ABSENT
    legal: Annotated[Seat, "asks what a seat may do"] | Absent = ABSENT
    view: Annotated[Seat, "asks what a seat sees"] | Absent = ABSENT
    winner: Annotated[Literal[True], "asks who won the last complete trick"] | Absent = ABSENT
    score: Annotated[Literal[True], "asks for the score"] | Absent = ABSENT


_Steps: TypeAlias = Annotated[tuple[StepMessage, ...], Limit(min_items=1, max_items=10000)]


@shape()
class HelloRequest:
    """The runner opens the conversation."""

    op: Literal["hello"] = "hello"
    id: Id
    protocol: Annotated[Literal[1], "the version of the protocol"] = VERSION


@shape()
class ScriptRequest:
    """A request about a whole script, which has a table of its own."""

    op: Literal["run", "why"]
    id: Id
    game: Annotated[Name, "which game is played"]
    edition: Annotated[Name, "by which edition of its rules"]
    setup: Annotated[Name, "in which set-up of the edition"]
    readings: Readings | Absent = ABSENT
    start: StartMessage | Absent = ABSENT
    steps: _Steps


@shape()
class RunRequest(ScriptRequest):
    """A whole script, played at a table of its own."""

    op: Literal["run"] = "run"
    steps: Annotated[_Steps, "what is done and asked, in order"]


@shape()
class WhyRequest(ScriptRequest):
    """Why is the last act of a script taken or refused?"""  # noqa: D400 - a question

    op: Literal["why"] = "why"
    steps: Annotated[_Steps, "what is done, the act in question last"]


@shape()
class PingRequest:
    """The runner asks whether the program lives."""

    op: Literal["ping"] = "ping"
    id: Id


@shape()
class ByeRequest:
    """The runner ends the conversation."""

    op: Literal["bye"] = "bye"
    id: Id


# Replies ------------------------------------------------------------------------------


@shape()
class EngineName:
    """What a program is called."""

    name: Annotated[Text, "the name of the program"]
    version: Annotated[Text, "its version"] | Absent = ABSENT
    language: Annotated[Text, "the language that it is written in"] | Absent = ABSENT


@shape()
class PlayedGame:
    """Editions of a game that a program plays, each in each of the set-ups."""

    game: Annotated[Name, "the game"]
    editions: Annotated[Names, "its editions"]
    setups: Annotated[Names, "their set-ups"]


_EditionName: TypeAlias = Annotated[str, Limit(pattern="^[a-z0-9][a-z0-9-]*@[a-z0-9][a-z0-9-]*$")]
_DeedNames: TypeAlias = Annotated[tuple[Name, ...], Limit(min_items=1, unique_items=True)]


@shape()
class HelloReply:
    """The program names its games and its abilities."""

    id: Id
    ok: Literal[True] = True
    protocol: Annotated[Literal[1], "the version of the protocol"] = VERSION
    engine: Annotated[EngineName, "the program"]
    plays: Annotated[tuple[PlayedGame, ...], Limit(min_items=1, max_items=64), "everything that it plays"]
    readings: (
        Annotated[Mapping[_EditionName, Readings], "by game@edition; what is left out follows the edition"] | Absent
    ) = ABSENT
    can: Annotated[tuple[Capability, ...], Limit(unique_items=True), "what it can do"]
    max_in_flight: (
        Annotated[int, Limit(minimum=1, maximum=1024), "how many requests it takes before it has answered the first"]
        | Absent
    ) = ABSENT
    acts: Annotated[_DeedNames, "the acts that it knows; what is left out knows all that the rules have"] | Absent = (
        ABSENT
    )
    views: (
        Annotated[Keys, "the keys of views that it tells; what is left out tells all that the rules have"] | Absent
    ) = ABSENT
    scores: Annotated[Keys, "the keys of scores that it tells, in the same way"] | Absent = ABSENT


_Choices: TypeAlias = tuple[object, ...] | Mapping[str, object]
_Reason: TypeAlias = Annotated[str, Limit(min_length=1)]


@shape(
    name="result",
    one_of=[("ok",), ("no",), ("legal",), ("winner",), ("view",), ("score",), ("skip",), ("err",)],
)
class ResultMessage:
    """The answer to one step."""

    ok: Annotated[Literal[True], "the act is accepted"] | Absent = ABSENT
    no: (
        Annotated[Literal[True] | Code, "the act is refused and nothing changes; why, if the program says so"] | Absent
    ) = ABSENT
    legal: (
        Annotated[
            Mapping[DeedName, _Choices], "for each act open to the seat its choices; an act that is not open is absent"
        ]
        | Absent
    ) = ABSENT
    open: (
        Annotated[
            Mapping[DeedName, tuple[str, ...]],
            "beside legal, of a position: the acts that it does not settle, each with what it hangs on",
        ]
        | Absent
    ) = ABSENT
    winner: Annotated[Seat | None, "who won the last complete trick of the deal, null if there is none"] | Absent = (
        ABSENT
    )
    view: Annotated[Mapping[str, object], "what the seat sees; an absent key is unknown to it"] | Absent = ABSENT
    score: Annotated[Mapping[str, object], "the score"] | Absent = ABSENT
    skip: Annotated[_Reason, "why the program cannot take the step"] | Absent = ABSENT
    err: Annotated[_Reason, "what went wrong in the program"] | Absent = ABSENT


@shape()
class RunReply:
    """One result a step, in the order of the steps."""

    id: Id
    ok: Literal[True] = True
    results: Annotated[tuple[ResultMessage, ...], "the answers"]


@shape()
class WhyReply:
    """The program's own reason, in words for people."""

    id: Id
    ok: Literal[True] = True
    why: Annotated[str, Limit(max_length=10000), "the reason"]
    clauses: Annotated[tuple[Text, ...], "the clauses that it goes by, if it knows them"] | Absent = ABSENT


@shape()
class PingReply:
    """The program answers, nothing else."""

    id: Id
    ok: Literal[True] = True


@shape()
class ByeReply:
    """The program answers and ends."""

    id: Id
    ok: Literal[True] = True


@shape()
class ErrorReply:
    """The program could not take a request at all."""

    id: Annotated[Id | None, "the number of the request; null if it could not be read"]
    ok: Literal[False] = False
    error: Annotated[_Reason, "why"]


#: The shape of each kind of message, and of the parts that are checked by themselves.
MESSAGES: Mapping[str, Any] = {
    "bye.reply": ByeReply,
    "bye.request": ByeRequest,
    "error.reply": ErrorReply,
    "hello.reply": HelloReply,
    "hello.request": HelloRequest,
    "ping.reply": PingReply,
    "ping.request": PingRequest,
    "result": ResultMessage,
    "run.reply": RunReply,
    "run.request": RunRequest,
    "step": StepMessage,
    "why.reply": WhyReply,
    "why.request": WhyRequest,
}


def make_message_schemas() -> dict[str, Schema]:
    """Return the JSON Schema of each kind of message, and the definitions that they share as `common`."""
    made = {kind: make_schema(stated, id_=f"{HOME}/{kind}.schema.json") for kind, stated in MESSAGES.items()}
    values = (Id, Name, Seat, Card, Cards, Deed, Code, Numbers, Readings, Capability, StartMessage)
    common = make_definitions("Values that several messages share", values, id_=f"{HOME}/common.schema.json")
    return {**made, "common": common}
