"""What texts about a game of Fortresses claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import zones
from tests.claims import NAME, Claims, Happened
from tests.moments import Whole

KINGDOM = r"(?:Silver|Red|Blue|Gold)"
BY = rf"\b(?P<by>{KINGDOM})(?: \((?P<human>{NAME})\))?"
WHOSE = rf"(?P<whose>{KINGDOM})(?: \((?P<other>{NAME})\))?"
ZONE = r"(?:the Fortress )?(?:[Tt]he )?(?P<zone>[A-Z][a-z]+(?: [A-Z][a-z]+| of [A-Z][a-z]+)*)"
SIDES = {"Silver and Gold": "silver_gold", "Red and Blue": "red_blue"}


def commands(at: Happened, kingdom: str, human: str | None) -> bool:
    return human is None or at.view.kingdom(kingdom.lower()).commander == at.number(human)


def takes(at: Happened, found: "re.Match[str]") -> bool:
    """Whose Land it was held it until this close."""
    by, whose = found["by"].lower(), found["whose"].lower()
    return (
        commands(at, by, found["human"])
        and commands(at, whose, found["other"])
        and any(
            (one.kingdom, one.of) == (by, whose) and one.zone in found[0]
            for one in at.facts(e.LandConquered)
        )
    )


def took(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        one.kingdom == found["by"].lower() and one.zone == found["zone"]
        for one in at.facts(e.LandConquered)
    )


def holds(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        one.zone == found["zone"] and one.result == "held" for one in at.facts(e.BattleEnded)
    )


def rounds(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        one.zone in found[0] and one.rounds == int(found["n"]) for one in at.facts(e.BattleEnded)
    )


def raises(at: Happened, found: "re.Match[str]") -> bool:
    by = found["by"].lower()
    bought = [(one.kingdom, one.units) for one in at.facts(e.UnitsBought)]
    bought += [(one.kingdom, one.units) for one in at.facts(e.DefaultPurchase)]
    told = Counter[str]()
    for number, code in re.findall(r"(\d+)([LKWGD])", found["units"]):
        told[code] += int(number)
    real = Counter[str]()
    for units in (units for kingdom, units in bought if kingdom == by):
        for number, code in re.findall(r"(\d+)([LKWGD])", units):
            real[code] += int(number)
    return commands(at, by, found["human"]) and told == real


def margin(at: Happened, found: "re.Match[str]") -> bool:
    names = {at.number(name) for name in re.findall(NAME, found["who"])}
    held = dict(at.view.fortresses)
    other = next(side for side in held if side != at.view.winner)
    return names == set(at.view.winners) and (held[at.view.winner], held[other]) == (
        int(found["a"]),
        int(found["b"]),
    )


def hold(at: Happened, found: "re.Match[str]") -> bool:
    side = SIDES[found["side"]]
    lands = sum(realm.lands for realm in at.view.kingdoms if realm.alliance == side)
    return (dict(at.view.fortresses)[side], lands) == (int(found["n"]), int(found["lands"]))


def fate(at: Happened, found: "re.Match[str]") -> bool:
    own = [at.view.kingdom(name.lower()) for name in found["own"].split(" and ")]
    return (sum(one.lands for one in own), sum(one.income for one in own)) == (
        int(found["lands"]),
        int(found["n"]),
    )


def fought(table: Whole) -> list[tuple[list[e.RoundFought], str, str]]:
    """The battles that had rounds: the rounds, who attacked, and how it ended."""
    found: list[tuple[list[e.RoundFought], str, str]] = []
    open_rounds: dict[str, list[e.RoundFought]] = {}
    attacker = ""
    for moment in table.moments:
        for event in moment.public:
            match event.facts:
                case e.OrdersGiven(kingdom=kingdom) | e.TurnBegan(kingdom=kingdom):
                    attacker = kingdom
                case e.RoundFought(zone=zone) as one:
                    open_rounds.setdefault(zone, []).append(one)
                case e.BattleEnded(zone=zone, rounds=count, result=result) if count:
                    found.append((open_rounds.pop(zone, []), attacker, result))
    return found


def battles(table: Whole) -> Mapping[int, tuple[int, int]]:
    """Won of those fought, by who commands."""
    view = table.closes[-1].view
    seats = {realm.kingdom: realm.player for realm in view.kingdoms}
    won: Counter[int] = Counter()
    all_of: Counter[int] = Counter()
    for found, attacker, result in fought(table):
        defence = {seats[part.split()[0]] for part in found[0].defenders.split(", ")}
        for player in {seats[attacker], *defence}:
            all_of[player] += 1
        winners = {seats[attacker]} if result in ("conquered", "won") else defence
        for player in winners if result in ("conquered", "won", "held") else ():
            won[player] += 1
    return {
        seat.number: (won[seat.number], all_of[seat.number] - won[seat.number])
        for seat in table.seats
    }


def shown(cells: Sequence[str]) -> tuple[int, int]:
    won, of = (int(one) for one in re.findall(r"\d+", cells[0]))
    return won, of - won


def missing(at: Happened, said: str) -> Iterator[str]:
    """Every Fortress that changed hands."""
    for one in at.facts(e.LandConquered):
        if zones()[one.zone].structure == "fortress" and one.zone not in said:
            yield one.zone


def figures(view: Any) -> Mapping[int, int]:
    return {
        player.number: sum(one.lands for one in view.kingdoms if one.player == player.number)
        for player in view.players
    }


CLAIMS = Claims(
    players=4,
    options=(("year_limit", 4),),
    claims={
        rf"{BY} takes [^.;:]*? from {WHOSE}": takes,
        rf"{BY} takes {ZONE}$": took,
        rf"{ZONE} holds against {KINGDOM}": holds,
        rf"(?:^|\. ){ZONE} holds against [^.]*? in (?P<n>\d+) rounds?": rounds,
        rf"{BY} (?:takes|clears) [^.;]*? in (?P<n>\d+) rounds?": rounds,
        rf"^{BY} raises (?P<units>\d[^;.]*)\.$": raises,
        rf"(?P<who>{NAME}(?: and {NAME})*) wins? with (?P<a>\d) Fortress(?:es)? to (?P<b>\d)": margin,
        r"(?P<side>Silver and Gold|Red and Blue)(?: \([^)]*\))? hold (?P<n>\d+) Fortress(?:es)? and"
        r" (?P<lands>\d+) Lands": hold,
        rf"\b(?P<own>{KINGDOM}(?: and {KINGDOM})?): (?P<lands>\d+) Lands, income (?P<n>\d+)": fate,
    },
    winners=lambda view: view.winners,
    battles=battles,
    shown=shown,
    missing=missing,
    figures=figures,
)
