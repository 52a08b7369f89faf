"""What texts about a game of Fortresses claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import zones
from tests.claims import NAME, Claim, Claims, Happened
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
    for number, code in re.findall(r"(\d+) ?([LKWGD])", found["units"]):
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


# ----------------------------------------------------------------------------------- the narrator
NAMES_OF = {"Legion": "L", "Knight": "K", "Warbeast": "W", "Galleon": "G", "Dragon": "D"}


def units(text: str) -> Counter[str]:
    """Units told in words, or in the texts of events."""
    found = Counter[str]()
    for number, word in re.findall(r"(\d+) (Legion|Knight|Warbeast|Galleon|Dragon)", text):
        found[NAMES_OF[word]] += int(number)
    for number, code in re.findall(r"(\d+)([LKWGD])\b", text):
        found[code] += int(number)
    return found


def begun(at: Happened) -> dict[str, tuple[Counter[str], Counter[str]]]:
    """Attackers and defenders of each battle in its first round."""
    return {
        one.zone: (units(one.attackers), units(one.defenders))
        for one in at.facts(e.RoundFought)
        if one.round == 1
    }


def began(at: Happened, found: "re.Match[str]") -> bool:
    """A battle in which these stood against each other, as far as they are told."""
    told = found.groupdict()
    return any(
        name in found[0] or told.get("here") is None
        for name, (attack, defence) in begun(at).items()
        if told.get("attack") is None or units(told["attack"] or "") == attack
        if told.get("defence") is None or units(told["defence"] or "") == defence
    )


def fell(at: Happened, found: "re.Match[str]") -> bool:
    """A battle that was won in so many rounds."""
    return any(
        one.result == "conquered" and one.rounds == int(found["n"])
        for one in at.facts(e.BattleEnded)
    )


def lost(at: Happened, found: "re.Match[str]") -> bool:
    """What each side lost in one battle."""
    told = {
        name.lower(): units(what)
        for name, what in re.findall(
            rf"({KINGDOM})(?: \({NAME}\))?(?: lost| loses)? ((?:\d+ \w+(?:, | and )?)+)", found[0]
        )
    }
    real: dict[str, dict[str, Counter[str]]] = {}
    for one in at.facts(e.RoundLost):
        for loss in one.lost:
            of = real.setdefault(one.zone, {}).setdefault(loss.kingdom, Counter())
            of.update(units(loss.units))
    return any(told == all_lost for all_lost in real.values())


def walks(at: Happened, found: "re.Match[str]") -> bool:
    """Who took it from whom, where nobody fought."""
    told = found.groupdict()
    fought_in = {one.zone for one in at.facts(e.RoundFought)}
    return any(
        told.get("by") in (None, one.kingdom.capitalize())
        and told.get("whose") in (None, one.of.capitalize())
        and one.zone not in fought_in
        for one in at.facts(e.LandConquered)
    )


def beats(at: Happened, found: "re.Match[str]") -> bool:
    told = found.groupdict()
    return any(
        told["by"].lower() == one.kingdom and told.get("whose") in (None, one.of.capitalize())
        for one in at.facts(e.LandConquered)
    )


def fails(at: Happened, _found: "re.Match[str]") -> bool:
    return any(one.result == "held" for one in at.facts(e.BattleEnded))


def ends(result: str) -> Claim:
    return lambda at, _: any(one.result == result for one in at.facts(e.BattleEnded))


def sides_of(view: Any) -> dict[str, tuple[int, int]]:
    """Fortresses and Lands of the alliances."""
    forts = dict(view.fortresses)
    return {
        name: (forts[side], sum(one.lands for one in view.kingdoms if one.alliance == side))
        for name, side in SIDES.items()
    }


def stands(at: Happened, found: "re.Match[str]") -> bool:
    """Fortresses and Lands of the side that is named and of the other."""
    now = sides_of(at.view)
    other = next(name for name in SIDES if name != found["side"])
    return (*now[found["side"]], *now[other]) == tuple(
        int(found[name]) for name in ("forts", "lands", "forts2", "lands2")
    )


def gone(at: Happened, found: "re.Match[str]") -> bool:
    """How many Lands a kingdom had that has none now."""
    whose = found["whose"].lower()
    had = found.groupdict().get("n")
    return at.view.kingdom(whose).lands == 0 and had in (None, str(at.before.kingdom(whose).lands))


def needs_one(at: Happened, found: "re.Match[str]") -> bool:
    return sides_of(at.view)[found["side"]][0] == 3


SIDE = r"(?P<side>Silver and Gold|Red and Blue)"
STOOD = r"(?P<defence>\d+ (?:Legion|Knight|Warbeast|Galleon|Dragon).*?)"
CLAIMS = Claims(
    players=4,
    options=(("year_limit", 4),),
    claims={
        rf"{BY} takes [^.;:]*? from {WHOSE}": takes,
        rf"{BY} takes {ZONE}$": took,
        rf"{ZONE} holds against {KINGDOM}": holds,
        rf"(?:^|\. ){ZONE} holds against [^.]*? in (?P<n>\d+) rounds?": rounds,
        rf"{BY} (?:takes|clears) [^.;]*? in (?P<n>\d+) rounds?": rounds,
        rf": {KINGDOM} loses \d+ (?!units?)[^.]*": lost,
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
    standing=lambda _view: {},
    narrated={
        rf"^{STOOD} stood in ": began,
        rf"^{BY} came with (?P<attack>.*) and took it in (?P<n>\d+) rounds?": began,
        r"and took it in (?P<n>\d+) rounds?": fell,
        rf"^{BY} sent (?P<attack>.*) to .*, against {STOOD}\.": began,
        r"It fell after (?P<n>\d+) rounds?": fell,
        rf"^{BY} risked (?P<attack>.*) for .* against {STOOD}, and won": began,
        rf"{BY} won the battle for .* against {WHOSE}": beats,
        rf"After \d+ rounds? {WHOSE} had lost .* to {BY}": beats,
        rf"was lost to {WHOSE}: {BY} held out longer": beats,
        rf"^{BY} lost \d.*": lost,
        rf"{WHOSE} had left .* without units, and {BY} marched in": walks,
        rf"{BY} took .* from {WHOSE} without a fight, since nobody stood there": walks,
        rf"Nobody stood in .*: {BY} took what {WHOSE} had held": walks,
        rf"^{BY} threw (?P<attack>.*) at .*, where {STOOD} stood, and it held": began,
        rf"^{STOOD} held .* against (?P<attack>\d.*) of {BY}": began,
        rf"The attack of {BY} on .*, with (?P<attack>.*) against {STOOD}, failed": began,
        r"held against|broke after|gave out before|, failed|and it held": fails,
        r"nobody was left on either side|left nobody standing|Neither side survived": ends(
            "nobody left"
        ),
        r"cleared|belonged to the ships of": ends("won"),
        rf"{WHOSE} still had (?P<n>\d+) Lands?": gone,
        r"After this close (?:no Land and no unit was left|there was none, and no income)": lambda at, _: (
            any(one.lands == 0 for one in at.view.kingdoms)
        ),
        rf"the end of {WHOSE}, who had had (?P<n>\d+) Lands?": gone,
        rf"{WHOSE} lost the last of (?P<n>\d+) Lands? and every unit": gone,
        rf"Without any Land {WHOSE}": gone,
        rf"{WHOSE} lost all of (?P<n>\d+) Lands?": gone,
        rf"{SIDE} (?:held 3 of the 4 Fortresses now|would have won|needed only one more)": needs_one,
        rf"{SIDE} now held (?P<forts>\d) Fortress(?:es)? to (?P<forts2>\d) and (?P<lands>\d+) Lands?"
        r" to (?P<lands2>\d+)": stands,
        rf"That left {SIDE} with (?P<forts>\d) Fortress(?:es)? and (?P<lands>\d+) Lands?, against"
        r" (?P<forts2>\d) and (?P<lands2>\d+)": stands,
        r"The Lands stood (?P<lands>\d+) to (?P<lands2>\d+) and the Fortresses (?P<forts>\d) to"
        rf" (?P<forts2>\d) for {SIDE}": stands,
    },
)
