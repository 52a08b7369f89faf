"""Games in which rulers deal with each other, for tests of what a third one may know (SS-5.4)."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from engine.chance import Chance
from engine.ruleset import Event
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import OpenOffer, State
from tests.games.sovereigns.engine.playing import new_game

READER = 2
"""Who may know of their own deals only."""
PEOPLE = 4
_SWAP = (o.OfferItem(1, "R", "permanent"),)
"""Given and wanted: when the deal is done, all totals are as before."""


class Deal(NamedTuple):
    """An offer, and what becomes of it; empty: it stays open."""

    giver: int
    taker: int
    verb: str = ""

    @property
    def is_known(self) -> bool:
        return READER in (self.giver, self.taker)


SECRET = [Deal(1, 3, "Accept"), Deal(3, 4, "Withdraw"), Deal(4, 1), Deal(3, 1, "Decline")]
"""One of each end."""
_pairs = st.permutations(range(1, PEOPLE + 1)).map(lambda numbers: numbers[:2])
deals = st.lists(
    st.builds(
        lambda pair, verb: Deal(pair[0], pair[1], verb),
        _pairs,
        st.sampled_from(["", "Accept", "Decline", "Withdraw"]),
    ),
    max_size=10,
)


def act(state: State, player: int, order: o.Order) -> tuple[State, tuple[Event, ...]]:
    told = SOVEREIGNS.act_of(order)
    assert told is not None
    outcome = SOVEREIGNS.act(state, player, told, Chance(bytes(32)))
    return outcome.state, outcome.events


def deal_all(state: State, wanted: Sequence[Deal]) -> tuple[State, list[Event]]:
    """Every deal made and answered; what happened."""
    events: list[Event] = []
    for deal in wanted:
        state, told = act(state, deal.giver, o.Offer(deal.taker, _SWAP, _SWAP))
        events += told
        if deal.verb:
            player = deal.giver if deal.verb == "Withdraw" else deal.taker
            state, told = act(state, player, answer(state.offers[-1], player, deal.verb))
            events += told
    return state, events


def answer(offer: OpenOffer, player: int, verb: str) -> o.Answer:
    """An answer as this ruler gives it: by their own number."""
    number = offer.number_for(player)
    match verb:
        case "Accept":
            return o.Answer("Accept", number)
        case "Decline":
            return o.Answer("Decline", number)
    return o.Answer("Withdraw", number)


def first_season(people: int = PEOPLE) -> State:
    """A new game in its first Spring, everybody with 3/3/3."""
    state, chance = new_game(people), Chance(bytes(32))
    while state.stage != "season":
        state = SOVEREIGNS.adjudicate(state, {}, chance).state
    return state
