"""What can be supposed: the chances of battles that nobody has fought yet, and the close of
Reinforce, which draws nothing (FW-7.18). All is public in this game (FW-1.8).
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.fortresses import flow
from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, Kingdom, alliance_of, cost_of, distances, facts_of
from engine.fortresses.event_kinds import ChancesTold
from engine.fortresses.judgement import judge_attack
from engine.fortresses.odds import NEGLIGIBLE, Fight, Odds, chances, gold_of
from engine.fortresses.phases.battles import BattleAnswer
from engine.fortresses.phases.instructions import Advice, added
from engine.fortresses.refusals import first_of, refuse
from engine.fortresses.state import Battle, State
from engine.fortresses.stored_lines import merge
from engine.fortresses.table import Table, points_of
from engine.fortresses.units import LAND_CODES, NONE, Units
from engine.fortresses.view import TableView, view_of
from engine.ruleset import Event, NotSupposable, Problem, Supposed

Line = o.Order | Odds
RULES = ("FW-3.3", "FW-7.5", "FW-7.9", "FW-7.10", "FW-10.2", "FW-10.6")
WITHOUT_DICE = ("FW-7.4",)
AT_RISK = ("FW-6.15", "FW-6.17")


def suppose(state: State, player: int, orders: Mapping[int, Sequence[Line]]) -> Supposed[State]:
    """The outcome of these lines: in Reinforce the end of the turn, else the odds of each battle,
    with the units where they would fight. A question for odds may come at any stage, for any units,
    and nothing happens then.

    NotSupposable when the game is over, and for lines of a player who is not asked.
    """
    if state.stage == "over":
        raise NotSupposable("not-now", phase=state.stage, when=("attack", "battle", "reinforce"))
    said = orders.get(player, ())
    lines = [line for line in said if not isinstance(line, Odds)]
    questions = [line for line in said if isinstance(line, Odds)]
    if questions:
        view = view_of(state, player)
        told = [odds_of(view, question, lines) for question in questions]
        return Supposed(state, tuple(event for event in told if isinstance(event, Event)))
    if player not in flow.asked_of(state):
        if lines:
            raise NotSupposable("not-asked", phase=state.stage)
        return Supposed(state, ())
    match state.stage:
        case "attack":
            return _of_attacks(state, lines)
        case "battle":
            return _of_battles(Table(state), BattleAnswer(lines))
    outcome = flow.adjudicate(state, {player: tuple(lines)}, Chance(b""))
    return Supposed(outcome.state, outcome.events)


# ---------------------------------------------------------------------------------- battles to come
def _of_attacks(state: State, lines: Sequence[o.Order]) -> Supposed[State]:
    table = Table(state)
    verdicts, plan = judge_attack(table, merge(table.held, lines)[0])
    standing = [verdict.order for verdict in verdicts if verdict.problem is None]
    table.instructions = _instructions(table.instructions, standing)
    wished = [order.zones for order in standing if isinstance(order, o.BattleOrder)]
    plan.carry_out(wished[-1] if wished else ())
    if not table.battles:
        return Supposed(state, ())
    first = table.battles[0]
    table.stage = "battle"
    table.battles[0] = replace(first, started=first.attackers, points=points_of(first.zone))
    return _of_battles(table, BattleAnswer())


def _of_battles(table: Table, answer: BattleAnswer) -> Supposed[State]:
    """Of the battle that has begun, from the given answer on, and of those after it."""
    events = [
        _told(table, battle, answer if not i else BattleAnswer())
        for i, battle in enumerate(table.battles)
    ]
    hangs = tuple(
        Problem(
            "passenger-at-risk",
            AT_RISK,
            {"unit": passenger.unit, "sea": passenger.sea, "land": passenger.land},
            warning=True,
        )
        for passenger in table.passengers
    )
    return Supposed(table.freeze(), tuple(events), hangs)


def _told(table: Table, battle: Battle, answer: BattleAnswer) -> Event:
    advice = Advice(battle.zone, table.instructions, table.realms[table.active].presets)
    dead = advice.losses(battle.attackers, battle.hits) if answer.losses is None else answer.losses
    points = points_of(battle.zone) if battle.started is None else battle.points
    fight = Fight(
        battle.zone,
        battle.attackers - dead,
        sum(table.enemies(battle.zone).values(), NONE),
        points,
        battle.started,
        battle.round,
        answer.retreats,
    )
    there = ", ".join(f"{of} {units.text}" for of, units in table.enemies(battle.zone).items())
    return _event(table.active, table.owners.get(battle.zone), fight, there, advice, dead)


def _event(
    kingdom: Kingdom,
    owner: Kingdom | None,
    fight: Fight,
    defenders: str,
    advice: Advice,
    dead: Units = NONE,
) -> Event:
    """`dead` are attackers that are lost before the next roll."""
    found = chances(fight, advice)
    facts = ChancesTold(
        fight.zone,
        kingdom,
        owner or "",
        (fight.attackers + dead).text,
        defenders,
        fight.points,
        won=_permille(found.won),
        held=_permille(found.held),
        nobody=_permille(found.nobody),
        no_effect=_permille(found.no_effect),
        lose=_tenths(sum(found.lost) + dead.total),
        lose_gold=_tenths(gold_of(found.lost) + cost_of(dead)),
        kill=_tenths(sum(found.killed)),
        kill_gold=_tenths(gold_of(found.killed)),
    )
    return Event(facts, RULES if fight.defenders.total else WITHOUT_DICE)


def _permille(chance: float) -> int:
    """A chance that is neither impossible nor certain is not rounded to either."""
    if chance < NEGLIGIBLE or chance > 1 - NEGLIGIBLE:
        return round(chance) * 1000
    return min(999, max(1, round(chance * 1000)))


def _tenths(number: float) -> int:
    return round(number * 10)


# ------------------------------------------------------------------------------- odds of any battle
def odds_of(view: TableView, asked: Odds, lines: Sequence[o.Order] = ()) -> Event | Problem:
    """The chances of what is asked for, or why there are none. `lines` are the asker's of this
    turn: their instructions count if the kingdom is theirs to order now.
    """
    kingdom = asked.kingdom or _attacker(view, asked.target)
    problem = first_of(_problems_of(view, asked, kingdom))
    if problem is not None:
        return problem
    zone = view.zone(asked.target)
    there = {of: units for of, units in zone.units if alliance_of(of) != alliance_of(kingdom)}
    defenders = sum(there.values(), NONE) if asked.against is None else asked.against
    told = (
        ", ".join(f"{of} {units.text}" for of, units in there.items())
        if asked.against is None
        else defenders.text
    )
    is_now = kingdom == view.active
    own = lines if view.you in view.asked else ()
    said = _instructions(view.instructions, own) if is_now else ()
    advice = Advice(asked.target, said, view.kingdom(kingdom).presets)
    fight = Fight(asked.target, asked.units, defenders, points_of(asked.target))
    return _event(kingdom, zone.owner, fight, told, advice)


def _instructions(
    before: Sequence[o.Instruction], lines: Sequence[o.Order]
) -> tuple[o.Instruction, ...]:
    found = tuple(before)
    for line in lines:
        if isinstance(line, o.Instruction):
            found = added(found, line)
    return found


def _attacker(view: TableView, target: str) -> Kingdom:
    """Who attacks if nobody is named: the asker's kingdom, that which plays next before the
    other; a Land of the asker's own alliance is attacked by the first of its enemies from then on.
    """
    start = KINGDOMS.index(view.active)
    order = (*KINGDOMS[start:], *KINGDOMS[:start])
    owner = view.zone(target).owner
    own = [of for of in order if view.you in (view.kingdom(of).commander, view.kingdom(of).player)]
    for kingdom in (*own, *order):
        if owner is None or alliance_of(kingdom) != alliance_of(owner):
            return kingdom
    raise ValueError(f"nobody is an enemy of {owner}")


def _problems_of(view: TableView, asked: Odds, kingdom: Kingdom) -> Iterator[Problem]:
    """What keeps these units from ever fighting there (FW-5.1, FW-5.2, FW-6.2, FW-6.4, FW-3.5)."""
    zone = view.zone(asked.target)
    held = asked.against is not None or any(
        alliance_of(of) != alliance_of(kingdom) for of, _ in zone.units
    )
    if zone.owner is not None and alliance_of(zone.owner) == alliance_of(kingdom):
        yield refuse("friendly", zone=zone.name)
    if not held and not zone.is_land:
        yield refuse("no-battle", zone=zone.name)
    if not held and zone.is_land and not asked.units.land:
        yield refuse("air-empty", zone=zone.name)
    for units, sides in ((asked.units, 1), (asked.against or NONE, 2)):
        for code, count in units.pairs():
            most = sides * facts_of(code).supply
            if count > most:
                yield refuse("supply-limit", unit=code, left=most, wanted=count)
            if code in (("G",) if zone.is_land else LAND_CODES):
                yield refuse("wrong-element", unit=code, zone=zone.name)
    if asked.origin:
        for code, _ in asked.units.pairs():
            unit = facts_of(code)
            far = distances(asked.origin, unit.kind).get(zone.name, 0)
            if not 0 < far <= unit.move:
                yield refuse(
                    "too-far",
                    unit=code,
                    origin=asked.origin,
                    target=zone.name,
                    move=unit.move,
                    distance=far,
                )
