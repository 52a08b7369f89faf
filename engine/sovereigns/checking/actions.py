"""Checks of rolled actions and year-start orders: which refusal comes first, and what is only a
warning (SF-4). An order that waits stands as it was written: what is there when it takes effect
counts.
"""

import re
from collections.abc import Iterator, Sequence

from engine.sovereigns.codes import COSTS, is_code
from engine.sovereigns.orders import Action, Condition, Do, Proposal, Way, Year
from engine.sovereigns.seasons.effects import SPARED
from engine.sovereigns.seasons.rolls import has_works
from engine.sovereigns.seasons.year import fits
from engine.sovereigns.state import State

NAME = re.compile(r"(?!.* (?:else|if|from) )[^\s;,=\"\n][^;,=\"\n]{0,38}[^\s;,=\"\n]|[^\s;,=\"\n]")
"""Names of technologies: one line, at most 40 signs, none that divide orders."""
NEED_TARGET = ("Attack", "Espionage", "Theft", "Spread", "Foment")
MOST_WORDS = 500
MOST_ALTERNATIVES = 3


def refusal_of_action(state: State, player: int, order: Do, *, second: bool = False) -> str | None:
    """The first refusal of a rolled action with its alternatives; None if it stands. `second`: one
    of this message stands already.
    """
    reading = refusal_of_reading(state, player, order)
    if reading is not None:
        return reading
    if second:
        return "one-action"
    return next(
        (
            refusal
            for way in order.ways
            if (refusal := _refusal_of_way(state, player, way)) is not None
        ),
        None,
    )


def refusal_of_reading(state: State, player: int, order: Do) -> str | None:
    """What is wrong whatever the points are, in all alternatives."""
    if not 1 <= len(order.ways) <= MOST_ALTERNATIVES:
        return "not-understood"
    if any(
        len(way.words) > MOST_WORDS or '"' in way.words or not way.words.isprintable()
        for way in order.ways
    ):
        return "not-understood"
    if any(
        not is_known(state, number)
        for number in (*kingdoms_of(order.condition), *(way.target for way in order.ways))
    ):
        return "unknown-kingdom"
    if any(_is_bad_target(state, player, way) for way in order.ways):
        return "bad-target"
    if any(way.kind == "Increase" and way.raises not in ("M", "H") for way in order.ways):
        return "no-increase"
    return "no-code" if any(not _has_codes(way) for way in order.ways) else None


def is_known(state: State, number: int | None) -> bool:
    return number is None or 1 <= number <= len(state.kingdoms)


def kingdoms_of(condition: Condition | None) -> tuple[int, ...]:
    """The kingdoms that a condition names."""
    if condition is None:
        return ()
    return (condition.kingdom,) if condition.other is None else (condition.kingdom, condition.other)


def _is_bad_target(state: State, player: int, way: Action) -> bool:
    if way.target is None:
        return way.kind in NEED_TARGET or (way.kind == "Try" and way.effect.startswith("-"))
    return way.target == player or not state.kingdom(way.target).alive


def _has_codes(way: Action) -> bool:
    burns = not way.burn or way.burn == SPARED or way.burn in COSTS
    return burns and (way.proposal is None or is_sound(way.proposal))


def is_sound(proposal: Proposal) -> bool:
    """Whether a proposal could be allowed after some success: on the lists. What else an
    anachronistic one takes shows when the research resolves (SF-9.12).
    """
    return NAME.fullmatch(proposal.name) is not None and is_code(proposal.code)


def _refusal_of_way(state: State, player: int, way: Action) -> str | None:
    kingdom = state.kingdom(player)
    if way.kind == "Found" and kingdom.faith:
        return "already-owned"
    if way.kind == "Spread" and not kingdom.faith:
        return "no-faith"
    if way.depleted and (way.attribute != "R" or way.depleted > kingdom.ex.R - kingdom.depleted):
        return "nothing-to-deplete"
    if way.points == 0 and not way.depleted:
        return "min-one"
    return "not-enough" if kingdom.free(way.attribute) < 1 and not way.depleted else None


def warnings_of_action(state: State, player: int, order: Do) -> tuple[str, ...]:
    """What an order that stands could not have if it took effect now."""
    kingdom = state.kingdom(player)
    warnings: list[str] = []
    for way in order.ways:
        if way.points is not None and way.points > max(0, kingdom.free(way.attribute)):
            warnings.append("not-enough")
        if way.boon and not kingdom.boons:
            warnings.append("no-boon")
        if way.works and not has_works(kingdom, way.attribute):
            warnings.append("no-building")
    return tuple(dict.fromkeys(warnings))


# ----------------------------------------------------------------------------------- the year start
def refusal_of_year(
    state: State, player: int, order: Year, *, second: bool = False, standing: bool = False
) -> str | None:
    """The first refusal of an answer at year start. A standing one is judged by its words alone;
    one that is sent in Winter is judged when the year starts, and only warned of before.
    """
    if not 1 <= len(order.ways) <= MOST_ALTERNATIVES:
        return "not-understood"
    if any(not is_known(state, number) for number in kingdoms_of(order.condition)):
        return "unknown-kingdom"
    if second:
        return "one-action"
    if standing:
        return "min-one" if any(not way.fear and way.points == 0 for way in order.ways) else None
    return None if _waits(state) else next(_unfit(state, player, order.ways), None)


def warnings_of_year(state: State, player: int, order: Year) -> tuple[str, ...]:
    """What an answer that stands could not have if the year started now."""
    kingdom = state.kingdom(player)
    warnings = list(_unfit(state, player, order.ways)) if _waits(state) else []
    for way in order.ways:
        if way.points is not None and way.points > kingdom.total.H:
            warnings.append("not-enough")
        wanted = (("H", way.works), ("M", way.rebellion_works or way.coup_works))
        if any(
            works and not kingdom.has_building(f"BLD-WORKS {attribute}")
            for attribute, works in wanted
        ):
            warnings.append("no-building")
    return tuple(dict.fromkeys(warnings))


def _waits(state: State) -> bool:
    """Whether an answer given now is one for a year that has not come yet (SS-12.8)."""
    return state.stage == "season"


def _unfit(state: State, player: int, ways: Sequence[Way]) -> Iterator[str]:
    """What is wrong with each of these answers as all lies now."""
    for way in ways:
        if not fits(way, state.kingdom(player).total.H):
            yield "confirm" if way.fear else "min-one"
