"""The attack: its value against each hero, Smoke Pots, blows, thorns, and who stays (RM-4)."""

from engine.realm_master.cards import (
    IRON_SHIELD,
    PHOENIX,
    SMOKE_POT,
    THORNS,
    WHETTED_BLADE,
    all_lands,
)
from engine.realm_master.decisions import hides_in_smoke, leaves_when_hit
from engine.realm_master.events import (
    AttackMade,
    Blow,
    ChoiceMade,
    ElfHonoured,
    SmokeUsed,
    Term,
    ThornsPricked,
)
from engine.realm_master.plans import told, undecided, use
from engine.realm_master.state import Blows, Check, Fall, Smoke, Stand, Task, Thorn
from engine.realm_master.table import Table
from engine.realm_master.turns.deaths import check_victory, rise, settle_wound
from engine.realm_master.turns.dice import has_five, swords_of
from engine.realm_master.turns.lands import collect, leave

ELF_DAMAGE = 4
FIVE_SWORDS_BONUS = 2


def targets(table: Table) -> list[int]:
    """Whom the active hero can hit, in seat order after him: from outside all occupants, from
    inside all outside (RM-4.2, RM-5.12).
    """
    turn = table.now()
    return [
        other
        for other in table.after(turn.player)
        if (table.players[other].at is None) == turn.inside
    ]


def terms_against(table: Table, target: int) -> tuple[Term, ...]:
    """The sum of an attack's value against one hero, term by term (RM-4.4)."""
    turn = table.now()
    attacker, faces = turn.player, turn.faces
    shown, swords = faces.count("s"), swords_of(table)
    terms = [Term("swords", shown, "RM-4.4")]
    if swords > shown:
        terms.append(Term("squire", swords - shown, "RM-2.17"))
    card = table.effect("attack")
    if card is not None:
        terms.append(Term("card", card.amount, card.rule))
    if table.players[attacker].hero == "barbarian" and has_five(faces, "s"):
        terms.append(Term("barbarian", FIVE_SWORDS_BONUS, "RM-2.12"))
    if table.owns(attacker, WHETTED_BLADE):
        terms.append(Term("blade", 1, "RM-B02"))
    if turn.horn:
        terms.append(Term("horn", turn.horn, "RM-B09"))
    at = table.players[target].at
    if at is not None and all_lands()[at].attack:
        terms.append(Term("arub", all_lands()[at].attack, "RM-2.7"))
    if table.owns(target, IRON_SHIELD):
        terms.append(Term("shield", -1, "RM-B01"))
    return tuple(terms)


def damage_of(terms: tuple[Term, ...]) -> int:
    return max(0, sum(term.amount for term in terms))


def smoke(table: Table, _: Smoke) -> bool:
    """Smoke Pots before damage: no damage, but out of the Realm with nothing (RM-B10, RM-9.9). True
    if it asks.
    """
    attacker = table.now().player
    if not table.players[attacker].alive:  # the game master took him while his victims were asked
        return False
    able = [
        other
        for other in targets(table)
        if table.players[other].at is not None and table.owns(other, SMOKE_POT)
    ]
    waiting = undecided(table, able, "smoke")
    if waiting:
        return table.ask("smoke", waiting)
    smoked: list[int] = []
    for other in able:
        line = told(table, other, "smoke")[1]
        use(table, other, line)
        land = table.players[other].at
        if land is not None and hides_in_smoke(
            table, other, line, damage_of(terms_against(table, other)), attacker
        ):
            table.throw_away(other, SMOKE_POT)
            table.change(other, at=None)
            table.tell(SmokeUsed(other, land), ["RM-B10", "RM-9.9", "RM-4.6", "RM-6.4"])
            smoked.append(other)
    table.push(Blows(tuple(smoked)))
    return False


def strike(table: Table, task: Blows) -> None:
    """Damage to all at once, elf banners, Phoenix, then what follows in its order (RM-4.6)."""
    turn = table.now()
    attacker = turn.player
    hit = [other for other in targets(table) if other not in task.smoked]
    sums = {other: terms_against(table, other) for other in hit}
    lost = {other: table.hurt(other, damage_of(sums[other])) for other in hit}
    blows = tuple(
        Blow(
            other,
            table.players[other].at,
            sums[other],
            damage_of(sums[other]),
            lost[other],
            table.players[other].hearts,
        )
        for other in hit
    )
    rules = [
        "RM-4.1",
        "RM-4.2",
        "RM-4.4",
        "RM-4.5",
        "RM-4.6",
        "RM-5.12",
        *(term.rule for blow in blows for term in blow.terms),
    ]
    rules += ["RM-4.9"] if turn.inside else []
    if turn.inside and table.players[attacker].at and len(table.occupants) > 1:
        rules.append("RM-4.3")
    if table.effect("attack") is not None:
        rules.append("RM-8.1")
    if any(term.source == "barbarian" for blow in blows for term in blow.terms):
        rules.append("RM-2.16")
    table.tell(AttackMade(turn.number, attacker, turn.inside, swords_of(table), blows), rules)
    if table.players[attacker].hero == "elf":
        honours = sum(blow.damage >= ELF_DAMAGE for blow in blows)
        if honours:
            table.honour(attacker, honours)
            table.tell(ElfHonoured(attacker, honours), ["RM-2.11", "RM-2.18"])
    dead = [other for other in hit if table.players[other].hearts == 0]
    risen = [other for other in dead if table.owns(other, PHOENIX) and rise(table, other)]
    follow: list[Task] = [Fall(other, attacker, "attack") for other in dead if other not in risen]
    follow += [Thorn(other) for other in hit if lost[other] and table.owns(other, THORNS)]
    stands = (
        ()
        if turn.inside
        else tuple((blow.player, blow.damage) for blow in blows if blow.player not in dead)
    )
    table.push(*follow, Check(), *([Stand(stands)] if stands else []))


def prick(table: Table, task: Thorn) -> None:
    """The Ward of Thorns, if its owner survived and the attacker still lives (RM-B14, RM-7.5)."""
    attacker = table.now().player
    if not (table.players[task.owner].alive and table.players[attacker].alive):
        return
    table.hurt(attacker, 1)
    table.tell(
        ThornsPricked(attacker, task.owner, table.players[attacker].hearts), ["RM-B14", "RM-4.6"]
    )
    settle_wound(table, attacker, task.owner, "thorns")


def stand(table: Table, task: Stand) -> bool:
    """Who was hit inside stays and collects, or leaves; all are asked at once, and heard in seat
    order (RM-4.7). True if it asks.
    """
    attacker = table.now().player
    able = [
        (player, damage)
        for player, damage in task.hit
        if table.players[player].alive and table.players[player].at is not None
    ]
    waiting = undecided(table, [player for player, _ in able], "hit")
    if waiting:
        return table.ask("hit", waiting)
    for player, damage in able:
        land = table.players[player].at
        if land is None:
            continue
        line = told(table, player, "hit")[1]
        use(table, player, line)
        leaves = leaves_when_hit(table, player, line, damage, attacker)
        rules = ["RM-4.7", "RM-9.8", *(["RM-4.8"] if damage == 0 else [])]
        table.tell(ChoiceMade(player, land, "leave" if leaves else "stay", damage), rules)
        if leaves:
            leave(table, player, "hit")
        else:
            collect(table, player, princess=True)
            check_victory(table)
            if table.is_over:
                break
    return False
