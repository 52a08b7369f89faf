"""What texts about a game of States & Sovereigns claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.sovereigns import events as e
from tests.claims import NAME, NUMBER, Claims, Happened, value
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


CLAIMS = Claims(
    players=5,
    claims={
        rf"{BY} (?:{VERBS}|{TRIED}) (?P<whose>{REALM})(?P<vain> in vain)?, {SUM}": action,
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
)
