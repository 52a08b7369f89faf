"""Whether a view hides what it has to.

A player knows what they have seen: the events that name them or everybody, and what they ordered
themselves. So the same step is taken twice, with one thing in it otherwise that somebody cannot
know: a draw that others were told of, or a secret order. If everything that happened looks the same
to them, the view has to look the same too. Where both games are played further with the same
orders, what happens has to look the same, until the rules tell or the view shows what is otherwise.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from engine.chance import Chance, Draw, ScriptEntry, ScriptMismatchError
from engine.ruleset import Event, Outcome, Ruleset, Standing
from pbem.conformance.walk import Step, Walk

MOST_OTHER = 3
"""Ways in which one draw is made otherwise."""
MOST_LATER = 3
"""Steps after the one that is otherwise."""
MOST_ORDERS = 12

_NUMBER = re.compile(r"-?\d+")
Reader = int | None
"""A player, or the public."""
Pair = tuple[str, str]
"""A value, and what stands in its place otherwise."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that a reader gets to know and should not. `kind` is a code: `view-tells` (a
    `player` sees in these `fields` what only others were told), `view-foretells` (everybody sees
    what comes out later), `event-tells` (an event tells what the view hides, at the set-up or
    while it shows it to somebody else), `event-works-out` (an event tells what was made of that: a
    sum, a count).
    """

    kind: str
    player: Reader
    what: str
    fields: tuple[str, ...]


def leaks_of(walk: Walk, rng: random.Random, most: int) -> Iterator[Leak]:
    """All that is found in this many twins of each step."""
    for place, step in enumerate(walk.steps):
        twins = [*_drawn_otherwise(step, rng), *_ordered_otherwise(step, rng)]
        for twin in rng.sample(twins, min(most, len(twins))):
            yield from _compare(walk, place, twin)


@dataclass(frozen=True, slots=True)
class _Twin:
    """A step with one thing otherwise, `what`; `by` is whose secret order it is (None: a draw).
    `drawn` are the results that differ.
    """

    what: str
    outcome: Outcome[Any]
    by: int | None = None
    drawn: frozenset[Pair] = frozenset()


def _drawn_otherwise(step: Step, rng: random.Random) -> Iterator[_Twin]:
    for place, draw in enumerate(step.draws):
        script: list[ScriptEntry] = [one.result for one in step.draws[:place]]
        for other in _other_results(draw, rng):
            try:
                outcome = step.again(script=[*script, other])
            except ScriptMismatchError:  # what was drawn before depends on it
                continue
            drawn = frozenset(_pairs(draw.result, other))
            yield _Twin(draw.label, outcome, drawn=drawn)


def _other_results(draw: Draw, rng: random.Random) -> Iterator[ScriptEntry]:
    """Other results that this draw could have had."""
    if isinstance(draw.of, int):
        others = [side for side in range(1, draw.of + 1) if side != draw.result]
        yield from rng.sample(others, min(MOST_OTHER, len(others)))
    elif isinstance(draw.result, tuple):
        pairs = [(i, j) for i in range(len(draw.result)) for j in range(i)]
        for i, j in rng.sample(pairs, min(2 * MOST_OTHER, len(pairs))):
            order = list(draw.result)
            order[i], order[j] = order[j], order[i]
            yield tuple(order)
    else:
        names = [name for name in dict.fromkeys(draw.of) if name != draw.result]
        yield from rng.sample(names, min(MOST_OTHER, len(names)))


def _ordered_otherwise(step: Step, rng: random.Random) -> Iterator[_Twin]:
    if step.before is None:
        return
    rules = step.table.game.ruleset
    for number in step.orders:
        legal = tuple(islice(rules.legal(step.before, number), MOST_ORDERS * 10))
        for order in rng.sample(legal, min(MOST_OTHER, len(legal))):
            if rules.act_of(order) is not None:
                continue
            standing = rules.check(step.before, number, Standing(), (order,)).standing
            orders = {**step.orders, number: standing.orders}
            if standing.orders and orders != step.orders:
                yield _Twin(f"the orders of player {number}", step.again(orders=orders), number)


def _compare(walk: Walk, place: int, twin: _Twin) -> Iterator[Leak]:
    """What readers of two games see that differ in one thing, now and a few steps on."""
    rules, step = walk.table.game.ruleset, walk.steps[place]
    real, other = step.outcome, twin.outcome
    if real.state == other.state:
        return
    readers = [one for one in _readers(walk) if one is None or one != twin.by]
    equal = [one for one in readers if _visible(real, one) == _visible(other, one)]
    is_told = twin.by is not None or _is_told_to_some(real, other)
    for reader in equal:
        fields = tuple(differences(rules.view(real.state, reader), rules.view(other.state, reader)))
        if not fields:
            continue
        if is_told and not _is_of_a_mate(walk, real.state, twin, reader):
            yield Leak("view-tells", reader, twin.what, fields)
        elif reader is None and _comes_out(walk, place, other.state):
            yield Leak("view-foretells", reader, twin.what, fields)
    views = {one: (rules.view(real.state, one), rules.view(other.state, one)) for one in readers}
    shown = [values for view in views.values() if (values := frozenset(_pairs(*view)))]
    blind = [one for one in readers if views[one][0] == views[one][1]]
    yield from _later(walk, place, twin, [one for one in blind if one in equal])
    blind = [one for one in blind if one not in equal]
    if step.before is not None and is_told:
        if twin.drawn & _told_to_some(real, other):
            for reader in blind:
                yield from _worked_out(real, other, reader, twin, twin.drawn)
        return
    for reader in blind:
        left, right = _first_difference(_visible(real, reader), _visible(other, reader))
        # most news of a close are history, which no view has to show
        if step.before is None or any(_tells(left, right, values, twin.drawn) for values in shown):
            yield Leak("event-tells", reader, twin.what, (left.kind,))


def _later(walk: Walk, place: int, twin: _Twin, readers: Sequence[Reader]) -> Iterator[Leak]:
    """What these readers, to whom two games look the same, get to know when both are played
    further with the same orders and draws. Who sees or hears a difference is left out after that.
    """
    rules, blind = walk.table.game.ruleset, list(readers)
    before, state = walk.steps[place].outcome.state, twin.outcome.state
    for step in walk.steps[place + 1 :]:
        # an act in between was done in one of the games alone
        if not blind or state == before or step.before != before or not _can_order(step, state):
            return
        chance = Chance(step.seed, step.place)
        try:
            other = rules.adjudicate(state, step.orders, chance)
        except (ValueError, LookupError):  # these orders are not possible in the other game
            return
        if [one.label for one in chance.draws] != [one.label for one in step.draws]:
            return
        real, secret = step.outcome, frozenset(_pairs(before, state))
        same = [one for one in blind if rules.view(real.state, one) == rules.view(other.state, one)]
        blind = [one for one in same if _visible(real, one) == _visible(other, one)]
        for reader in (one for one in same if one not in blind):
            yield from _worked_out(real, other, reader, twin, secret)
        before, state = real.state, other.state


def _can_order(step: Step, state: Any) -> bool:
    """Whether the orders of a step mean the same in another state, and no orders do."""
    rules = step.table.game.ruleset

    def taken(at: Any, number: int) -> tuple[object, object]:
        given = step.orders.get(number, ())
        standing = rules.check(at, number, Standing(), given).standing
        return standing, rules.defaults(at, number, standing)

    asked = rules.phase(step.before).asked
    return all(taken(state, number) == taken(step.before, number) for number in asked)


def _told_to_some(real: Outcome[Any], other: Outcome[Any]) -> set[Pair]:
    """What differs in events that are not for everybody."""
    both = zip(real.events, other.events, strict=False)
    told = [(one.facts, two.facts) for one, two in both if one.audience is not None]
    return {pair for facts in told for pair in _pairs(*facts)}


def _worked_out(
    real: Outcome[Any], other: Outcome[Any], reader: Reader, twin: _Twin, secret: frozenset[Pair]
) -> Iterator[Leak]:
    """The events that tell a reader a number made of what is `secret`, if none tells a value of it
    as it is: then the rules have it told. A word, such as who wins, is what rules tell on purpose.
    """
    left, right = _visible(real, reader), _visible(other, reader)
    if [one.kind for one in left] != [one.kind for one in right]:
        return
    told = {
        one.kind: set(_pairs(one.facts, two.facts))
        for one, two in zip(left, right, strict=True)
        if one != two
    }
    if not any(pairs & secret for pairs in told.values()):
        for kind, pairs in told.items():
            if any(_NUMBER.fullmatch(value) for pair in pairs for value in pair):
                yield Leak("event-works-out", reader, twin.what, (kind,))


def _tells(left: Event, right: Event, values: frozenset[Pair], drawn: frozenset[Pair]) -> bool:
    """Whether all these values stand in two events, each pair in the same place. Where events
    tell a draw to everybody, a value that is not the draw itself only follows from it.
    """
    told = set(_pairs(left.facts, right.facts))
    return values <= told and bool(values & drawn or not told & drawn)


def _readers(walk: Walk) -> tuple[Reader, ...]:
    return None, *range(1, walk.table.players + 1)


def _visible(outcome: Outcome[Any], reader: Reader) -> tuple[Event, ...]:
    return tuple(event for event in outcome.events if event.is_for(reader))


def _is_told_to_some(real: Outcome[Any], other: Outcome[Any]) -> bool:
    """Whether what differs was told, to some players alone."""
    return [one for one in real.events if one.audience is not None] != [
        one for one in other.events if one.audience is not None
    ]


def _is_of_a_mate(walk: Walk, state: Any, twin: _Twin, reader: Reader) -> bool:
    """Whether the secret order is one of somebody who plays together with the reader."""
    mates = walk.table.game.team_mates
    if mates is None or reader is None or twin.by is None:
        return False
    return twin.by in mates(walk.table.game.ruleset.view(state, reader), reader)


def _comes_out(walk: Walk, place: int, state: Any) -> bool:
    """Whether what is otherwise shows in what happens in the next steps: then it is no news of this
    step, but of one to come.
    """
    for step in walk.steps[place + 1 : place + 1 + MOST_LATER]:
        try:
            outcome = step.again(state)
        except (ValueError, LookupError):  # these orders are not possible in the other game
            return False
        if _visible(outcome, None) != _visible(step.outcome, None):
            return True
        state = outcome.state
    return False


def _first_difference(one: Sequence[Event], other: Sequence[Event]) -> tuple[Event, Event]:
    for left, right in zip(one, other, strict=False):
        if left != right:
            return left, right
    return (one or other)[-1], (other or one)[-1]


def differences(one: Any, other: Any) -> Iterator[str]:
    """The places in which two values differ: `players[].wants`."""
    yield from dict.fromkeys(place for place, _, _ in _apart(one, other, ""))


def _pairs(one: Any, other: Any) -> Iterator[Pair]:
    """The values in which two values differ, in words."""
    yield from ((repr(left), repr(right)) for _, left, right in _apart(one, other, ""))


def _apart(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if one == other:
        return
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            below = f"{path}.{name}" if path else name
            yield from _apart(getattr(one, name), getattr(other, name), below)
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        for key in one:
            yield from _apart(one[key], other[key], f"{path}{{}}")
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from _apart(left, right, f"{path}[]")
    else:
        yield path, one, other


def changed(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A state, or a part of it, with one thing in it other than it is; and what that is."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            for place, other in changed(getattr(value, name), f"{path}.{name}" if path else name):
                yield place, msgspec.structs.replace(value, **{name: other})
    elif isinstance(value, Mapping):
        for key in value:
            for place, other in changed(value[key], f"{path}{{}}"):
                yield place, {**value, key: other}
    elif isinstance(value, tuple):
        if len(value) > 1 and value[0] != value[-1]:
            yield path, (*value[1:], value[0])
        if value:
            yield path, value[:-1]
        for i, part in enumerate(value):
            for place, other in changed(part, f"{path}[]"):
                yield place, (*value[:i], other, *value[i + 1 :])
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield path, value + 1
    elif isinstance(value, frozenset) and value:
        yield path, frozenset(sorted(value, key=repr)[1:])


def alike(rules: Ruleset[Any, Any], state: Any, player: int) -> Iterator[tuple[str, Any]]:
    """States that this player cannot tell from the real one, each with what is otherwise in it."""
    view = rules.view(state, player)
    for place, other in changed(state):
        if other != state and _view(rules, other, player) == view:
            yield place, other


def _view(rules: Ruleset[Any, Any], state: Any, player: int) -> Any:
    """None of a state that cannot be."""
    try:
        return rules.view(state, player)
    except (IndexError, KeyError, ValueError, StopIteration):
        return None
