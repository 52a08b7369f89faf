"""Judging rolled actions and year-start orders: which refusal comes first, what is only warned of,
and what is cut (SF-4).
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.sovereigns.codes import COSTS, is_anachronistic, is_code
from engine.sovereigns.orders import Action, Condition, Do, Proposal, Way, Year
from engine.sovereigns.seasons.effects import SPARED
from engine.sovereigns.seasons.rolls import has_works
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
    return "no-code" if any(not _has_codes(state, player, way) for way in order.ways) else None


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


def _has_codes(state: State, player: int, way: Action) -> bool:
    burns = not way.burn or way.burn == SPARED or way.burn in COSTS
    return burns and (way.proposal is None or is_sound(state, player, way.proposal))


def is_sound(state: State, player: int, proposal: Proposal) -> bool:
    """Whether a proposal could be allowed after some success: on the lists, its origin owned if it
    takes one.
    """
    if not NAME.fullmatch(proposal.name) or not is_code(proposal.code):
        return False
    return not is_anachronistic(proposal.code) or proposal.origin in state.kingdom(player).tech


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


def cut_action(state: State, player: int, order: Do) -> tuple[Do, tuple[str, ...]]:
    """A standing action cut to what is free now, and the codes of its warnings."""
    kingdom = state.kingdom(player)
    ways: list[Action] = []
    warnings: list[str] = []
    for told in order.ways:
        way, free = told, max(0, kingdom.free(told.attribute))
        if way.points is not None and way.points > free:
            warnings.append("not-enough")
            way = replace(way, points=free)
        if way.boon and not kingdom.boons:
            warnings.append("no-boon")
            way = replace(way, boon=False)
        if way.works and not has_works(kingdom, way.attribute):
            warnings.append("no-building")
            way = replace(way, works=False)
        ways.append(way)
    return replace(order, ways=tuple(ways)), tuple(dict.fromkeys(warnings))


# ----------------------------------------------------------------------------------- the year start
def refusal_of_year(
    state: State, player: int, order: Year, *, second: bool = False, standing: bool = False
) -> str | None:
    """The first refusal of an answer at year start; a standing one is judged by its words alone."""
    if not 1 <= len(order.ways) <= MOST_ALTERNATIVES:
        return "not-understood"
    if any(not is_known(state, number) for number in kingdoms_of(order.condition)):
        return "unknown-kingdom"
    if second:
        return "one-action"
    return next(
        _refusals_of_ways(state.kingdom(player).total.H, order.ways, standing=standing), None
    )


def _refusals_of_ways(harmony: int, ways: Sequence[Way], *, standing: bool) -> Iterator[str]:
    for way in ways:
        if way.fear:
            if harmony < 1 and not way.sure and not standing:
                yield "confirm"
        elif way.points == 0 and (harmony or standing):
            yield "min-one"


def cut_year(state: State, player: int, order: Year) -> tuple[Year, tuple[str, ...]]:
    """A year-start answer cut to the Harmony there is, and the codes of its warnings."""
    kingdom = state.kingdom(player)
    ways: list[Way] = []
    warnings: list[str] = []
    for told in order.ways:
        way = told
        if way.points is not None and way.points > kingdom.total.H:
            warnings.append("not-enough")
            way = replace(way, points=kingdom.total.H)
        wanted = (("H", way.works), ("M", way.rebellion_works or way.coup_works))
        if any(
            works and not kingdom.has_building(f"BLD-WORKS {attribute}")
            for attribute, works in wanted
        ):
            warnings.append("no-building")
            arms = kingdom.has_building("BLD-WORKS M")
            way = replace(
                way,
                works=way.works and kingdom.has_building("BLD-WORKS H"),
                rebellion_works=way.rebellion_works and arms,
                coup_works=way.coup_works and arms,
            )
        ways.append(way)
    return replace(order, ways=tuple(ways)), tuple(dict.fromkeys(warnings))
