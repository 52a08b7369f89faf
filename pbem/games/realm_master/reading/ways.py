"""The way on from what was not read: why it is no order, a line to copy, and what a suggestion
would change.

The line is legal beside all that stands. It is of the kind that was nearly written, or it answers
the open question; what has a line or an answer gets no other one.
"""

from collections.abc import Collection, Hashable, Sequence

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.checking.messages import check
from engine.realm_master.plans import answers, is_act
from engine.realm_master.state import State
from engine.ruleset import Fact, Problem, Standing
from pbem.games.realm_master.reading.offers import Offer, Offers, words_of
from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS

_WANTED = frozenset(
    {
        "not-understood",
        "unknown-land",
        "unknown-player",
        "ambiguous-player",
        "condition-unknown",
        "target-wanted",
        "loose-question",
        "beside-question",
        "land-not-in-play",
        "not-now",
    }
)
"""Codes of what gets a line to copy."""
_NAMES = frozenset({"LAND", "CARD", "HERO", "NUM", *FACES})
_DENYING = frozenset({"NOT", "NOTHING"})
_HEARTS_OF_A_LOSS = 4
"""What the Grim Ultimatum takes (RM-9.3)."""


def with_ways_on(
    items: Sequence[Item], offers: Offers, after: Standing[o.Order]
) -> tuple[Item, ...]:
    """The items, each with its way on. `after` is what stands when the message has been taken."""
    state, player, people = offers.state, offers.player, offers.people
    accepted = [order for item in items for order in item.orders]
    settled = [*after.orders, *accepted]
    told: list[Item] = []
    shown = 0
    plan = state.players[player - 1].plan.lines
    for item in items:
        problem = next((one for one in item.problems if not one.warning), None)
        if problem is None or item.orders:
            told.append(item)
            continue
        wanted = shown < MOST_SUGGESTIONS and problem.code in _WANTED | {"no-order"}
        unclear = any(one.code == "not-understood" for one in item.problems)
        said = lexemes_of(fold(item.quote), vocabulary(), people) if wanted or unclear else []
        item = replace(item, problems=tuple(_explained(one, said) for one in item.problems))
        if item.suggestion is not None:
            fell = check(state, player, after, item.suggestion.orders).replaced
            mine = any(order in accepted for order in fell) and not any(
                map(is_act, item.suggestion.orders)
            )
            instead = (*map(o.format_order, fell), *_kept(plan, item.suggestion.orders, settled))
            item = replace(item, suggestion=None) if mine else replace(item, instead=instead)
        is_near = problem.code == "no-order" and _is_near(said)
        is_wanted = (is_near or problem.code in _WANTED) and shown < MOST_SUGGESTIONS
        if item.suggestion is None and is_wanted:
            order = _line_to_copy(said, offers, after, settled, is_strict=is_near)
            shown += 1
            if order is not None:
                instead = _kept(plan, (order,), settled)
                item = replace(item, example=o.format_order(order), instead=instead)
                settled.append(order)
        told.append(item)
    return tuple(told)


def _kept(
    plan: Sequence[o.Order], orders: Sequence[o.Order], settled: Sequence[o.Order]
) -> tuple[str, ...]:
    """The lines of a plan kept from before that these orders would replace."""
    return tuple(
        o.format_order(line)
        for line in plan
        if any(o.is_same_line(line, order) for order in orders)
        and not any(o.is_same_line(line, other) for other in settled)
    )


def _explained(problem: Problem, said: Sequence[Lexeme]) -> Problem:
    """The problem; a `not-understood` with which reason it is."""
    if problem.code != "not-understood":
        return problem
    word = problem.facts.get("word")
    known = any(one.text == word and one.kind != "WORD" for one in said)
    why = "unknown" if word and not known else "unclear"
    if not any(one.kind in VERBS or one.kind in _NAMES for one in said):
        why = "no-verb"
    facts: dict[str, Fact] = {**problem.facts, "why": why}
    return replace(problem, facts=facts)


def _is_sensible(order: o.Order, state: State, player: int) -> bool:
    """No word about the plan as a whole, and nothing that costs the last heart."""
    if isinstance(order, o.Auto | o.Wait | o.Drop):
        return False
    if isinstance(order, o.Choose) and order.key == "ultimatum":
        dies = state.players[player - 1].hearts <= _HEARTS_OF_A_LOSS
        return not dies or order.choices[0].word != "lose"
    return True


def _line_to_copy(
    said: Sequence[Lexeme],
    offers: Offers,
    after: Standing[o.Order],
    settled: Collection[o.Order],
    *,
    is_strict: bool,
) -> o.Order | None:
    """The best order to show; `is_strict`: only one of the very kind that was nearly written."""
    state, player = offers.state, offers.player
    verbs, names = _kinds(said), set(_names(words_of(said)))
    is_denied = any(one.kind == "NOT" for one in said)
    plan = {*map(_line_of, state.players[player - 1].plan.lines)}
    taken = {*map(_line_of, settled)}

    def worth(offer: Offer) -> tuple[int, ...]:
        mine, kinds = set(_names(offer.words)), offer.kinds
        return (
            int(_is_answer(state, player, offer.order)),
            len(kinds & _DENYING) if is_denied else len(verbs & kinds),
            -(_line_of(offer.order) in plan),
            len(names & mine) - len(mine - names),
        )

    shown = [
        offer
        for offer in offers.lines
        if _is_sensible(offer.order, state, player)
        and _line_of(offer.order) not in taken
        and not (is_denied and verbs & offer.kinds and not _is_answer(state, player, offer.order))
        and (not is_strict or verbs & offer.kinds)
        and not (is_strict and names and not names & set(_names(offer.words)))
    ]
    for offer in filter(offers.holds, sorted(shown, key=worth, reverse=True)):
        checked = check(state, player, after, (offer.order,))
        if checked.accepted == (offer.order,) and not checked.problems and not checked.replaced:
            return offer.order
    return None


def _line_of(order: o.Order) -> Hashable:
    """What two orders share that are the same line (`is_same_line`); what is no line is itself."""
    key = o.key_of(order)
    return order if key is None else (key, order.card if isinstance(order, o.Play) else None)


def _is_answer(state: State, player: int, order: o.Order) -> bool:
    return state.stage != "round" and player in state.asked and answers(state.stage, order)


def _kinds(said: Sequence[Lexeme]) -> set[str]:
    return {one.kind for one in said if one.kind in VERBS}


def _names(words: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [word for word in words if word[0] in _NAMES]


def _is_near(said: Sequence[Lexeme]) -> bool:
    """Whether a message with no order in it was near one: a word of an order, and what it is done
    with.
    """
    return bool(_kinds(said)) and any(one.kind in _NAMES for one in said)
