"""A game master's reshuffle: only what nobody has seen is shuffled, each deck by a draw of its own.
(Strikes: test_ending.)
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.protectors.events import DeckRenewed
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import DECKS, State
from engine.ruleset import Seat
from tests.games.protectors.engine.tabletop import SEED, position

RESHUFFLE = {"act": "reshuffle"}


def dealt(seed: bytes = SEED, closes: int = 0) -> tuple[State, Chance]:
    """A game of three that nobody answers, after so many closes, and the stream as it stands."""
    chance = Chance(seed)
    state: State = PROTECTORS.setup(
        {}, [Seat(i, f"Player{i}", ("red", "blue", "green")[i - 1]) for i in (1, 2, 3)], chance
    ).state
    for _ in range(closes):
        state = PROTECTORS.adjudicate(state, {}, chance).state
    return state, chance


def test_each_deck_is_shuffled_by_one_labelled_draw_in_the_order_of_the_decks() -> None:
    state, chance = dealt()
    stream = Chance(SEED, chance.place)
    outcome = PROTECTORS.act(state, "gm", RESHUFFLE, stream)
    assert [draw.label for draw in stream.draws] == [
        f"reshuffle: {deck} deck" for deck in ("event", "dragons", "sea", "end")
    ]
    assert [event.facts for event in outcome.events] == [
        DeckRenewed(deck, "game-master") for deck in DECKS
    ]
    assert all(event.audience is None for event in outcome.events)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2))
def test_the_same_unseen_cards_lie_in_another_order_and_nothing_else_has_changed(
    seed: bytes, closes: int
) -> None:
    state, chance = dealt(seed, closes)
    after = PROTECTORS.act(state, "gm", RESHUFFLE, chance).state
    for deck in DECKS:
        was, now = getattr(state, deck), getattr(after, deck)
        assert sorted(was.draw) == sorted(now.draw)
        assert (was.discard, was.removed) == (now.discard, now.removed)
    assert after.in_play == state.in_play
    assert PROTECTORS.phase(after) == PROTECTORS.phase(state)
    assert PROTECTORS.view(after, 1) == PROTECTORS.view(state, 1), "nobody sees more than before"
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(after)) == after


def test_a_deck_that_has_no_order_to_lose_takes_no_draw() -> None:
    state = position(
        "1 Ann 1, 2 Ben 1", decks={"event": ["Deep Snow"], "sea": ["Ferry!", "Plague!", "Pirates!"]}
    )
    stream = Chance(SEED)
    outcome = PROTECTORS.act(state, "gm", RESHUFFLE, stream)
    labels = [draw.label for draw in stream.draws]
    assert "reshuffle: event deck" not in labels
    assert "reshuffle: sea deck" in labels
    assert len(outcome.events) == len(labels)


def test_the_stream_goes_on_from_where_it_stood() -> None:
    state, chance = dealt(closes=1)
    first = PROTECTORS.act(state, "gm", RESHUFFLE, Chance(SEED, chance.place)).state
    again = PROTECTORS.act(state, "gm", RESHUFFLE, Chance(SEED, chance.place)).state
    later = PROTECTORS.act(state, "gm", RESHUFFLE, Chance(SEED, chance.place + 4)).state
    assert first == again
    assert first != later


@pytest.mark.parametrize(
    "told", [{"act": "reshuffle", "deck": "sea"}, {}, {"player": 1}, {"act": 3}]
)
def test_an_act_with_more_or_less_to_it_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no such act"):
        PROTECTORS.act(dealt()[0], "gm", told, Chance(SEED))


def test_no_player_reshuffles() -> None:
    with pytest.raises(ValueError, match="game master"):
        PROTECTORS.act(dealt()[0], 1, RESHUFFLE, Chance(SEED))
