"""The orders of Protectors of the Realm and their canonical texts (the words a receipt quotes).

Provinces and players are numbers here; province 0 is the Island. Each order has exactly one text,
and the grammar reads that text back to the same order.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, get_args

import msgspec

from engine.forms import Forms, Slot, choice, digits

ISLAND = 0
"""The Island's number on the board."""

Faction = Literal["Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár"]
FACTIONS: tuple[Faction, ...] = ("Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár")


class _Order(msgspec.Struct, frozen=True, tag_field="order"):
    """Base of all orders; `form` is the template of the canonical text (`engine.forms`)."""

    form: ClassVar[str] = ""


class OfProvince(_Order, frozen=True):
    """Base of those that occupy a province: it takes one order a turn (PR-6.1)."""


class AtOnce(_Order, frozen=True):
    """Base of those that are carried out when they come, to look at a card or to move it
    (PR-6.17).
    """


class Fortify(OfProvince, frozen=True, tag="fortify"):
    form = "{golden?Golden }Fortify! {province:place}"
    province: int
    golden: bool = False


class March(OfProvince, frozen=True, tag="march"):
    form = (
        "{delayed?Delayed }{golden?Golden }"
        "March! {units:count} from {origin:place} to {target:place}"
    )
    units: int
    origin: int
    target: int
    golden: bool = False
    delayed: bool = False


class Support(OfProvince, frozen=True, tag="support"):
    form = "{golden?Golden }Support! {player:player} in {target:place} from {origin:place}"
    player: int
    target: int
    origin: int
    golden: bool = False


class Work(OfProvince, frozen=True, tag="work"):
    form = "{golden?Golden }Work, work! {province:place}"
    province: int
    golden: bool = False


class Hold(OfProvince, frozen=True, tag="hold"):
    form = "Hold {province:place}"
    province: int


class Send(_Order, frozen=True, tag="send"):
    form = "Send {amount:count} to {to:player}"
    amount: int
    to: int


class Snitch(_Order, frozen=True, tag="snitch"):
    form = "Snitch on {on:player}"
    on: int


class Buy(_Order, frozen=True, tag="buy"):
    form = "Buy {units:count} in {province:place}"
    units: int
    province: int


class BuyNothing(_Order, frozen=True, tag="buy-nothing"):
    """An answer by which no unit is bought (PR-8.9): in the last turn no bid can say it
    (PR-3.6).
    """

    form = "Buy nothing"


class Upgrade(_Order, frozen=True, tag="upgrade"):
    form = "Upgrade {province:place}"
    province: int


class Capitol(_Order, frozen=True, tag="capitol"):
    form = "Capitol {province:place}"
    province: int


class Bid(_Order, frozen=True, tag="bid"):
    form = "Bid {amount:count}"
    amount: int


class Use(_Order, frozen=True, tag="use"):
    """Money of a team-mate (PR-13.2)."""

    form = "Use {amount:count} from {mate:player}"
    amount: int
    mate: int


class Commit(_Order, frozen=True, tag="commit"):
    """Units against the Dragon; `sacrifice` of them are offered for min.US (None: not said)."""

    form = "Commit {units:count} from {province:place}[ (sac {sacrifice:count})]"
    units: int
    province: int
    sacrifice: int | None = None


class CommitNothing(_Order, frozen=True, tag="commit-nothing"):
    form = "Commit nothing"


class Burn(_Order, frozen=True, tag="burn"):
    form = "Burn {province:place}"
    province: int


class Fire(_Order, frozen=True, tag="fire"):
    """Fight fire with fire (PR-11.1)."""

    form = "Fight fire with fire: {count:count}"
    count: int


class Hide(_Order, frozen=True, tag="hide"):
    """Nothing to see here! (PR-11.2)."""

    form = "Nothing to see here!"


class UseBank(_Order, frozen=True, tag="bank"):
    form = "The Bank of Lannuvár"


class UseFaith(_Order, frozen=True, tag="faith"):
    form = "Faith alone sustains us"


class HireKing(_Order, frozen=True, tag="king"):
    form = "Hire the Mountain King"


class Forecast(AtOnce, frozen=True, tag="forecast"):
    form = "Weather forecast"


class ReadDragonDeck(AtOnce, frozen=True, tag="read-dragons"):
    form = "Read the dragon deck"


class PutAtBottom(AtOnce, frozen=True, tag="bottom"):
    form = "Put the card at the bottom"


class PlaceDragon(AtOnce, frozen=True, tag="place-dragon"):
    form = "Place the Dragon on top"


class ChooseFaction(_Order, frozen=True, tag="faction"):
    form = "Faction {faction:faction}"
    faction: Faction


class Palantir(AtOnce, frozen=True, tag="palantir"):
    form = "Palantír: {deck:deck}"
    deck: Literal["sea", "end"]


class Refresh(_Order, frozen=True, tag="refresh"):
    form = "Refresh {ability:words}"
    ability: str


class Take(_Order, frozen=True, tag="take"):
    form = "Take {ability:words}"
    ability: str


class Cancel(_Order, frozen=True, tag="cancel"):
    """Take back what stands for a province (None: everything of this phase)."""

    form = "Cancel {province:standing}"
    province: int | None = None


class Final(_Order, frozen=True, tag="final"):
    form = "Final"


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


def _province(text: str, names: object) -> int:
    return ISLAND if text == "the Island" else int(text[1:])


def _player(name: str, numbers: Mapping[str, int]) -> int:
    if name not in numbers:
        raise ValueError(f"no player {name!r}")
    return numbers[name]


_PLACE = Slot(r"(?:P[1-9]\d*+|the Island)", _province, lambda number, _: format_province(number))
FORMS: Forms[Order] = Forms(
    "an order",
    get_args(Order),
    {
        "count": digits(),
        "place": _PLACE,
        "player": Slot(r".+", _player, lambda number, names: names[number]),
        "faction": choice({faction: faction for faction in FACTIONS}),
        "deck": choice({"Sea": "sea", "The End": "end"}),
        "words": Slot(r".+"),
        "standing": Slot(
            f"(?:{_PLACE.pattern}|all)",
            lambda text, _: None if text == "all" else _province(text, _),
            lambda number, _: "all" if number is None else format_province(number),
        ),
    },
)
format_order = FORMS.format
"""The canonical text of an order; it takes the players' names by number."""
parse_order = FORMS.parse
"""The order of a canonical text; it takes the players' numbers by name. ValueError if it is not
one. What people write is the grammar's.
"""
