"""The numbers of offers (SS-5.4): each ruler counts their own, so that no number tells of a trade
among others (F-107). Records that are older than such numbers go on as they were played.
"""

import msgspec
import pytest
from hypothesis import given, settings

from engine.chance import Chance
from engine.ruleset import Event
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.dealing import (
    READER,
    SECRET,
    Deal,
    act,
    answer,
    deal_all,
    deals,
    first_season,
)
from tests.games.sovereigns.engine.playing import play
from tests.rings import at_length

GIFT = (o.OfferItem(1, "R", "permanent"),)


def known_to(reader: int, events: list[Event]) -> list[tuple[str, int]]:
    """What a reader is told of offers: the kind, and the reader's number."""
    return [
        (event.kind, e.number_of_offer(event.facts, reader))
        for event in events
        if event.is_for(reader) and isinstance(event.facts, e.OfferFacts)
    ]


@settings(max_examples=at_length(40, 1000), deadline=None)
@given(wanted=deals)
def test_f107_no_number_tells_of_a_trade_among_others(wanted: list[Deal]) -> None:
    """F-107: with and without the deals that a ruler does not know, that ruler has the same view,
    the same legal orders and the same numbers of offers, which count from 1 without a gap.
    """
    start = first_season()
    state, events = deal_all(start, wanted)
    own = [deal for deal in wanted if deal.is_known]
    alone, told = deal_all(start, own)
    assert SOVEREIGNS.view(state, READER) == SOVEREIGNS.view(alone, READER)
    assert list(SOVEREIGNS.legal(state, READER)) == list(SOVEREIGNS.legal(alone, READER))
    assert known_to(READER, events) == known_to(READER, told)
    made = [number for kind, number in known_to(READER, events) if kind == "offer"]
    assert made == list(range(1, len(own) + 1))


def test_f107_the_first_offer_of_a_ruler_is_offer_1() -> None:
    """F-107: Ann and the third ruler have dealt before; Ben's first offer is his offer 1, and the
    third offer of the fourth ruler.
    """
    state, _ = deal_all(first_season(), SECRET)
    state, events = act(state, READER, o.Offer(4, GIFT, ()))
    assert known_to(READER, [*events]) == [("offer", 1)]
    assert known_to(4, [*events]) == [("offer", 3)]
    for player, text in ((READER, "Withdraw offer 1"), (4, "Accept offer 3")):
        order = parse_order(state, text)
        assert order in SOVEREIGNS.legal(state, player)
        assert SOVEREIGNS.format_order(state, order) == text
        _, told = act(state, player, order)
        assert known_to(player, [*told])[0][1] == int(text[-1])


@pytest.mark.parametrize("player", [1, 3])
def test_f107_nobody_answers_by_the_number_of_another(player: int) -> None:
    """F-107: Ben's offer is offer 1 for him and offer 3 for the fourth ruler."""
    state, _ = deal_all(first_season(), SECRET[1:3])
    state, _ = act(state, READER, o.Offer(4, GIFT, ()))
    with pytest.raises(Refused):
        act(state, player, o.Answer("Accept", 3))
    with pytest.raises(Refused):
        act(state, 4, o.Answer("Accept", 1))


# ------------------------------------------------------------------------------- older games, and cases
def old_act(state: State, player: int, order: dict[str, object]) -> tuple[State, list[Event]]:
    """An act as it was kept before rulers had numbers of their own."""
    told = {"act": "order", "order": order}
    outcome = SOVEREIGNS.act(state, player, told, Chance(bytes(32)))
    return outcome.state, [*outcome.events]


def old_offer(giver: int, taker: int, state: State) -> tuple[State, list[Event]]:
    gives = [{"points": 1, "attribute": "R", "stretch": "permanent"}]
    return old_act(state, giver, {"type": "offer", "to": taker, "gives": gives, "wants": []})


def test_f107_an_older_record_plays_again_as_it_was_played() -> None:
    """F-107: an answer means the id then, and no byte of a state or an event is another."""
    state, _ = old_offer(1, 3, first_season())
    state, events = old_offer(READER, 4, state)
    kept = msgspec.json.decode(SOVEREIGNS.encode_state(state))
    assert kept["offers"] == [
        {"id": n, "giver": giver, "taker": taker, "gives": gives, "wants": [], "left": 48}
        for gives in ([{"points": 1, "attribute": "R", "stretch": "permanent"}],)
        for n, giver, taker in ((1, 1, 3), (2, READER, 4))
    ]
    assert not {"numbered", "by_table"} & kept.keys()
    assert all("dealt" not in kingdom for kingdom in kept["kingdoms"])
    assert "numbers" not in msgspec.json.decode(SOVEREIGNS.encode_event(events[0]))["facts"]
    assert known_to(4, events) == [("offer", 2)]
    state, events = old_act(state, 4, {"type": "answer", "verb": "Accept", "offer": 2})
    assert known_to(4, events) == [("trade", 2)]
    assert state.kingdom(4).total.R == 4


def test_f107_a_game_that_was_begun_before_goes_on_with_new_numbers() -> None:
    """F-107: an open offer keeps its number, no number is used again, and from here on a trade among
    others changes none.
    """
    state, _ = old_offer(1, 3, first_season())
    state, _ = old_offer(4, READER, state)
    state = SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(state))
    for before in ([], SECRET):
        after, _ = deal_all(state, before)
        after, events = act(after, 1, o.Offer(READER, GIFT, ()))
        assert known_to(READER, [*events]) == [("offer", 3)]
        own = view_of(after, READER).you
        assert own is not None
        assert [offer.id for offer in own.offers] == [2, 3]
        for offer in (one for one in after.offers if one.taker == READER):
            _, told = act(after, READER, answer(offer, READER, "Accept"))
            assert known_to(READER, [*told]) == [("trade", offer.number_for(READER))]


def test_f107_a_worked_case_counts_the_offers_of_the_table() -> None:
    """F-107: who writes a case sees all, and numbers every offer by its id."""
    game = play({"A": {}, "B": {}, "C": {}, "D": {}})
    game.say("A", "Offer B: 1R permanent against nothing")
    game.say("C", "Offer D: 1R permanent against nothing")
    game.say("D", "Accept offer 2")
    assert game.problems == {}
    assert [one.facts.id for one in game.events if isinstance(one.facts, e.Traded)] == [2]
    assert game.state.kingdom(4).total.R == 4
