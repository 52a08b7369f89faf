"""Setting a game up (section 1 of the rules)."""

from typing import Any

import pytest

from engine.chance import Chance
from engine.protectors.cards import card_named, decks_drawn, standard_deck
from engine.protectors.colours import COLOURS
from engine.protectors.events import GameSetUp, OptionVoted, WindowOpened
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.setup import QUESTIONS, settle_votes
from engine.protectors.state import DECKS, DeckName
from engine.ruleset import Seat
from tests.games.protectors.engine.tabletop import SEED
from tests.rows import each_row

NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gil")


def seats(count: int) -> list[Seat]:
    return [Seat(i + 1, f"{NAMES[i % 7]}{i // 7 or ''}", COLOURS[i]) for i in range(count)]


def test_everybody_starts_with_a_province_a_unit_and_50() -> None:
    stream = Chance(SEED)
    state, events = (outcome := PROTECTORS.setup({}, seats(7), stream)).state, outcome.events
    assert [(p.realm, p.vp, p.start) for p in state.players] == [
        (50, 0, p.start) for p in state.players
    ]
    assert sorted(p.start for p in state.players) == list(range(1, 8))
    assert all(
        state.board[p.start].owner == p.number and state.board[p.start].units == 1
        for p in state.players
    )
    assert (state.stage, state.turn, state.dpl, state.starting_players, state.land.provinces) == (
        *("bidding", 1, 0, 7, 7),
    )
    assert [draw.label for draw in stream.draws] == [
        *("start places", "event deck", "dragons deck", "sea deck", "end deck"),
    ]
    assert [len(getattr(state, deck).draw) for deck in DECKS] == [10, 7, 5, 3]
    assert all(sorted(getattr(state, deck).draw) == sorted(standard_deck(deck)) for deck in DECKS)
    assert [event.kind for event in events] == ["game-set-up", "turn", "window"]
    assert isinstance(events[0].facts, GameSetUp)
    assert {"PR-1.1", "PR-1.2", "PR-1.3", "PR-1.5", "PR-1.6", "PR-1.7", "PR-1.12"} <= set(
        events[0].rules
    )
    assert isinstance(events[2].facts, WindowOpened)
    assert events[2].facts.hours == 24
    assert PROTECTORS.decode_state(PROTECTORS.encode_state(state)) == state


def test_start_places_and_decks_fall_as_the_stream_says() -> None:
    script = [
        ("Cid", "Ann", "Ben"),
        standard_deck("event"),
        standard_deck("dragons"),
        standard_deck("sea"),
        standard_deck("end"),
    ]
    state = PROTECTORS.setup({"version": "grand"}, seats(3), Chance(SEED, script=script)).state
    assert state.land.provinces == 6, "two for each by default"
    assert [player.start for player in state.players] == [
        state.land.starts[1],
        state.land.starts[2],
        state.land.starts[0],
    ]
    assert state.event.draw == standard_deck("event")
    assert (
        PROTECTORS.setup(
            {"version": "grand", "provinces": 9}, seats(3), Chance(SEED)
        ).state.land.provinces
        == 9
    )


LAND = {
    "provinces": 5,
    "borders": [[1, 2], [2, 3], [3, 4], [4, 5], [1, 5], [1, 3]],
    "starts": [1, 4],
}


def test_a_game_masters_own_land_is_played_as_it_is() -> None:
    state = PROTECTORS.setup({"version": "grand", "land": LAND}, seats(2), Chance(SEED)).state
    assert state.land.neighbours(1) == (2, 3, 5)
    assert {player.start for player in state.players} == {1, 4}
    PROTECTORS.check_options({"version": "grand", "land": LAND})


@each_row(
    ("options", "count"),
    [
        ({"version": "huge"}, 3),
        ({"speed": 9}, 3),
        ({"provinces": 4}, 3),
        ({"version": "grand", "provinces": 5}, 3),
        ({"version": "grand", "provinces": 7}, 3),
        ({"version": "grand", "provinces": 54}, 3),
        ({"factions": "all"}, 3),
        ({"teams": 1}, 4),
        ({"teams": 2}, 5),
        ({"teams": 4}, 4),
        ({}, 1),
        ({}, 17),
        ({"version": "grand", "land": {**LAND, "borders": [[1, 2]]}}, 2),
        ({"version": "grand", "land": {**LAND, "starts": [1, 1]}}, 2),
        ({"version": "grand", "land": {**LAND, "starts": [1]}}, 2),
        ({"version": "grand", "land": {**LAND, "starts": [1, 6]}}, 2),
        ({"version": "grand", "land": LAND, "provinces": 6}, 2),
        ({"version": "normal", "land": LAND}, 2),
        ({"version": "grand", "land": {"provinces": 5}}, 2),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], count: int) -> None:
    places = seats(min(count, 16))
    if count > 16:
        places.append(Seat(17, "Zoe", "gold"))
    with pytest.raises(ValueError):
        PROTECTORS.setup(options, places, Chance(SEED))


@each_row(
    "options",
    [
        {"version": "huge"},
        {"teams": 9},
        {"provinces": 40},
        {"version": "grand", "provinces": 53},
        {"version": "grand", "land": {**LAND, "starts": [1]}},
        {"version": "grand", "land": {**LAND, "provinces": 99}},
    ],
)
def test_options_with_which_no_table_can_open_are_refused_beforehand(
    options: dict[str, Any],
) -> None:
    with pytest.raises(ValueError):
        PROTECTORS.check_options(options)


@each_row(
    "wrong",
    [
        [Seat(1, "Ann", "red"), Seat(3, "Ben", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, "Ann", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, "Ben", "red")],
        [Seat(1, "Ann", "red"), Seat(2, "Ben", "beige")],
        [Seat(1, "Ann", "red"), Seat(2, " ", "blue")],
        [Seat(1, "Ann", "red", team="A"), Seat(2, "Ben", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, "Ben", "blue", faction="Hodir")],
    ],
)
def test_seats_that_do_not_fit_are_refused(wrong: list[Seat]) -> None:
    with pytest.raises(ValueError):
        PROTECTORS.setup({}, wrong, Chance(SEED))


def test_votes_are_counted_abstentions_left_out_and_ties_fall_to_a_coin() -> None:
    votes = [
        {"version": "grand", "factions": "yes"},
        {"version": "normal", "factions": "yes", "factions by": "chance"},
        {},
    ]
    stream = Chance(SEED, script=["tails", "heads"])
    settled = settle_votes(tuple(QUESTIONS), votes, stream)
    assert settled.options == {"version": "grand", "teams": 0, "factions": "chance"}
    events = settled.events
    assert stream.unused == ()
    assert events[0].facts == OptionVoted(
        "version", "grand", (("normal", 1), ("grand", 1)), by_coin=True
    )
    assert all(event.rules == ("PR-1.4",) for event in events)
    without = settle_votes(
        tuple(QUESTIONS), [{"version": "normal", "team game": "no", "factions": "no"}], Chance(SEED)
    )
    assert without.options == {"version": "normal", "teams": 0, "factions": "none"}
    assert settle_votes(("version",), [{"version": "grand"}], Chance(SEED)).options == {
        "version": "grand"
    }
    for questions, wrong in (
        (("version",), {"version": "huge"}),
        (("version",), {"factions": "yes"}),
        (("colour",), {}),
    ):
        with pytest.raises(ValueError):
            settle_votes(questions, [wrong], Chance(SEED))


def test_the_cards_are_those_of_the_rules() -> None:
    sizes: dict[DeckName, int] = {"event": 10, "dragons": 7, "sea": 5, "end": 3}
    assert {deck: len(standard_deck(deck)) for deck in DECKS} == sizes
    assert card_named("Bloodlust!").count == 2
    assert [len(decks_drawn(turn)) for turn in (1, 4, 5, 9, 10)] == [2, 2, 3, 3, 4]
    with pytest.raises(KeyError):
        card_named("Ace of Spades")
