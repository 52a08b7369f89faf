"""Positions told from outside: every default, every refusal, and the way back."""

from collections import Counter
from collections.abc import Mapping

import pytest

from engine.positions import PositionError, PositionPart, format_path
from engine.protectors import orders as o
from engine.protectors.cards import standard_deck
from engine.protectors.colours import COLOURS, deal_colours
from engine.protectors.orders import parse_order
from engine.protectors.positions.expectation import parse_expectation
from engine.protectors.positions.position import parse_position, parse_standings
from engine.protectors.positions.position_out import format_position
from engine.protectors.state import DECKS, Attack, Options, Played, Province, State
from engine.ruleset import Standing
from tests.rows import each_row


def told(**more: object) -> dict[str, object]:
    data: dict[str, object] = {
        "turn": 3,
        "phase": "orders",
        "provinces": 4,
        "ranking": ["Ben", "Anna"],
        "starting_players": 4,
        "players": {"Anna": {}, "Ben": {}},
        "board": {"P1": {"owner": "Anna", "units": 1}, "P3": {"owner": "Ben"}},
    }
    return data | more


def load(options: Mapping[str, object] | None = None, **more: object) -> State:
    return parse_position(told(**more), options or {}, "case")


def refusal(more: Mapping[str, object], options: Mapping[str, object] | None = None) -> str:
    with pytest.raises(PositionError) as caught:
        parse_position(
            {key: value for key, value in told(**more).items() if value != "left out"},
            options or {},
            "case",
        )
    return str(caught.value)


# ----------------------------------------------------------------------------------------- defaults
def test_what_is_left_out_is_as_the_format_says() -> None:
    state = load()
    assert state.options == Options()
    assert (state.dpl, state.attack, state.locked, state.owed, state.bids, state.ties) == (
        0,
        None,
        (),
        (),
        (),
        (),
    )
    assert state.land.borders == ((1, 2), (1, 4), (2, 3), (3, 4))
    assert state.in_play == (
        Played("event", "Calms of Summer"),
        Played("dragons", "The Misty Mountains Cold"),
    )
    assert state.board[2] == Province()
    assert [(seat.name, seat.realm, seat.vp, seat.colour) for seat in state.players] == [
        ("Anna", 50, 0, "red"),
        ("Ben", 50, 0, "blue"),
    ]
    assert state.ranking == (2, 1)
    assert load(starting_players=2, provinces=2, board={}).starting_players == 2
    assert parse_position(told(), None, "case") == state


def test_before_the_first_cards_none_are_in_play() -> None:
    assert load(phase="bidding", turn=1).in_play == ()
    assert load(phase="rebid", turn=1, ties=[["Anna", "Ben"]]).in_play == ()
    full = load(phase="bidding", turn=1)
    assert Counter(full.event.draw) == Counter(standard_deck("event"))


def test_decks_left_out_are_the_rest_of_the_standard_deck_shuffled_by_the_case() -> None:
    state = load(locked=["Deep Snow", "Pirates!"], removed={"event": ["Flood!"]})
    for deck in DECKS:
        pile = getattr(state, deck)
        elsewhere = [card.card for card in (*state.in_play, *state.locked) if card.deck == deck]
        assert Counter([*pile.draw, *pile.discard, *pile.removed, *elsewhere]) == Counter(
            standard_deck(deck)
        )
        assert pile.discard == ()
    assert state.event.removed == ("Flood!",)
    same = parse_position(
        told(locked=["Deep Snow", "Pirates!"], removed={"event": ["Flood!"]}), {}, "case"
    )
    assert same == state
    others = {parse_position(told(), {}, f"case {i}").event.draw for i in range(8)}
    assert len(others) > 1


def test_a_draw_pile_told_is_exactly_as_listed_and_the_rest_is_discarded() -> None:
    state = load(decks={"event": ["Flood!", "Deep Snow"], "dragons": []})
    assert state.event.draw == ("Flood!", "Deep Snow")
    assert Counter(state.event.discard) == Counter(standard_deck("event")) - Counter(
        ["Flood!", "Deep Snow", "Calms of Summer"]
    )
    assert state.dragons.draw == ()
    assert len(state.dragons.discard) == 6
    assert len(state.sea.draw) == 5
    both = load(decks={"event": ["Flood!"]}, discards={"event": ["Deep Snow"]})
    assert (both.event.draw, both.event.discard) == (("Flood!",), ("Deep Snow",))
    discards_alone = load(discards={"sea": ["Plague!", "Ferry!"]})
    assert Counter(discards_alone.sea.draw) == Counter(
        ["Seafarers!", "Crab Infestation!", "Pirates!"]
    )
    doubled = load(decks={"event": ["Calms of Summer"]})  # in play as well: told is told
    assert doubled.event.draw == ("Calms of Summer",)
    assert "Calms of Summer" not in doubled.event.discard


def test_a_card_is_known_by_any_of_its_spellings() -> None:
    state = load(in_play=["deep snow", "Bloodlust", "Ferry!"], locked=["Time’s Up!"])
    assert [card.card for card in state.in_play] == ["Deep Snow", "Bloodlust!", "Ferry!"]
    assert state.locked == (Played("end", "Time's Up!"),)


def test_an_attack_has_its_defaults() -> None:
    cards = ["Calms of Summer", "There be Dragons!"]
    plain = load(phase="dragon", dpl=9, in_play=cards, attack={"during": "reveal"})
    assert plain.attack == Attack("reveal", 9, 0, (), "dragons", "card")
    assert load(
        phase="dragon", in_play=["Calms of Summer"], attack={"during": "reveal"}
    ).attack == Attack("reveal", 1, deck="event")
    inside = load(
        phase="dragon",
        in_play=cards,
        attack={"during": "consolidation", "dpl": 4},
        owed={"Ben": 50},
    )
    assert inside.attack == Attack("consolidation", 4)
    assert inside.owed == ((2, 50),)
    swan = load(phase="dragon", in_play=[], attack={"during": "reveal", "dpl": 6, "more": 1})
    assert swan.attack == Attack("reveal", 6, 1)
    staying = load(
        phase="dragon",
        turn=11,
        in_play=cards,
        locked=["Bloodlust!", "There be Dragons!"],
        attack={"during": "reveal", "next": ["Bloodlust!"]},
    )
    assert staying.attack is not None
    assert staying.attack.waiting == ("Bloodlust!",)


def test_the_fallen_are_told_by_whom_and_when() -> None:
    players: dict[str, object] = {"Anna": {}, "Ben": {}, "Cleo": {}, "Dirk": {}}
    state = load(
        players=players,
        eliminated={"Cleo": "dragon", "Dirk": ["Ben", "Anna"]},
        eliminated_this_turn=["Dirk"],
    )
    assert [(seat.fell_to, seat.fell_in) for seat in state.players] == [
        ((), None),
        ((), None),
        ((0,), 2),
        ((2, 1), 3),
    ]
    again = format_position(state)
    assert again["eliminated"] == {"Cleo": "dragon", "Dirk": ["Ben", "Anna"]}
    assert again["eliminated_this_turn"] == ["Dirk"]


def test_players_named_after_a_colour_wear_it() -> None:
    assert deal_colours(["White", "Anna", "Red", "Ben"], [None, None, None, "blue"]) == (
        *("white", "yellow", "red", "blue"),
    )
    assert len(set(deal_colours([f"p{i}" for i in range(16)], [None] * 16))) == len(COLOURS)


def test_a_position_written_out_loads_to_the_same_state() -> None:
    rich = load(
        {"version": "grand", "factions": "choice", "island": True, "finality": "strict"},
        phase="bank",
        turn=11,
        provinces=9,
        borders=[[i, i + 1] for i in range(1, 9)],
        starting_players=4,
        dpl=7,
        in_play=["Deep Snow", "Bloodlust!", "Ferry!", "The End is Nigh!"],
        locked=["Plague!"],
        removed={"dragons": ["Bloodlust!"]},
        bids={"Ben": 17},
        last_orders={"Anna": ["Golden Fortify! P1", "Send 3 to Ben"]},
        final=["Ben"],
        players={
            "Anna": {
                "realm": 1,
                "vp": 2,
                "colour": "coral",
                "faction": "Hodir",
                "used": ["king"],
                "effects": {"bank": 12},
                "team": "A",
            },
            "Ben": {"extra": ["Crusade"], "team": "B"},
        },
        board={
            "P1": {"owner": "Anna", "units": 2, "level": 3},
            "P2": {"owner": "Ben", "burnt": True},
            "Island": {"owner": "Ben", "units": 1},
        },
    )
    options = {"version": "grand", "factions": "choice", "island": True, "finality": "strict"}
    standings = {2: Standing[o.Order](final=True)}
    out = format_position(rich, standings)
    assert parse_position(out, options, "another case") == rich
    assert parse_standings(out, rich) == standings
    assert out["borders"] == [[i, i + 1] for i in range(1, 9)]
    lands = out["board"]
    assert isinstance(lands, dict)
    assert lands["Island"] == {"owner": "Ben", "units": 1}


def test_a_position_that_is_over_tells_who_won() -> None:
    alone = load(
        phase="over",
        players={"Anna": {}, "Ben": {}},
        ranking=["Anna"],
        eliminated={"Ben": "Anna"},
        winner="Anna",
        board={},
    )
    assert (alone.winners, alone.ended_by) == ((1,), "last-standing")
    late = load(phase="over", winner="Ben", in_play=["Time's Up!"])
    assert (late.winners, late.ended_by) == ((2,), "times-up")
    lost = load(phase="over", winner="dragon")
    assert (lost.winners, lost.ended_by, format_position(lost)["winner"]) == (
        (),
        "dragon",
        "dragon",
    )
    team = load(
        phase="over",
        winner="A",
        players={"Anna": {"team": "A"}, "Ben": {"team": "B"}},
        in_play=["Time's Up!"],
    )
    assert (team.winners, format_position(team)["winner"]) == ((1,), "A")
    assert "winner" not in format_position(load())


# ----------------------------------------------------------------------------------------- refusals
@each_row(
    ("more", "why"),
    [
        ({"turn": "left out"}, "position.turn: is missing"),
        ({"turn": 0}, "position.turn: 0 is below 1"),
        ({"turn": True}, "position.turn: a whole number"),
        ({"players": {}}, "position.players: at least one player"),
        ({"players": []}, "position.players: a mapping is wanted"),
        ({"starting_players": 1}, "position.starting_players: 1 is out of range (2 to 16)"),
        (
            {"players": {"Anna": {}}, "ranking": ["Anna"], "starting_players": 1},
            "position.players: 2 to 16 players start a game",
        ),
        ({"provinces": 53}, "position.provinces: 53 is out of range"),
        ({"ranking": "Ben"}, "position.ranking: a list is wanted"),
        ({"ranking": ["Ben", "Zoe"]}, "position.ranking[1]: no player 'Zoe'"),
        ({"ranking": ["Ben", {}]}, "position.ranking[1]: a word is wanted"),
        ({"eliminated": {"Anna": "Ben"}}, "position.ranking[1]: is out of the game"),
        ({"eliminated": {"Anna": ["Anna", "Ben"]}}, "position.eliminated.Anna: by whom?"),
        ({"eliminated": {"Anna": []}}, "position.eliminated.Anna: by whom?"),
        (
            {"eliminated_this_turn": ["Anna"]},
            "position.eliminated_this_turn[0]: is not told under `eliminated`",
        ),
        (
            {"ranking": ["Ben"], "eliminated": {"Anna": "Ben"}},
            "position.board.P1.owner: is out of the game",
        ),
        ({"borders": [[1, 1]]}, "position.borders[0]: a border is a pair"),
        ({"borders": [[1, 2, 3]]}, "position.borders[0]: a border is a pair"),
        ({"borders": [[1, 9]]}, "position.borders[0][1]: 9 is out of range"),
        ({"borders": "star"}, "position.borders: a list is wanted"),
        ({"board": {"P0": {}}}, "position.board.P0: no such province"),
        ({"board": {"1": {}}}, "position.board.1: no such province"),
        ({"board": {"P1": {"units": 1}}}, "position.board.P1: units without an owner"),
        ({"board": {"P1": {"level": 4}}}, "position.board.P1.level: 4 is out of range"),
        (
            {"board": {"P1": {"level": 1, "burnt": True}}},
            "position.board.P1: a burnt province has level 0",
        ),
        ({"board": {"P1": {"burnt": "yes"}}}, "position.board.P1.burnt: true or false"),
        ({"board": {"P1": {"order": "fortify"}}}, "position.board.P1.order: 'fortify' is none of"),
        (
            {"players": {"Anna": {"colour": "mauve"}, "Ben": {}}},
            "position.players.Anna.colour: 'mauve' is none of",
        ),
        (
            {"players": {"Anna": {"colour": "red"}, "Ben": {"colour": "red"}}},
            "position.players: two players have the colour red",
        ),
        (
            {"players": {"Anna": {"used": ["luck"]}, "Ben": {}}},
            "position.players.Anna.used[0]: 'luck' is none of",
        ),
        (
            {"players": {"Anna": {"effects": {"luck": 1}}, "Ben": {}}},
            "position.players.Anna.effects.luck: unknown key",
        ),
        (
            {"players": {"Anna": {"extra": ["Luck"]}, "Ben": {}}},
            "position.players.Anna.extra[0]: no ability 'Luck'",
        ),
        (
            {"players": {"Anna": {"team": "A"}, "Ben": {}}},
            "position.players: in a team game every player is of a team",
        ),
        ({"in_play": ["Sunshine"]}, "position.in_play[0]: no card 'Sunshine'"),
        (
            {"decks": {"event": ["Plague!"]}},
            "position.decks.event[0]: no card 'Plague!' in the event deck",
        ),
        ({"decks": {"cards": []}}, "position.decks.cards: unknown key"),
        ({"attack": {"during": "reveal"}}, "position.attack: belongs to a dragon position"),
        ({"phase": "dragon", "in_play": []}, "position.attack: is missing in a dragon position"),
        (
            {"phase": "dragon", "in_play": [], "attack": {}},
            "position.attack: reveal or consolidation?",
        ),
        (
            {"phase": "dragon", "in_play": [], "attack": {"during": "reveal", "dpl": 0}},
            "position.attack.dpl: 0 is below 1",
        ),
        (
            {
                "phase": "dragon",
                "in_play": ["Flood!"],
                "attack": {"during": "reveal", "next": ["Plague!"]},
            },
            "position.attack.next: Plague! is no staying card of the type that was interrupted",
        ),
        ({"owed": {"Zoe": 1}}, "position.owed.Zoe: no player 'Zoe'"),
        (
            {"ranking": ["Ben"], "eliminated": {"Anna": "Ben"}, "board": {}, "owed": {"Anna": 1}},
            "position.owed.Anna: is out of the game",
        ),
        ({"phase": "rebid"}, "position.ties: is missing"),
        ({"phase": "rebid", "ties": [["Anna"]]}, "position.ties: each tie is of two or more"),
        (
            {"phase": "rebid", "ties": [["Anna", "Anna"]]},
            "position.ties: each tie is of two or more",
        ),
        ({"final": ["Zoe"]}, "position.final[0]: no player 'Zoe'"),
        (
            {"last_orders": {"Anna": ["dance"]}},
            "position.last_orders.Anna[0]: 'dance' is no canonical text",
        ),
        (
            {"last_orders": {"Anna": ["Send 3 to Zoe"]}},
            "position.last_orders.Anna[0]: no player 'Zoe'",
        ),
        ({"threshold": 99}, "position.threshold: this position gives 4"),
        ({"bracket": {"Anna": 1}}, "position.bracket: this position gives"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_key(more: dict[str, object], why: str) -> None:
    assert refusal(more).startswith(why)


@each_row(
    ("options", "more", "why"),
    [
        ({"version": "huge"}, {}, "options.version: 'huge' is none of"),
        ({"island": 1}, {}, "options.island: true or false"),
        ({"teams": -1}, {}, "options.teams: -1 is out of range"),
        ({"map": "star"}, {}, "options.map: unknown key"),
        ({"provinces": 5}, {}, "position.provinces: the table options say 5"),
        ({"version": "grand"}, {}, "position.provinces: a grand game of 4 players has at least 8"),
        ({"teams": 2}, {}, "position.players: the table options say 2 teams, not 0"),
        (
            {},
            {"board": {"Island": {"owner": "Ben", "units": 1}}},
            "position.board.Island: the table plays without the Island",
        ),
        (
            {"island": True},
            {"board": {"Island": {"level": 1}}},
            "position.board.Island.level: unknown key",
        ),
        (
            {},
            {"players": {"Anna": {"faction": "Hodir"}, "Ben": {}}},
            "position.players.Anna.faction: the table plays without factions",
        ),
        (
            {"factions": "choice"},
            {"players": {"Anna": {"faction": "Elves"}, "Ben": {}}},
            "position.players.Anna.faction: 'Elves' is none of",
        ),
    ],
)
def test_a_position_against_the_table_options_is_refused(
    options: dict[str, object], more: dict[str, object], why: str
) -> None:
    assert refusal(more, options).startswith(why)


# ------------------------------------------------------------------------------------- expectations
def test_an_expectation_takes_the_words_of_a_position() -> None:
    wanted = {
        "turn": 4,
        "in_play": ["deep snow"],
        "attack": {"during": "reveal", "next": ["bloodlust"]},
        "players": {"Anna": {"extra": ["crusade"], "effects": {"bank": 3}, "faction": None}},
        "board": {"P1": {"owner": None, "units": 0}},
        "last_orders": {"Anna": ["Hold P1"]},
        "eliminated": {"Ben": ["Anna"]},
        "ties": [["Ben", "Anna"]],
        "attack_of": 1,
    }
    got = parse_expectation(PositionPart(wanted, ("expect",)), load(), ("attack_of",))
    assert got["in_play"] == ["Deep Snow"]
    assert got["attack"] == {"during": "reveal", "next": ["Bloodlust!"]}
    assert got["players"] == {
        "Anna": {"extra": ["Crusade"], "effects": {"bank": 3}, "faction": None}
    }
    assert got["board"] == {"P1": {"owner": None, "units": 0}}
    assert got["eliminated"] == {"Ben": "Anna"}
    assert got["ties"] == [["Anna", "Ben"]]
    assert got["attack_of"] == 1


@each_row(
    ("wanted", "why"),
    [
        (
            {"last_orders": {"Anna": ["Dance"]}},
            "expect.last_orders.Anna[0]: 'Dance' is no canonical text",
        ),
        ({"eliminated": {"Ben": ["Zoe", "dragon"]}}, "expect.eliminated.Ben[0]: no player 'Zoe'"),
        ({"ties": [["Zoe"]]}, "expect.ties[0][0]: no player 'Zoe'"),
        ({"decks": {"event": ["Plague!", "Sun"]}}, "expect.decks.event[1]: no card 'Sun'"),
        ({"attack": {"power": 3}}, "expect.attack.power: unknown key"),
        ({"players": {"Anna": {"gold": 3}}}, "expect.players.Anna.gold: unknown key"),
    ],
)
def test_an_expectation_of_something_unknown_is_refused(
    wanted: dict[str, object], why: str
) -> None:
    with pytest.raises(PositionError) as caught:
        parse_expectation(PositionPart(wanted, ("expect",)), load())
    assert str(caught.value).startswith(why)


# -------------------------------------------------------------------------------------------- words
def test_paths_read_as_they_are_written() -> None:
    assert format_path(("then", 0, "expect", "board", "P6")) == "then[0].expect.board.P6"
    assert format_path(()) == ""


@each_row(
    "text",
    [
        *("", "fortify P1", "Fortify! P01", "Fortify! p1", "Bid -1", "Bid 007", "Faction Elves"),
        "Commit 1 from P1 (sac)",
    ],
)
def test_only_canonical_texts_are_read_back(text: str) -> None:
    with pytest.raises(ValueError, match="no canonical text"):
        parse_order(text, {})


def test_names_may_hold_the_words_of_orders() -> None:
    numbers = {"Ann in P2 from P3": 1, "Ben": 2}
    order = o.Support(1, 2, 1, golden=True)
    text = o.format_order(order, {1: "Ann in P2 from P3", 2: "Ben"})
    assert parse_order(text, numbers) == order
