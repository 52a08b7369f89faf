"""What a game hands over to have its board painted, and the painted board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from engine.ruleset import Event


class Chronicle(msgspec.Struct, frozen=True):
    """What a chronicle scene tells, in the words of the step's caption: `turn` is `Turn 7` or `The
    start`, `step` the phase that was closed ("" at the start), `number` that of the turn.
    """

    number: int
    turn: str
    step: str
    headline: str


class TableFacts(msgspec.Struct, frozen=True):
    """What the service knows and the engine does not: the table's name, the kind of the open phase,
    when it closes.

    `deadline` is aware (None: nothing is due); `zone` is the table's IANA zone.
    ZoneInfoNotFoundError for an unknown zone. `hypothesis`: somebody supposes all this.

    With `chronicle` a chronicle scene is wanted: what has happened, for archives and films. Without
    it a table scene: what is asked now, for mails and chats. A game that has but one scene draws it
    for both. `is_first`: of the first board of a game, on which a legend stands.
    """

    title: str
    phase: str
    deadline: datetime | None = None
    zone: str = "UTC"
    hypothesis: bool = False
    chronicle: Chronicle | None = None
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture as SVG, and the words that say the same."""

    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, and the words that say the same."""

    png: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class Board:
    """How the board of a game is drawn, in two steps, so that the service does little and the
    painter's process the rest.

    `stage(view, events, facts)` makes a scene of what the public may see: a small value that can be
    pickled. `draw(scene, land)` draws it, in the painter's process. `land(view, seed, map_text)`
    makes what never changes in a game, once, in that process too, to be stored and handed to every
    drawing: outlines of a generated land or of a GM's own map; None: there is nothing to make.
    `draw` and `land` are functions of a module, so that they can be pickled.
    """

    stage: Callable[[Any, Sequence[Event], TableFacts], Any]
    draw: Callable[[Any, bytes], Drawing]
    land: Callable[[Any, int, str], bytes] | None = None
