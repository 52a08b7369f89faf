"""What takes effect at once: deeds, conceding, objections, corrections, and taking back."""

import pytest

from engine.chance import Chance
from engine.realm_master.events import Corrected, GameWon, ObjectionMade, TakenBack
from engine.realm_master.positions.position_out import format_position
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.ruleset import Actor, NotSupposable, Standing, encode_sound_state
from tests.games.realm_master.engine.playing import (
    act,
    close,
    deed,
    kinds,
    new_game,
    orders_of,
    table,
    told,
)

LIVE = {"mode": "interactive"}
PLAYERS = {
    "Ann": {"hero": "elf", "hgb": "7/5/0"},
    "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL"},
    "Cid": {"hero": "squire", "hgb": "8/2/1"},
}
TURN = {"player": "Ann", "rolled": "sc---", "faces": "sc---"}


def live(phase: str = "last", **more: object) -> State:
    return table(
        PLAYERS,
        options=LIVE,
        **{
            "phase": phase,
            "turn": TURN,
            "row": ["B01", "B02", "B08"],
            "deck": ["B12", "B05"],
            **more,
        },
    )


def test_buying_in_ones_own_turn_asks_the_same_question_again() -> None:
    done = deed(live(), 1, "Buy Iron Shield now")
    assert done.state.stage == "last"
    assert told(done.state, "Ann")["cards"] == ["B01"]
    assert told(done.state, "Ann")["hgb"] == "7/1/0"
    assert kinds(done.events) == ["bought", "window"]
    before, after = REALM_MASTER.phase(live()), REALM_MASTER.phase(done.state)
    assert (before.kind, before.turn, before.span) == (after.kind, after.turn, after.span)
    assert before.question != after.question


def test_what_is_bought_and_the_answer_beside_it_are_done_in_this_order() -> None:
    """RM-9.12: both in one message; the question is not asked again."""
    done = close(live(), {"Ann": "Go on; Buy Iron Shield now"}, [1, 1, 1, 1, 1])
    assert told(done.state, "Ann")["cards"] == ["B01"]
    assert (done.state.stage, done.state.turns) != ("last", live().turns)


def test_an_answer_beside_a_card_that_asks_something_else_is_asked_for_again() -> None:
    asked = close(live(), {"Ann": "Reveal a card now; Go on"})
    assert (asked.state.stage, asked.state.asked) == ("place", (1,))
    assert close(asked.state, {"Ann": "Cover Whetted Blade"}).state.stage == "last"


def test_of_two_purchases_the_second_is_left_where_the_gold_is_gone() -> None:
    done = close(live(), {"Ann": "Buy Iron Shield now; Buy Whetted Blade now"})
    assert told(done.state, "Ann")["cards"] == ["B01"]
    assert told(done.state, "Ann")["hgb"] == "7/1/0"


def test_f48_a_card_is_not_revealed_with_no_gold_left() -> None:
    """RM-6.3: its owner alone is told, and what comes after is done."""
    done = close(
        table(
            PLAYERS | {"Ann": {"hero": "elf", "hgb": "7/4/0"}},
            options=LIVE,
            phase="last",
            turn=TURN,
            row=["B01", "B02", "B08"],
            deck=["B12", "B05"],
        ),
        {"Ann": "Buy Iron Shield now; Reveal a card now"},
    )
    assert told(done.state, "Ann")["hgb"] == "7/0/0"
    skipped = [event for event in done.events if event.kind == "line-skipped"]
    assert [(event.audience, event.rules) for event in skipped] == [((1,), ("RM-10.10",))]
    assert REALM_MASTER.decode_state(REALM_MASTER.encode_state(done.state)) == done.state
    assert all(
        REALM_MASTER.decode_event(REALM_MASTER.encode_event(event)) == event
        for event in done.events
    )


def test_windows_of_one_turn_make_one_span_of_a_day() -> None:
    """RM-11.3; who is missing is reminded at half and at 85 of 100 (RM-11.6)."""
    span = REALM_MASTER.phase(live()).span
    assert span is not None
    assert (span.hours, REALM_MASTER.phase(live()).reminders) == (24, (0.5, 0.85))
    assert REALM_MASTER.phase(table(PLAYERS)).span is None


def test_nothing_is_waited_for_from_whoever_has_a_plan_on_auto() -> None:
    """RM-11.4."""
    plans = {**PLAYERS, "Ben": {**PLAYERS["Ben"], "auto": True}}
    state = table(plans)
    assert [REALM_MASTER.is_ready(state, player, Standing()) for player in (1, 2, 3)] == [
        False,
        True,
        False,
    ]
    sent = REALM_MASTER.check(state, 1, Standing(), orders_of("Attack: no")).standing
    waits = REALM_MASTER.check(state, 2, Standing(), orders_of("Wait")).standing
    assert REALM_MASTER.is_ready(state, 1, sent)
    assert not REALM_MASTER.is_ready(state, 2, waits)


def test_revealing_opens_a_question_and_then_the_old_one_again() -> None:
    revealed = deed(live(), 1, "Reveal a card now")
    assert (revealed.state.stage, format_position(revealed.state, {})["revealed"]) == (
        "place",
        "B12",
    )
    covered = close(revealed.state, {"Ann": "Cover Whetted Blade"})
    assert covered.state.stage == "last"
    assert covered.state.row == (("B01",), ("B12", "B02"), ("B08",))


def test_gold_for_life_in_ones_own_turn() -> None:
    done = deed(live(card="T08"), 1, "Trade 2 gold for life now")
    assert told(done.state, "Ann")["hgb"] == "9/3/0"
    ended = close(done.state, {"Ann": "Go on"}, [1, 1, 1, 1, 1])
    assert told(ended.state, "Ann")["hgb"] == "9/3/0"


def test_at_the_end_of_the_window_the_exchange_is_made_by_default() -> None:
    weak = {**PLAYERS, "Ann": {"hero": "elf", "hgb": "3/5/0"}}
    state = table(weak, options=LIVE, phase="last", turn=TURN, card="T08")
    assert told(close(state, {}, [1, 1, 1, 1, 1]).state, "Ann")["hgb"] == "5/3/0"


def test_a_bolt_in_ones_own_turn_may_ask_for_loot_and_then_goes_on() -> None:
    players = {
        **PLAYERS,
        "Ann": {"hero": "elf", "hgb": "7/5/0", "cards": ["B16"]},
        "Ben": {"hero": "dwarf", "hgb": "2/3/0", "at": "SAL", "cards": ["B03", "B04"]},
    }
    state = table(players, options=LIVE, phase="enter", turn=TURN, row=["B01", "B02", "B08"])
    asked = deed(state, 1, "Play Bolt of Fire on the dwarf now")
    assert (asked.state.stage, asked.state.asked) == ("loot", (1,))
    looted = close(asked.state, {"Ann": "Loot: Pathfinder Boots"})
    assert (looted.state.stage, told(looted.state, "Ann")["cards"]) == ("enter", ["B04"])


def test_what_is_no_deed_or_refused_is_no_act() -> None:
    state = live()
    wrong: list[tuple[Actor, dict[str, object]]] = [
        (1, {"act": "order", "order": "Attack: yes"}),
        (1, {"act": "order", "order": "Dance"}),
        (1, {"act": "order", "order": "Buy Phoenix Feather now"}),
        (2, {"act": "order", "order": "Buy Iron Shield now"}),
        (1, {"act": "kill", "player": 2}),
        ("gm", {"act": "order", "order": "Concede"}),
        ("gm", {"act": "dance"}),
        ("gm", {"act": "kill", "player": 9}),
        ("gm", {"act": "kill", "player": True}),
        ("gm", {"act": "end", "winner": 9}),
        ("gm", {"act": "undo", "turn": 1}),
        ("gm", {"act": "undo", "round": True}),
        ("gm", {"act": "undo", "week": 1}),
        ("gm", {"act": "rule", "text": " "}),
        ("gm", {"act": "set-hero", "player": 1, "what": "wit", "amount": 1}),
        ("gm", {"act": "set-hero", "player": 1, "what": "hearts", "amount": 11}),
        ("gm", {"act": "set-hero", "player": 7, "what": "hearts", "amount": 1}),
        ("gm", {"act": "set-land", "land": "BAR", "hearts": 0, "gold": 0, "banners": 0}),
        ("gm", {"act": "set-land", "land": "SAL", "hearts": 6, "gold": 0, "banners": 0}),
        ("gm", {"act": "place", "player": 1, "land": "SAL"}),
        ("gm", {"act": "card-give", "player": 1, "card": "X"}),
        ("gm", {"act": "card-take", "player": 1, "card": "B01"}),
        ("gm", {"act": "card-row", "card": "B12", "place": 4}),
        ("gm", {"act": "card-row", "card": "B01", "place": 2}),
    ]
    for actor, what in wrong:
        with pytest.raises(ValueError):
            REALM_MASTER.act(state, actor, what, Chance(b""))


def test_before_the_heroes_are_chosen_nobody_can_be_corrected() -> None:
    what = {"act": "set-hero", "player": 1, "what": "gold", "amount": 1}
    with pytest.raises(ValueError, match="not chosen"):
        REALM_MASTER.act(new_game(), "gm", what, Chance(b""))


def test_who_leaves_before_the_heroes_are_chosen_falls_with_a_hero_by_chance() -> None:
    left = act(new_game(), "gm", {"act": "remove", "player": 2})
    assert kinds(left.events)[:2] == ["hero", "died"]
    assert (left.state.stage, left.state.asked) == ("heroes", (1, 3))
    encode_sound_state(REALM_MASTER, left.state)
    chosen = close(left.state).state
    heroes = [one.hero for one in chosen.players]
    assert (chosen.stage, None in heroes, len(set(heroes))) == ("round", False, 3)
    alone = act(left.state, "gm", {"act": "remove", "player": 1}).state
    assert (alone.stage, alone.winners) == ("over", (3,))
    encode_sound_state(REALM_MASTER, alone)


@pytest.mark.parametrize("winners", [[], [2]])
def test_a_game_ended_before_the_heroes_are_chosen_is_a_game_that_can_be_kept(
    winners: list[int],
) -> None:
    over = act(new_game(), "gm", {"act": "agree", "winners": winners}).state
    assert (over.stage, over.winners) == ("over", tuple(winners) or (1, 2, 3))
    encode_sound_state(REALM_MASTER, over)


def test_after_the_end_there_is_nothing_to_do() -> None:
    over = act(live(), "gm", {"act": "end", "winner": 2}).state
    assert (over.stage, over.winners, over.ended_by) == ("over", (2,), "gm")
    with pytest.raises(ValueError, match="over"):
        REALM_MASTER.act(over, "gm", {"act": "reshuffle"}, Chance(b""))
    with pytest.raises(ValueError, match="over"):
        REALM_MASTER.adjudicate(over, {}, Chance(b""))


def test_a_game_ended_without_a_winner_is_shared_by_the_living() -> None:
    players = {**PLAYERS, "Ben": {"hero": "dwarf", "alive": False}}
    done = act(table(players), "gm", {"act": "end", "winner": None})
    assert done.state.winners == (1, 3)
    assert isinstance(done.events[-1].facts, GameWon)
    assert [
        (placing.place, placing.won, placing.how) for placing in REALM_MASTER.placings(done.state)
    ] == [(1, True, "gm"), (3, False, "eliminated"), (1, True, "gm")]


def test_those_who_are_still_in_it_end_the_game_by_agreement_as_a_draw_or_with_a_winner() -> None:
    start = live()
    drawn = REALM_MASTER.act(start, "gm", {"act": "agree", "winners": []}, Chance(b"agree"))
    won = REALM_MASTER.act(start, "gm", {"act": "agree", "winners": [2]}, Chance(b"agree"))
    assert drawn.state.winners == tuple(REALM_MASTER.active(start))
    assert won.state.winners == (2,)
    assert [REALM_MASTER.phase(one.state).over is not None for one in (drawn, won)] == [True, True]
    with pytest.raises(ValueError, match="no living hero"):
        REALM_MASTER.act(start, "gm", {"act": "agree", "winners": [9]}, Chance(b"agree"))


def test_places_behind_the_winner_go_by_banners_then_by_the_turn_of_death() -> None:
    players = {
        "Ann": {"hgb": "7/0/2"},
        "Ben": {"hgb": "9/0/1"},
        "Cid": {"hgb": "8/0/1"},
        "Dan": {"alive": False},
    }
    over = act(table(players), "gm", {"act": "end", "winner": 3}).state
    assert [placing.place for placing in REALM_MASTER.placings(over)] == [2, 3, 1, 4]
    with pytest.raises(ValueError, match="not over"):
        REALM_MASTER.placings(table(players))


def test_who_concedes_dies_at_the_end_of_the_turn_without_a_killer() -> None:
    state = deed(table(PLAYERS, to_play=["Ann"]), 3, "Concede").state
    assert told(state, "Cid")["conceding"] is True
    with pytest.raises(ValueError, match="already-conceded"):
        deed(state, 3, "Concede")
    done = close(state, {"Ann": "Reroll: keep the rest"}, [1, 1, 1, 1, 1])
    assert told(done.state, "Cid")["alive"] is False
    assert "died" in kinds(done.events)


def test_a_killed_hero_is_waited_for_no_more() -> None:
    state = table(PLAYERS, options=LIVE, phase="hit", turn=TURN, hit={"Ben": 1}, to_play=["Ben"])
    done = act(state, "gm", {"act": "strike", "player": 2})
    assert (done.state.stage, done.state.asked) == ("enter", (1,))
    window = act(table(PLAYERS), "gm", {"act": "kill", "player": 2})
    assert window.state.asked == (1, 3)
    assert kinds(window.events) == ["died"]


def test_the_active_hero_killed_by_the_game_master_ends_the_turn() -> None:
    state = table(
        PLAYERS,
        options=LIVE,
        phase="reroll",
        turn={"player": "Ann", "rolled": "sc---"},
        to_play=["Ben"],
    )
    done = act(state, "gm", {"act": "kill", "player": 1}, [1, 1, 1, 1, 1])
    assert (done.state.stage, done.state.asked) == ("reroll", (2,))


def test_the_card_that_a_hero_revealed_lies_in_the_row_when_the_hero_is_killed() -> None:
    """RM-7.5, RM-9.15: nobody is left to decide, and the rules' default places it. A machine of
    random games has found that the dead was asked.
    """
    asked = close(live(), {"Ann": "Reveal a card now; Go on"})
    assert (asked.state.stage, asked.state.asked) == ("place", (1,))
    done = act(asked.state, "gm", {"act": "kill", "player": 1}, [1, 1, 1, 1, 1])
    assert (done.state.stage, done.state.asked) == ("reroll", (2,))
    assert any(pile[0] == "B12" and len(pile) == 2 for pile in done.state.row)


def test_the_attack_of_a_hero_taken_away_does_not_fall() -> None:
    players = {**PLAYERS, "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL", "cards": ["B10"]}}
    state = table(players, options=LIVE, phase="smoke", asked=["Ben"], turn=TURN, to_play=["Ben"])
    done = act(state, "gm", {"act": "kill", "player": 1}, [1, 1, 1, 1, 1])
    assert (done.state.stage, done.state.asked, told(done.state, "Ben")["hgb"]) == (
        "reroll",
        (2,),
        "9/3/0",
    )


def test_corrections_say_what_was_and_what_is() -> None:
    state = live()
    for what, text in (
        (
            {"act": "set-hero", "player": 1, "what": "hearts", "amount": 3, "reason": "miscounted"},
            "3/5/0",
        ),
        ({"act": "set-hero", "player": 1, "what": "gold", "amount": 9}, "3/9/0"),
        ({"act": "set-hero", "player": 1, "what": "banners", "amount": 9}, "3/9/9"),
    ):
        done = act(state, "gm", what)
        state = done.state
        assert told(state, "Ann")["hgb"] == text
        assert isinstance(done.events[0].facts, Corrected)
    state = act(
        state, "gm", {"act": "set-land", "land": "SAL", "hearts": 1, "gold": 2, "banners": 2}
    ).state
    state = act(state, "gm", {"act": "place", "player": 2, "land": "ARU"}).state
    state = act(state, "gm", {"act": "place", "player": 1, "land": "SAL"}).state
    state = act(state, "gm", {"act": "card-give", "player": 1, "card": "B05"}).state
    state = act(state, "gm", {"act": "set-hero", "player": 1, "what": "hearts", "amount": 12}).state
    state = act(state, "gm", {"act": "card-give", "player": 2, "card": "B05"}).state
    state = act(state, "gm", {"act": "card-give", "player": 1, "card": "B01"}).state
    state = act(state, "gm", {"act": "card-take", "player": 1, "card": "B01"}).state
    state = act(state, "gm", {"act": "card-row", "card": "B12", "place": 1}).state
    state = act(state, "gm", {"act": "mode", "mode": "standing"}).state
    written = format_position(state, {})
    assert written["lands"] == {"SAL": "1/2/2", "ARU": "0/0/0", "MER": "0/0/0", "KUR": "0/0/0"}
    assert (told(state, "Ann")["hgb"], told(state, "Ann")["at"], told(state, "Ben")["at"]) == (
        "10/9/9",
        "SAL",
        "ARU",
    )
    assert (told(state, "Ben")["cards"], told(state, "Ann")["cards"]) == (["B05"], [])
    assert written["row"] == ["B12", "B08"]
    assert state.options.mode == "standing"


def test_a_correction_may_win_or_kill() -> None:
    won = act(live(), "gm", {"act": "set-hero", "player": 3, "what": "banners", "amount": 10})
    assert won.state.winners == (3,)
    dead = act(live(), "gm", {"act": "set-hero", "player": 2, "what": "hearts", "amount": 0})
    assert told(dead.state, "Ben")["alive"] is False
    with pytest.raises(ValueError, match="already"):
        act(
            act(live(), "gm", {"act": "card-give", "player": 1, "card": "B01"}).state,
            "gm",
            {"act": "card-give", "player": 1, "card": "B01"},
        )
    with pytest.raises(ValueError, match="lies open"):
        act(live("place", revealed="B19"), "gm", {"act": "card-give", "player": 1, "card": "B19"})


def test_an_objection_names_a_turn_that_was_played() -> None:
    played = close(
        table({"Ann": {"hgb": "7/0/0"}, "Ben": {"hgb": "7/0/0"}}),
        {"Ann": "Reroll: keep the rest", "Ben": "Reroll: keep the rest"},
        [1] * 10,
    )
    made = deed(played.state, 2, "Object to turn 1: the blanks")
    assert made.events[0].facts == ObjectionMade(2, 1, "the blanks")
    with pytest.raises(ValueError, match="no-such-turn"):
        deed(played.state, 2, "Object to turn 9: the blanks")


def test_a_turn_taken_back_is_played_again_with_the_dice_already_drawn() -> None:
    """Standing mode: the window opens again; the same plan gives the same turn, another one uses
    the dice as far as they go.
    """
    players = {"Ann": {"hero": "elf", "hgb": "7/0/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    start = table(players)
    first = close(
        start,
        {"Ann": "Reroll: reroll blanks, keep the rest", "Ben": "Reroll: keep the rest"},
        [1, 1, 4, 4, 4, 5, 5, 4, 4, 4, 4, 4],
    )
    assert (told(first.state, "Ann")["hgb"], told(first.state, "Ben")["hgb"]) == ("9/3/0", "7/5/0")
    back = act(first.state, "gm", {"act": "undo", "turn": 1})
    assert (back.state.stage, back.state.round, told(back.state, "Ann")["hgb"]) == (
        "round",
        1,
        "7/0/0",
    )
    assert isinstance(back.events[0].facts, TakenBack)
    assert back.events[0].facts.dice == 12
    same = close(back.state)
    assert (told(same.state, "Ann")["hgb"], told(same.state, "Ben")["hgb"]) == ("9/3/0", "7/5/0")
    other = close(back.state, {"Ann": "Reroll: reroll coins, keep the rest"}, [2])
    # three coins are rerolled: the two dice of the first time (hearts), then a fresh one
    assert told(other.state, "Ann")["hgb"] == "9/0/0"
    second = act(first.state, "gm", {"act": "undo", "turn": 2})
    assert told(close(second.state).state, "Ann")["hgb"] == "9/3/0"


def test_dice_already_thrown_for_the_lands_lie_again_where_turns_before_them_are_played_again() -> (
    None
):
    """RM-11.9, RM-T13: the card of the next round has been revealed, and its dice were seen."""
    players = {"Ann": {"hero": "elf", "hgb": "7/0/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    keep = {"Ann": "Reroll: keep the rest", "Ben": "Reroll: keep the rest"}
    first = close(
        table(players, turn_deck=["T13", "T01"]), keep, [*[4] * 10, *[5] * 5, *[4] * 5, *[1] * 10]
    )
    for turn in (1, 2):
        again = close(act(first.state, "gm", {"act": "undo", "turn": turn}).state, keep)
        assert (again.state.card, again.state.lands, again.state.stock) == (
            "T13",
            first.state.lands,
            (),
        )
        assert again.state.lands[0].hearts == 5


def test_a_round_taken_back_opens_its_window_again() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/0/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    keep = {"Ann": "Reroll: keep the rest", "Ben": "Reroll: keep the rest"}
    first = close(table(players, turn_deck=["T01", "T02", "T03"]), keep, [4] * 10)
    second = close(first.state, keep, [4] * 10)
    back = act(second.state, "gm", {"act": "undo", "round": True})
    assert (
        back.state.stage,
        back.state.round,
        back.state.card,
        told(back.state, "Ann")["hgb"],
    ) == ("round", 2, "T01", "7/5/0")
    again = close(back.state, keep)
    assert (again.state.round, told(again.state, "Ann")["hgb"]) == (3, "7/10/0")
    assert (
        told(act(again.state, "gm", {"act": "undo", "round": True}).state, "Ann")["hgb"] == "7/5/0"
    )


def test_a_live_turn_taken_back_begins_anew_at_once() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/0/0"}, "Ben": {"hero": "dwarf", "hgb": "7/0/0"}}
    state = table(
        players,
        options=LIVE,
        phase="reroll",
        turn={"player": "Ben", "rolled": "-----"},
        turns=1,
        row=["B01", "B02", "B12"],
    )
    begun = close(state, {"Ben": "Reroll: keep the rest"}, [5, 5, 3, 1, 1])
    assert (begun.state.stage, begun.state.turns) == ("reroll", 2)
    back = act(begun.state, "gm", {"act": "undo", "turn": 2})
    assert (back.state.stage, back.state.asked, back.state.turn) == (
        "reroll",
        (1,),
        begun.state.turn,
    )


def test_both_decks_are_shuffled_anew_when_asked() -> None:
    state = table(PLAYERS, turn_deck=["T01", "T02"], row=["B01", "B02", "B08"], deck=["B12", "B05"])
    done = act(state, "gm", {"act": "reshuffle"}, [("B05", "B12"), ("T02", "T01")])
    assert (done.state.buy_deck, done.state.turn_deck) == (("B05", "B12"), ("T02", "T01"))
    assert (
        act(table(PLAYERS, turn_deck=["T01"], deck=["B12"]), "gm", {"act": "reshuffle"}).events
        == ()
    )


def test_a_ruling_is_told_and_changes_nothing() -> None:
    state = table(PLAYERS)
    done = act(state, "gm", {"act": "rule", "text": "an R is an R"})
    assert (kinds(done.events), done.state) == (["ruling"], state)


def test_nothing_can_be_supposed_of_dice() -> None:
    with pytest.raises(NotSupposable) as told_why:
        REALM_MASTER.suppose(table(PLAYERS), 1, {1: orders_of("Attack: yes")})
    assert told_why.value.code == "by-chance"


def test_what_a_land_cannot_hold_is_refused_with_its_sum() -> None:
    with pytest.raises(ValueError, match="Jerum holds 7 tokens, not 15"):
        act(
            table({"Ann": {}, "Ben": {}}, lands={"JER": "1/1/1"}),
            "gm",
            {"act": "set-land", "land": "JER", "hearts": 5, "gold": 5, "banners": 5},
        )
