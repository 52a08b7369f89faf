"""Corners of turns and rounds that no case tells."""

from engine.chance import Chance
from engine.realm_master.events import LineSkipped
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.wording import format_order
from engine.ruleset import Event
from tests.games.realm_master.engine.playing import act, close, deed, kinds, new_game, table, told

LIVE = {"mode": "interactive"}
KEEP = "Reroll: keep the rest"
BLANKS = [1, 1, 1, 1, 1]


def skipped(events: tuple[Event, ...]) -> list[tuple[str, str]]:
    return [
        (format_order(event.facts.line), event.facts.why)
        for event in events
        if isinstance(event.facts, LineSkipped)
    ]


def test_a_plan_that_is_forgotten_is_gone() -> None:
    players = {
        "Ann": {"hgb": "7/0/0", "plan": ["Attack: no", "When hit: leave"]},
        "Ben": {"hgb": "7/0/0"},
    }
    state = close(table(players, to_play=[]), {"Ann": "Forget Attack"}).state
    assert told(state, "Ann")["plan"] == ["When hit: leave"]
    assert "plan" not in told(
        close(table(players, to_play=[]), {"Ann": "Forget everything"}).state, "Ann"
    )


def test_a_land_is_corrected_before_the_heroes_are_chosen() -> None:
    state = new_game()
    land = state.lands[0].key
    done = act(state, "gm", {"act": "set-land", "land": land, "hearts": 0, "gold": 0, "banners": 0})
    assert (done.state.stage, done.state.asked) == ("heroes", (1, 2, 3))
    assert kinds(done.events) == ["corrected"]


def test_live_rounds_ask_for_tribute_and_ultimatum_when_they_are_revealed() -> None:
    players = {
        "Ann": {"hgb": "7/1/1"},
        "Ben": {"hgb": "9/1/1", "at": "SAL"},
        "Cid": {"hgb": "9/1/1"},
    }
    turn = {"player": "Ann", "rolled": "-----", "faces": "-----"}
    row = ["B01", "B02", "B12"]
    tribute = close(
        table(players, options=LIVE, phase="last", turn=turn, turn_deck=["T04", "T01"], row=row),
        {"Ann": "Go on"},
    )
    assert (tribute.state.stage, tribute.state.asked) == ("tribute", (1,))
    gone = act(tribute.state, "gm", {"act": "kill", "player": 2}).state
    assert (gone.stage, gone.asked) == ("tribute", (1,))
    after = close(gone, {"Ann": "Tribute: banners to Saltmere, gold to Arub"}).state
    # the dead pay nothing: Cid is asked next
    assert (after.stage, after.asked, told(after, "Ann")["hgb"]) == ("tribute", (3,), "7/0/0")
    ultimatum = close(
        table(players, options=LIVE, phase="last", turn=turn, turn_deck=["T09", "T01"], row=row),
        {"Ann": "Go on"},
    )
    assert (ultimatum.state.stage, ultimatum.state.asked) == ("ultimatum", (2,))


def test_a_hero_without_anything_to_pay_is_not_asked() -> None:
    players = {"Ann": {"hgb": "7/0/0"}, "Ben": {"hgb": "9/1/0"}}
    turn = {"player": "Ann", "rolled": "-----", "faces": "-----"}
    state = table(
        players,
        options=LIVE,
        phase="last",
        turn=turn,
        turn_deck=["T05", "T01"],
        row=["B01", "B02", "B12"],
    )
    assert close(state, {"Ann": "Go on"}).state.asked == (2,)


def test_the_ultimatum_ends_with_the_last_living_hero() -> None:
    players = {
        "Ann": {"hgb": "2/0/0", "at": "ARU"},
        "Ben": {"hgb": "2/0/0", "at": "SAL"},
        "Cid": {"alive": False},
    }
    done = close(table(players, card="T09"), {"Ann": "Ultimatum: lose", "Ben": "Ultimatum: lose"})
    assert (done.state.winners, done.state.ended_by, told(done.state, "Ben")["hgb"]) == (
        (2,),
        "last",
        "2/0/0",
    )


def test_the_phoenix_saves_from_the_ultimatum_too() -> None:
    players = {"Ann": {"hgb": "2/0/0", "at": "ARU", "cards": ["B19"]}, "Ben": {"hgb": "2/0/0"}}
    done = close(table(players, card="T09", to_play=[]), {"Ann": "Ultimatum: lose"})
    assert (told(done.state, "Ann")["hgb"], told(done.state, "Ann")["at"]) == ("3/0/0", "out")


def test_a_card_that_can_no_longer_be_played_is_said_so() -> None:
    players = {
        "Ann": {"hero": "elf", "hgb": "7/0/0", "cards": ["B11"]},
        "Ben": {"hero": "dwarf", "alive": False},
        "Cid": {"hgb": "9/0/0"},
    }
    done = close(
        table(players, to_play=["Ann"]), {"Ann": f"{KEEP}; Play: Cutpurse on the dwarf"}, BLANKS
    )
    assert skipped(done.events) == [("Play: Cutpurse on the dwarf", "no-such-target")]
    assert all(
        event.audience == (1,)
        for event in done.events
        if event.kind in ("line-skipped", "line-used")
    )


def test_of_a_list_of_cards_the_rest_is_tried_again_at_the_end() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/6/0"}, "Ben": {"hero": "dwarf", "hgb": "9/0/0"}}
    state = table(
        players,
        lands={"ARU": "0/3/0"},
        to_play=["Ann"],
        row=["B01", "B03", "B12"],
        deck=["B19", "B20"],
    )
    done = close(
        state,
        {"Ann": f"{KEEP}; Enter: Arub; Buy: Iron Shield, Gambler's Knuckle, hope for Toll Writ"},
        [3, *BLANKS[1:]],
    )
    # 6 - 4 = 2, with Arub's gold 3 - 3 = 0; the Writ never came and is only hoped for
    assert (told(done.state, "Ann")["hgb"], told(done.state, "Ann")["cards"]) == (
        "7/0/0",
        ["B01", "B03"],
    )
    assert skipped(done.events) == []


def test_an_exchange_that_does_not_hold_is_said_so() -> None:
    players = {"Ann": {"hgb": "7/6/0", "plan": ["Life: 2"]}, "Ben": {"hgb": "9/0/0"}}
    done = close(
        table(players, card="T01", turn_deck=["T02"], to_play=["Ann"]), {"Ann": KEEP}, BLANKS
    )
    assert skipped(done.events) == [("Life: 2", "no-exchange-now")]
    always = close(
        table({**players, "Ann": {"hgb": "7/6/0", "plan": ["Life: 2 (always)"]}}, to_play=["Ann"]),
        {"Ann": KEEP},
        BLANKS,
    )
    assert skipped(always.events) == []


def test_conditions_hold_back_lines() -> None:
    players = {"Ann": {"hgb": "7/6/0"}, "Ben": {"hgb": "9/0/0"}}
    lines = "Reveal: up to 1, at most 3 gold if gold at least 9; Life: 2 if hearts below 5; Buy: Iron Shield if gold at least 9"
    done = close(
        table(players, card="T08", to_play=["Ann"], row=["B01", "B02", "B12"]),
        {"Ann": f"{KEEP}; {lines}"},
        BLANKS,
    )
    assert (told(done.state, "Ann")["hgb"], skipped(done.events)) == ("7/6/0", [])


def test_a_card_bought_before_rolling_helps_in_the_same_turn() -> None:
    players = {"Ann": {"hgb": "7/3/0"}, "Ben": {"hgb": "9/0/0"}}
    state = table(players, to_play=["Ann"], row=["B03", "B02", "B12"])
    done = close(
        state,
        {"Ann": "Buy: Gambler's Knuckle, before rolling; Reroll: reroll blanks"},
        [*BLANKS, *BLANKS, 4],
    )
    assert told(done.state, "Ann")["hgb"] == "7/1/0"


def test_the_exchange_keeps_a_turn_open() -> None:
    players = {"Ann": {"hgb": "7/1/0"}, "Ben": {"hgb": "9/0/0"}}
    everything = [f"B{n:02}" for n in range(4, 21)]
    turn = {"player": "Ann", "rolled": "-----"}
    state = table(
        {**players, "Ben": {"hgb": "9/0/0", "cards": everything}},
        options=LIVE,
        phase="reroll",
        turn=turn,
        card="T08",
        row=["B01", "B02", "B03"],
        deck=[],
        discard=[],
    )
    assert close(state, {"Ann": KEEP}).state.stage == "last"
    again = table(
        {**players, "Ben": {"hgb": "9/0/0", "cards": everything}},
        options=LIVE,
        phase="reroll",
        turn=turn,
        to_play=["Ben"],
        row=["B01", "B02", "B03"],
        deck=[],
        discard=[],
    )
    assert close(again, {"Ann": KEEP}, BLANKS).state.stage == "reroll"


def test_a_card_revealed_on_an_empty_row_lies_open_for_all() -> None:
    rest = [f"B{n:02}" for n in range(3, 21)]
    players = {"Ann": {"hgb": "7/1/0"}, "Ben": {"hgb": "9/0/0", "cards": rest}}
    done = close(
        table(players, to_play=["Ann"], row=[], deck=["B01", "B02"]),
        {"Ann": f"{KEEP}; Reveal: up to 1, at most 2 gold"},
        BLANKS,
    )
    assert done.state.row == (("B01",),)


def test_whoever_was_asked_live_and_never_answered_has_missed_the_round() -> None:
    players = {"Ann": {"hgb": "7/0/0", "missed": 2}, "Ben": {"hgb": "9/0/0"}}
    turn = {"player": "Ann", "rolled": "-----"}
    state = table(
        players, options=LIVE, phase="reroll", turn=turn, row=["B01", "B02", "B12"], to_play=["Ben"]
    )
    ben = close(state, {}, [*BLANKS, *BLANKS])
    over = close(ben.state, {"Ben": KEEP}, BLANKS)
    assert (
        over.state.round,
        told(over.state, "Ann")["missed"],
        told(over.state, "Ben").get("missed"),
    ) == (2, 3, None)
    assert [kind for kind in kinds(over.events) if kind in ("missed", "replacement-wanted")] == [
        "missed",
        "replacement-wanted",
    ]
    asked = close(over.state, {"Ann": KEEP}, BLANKS)
    done = close(asked.state, {}, [*BLANKS, *BLANKS])
    assert (told(done.state, "Ann").get("missed"), told(done.state, "Ben")["missed"]) == (None, 1)


def test_the_smoke_of_all_leaves_nobody_to_hit() -> None:
    players = {
        "Ann": {"hero": "elf", "hgb": "7/0/0"},
        "Ben": {"hgb": "9/0/0", "at": "SAL", "cards": ["B10"]},
    }
    done = close(
        table(players, to_play=["Ann"]), {"Ann": KEEP, "Ben": "Smoke Pot: yes"}, [3, 3, 3, 3, 1]
    )
    assert kinds(done.events).count("elf-banners") == 0
    assert told(done.state, "Ben")["at"] == "out"


def test_a_hero_placed_by_the_game_master_within_his_turn_neither_enters_nor_collects() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/0/0"}, "Ben": {"hero": "dwarf", "hgb": "9/0/0"}}
    turn = {"player": "Ann", "rolled": "s----"}
    state = table(
        players,
        options=LIVE,
        phase="reroll",
        turn=turn,
        lands={"SAL": "1/1/1"},
        row=["B01", "B02", "B12"],
        to_play=["Ben"],
    )
    inside = act(state, "gm", {"act": "place", "player": 1, "land": "SAL"}).state
    done = close(inside, {"Ann": KEEP}, BLANKS)
    assert (told(done.state, "Ann")["at"], told(done.state, "Ann")["hgb"], done.state.asked) == (
        "SAL",
        "7/0/0",
        (2,),
    )


def test_the_chosen_way_of_playing_begins_with_the_next_round() -> None:
    state = act(
        table({"Ann": {"hgb": "7/0/0"}, "Ben": {"hgb": "9/0/0"}}, to_play=[]),
        "gm",
        {"act": "mode", "mode": "interactive"},
    ).state
    assert state.mode == "standing"
    live = close(state, {}, BLANKS).state
    assert (live.mode, live.stage) == ("interactive", "reroll")


def test_a_charm_by_plan_turns_the_die_before_r_are_fixed() -> None:
    players = {"Ann": {"hero": "squire", "hgb": "3/0/0", "cards": ["B13"]}, "Ben": {"hgb": "9/0/0"}}
    done = close(
        table(players, to_play=["Ann"]),
        {"Ann": f"{KEEP}; R: complete five; Play: Charm of Turning on die 1 for R"},
        [1, 4, 4, 4, 4],
    )
    assert told(done.state, "Ann")["hgb"] == "3/6/0"


def test_nobody_is_asked_whom_a_deed_has_answered() -> None:
    """Buying at once counts as a word in the round."""
    players = {"Ann": {"hgb": "7/4/0"}, "Ben": {"hgb": "9/0/0"}}
    turn = {"player": "Ann", "rolled": "-----", "faces": "-----"}
    state = table(players, options=LIVE, phase="last", turn=turn, row=["B01", "B02", "B12"])
    bought = deed(state, 1, "Buy Iron Shield now", BLANKS)
    assert bought.state.round == 2, "with nothing left to do the turn is over"
    assert REALM_MASTER.adjudicate(bought.state, {}, Chance(b"")).state.round == 2


def test_f92_cards_are_revealed_and_bought_in_the_order_of_the_plan() -> None:
    """F-92 (RM-6.1), with 4 gold. Bought first, the Draught (2) leaves 2, Cutpurse takes its place in
    the row, and 1 more turns Stout Heart (4), which is too dear: 1 is left. Turned first, for 1,
    Cutpurse costs 2, and the 1 that is left does not pay for the Draught.
    """
    players = {"Ann": {"hero": "elf", "hgb": "7/4/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    start = table(players, row=["B02", "B08", "B12"], deck=["B11", "B05"], turn_deck=["T01"])
    buy, reveal = "Buy: Healing Draught", "Reveal: up to 1, at most 3 gold"
    for first, second, card in ((buy, reveal, "B08"), (reveal, buy, "B11")):
        orders = f"Reroll: keep the rest; {first}; {second}; Attack: no"
        shown = close(start, {"Ann": orders, "Ben": "Reroll: keep the rest"}, [1] * 10).state
        assert shown.players[0].cards == (card,)
        assert told(shown, "Ann")["hgb"] == "7/1/0"


def test_gold_that_a_plan_keeps_is_not_spent_on_a_revealed_card_either() -> None:
    """RM-10.8, RM-10.9: of six gold one turns a card of four gold, which two or three gold to be
    kept leave where it is.
    """
    players = {"Ann": {"hero": "elf", "hgb": "7/6/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    for keep, bought, gold in ((1, True, 1), (2, False, 5), (3, False, 5)):
        start = table(players, row=["B02", "B08", "B12"], deck=["B01", "B05"], turn_deck=["T01"])
        plan = f"Reroll: keep the rest; Buy: keep {keep} gold; Reveal: up to 1, at most 4 gold; Attack: no"
        shown = close(start, {"Ann": plan, "Ben": "Reroll: keep the rest"}, [1] * 10).state
        assert told(shown, "Ann")["hgb"] == f"7/{gold}/0", keep
        assert ("B01" in shown.players[0].cards) == bought
