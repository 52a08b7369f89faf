"""What holds of the state that a player may assume, in every game."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.ruleset import Checked, Ruleset, Standing, known_state

MOST = 12


def looks_and_answers_alike(rules: Ruleset[Any, Any], state: Any, rng: Random) -> None:
    """It has the same view. It allows the same orders and answers them alike, those too that
    another player may give: no answer tells what the view does not.
    """
    players = rules.active(state)
    for player in (None, *players):
        view = rules.view(state, player)
        assert rules.view(rules.assume(view), player) == view
    if rules.phase(state).over is not None:
        return
    player, other = rng.choice(players), rng.choice(players)
    known = known_state(rules, state, player)
    legal = list(rules.legal(state, player))
    assert list(rules.legal(known, player)) == legal
    others = list(rules.legal(state, other))
    orders = [one for side in (legal, others) for one in rng.sample(side, min(MOST, len(side)))]
    rng.shuffle(orders)
    waiting = [one for one in orders if rules.act_of(one) is None]
    for given in (waiting, *([one] for one in orders)):
        told, real = (rules.check(one, player, Standing(), given) for one in (known, state))
        assert _before_it_is_done(rules, told, given) == _before_it_is_done(rules, real, given)
        standing = told.standing
        assert rules.lacking(known, player, standing) == rules.lacking(state, player, standing)
        for one in given:
            assert rules.format_order(known, one) == rules.format_order(state, one)


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
