"""Who is asked for a land to enter (RM-5.3, RM-9.10): whoever can come in, now or after what he may
buy, play and trade for first. What that is, is worked out here once more from the rules.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.games.realm_master.engine.playing import close
from tests.games.realm_master.house import random_turn, state_of

ENTRY = {"JER": (2, 0), "MER": (5, 0), "KUR": (1, 0), "BAR": (1, 1)}
"""Gold and hearts that an entry costs (RM-2.1 to RM-2.6)."""
PRICES = {"B01": 4, "B02": 5, "B04": 3, "B08": 2, "B09": 3, "B11": 2, "B12": 5, "B13": 2, "B15": 4}
PRICES |= {"B16": 4, "B17": 3, "B18": 5}
ENCHANTED = {"B13", "B15", "B16", "B17", "B18"}


class Lie(NamedTuple):
    """What changes by what a hero does before he enters."""

    hearts: int
    gold: int
    cards: frozenset[str]
    row: frozenset[str]
    rival: int
    ground: tuple[int, ...]
    lives: int


def is_in_reach(told: Mapping[str, Any], lie: Lie) -> bool:
    """Whether a land can be paid as it lies, with a sword or the Gate Rune."""
    if "s" not in told["rolled"] and "B18" not in lie.cards:
        return False
    less = 2 * ("B04" in lie.cards) + (told["players"]["P1"]["hero"] == "dwarf")
    return any(
        lie.gold >= max(0, gold - less) and (not hearts or lie.hearts > hearts)
        for gold, hearts in ENTRY.values()
    )


def next_lies(told: Mapping[str, Any], lie: Lie) -> Iterator[Lie]:
    """All that one purchase, one card, or one heart for gold makes of it."""
    for card in lie.row:
        wizard = card in ENCHANTED and told["players"]["P1"]["hero"] == "wizard"
        price = max(0, PRICES[card] - wizard - (told["card"] == "T16"))
        if price <= lie.gold:
            yield lie._replace(
                gold=lie.gold - price, cards=lie.cards | {card}, row=lie.row - {card}
            )
    played = {card: lie._replace(cards=lie.cards - {card}) for card in lie.cards}
    if "B08" in played:
        yield played["B08"]._replace(hearts=min(10, lie.hearts + 3))
    if "B11" in played:
        taken = min(2, lie.rival)
        yield played["B11"]._replace(gold=lie.gold + taken, rival=lie.rival - taken)
    for at, gold in enumerate(lie.ground if "B17" in played else ()):
        ground = (*lie.ground[:at], gold - min(3, gold), *lie.ground[at + 1 :])
        yield played["B17"]._replace(gold=lie.gold + min(3, gold), ground=ground)
    if told["card"] == "T08" and lie.gold and lie.lives < 3 and lie.hearts < 10:
        yield lie._replace(gold=lie.gold - 1, hearts=lie.hearts + 1, lives=lie.lives + 1)


def can_come_in(told: Mapping[str, Any]) -> bool:
    hearts, gold, _ = map(int, told["players"]["P1"]["hgb"].split("/"))
    rival = int(told["players"]["P2"]["hgb"].split("/")[1])
    ground = tuple(int(land.split("/")[1]) for land in told["lands"].values())
    own, row = frozenset(told["players"]["P1"]["cards"]), frozenset(told["row"])
    waiting = [Lie(hearts, gold, own, row, rival, ground, 0)]
    met = set(waiting)
    while waiting:
        lie = waiting.pop()
        if is_in_reach(told, lie):
            return True
        fresh = set(next_lies(told, lie)) - met
        met |= fresh
        waiting += fresh
    return False


@given(st.integers(0, 2**32))
def test_who_can_come_in_is_asked_and_nobody_else(seed: int) -> None:
    """F-84."""
    told = random_turn(Random(seed))
    after = close(state_of(told, "reroll"), {"P1": "Reroll: keep the rest"}).state
    while after.stage == "faces":  # a Charm in hand
        after = close(after, {"P1": "Go on"}).state
    assert (after.stage == "enter") == can_come_in(told)
