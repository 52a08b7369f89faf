"""What texts about a game claim, checked against what happened.

A claim is a pattern of plain English and a question to the facts: it knows neither templates nor
the code that fills them. Each game has its own in `tests/games/GAME/claims.py`, as `CLAIMS`, with
how a table of it is played.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from engine.ruleset import Facts
from tests.moments import NAMES, Act, Moment, Whole
from tests.played import folder_of

NAME = f"(?:{'|'.join(NAMES)})"
NUMBER = r"[-−+]?\d+"
F = TypeVar("F", bound=Facts)


@dataclass(frozen=True, slots=True)
class Happened:
    """A close as claims ask about it: `view` is the public's after it, `before` the one before, and
    `story` the turn of the paragraph that tells it (0: no story does). `earlier` are all moments
    before it, `later` the views after the closes that followed.
    """

    moment: Moment
    before: Any
    view: Any
    story: int = 0
    earlier: Sequence[Moment] = ()
    later: Sequence[Any] = ()

    def facts(self, kind: type[F]) -> list[F]:
        return [event.facts for event in self.moment.public if isinstance(event.facts, kind)]

    def number(self, name: str) -> int:
        """Who is called so; 0 for nobody."""
        return NAMES.index(name) + 1 if name in NAMES else 0


Claim = Callable[[Happened, "re.Match[str]"], bool]


@dataclass(frozen=True, slots=True)
class Claims:
    """`players` and `options` are those of a table that comes to an end within so many `closes`, with
    these `acts` of its game master.
    `claims` are patterns with what must be true where they are found. `missing` are things that
    happened and that the texts of a close, joined, do not tell. `figures` are what a result counts,
    by player; `shown` reads battles won and lost in the table of numbers, `battles` counts those that
    somebody won and lost. `seed` is the first that is played: a game in which much happened; `seeds` are how many fit.
    `narrated` are claims of the narrator's sentences, each of which must make one; `standing` is what
    each player has of what decides the game, `sides` are those who play together.
    """

    players: int
    claims: Mapping[str, Claim]
    winners: Callable[[Any], Sequence[int]]
    battles: Callable[[Whole], Mapping[int, tuple[int, int]] | None]
    shown: Callable[[Sequence[str]], tuple[int, int] | None]
    missing: Callable[[Happened, str], Iterator[str]]
    figures: Callable[[Any], Mapping[int, int]]
    narrated: Mapping[str, Claim]
    standing: Callable[[Any], Mapping[int, int]]
    options: tuple[tuple[str, object], ...] = ()
    acts: tuple[Act, ...] = ()
    closes: int = 150
    seed: int = 1
    seeds: int = 20
    sides: Callable[[Any], Sequence[Sequence[int]]] = lambda _view: ()


def claims_of(game: str) -> Claims:
    """Those of a game, by its name, or of another table of it (`GAME/TABLE`)."""
    name, _, table = game.partition("/")
    found: Claims = getattr(
        import_module(f"tests.games.{folder_of(name)}.claims"), table or "CLAIMS"
    )
    return found


def tables_of(games: Iterable[str]) -> list[str]:
    """All tables of these games that claims are checked at."""
    return [
        name
        for game in games
        for module in (import_module(f"tests.games.{folder_of(game)}.claims"),)
        for name in (game, *(f"{game}/{table}" for table in getattr(module, "TABLES", ())))
    ]


def value(text: str) -> int:
    """A number as texts write it, with a real minus."""
    return int(text.replace("−", "-"))


def numbers(names: str) -> set[int]:
    """Who is named."""
    return {NAMES.index(one) + 1 for one in re.findall(NAME, names)}


# -------------------------------------------------------------------------- how the winners stood
PARTY = rf"(?:(?:[A-Z]\w+ \()?{NAME}\)?)"
PARTIES = rf"{PARTY}(?:(?:, | and ){PARTY})*(?: and \d others| and the (?:best of the )?others)?"
WE, THEY = rf"(?P<us>{PARTIES})", rf"(?P<them>{PARTIES}|the others)"
N = r"(?P<n>\d+)(?: (?:points?|banners?))?"
IS = "(?:was|were)"


def course_claims(claims: Claims) -> Mapping[str, Claim]:
    """What a game's narrator says of how the winners stood."""

    def sides(view: Any) -> dict[frozenset[int], int]:
        """What each side has."""
        have = claims.standing(view)
        all_sides = claims.sides(view) or [(one.number,) for one in view.players]
        return {frozenset(side): sum(have.get(player, 0) for player in side) for side in all_sides}

    def sums(view: Any, found: "re.Match[str]") -> tuple[int, int]:
        """What these have, and the best of the others, who are those that are named."""
        us = numbers(found["us"])
        ours = max(have for side, have in sides(view).items() if side & us)
        others = {side: have for side, have in sides(view).items() if not side & us}
        best = max(others.values())
        for player in numbers(found.groupdict().get("them") or ""):
            assert any(player in side and have == best for side, have in others.items()), found[0]
        return ours, best

    def margin(view: Any, found: "re.Match[str]") -> int:
        ours, best = sums(view, found)
        return ours - best

    def was(sign: int) -> Claim:
        return lambda at, found: margin(at.before, found) == sign * int(found["n"])

    def now(sign: int) -> Claim:
        return lambda at, found: margin(at.view, found) == sign * int(found["n"])

    def safe(at: Happened, found: "re.Match[str]") -> bool:
        least = int(found["n"])
        return margin(at.view, found) == least and all(
            margin(view, found) >= least for view in at.later
        )

    def changed(sign: int) -> Claim:
        return lambda at, found: (
            margin(at.view, found) == sign * int(found["n"])
            and margin(at.before, found) == sign * int(found["m"])
        )

    def passed(at: Happened, found: "re.Match[str]") -> bool:
        """The lead is now with those that are told, and was not before."""
        return margin(at.view, found) == int(found["n"]) and margin(at.before, found) <= 0

    def most(view: Any, names: str) -> tuple[int, int]:
        """The most that one of these has, and the most of all others."""
        us, have = numbers(names), sides(view)
        return (
            max(count for side, count in have.items() if side & us),
            max(count for side, count in have.items() if not side & us),
        )

    def leads_now(at: Happened, found: "re.Match[str]") -> bool:
        """Those who are told have most now, by so many more than whom they are ahead of, and alone
        had not most before.
        """
        ours, theirs = most(at.view, found["us"])
        named = numbers(found.groupdict().get("them") or "")
        by = ours - (
            max(have for side, have in sides(at.view).items() if side & named) if named else theirs
        )
        was, others = most(at.before, found["us"])
        return by == int(found["n"]) and ours > theirs and was <= others

    def fell_behind(at: Happened, found: "re.Match[str]") -> bool:
        """Those who are told have less than others now, and had not before."""
        ours, theirs = most(at.view, found["us"])
        was, others = most(at.before, found["us"])
        return theirs - ours == int(found["n"]) and was >= others

    def level(view: Any, names: str, count: int | None) -> bool:
        told, most = numbers(names), max(sides(view).values())
        found = {have for side, have in sides(view).items() if side & told}
        others = {have for side, have in sides(view).items() if not side & told}
        is_shared = "others" not in names or most in others
        return found == {most} and is_shared and count in (None, most)

    def no_lead(at: Happened, found: "re.Match[str]") -> bool:
        """Those who are told have most now, all the same; before that it was otherwise."""
        count = found.groupdict().get("n")
        now_level = level(at.view, found["us"], None if count is None else int(count))
        return now_level and not level(at.before, found["us"], None)

    return {
        rf"Until then {WE} led by {N}": was(1),
        rf"Until then {THEY} led (?P<us>{PARTIES}) by {N}": was(-1),
        rf"{WE} had been {N} ahead of {THEY}": was(1),
        rf"{WE} had been {N} behind {THEY}": was(-1),
        rf"Until then {WE} had {N}, and {THEY} (?P<m>\d+)": lambda at, found: (
            sums(at.before, found) == (int(found["n"]), int(found["m"]))
        ),
        r"Nobody was ahead of the others yet": lambda at, _: (
            len(set(sorted(sides(at.before).values())[-2:])) == 1
        ),
        rf"(?P<us>{PARTIES}) were level until then": lambda at, found: level(
            at.before, found["us"], None
        ),
        rf"It was level, at {N}": lambda at, found: (
            sorted(sides(at.before).values())[-2:] == [int(found["n"])] * 2
        ),
        rf"Nobody came closer to {WE} than {N} again": safe,
        rf"From then on the lead of {WE} was never smaller than {N}": safe,
        rf"{WE} {IS} {N} ahead, and nobody came closer before the end": safe,
        rf"Now (?P<us>{PARTIES}) were level, at {N}": lambda at, found: level(
            at.view, found["us"], int(found["n"])
        ),
        rf"Afterwards it was level between (?P<us>{PARTIES})": lambda at, found: level(
            at.view, found["us"], None
        ),
        rf"Both {WE} and the best of the others had {N} now": lambda at, found: (
            sums(at.view, found) == (int(found["n"]),) * 2
        ),
        rf"Now {WE} {IS} {N} ahead of {THEY}": now(1),
        rf"With that the lead passed to {WE}, by {N}": passed,
        rf"(?P<them>{PARTIES}|[Tt]he others) had passed (?P<us>{PARTIES}), by {N}": now(-1),
        rf"Afterwards {WE} led {THEY} by {N}": now(1),
        rf"Afterwards {WE} had {N} to make up": now(-1),
        rf"The lead of {WE} (?:grew|shrank) from (?P<m>\d+) to {N}": changed(1),
        rf"That left {WE} (?:only )?{N} ahead of {THEY}": now(1),
        rf"It (?:still )?stood {N} to (?P<m>\d+) for {WE}": lambda at, found: (
            sums(at.view, found) == (int(found["n"]), int(found["m"]))
        ),
        rf"{WE} {IS} still {N} behind, but closer than before": lambda at, found: (
            margin(at.before, found) < margin(at.view, found) == -int(found["n"])
        ),
        rf"Now only {N} lay between {WE} and the lead": now(-1),
        rf"The gap between {WE} and the lead shrank from (?P<m>\d+) to {N}": changed(-1),
        rf"The gap between {WE} and the lead grew to {N}": now(-1),
        rf"Now {WE} {IS} {N} behind {THEY}": now(-1),
        rf"^(?P<us>{PARTIES}) drew level, at {N}": no_lead,
        rf"^Nobody led any more: (?P<us>{PARTIES}) had {N} each": no_lead,
        rf"^Nobody was ahead of (?P<us>{PARTIES}) any more": no_lead,
        rf"^The lead went to {WE}, {N} ahead of {THEY}": leads_now,
        rf"^{WE} took the lead, by {N}": leads_now,
        rf"^{WE} came out in front, {N} ahead of {THEY}": leads_now,
        rf"^{WE} fell behind, by {N}": fell_behind,
        rf"That put (?P<them>{PARTIES}|the others) {N} ahead of (?P<us>{PARTIES})": now(-1),
    }
