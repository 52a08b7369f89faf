"""What the rules do for a player who sends nothing more: the plan, and the defaults of RM-9 as
orders.
"""

from collections.abc import Sequence
from typing import Literal

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.conditions import Amount, Face
from engine.realm_master.decisions import (
    SAFE_HEARTS,
    fix_faces,
    hearts_by_default,
    hides_in_smoke,
    land_for_tribute,
    land_to_enter,
    leaves_for_ultimatum,
    leaves_when_hit,
    loot_of,
    place_to_cover,
    places_to_reroll,
    realm_choice,
    wants_attack,
)
from engine.realm_master.plans import KEY_OF, answers, line_of, merge
from engine.realm_master.state import Fall, Plan, Stand, State
from engine.realm_master.table import Table
from engine.realm_master.turns.attacks import damage_of, terms_against
from engine.realm_master.turns.market import on_offer
from engine.ruleset import Standing

ULTIMATUM_LOSS = 4
_BELOW_SAFE = ((Amount("hearts", "below", SAFE_HEARTS),),)
DEFAULT_LINES: tuple[o.Line, ...] = (
    o.Reroll(rules=(o.DieRule("-", reroll=True),)),
    o.Choose("attack", (o.Choice("yes"),)),
    o.Choose("hit", (o.Choice("leave", _BELOW_SAFE), o.Choice("stay"))),
    o.Choose(
        "ultimatum",
        (
            o.Choice("leave", ((Amount("hearts", "below", SAFE_HEARTS + ULTIMATUM_LOSS),),)),
            o.Choice("lose"),
        ),
    ),
    o.Enter((o.Choice(o.NOWHERE),)),
    o.Realm((o.Choice("leave", _BELOW_SAFE), o.Choice("stay"))),
)
"""The defaults of a plan as far as they can be put as lines."""


def defaults(state: State, player: int, standing: Standing[o.Order]) -> tuple[o.Order, ...]:
    """What would be done for this player if nothing more came; of a round, the whole plan
    (RM-11.5).
    """
    told = standing.orders
    if player not in state.asked:
        return told
    plan = merge(state.players[player - 1].plan, told)
    if state.stage == "round":
        rest = [line for line in DEFAULT_LINES if line_of(plan, _key(line)) is None]
        return (
            *plan.lines,
            *rest,
            *([o.Auto(on=True)] if plan.auto else []),
            *(order for order in told if isinstance(order, o.Wait)),
        )
    if state.stage == "heroes" or any(answers(state.stage, order) for order in told):
        return told
    return (*told, *_answer(Table(state, Chance(b"")), player, plan))


def _key(line: o.Line) -> o.Key:
    return next(key for key in o.KEY_WORDS if key == o.key_of(line))


def _answer(table: Table, player: int, plan: Plan) -> tuple[o.Order, ...]:
    """The default of the open question as the order that would bring it about."""
    key = KEY_OF.get(table.stage)
    line = None if key is None else line_of(plan, key)
    match table.stage:
        case "reroll" | "second" | "knuckle":
            if line is None and table.stage != "reroll":
                line = line_of(plan, "reroll")
            rolled = table.now().rolled
            places = places_to_reroll(rolled, line, table.sight(player, dice=rolled))
            return (
                reroll_of(
                    places[:1] if table.stage == "knuckle" else places,
                    second=table.stage != "reroll",
                ),
            )
        case "faces":
            return (
                faces_of(table.now().rolled, fix_faces(table, player, table.now().rolled, line)),
            )
        case "attack":
            return (_word("attack", "yes" if wants_attack(table, player, line) else "no"),)
        case "tribute":
            return _tribute(table, line)
        case "enter":
            return (o.Enter((o.Choice(land_to_enter(table, player, line) or o.NOWHERE),)),)
        case "realm":
            return (o.Realm((o.Choice(realm_choice(table, player, line)),)),)
        case "last":
            hearts = hearts_by_default(table, player)
            return (*([o.Life(hearts, now=True)] if hearts else []), o.GoOn())
    return _reaction(table, player, line)


def _reaction(table: Table, player: int, line: o.Order | None) -> tuple[o.Order, ...]:
    """The default of a player in a step that is not a choice of the turn itself."""
    task = table.agenda[0]
    match table.stage:
        case "smoke":
            damage = damage_of(terms_against(table, player))
            return (
                _word(
                    "smoke",
                    "yes"
                    if hides_in_smoke(table, player, line, damage, table.now().player)
                    else "no",
                ),
            )
        case "ultimatum":
            return (
                _word(
                    "ultimatum",
                    "leave"
                    if leaves_for_ultimatum(table, player, line, ULTIMATUM_LOSS)
                    else "lose",
                ),
            )
        case "hit" if isinstance(task, Stand):
            damage = dict(task.hit)[player]
            return (
                _word(
                    "hit",
                    "leave"
                    if leaves_when_hit(table, player, line, damage, table.now().player)
                    else "stay",
                ),
            )
        case "loot" if isinstance(task, Fall):
            return (o.Loot(loot_of(table.players[task.victim].cards, line)),)
    place = place_to_cover(table, line.cover if isinstance(line, o.Reveal) else None)
    return () if place is None else (o.PlaceCard(on_offer(table)[place]),)


def _tribute(table: Table, line: o.Order | None) -> tuple[o.Order, ...]:
    card = table.effect("tribute")
    ways = [
        (token, land_for_tribute(table, line, token, 0)[0])
        for token in dict.fromkeys(card.tokens if card is not None else ())
    ]
    return (o.PayTribute(tuple((token, land) for token, land in ways if land is not None)),)


def _word(key: Literal["attack", "hit", "smoke", "ultimatum"], word: str) -> o.Choose:
    return o.Choose(key, (o.Choice(word),))


def reroll_of(places: Sequence[int], *, second: bool = False) -> o.Reroll:
    """The order to reroll exactly these dice."""
    return o.Reroll(tuple(o.DieRule(str(place), reroll=True) for place in places), "keep", second)


def faces_of(rolled: Sequence[Face], faces: Sequence[Face]) -> o.Order:
    """The order that makes exactly these faces of the R rolled; `Go on` if there are none."""
    rules = tuple(
        o.FaceRule(face, 1) for was, face in zip(rolled, faces, strict=True) if was == "R"
    )
    return o.Faces(rules) if rules else o.GoOn()
