"""Forming teams, their places on the land, their windows, and factions dealt at set-up (PR-13.1,
PR-2.2, PR-1.4).
"""

from collections.abc import Sequence

import pytest

from engine.chance import Chance
from engine.protectors.ability_events import FactionsSettled, MoneyLent
from engine.protectors.colours import COLOURS
from engine.protectors.events import GameSetUp, GameWon, OptionVoted, WindowOpened
from engine.protectors.orders import FACTIONS
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Choices, Seat
from tests.games.protectors.engine.tabletop import SEED, close, position
from tests.rows import each_row

NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal")


def seats(teams: Sequence[str] = "", **fields: object) -> list[Seat]:
    """A seat a letter (or a name): of that team, or of none where it is a dot."""
    return [
        Seat(i + 1, NAMES[i], COLOURS[i], None if letter == "." else letter, **fields)  # type: ignore[arg-type]
        for i, letter in enumerate(teams)
    ]


def members(state: State) -> dict[str, list[int]]:
    return {team: list(numbers) for team, numbers in view_of(state, None).teams}


def lie_together(state: State, players: list[int]) -> bool:
    places = [state.players[player - 1].start for player in players]
    reached = {places[0]}
    for _ in places:
        reached |= {
            near for place in reached for near in state.land.neighbours(place) if near in places
        }
    return reached == set(places)


def test_teams_told_by_the_seats_start_as_neighbours() -> None:
    outcome = PROTECTORS.setup({"teams": 2}, seats("RBRBRB"), Chance(SEED))
    state = outcome.state
    assert members(state) == {"R": [1, 3, 5], "B": [2, 4, 6]}
    assert all(lie_together(state, team) for team in members(state).values())
    (set_up, *_) = outcome.events
    assert isinstance(set_up.facts, GameSetUp)
    assert {"PR-13.1", "PR-1.12"} <= set(set_up.rules)
    assert dict(set_up.facts.teams).keys() == {"R", "B"}


def test_draws_fall_in_order_teams_places_decks_factions() -> None:
    stream = Chance(SEED, script=[("Cid", "Ann", "Dan", "Ben"), ("B", "A")])
    state = PROTECTORS.setup({"teams": 2, "factions": "chance"}, seats("...."), stream).state
    assert [draw.label for draw in stream.draws] == [
        *("teams", "start places", "event deck", "dragons deck", "sea deck", "end deck"),
        *("faction of Ann", "faction of Ben", "faction of Cid", "faction of Dan"),
    ]
    assert members(state) == {"A": [1, 3], "B": [2, 4]}
    assert [state.players[number - 1].start for number in (2, 4, 1, 3)] == [1, 2, 3, 4], (
        "in the order of joining within a team"
    )


def test_whoever_names_no_team_is_dealt_into_what_is_free() -> None:
    stream = Chance(SEED, script=[("Eve", "Ben", "Dan"), ("A", "b", "Red")])
    state = PROTECTORS.setup({"teams": 3}, seats(["Red", ".", "b", ".", ".", "Red"]), stream).state
    assert [draw.label for draw in stream.draws][:2] == ["teams", "start places"]
    assert members(state) == {"A": [2, 4], "b": [3, 5], "Red": [1, 6]}, (
        "a letter that is no other team's name"
    )
    stream = Chance(SEED)
    told = PROTECTORS.setup({"teams": 2}, seats("ABBA"), stream).state
    assert stream.draws[0].label == "start places", "nothing is left to draw"
    assert members(told).keys() == {"A", "B"}


@pytest.mark.parametrize(
    ("teams", "words"),
    [
        (["Red", "Red", "Red", "."], "team Red has 3: Ann, Ben, Cid"),
        (["Red", "Blue", "Green", "."], "3 are named: Red with Ann; Blue with Ben; Green with Cid"),
        ([" ", ".", ".", "."], "the team of Ann has no name"),
        ([".", ".", "."], "3 players do not make 2 equal teams"),
    ],
)
def test_what_does_not_fit_is_refused_with_who(teams: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PROTECTORS.setup({"teams": 2}, seats(teams), Chance(SEED))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_team_game_voted_for_that_so_many_cannot_play_is_told_and_played_without(
    players: int,
) -> None:
    votes = [{"team game": "yes"}] * players
    ballot = PROTECTORS.settle_votes(["team game"], votes, Chance(SEED))
    assert ballot.options == {"teams": 0}
    assert [(event.facts, event.rules) for event in ballot.events] == [
        (
            OptionVoted(
                "team game", "yes", (("no", 0), ("yes", players)), by_coin=False, unfit=players
            ),
            ("PR-1.4", "PR-13.1"),
        )
    ]
    assert PROTECTORS.decode_event(PROTECTORS.encode_event(ballot.events[0])) == ballot.events[0]
    fitting = PROTECTORS.settle_votes(["team game"], [{"team game": "yes"}] * 4, Chance(SEED))
    assert fitting.options == {"teams": 2}
    assert b"unfit" not in PROTECTORS.encode_event(fitting.events[0])


def test_what_can_be_chosen_before_the_start_depends_on_the_options_and_the_vote() -> None:
    choices = PROTECTORS.choices
    assert choices({}) == Choices()
    assert choices({"teams": 3, "factions": "choice"}) == Choices(
        3, FACTIONS, factions_shared=True, factions_later=True
    )
    assert choices({"factions": "chance"}) == Choices()
    assert choices({}, ["team game"]) == Choices(2, (), teams_voted=True)
    voted = Choices(
        factions=FACTIONS, factions_shared=True, factions_later=True, factions_voted=True
    )
    assert choices({}, ["factions"]) == voted
    assert choices({"factions": "chance"}, ["factions by"]) == voted
    assert PROTECTORS.options_voted({"factions": "yes"}) == {"factions": "choice"}


@each_row(
    ("options", "players", "fits"),
    [
        ({"teams": 2}, 4, True),
        ({"teams": 2}, 5, False),
        ({"teams": 2}, 2, False),
        ({"teams": 3}, 6, True),
        ({}, 17, False),
        ({}, 3, True),
        ({"version": "normal", "provinces": 4}, 3, False),
    ],
)
def test_how_many_can_play_with_some_options(
    options: dict[str, object], players: int, fits: bool
) -> None:
    if fits:
        PROTECTORS.check_players(options, players)
    else:
        with pytest.raises(ValueError):
            PROTECTORS.check_players(options, players)


def test_members_choose_their_places_within_the_team() -> None:
    told = [
        Seat(1, "Ann", "red", "A", place=3),
        Seat(2, "Ben", "blue", "A"),
        Seat(3, "Cid", "green", "A", place=1),
        *(Seat(i, NAMES[i], COLOURS[i + 5], "B") for i in (4, 5, 6)),
    ]
    state = PROTECTORS.setup({"teams": 2}, told, Chance(SEED, script=[("A", "B")])).state
    assert [player.start for player in state.players] == [3, 2, 1, 4, 5, 6]


@pytest.mark.parametrize("players", [4, 6, 8])
@pytest.mark.parametrize("share", [2, 3, 4, 5])
def test_on_a_grand_land_every_team_starts_side_by_side_and_sees_the_same(
    players: int, share: int
) -> None:
    options = {"teams": 2, "version": "grand", "provinces": players * share}
    state = PROTECTORS.setup(options, seats("." * players), Chance(SEED)).state
    starts = [player.start for player in state.players]
    assert len(set(starts)) == players
    assert sorted(starts) == list(state.land.starts)
    assert all(lie_together(state, team) for team in members(state).values())
    degrees = [
        sorted(len(state.land.neighbours(state.players[p - 1].start)) for p in team)
        for team in members(state).values()
    ]
    assert degrees[0] == degrees[1]


LAND = {"provinces": 8, "borders": [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [1, 8]]}


def test_a_game_masters_land_must_have_the_starts_of_a_team_side_by_side() -> None:
    options = {"version": "grand", "teams": 2, "land": {**LAND, "starts": [1, 2, 5, 6]}}
    PROTECTORS.check_options(options)
    state = PROTECTORS.setup(options, seats("...."), Chance(SEED)).state
    assert all(lie_together(state, team) for team in members(state).values())
    apart = {"version": "grand", "teams": 2, "land": {**LAND, "starts": [1, 3, 5, 7]}}
    with pytest.raises(ValueError, match="neighbours"):
        PROTECTORS.check_options(apart)
    with pytest.raises(ValueError, match="equal teams"):
        PROTECTORS.check_options({**options, "teams": 3})


@each_row(
    ("options", "told"),
    [
        ({"teams": 2}, seats("AAAB")),
        ({"teams": 2}, seats("AAA.")),
        ({"teams": 2}, seats("ABC.")),
        ({"teams": 2}, seats("A ..")),
        ({"teams": 2}, seats("AABC")),
        ({"teams": 3}, seats("AABB")),
        ({"teams": -2}, seats("....")),
        ({}, seats("....", place=1)),
        ({"teams": 2}, seats("AABB", place=1)),
        ({"teams": 2}, [*seats("AAB"), Seat(4, "Dan", "pink", "B", place=3)]),
        ({"factions": "chance"}, seats("..", faction="Hodir")),
        ({"factions": "choice"}, seats("..", faction="Elves")),
    ],
)
def test_teams_and_factions_that_do_not_fit_are_refused(
    options: dict[str, object], told: list[Seat]
) -> None:
    with pytest.raises(ValueError):
        PROTECTORS.setup(options, told, Chance(SEED))


def test_windows_of_a_day_are_two_days_for_teams_and_the_others_stay() -> None:
    outcome = PROTECTORS.setup({"teams": 2}, seats("AABB"), Chance(SEED))
    assert outcome.events[-1].facts == WindowOpened("bidding", (1, 2, 3, 4), 48)
    teams = {"Ann": {"team": "A"}, "Ben": {"team": "B"}}
    hours = {}
    for phase, told in (
        ("bidding", {}),
        ("rebid", {"ties": [["Ann", "Ben"]]}),
        ("orders", {}),
        (
            "dragon",
            {"attack": {"during": "reveal"}, "in_play": ["Calms of Summer", "There be Dragons!"]},
        ),
        ("consolidation", {}),
        ("bank", {"bids": {"Ann": 1}}),
    ):
        state = position("1 Ann 1, 2 Ben 1", phase=phase, players=teams, **told)
        hours[phase] = PROTECTORS.phase(state).hours
    assert hours == {
        "bidding": 48,
        "rebid": 16,
        "orders": 72,
        "dragon": 48,
        "consolidation": 48,
        "bank": 12,
    }
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1", phase="consolidation")
    assert PROTECTORS.phase(state).hours == 24


def test_factions_by_chance_are_dealt_at_the_start_and_told() -> None:
    stream = Chance(SEED)
    outcome = PROTECTORS.setup({"factions": "chance"}, seats("..."), stream)
    (told,) = [event.facts for event in outcome.events if isinstance(event.facts, FactionsSettled)]
    assert told.by_chance == (1, 2, 3)
    assert told.factions == tuple(
        (player.number, player.faction) for player in outcome.state.players
    )
    assert all(faction in FACTIONS for _, faction in told.factions)


def test_a_faction_chosen_beforehand_stands() -> None:
    state = PROTECTORS.setup(
        {"factions": "choice"},
        [Seat(1, "Ann", "red", faction="Hodir"), Seat(2, "Ben", "blue")],
        Chance(SEED),
    ).state
    closed = close(state, {"Ben": "Bid 3"}, chance=["Cenarion"])
    assert [player.faction for player in closed.state.players] == ["Hodir", "Cenarion"]
    assert closed.one(FactionsSettled).by_chance == (2,)


def test_money_lent_is_told_to_the_two_alone() -> None:
    teams = {
        "Ann": {"team": "A", "realm": 10},
        "Ben": {"team": "A", "realm": 40},
        "Cid": {"team": "B"},
        "Dan": {"team": "B"},
    }
    state = position("1 Ann 1, 2 Ben 1, 3 Cid 1, 4 Dan 1", phase="consolidation", players=teams)
    closed = close(state, {"Ann": "Use 60 from Ben; Bid 30", "Ben": "Bid 5"})
    (event,) = [event for event in closed.events if isinstance(event.facts, MoneyLent)]
    assert (event.facts, event.audience) == (MoneyLent(1, 2, 60, 35, 20), (1, 2))
    assert view_of(closed.state, 1).you is not None
    # just seen to be there
    assert view_of(closed.state, 1).you.mates == (2,)  # type: ignore[union-attr]


def test_the_end_of_a_team_game_tells_the_teams_sums() -> None:
    teams = {"Ann": {"team": "A"}, "Ben": {"team": "A"}, "Cid": {"team": "B"}, "Dan": {"team": "B"}}
    state = position(
        "1 Ann 1, 2 Ben 1 II, 3 Cid 1, 4 Dan 1",
        phase="consolidation",
        turn=12,
        players=teams,
        in_play=["Calms of Summer", "Bloodlust!", "Ferry!", "Time's Up!"],
    )
    closed = close(
        state,
        dict.fromkeys(("Ann", "Ben", "Cid", "Dan"), "Use 1 from Ann") | {"Ann": "Use 1 from Ben"},
    )
    won = closed.one(GameWon)
    assert won.winners == (1, 2)
    assert [row[:3] for row in won.teams] == [("A", 6, 2), ("B", 4, 2)]
    assert "PR-13.3" in closed.rules(GameWon)
