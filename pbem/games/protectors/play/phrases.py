"""How people word their orders."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.protectors import orders as o
from engine.protectors.view import PlayerView
from pbem.phrases import PhraseBook, in_words

POOLED_BID = "pooled bid"
"""The heading of a bid of which a team-mate pays a part."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a player may be called in an order."""

    number: int
    name: str
    colour: str

    def __str__(self) -> str:
        return self.name


Names = Mapping[int, Named]


def _province(number: int | None, rng: random.Random, names: Names) -> str:
    ways = BOOK.phrases["the Island" if number == o.ISLAND else "a province"]
    return rng.choice(ways).format(number=number)


def _player(number: int, rng: random.Random, names: Names) -> str:
    named = names[number]
    return rng.choice(BOOK.phrases["a player"]).format(
        name=named.name, lower=named.name.lower(), colour=named.colour, number=number
    )


BOOK: PhraseBook[o.Order] = PhraseBook(
    __package__,
    o.FORMS,
    {
        "place": _province,
        "standing": _province,
        "player": _player,
        "count": lambda count, rng, names: in_words(count, rng),
    },
)


def phrase_all(orders: Sequence[o.Order], names: Names, rng: random.Random) -> list[str]:
    """One way to say each; what a team-mate pays of a bid is said in one breath with it."""
    said: list[str] = []
    lent = next((order for order in orders if isinstance(order, o.Use)), None)
    bid = next((order for order in orders if isinstance(order, o.Bid) and order.amount), None)
    for order in orders:
        if bid is None or lent is None or order not in (bid, lent):
            said.append(BOOK.phrase(order, rng, names, heading_of(order)))
        elif order is bid:
            said.append(pooled(rng.choice(BOOK.phrases[POOLED_BID]), bid, lent, names, rng))
    return said


def heading_of(order: o.Order) -> str:
    """The heading of an order whose kind has several; "" for any other."""
    return "bid nothing" if order == o.Bid(0) else ""


def pooled(template: str, bid: o.Bid, lent: o.Use, names: Names, rng: random.Random) -> str:
    """A bid and what a team-mate pays of it, in the words of this template."""
    return BOOK.fill(template, lent, rng, names, bid=str(bid.amount))


def names_of(players: Iterable[PlayerView]) -> dict[int, Named]:
    """What everybody may be called, by number."""
    return {player.number: Named(player.number, player.name, player.colour) for player in players}
