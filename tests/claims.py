"""What texts about a game claim, checked against what happened.

A claim is a pattern of plain English and a question to the facts: it knows neither templates nor
the code that fills them. Each game has its own in `tests/games/GAME/claims.py`, as `CLAIMS`, with
how a table of it is played.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from engine.ruleset import Facts
from tests.moments import NAMES, Moment, Whole
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
    """`players` and `options` are those of a table that comes to an end within so many `closes`.
    `claims` are patterns with what must be true where they are found. `missing` are things that
    happened and that the texts of a close, joined, do not tell. `figures` are what a result counts,
    by player; `shown` reads battles won and lost in the table of numbers, `battles` counts those that
    somebody won and lost. `seed` is the first that is played: a game in which much happened.
    `narrated` are claims of the narrator's sentences, each of which must make one; `standing` is what
    each player has of what decides the game.
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
    closes: int = 150
    seed: int = 1


def claims_of(game: str) -> Claims:
    found: Claims = import_module(f"tests.games.{folder_of(game)}.claims").CLAIMS
    return found


def value(text: str) -> int:
    """A number as texts write it, with a real minus."""
    return int(text.replace("−", "-"))


# -------------------------------------------------------------------------- how the winners stood
PARTY = rf"(?:(?:[A-Z]\w+ \()?{NAME}\)?)"
PARTIES = rf"{PARTY}(?:(?:, | and ){PARTY})*"
WE, THEY = rf"(?P<us>{PARTIES})", rf"(?P<them>{PARTIES}|the others)"
N = r"(?P<n>\d+)(?: (?:points?|banners?))?"
IS = "(?:was|were)"


def course_claims(standing: Callable[[Any], Mapping[int, int]]) -> Mapping[str, Claim]:
    """What a game's narrator says of how the winners stood; nobody plays together."""

    def margin(view: Any, found: "re.Match[str]") -> int:
        """By how much these are ahead of the best of the others, who are those that are named."""
        have = standing(view)
        us = {NAMES.index(name) + 1 for name in re.findall(NAME, found["us"])}
        ours = max(have.get(player, 0) for player in us)
        others = {one.number: have.get(one.number, 0) for one in view.players}
        others = {player: count for player, count in others.items() if player not in us}
        best = max(others.values())
        named = re.findall(NAME, found.groupdict().get("them") or "")
        assert all(others[NAMES.index(name) + 1] == best for name in named), found[0]
        return ours - best

    def sums(view: Any, found: "re.Match[str]") -> tuple[int, int]:
        ours = max(
            standing(view).get(NAMES.index(one) + 1, 0) for one in re.findall(NAME, found["us"])
        )
        return ours, ours - margin(view, found)

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

    def level(view: Any, names: str, count: int | None) -> bool:
        have = standing(view)
        found = {have.get(NAMES.index(one) + 1, 0) for one in re.findall(NAME, names)}
        return len(found) == 1 and max(have.values()) in found and count in (None, *found)

    return {
        rf"Until then {WE} led by {N}": was(1),
        rf"Until then {THEY} led (?P<us>{PARTIES}) by {N}": was(-1),
        rf"{WE} had been {N} ahead of {THEY}": was(1),
        rf"{WE} had been {N} behind {THEY}": was(-1),
        rf"Until then {WE} had {N}, and {THEY} (?P<m>\d+)": lambda at, found: (
            sums(at.before, found) == (int(found["n"]), int(found["m"]))
        ),
        r"Nobody was ahead of the others yet": lambda at, _: (
            len(set(sorted(standing(at.before).values())[-2:])) == 1
        ),
        rf"(?P<us>{PARTIES}) were level until then": lambda at, found: level(
            at.before, found["us"], None
        ),
        rf"It was level, at {N}": lambda at, found: (
            sorted(standing(at.before).values())[-2:] == [int(found["n"])] * 2
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
        rf"That put (?P<them>{PARTIES}|the others) {N} ahead of (?P<us>{PARTIES})": now(-1),
    }
