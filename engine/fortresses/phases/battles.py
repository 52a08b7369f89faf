"""The Battle phase (FW-7): battle by battle, round by round, until all are fought or the attacker
is asked.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, Kingdom, facts_of, zones
from engine.fortresses.event_kinds import (
    BattleEnded,
    FliersRetreated,
    LandConquered,
    Losses,
    PassengerDrowned,
    RoundFought,
    RoundLost,
)
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.state import Battle
from engine.fortresses.table import Table, points_of
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one

LEAST_HIT = 6
"""A roll of so much or more hits (FW-3.3)."""

DEFENDERS_FALL: tuple[UnitCode, ...] = ("L", "K", "W", "G", "D")
"""After the castle points (FW-7.9)."""


class BattleAnswer:
    """What the attacker said of the next losses and the next retreat; None: as the standing
    instructions have it.
    """

    __slots__ = ("losses", "retreats")

    def __init__(self, lines: Sequence[o.Order] = ()) -> None:
        self.losses: Units | None = next(
            (line.units for line in lines if isinstance(line, o.LoseNow)), None
        )
        said = [line for line in lines if isinstance(line, o.RetreatNow | o.Stay)]
        self.retreats = isinstance(said[-1], o.RetreatNow) if said else None


def advice_of(table: Table, zone: str) -> Advice:
    return Advice(zone, table.instructions, table.realms[table.active].presets)


def chooses_losses(battle: Battle) -> bool:
    """Whether there is a choice in who dies (FF-3)."""
    return 0 < battle.hits < battle.attackers.total and len(list(battle.attackers.pairs())) > 1


def chooses_retreat(table: Table, battle: Battle) -> bool:
    """Whether fliers that live on may leave before a next roll."""
    return (
        bool(battle.attackers.D)
        and battle.hits < battle.attackers.total
        and table.is_held(battle.zone)
    )


def fight(table: Table, answer: BattleAnswer | None = None) -> bool:
    """Fight what is still to be fought; True if the attacker is asked now. `answer` is of the
    battle that has begun.
    """
    while table.battles and not table.is_over:
        battle = table.battles[0]
        if battle.started is None:
            if _is_decided_without_dice(table, battle):
                continue
            table.battles[0] = replace(
                battle, started=battle.attackers, points=points_of(battle.zone)
            )
        if _fight_on(table, answer):
            return True
        answer = None
    return False


def _is_decided_without_dice(table: Table, battle: Battle) -> bool:
    """A landing whose attackers drowned, and a Land without enemies (FW-6.17, FW-7.4, FW-7.19)."""
    if not battle.attackers.total:
        _close(table, battle, "cancelled", 0)
    elif table.is_held(battle.zone):
        return False
    else:
        _close(table, battle, "conquered" if battle.attackers.land else "no effect", 0)
    return True


def _fight_on(table: Table, answer: BattleAnswer | None) -> bool:
    """Rounds until the battle is over, or True if the attacker is asked (FW-7.3). A given answer is
    for the hits to be taken now.
    """
    while True:
        battle = table.battles[0]
        if answer is None:
            may_matter = chooses_losses(battle) or chooses_retreat(table, battle)
            if may_matter and advice_of(table, battle.zone).asks:
                return True
            answer = BattleAnswer()
        battle = _take_hits(table, battle, answer)
        if not _goes_on(table, battle):
            return False
        battle = _retreat(table, battle, answer)
        if not _goes_on(table, battle):
            return False
        table.battles[0] = _fight_round(table, battle)
        answer = None


def _take_hits(table: Table, battle: Battle, answer: BattleAnswer) -> Battle:
    """The attacker's losses, chosen by the answer or the instructions (FW-7.7)."""
    dead = (
        advice_of(table, battle.zone).losses(battle.attackers, battle.hits)
        if answer.losses is None
        else answer.losses
    )
    if not dead.total:
        return replace(battle, hits=0)
    for code, count in dead.pairs():
        for n in range(count):
            if code == "G":
                _sink(table, battle.zone, battle.attackers.G - n)
    table.take(battle.zone, table.active, dead)
    lost = (Losses(table.active, dead.text),)
    table.tell(RoundLost(battle.zone, battle.round, lost), "FW-7.7", "FW-7.8", "FW-10.1", "FW-10.2")
    return replace(battle, attackers=battle.attackers - dead, hits=0)


def _sink(table: Table, sea: str, ships: int) -> None:
    """One of this many attacking Galleons goes down: those without a passenger first, then the
    cheapest passenger's (FW-10.3).
    """
    aboard = [passenger for passenger in table.passengers if passenger.sea == sea]
    if ships > len(aboard):
        return
    # of equal passengers the one whose Land was mentioned first survives longest; the list is in
    # that order
    drowned = min(reversed(aboard), key=lambda passenger: LAND_CODES.index(passenger.unit))
    table.passengers.remove(drowned)
    table.take(drowned.land, table.active, one(drowned.unit))
    for i, battle in enumerate(table.battles):
        if battle.zone == drowned.land:
            table.battles[i] = replace(battle, attackers=battle.attackers - one(drowned.unit))
    table.tell(
        PassengerDrowned(sea, drowned.unit, drowned.land, table.active),
        "FW-6.15",
        "FW-6.16",
        "FW-10.3",
    )


def _goes_on(table: Table, battle: Battle) -> bool:
    """Whether both sides are on the board; if not, the battle is over (FW-7.3, FW-7.15,
    FW-7.16).
    """
    is_held = table.is_held(battle.zone)
    if battle.attackers.total and is_held:
        return True
    if is_held:
        result = "held"
    elif not battle.attackers.total:
        result = "nobody left"
    elif not zones()[battle.zone].is_land:
        result = "won"
    else:
        result = "conquered" if battle.attackers.land else "no effect"
    _close(table, battle, result, battle.round)
    return False


def _retreat(table: Table, battle: Battle, answer: BattleAnswer) -> Battle:
    """Before a roll the fliers may leave the board; they stay in the zone (FW-7.12 to FW-7.14)."""
    if not battle.attackers.D:
        return battle
    against = battle.points + sum(units.total for units in table.enemies(battle.zone).values())
    started = battle.started or battle.attackers
    advised = advice_of(table, battle.zone).retreats(
        battle.attackers, started, against, battle.round
    )
    if not (advised if answer.retreats is None else answer.retreats):
        return battle
    fliers = Units(D=battle.attackers.D)
    table.tell(
        FliersRetreated(battle.zone, fliers.text),
        "FW-7.5",
        "FW-7.12",
        "FW-7.13",
        "FW-10.5",
        "FW-10.6",
    )
    return replace(battle, attackers=battle.attackers - fliers)


def _fight_round(table: Table, battle: Battle) -> Battle:
    """Attackers roll, defenders that were hit roll anyway, and fall (FW-7.5). The attacker's losses
    are taken afterwards.
    """
    number = battle.round + 1
    label = f"battle: {table.year} {table.active} {battle.zone} round {number}"
    defenders = table.enemies(battle.zone)
    attack = tuple(
        _roll(table, f"{label} attacker", code)
        for code, count in battle.attackers.pairs()
        for _ in range(count)
    )
    defence = tuple(
        _roll(table, f"{label} {kingdom}", code)
        for code in CODES
        for kingdom, units in defenders.items()
        for _ in range(units.of(code))
    )
    everybody = ", ".join(f"{kingdom} {units.text}" for kingdom, units in defenders.items())
    facts = RoundFought(battle.zone, number, attack, defence, battle.attackers.text, everybody)
    table.tell(facts, "FW-7.2", "FW-7.5", "FW-7.6", "FW-7.18", "FW-3.3")
    points = _strike_defenders(table, battle, number, _hits(attack))
    return replace(
        battle, points=points, round=number, hits=min(_hits(defence), battle.attackers.total)
    )


def _roll(table: Table, label: str, code: UnitCode) -> int:
    return table.chance.die(f"{label} {code}", facts_of(code).die)


def _hits(dice: Sequence[int]) -> int:
    return sum(die >= LEAST_HIT for die in dice)


def _strike_defenders(table: Table, battle: Battle, number: int, hits: int) -> int:
    """Castle points, then units in the fixed order (FW-7.9); the points that are left."""
    soaked = min(hits, battle.points)
    lost: dict[Kingdom, Units] = {}
    for _ in range(hits - soaked):
        due = _next_defender(table, battle.zone)
        if due is None:
            break
        kingdom, code = due
        table.take(battle.zone, kingdom, one(code))
        lost[kingdom] = lost.get(kingdom, NONE) + one(code)
    if soaked or lost:
        told = tuple(Losses(kingdom, lost[kingdom].text) for kingdom in KINGDOMS if kingdom in lost)
        table.tell(
            RoundLost(battle.zone, number, told, soaked),
            "FW-7.8",
            "FW-7.9",
            "FW-7.10",
            "FW-7.11",
            "FW-4.3",
        )
    return battle.points - soaked


def _next_defender(table: Table, zone: str) -> tuple[Kingdom, UnitCode] | None:
    """Whose unit falls next: of allies the one with more of that type, then who comes first after
    the attacker (FW-7.11).
    """
    defenders = table.enemies(zone)
    start = KINGDOMS.index(table.active)
    after = [kingdom for kingdom in (*KINGDOMS[start:], *KINGDOMS[:start]) if kingdom in defenders]
    for code in DEFENDERS_FALL:
        having = [kingdom for kingdom in after if defenders[kingdom].of(code)]
        if having:
            return max(having, key=lambda kingdom: defenders[kingdom].of(code)), code
    return None


def _close(table: Table, battle: Battle, result: str, rounds: int) -> None:
    """A battle is over; structures stand whole again, a conquered Land changes hands, and victory
    is tested (FW-3.7, FW-7.15, FW-7.20).
    """
    del table.battles[0]
    table.passengers = [passenger for passenger in table.passengers if passenger.sea != battle.zone]
    rules = {
        "cancelled": ("FW-6.17", "FW-7.19"),
        "no effect": ("FW-7.4", "FW-7.15"),
        "nobody left": ("FW-7.16",),
    }
    table.tell(
        BattleEnded(battle.zone, rounds, result),
        *rules.get(result, ("FW-7.3", "FW-7.15", "FW-3.7")),
    )
    if result == "conquered":
        before = table.owners[battle.zone]
        table.owners[battle.zone] = table.active
        rule = "FW-7.15" if rounds else "FW-7.4"
        table.tell(
            LandConquered(battle.zone, table.active, before), rule, "FW-7.17", "FW-3.7", "FW-1.7"
        )
    table.check_victory()
