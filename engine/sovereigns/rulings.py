"""What a game master does that can be taken again after a redo: rulings, verdicts on technologies,
corrections (SS-10.8, SF-5).
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.checking.actions import is_known
from engine.sovereigns.codes import ATTRIBUTES, Attribute, is_code
from engine.sovereigns.orders import Do
from engine.sovereigns.refusals import Refused
from engine.sovereigns.seasons.actions import ruling_for
from engine.sovereigns.seasons.effects import NUMBER
from engine.sovereigns.seasons.technologies import amend, approve, find_proposal, obtain, refuse
from engine.sovereigns.state import Mod
from engine.sovereigns.table import Table

EASIEST, HARDEST = 3, 20
"""Bounds of a ruled difficulty (SS-8.3)."""
MOST_TEXT = 2000
MOST_POINTS = 999


class _Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="rule"):
    player: int
    order: Do
    difficulty: int | None = None
    contest: Attribute | None = None
    attribute: Attribute | None = None
    effect: str | None = None
    repercussion: str | None = None


class _Tech(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="tech"):
    name: str
    verdict: str
    code: str = ""


class _Set(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="set"):
    player: int
    attribute: Attribute
    total: int
    ex: int | None = None


class _Mod(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="mod"):
    player: int
    until: str
    flat: int = 0
    die: int = 0


class _Give(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="give"):
    player: int
    technology: str


class _Remove(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="remove"
):
    player: int


class _Keep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="keep"):
    """A ruler who is silent stays; after as many seasons again it is asked again (SS-11.9)."""

    player: int


_Act = _Rule | _Tech | _Set | _Mod | _Give | _Remove | _Keep


def master(table: Table, told: Mapping[str, object]) -> None:
    """Do one of the game master's acts. Refused for what the rules do not allow, ValueError for
    what is no act at all.
    """
    try:
        act = msgspec.convert(dict(told), _Act)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no such act: {dict(told)!r}") from wrong
    if isinstance(act, _Tech):
        _judge_technology(table, act)
        return
    if act.player < 1 or not is_known(table.state, act.player):
        raise Refused("unknown-kingdom")
    if not table.of(act.player).alive:
        raise Refused("fallen")
    match act:
        case _Rule():
            _rule(table, act)
        case _Set():
            _set(table, act)
        case _Mod():
            _modify(table, act)
        case _Give(player, technology):
            _give(table, player, technology)
        case _Keep(player):
            table.change(player, missed=0)
        case _Remove(player):
            table.fall(player, "removed", ["SS-11.9", "SS-10.8"])


def _rule(table: Table, act: _Rule) -> None:
    """A word on a free-form action as it stands; parts add to what was ruled of the same order
    before (SS-8.3).
    """
    way = act.order.tried
    if table.state.stage != "season" or way is None:
        raise Refused("no-action")
    if act.difficulty is not None and not EASIEST <= act.difficulty <= HARDEST:
        raise Refused("out-of-range")
    if act.contest is not None and way.target is None:
        raise Refused("bad-target")
    if any(text is not None and len(text) > MOST_TEXT for text in (act.effect, act.repercussion)):
        raise Refused("out-of-range")
    found = NUMBER.fullmatch(act.effect or "")
    if found and not found[3] and way.target is None:
        raise Refused("bad-target")
    was = ruling_for(table.state, act.player, act.order)
    rest, ruled = tuple(ruling for ruling in table.state.rulings if ruling != was), was
    if act.difficulty is not None:
        ruled = replace(ruled, difficulty=act.difficulty, contest=False)
    if act.contest is not None:
        ruled = replace(ruled, difficulty=None, contest=True)
    ruled = replace(
        ruled,
        attribute=act.contest or act.attribute or ruled.attribute,
        effect=ruled.effect if act.effect is None else act.effect,
        repercussion=ruled.repercussion if act.repercussion is None else act.repercussion,
    )
    table.put(rulings=(*rest, ruled))
    facts = e.RulingGiven(
        act.player,
        ruled.difficulty,
        ruled.contest,
        ruled.attribute,
        ruled.effect,
        ruled.repercussion,
    )
    # an order is its ruler's alone until it is resolved (SS-1.9), and so is what is ruled on it
    table.tell(facts, ["SS-8.3", "SS-10.8"], (act.player,))


def _judge_technology(table: Table, act: _Tech) -> None:
    if act.verdict not in ("approve", "refuse", "amend"):
        raise ValueError(f"no verdict on a technology: {act.verdict!r}")
    if act.verdict == "amend" and not is_code(act.code):
        raise Refused("no-code")
    found = find_proposal(table.state, act.name)
    if found is not None:
        if act.verdict == "refuse":
            refuse(table, *found)
        else:
            approve(table, *found, act.code)
    elif act.name in table.state.technologies and act.verdict != "approve":
        amend(table, act.name, act.code if act.verdict == "amend" else "")
    else:
        raise Refused("no-action")


def _set(table: Table, act: _Set) -> None:
    """No building is asked; below 0 the kingdom falls (SF-5)."""
    kingdom = table.of(act.player)
    most = max(act.total, 0)
    ex = min(kingdom.ex.of(act.attribute), most) if act.ex is None else act.ex
    if not 0 <= ex <= most or act.total > MOST_POINTS:
        raise Refused("out-of-range")
    depleted = min(kingdom.depleted, ex) if act.attribute == "R" else kingdom.depleted
    change = {
        attribute: (kingdom.total.of(attribute), kingdom.ex.of(attribute))
        for attribute in ATTRIBUTES
    }
    change[act.attribute] = (act.total, ex)
    table.change(
        act.player,
        total=replace(
            kingdom.total, **{attribute: total for attribute, (total, _) in change.items()}
        ),
        ex=replace(kingdom.ex, **{attribute: used for attribute, (_, used) in change.items()}),
        depleted=depleted,
    )
    table.tell(e.Corrected(act.player, f"{act.attribute} {act.total}"), ["SS-10.8"])
    if act.total < 0:
        table.fall(act.player, "below-zero", ["SS-11.1"])


def _modify(table: Table, act: _Mod) -> None:
    if act.until not in ("season", "year") or bool(act.flat) == bool(act.die):
        raise ValueError(
            "a modifier is of the sum or of the dice, until the season's or the year's end"
        )
    if abs(act.flat + act.die) > HARDEST:
        raise Refused("out-of-range")
    mod = Mod(act.flat, act.die, "season" if act.until == "season" else "year")
    table.change(act.player, mods=(*table.of(act.player).mods, mod))
    what = f"{act.flat:+} flat" if act.flat else f"{act.die:+} die"
    table.tell(e.Corrected(act.player, f"{what} until {act.until}"), ["SS-10.8", "SS-3.9"])


def _give(table: Table, player: int, technology: str) -> None:
    if technology not in table.state.technologies:
        raise Refused("no-tech")
    if technology in table.of(player).tech:
        raise Refused("already-owned")
    obtain(table, player, technology, "SS-10.8")
