"""A player's sheet of orders while a message is worked in: what stood, what is new, and which name
the same thing (PR-1.10).
"""

from collections.abc import Mapping

import msgspec

from engine.protectors import orders as o
from engine.protectors.state import State
from engine.protectors.view import GoldenType
from engine.ruleset import Fact, Problem

Slot = tuple[str, int]

_ALONE: Mapping[type[o.Order], str] = {
    o.Snitch: "snitch",
    o.Bid: "bid",
    o.Capitol: "capitol",
    o.Fire: "fire",
    o.UseFaith: "faith",
    o.HireKing: "king",
    o.Forecast: "forecast",
    o.ReadDragonDeck: "read-dragons",
    o.PutAtBottom: "bottom",
    o.PlaceDragon: "place-dragon",
    o.ChooseFaction: "faction",
    o.Refresh: "sanctum",
    o.Take: "sanctum",
    o.Commit: "commit",
    o.CommitNothing: "commit",
    o.Hide: "commit",
    o.UseBank: "bid",
    o.Buy: "buy",
    o.BuyNothing: "buy",
    o.Burn: "burn",
    o.Cancel: "cancel",
    o.Final: "final",
}


ANSWERS = o.Commit | o.CommitNothing | o.Hide | o.Fire | o.Burn
"""What is answered to the Dragon: with the Bank it is answered later (PR-11.7)."""


def slot_of(order: o.Order) -> Slot:
    """What an order names: a later message replaces what stands in the same slot and nothing else
    (PR-1.10).
    """
    province = o.ordered_province(order)
    if province is not None:
        return "province", province
    match order:
        case o.Send(to=number):
            return "send", number
        case o.Use(mate=number):
            return "use", number
        case o.Upgrade(province=number):
            return "upgrade", number
        case o.Palantir(deck=deck):
            return "palantir", 0 if deck == "sea" else 1
    return _ALONE[type(order)], 0


def clashes(first: o.Order, second: o.Order) -> bool:
    """Whether two orders of one message cannot both stand: the first does."""
    match first, second:
        case (o.Buy(), o.Buy()):
            return False
        case (o.Commit(province=a), o.Commit(province=b)) | (
            o.Burn(province=a),
            o.Burn(province=b),
        ):
            return a == b
        case (o.Fire(), o.Hide()) | (o.Hide(), o.Fire()):
            return True
        case (o.UseBank(), other) | (other, o.UseBank()) if isinstance(other, ANSWERS):
            return True
    return slot_of(first) == slot_of(second)


def replaces(new: o.Order, old: o.Order) -> bool:
    """Whether an order of an earlier message falls because a later one names the same thing."""
    match new, old:
        case (o.Fire(), o.Hide()) | (o.Hide(), o.Fire()):
            return True
        case (o.UseBank(), other) | (other, o.UseBank()) if isinstance(other, ANSWERS):
            return True
    return slot_of(new) == slot_of(old)


def golden_type(order: o.Order) -> GoldenType | None:
    """Of which type an order is golden, if it is; a delayed golden March counts as the golden March
    (PR-3.10).
    """
    match order:
        case o.March(golden=True):
            return "march"
        case o.Support(golden=True):
            return "support"
        case o.Fortify(golden=True):
            return "fortify"
        case o.Work(golden=True):
            return "work"
    return None


class Sheet:
    """Scratch paper of one check: the state and its standing orders are not touched. `message` is
    all that came now.
    """

    def __init__(self, state: State, player: int, kept: tuple[o.Order, ...]) -> None:
        self.state = state
        self.player = player
        self.kept = list(kept)
        self.new: list[tuple[int, o.Order]] = []
        self.message: tuple[o.Order, ...] = ()
        self.fell: list[o.Order] = []

    @property
    def realm(self) -> int:
        """What the player holds, in $Realm."""
        return self.state.players[self.player - 1].realm

    @property
    def fresh(self) -> list[o.Order]:
        """The orders of this message that stand so far."""
        return [order for _, order in self.new]

    @property
    def all(self) -> list[o.Order]:
        return self.kept + self.fresh

    def without(self, order: o.Order) -> list[o.Order]:
        """All that stands, except for what this order would replace."""
        return [old for old in self.kept if not replaces(order, old)] + self.fresh

    def text(self, order: o.Order) -> str:
        return o.format_order(order, {seat.number: seat.name for seat in self.state.players})

    def drop(self, order: o.Order) -> None:
        self.kept.remove(order)
        self.fell.append(order)


def refuse(code: str, *rules: str, **facts: Fact) -> Problem:
    """A refusal (PR-6.19)."""
    return Problem(code=code, rules=("PR-6.19", *rules), facts=facts)


def warn(code: str, order: int | None, *rules: str, **facts: Fact) -> Problem:
    """A warning that leaves the order standing."""
    return Problem(code=code, rules=rules, facts=facts, warning=True, order=order)


def of_order(problem: Problem, order: int) -> Problem:
    return msgspec.structs.replace(problem, order=order)
