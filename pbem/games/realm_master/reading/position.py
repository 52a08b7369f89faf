"""What words about Realm-Master are said to, and a line in the making."""

from dataclasses import dataclass, field
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from engine.realm_master.cards import Token
from engine.realm_master.state import Stage
from pbem.games.realm_master.reading.parts import PlanPart


@dataclass(frozen=True, slots=True)
class Position:
    """What the words are said to: the open question if it is the speaker's, if it is his live turn,
    heroes, the last plan, his land.
    """

    stage: Stage | None = None
    live: bool = False
    heroes: dict[int, str] = field(default_factory=dict)
    last: tuple[o.Line, ...] = ()
    at: str | None = None
    hand: frozenset[str] = frozenset()
    """His cards."""
    dice: str = ""
    """What the dice show that he is asked about."""
    owed: tuple[Token, ...] = ()
    """What the card of this round takes as a tribute (RM-8.2)."""
    yields: bool = False
    """The card of this round lets him leave the Realm or lose hearts (RM-T09)."""


@dataclass(slots=True)
class Draft:
    """A line in the making: parts of one group with their conditions."""

    group: str
    parts: list[tuple[PlanPart, c.When]] = field(default_factory=list)
    moment: Literal["", "hit", "realm", "ultimatum"] = ""
    always: bool = False
    is_limited: bool = False
    """Said with `only if` or `unless`: the words name the other case, too."""
    is_after: bool = False
    """Said to come after what is before it."""
