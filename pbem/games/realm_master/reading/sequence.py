"""In which order the things of a turn are done, where words say one: `enter Jerum, then attack`
cannot be (RM-3.4). Cards are revealed and bought in the order of the plan (RM-6.1).
"""

from collections.abc import Sequence

from engine.realm_master import orders as o

_STEPS = {
    o.Reroll: 1,
    o.Faces: 2,
    o.Play: 3,
    o.Life: 3,
    o.Reveal: 4,
    o.Buy: 4,
    o.Enter: 6,
    o.Realm: 6,
}
_ATTACK = 5


def step_of(order: o.Order) -> int | None:
    """Of what is done in one's own turn: when. Deeds of a live turn are done at once."""
    if isinstance(order, o.BuyNow | o.RevealNow) or getattr(order, "now", False):
        return 0
    if isinstance(order, o.Choose):
        return _ATTACK if order.key == "attack" else None
    return _STEPS.get(type(order))


def follows(before: Sequence[o.Order], after: Sequence[o.Order]) -> bool:
    """Whether what is said to come after does. Nobody says of a blow when it comes."""
    if any(step_of(order) is not None for order in before) and any(
        isinstance(order, o.Choose) and order.key == "hit" for order in after
    ):
        return False
    first = [step for order in before if (step := step_of(order)) is not None]
    then = [step for order in after if (step := step_of(order)) is not None]
    return not first or not then or max(first) <= min(then)


def leaves(order: o.Order) -> bool:
    """Whether somebody leaves the Realm in his own turn, whatever happens."""
    return isinstance(order, o.Realm) and order.choices[:1] == (o.Choice("leave"),)


def enters(order: o.Order) -> bool:
    """Whether somebody enters a land in his own turn: not in the one in which he leaves."""
    return isinstance(order, o.Enter) and any(x.word != o.NOWHERE for x in order.choices[:1])
