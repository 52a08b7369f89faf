"""What texts about a game of Realm-Master claim."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.realm_master.events import DiceResolved, HeroDied
from tests.claims import NAME, Claims, Happened
from tests.moments import NAMES, Whole

BY = rf"\b(?P<by>{NAME})"
AHEAD = rf"(?P<ahead>\d+) ahead of (?P<whose>{NAME}|the others)"


def has_banners(at: Happened, found: "re.Match[str]") -> bool:
    """The banners after the close, and by how many somebody is ahead of the next living."""
    who = at.number(found["by"])
    own = at.view.player(who).banners
    others = [one for one in at.view.players if one.alive and one.number != who]
    most = max((one.banners for one in others), default=0)
    if own != int(found["n"]):
        return False
    if found["ahead"] is None:
        return True
    next_ones = {NAMES[one.number - 1] for one in others if one.banners == most}
    return own - most == int(found["ahead"]) and found["whose"] in next_ones | {"the others"}


def needs(at: Happened, found: "re.Match[str]") -> bool:
    return bool(at.view.player(at.number(found["by"])).banners + int(found["n"]) == 10)


def kills(at: Happened, found: "re.Match[str]") -> bool:
    pair = (at.number(found["by"]), at.number(found["whose"]))
    return any((one.killer, one.player) == pair for one in at.facts(HeroDied))


def rolls(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (at.number(found["by"]), int(found["n"]))
    return any((one.player, one.gain.banners) == wanted for one in at.facts(DiceResolved))


def fell(at: Happened, found: "re.Match[str]") -> bool:
    """In which round somebody fell: never more rounds than there were (THIRD A22)."""
    told, killer = int(found["n"]), at.number(found["by"] or "")
    return told <= at.view.round and any(
        (one.fell_to or 0) == killer and one.fell_round == told
        for one in at.view.players
        if not one.alive
    )


def missing(at: Happened, said: str) -> Iterator[str]:
    """Every banner of the dice (THIRD A3), and every death."""
    for one in at.facts(DiceResolved):
        if one.gain.banners and f"{NAMES[one.player - 1]} rolls" not in said:
            yield f"{NAMES[one.player - 1]} rolls {one.gain.banners}"
    for dead in at.facts(HeroDied):
        if dead.killer and f"kills {NAMES[dead.player - 1]}" not in said:
            yield f"{NAMES[dead.player - 1]} is killed"


def battles(_table: Whole) -> Mapping[int, tuple[int, int]] | None:
    return None


def shown(_cells: Sequence[str]) -> tuple[int, int] | None:
    return None


def figures(view: Any) -> Mapping[int, int]:
    return {one.number: one.banners for one in view.players if one.alive}


CLAIMS = Claims(
    players=5,
    seed=3,
    claims={
        rf"{BY} wins with (?P<n>\d+) banners?(?: \(10 win\))?(?:, {AHEAD})?": has_banners,
        rf"{BY} leads with (?P<n>\d+) banners?(?:, {AHEAD})?": has_banners,
        rf"{BY} has (?P<n>\d+) banners?, {AHEAD}": has_banners,
        rf"{BY} needs (?P<n>\d+) more banners?": needs,
        rf"{BY} kills (?P<whose>{NAME})": kills,
        rf"{BY} rolls (?P<n>\d+) banners?": rolls,
        rf"(?:killed by (?P<by>{NAME})|died) in round (?P<n>\d+)": fell,
        rf"\b[Ff]ell in round (?P<n>\d+)(?: to (?P<by>{NAME}))?": fell,
        r"(?:[Ff]ell|killed|died)[^.]{0,20} in turn (?P<n>\d+)": lambda _at, _found: False,
    },
    winners=lambda view: view.winners,
    battles=battles,
    shown=shown,
    missing=missing,
    figures=figures,
)
