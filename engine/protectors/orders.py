"""The orders of Protectors of the Realm and their canonical texts (the words a receipt quotes).

Provinces and players are numbers here; province 0 is the Island. Each order has exactly one text,
and the grammar reads that text back to the same order.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

ISLAND = 0
"""The Island's number on the board."""

Faction = Literal["Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár"]
FACTIONS: tuple[Faction, ...] = ("Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár")


class _Order(msgspec.Struct, frozen=True, tag_field="order"):
    """Base of all orders."""


class OfProvince(_Order, frozen=True):
    """Base of those that occupy a province: it takes one order a turn (PR-6.1)."""


class AtOnce(_Order, frozen=True):
    """Base of those that are carried out when they come, to look at a card or to move it
    (PR-6.17).
    """


class Fortify(OfProvince, frozen=True, tag="fortify"):
    province: int
    golden: bool = False


class March(OfProvince, frozen=True, tag="march"):
    units: int
    origin: int
    target: int
    golden: bool = False
    delayed: bool = False


class Support(OfProvince, frozen=True, tag="support"):
    player: int
    target: int
    origin: int
    golden: bool = False


class Work(OfProvince, frozen=True, tag="work"):
    province: int
    golden: bool = False


class Hold(OfProvince, frozen=True, tag="hold"):
    province: int


class Send(_Order, frozen=True, tag="send"):
    amount: int
    to: int


class Snitch(_Order, frozen=True, tag="snitch"):
    on: int


class Buy(_Order, frozen=True, tag="buy"):
    units: int
    province: int


class BuyNothing(_Order, frozen=True, tag="buy-nothing"):
    """An answer by which no unit is bought (PR-8.9): in the last turn no bid can say it
    (PR-3.6).
    """


class Upgrade(_Order, frozen=True, tag="upgrade"):
    province: int


class Capitol(_Order, frozen=True, tag="capitol"):
    province: int


class Bid(_Order, frozen=True, tag="bid"):
    amount: int


class Use(_Order, frozen=True, tag="use"):
    """Money of a team-mate (PR-13.2)."""

    amount: int
    mate: int


class Commit(_Order, frozen=True, tag="commit"):
    """Units against the Dragon; `sacrifice` of them are offered for min.US (None: not said)."""

    units: int
    province: int
    sacrifice: int | None = None


class CommitNothing(_Order, frozen=True, tag="commit-nothing"):
    pass


class Burn(_Order, frozen=True, tag="burn"):
    province: int


class Fire(_Order, frozen=True, tag="fire"):
    """Fight fire with fire (PR-11.1)."""

    count: int


class Hide(_Order, frozen=True, tag="hide"):
    """Nothing to see here! (PR-11.2)."""


class UseBank(_Order, frozen=True, tag="bank"):
    pass


class UseFaith(_Order, frozen=True, tag="faith"):
    pass


class HireKing(_Order, frozen=True, tag="king"):
    pass


class Forecast(AtOnce, frozen=True, tag="forecast"):
    pass


class ReadDragonDeck(AtOnce, frozen=True, tag="read-dragons"):
    pass


class PutAtBottom(AtOnce, frozen=True, tag="bottom"):
    pass


class PlaceDragon(AtOnce, frozen=True, tag="place-dragon"):
    pass


class ChooseFaction(_Order, frozen=True, tag="faction"):
    faction: Faction


class Palantir(AtOnce, frozen=True, tag="palantir"):
    deck: Literal["sea", "end"]


class Refresh(_Order, frozen=True, tag="refresh"):
    ability: str


class Take(_Order, frozen=True, tag="take"):
    ability: str


class Cancel(_Order, frozen=True, tag="cancel"):
    """Take back what stands for a province (None: everything of this phase)."""

    province: int | None = None


class Final(_Order, frozen=True, tag="final"):
    pass


ProvinceOrder = Fortify | March | Support | Work | Hold
Order = (
    Fortify
    | March
    | Support
    | Work
    | Hold
    | Send
    | Snitch
    | Buy
    | BuyNothing
    | Upgrade
    | Capitol
    | Bid
    | Use
    | Commit
    | CommitNothing
    | Burn
    | Fire
    | Hide
    | UseBank
    | UseFaith
    | HireKing
    | Forecast
    | ReadDragonDeck
    | PutAtBottom
    | PlaceDragon
    | ChooseFaction
    | Palantir
    | Refresh
    | Take
    | Cancel
    | Final
)

PLAIN_TEXTS: Mapping[type[_Order], str] = {
    BuyNothing: "Buy nothing",
    CommitNothing: "Commit nothing",
    Hide: "Nothing to see here!",
    UseBank: "The Bank of Lannuvár",
    UseFaith: "Faith alone sustains us",
    HireKing: "Hire the Mountain King",
    Forecast: "Weather forecast",
    ReadDragonDeck: "Read the dragon deck",
    PutAtBottom: "Put the card at the bottom",
    PlaceDragon: "Place the Dragon on top",
    Final: "Final",
}
"""Orders that always read the same."""


def ordered_province(order: Order) -> int | None:
    """The province this order occupies: a province takes one order a turn (PR-6.1)."""
    match order:
        case Fortify(province=p) | Work(province=p) | Hold(province=p):
            return p
        case March(origin=p) | Support(origin=p):
            return p
    return None


def format_province(number: int) -> str:
    return "the Island" if number == ISLAND else f"P{number}"


def format_order(order: Order, names: Mapping[int, str]) -> str:  # noqa: C901 - one line an order
    """The canonical text; `names` are the players' names by number."""
    gold = "Golden " if getattr(order, "golden", False) else ""
    match order:
        case Fortify(province=p):
            return f"{gold}Fortify! {format_province(p)}"
        case March(units=n, origin=a, target=b, delayed=delayed):
            return (
                f"{'Delayed ' if delayed else ''}{gold}March! {n} from {format_province(a)} to"
                f" {format_province(b)}"
            )
        case Support(player=x, target=b, origin=a):
            return f"{gold}Support! {names[x]} in {format_province(b)} from {format_province(a)}"
        case Work(province=p):
            return f"{gold}Work, work! {format_province(p)}"
        case Hold(province=p):
            return f"Hold {format_province(p)}"
        case Send(amount=n, to=x):
            return f"Send {n} to {names[x]}"
        case Snitch(on=x):
            return f"Snitch on {names[x]}"
        case Buy(units=n, province=p):
            return f"Buy {n} in {format_province(p)}"
        case Upgrade(province=p):
            return f"Upgrade {format_province(p)}"
        case Capitol(province=p):
            return f"Capitol {format_province(p)}"
        case Bid(amount=n):
            return f"Bid {n}"
        case Use(amount=n, mate=x):
            return f"Use {n} from {names[x]}"
        case Commit(units=n, province=p, sacrifice=sac):
            return f"Commit {n} from {format_province(p)}" + (
                "" if sac is None else f" (sac {sac})"
            )
        case Burn(province=p):
            return f"Burn {format_province(p)}"
        case Fire(count=n):
            return f"Fight fire with fire: {n}"
        case ChooseFaction(faction=f):
            return f"Faction {f}"
        case Palantir(deck=deck):
            return f"Palantír: {'Sea' if deck == 'sea' else 'The End'}"
        case Refresh(ability=a):
            return f"Refresh {a}"
        case Take(ability=a):
            return f"Take {a}"
        case Cancel(province=None):
            return "Cancel all"
        case Cancel(province=p):
            return f"Cancel {format_province(p)}" if p is not None else "Cancel all"
    return PLAIN_TEXTS[type(order)]
