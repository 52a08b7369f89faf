"""Turns, Reinforce, ends and table commands: FW-1, FW-4, FW-8, FW-9, and the stored lines."""

from typing import Any

import pytest

from engine.chance import Chance
from engine.fortresses.orders import Buy, Cancel, Done, Draw, NoAttacks
from engine.fortresses.positions.position_out import format_position
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.setup import deal_seats
from engine.fortresses.state import State
from engine.fortresses.units import Units
from engine.ruleset import Event, NotSupposable, Outcome, Seat, Standing
from tests.games.fortresses.engine.playing import codes, orders_of, seats, step, table, units_in
from tests.rows import each_row

ANN_BEN_CARA = {"Ann": ["silver", "gold"], "Ben": ["red"], "Cara": ["blue"]}


def new_game(players: int = 4, *factions: str | None, **options: object) -> Outcome[State]:
    return FORTRESSES.setup(options, seats(players, *factions), Chance(bytes(32)))


def kinds(events: list[dict[str, object]]) -> list[object]:
    return [event["kind"] for event in events]


# ------------------------------------------------------------------------------------------- set-up
def test_a_game_begins_with_silvers_reinforce() -> None:
    """FW-1.5, FW-1.6, FW-2.8, FW-4.1: income 12, the truce."""
    outcome = new_game()
    state = outcome.state
    assert (state.stage, state.active, state.year, state.gold) == ("reinforce", "silver", 1, 12)
    assert [event.kind for event in outcome.events] == ["seats", "turn", "income", "window"]
    told = format_position(state)
    assert told["units"]["Kiev"] == "blue 3L 1K 1W 1D"  # type: ignore[index]
    assert codes(state, "Attack Saxony with 1L from France") == ["truce"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_dealt_one_human_or_two_an_alliance(players: int) -> None:
    """FW-1.3, FW-1.4: dealing uses the stream before anything else."""
    for seed in range(12):
        dealt = deal_seats(seats(players), Chance(bytes([seed])))
        silver, red, blue, gold = dealt.values()
        assert {silver, gold}.isdisjoint({red, blue})
        assert set(dealt.values()) == set(range(1, players + 1))


def test_kingdoms_may_be_chosen() -> None:
    """FW-1.3."""
    assert deal_seats(seats(4, "gold", "blue"), Chance(b""))["gold"] == 1
    assert deal_seats(seats(2, "gold"), Chance(b"")) == {
        "silver": 1,
        "red": 2,
        "blue": 2,
        "gold": 1,
    }
    assert deal_seats(seats(3, "red", "blue"), Chance(b"")) == {
        "silver": 3,
        "red": 1,
        "blue": 2,
        "gold": 3,
    }
    for wrong, count in ((("silver", "gold"), 2), (("silver", "silver"), 3), (("green",), 4)):
        with pytest.raises(ValueError, match=r"human|chosen|none of"):
            deal_seats(seats(count, *wrong), Chance(b""))


@each_row(
    ("options", "players", "why"),
    [
        ({"mode": "fast"}, seats(2), "no option"),
        ({"year_limit": "long"}, seats(2), "number of Years"),
        ({"year_limit": -1}, seats(2), "number of Years"),
        ({}, seats(1), "2 to 4"),
        ({}, seats(4)[1:], "numbered"),
        ({}, [Seat(1, "A", "red"), Seat(2, "A", "blue")], "same name"),
        ({}, [Seat(1, "A", "red"), Seat(2, "B", "red")], "same colour"),
        ({}, [Seat(1, " ", "red"), Seat(2, "B", "blue")], "no name"),
        ({}, [Seat(1, "A", "red", "X"), Seat(2, "B", "blue")], "team"),
    ],
)
def test_what_cannot_be_set_up(options: dict[str, object], players: list[Seat], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        FORTRESSES.setup(options, players, Chance(b""))


def test_the_table_before_the_start() -> None:
    assert FORTRESSES.choices({}).factions == ("silver", "red", "blue", "gold")
    assert FORTRESSES.windows == {"attack": 48, "battle": 12, "reinforce": 24}
    assert FORTRESSES.players == (2, 4)
    assert FORTRESSES.options_voted({}) == {}
    assert FORTRESSES.settle_votes((), ({},), Chance(b"")).events == ()
    FORTRESSES.check_options({"year_limit": 0})
    FORTRESSES.check_players({}, 3)
    with pytest.raises(ValueError, match="nobody votes on mode"):
        FORTRESSES.settle_votes(("mode",), (), Chance(b""))


def test_windows_and_reminders() -> None:
    """FW-4.2, FW-4.3, FW-4.11: the active kingdom's human alone is asked; a quarter remains, 2 to
    12 hours.
    """
    phase = FORTRESSES.phase(table("attack", "blue", units={"Kiev": "blue 1L"}))
    assert (phase.asked, phase.hours, phase.reminders) == ((3,), 48, (0.75,))
    assert FORTRESSES.phase(table("reinforce", "gold")).reminders == (0.75,)


# ---------------------------------------------------------------------------- lines and their close
def test_lines_are_judged_one_by_one_and_kept() -> None:
    """FW-4.4, FW-4.7, FW-4.9: added, taken back by number, judged again."""
    state = table("attack", "red", units={"Egypt": "red 1L", "Tripoli": "red 1D"})
    first = FORTRESSES.check(
        state,
        2,
        Standing(),
        orders_of(["Attack Syria with 1L from Egypt", "Attack Syria with 1D from Tripoli"]),
    )
    assert not first.complete
    assert FORTRESSES.lacking(state, 2, first.standing) == ("Done",)
    more = FORTRESSES.check(
        state, 2, first.standing, orders_of(["Attack Syria with 1L from Egypt", "Done"])
    )
    assert [(problem.code, problem.order) for problem in more.problems] == [
        ("too-few-units", 0),
        ("final-held", 1),
    ]
    assert not more.standing.final
    back = FORTRESSES.check(state, 2, first.standing, orders_of(["Cancel 1"]))
    assert [(problem.code, problem.order) for problem in back.problems] == [("air-empty", None)]
    assert back.standing.orders == ()
    assert back.replaced == first.standing.orders[:1]
    wrong = FORTRESSES.check(state, 2, first.standing, orders_of(["Cancel 3"]))
    assert [problem.code for problem in wrong.problems] == ["out-of-range"]
    nothing = FORTRESSES.check(
        state, 2, first.standing, orders_of(["Cancel all", "Cancel 1", "No attacks"])
    )
    assert nothing.standing == Standing((NoAttacks(),), final=True)


def test_f103_what_held_lines_have_bought_uses_up_the_limit_of_their_land() -> None:
    """FW-4.4, FW-8.4: a Castle takes one new unit in a phase."""
    bought = Buy(Units(1), "Egypt")
    for held, is_left in (([], True), (["Buy 1L in Egypt"], False)):
        state = table("reinforce", "red", units={"Egypt": "red 2L"}, held=held)
        assert (bought in FORTRESSES.legal(state, 2)) == is_left
        assert bool(FORTRESSES.check(state, 2, Standing(), (bought,)).accepted) == is_left


def test_held_lines_go_before_and_can_be_taken_back() -> None:
    """FW-4.4, FW-4.8: numbers count held lines first."""
    held = ["Attack Syria with 1L from Egypt", "Then: Buy nothing"]
    state = table("attack", "red", units={"Egypt": "red 2L"}, held=held)
    found = FORTRESSES.check(state, 2, Standing(), orders_of(["Attack Syria with 1L from Egypt"]))
    assert found.problems == ()
    back = FORTRESSES.check(state, 2, found.standing, orders_of(["Cancel 2", "Cancel 3"]))
    assert back.standing.orders == (Cancel(2),)
    again = FORTRESSES.check(state, 2, back.standing, orders_of(["Cancel 1"]))
    assert again.standing.orders == (Cancel(2), Cancel(1))
    assert [order for order in FORTRESSES.legal(state, 2) if isinstance(order, Cancel)] == [
        Cancel(),
        Cancel(1),
        Cancel(2),
    ]
    assert units_in(step(state).state, "Syria") == "red 1L"
    after = step(state, "Cancel 1")
    assert (units_in(after.state, "Egypt"), after.position["held"], after.position["answered"]) == (
        "red 2L",
        ["Buy nothing"],
        True,
    )
    broken = table("attack", "red", units={"Egypt": "red 1K"}, held=held)
    assert step(broken).problems == {"red": ["too-few-units"]}
    assert codes(broken, "Draw", by="gold") == []


def test_what_is_offered_leaves_the_gold_and_units_of_held_lines_alone() -> None:
    """FW-4.4, FW-8.8: a held purchase has spent its gold before the next line is judged."""
    held = ["Buy 1L in Constantinople"]
    state = table("reinforce", "gold", gold=15, held=held)
    offered = list(FORTRESSES.legal(state, 4))
    assert any(isinstance(order, Buy) for order in offered)
    refused = {
        problem.code
        for order in offered
        for problem in FORTRESSES.check(state, 4, Standing(), [order]).problems
    }
    assert refused == set()


def test_done_closes_if_every_line_stood() -> None:
    """FW-4.5."""
    state = table("attack", "red", units={"Egypt": "red 1L"})
    for text in ("Done", "No attacks", "Then: Done"):
        assert FORTRESSES.check(state, 2, Standing(), orders_of([text])).complete
    found = FORTRESSES.check(
        state, 2, Standing(), orders_of(["Done", "Attack Syria with 2L from Egypt"])
    )
    assert not found.complete
    assert FORTRESSES.check(state, 2, Standing((Done(),), final=True), ()).standing.final


def test_there_is_an_end_to_lines() -> None:
    state = table("attack", "red", units={"Egypt": "red 1L"})
    found = FORTRESSES.check(
        state, 2, Standing(), orders_of(["Lose K", *["Keep a conqueror"] * 200])
    )
    assert [(problem.code, problem.order) for problem in found.problems] == [("out-of-range", 200)]
    assert len(found.standing.orders) == 2
    assert FORTRESSES.lacking(state, 1, Standing()) == ()


def test_done_with_unspent_gold_does_not_close() -> None:
    """FW-4.6, FF-8.11."""
    assert codes(table("reinforce", "silver"), "Done") == ["unspent"]
    assert codes(table("reinforce", "silver"), "Done", "Buy nothing") == []
    assert codes(table("reinforce", "silver"), "Done", "Buy 1L in Normandy") == []
    assert codes(table("reinforce", "silver", gold=1), "Done") == []
    lost = dict.fromkeys(("Normandy", "England", "France", "Denmark"), "red")
    assert codes(table("reinforce", "silver", owners=lost), "Done") == []


def test_one_mail_for_the_whole_turn() -> None:
    """FW-4.8: all stand and `done` was said, or what stands is held and the window opens."""
    units = {"Egypt": "red 1L 1K"}
    texts = (
        "Attack Syria with 1L from Egypt",
        "Then: Buy 1K in Syria",
        "Then: Move all K from Egypt to Tripoli",
        "Then: Done",
    )
    found = step(table("attack", "red", units=units), *texts)
    assert found.state.active == "blue"
    assert found.means == {"red": list(texts)}
    assert (units_in(found.state, "Tripoli"), units_in(found.state, "Syria")) == (
        "red 1K",
        "red 1L 1K",
    )
    found = step(
        table("attack", "red", units=units),
        *texts,
        "Then: Buy 1L in Castile",
        "Then: Attack Syria with 1K from Egypt",
    )
    assert found.problems == {"red": ["placement-limit", "not-now"]}
    assert (found.state.stage, found.state.active) == ("reinforce", "red")
    assert found.position["held"] == ["Buy 1K in Syria", "Move 1K from Egypt to Tripoli"]
    assert units_in(step(found.state).state, "Tripoli") == "red 1K"
    found = step(table("attack", "red", units=units), "Then: Done")
    assert found.problems == {"red": ["unspent"]}


def test_skipped_requests_and_turns() -> None:
    """FW-4.13, FW-9.6: no unit, no Attack; nothing to do, no Reinforce; neither Lands nor units, no
    turn.
    """
    found = step(table("reinforce", "silver", units={"Normandy": "silver 1L"}), "Buy nothing")
    assert (found.state.stage, found.state.active) == ("reinforce", "red")
    names = [name for name, owner in format_position(table())["owners"].items() if owner == "red"]  # type: ignore[attr-defined]
    landless: dict[str, Any] = {"owners": dict.fromkeys(names, "blue")}
    found = step(table("reinforce", "silver", **landless), "Buy nothing")
    assert kinds(found.events)[-4:] == ["turn-skipped", "turn", "income", "window"]
    ships = {"Atlantic Ocean": "red 1G", "Bay of Biscay": "silver 1G"}
    fleet = table("attack", "red", units=ships, **landless)
    found = step(
        fleet,
        "Attack Bay of Biscay with 1G from Atlantic Ocean",
        "Then: Always: Lose L",
        dice=[6, 1],
    )
    assert (found.state.active, found.position["presets"]) == ("blue", {"red": ["Lose L"]})
    assert step(fleet, "No attacks").state.stage == "reinforce"


# ------------------------------------------------------------------------------- gold and placement
@each_row(
    ("text", "code"),
    [
        ("Buy 6L in Normandy", ""),
        ("Buy 7L in Normandy", "cannot-afford"),
        ("Buy 1L in Flanders", "placement-limit"),
        ("Buy 1L in Greece", "not-yours"),
        ("Buy 1L in Saxony", "not-yours"),
        ("Buy 1L in North Sea", "not-understood"),
        ("Buy 1G in Normandy", "not-understood"),
        ("Buy 1L in Normandy from Normandy", "not-understood"),
        ("Buy 1G in English Channel from North Sea", "not-understood"),
        ("Buy 1G in English Channel from France", "no-coast"),
        ("Buy 1G in Black Sea from Kiev", "not-yours"),
        ("Buy 1G in Black Sea", "placement-limit"),
        ("Buy 1G in Irish Sea", ""),
        ("Buy 2G in Irish Sea", "placement-limit"),
        ("Buy 2G in English Channel", ""),
        ("Buy 1G in North Sea", "enemy-sea"),
        ("Buy 1D in Normandy", "supply-limit"),
        ("Buy 1K 1D in Normandy", "supply-limit"),
        ("Buy 2K in England", "placement-limit"),
        ("Buy 1G in Atlantic Ocean", "placement-limit"),
    ],
)
def test_purchases(text: str, code: str) -> None:
    """FW-8.4 to FW-8.8, FW-3.5, FW-3.6, FW-11.4, FF-8.10."""
    units = {"North Sea": "blue 1G", "France": "silver 4D"}
    state = table("reinforce", "silver", units=units)
    assert codes(state, text) == ([code] if code else [])


def test_where_a_galleon_is_bought_if_no_land_is_named() -> None:
    """FW-8.6: a Fortress before a Castle, alphabetically."""
    found = step(table("reinforce", "silver"), "Buy 1G in English Channel", "Buy 1G in North Sea")
    assert found.means["silver"] == [
        "Buy 1G in English Channel from Normandy",
        "Buy 1G in North Sea from Denmark",
    ]


def test_nothing_of_reinforce_needs_chance() -> None:
    """FW-7.18: it can be supposed, by whoever is asked."""
    state = table("reinforce", "silver", units={"Normandy": "silver 1L"})
    orders = {1: orders_of(["Buy 1K in Normandy"])}
    assert (
        FORTRESSES.suppose(state, 1, orders).state
        == FORTRESSES.adjudicate(state, orders, Chance(b"x")).state
    )
    with pytest.raises(NotSupposable, match="not-asked"):
        FORTRESSES.suppose(state, 2, {2: orders_of(["Buy 1K in Normandy"])})


# ------------------------------------------------------------------------------ missing and command
def test_three_missed_turns_make_absent() -> None:
    """FW-4.12, FF-8.14: a valid mail of that human resets it; who is commanded is not counted."""
    units = {"Egypt": "red 1L", "Kiev": "blue 1L"}
    state = table("reinforce", "red", units=units, missed={"red": 2})
    found = step(state)
    assert [event["kind"] for event in found.events if event["kind"] in ("missed", "absent")] == [
        "missed",
        "absent",
    ]
    assert found.position["missed"] == {"red": 3}
    assert step(state, "Buy nothing").position["missed"] == {}
    assert step(state, "Draw").position["missed"] == {}
    assert step(state, "Move 1L from Egypt to Syria").position["missed"] == {"red": 3}
    told = step(table("reinforce", "red", units=units, missed={"red": 4}, command={"red": "blue"}))
    assert told.position["missed"] == {"red": 4}


def test_the_partner_takes_command_and_gives_it_back() -> None:
    """FW-9.8, FW-4.14: undone by the first mail of the absent one."""
    state = table("attack", "red", units={"Egypt": "red 1L"}, missed={"red": 3})
    assert codes(state, "Take command", by="silver") == ["not-now"]
    assert codes(state, "Done", by="blue") == ["not-your-turn"]
    chance = Chance(b"")
    taken = FORTRESSES.act(state, 3, {"act": "order", "order": "Take command"}, chance).state
    assert FORTRESSES.phase(taken).asked == (3,)
    assert codes(taken, "Take command", by="blue") == ["not-now"]
    assert codes(taken, "Attack Syria with 1L from Egypt", by="blue") == []
    back = step(taken, "Attack Syria with 1L from Egypt", by="red")
    assert "command-returned" in kinds(back.events)
    assert (units_in(back.state, "Syria"), back.position["missed"]) == ("red 1L", {})
    both = FORTRESSES.adjudicate(
        taken, {2: orders_of(["Done"]), 3: orders_of(["Attack Syria with 1L from Egypt"])}, chance
    ).state
    assert units_in(both, "Egypt") == "red 1L"


# --------------------------------------------------------------------------------------------- ends
def end_of(state: State, *said: tuple[str, str]) -> tuple[object, object]:
    """What commands in a row come to at the close."""
    for name, text in said:
        number = next(player.number for player in state.players if player.name == name)
        state = FORTRESSES.act(state, number, {"act": "order", "order": text}, Chance(b"")).state
        assert state.stage != "over", "an act never ends the open phase"
    asked = FORTRESSES.phase(state).asked[0]
    if state.winner is not None:
        assert FORTRESSES.is_ready(state, asked, Standing())
        assert list(FORTRESSES.legal(state, asked))[:1] != [Draw()]
    after = step(state).position
    return after.get("winner"), after.get("by")


def test_draws_concessions_resignations_and_claims() -> None:
    """FW-9.3, FW-9.4, FW-9.5, FW-9.8, FW-1.2."""
    state = table("reinforce", "silver", units={"Kiev": "blue 1L"}, seats=ANN_BEN_CARA)
    assert end_of(state, ("Ann", "Draw"), ("Ben", "Draw")) == (None, None)
    assert end_of(state, ("Ann", "Draw"), ("Ben", "Draw"), ("Cara", "Draw")) == (
        "draw",
        "agreement",
    )
    assert end_of(state, ("Ben", "Concede")) == (None, None)
    assert end_of(state, ("Ben", "Concede"), ("Cara", "Concede")) == ("silver_gold", "concession")
    assert end_of(state, ("Ann", "Concede")) == ("red_blue", "concession")
    assert end_of(state, ("Ann", "Resign")) == ("red_blue", "resignation")
    assert end_of(state, ("Ben", "Resign")) == (None, None)
    absent = table("reinforce", "silver", seats=ANN_BEN_CARA, missed={"red": 3})
    assert end_of(absent, ("Ann", "Draw"), ("Cara", "Draw")) == ("draw", "agreement")
    assert codes(absent, "Claim the win", by="Ann") == ["not-now"]
    alone = table("reinforce", "silver", seats=ANN_BEN_CARA, missed={"red": 3, "blue": 5})
    assert end_of(alone, ("Ann", "Claim the win")) == ("silver_gold", "absence")


def test_a_command_that_ends_the_game_closes_the_phase() -> None:
    """FW-9.4: the check says so; nothing else is done."""
    state = table(
        "attack",
        "red",
        units={"Egypt": "red 1L"},
        seats={"Ann": ["silver", "gold"], "Ben": ["red", "blue"]},
    )
    assert FORTRESSES.check(state, 1, Standing(), orders_of(["Resign"])).complete
    found = step(state, "Attack Syria with 1L from Egypt", "Resign")
    assert (found.position["winner"], found.position["by"], units_in(found.state, "Egypt")) == (
        "silver_gold",
        "resignation",
        "red 1L",
    )
    assert [placing.place for placing in FORTRESSES.placings(found.state)] == [1, 2]
    assert codes(found.state, "Draw", by="Ann") == ["not-now"]
    assert codes(found.state, "Done", by="Ann") == ["not-now"]
    assert list(FORTRESSES.legal(found.state, 1)) == []
    assert FORTRESSES.defaults(found.state, 1, Standing()) == ()
    with pytest.raises(ValueError, match="over"):
        FORTRESSES.adjudicate(found.state, {}, Chance(b""))
    with pytest.raises(ValueError, match="over"):
        FORTRESSES.act(found.state, "gm", {"act": "agree", "winners": []}, Chance(b""))


def test_who_resigns_leaves_the_kingdoms_to_the_partner() -> None:
    """FW-9.4: commands given end as well; the seat is gone."""
    state = table(
        "attack",
        "red",
        units={"Egypt": "red 1L"},
        missed={"blue": 3},
        command={"blue": "red"},
        agreed={"draw": ["red"]},
    )
    found = step(state, "Resign")
    assert found.position["seats"] == {
        "silver": ["silver"],
        "blue": ["red", "blue"],
        "gold": ["gold"],
    }
    assert (found.position["command"], found.position["agreed"]) == ({}, {})
    assert FORTRESSES.active(found.state) == (1, 3, 4)
    assert codes(found.state, "Draw", by="red") == ["not-your-turn"]
    won = FORTRESSES.act(found.state, "gm", {"act": "agree", "winners": [3]}, Chance(b"")).state
    assert [(placing.place, placing.won, placing.how) for placing in FORTRESSES.placings(won)] == [
        (2, False, "agreement"),
        (4, False, "resignation"),
        (1, True, "agreement"),
        (2, False, "agreement"),
    ]


def test_the_year_limit() -> None:
    """FW-9.2, FF-8.16: Fortresses, then income, else a draw; after Gold's turn, even one that was
    skipped.
    """

    def last(**told: object) -> object:
        return step(
            table("reinforce", "gold", options={"year_limit": 2}, **told), "Buy nothing"
        ).position.get("winner")

    assert last() == "draw"
    assert last(owners={"Saxony": "silver"}) == "silver_gold"
    assert last(owners={"Saxony": "silver", "Normandy": "red"}) == "red_blue"
    assert last(year=1) is None
    assert last(year=3) == "draw"
    gold = [name for name, owner in format_position(table())["owners"].items() if owner == "gold"]  # type: ignore[attr-defined]
    landless = table(
        "reinforce", "blue", options={"year_limit": 2}, owners=dict.fromkeys(gold, "silver")
    )
    assert step(landless, "Buy nothing").position["by"] == "year-limit"
    endless = step(
        table(
            "reinforce",
            "gold",
            options={"year_limit": 0},
            year=400,
            units={"Normandy": "silver 1L"},
        ),
        "Buy nothing",
    )
    assert (endless.position["year"], endless.position["active"]) == (401, "silver")


def test_there_is_no_victory_by_elimination() -> None:
    """FW-9.6, FW-9.7, FW-1.7: a kingdom without Lands goes on with its units."""
    red = [name for name, owner in format_position(table())["owners"].items() if owner == "red"]  # type: ignore[attr-defined]
    state = table(
        "attack", "red", owners=dict.fromkeys(red, "blue"), units={"Tripoli": "red 1L 1K"}
    )
    found = step(state, "No attacks")
    assert (found.position["phase"], found.position["gold"]) == ("reinforce", 0)
    assert codes(found.state, "Buy 1L in Andalusia") == ["not-yours"]
    assert codes(found.state, "Done") == []


def test_what_a_game_master_does() -> None:
    """FW-9.3, FW-9.4: agreements of the house, leaving, and proposals whose hours are over."""
    state = table(
        "reinforce", "silver", seats=ANN_BEN_CARA, agreed={"draw": ["Ann"], "concede": ["Ben"]}
    )

    def act(**told: object) -> Outcome[State]:
        return FORTRESSES.act(state, "gm", told, Chance(b""))

    assert act(act="agree", winners=[2, 3]).state.winner == "red_blue"
    assert act(act="agree", winners=[], reason="tired").state.winner == "draw"
    assert act(act="lapse", what="draw").state.draw == ()
    assert act(act="lapse", what="concede").state.concede == ()
    assert act(act="remove", player=2).state.realms[1].seat == 3
    assert act(act="remove", player=1).state.how == "resignation"
    red = table("reinforce", "red", seats=ANN_BEN_CARA)
    assert FORTRESSES.phase(
        FORTRESSES.act(red, "gm", {"act": "remove", "player": 2}, Chance(b"")).state
    ).asked == (3,)
    for wrong in (
        {"act": "agree", "winners": [1, 2]},
        {"act": "agree", "winners": ["Ann"]},
        {"act": "remove", "player": 9},
        {"act": "x"},
    ):
        with pytest.raises(ValueError, match=r"both|no player|no seat|no such"):
            FORTRESSES.act(state, "gm", wrong, Chance(b""))
    for told in (
        {"act": "order", "order": "Done"},
        {"act": "order", "order": "Take command"},
        {"act": "order", "order": "?"},
        {"act": "x"},
    ):
        with pytest.raises(ValueError, match=r"at once|refused|canonical|no such"):
            FORTRESSES.act(state, 1, told, Chance(b""))
    with pytest.raises(ValueError, match="no seat"):
        FORTRESSES.act(state, 7, {"act": "heard"}, Chance(b""))


def test_what_is_public() -> None:
    """FW-1.8, FW-4.10: orders are told when their phase closes, and battles run at once; a view
    hides nothing.
    """
    state = table("attack", "red", units={"Egypt": "red 1L"}, missed={"blue": 3})
    found = step(state, "Attack Syria with 1L from Egypt", "Then: Buy nothing")
    assert {
        "kind": "orders",
        "kingdom": "red",
        "stage": "attack",
        "lines": ["Attack Syria with 1L from Egypt"],
    } in found.events
    view: Any = FORTRESSES.view(found.state, None)
    assert view.zone("Syria").owner == "red"
    assert view.kingdom("red").income == 14
    assert (view.absent, view.you, view.asked) == ((3,), None, (2,))
    assert FORTRESSES.view(found.state, 2) != view
    with pytest.raises(KeyError):
        view.zone("Atlantis")
    with pytest.raises(ValueError, match="no player"):
        FORTRESSES.view(state, 9)
    with pytest.raises(ValueError, match="not over"):
        FORTRESSES.placings(state)


def test_events_carry_their_rules() -> None:
    events: list[Event] = step(
        table("attack", "red", units={"Egypt": "red 1L"}), "Attack Syria with 1L from Egypt"
    ).raw
    assert all(event.rules for event in events)


def test_fw_1_8_lines_kept_for_reinforce_are_seen_by_their_commander_alone() -> None:
    held = ["Buy 3L in Andalusia"]
    state = table("reinforce", "red", base="start", held=held)
    seen = {number: FORTRESSES.view(state, number).held for number in (None, 1, 2, 3, 4)}  # type: ignore[attr-defined]
    assert [number for number, lines in seen.items() if lines] == [FORTRESSES.phase(state).asked[0]]
    without = table("reinforce", "red", base="start")
    for number in (None, 1, 3, 4):
        assert FORTRESSES.view(state, number) == FORTRESSES.view(without, number)
