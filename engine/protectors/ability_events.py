"""What abilities, the Island, team-mates and corrections bring about: the events of sections 11 to
13 of the rules, and a few more.

As in `events`, players and provinces are numbers (province 0 is the Island).
"""

from typing import Literal

from engine.protectors.orders import Order
from engine.ruleset import Facts


class FactionsSettled(Facts, frozen=True, tag="factions"):
    """Who plays which faction: (player, faction); `by_chance` are those for whom it was drawn."""

    factions: tuple[tuple[int, str], ...]
    by_chance: tuple[int, ...]


class AnswersShown(Facts, frozen=True, tag="answers-shown"):
    """What everybody else answered to a Dragon Attack, shown before the Bank answers (PR-11.7)."""

    answers: tuple[tuple[int, tuple[Order, ...]], ...]


# ---------------------------------------------------------------------------------------- abilities
class AbilityUsed(Facts, frozen=True, tag="ability-used"):
    """A one-time ability used, or paid for; `use` as in a player's `used`; `amount` of
    Highmagisters.
    """

    player: int
    use: str
    cost: int
    amount: int = 0


class GuardHired(Facts, frozen=True, tag="guard-hired"):
    """The Mountain King guards a player's level-3 province next turn (PR-11.5)."""

    player: int
    cost: int


class CardSeen(Facts, frozen=True, tag="card-seen"):
    """The top card of a deck (None: it has none left), for the eyes of a player who looked."""

    player: int
    deck: str
    card: str | None


class CardMoved(Facts, frozen=True, tag="card-moved"):
    """A card looked at was put at the bottom, or taken out of the game for a There be Dragons! on
    top; for the mover alone.
    """

    player: int
    deck: str
    card: str
    to: Literal["bottom", "removed"]


class KingFought(Facts, frozen=True, tag="king"):
    """The Mountain King's unit against the intruders in one province; `left` are the units that
    stand there afterwards.
    """

    province: int
    player: int
    intruder: int
    strength: int
    rank: int
    units: int
    snow: bool
    intruder_rank: int
    guards: bool
    won: bool
    tie: bool
    left: int


class KingPaid(Facts, frozen=True, tag="tribute"):
    """Half of the purse to the Mountain King; for the player alone."""

    player: int
    held: int
    paid: int


class PlayerSaved(Facts, frozen=True, tag="saved"):
    """The Mountain King kept a player in the game, or a guarded province; the salute is due in
    public.
    """

    player: int
    provinces: tuple[int, ...]
    guarded: bool


class IslandChanged(Facts, frozen=True, tag="island"):
    """Control of the Island as Consolidation finds it (PR-12.1); `lost` are abilities of the
    Sanctum that ended with it.
    """

    by: int | None
    before: int | None
    lost: tuple[str, ...] = ()


class GiftChosen(Facts, frozen=True, tag="gift"):
    """What the Wizard Sanctum gave its controller: an ability refreshed or a new one."""

    player: int
    ability: str
    refreshed: bool
    by_chance: bool


# -------------------------------------------------------------------------------------------- teams
class MoneyLent(Facts, frozen=True, tag="money-lent"):
    """Money of a team-mate used in a purchase or a bid: what was asked, what the mate had, what was
    spent of it; for the two.
    """

    player: int
    mate: int
    asked: int
    granted: int
    used: int


# -------------------------------------------------------------------------------------- corrections
class Corrected(Facts, frozen=True, tag="corrected"):
    """A game master's correction: the old and the new value, and the reason, which is public. Only
    its holder learns an amount of money.
    """

    what: Literal["units", "owner", "money", "dpl", "card", "restored"]
    province: int | None
    player: int | None
    before: int | str | None
    after: int | str | None
    reason: str = ""
