"""A bare `yes` or `no` where one thing alone is open: an offer, or a ballot. It is offered, for the
house may have been asked, too.
"""

from collections.abc import Callable

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.house.statements import Said, Yes
from pbem.grammar.kit.normalise import blanked, fold
from pbem.grammar.kit.reading import Item, Reading, Suggestion

_NOES = frozenset({"no", "nope", "nah", "nay", "no thanks", "no thank you", "no sorry", "sorry no"})


def with_answer(
    reading: Reading, position: Position, said: Said, tell: Callable[[o.Order], str]
) -> Reading:
    """The reading with the answer that is meant by such a word."""
    says = None if any(x.texts for x in reading.items) else _says(said)
    order = None if says is None else _meant(position, yes=says)
    if order is None:
        return reading
    offer = Suggestion(1, (order,), tell(order))
    item = Item(said.text.strip()[:200], problems=(Problem("not-understood"),), suggestion=offer)
    own = tuple(one.span for one in said.statements if isinstance(one, Yes))
    return replace(reading, items=(item,), note=None, own=(*reading.own, *own))


def _says(said: Said) -> bool | None:
    """Whether it says yes, or no, and nothing else."""
    spans = [one.span for one in said.statements if isinstance(one, Yes) and not one.numbers]
    rest = blanked(said.text, spans)
    if spans:
        return None if any(map(str.isalnum, rest)) else True
    words = " ".join("".join(x if x.isalnum() else " " for x in fold(rest)).split())
    return False if words in _NOES else None


def _meant(position: Position, *, yes: bool) -> o.Order | None:
    """The answer to what is open, if one thing is."""
    offers = position.offers_to_me()
    ballots = [ballot for ballot in position.state.ballots if ballot.claimant != position.me]
    if len(offers) + len(ballots) != 1:
        return None
    if ballots:
        return o.Vote(yes, ballots[0].claimant)
    return o.Answer("Accept" if yes else "Decline", offers[0].id)
