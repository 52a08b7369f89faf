"""How people word their orders: several phrasings for each kind, from a data file."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import msgspec
import yaml

from engine.protectors import orders as o
from engine.protectors.view import PlayerView


class PhraseBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Phrasings by kind of order, and the ways to write a province, a player and a small number."""

    orders: dict[str, tuple[str, ...]]
    provinces: tuple[str, ...]
    island: tuple[str, ...]
    players: tuple[str, ...]
    words: tuple[str, ...]
    notes: tuple[str, ...]
    """Said to the game master."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a player may be called in an order."""

    number: int
    name: str
    colour: str


@lru_cache(maxsize=1)
def phrase_book() -> PhraseBook:
    """The data file, read once."""
    raw = resources.files("pbem.games.protectors.play").joinpath("data/phrases.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(raw), type=PhraseBook)


def kind_of(order: o.Order) -> str:
    """Under which heading of the phrase book an order stands."""
    gold = "golden " if getattr(order, "golden", False) else ""
    match order:
        case o.March(delayed=delayed):
            return f"{'delayed ' if delayed else ''}{gold}march"
        case o.Bid(amount=0):
            return "bid nothing"
        case o.Commit(sacrifice=sacrifice):
            return "commit" if sacrifice is None else "commit sac"
        case o.CommitNothing():
            return "commit nothing"
        case o.Cancel(province=None):
            return "cancel all"
    return gold + _KINDS[type(order)]


_KINDS: Mapping[type[o.Order], str] = {
    o.Fortify: "fortify",
    o.Support: "support",
    o.Work: "work",
    o.Hold: "hold",
    o.Send: "send",
    o.Snitch: "snitch",
    o.Buy: "buy",
    o.Upgrade: "upgrade",
    o.Capitol: "capitol",
    o.Bid: "bid",
    o.Burn: "burn",
    o.Cancel: "cancel",
    o.Final: "final",
    o.Use: "use",
    o.Fire: "fire",
    o.Hide: "hide",
    o.UseBank: "bank",
    o.UseFaith: "faith",
    o.HireKing: "king",
    o.Forecast: "forecast",
    o.ReadDragonDeck: "read dragons",
    o.PutAtBottom: "bottom",
    o.PlaceDragon: "place dragon",
    o.ChooseFaction: "faction",
    o.Palantir: "palantir",
    o.Refresh: "refresh",
    o.Take: "take",
}


POOLED_BID = "pooled bid"
"""The heading of a bid of which a team-mate pays a part."""


def phrase_all(
    orders: Sequence[o.Order], names: Mapping[int, Named], rng: random.Random
) -> list[str]:
    """One way to say each; what a team-mate pays of a bid is said in one breath with it."""
    said: list[str] = []
    lent = next((order for order in orders if isinstance(order, o.Use)), None)
    bid = next((order for order in orders if isinstance(order, o.Bid) and order.amount), None)
    for order in orders:
        if bid is not None and lent is not None and order is bid:
            said.append(
                word_pooled(rng.choice(phrase_book().orders[POOLED_BID]), bid, lent, names, rng)
            )
        elif bid is None or order is not lent:
            said.append(phrase(order, names, rng))
    return said


def word_pooled(
    template: str, bid: o.Bid, lent: o.Use, names: Mapping[int, Named], rng: random.Random
) -> str:
    """A bid and what a team-mate pays of it, in the words of this template."""
    return template.format(
        amount=bid.amount, lent=lent.amount, x=_player(names.get(lent.mate), rng)
    )


def phrase(order: o.Order, names: Mapping[int, Named], rng: random.Random) -> str:
    """One way to say it."""
    return word_as(rng.choice(phrase_book().orders[kind_of(order)]), order, names, rng)


def word_as(template: str, order: o.Order, names: Mapping[int, Named], rng: random.Random) -> str:
    """An order in the words of this template."""
    fields = {name: getattr(order, name) for name in order.__struct_fields__}
    count = fields.get("units") or fields.get("count") or 0
    words = {
        "p": _province(fields.get("province"), rng),
        "a": _province(fields.get("origin"), rng),
        "b": _province(fields.get("target"), rng),
        "n": _number(count, rng),
        "digits": str(count),
        "amount": str(fields.get("amount", 0)),
        "sac": str(fields.get("sacrifice") or 0),
        "x": _player(
            names.get(
                next((fields[key] for key in ("player", "to", "on", "mate") if key in fields), 0)
            ),
            rng,
        ),
        "faction": str(fields.get("faction", "")),
        "ability": str(fields.get("ability", "")),
        "deck": {"sea": "Sea", "end": "The End"}.get(str(fields.get("deck")), ""),
    }
    return template.format(**words)


def every_wording(order: o.Order, names: Mapping[int, Named], rng: random.Random) -> Sequence[str]:
    """The order in all phrasings of its kind."""
    return [
        word_as(template, order, names, rng) for template in phrase_book().orders[kind_of(order)]
    ]


def _province(number: int | None, rng: random.Random) -> str:
    if number is None:
        return ""
    return (
        rng.choice(phrase_book().island)
        if number == o.ISLAND
        else rng.choice(phrase_book().provinces).format(number=number)
    )


def _number(count: int, rng: random.Random) -> str:
    words = phrase_book().words
    return words[count] if count < len(words) and rng.random() < 0.4 else str(count)


def _player(named: Named | None, rng: random.Random) -> str:
    if named is None:
        return ""
    form = rng.choice(phrase_book().players)
    return form.format(
        name=named.name, lower=named.name.lower(), colour=named.colour, number=named.number
    )


def names_of(players: Iterable[PlayerView]) -> dict[int, Named]:
    """What everybody may be called, by number."""
    return {player.number: Named(player.number, player.name, player.colour) for player in players}
