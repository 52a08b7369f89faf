"""The rules of a game: what every state, order and event has to be, and what may be ordered."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Checked, Problem, Ruleset, Standing, encode_sound_state, known_state
from pbem.conformance.findings import found
from pbem.conformance.walk import MOST_LEGAL, Walk
from pbem.findings import Finding
from pbem.game import Game
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item, Reading
from pbem.pages.kit.usual_menu import UsualMenu

MOST_ORDERS = 12
"""Orders of one player in one state that are tried."""
NO_CHANCE = b"\0" * 32


def check_states(game: Game, walks: Sequence[Walk]) -> Iterator[Finding]:
    """Every state and every event comes back from its bytes, every phase asks somebody who is
    still there, and a game of scripted players ends.
    """
    rules = game.ruleset
    for one in walks:
        for state, origin in one.origins:
            try:
                encode_sound_state(rules, state)
            except ValueError as error:
                yield found("state-lost", table=one.table, error=error, origin=origin)
            yield from _phase(rules, state)
        for outcome in one.outcomes:
            for event in outcome.events:
                try:
                    back: object = rules.decode_event(rules.encode_event(event))
                except ValueError as error:
                    back = error
                if back != event:
                    yield found("event-lost", kind=event.kind, back=back)
        if one.is_over:
            yield from _end(rules, one)
    if not any(one.is_over for one in walks):
        yield found("no-end", steps=max(len(one.steps) for one in walks))


def _phase(rules: Ruleset[Any, Any], state: Any) -> Iterator[Finding]:
    phase, active = rules.phase(state), rules.active(state)
    if phase.over is not None:
        return
    if phase.kind not in rules.windows:
        yield found("no-window", kind=phase.kind)
    if phase.hours <= 0:
        yield found("no-hours", kind=phase.kind)
    if not set(phase.asked) <= set(active):
        yield found("asks-the-gone", kind=phase.kind)


def _end(rules: Ruleset[Any, Any], walk: Walk) -> Iterator[Finding]:
    last = walk.steps[-1].outcome.state
    over = rules.phase(last).over
    if over is None:
        return
    placings = rules.placings(last)
    if [one.player for one in placings] != list(range(1, walk.table.players + 1)):
        yield found("placings", table=walk.table)
    if {one.player for one in placings if one.won} != set(over.winners):
        yield found("winners", table=walk.table)
    for number in range(1, walk.table.players + 1):
        if next(iter(rules.legal(last, number)), None) is not None:
            yield found("legal-after-end", player=number)


def check_leaving(game: Game, walks: Sequence[Walk]) -> Iterator[Finding]:
    """A game master can end every game and take every player out of it (`Ruleset.act`)."""
    rules = game.ruleset
    for one in walks:
        for step in one.steps[:: max(1, len(one.steps) // 4)]:
            state = step.outcome.state
            if rules.phase(state).over is not None:
                continue
            active = rules.active(state)
            acts: list[dict[str, object]] = [{"act": "agree", "winners": []}]
            acts += [{"act": "agree", "winners": [active[0]]}]
            for act in (*acts, *({"act": "remove", "player": one} for one in active)):
                try:
                    after = rules.act(state, "gm", act, Chance(NO_CHANCE)).state
                except ValueError as error:
                    yield found(
                        "act-refused", act=act["act"], kind=rules.phase(state).kind, error=error
                    )
                    continue
                try:
                    encode_sound_state(rules, after)
                except ValueError as error:
                    yield found("state-lost", table=one.table, error=error, origin=f"after {act}")
                if rules.phase(after).over is not None:
                    continue
                if act["act"] == "agree":
                    yield found("no-agreement", act=act)
                elif act["player"] in rules.active(after):
                    yield found("not-removed", player=act["player"])


def check_orders(game: Game, walks: Sequence[Walk], rng: random.Random) -> Iterator[Finding]:
    """What is legal is accepted and read, and comes back from its text and from its bytes."""
    rules = game.ruleset
    for one in walks:
        for state in one.states:
            for number in rules.phase(state).asked:
                legal = tuple(islice(rules.legal(state, number), MOST_LEGAL))
                if len(set(map(repr, legal))) < len(legal):
                    yield found("legal-twice", kind=rules.phase(state).kind)
                for order in rng.sample(legal, min(MOST_ORDERS, len(legal))):
                    yield from _order(game, state, number, order)
                if isinstance(game.menu, UsualMenu) and len(legal) < MOST_LEGAL:
                    yield from _default(rules, state, number, legal)


def _default(
    rules: Ruleset[Any, Any], state: Any, number: int, legal: Sequence[Any]
) -> Iterator[Finding]:
    """In a menu of what is legal, what counts without an answer has its button, too."""
    for order in rules.defaults(state, number, Standing()):
        if order not in legal:
            text, kind = rules.format_order(state, order), rules.phase(state).kind
            yield found("default-not-legal", kind=kind, text=text)


def _order(game: Game, state: Any, number: int, order: Any) -> Iterator[Finding]:
    rules, text = game.ruleset, game.ruleset.format_order(state, order)
    checked = rules.check(state, number, Standing(), (order,))
    if order not in checked.accepted:
        codes = ", ".join(problem.code for problem in checked.problems)
        yield found("legal-refused", text=text, codes=codes or "no problem")
        return
    if rules.decode_orders(rules.encode_orders((order,))) != (order,):
        yield found("order-lost", text=text)
    known = known_state(rules, state, number)
    try:
        back: object = game.read_canonical(known, text)
    except ValueError as error:
        back = error
    if back != order:
        yield found("not-canonical", text=text, back=back)
    reading = read_alone(game.read, known, number, Standing(), text)
    is_house_word = bool(reading.commands) or reading.wants_out
    is_read = reading.checked is not None and order in reading.checked.accepted
    if not is_read and not is_house_word and not _is_confirmed(reading):
        told = [_unread(game, item, one) for item in reading.items for one in item.problems]
        yield found("not-read", text=text, codes=", ".join(told) or "nothing")


def _unread(game: Game, item: Item, problem: Problem) -> str:
    """What is wrong with a clause: the code, with the word at which its reading stopped and the
    kind of that word.
    """
    if item.caret is None or problem.code != "not-understood":
        return problem.code
    word = item.quote[slice(*item.caret)]
    folded = tuple(fold(word).split())
    phrases = game.vocabulary().phrases if game.vocabulary is not None else {}
    found_in = phrases.get(folded[0], ()) if folded else ()
    kind = next((kind for words, kind in found_in if words == folded), "of no kind")
    return f'{problem.code}: it stops at "{word}", {kind}'


def _is_confirmed(reading: Reading) -> bool:
    """Whether the player is asked to confirm it first."""
    problems = (problem for item in reading.items for problem in item.problems)
    return any(one.code.startswith("confirm") for one in problems)


def check_knowledge(game: Game, walks: Sequence[Walk], rng: random.Random) -> Iterator[Finding]:
    """What a player may take for the real state looks like it and answers like it, those orders
    too that another player may give (`Ruleset.assume`).
    """
    for one in walks:
        for state in one.states:
            yield from knows_alike(game.ruleset, state, rng)


def knows_alike(rules: Ruleset[Any, Any], state: Any, rng: random.Random) -> Iterator[Finding]:
    """The same of one state, for one player of those who are left."""
    players = rules.active(state)
    for player in (None, *players):
        view = rules.view(state, player)
        if rules.view(rules.assume(view), player) != view:
            yield found("assumes-other", player=player)
    if rules.phase(state).over is not None:
        return
    player, other = rng.choice(players), rng.choice(players)
    known = known_state(rules, state, player)
    legal = list(islice(rules.legal(state, player), MOST_LEGAL))
    if list(islice(rules.legal(known, player), MOST_LEGAL)) != legal:
        yield found("knows-legal", player=player)
        return
    others = list(islice(rules.legal(state, other), MOST_LEGAL))
    orders = [
        one for side in (legal, others) for one in rng.sample(side, min(MOST_ORDERS, len(side)))
    ]
    rng.shuffle(orders)
    waiting = [one for one in orders if rules.act_of(one) is None]
    for given in (waiting, *([one] for one in orders)):
        told, real = (rules.check(one, player, Standing(), given) for one in (known, state))
        texts = ", ".join(rules.format_order(state, one) for one in given)
        if _before_it_is_done(rules, told, given) != _before_it_is_done(rules, real, given):
            yield found("knows-check", player=player, texts=texts)
            continue
        standing = told.standing
        if rules.lacking(known, player, standing) != rules.lacking(state, player, standing):
            yield found("knows-lacking", player=player, texts=texts)
        if texts != ", ".join(rules.format_order(known, one) for one in given):
            yield found("knows-text", player=player, texts=texts)


def _before_it_is_done(
    rules: Ruleset[Any, Any], checked: Checked[Any], given: Sequence[Any]
) -> Checked[Any]:
    """Without warnings of what takes effect at once. They may hang on what is hidden, and are told
    when it is done.
    """
    return replace(
        checked,
        problems=tuple(
            one
            for one in checked.problems
            if not one.warning or one.order is None or rules.act_of(given[one.order]) is None
        ),
    )
