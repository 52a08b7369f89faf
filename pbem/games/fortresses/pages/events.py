"""From events to lines: battles in one line each, purchases together. The sentences are macros of
`fortresses/events.j2`, one a kind.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.fortresses import event_kinds as e
from engine.ruleset import Event
from pbem.games.fortresses.pages.battles import KINDS, Tale
from pbem.games.fortresses.pages.cast import Cast
from pbem.pages.rendering import Line, twin

TEMPLATE = "fortresses/events.j2"
_CLOSING = frozenset({"Done", "No attacks"})
_SILENT = frozenset({"window", "turn"})
"""Kinds that a page says in other words anyway."""
MOST_RULES = 3
"""The most rules behind a line; `why` names them all."""
_PROCEDURE = ("FW-1.8", "FW-4.9", "FW-4.10", "FW-8.1", "FW-3.7", "FW-1.7")
"""Rules that say how every turn goes: no line names them."""


def is_on_board(event: Event) -> bool:
    """Whether the board shows its effect, and `history` tells the rest: orders that were carried
    out, income, and Dragons that flew home.
    """
    facts = event.facts
    if isinstance(facts, e.OrdersGiven):
        return not set(facts.lines) <= _CLOSING or facts.stage != "attack"
    return isinstance(facts, e.IncomeCollected | e.FliersHome | e.GoldLeft)


def lines_of(events: Sequence[Event], cast: Cast, told: Sequence[Tale]) -> tuple[Line, ...]:
    """A line for each thing that happened; battles stand where the first of them began."""
    return tuple(_lines(events, cast, told))


def _lines(events: Sequence[Event], cast: Cast, told: Sequence[Tale]) -> Iterator[Line]:
    left = list(told)
    bought: list[e.UnitsBought] = []
    rules: tuple[str, ...] = ()
    for event in events:
        facts = event.facts
        if isinstance(facts, e.UnitsBought):
            bought.append(facts)
            rules = rules or event.rules
            continue
        yield from _purchases(bought, cast, rules)
        bought, rules = [], ()
        if event.kind in KINDS:
            yield from (battle_line(tale, cast) for tale in left)
            left = []
        elif event.kind not in _SILENT:
            line = event_line(event, cast)
            if line.body.text:
                yield line
    yield from _purchases(bought, cast, rules)


def _purchases(
    bought: Sequence[e.UnitsBought], cast: Cast, rules: tuple[str, ...]
) -> Iterator[Line]:
    if bought:
        places = tuple((facts.units, facts.zone) for facts in bought)
        yield Line(
            "", twin(TEMPLATE, "purchases", bought[0].kingdom, places, cast), shown_rules(rules)
        )


def battle_line(tale: Tale, cast: Cast) -> Line:
    return Line(
        cast.code(tale.zone), twin(TEMPLATE, "battle_short", tale, cast), shown_rules(tale.rules)
    )


@lru_cache(maxsize=4096)
def event_line(event: Event, cast: Cast) -> Line:
    """One event in its own sentence."""
    macro = event.kind.replace("-", "_")
    return Line("", twin(TEMPLATE, macro, event.facts, cast), shown_rules(event.rules))


def shown_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """The rules that a line names: a few, those of the procedure last."""
    return tuple(rule for rule in rules if rule not in _PROCEDURE)[:MOST_RULES]
