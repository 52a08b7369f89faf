"""Why a line does not stand: codes in the order in which one goes before another (FW-11.4, FW-11.5,
FF-5).
"""

from collections.abc import Iterable, Mapping

from engine.ruleset import Fact, Problem

RULES: Mapping[str, tuple[str, ...]] = {
    "not-understood": ("FW-11.4",),
    "unknown-zone": ("FW-11.2", "FW-2.1"),
    "ambiguous": ("FW-11.4",),
    "not-your-turn": ("FW-4.14", "FW-1.4"),
    "not-now": ("FW-4.1", "FW-11.4"),
    "truce": ("FW-1.6",),
    "not-yours": ("FW-5.13",),
    "capacity": ("FW-6.8", "FW-6.10"),
    "too-few-units": ("FW-11.6", "FW-6.6"),
    "already-moved": ("FW-5.8", "FW-8.13"),
    "friendly": ("FW-6.2", "FW-6.14"),
    "hostile": ("FW-8.9", "FW-8.11"),
    "no-coast": ("FW-6.11",),
    "wrong-element": ("FW-5.2", "FW-6.7"),
    "too-far": ("FW-5.1", "FW-5.2", "FW-11.6"),
    "blocked": ("FW-5.4", "FW-5.6", "FW-11.6"),
    "air-empty": ("FW-6.4",),
    "no-battle": ("FW-6.1", "FW-2.11"),
    "no-landing": ("FW-5.11",),
    "enemy-sea": ("FW-8.6",),
    "placement-limit": ("FW-8.4", "FW-3.6"),
    "supply-limit": ("FW-3.5", "FW-8.8"),
    "cannot-afford": ("FW-8.8", "FW-8.3"),
    "unspent": ("FW-4.6",),
    "out-of-range": ("FW-4.4",),
}
_RANK = {code: rank for rank, code in enumerate(RULES)}


def refuse(code: str, **facts: Fact) -> Problem:
    return Problem(code, RULES[code], facts)


def first_of(problems: Iterable[Problem]) -> Problem | None:
    """The one that goes before the others (FF-8.1); None if there is none."""
    return min(problems, key=lambda problem: _RANK[problem.code], default=None)


def last_of(problems: Iterable[Problem]) -> Problem:
    """The one that comes after the others: of several ways none of which is legal (FF-8.6)."""
    return max(problems, key=lambda problem: _RANK[problem.code])
