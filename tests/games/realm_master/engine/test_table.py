"""Set-up, votes, views, defaults, the codec's guard, and positions that cannot be."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.positions import PositionError, PositionPart
from engine.realm_master.positions.expectation import parse_expectation
from engine.realm_master.positions.position import parse_position, parse_standings
from engine.realm_master.positions.position_out import format_position
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.setup import choose_lands
from engine.realm_master.state import Begin, EndRound, Land, State, Turn
from engine.ruleset import Choices, Ruleset, Seat, Standing
from tests.games.realm_master.engine.playing import (
    close,
    deed,
    new_game,
    orders_of,
    seats,
    table,
    told,
)
from tests.rows import each_row

LIVE = {"mode": "interactive"}
TWO = {
    "Ann": {"hero": "elf", "hgb": "7/4/0"},
    "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL"},
}
TURN = {"player": "Ann", "rolled": "ssRc-", "faces": "ssscc"}


def test_it_fulfils_the_contract_of_all_games() -> None:
    game: Ruleset[State, Any] = REALM_MASTER
    assert (game.id, set(game.windows) >= {"heroes", "round", "hit"}) == ("realm-master", True)
    assert (game.windows["heroes"], game.windows["round"], game.windows["hit"]) == (24, 48, 8)
    assert game.choices({}) == Choices()
    game.check_options({"mode": "standing"})
    game.check_players({}, 6)
    assert game.phase(new_game()).rules == ("RM-9.1", "RM-1.6", "RM-11.3", "RM-11.4", "RM-11.6")
    assert not game.phase(new_game(early_close=False)).early
    with pytest.raises(ValueError, match="6 players"):
        game.check_players({}, 7)


def test_the_set_up_draws_in_the_order_of_the_rules() -> None:
    stream = Chance(bytes(32))
    state = REALM_MASTER.setup({}, seats(4), stream).state
    assert [draw.label for draw in stream.draws] == ["seating", "lands", "buy deck", "turn deck"]
    assert len(state.lands) == 4
    assert (len(state.row), len(state.buy_deck), len(state.turn_deck)) == (3, 17, 17)
    assert all(player.at is None for player in state.players)


def test_one_land_at_least_costs_no_gold() -> None:
    assert choose_lands(("MER", "KUR", "JER", "BAR", "SAL", "ARU")) == ("MER", "KUR", "JER", "SAL")
    assert choose_lands(("MER", "KUR", "ARU", "BAR", "SAL", "JER")) == ("MER", "KUR", "ARU", "BAR")


def test_a_table_that_cannot_be_is_refused() -> None:
    for options in ({"pace": "fast"}, {"mode": "slow"}, {"early_close": "maybe"}):
        with pytest.raises(ValueError):
            REALM_MASTER.check_options(options)
    wrong = [
        seats(1),
        seats(3)[1:],
        [Seat(1, "Ann", "red"), Seat(2, "Ann", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, "Ben", "red")],
        [Seat(1, " ", "red"), Seat(2, "Ben", "blue")],
        [Seat(1, "Ann", "red", team="A"), Seat(2, "Ben", "blue")],
    ]
    for people in wrong:
        with pytest.raises(ValueError):
            REALM_MASTER.setup({}, people, Chance(b""))


def test_the_way_of_playing_is_voted_on() -> None:
    ballot = REALM_MASTER.settle_votes(
        ["mode"],
        [{"mode": "interactive"}, {"mode": "interactive"}, {"mode": "standing"}],
        Chance(b""),
    )
    assert ballot.options == {"mode": "interactive"}
    tied = REALM_MASTER.settle_votes(
        ["mode"], [{"mode": "interactive"}, {"mode": "standing"}, {}], Chance(b"", script=["heads"])
    )
    assert tied.options == REALM_MASTER.options_voted({"mode": "standing"}) == {"mode": "standing"}
    for questions, vote in (
        (["pace"], {}),
        (["mode"], {"mode": "slow"}),
        ([], {"mode": "standing"}),
    ):
        with pytest.raises(ValueError):
            REALM_MASTER.settle_votes(questions, [vote], Chance(b""))


def test_a_view_shows_the_table_and_ones_own_plan_only() -> None:
    players = {
        **TWO,
        "Ann": {"hero": "elf", "hgb": "7/4/0", "plan": ["Attack: no"], "cards": ["B05"]},
    }
    state = table(players, row=["B01", ["B12", "B02"], "B14"], card="T16")
    own, public = REALM_MASTER.view(state, 1), REALM_MASTER.view(state, None)
    assert isinstance(own, type(public))
    seen: Any = own
    assert seen.you.plan == orders_of("Attack: no")
    # the contract's view is an object
    assert REALM_MASTER.view(state, 2).you.plan == ()  # type: ignore[attr-defined]
    assert replace(seen, you=None) == public
    assert (seen.player(1).maximum, seen.land("SAL").occupant, seen.land("SAL").room) == (12, 2, 5)
    assert [(pile.card, pile.cost, pile.covers) for pile in seen.row] == [
        ("B01", 3, ()),
        ("B12", 4, ("B02",)),
        ("B14", 4, ()),
    ]
    assert seen.to_come == (1, 2)
    with pytest.raises(KeyError):
        seen.land("BAR")
    for number in (0, 3):
        with pytest.raises(ValueError, match="no player number"):
            REALM_MASTER.view(state, number)


def test_a_view_shows_what_must_be_decided_on() -> None:
    smoky = {**TWO, "Ben": {**TWO["Ben"], "cards": ["B10"]}}
    seen: Any = REALM_MASTER.view(
        table(smoky, options=LIVE, phase="smoke", asked=["Ben"], turn=TURN), 2
    )
    assert seen.turn.damage == ((2, 3),)
    seen = REALM_MASTER.view(table(TWO, options=LIVE, phase="hit", hit={"Ben": 3}, turn=TURN), 2)
    assert seen.turn.damage == ((2, 3),)
    dead = {"Ann": TWO["Ann"], "Ben": {"hero": "dwarf", "hgb": "0/0/0", "cards": ["B01", "B02"]}}
    seen = REALM_MASTER.view(
        table(dead, options=LIVE, phase="loot", loot={"victim": "Ben", "killer": "Ann"}, turn=TURN),
        1,
    )
    assert seen.victim == 2
    seen = REALM_MASTER.view(
        table(TWO, options=LIVE, phase="place", revealed="B19", turn=TURN), None
    )
    assert seen.revealed == "B19"


DEFAULTS: list[tuple[dict[str, object], int, str]] = [
    (
        {"phase": "reroll", "turn": {"player": "Ann", "rolled": "s-c-R"}},
        1,
        "Reroll: reroll die 2, reroll die 4, keep the rest",
    ),
    (
        {"phase": "second", "card": "T17", "turn": {"player": "Ann", "rolled": "s-c-R"}},
        1,
        "Second reroll: reroll die 2, reroll die 4, keep the rest",
    ),
    (
        {"phase": "knuckle", "turn": {"player": "Ann", "rolled": "s-c-R"}},
        1,
        "Second reroll: reroll die 2, keep the rest",
    ),
    ({"phase": "faces", "turn": {"player": "Ann", "rolled": "s-c-R"}}, 1, "R: 1 as coin"),
    ({"phase": "faces", "turn": {"player": "Ann", "rolled": "s-c--"}}, 1, "Go on"),
    ({"phase": "attack", "turn": TURN}, 1, "Attack: yes"),
    ({"phase": "smoke", "asked": ["Ben"], "turn": TURN}, 2, "Smoke Pot: no"),
    ({"phase": "hit", "hit": {"Ben": 3}, "turn": TURN}, 2, "When hit: stay"),
    ({"phase": "enter", "turn": TURN}, 1, "Enter: nothing"),
    (
        {"phase": "realm", "turn": {**TURN, "player": "Ben", "inside": True}},
        2,
        "In the Realm: stay",
    ),
    ({"phase": "last", "turn": TURN}, 1, "Go on"),
    (
        {"phase": "place", "revealed": "B19", "turn": TURN, "row": ["B01", "B12", "B02"]},
        1,
        "Cover Minted Honour",
    ),
    ({"phase": "tribute", "card": "T05", "to_play": ["Ann"]}, 1, "Tribute: gold to Mertle"),
    ({"phase": "ultimatum", "card": "T09", "to_play": ["Ann"]}, 2, "Ultimatum: lose"),
]


@pytest.mark.parametrize(
    ("position", "player", "text"),
    DEFAULTS,
    ids=[str(entry[0]["phase"]) + entry[2][-6:] for entry in DEFAULTS],
)
def test_the_default_of_a_question_is_told_as_an_order_that_brings_it_about(
    position: dict[str, object], player: int, text: str
) -> None:
    lands = {"MER": "0/0/0", "SAL": "0/0/0"}
    state = table(TWO, options=LIVE, **{"lands": lands, **position})
    assert REALM_MASTER.defaults(state, player, Standing()) == orders_of(text)
    assert REALM_MASTER.defaults(state, 3 - player, Standing()) == ()
    by_default = REALM_MASTER.adjudicate(state, {}, Chance(b"seed"))
    by_order = REALM_MASTER.adjudicate(state, {player: orders_of(text)}, Chance(b"seed"))
    assert REALM_MASTER.view(by_default.state, None) == REALM_MASTER.view(by_order.state, None)


def test_the_default_of_the_end_of_a_turn_has_the_exchange_in_it() -> None:
    state = table(
        {**TWO, "Ann": {"hero": "elf", "hgb": "3/5/0"}},
        options=LIVE,
        phase="last",
        turn=TURN,
        card="T08",
    )
    silence = REALM_MASTER.defaults(state, 1, Standing())
    assert silence == orders_of("Trade 2 gold for life now; Go on")
    by_default, by_order = (
        REALM_MASTER.adjudicate(state, given, Chance(b"seed")).state for given in ({}, {1: silence})
    )
    assert REALM_MASTER.view(by_default, None) == REALM_MASTER.view(by_order, None)
    assert told(by_default, "Ann")["hgb"] == "5/3/0"


def test_the_default_of_loot_and_of_a_round() -> None:
    dead = {
        "Ann": TWO["Ann"],
        "Ben": {"hero": "dwarf", "hgb": "0/0/0", "cards": ["B03", "B02", "B08"]},
    }
    looting = table(
        dead,
        options=LIVE,
        phase="loot",
        loot={"victim": "Ben", "killer": "Ann", "cause": "bolt"},
        turn=TURN,
    )
    assert REALM_MASTER.defaults(looting, 1, Standing()) == orders_of("Loot: Whetted Blade")
    players = {**TWO, "Ann": {**TWO["Ann"], "auto": True, "plan": ["Attack: no"]}}
    whole = REALM_MASTER.defaults(
        table(players), 1, Standing(orders=orders_of("Enter: Arub; Wait"))
    )
    assert whole == orders_of(
        "Attack: no; Enter: Arub; Reroll: reroll blanks; When hit: leave if hearts below 4, stay; "
        "Ultimatum: leave if hearts below 8, lose; In the Realm: leave if hearts below 4, stay; Auto on; Wait"
    )
    assert REALM_MASTER.defaults(new_game(), 1, Standing()) == ()
    answered = Standing(orders=orders_of("Go on"))
    assert (
        REALM_MASTER.defaults(table(TWO, options=LIVE, phase="last", turn=TURN), 1, answered)
        == answered.orders
    )
    assert REALM_MASTER.lacking(
        table(TWO, options=LIVE, phase="last", turn=TURN), 1, Standing()
    ) == ("Go on",)


def test_what_was_charmed_or_smoked_is_asked_where_it_can_be() -> None:
    """A hero with the Charm is asked before R are fixed even if there is no R."""
    players = {
        "Ann": {"hero": "elf", "hgb": "7/0/0", "cards": ["B13"]},
        "Ben": {"hero": "dwarf", "hgb": "9/0/0"},
    }
    state = table(
        players,
        options=LIVE,
        phase="reroll",
        turn={"player": "Ann", "rolled": "c----"},
        row=["B01", "B02", "B12"],
    )
    asked = close(state, {"Ann": "Reroll: keep the rest"}).state
    assert asked.stage == "faces"
    turned = deed(asked, 1, "Play Charm of Turning on die 5 for coin now").state
    assert (turned.stage, told(turned, "Ann")["hgb"]) == ("last", "7/2/0"), (
        "without an R there is nothing more to ask"
    )
    assert told(close(asked, {"Ann": "Go on"}).state, "Ann")["hgb"] == "7/1/0"


def test_lines_marked_for_always_act_unasked_in_live_play() -> None:
    plan = [
        *("Reroll: keep the rest (always)", "R: half banner if a lone half banner, coin (always)"),
        *("Attack: yes (always)", "Enter: Saltmere (always)"),
        "Play: War Horn if sword dice at least 1 (always)",
        "Play: Healing Draught, before rolling (always)",
        *("Reveal: up to 1, at most 2 gold (always)", "Buy: Iron Shield, keep 1 gold (always)"),
        "Loot: Iron Shield (always)",
    ]
    players = {
        "Ann": {"hero": "elf", "hgb": "5/3/0", "cards": ["B09", "B08"], "plan": plan},
        "Ben": {"hero": "dwarf", "hgb": "9/0/0", "at": "SAL"},
    }
    state = table(
        players,
        options=LIVE,
        phase="reroll",
        turn={"player": "Ben", "inside": True, "rolled": "-----"},
        row=["B01", "B02", "B12"],
        deck=["B19", "B03"],
    )
    done = close(state, {"Ben": "Reroll: keep the rest"}, [])
    assert done.state.stage == "realm"
    begun = close(done.state, {"Ben": "In the Realm: stay"}, [3, 4, 6, 1, 1]).state
    # 5 + 3 by the Draught; coin and R make 5 gold; the Feather costs 1 to reveal and covers the
    # dearest; the Shield costs 4: gone, but for 1 to keep
    assert (begun.stage, told(begun, "Ann")["hgb"]) == ("hit", "8/4/1")
    after = close(begun, {"Ben": "When hit: leave"}).state
    # 1 sword, 1 of the card and the Horn's 2 are 4, a banner for the elf; she entered the empty
    # land, and bought the Shield at the end of her turn, nothing being kept then
    assert (told(after, "Ben")["hgb"], told(after, "Ann")["at"], told(after, "Ann")["cards"]) == (
        "5/0/0",
        "SAL",
        ["B01"],
    )


# ----------------------------------------------------------------------------------- what cannot be
BROKEN: list[tuple[str, Callable[[State], State]]] = [
    ("players", lambda s: replace(s, players=s.players[:1], seating=(1,))),
    ("out of order", lambda s: replace(s, players=(s.players[1], s.players[0]))),
    ("seating", lambda s: replace(s, seating=(1, 1))),
    ("heroes", lambda s: replace(s, players=(replace(s.players[0], hero="dwarf"), s.players[1]))),
    (
        "heroes chosen",
        lambda s: replace(s, players=(replace(s.players[0], hero=None), s.players[1])),
    ),
    ("hearts", lambda s: replace(s, players=(replace(s.players[0], hearts=11), s.players[1]))),
    (
        "dead and owns",
        lambda s: replace(
            s, players=(replace(s.players[0], alive=False), s.players[1]), asked=(2,)
        ),
    ),
    (
        "without hearts",
        lambda s: replace(s, players=(replace(s.players[0], hearts=0), s.players[1])),
    ),
    ("the lands", lambda s: replace(s, lands=s.lands[:3])),
    ("SAL holds", lambda s: replace(s, lands=(Land("SAL", 6), *s.lands[1:]))),
    (
        "heroes stand",
        lambda s: replace(s, players=tuple(replace(held, at="SAL") for held in s.players)),
    ),
    ("buy cards", lambda s: replace(s, discard=("B01",))),
    ("turn cards", lambda s: replace(s, turn_deck=("T01", "T01"))),
    ("empty pile", lambda s: replace(s, row=(*s.row, ()))),
    ("are asked", lambda s: replace(s, asked=())),
    ("an agenda", lambda s: replace(s, agenda=())),
    ("dice", lambda s: replace(s, turn=Turn(1, 1, inside=False, rolled=("s",)))),
    ("winners", lambda s: replace(s, winners=(9,))),
]


@pytest.mark.parametrize(("why", "breaks"), BROKEN, ids=[why for why, _ in BROKEN])
def test_a_state_that_no_game_comes_to_is_refused(
    why: str, breaks: Callable[[State], State]
) -> None:
    state = table(TWO)
    with pytest.raises(ValueError, match=why):
        REALM_MASTER.decode_state(REALM_MASTER.encode_state(breaks(state)))


def test_a_game_cannot_begin_without_turn_cards() -> None:
    with pytest.raises(PositionError, match="no turn card"):
        table({"Ann": {}, "Ben": {}}, phase="heroes", turn_deck=[])


def test_if_nobody_lives_it_is_no_state() -> None:
    state = table(TWO)
    gone = tuple(replace(held, alive=False, hearts=0, gold=0, at=None) for held in state.players)
    over = replace(state, players=gone, stage="over", asked=(), agenda=())
    with pytest.raises(ValueError, match="nobody lives"):
        REALM_MASTER.decode_state(REALM_MASTER.encode_state(over))


def test_junk_is_no_state_no_order_and_no_event() -> None:
    for decode in (
        REALM_MASTER.decode_state,
        REALM_MASTER.decode_orders,
        REALM_MASTER.decode_event,
    ):
        for raw in (b"", b"{}x", b'{"kind": "dance"}', b"[" * 5000):
            with pytest.raises(ValueError):
                decode(raw)


@each_row(
    ("key", "value", "path"),
    [
        ("weather", "fine", "position.weather"),
        ("phase", "dance", "position.phase"),
        ("phase", None, "position.phase"),
        ("card", "T99", "position.card"),
        ("lands", {"SAL": "9/9"}, "position.lands.SAL"),
        ("lands", {"XXX": "0/0/0"}, "position.lands.XXX"),
        ("players", {"Ann": {"hero": "hobbit"}, "Ben": {}}, "position.players.Ann.hero"),
        ("players", {"Ann": {"at": "XXX"}, "Ben": {}}, "position.players.Ann.at"),
        ("players", {"Ann": {"plan": ["Dance"]}, "Ben": {}}, "position.players.Ann.plan[0]"),
        ("players", {"Ann": {"plan": ["Auto on"]}, "Ben": {}}, "position.players.Ann.plan[0]"),
        ("players", {"Ann": {"hgb": "99/0/0"}, "Ben": {}}, "position"),
        ("players", {name: {} for name in "ABCDEFG"}, "position.players"),
        ("to_play", ["Dan"], "position.to_play[0]"),
        ("turn", {"rolled": "ss---"}, "position.turn"),
        ("turn", {"player": "Ann", "rolled": "ss--"}, "position.turn.rolled"),
        ("turn", {"player": "Ann", "step": "dance"}, "position.turn.step"),
        ("loot", {"victim": "Ann"}, "position.loot"),
        ("row", ["B99"], "position.row[0]"),
    ],
)
def test_a_position_that_does_not_fit_says_where(key: str, value: object, path: str) -> None:
    data: dict[str, object] = {"phase": "round", "lands": {"SAL": "0/0/0"}, "players": TWO}
    with pytest.raises(PositionError) as wrong:
        parse_position({**data, key: value}, {}, "test")
    assert str(wrong.value).startswith(path)
    with pytest.raises(PositionError):
        parse_position(data, {"mode": "slow"}, "test")


def test_a_position_is_written_out_as_it_was_told() -> None:
    state = table(
        {
            **TWO,
            "Ann": {
                **TWO["Ann"],
                "auto": True,
                "missed": 1,
                "conceding": True,
                "last": ["Attack: no"],
            },
        },
        options=LIVE,
        phase="last",
        card="T08",
        turn={**TURN, "horn": 2, "lives": 1, "attacked": True},
        to_play=["Ben"],
        turns=3,
    )
    written = format_position(state, {})
    assert format_position(parse_position(written, LIVE, "again"), {}) == written
    assert written["turn"] == {
        "player": "Ann",
        "inside": False,
        "rolled": "ssRc-",
        "faces": "ssscc",
        "horn": 2,
        "lives": 1,
        "attacked": True,
        "step": "last",
    }
    assert parse_standings({}, state) == {}
    assert state.agenda[-2:] == (Begin(2), EndRound())


def test_an_expectation_is_read_like_a_position() -> None:
    state = table(TWO)
    wanted = parse_expectation(
        PositionPart(
            {
                "card": "T01",
                "turn_deck": ["T02"],
                "lands": {"SAL": "1/0/0"},
                "deck": ["B01"],
                "row": ["B02", ["B03", "B04"]],
                "revealed": "B05",
                "hit": {"Ann": 3},
                "loot": {"victim": "Ann"},
                "turn": {"player": "Ann"},
                "winner": ["Ann", "Ben"],
                "round": 3,
                "ended_by": None,
                "players": {
                    "Ann": {
                        "hgb": "1/2/3",
                        "at": "out",
                        "cards": ["B06"],
                        "plan": ["Attack: no"],
                        "fell_to": "Ben",
                        "missed": None,
                        "auto": True,
                    }
                },
                "asked": ["Ben"],
                "problems": {},
            }
        ),
        state,
        ("problems",),
    )
    assert wanted["row"] == ["B02", ["B03", "B04"]]
    assert wanted["players"] == {
        "Ann": {
            "hgb": "1/2/3",
            "at": "out",
            "cards": ["B06"],
            "plan": ["Attack: no"],
            "fell_to": "Ben",
            "missed": None,
            "auto": True,
        }
    }
    assert (wanted["winner"], wanted["ended_by"], wanted["round"]) == (["Ann", "Ben"], None, 3)
    wrong: tuple[dict[str, object], ...] = (
        {"dance": 1},
        {"players": {"Dan": {}}},
        {"winner": "Dan"},
        {"deck": ["B99"]},
        {"players": {"Ann": {"at": "XXX"}}},
    )
    for told_wrong in wrong:
        with pytest.raises(PositionError):
            parse_expectation(PositionPart(told_wrong), state)
    assert parse_expectation(PositionPart(None), state) == {}
