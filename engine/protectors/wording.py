"""Canonical texts read back: the exact inverse of `format_order`, for stored and told orders (what
people write is the grammar's).
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

from engine.protectors import orders as o

_PLACE = r"(P[1-9]\d*|the Island)"
_COUNT = r"(0|[1-9]\d*)"
_GOLD = r"(Golden )?"

_Words = re.Match[str]
_Names = Mapping[str, int]
_PLAIN: Mapping[str, o.Order] = {
    o.PLAIN_TEXTS[type(order)]: order
    for order in (
        o.BuyNothing(),
        o.CommitNothing(),
        o.Hide(),
        o.UseBank(),
        o.UseFaith(),
        o.HireKing(),
        o.Forecast(),
        o.ReadDragonDeck(),
        o.PutAtBottom(),
        o.PlaceDragon(),
        o.Final(),
    )
}


def _place(text: str) -> int:
    return o.ISLAND if text == "the Island" else int(text[1:])


def _faction(text: str) -> o.Faction:
    return next(faction for faction in o.FACTIONS if faction == text)


def _deck(text: str) -> Literal["sea", "end"]:
    return "sea" if text == "Sea" else "end"


_FORMS: tuple[tuple[re.Pattern[str], Callable[[_Words, _Names], o.Order]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (rf"{_GOLD}Fortify! {_PLACE}", lambda m, _: o.Fortify(_place(m[2]), bool(m[1]))),
        (
            rf"(Delayed )?{_GOLD}March! {_COUNT} from {_PLACE} to {_PLACE}",
            lambda m, _: o.March(int(m[3]), _place(m[4]), _place(m[5]), bool(m[2]), bool(m[1])),
        ),
        (
            rf"{_GOLD}Support! (.+) in {_PLACE} from {_PLACE}",
            lambda m, n: o.Support(n[m[2]], _place(m[3]), _place(m[4]), bool(m[1])),
        ),
        (rf"{_GOLD}Work, work! {_PLACE}", lambda m, _: o.Work(_place(m[2]), bool(m[1]))),
        (rf"Hold {_PLACE}", lambda m, _: o.Hold(_place(m[1]))),
        (rf"Send {_COUNT} to (.+)", lambda m, n: o.Send(int(m[1]), n[m[2]])),
        (r"Snitch on (.+)", lambda m, n: o.Snitch(n[m[1]])),
        (rf"Buy {_COUNT} in {_PLACE}", lambda m, _: o.Buy(int(m[1]), _place(m[2]))),
        (rf"Upgrade {_PLACE}", lambda m, _: o.Upgrade(_place(m[1]))),
        (rf"Capitol {_PLACE}", lambda m, _: o.Capitol(_place(m[1]))),
        (rf"Bid {_COUNT}", lambda m, _: o.Bid(int(m[1]))),
        (rf"Use {_COUNT} from (.+)", lambda m, n: o.Use(int(m[1]), n[m[2]])),
        (
            rf"Commit {_COUNT} from {_PLACE}(?: \(sac {_COUNT}\))?",
            lambda m, _: o.Commit(int(m[1]), _place(m[2]), None if m[3] is None else int(m[3])),
        ),
        (rf"Burn {_PLACE}", lambda m, _: o.Burn(_place(m[1]))),
        (rf"Fight fire with fire: {_COUNT}", lambda m, _: o.Fire(int(m[1]))),
        (
            rf"Faction ({'|'.join(map(re.escape, o.FACTIONS))})",
            lambda m, _: o.ChooseFaction(_faction(m[1])),
        ),
        (r"Palantír: (Sea|The End)", lambda m, _: o.Palantir(_deck(m[1]))),
        (r"Refresh (.+)", lambda m, _: o.Refresh(m[1])),
        (r"Take (.+)", lambda m, _: o.Take(m[1])),
        (rf"Cancel {_PLACE}", lambda m, _: o.Cancel(_place(m[1]))),
        (r"Cancel all", lambda _, __: o.Cancel()),
    )
)


def parse_order(text: str, numbers: Mapping[str, int]) -> o.Order:
    """The order of a canonical text; `numbers` are the players' numbers by name. ValueError if it
    is none.
    """
    plain = _PLAIN.get(text)
    if plain is not None:
        return plain
    for pattern, build in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None:
            try:
                return build(match, numbers)
            except KeyError as unknown:
                raise ValueError(f"no player {unknown.args[0]!r} in {text!r}") from None
    raise ValueError(f"{text!r} is no canonical text of an order")
