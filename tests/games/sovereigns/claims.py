"""What texts about a game of States & Sovereigns claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.sovereigns import events as e
from tests.claims import NAME, NUMBER, Claim, Claims, Happened, value
from tests.moments import Whole

REALM = r"[A-Z][a-z]+(?: \d+)?"
BY = rf"\b(?P<by>{REALM})"
SUM = rf"(?P<a>{NUMBER}) to (?P<b>{NUMBER})"
VERBS = r"beats|crushes|robs|converts|outwits|spies on|stirs up revolt in"
TRIED = r"attacks|tries to rob|preaches in|preaches revolt in|tries to outwit|spies on"


def called(at: Happened, name: str) -> int:
    """Whose kingdom this is; 0 for none."""
    return next((one.number for one in at.view.kingdoms if one.name == name), 0)


def action(at: Happened, found: "re.Match[str]") -> bool:
    """An action against somebody, with its sum, as it was rolled and as it came out."""
    wanted = (called(at, found["by"]), called(at, found["whose"]))
    sums = (value(found["a"]), value(found["b"]))
    is_won = not found["vain"]
    return any(
        (one.kingdom, one.target) == wanted
        and (one.total, one.difficulty) == sums
        and (one.result in ("success", "great")) == is_won
        for one in at.facts(e.ActionResolved)
    )


def rolled(at: Happened, found: "re.Match[str]") -> bool:
    who = called(at, found["by"])
    sums = (value(found["a"]), value(found["b"]))
    return any(
        one.kingdom == who and (one.total, one.difficulty) == sums
        for one in at.facts(e.ActionResolved)
    )


def support(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (called(at, found["by"]), value(found["n"]))
    return any((one.kingdom, one.total) == wanted for one in at.facts(e.SupportRolled))


def falls(at: Happened, found: "re.Match[str]") -> bool:
    who = called(at, found["by"])
    return any(one.kingdom == who for one in at.facts(e.Fallen))


def wins(at: Happened, found: "re.Match[str]") -> bool:
    return at.number(found["by"]) in at.view.winners


def is_contest(one: e.ActionResolved) -> bool:
    """Whether its target stood against it with anything, or had nothing left to stand with."""
    stood = bool(one.defence or one.defence_terms)
    return one.target is not None and (stood or one.difficulty == 0)


def battles(table: Whole) -> Mapping[int, tuple[int, int]]:
    """Contests: where both sides rolled."""
    won: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    for moment in table.moments:
        for event in moment.public:
            one = event.facts
            if isinstance(one, e.ActionResolved) and is_contest(one):
                two = (one.kingdom, one.target or 0)
                first, second = two if one.result in ("success", "great") else two[::-1]
                won[first] += 1
                lost[second] += 1
    return {seat.number: (won[seat.number], lost[seat.number]) for seat in table.seats}


def shown(cells: Sequence[str]) -> tuple[int, int]:
    won, lost = cells[1].split(" : ")
    return int(won), int(lost)


def missing(at: Happened, said: str) -> Iterator[str]:
    """Every kingdom that fell."""
    for one in at.facts(e.Fallen):
        name = at.view.kingdom(one.kingdom).name
        if f"{name} falls" not in said:
            yield f"{name} falls"


def figures(_view: Any) -> Mapping[int, int]:
    """Nobody has a number that decides."""
    return {}


# ----------------------------------------------------------------------------------- the narrator
def standing(view: Any) -> Mapping[int, int]:
    if view.stage == "setup":
        return {}
    return {
        one.number: one.total.R + one.total.M + one.total.H for one in view.kingdoms if one.alive
    }


def had(at: Happened, found: "re.Match[str]") -> bool:
    """All points of a kingdom before the close."""
    one = at.before.kingdom(called(at, found["whose"]))
    told = found.groupdict().get("n")
    return told is None or int(told) == one.total.R + one.total.M + one.total.H


PAST = {
    "Attack": ("beat", "crushed", "attacked"),
    "Espionage": ("spied on", "sent spies to"),
    "Theft": ("robbed", "tried to rob"),
    "Spread": ("converted", "preached in"),
    "Foment": ("stirred up revolt in", "preached revolt in"),
    "Try": ("outwitted", "tried to outwit", "tried something new"),
    "Research": ("made a discovery", "discovered nothing"),
    "Expedition": ("sent out an expedition",),
    "Security": ("set up a guard", "got no guard"),
    "Found": ("founded a faith", "founded no faith"),
    "Contact": ("reached the supernatural", "called the supernatural"),
}
SUCCESS = re.compile(
    r"beat|crushed|spied on|robbed|converted|stirred up|outwitted|made a|with gain|set up|founded a |"
    r"\breached|with success| raised "
)


def did(at: Happened, found: "re.Match[str]") -> bool:
    """Who did what to whom, how it came out, and with which sum."""
    told = found.groupdict()
    is_won = bool(SUCCESS.search(found[0]))
    sums = (value(told["a"] or ""), value(told["b"] or ""))
    return any(
        one.kingdom == called(at, told["by"] or "")
        and (
            one.raises is not None or any(verb in found[0] for verb in PAST.get(one.action, ("",)))
        )
        and (one.target is None or at.view.kingdom(one.target).name in found[0])
        and (one.total, one.difficulty) == sums
        and (one.result in ("great", "success")) == is_won
        for one in at.facts(e.ActionResolved)
    )


def fell(at: Happened, found: "re.Match[str]") -> bool:
    """Who fell, and whom they had been beaten by."""
    by = found.groupdict().get("by")
    return any(one.kingdom == called(at, found["whose"]) for one in at.facts(e.Fallen)) and (
        by is None
        or any(
            (one.kingdom, one.target) == (called(at, by), called(at, found["whose"]))
            for one in at.facts(e.ActionResolved)
        )
    )


def rolled_for(kind: Any) -> Claim:
    return lambda at, found: any(
        (one.kingdom, one.total) == (called(at, found["whose"]), value(found["a"]))
        for one in at.facts(kind)
    )


def claimed(at: Happened, found: "re.Match[str]") -> bool:
    who = called(at, found["whose"])
    ayes = found.groupdict().get("n")
    return any(one.claimant == who for one in at.facts(e.BallotOpened)) or any(
        one.claimant == who
        and ayes in (None, str(len(one.ayes)))
        and ("passed" in found[0]) == (one.result == "passed")
        for one in at.facts(e.BallotClosed)
    )


def has(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        one.kingdom == called(at, found["whose"]) and one.technology in found[0]
        for one in at.facts(e.TechnologyGot)
    )


def is_of(kind: Any) -> Claim:
    """Whether such a thing happened to this kingdom, and to no other of those that are named."""
    return lambda at, found: any(
        one.kingdom == called(at, found["whose"]) for one in at.facts(kind)
    )


def supported(at: Happened, found: "re.Match[str]") -> bool:
    """All kingdoms that are named had support, and no other."""
    named = {called(at, name) for name in re.findall(REALM, found["names"])} - {0}
    had_it = ("support", "full-support")
    return named == {one.kingdom for one in at.facts(e.SupportRolled) if one.support in had_it}


def builders(at: Happened, found: "re.Match[str]") -> bool:
    named = {called(at, name) for name in re.findall(REALM, found["names"])} - {0}
    return named == {one.kingdom for one in at.facts(e.Built)}


WHOSE = rf"(?P<whose>{REALM})"
TIE = r"(?: \(a tie is enough\))?"
RULER = rf"(?: \({NAME}\))?"
CLAIMS = Claims(
    players=5,
    claims={
        rf"{BY} (?:{VERBS}|{TRIED}) (?P<whose>{REALM})(?P<vain> and fails)?, {SUM}": action,
        rf"{BY} (?:raises|fails to raise) its \w+, {SUM}": rolled,
        rf"{BY} (?:makes a (?:great )?discovery|founds a faith|founds no faith), {SUM}": rolled,
        rf"{BY} rolls (?P<n>{NUMBER}):": support,
        rf"{BY} falls\b": falls,
        rf"\b(?P<by>{NAME}) wins\b": wins,
    },
    winners=lambda view: view.winners,
    battles=battles,
    shown=shown,
    missing=missing,
    figures=figures,
    standing=standing,
    narrated={
        rf"{WHOSE} had (?P<n>\d+) points? when the season began": had,
        rf"Before that {WHOSE} had had (?P<n>\d+) points?": had,
        rf"It came to {SUM}{TIE}: {BY} .*?, with \d+ points? to": did,
        rf"^(?!Rebels |The |A ){BY} (?!had |fell|rolled |asked |now |survived |claimed ).*, {SUM}{TIE}\.$": did,
        rf"^With {SUM}{TIE} {BY} .*\.$": did,
        rf"(?P<whose>{REALM}) had only (?P<n>\d+) points? left": had,
        rf"{WHOSE} (?:had (?:only \d+ points?|nothing) left and )?fell, beaten by (?P<by>{REALM})": fell,
        rf"the end of {WHOSE}{RULER}, beaten by (?P<by>{REALM})": fell,
        rf"{WHOSE} (?:had .* left and )?fell,": fell,
        rf"the end of {WHOSE}{RULER},": fell,
        r"It had had (?P<n>\d+) points?": lambda at, found: any(
            int(found["n"]) == standing(at.before)[one.kingdom] for one in at.facts(e.Fallen)
        ),
        rf"The people of {WHOSE} answered with [\w ]+ \((?P<a>{NUMBER})\)": rolled_for(
            e.SupportRolled
        ),
        rf"{WHOSE} asked its people, rolled (?P<a>{NUMBER})": rolled_for(e.SupportRolled),
        rf"A roll of (?P<a>{NUMBER}) meant [\w ]+ in {WHOSE}": rolled_for(e.SupportRolled),
        rf"Rebels rose in {WHOSE}, which [^,]*, (?P<a>{NUMBER}) to 5": rolled_for(
            e.RebellionRolled
        ),
        rf"{WHOSE} had \d+ Military for the rebels and \w+, (?P<a>{NUMBER}) to 5": rolled_for(
            e.RebellionRolled
        ),
        rf"The rebels of {WHOSE} \w+: (?P<a>{NUMBER}) to 5": rolled_for(e.RebellionRolled),
        rf"{WHOSE}{RULER} survived a coup, (?P<a>{NUMBER}) to 10": rolled_for(e.CoupRolled),
        rf"failed against {WHOSE}{RULER}, (?P<a>{NUMBER}) to 10": rolled_for(e.CoupRolled),
        rf"The throne of {WHOSE}{RULER} held against a coup, (?P<a>{NUMBER}) to 10": rolled_for(
            e.CoupRolled
        ),
        rf"{WHOSE}{RULER} claimed (?:victory|the game)": claimed,
        rf"Then {WHOSE}{RULER} asked the others": claimed,
        rf"The claim of {WHOSE}{RULER} (?:passed|failed) with (?P<n>\d+) yes": claimed,
        rf"(?P<n>\d+) said yes to the claim of {WHOSE}{RULER}, which": claimed,
        rf"With (?P<n>\d+) yes the claim of {WHOSE}{RULER}": claimed,
        r"The kingdoms showed how|Each kingdom had split|With 9 points each": lambda at, _: bool(
            at.facts(e.SplitMade)
        ),
        rf"^(?:For 1 Harmony )?{WHOSE} ruled by fear": is_of(e.FearRuled),
        rf"^Fear ruled in {WHOSE}, which paid 1 Harmony": is_of(e.FearRuled),
        r"^The people stood behind (?P<names>.*)": supported,
        r"^(?P<names>.*) had (?:the|its) people behind (?:them|it)": supported,
        r"^There was support for (?P<names>.*)": supported,
        rf"^{WHOSE}{RULER} (?:gave up the throne|abdicated)": is_of(e.Abdicated),
        rf"^The throne was given up by {WHOSE}": is_of(e.Abdicated),
        r"^(?:Builders were|New buildings stood in|Buildings were finished by) (?P<names>.*)": builders,
        rf"^{WHOSE} (?:built|finished) (?:a |works)": is_of(e.Built),
        rf"^In {WHOSE} the people built": is_of(e.Built),
        rf"{WHOSE} (?:now )?had (?!only|nothing|had|been|\d).*\.$": has,
        rf" came to {WHOSE}\.$": has,
    },
)
