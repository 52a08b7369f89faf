"""The state of a game of Realm-Master, as it lies on the table at an open question. Frozen and
serialisable; a decoded one is checked.

What is still to do before the round ends lies in `agenda`, the next task first: closing a question
continues with the first task.
"""

from typing import Literal

import msgspec

from engine.chance import ScriptEntry
from engine.realm_master.conditions import Face
from engine.realm_master.orders import Line, Reveal

Mode = Literal["standing", "interactive"]
Stage = Literal[
    "heroes",
    "round",
    "tribute",
    "ultimatum",
    "reroll",
    "second",
    "knuckle",
    "faces",
    "attack",
    "smoke",
    "hit",
    "loot",
    "place",
    "enter",
    "realm",
    "last",
    "over",
]
"""What is asked. `round` is the one window of a round played from plans (RM-11.1); the others are
decisions of RM-9.
"""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the table agreed on: RM-11.1 or RM-11.2, and whether a window closes before its end
    (RM-11.4).
    """

    mode: Mode = "standing"
    early_close: bool = True


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lines in force; `auto`: all of them persist. `last` are those of the last own turn, for
    `same as last time`.
    """

    lines: tuple[Line, ...] = ()
    auto: bool = False
    last: tuple[Line, ...] = ()


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """`at` is a land's key, None outside. `missed` counts rounds in a row without a word (RM-11.5);
    `asked` and `answered` are of this one.

    `fell_in` is the number of the turn of the death (0: alive), `fell_round` that of the round (0:
    not known), `fell_to` the killer.
    """

    number: int
    name: str
    colour: str
    hero: str | None = None
    hearts: int = 0
    gold: int = 0
    banners: int = 0
    cards: tuple[str, ...] = ()
    at: str | None = None
    alive: bool = True
    fell_in: int = 0
    fell_to: int | None = None
    fell_round: int = 0
    conceding: bool = False
    missed: int = 0
    asked: bool = False
    answered: bool = False
    plan: Plan = Plan()


class Land(msgspec.Struct, frozen=True, omit_defaults=True):
    key: str
    hearts: int = 0
    gold: int = 0
    banners: int = 0


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """The turn being played. `inside`: where its hero began it fixes whom he attacks (RM-5.12).
    `rolled` are the dice as they lie, `faces` what they count as once R are fixed; `horn` what the
    War Horn adds; `lives` how many hearts were bought.
    """

    number: int
    player: int
    inside: bool
    rolled: tuple[Face, ...] = ()
    faces: tuple[Face, ...] = ()
    horn: int = 0
    lives: int = 0
    attacked: bool = False


# ------------------------------------------------------------------------------ what is still to do
StepName = Literal[
    "start",
    "roll",
    "reroll",
    "second",
    "knuckle",
    "faces",
    "take",
    "shop",
    "attack",
    "room",
    "last",
    "end",
]
STEPS: tuple[StepName, ...] = (
    "start",
    "roll",
    "reroll",
    "second",
    "knuckle",
    "faces",
    "take",
    "shop",
    "attack",
    "room",
    "last",
    "end",
)


class Heroes(msgspec.Struct, frozen=True, omit_defaults=True, tag="heroes"):
    """The heroes are chosen (RM-1.6)."""


class Plans(msgspec.Struct, frozen=True, omit_defaults=True, tag="plans"):
    """The one window of a round played from plans (RM-11.1)."""


class Pay(msgspec.Struct, frozen=True, omit_defaults=True, tag="pay"):
    """A hero's tribute."""

    player: int


class Yield(msgspec.Struct, frozen=True, omit_defaults=True, tag="yield"):
    """The ultimatum to all occupants."""


class Begin(msgspec.Struct, frozen=True, omit_defaults=True, tag="begin"):
    """A hero's turn."""

    player: int


class Step(msgspec.Struct, frozen=True, omit_defaults=True, tag="step"):
    name: StepName


class Do(msgspec.Struct, frozen=True, omit_defaults=True, tag="do"):
    """A line of the active player's plan, or a deed (None: the exchange as the rules have it;
    `deed` reveal: turn a card now).

    `final`: the last moment at which it can be done (RM-10.10); `keep` is gold not to be spent.
    """

    line: Line | None
    final: bool = False
    keep: int = 0
    deed: Literal["", "reveal"] = ""


class PlaceRevealed(msgspec.Struct, frozen=True, omit_defaults=True, tag="place"):
    """A revealed card lies open; `by` is the line that turned it, None if the player did at
    once.
    """

    card: str
    by: Reveal | None = None


class Smoke(msgspec.Struct, frozen=True, omit_defaults=True, tag="smoke"):
    """Smoke Pots before the blows of the active hero."""


class Blows(msgspec.Struct, frozen=True, omit_defaults=True, tag="blows"):
    """Damage to all targets at once but to those in the smoke."""

    smoked: tuple[int, ...] = ()


class Fall(msgspec.Struct, frozen=True, omit_defaults=True, tag="fall"):
    victim: int
    killer: int | None
    cause: Literal["attack", "bolt", "thorns", "ultimatum", "concede", "game-master"]


class Thorn(msgspec.Struct, frozen=True, omit_defaults=True, tag="thorn"):
    """The Ward of Thorns of `owner` against the active hero."""

    owner: int


class Check(msgspec.Struct, frozen=True, omit_defaults=True, tag="check"):
    """Whether somebody has won."""


class Stand(msgspec.Struct, frozen=True, omit_defaults=True, tag="stand"):
    """Stay or leave, of the occupants that were hit: (player, damage)."""

    hit: tuple[tuple[int, int], ...]


class EndRound(msgspec.Struct, frozen=True, omit_defaults=True, tag="end-round"):
    """What comes after the last turn of a round."""


Task = (
    Heroes
    | Plans
    | Pay
    | Yield
    | Begin
    | Step
    | Do
    | PlaceRevealed
    | Smoke
    | Blows
    | Fall
    | Thorn
    | Check
    | Stand
    | EndRound
)


# ------------------------------------------------------------------------ what was, for taking back
class Drawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A draw of a turn, kept so that the turn can be played again with it (RM-11.9)."""

    turn: int
    label: str
    result: ScriptEntry


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the table lay before a turn, or at the opening of a round (`turn` is then the number of
    the last turn before).
    """

    what: Literal["turn", "round"]
    turn: int
    before: "State"


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """`question` counts the windows; `seating` are the players in seat order; `row` the three piles
    on offer, each with the visible card first.

    `reached` are who has come to ten banners since the last check, in that order (RM-7.6).
    `options.mode` is how the next round is played.
    """

    options: Options
    players: tuple[Player, ...]
    seating: tuple[int, ...]
    lands: tuple[Land, ...]
    stage: Stage = "heroes"
    asked: tuple[int, ...] = ()
    question: int = 0
    mode: Mode = "standing"
    round: int = 0
    card: str | None = None
    turn_deck: tuple[str, ...] = ()
    turn_discard: tuple[str, ...] = ()
    buy_deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    row: tuple[tuple[str, ...], ...] = ()
    agenda: tuple[Task, ...] = ()
    turn: Turn | None = None
    turns: int = 0
    reached: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    ended_by: str = ""
    drawn: tuple[Drawn, ...] = ()
    stock: tuple[Drawn, ...] = ()
    records: tuple[Record, ...] = ()
