"""Whether a view hides what it has to.

A player knows what they have seen: the events that name them or everybody, and what they ordered
themselves. So the same step is taken twice, with one thing in it otherwise that somebody cannot
know: a draw that others were told of, or a secret order. If everything that happened looks the same
to them, the view has to look the same too.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from engine.chance import Draw, ScriptEntry, ScriptMismatchError
from engine.ruleset import Event, Outcome, Ruleset, Standing
from pbem.conformance.walk import Step, Walk

MOST_OTHER = 3
"""Ways in which one draw is made otherwise."""
MOST_LATER = 3
"""Steps after the one that is otherwise."""
MOST_ORDERS = 12

Reader = int | None
"""A player, or the public."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that a reader gets to know and should not. `kind` is a code: `view-tells` (a
    `player` sees in these `fields` what only others were told), `view-foretells` (everybody sees
    what comes out later), `event-tells` (an event tells what the view hides, at the set-up or
    while it shows it to somebody else).
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
    """A step with one thing otherwise, `what`; `by` is whose secret order it is (None: a draw)."""

    what: str
    outcome: Outcome[Any]
    by: int | None = None


def _drawn_otherwise(step: Step, rng: random.Random) -> Iterator[_Twin]:
    for place, draw in enumerate(step.draws):
        script: list[ScriptEntry] = [one.result for one in step.draws[:place]]
        for other in _other_results(draw, rng):
            try:
                outcome = step.again(script=[*script, other])
            except ScriptMismatchError:  # what was drawn before depends on it
                continue
            yield _Twin(draw.label, outcome)


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
    shown = [values for view in views.values() if (values := list(_apart(*view)))]
    if step.before is not None and is_told:
        return
    for reader in (one for one in readers if one not in equal and views[one][0] == views[one][1]):
        left, right = _first_difference(_visible(real, reader), _visible(other, reader))
        # most news of a close are history, which no view has to show
        if step.before is None or any(_tells(left, right, values) for values in shown):
            yield Leak("event-tells", reader, twin.what, (left.kind,))


def _apart(one: Any, other: Any) -> Iterator[tuple[object, object]]:
    """The values in which two views differ."""
    pair = msgspec.to_builtins(one), msgspec.to_builtins(other)
    yield from dict.fromkeys(
        (left, right) for left, right in zip(*map(_leaves, pair), strict=False) if left != right
    )


def _leaves(value: Any) -> Iterator[object]:
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _tells(one: Event, other: Event, values: Sequence[tuple[object, object]]) -> bool:
    """Whether two events have all these values, each its own of every pair."""
    left, right = (set(_leaves(msgspec.to_builtins(event.facts))) for event in (one, other))
    return all(real in left and else_ in right for real, else_ in values)


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


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The places in which two values differ: `players[].wants`."""
    if one == other:
        return
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            below = f"{path}.{name}" if path else name
            yield from differences(getattr(one, name), getattr(other, name), below)
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], f"{path}{{}}")
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        parts = [differences(a, b, f"{path}[]") for a, b in zip(one, other, strict=True)]
        yield from dict.fromkeys(name for part in parts for name in part)
    else:
        yield path


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
