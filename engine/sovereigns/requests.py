"""What waits for the game master's word: a free-form action as it stands (SS-8.3), a proposed
technology (SS-7.3), an objection (SS-10.3), a ruler who has been silent for long (SS-11.9).
"""

import hashlib
from collections.abc import Iterator, Mapping

from engine.ruleset import Fact, RulingRequest, Standing
from engine.sovereigns.orders import Do, Order
from engine.sovereigns.seasons.seasons import action_of
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order, name_of

SILENT_SEASONS = 4
"""After this many seasons in a row without a word the game master is asked (SS-11.9)."""


def ruling_requests(
    state: State, standings: Mapping[int, Standing[Order]]
) -> tuple[RulingRequest, ...]:
    """All of it, in the order of seats; nothing once the game is over."""
    if state.stage == "over":
        return ()
    return (
        *_tries(state, standings),
        *_technologies(state),
        *_objections(state),
        *_silent(state),
    )


def tries_at(state: State, standings: Mapping[int, Standing[Order]]) -> Mapping[int, Do]:
    """The free-form actions that would be done as things stand, by their ruler: ordered, or kept
    for every season; as an alternative, too.
    """
    if state.stage != "season":
        return {}
    given = {
        number: action_of(state, number, standings[number].orders if number in standings else ())
        for number in state.living
    }
    return {number: order for number, order in given.items() if order is not None and order.tried}


def _tries(state: State, standings: Mapping[int, Standing[Order]]) -> Iterator[RulingRequest]:
    """Of an order that was ruled on nothing is asked; a changed one is asked about again."""
    ruled = {(ruling.player, ruling.order) for ruling in state.rulings}
    for number, order in tries_at(state, standings).items():
        way = order.tried
        if way is None or (number, order) in ruled:
            continue
        text, who = format_order(state, order), name_of(state, number)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        facts: dict[str, Fact] = {
            "player": number,
            "order": text,
            "words": way.words,
            "attribute": way.attribute,
            "target": way.target or 0,
            "effect": way.effect,
        }
        contest = () if way.target is None else (f"rule {who} contest {way.attribute}",)
        answers = (f"rule {who} stands", f"rule {who} diff 9", f"rule {who} diff 12", *contest)
        yield RulingRequest(
            f"try {state.question} {number} {digest}", "try", facts, answers=answers
        )


def _technologies(state: State) -> Iterator[RulingRequest]:
    for number in state.living:
        for discovery in state.kingdom(number).discoveries:
            if discovery.name:
                name = discovery.name
                yield RulingRequest(
                    f"technology {discovery.number} {name} {discovery.code}",
                    "technology",
                    {"player": number, "technology": name, "code": discovery.code},
                    discovery.left,
                    (f"approve {name}", f"refuse {name}"),
                )


def _objections(state: State) -> Iterator[RulingRequest]:
    for objection in state.objections:
        played = next(p for p in state.played if p.number == objection.action)
        n = objection.number
        yield RulingRequest(
            f"objection {n}",
            "objection",
            {
                "objection": n,
                "action": objection.action,
                "by": objection.by,
                "player": played.player,
                "order": format_order(state, played.order),
                "why": objection.why,
            },
            objection.left,
            (f"uphold {n}", f"deny {n}"),
        )


def _silent(state: State) -> Iterator[RulingRequest]:
    for number in state.living:
        missed = state.kingdom(number).missed
        if missed and missed % SILENT_SEASONS == 0:
            yield RulingRequest(
                f"replacement {number} {state.year} {missed}",
                "replacement",
                {"player": number, "seasons": missed},
            )
