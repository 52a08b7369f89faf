"""The way on from what was not read: why it is no order, the words of the open question, and what a
suggestion would change.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.checking.legal import is_legal, possible
from engine.realm_master.checking.messages import check
from engine.realm_master.plans import answers, is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.wording import format_order
from engine.ruleset import Fact, Problem, Standing
from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import People
from pbem.grammar.kit.reading import Item

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
_LEAST_HEARTS = 4
"""What the Grim Ultimatum takes (RM-9.3)."""
_NAMES = frozenset({"LAND", "CARD", "HERO", "NUM", *FACES})

_MOST_BLANK = 4
"""The most ways to fill a blank that are listed."""


def with_ways_on(
    items: Sequence[Item], state: State, player: int, people: People, after: Standing[o.Order]
) -> tuple[Item, ...]:
    """The items, each with its way on. `after` is what stands when the message has been taken."""
    accepted = [order for item in items for order in item.orders]
    settled = [*after.orders, *accepted]
    told: list[Item] = []
    plan = state.players[player - 1].plan.lines
    for item in items:
        problem = next((one for one in item.problems if not one.warning), None)
        if problem is None or item.orders:
            told.append(item)
            continue
        if any(one.code == "not-understood" for one in item.problems):
            said = lexemes_of(fold(item.quote), vocabulary(), people)
            item = replace(item, problems=tuple(_explained(one, said) for one in item.problems))
        if item.suggestion is not None:
            fell = check(state, player, after, item.suggestion.orders).replaced
            instead = (*map(format_order, fell), *_kept(plan, item.suggestion.orders, settled))
            item = replace(item, instead=instead)
        elif not item.example and problem.code in _WANTED:
            item = replace(item, example=_answers_to_copy(state, player))
        told.append(item)
    return tuple(told)


def _kept(
    plan: Sequence[o.Order], orders: Sequence[o.Order], settled: Sequence[o.Order]
) -> tuple[str, ...]:
    """The lines of a plan kept from before that these orders would replace."""
    return tuple(
        format_order(line)
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


def _answers_to_copy(state: State, player: int) -> str:
    """The words of the open question, if a few of them answer it and none costs for good."""
    if state.stage == "round" or player not in state.asked:
        return ""
    return _with_blank(
        [
            format_order(order)
            for order in _offered(state, player)
            if answers(state.stage, order) and is_legal(state, player, order)
        ]
    )


def _offered(state: State, player: int) -> Iterator[o.Order]:
    dies = state.players[player - 1].hearts <= _LEAST_HEARTS
    for order in possible(state, player):
        match order:
            case o.Auto() | o.Wait() | o.Drop() | o.Concede():
                continue
            case o.Choose(key="ultimatum", choices=(o.Choice("lose"), *_)) if dies:
                continue
        if not is_deed(order) and not is_act(order):
            yield order


def _with_blank(texts: Sequence[str]) -> str:
    """Lines that differ in one word, as one line with what may stand there: `March! <1 or 2> from
    P2 to P3`; "" if they differ in more, or may say too much.
    """
    texts = tuple(dict.fromkeys(texts))
    parts = [text.split() for text in texts]
    if len(texts) < 2 or len({len(words) for words in parts}) > 1:
        return ""
    differ = [i for i, words in enumerate(zip(*parts, strict=True)) if len({*words}) > 1]
    if len(differ) != 1:
        return ""
    at = differ[0]
    options = [words[at] for words in parts]
    if len(options) <= _MOST_BLANK:
        told = f"{', '.join(options[:-1])} or {options[-1]}"
    elif all(option.isdigit() for option in options):
        numbers = sorted(map(int, options))
        if numbers[-1] - numbers[0] != len(numbers) - 1:
            return ""
        told = f"{numbers[0]} to {numbers[-1]}"
    else:
        return ""
    return " ".join([*parts[0][:at], f"<{told}>", *parts[0][at + 1 :]])
