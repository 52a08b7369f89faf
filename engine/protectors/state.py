"""The state of a game of Protectors of the Realm, as it lies on the table between two questions.

Frozen and serialisable; a decoded state is checked. At every open question the units in a province
are its owner's (battles are over, Consolidation has settled who controls what), so one owner and
one count are enough.
"""

from typing import Literal

import msgspec

from engine.protectors.lands import LandPlan
from engine.protectors.orders import Faction, Order

Stage = Literal["bidding", "rebid", "orders", "dragon", "consolidation", "bank", "over"]
Cause = Literal["threshold", "card", "staying-card"]
Ending = Literal["", "last-standing", "dragon", "times-up", "draw", "conceded"]
DeckName = Literal["event", "dragons", "sea", "end"]
DECKS: tuple[DeckName, ...] = ("event", "dragons", "sea", "end")

DRAGON = 0
"""Stands for the Dragon where a player's number would stand."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table agreed on before the start (PR-1.4); the keys are those of the case format."""

    version: Literal["normal", "grand"] = "normal"
    provinces: int | None = None
    factions: Literal["none", "choice", "chance"] = "none"
    island: bool = False
    teams: int = 0
    finality: Literal["confirm", "strict"] = "confirm"
    early_close: bool = True


class Player(msgspec.Struct, frozen=True):
    """`fell_to`: who took the last provinces (DRAGON = the Dragon; who has given up fell to
    themself), empty while active; `fell_in` the turn of it.

    `used` are spent one-time uses; `effects` (bank, guard, faith) with the last turn each covers;
    `extra` is what the Wizard Sanctum gave: another faction's ability, or one of the player's own
    that it refreshed (PR-12.3).
    """

    number: int
    name: str
    colour: str
    realm: int = 50
    vp: int = 0
    start: int = 0
    faction: Faction | None = None
    used: tuple[str, ...] = ()
    effects: tuple[tuple[str, int], ...] = ()
    extra: tuple[str, ...] = ()
    team: str | None = None
    fell_to: tuple[int, ...] = ()
    fell_in: int | None = None

    @property
    def is_active(self) -> bool:
        return not self.fell_to


class Province(msgspec.Struct, frozen=True):
    """`order` is a Work order still in force (after production a golden one is the right to
    upgrade).
    """

    owner: int | None = None
    units: int = 0
    level: int = 0
    burnt: bool = False
    order: Literal["work", "golden work"] | None = None


class Deck(msgspec.Struct, frozen=True):
    """Draw pile (top first), discard pile, and cards out of the game.

    `renewed` is set when a look at the top has made the draw pile again, which only who looked
    knows until a card is drawn.
    """

    draw: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renewed: Literal[True] | msgspec.UnsetType = msgspec.UNSET


class Played(msgspec.Struct, frozen=True):
    """A card in play, and of which deck."""

    deck: DeckName
    card: str


class Attack(msgspec.Struct, frozen=True):
    """The Dragon Attack whose commitments are asked.

    `more` attacks follow at once (PR-5.3); `waiting` are the staying cards of the interrupted deck
    still to take effect; `cause` is what brought the Dragon. While the Bank's answer is waited for,
    `answers` are those of everybody else, shown to all; `hired` are who took the Bank for this
    attack alone (PR-11.7).
    """

    during: Literal["reveal", "consolidation"]
    dpl: int
    more: int = 0
    waiting: tuple[str, ...] = ()
    deck: DeckName | None = None
    cause: Cause = "threshold"
    answers: tuple[tuple[int, tuple[Order, ...]], ...] = ()
    hired: tuple[int, ...] = ()


class Peek(msgspec.Struct, frozen=True):
    """A card somebody looked at this turn; `lies_there`: it is still the one on top, and nothing
    was done with it.
    """

    player: int
    deck: DeckName
    card: str
    lies_there: bool = True


class State(msgspec.Struct, frozen=True):
    """Everything there is. Index 0 of `board` is the Island. `ranking` holds the active players,
    highest first.

    `brackets_of` derives from it; `starting_players` is S, also when some of them never appear in
    `players` (cases). `last_orders` are the orders revealed last turn, by player number. `owed` are
    debts to the Pirates while an attack interrupts Consolidation. `ties` are the groups that bid
    again, best first. `working_lost` are the provinces whose units were all committed to a Dragon
    Attack while their Work order was in force (PR-6.14). `bids` are what left the purses of those
    whose bids are revealed while the Bank's is waited for (PR-11.7). `peeks` are this turn's.
    """

    options: Options
    land: LandPlan
    starting_players: int
    players: tuple[Player, ...]
    board: tuple[Province, ...]
    ranking: tuple[int, ...]
    turn: int = 1
    stage: Stage = "bidding"
    dpl: int = 0
    in_play: tuple[Played, ...] = ()
    locked: tuple[Played, ...] = ()
    event: Deck = Deck()
    dragons: Deck = Deck()
    sea: Deck = Deck()
    end: Deck = Deck()
    attack: Attack | None = None
    owed: tuple[tuple[int, int], ...] = ()
    bids: tuple[tuple[int, int], ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    last_orders: tuple[tuple[int, tuple[Order, ...]], ...] = ()
    working_lost: tuple[int, ...] = ()
    peeks: tuple[Peek, ...] = ()
    winners: tuple[int, ...] = ()
    ended_by: Ending = ""
