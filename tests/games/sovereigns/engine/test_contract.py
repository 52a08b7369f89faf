"""The game as the house sees it: set-up, phases, acts, defaults, placings, bytes."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.positions import PositionError
from engine.ruleset import Seat, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.events import SplitMade
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.running_phase import base_of
from engine.sovereigns.seasons.technologies import propose
from engine.sovereigns.seasons.trades import answer
from engine.sovereigns.state import Building, Loan, OpenBallot, OpenOffer, Points, State, Undone
from engine.sovereigns.table import Table
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.playing import SEED, new_game, play, seats, sound, table
from tests.rows import each_row

TWO: dict[str, dict[str, Any]] = {"A": {}, "B": {}}


def gm(state: State, **told: object) -> State:
    return sound(SOVEREIGNS.act(state, "gm", told, Chance(SEED))).state


def do(state: State, player: int, text: str) -> State:
    told = SOVEREIGNS.act_of(parse_order(state, text))
    assert told is not None
    return sound(SOVEREIGNS.act(state, player, told, Chance(SEED))).state


# --------------------------------------------------------------------------------- before the start
def test_seats_are_shuffled_and_all_are_asked_for_a_split() -> None:
    """SS-0.1, SS-0.3, SS-1.1, SS-1.4, SS-12.1."""
    stream = Chance(SEED)
    outcome = sound(SOVEREIGNS.setup({}, seats(5), stream))
    assert [draw.label for draw in stream.draws] == ["seating"]
    assert outcome == SOVEREIGNS.setup({}, seats(5), Chance(SEED))
    phase = SOVEREIGNS.phase(outcome.state)
    assert (phase.kind, phase.asked, phase.hours, phase.turn) == ("setup", (1, 2, 3, 4, 5), 48, 0)
    assert SOVEREIGNS.view(outcome.state, None) == replace(
        SOVEREIGNS.view(outcome.state, 1), you=None
    )  # type: ignore[type-var]


def test_what_does_not_fit_is_said() -> None:
    """SS-1.4, SS-11.8."""
    for options in ({"speed": 3}, {"max_years": 0}, {"max_years": "x"}):
        with pytest.raises(ValueError, match="max_years"):
            SOVEREIGNS.check_options(options)
    for count in (1, 13):
        with pytest.raises(ValueError, match="2 to 12 players"):
            SOVEREIGNS.check_players({}, count)
    for wrong in (
        [Seat(2, "a", ""), Seat(1, "b", "")],
        [Seat(1, "a", ""), Seat(2, "a", "")],
        [Seat(1, "a", ""), Seat(2, " ", "")],
        [Seat(1, "a", ""), Seat(2, "b", "", team="x")],
    ):
        with pytest.raises(ValueError, match=r"numbered|name|team"):
            SOVEREIGNS.setup({}, wrong, Chance(SEED))


def test_nothing_is_voted_on_or_chosen_before() -> None:
    assert SOVEREIGNS.settle_votes((), [{}, {}], Chance(SEED)).options == {}
    assert SOVEREIGNS.options_voted({}) == {}
    assert SOVEREIGNS.choices({}).teams == 0
    with pytest.raises(ValueError, match="nobody votes on colour"):
        SOVEREIGNS.settle_votes(("colour",), [], Chance(SEED))


# ------------------------------------------------------------------------------------------- phases
def test_phases_and_their_windows() -> None:
    """SS-2.1, SS-12.2, SS-12.3: the names of the seasons, year starts between them."""
    state = new_game(2)
    kinds = []
    for _ in range(7):
        phase = SOVEREIGNS.phase(state)
        kinds.append((phase.kind, phase.turn, phase.hours))
        state = SOVEREIGNS.adjudicate(state, {}, Chance(SEED)).state
    assert kinds[:3] == [("setup", 0, 48), ("year-start", 1, 36), ("season", 1, 72)]
    assert kinds[6] == ("year-start", 2, 36)


def test_what_is_waited_for() -> None:
    """SS-12.1 to SS-12.3: an answer, a kept one, or done; an open offer keeps a season open."""
    state = new_game(2)
    assert SOVEREIGNS.lacking(state, 1, Standing()) == ("split",)
    assert SOVEREIGNS.defaults(state, 1, Standing()) == (o.Split(3, 3, 3),)
    assert next(iter(SOVEREIGNS.legal(state, 1))) == o.Split(1, 1, 7)
    split = SOVEREIGNS.check(state, 1, Standing(), [o.Split(4, 3, 2)])
    assert split.complete
    assert SOVEREIGNS.is_ready(state, 1, split.standing)
    assert SOVEREIGNS.lacking(state, 1, split.standing) == ()
    year = table(
        {"A": {"standing": {"year": "Harmony: 1H"}}, "B": {"year_order": "Harmony: 2H"}, "C": {}},
        phase="year-start",
    )
    assert [SOVEREIGNS.is_ready(year, player, Standing()) for player in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
    assert SOVEREIGNS.lacking(year, 3, Standing()) == ("support",)
    assert SOVEREIGNS.defaults(year, 1, Standing()) == (parse_order(year, "Harmony: 1H"),)
    season = table({"A": {"standing": {"season": "Research: 1R"}}, "B": {}})
    assert SOVEREIGNS.defaults(season, 1, Standing()) == (parse_order(season, "Research: 1R"),)
    assert SOVEREIGNS.defaults(season, 2, Standing()) == (o.Pass(),)
    assert SOVEREIGNS.defaults(season, 2, Standing((o.Pass(),))) == (o.Pass(),)
    done = SOVEREIGNS.check(season, 1, Standing(), [o.Done()])
    assert done.complete
    assert SOVEREIGNS.is_ready(season, 1, done.standing)
    offered = do(season, 1, "Offer B: 1R against nothing")
    assert not SOVEREIGNS.is_ready(offered, 1, done.standing)
    assert SOVEREIGNS.lacking(offered, 1, done.standing) == ()
    over = gm(season, act="end", winner=1)
    assert SOVEREIGNS.lacking(over, 1, Standing()) == ()
    assert SOVEREIGNS.defaults(over, 1, Standing()) == ()
    assert list(SOVEREIGNS.legal(over, 1)) == []


def test_the_clock_goes_on_only_and_stands_for_the_close() -> None:
    """SS-12.4: a phase closes at the hour that the clock was told last."""
    told = {"A": {"discoveries": [{"name": "steel", "code": "STAT-CALM", "left": 24}]}, "B": {}}
    early = SOVEREIGNS.adjudicate(gm(table(told), act="clock", hour=10), {}, Chance(SEED)).state
    assert early.kingdom(1).discoveries[0].left == 14
    at_once = SOVEREIGNS.adjudicate(table(told), {}, Chance(SEED)).state
    assert at_once.kingdom(1).discoveries[0].left == 24
    assert SOVEREIGNS.next_hour(table(told)) == 24
    told_hour = SOVEREIGNS.act_of_hour(table(told), 24)
    assert told_hour == {"act": "clock", "hour": 24}
    assert gm(table(told), **told_hour).kingdom(1).tech == ("steel",)
    assert SOVEREIGNS.act_of_hour(table(told), 0) is None
    for wrong in (-1, "3", 10**6):
        with pytest.raises(ValueError, match="clock"):
            gm(table(told), act="clock", hour=wrong)


def test_an_early_close_lets_objections_lapse_and_a_redo_pass() -> None:
    """SS-10.3, SS-12.6."""
    game = play({"A": {"M": 3}, "B": {"M": 3}}, [["A", "B"], 6, 6, 1])
    game.say("A", "Expedition: 2M")
    game.say("B", "Expedition: 1M")
    game.close()
    objected = do(gm(game.state, act="clock", hour=1), 2, "Object to action 1: no")
    assert not SOVEREIGNS.is_ready(objected, 1, Standing((o.Pass(),)))
    closed = sound(SOVEREIGNS.adjudicate(objected, {}, Chance(SEED)))
    assert [event.kind for event in closed.events][:1] == ["verdict"]
    undone = gm(objected, act="verdict", objection=1, upheld=True, reason="fair")
    assert SOVEREIGNS.lacking(undone, 1, Standing()) == ("redo",)
    assert SOVEREIGNS.phase(gm(undone, act="clock", hour=5)).hours == 72 + 24
    assert o.Redo(o.Pass()) in list(SOVEREIGNS.legal(undone, 1))
    closed = sound(SOVEREIGNS.adjudicate(undone, {}, Chance(SEED)))
    assert closed.state.season == "Autumn"
    assert closed.state.kingdom(1).total.R == 3
    assert sum(event.kind == "re-resolved" for event in closed.events) == 2


def test_an_old_objection_is_not_upheld_while_another_action_is_done_again() -> None:
    """F-90: in records that are older than the rule an objection may be open beside a redo."""
    game = play({"A": {}, "B": {}, "C": {}}, [["A", "B"], 6, 6, 1])
    game.say("A", "Expedition: 2M")
    game.say("B", "Expedition: 1M")
    game.close()
    first, second = (played.number for played in game.state.played)
    objected = do(game.state, 3, f"Object to action {second}: no")
    (objection,) = objected.objections
    both = replace(gm(objected, act="rollback", action=first), objections=(objection,))
    with pytest.raises(Refused, match="nothing of that number"):
        gm(both, act="verdict", objection=1, upheld=True)
    denied = gm(both, act="verdict", objection=1, upheld=False)
    assert denied.undone == both.undone


def test_a_game_that_was_over_waits_for_the_redo_alone() -> None:
    """SS-10.7: and without one the action is a pass."""
    game = play({"A": {"M": 4}, "B": {"M": 0}}, [1])
    game.say("A", "Attack B: 1M")
    game.close()
    game.say("GM", "gm rollback 1")
    phase = SOVEREIGNS.phase(game.state)
    assert (phase.kind, phase.asked, phase.over) == ("redo", (1,), None)
    with pytest.raises(ValueError, match="not over"):
        SOVEREIGNS.placings(game.state)
    after = sound(SOVEREIGNS.adjudicate(game.state, {}, Chance(SEED))).state
    assert (after.stage, after.season, after.winners) == ("season", "Summer", ())
    later = gm(game.state, act="clock", hour=24)
    assert later.stage == "season"
    again = play({"A": {"M": 4}, "B": {"M": 0}}, [1, 1])
    again.say("A", "Attack B: 1M")
    again.close()
    again.say("GM", "gm rollback 1")
    again.say("A", "Redo: Attack B: 1M, boon")
    assert again.state.stage == "over"
    assert SOVEREIGNS.phase(again.state).over is not None


def test_what_was_done_since_is_dropped_where_it_no_longer_stands() -> None:
    """SS-10.5: and a redo may end the game."""
    game = play({"A": {"M": 4, "R": 2}, "B": {"M": 0, "R": 1}, "C": {}}, [2, 1])
    game.say("A", "Expedition: 1M")
    game.close()
    game.say("GM", "gm mod B +1 flat until year")
    game.say("B", "Claim victory")
    game.clock(3)
    game.say("GM", "gm rollback 1")
    game.say("A", "Redo: Attack B: 1M")
    assert game.state.living == (1, 3)
    assert game.state.ballots == ()
    assert game.state.hour == 3
    ended = play({"A": {"M": 4}, "B": {"M": 0}}, [2, 3])
    ended.say("A", "Expedition: 1M")
    ended.close()
    ended.say("B", "Every season: Expedition: 1M")
    ended.clock(2)
    ended.say("GM", "gm rollback 1")
    ended.say("A", "Redo: Attack B: 1M")
    assert (ended.state.stage, ended.state.winners) == ("over", (1,))


def test_silence_for_four_seasons_is_told() -> None:
    """SS-11.9."""
    game = play({"A": {}, "B": {}})
    for _ in range(5):
        game.say("A", "Pass" if game.state.stage == "season" else "Harmony: 3H")
        if game.state.stage == "year-start":
            game.chance = Chance(bytes([7]) * 32)
        game.close()
    told = [event.facts for event in game.events if event.kind == "replacement-wanted"]
    assert [getattr(facts, "kingdom", 0) for facts in told] == [2]


# --------------------------------------------------------------------------------------------- acts
def test_ends_by_agreement_and_who_leaves() -> None:
    """SS-10.8, SS-11.3."""
    state = table({"A": {}, "B": {}, "C": {}})
    drawn = gm(state, act="agree", winners=[])
    assert SOVEREIGNS.phase(drawn).over is not None
    assert [(p.place, p.won, p.how) for p in SOVEREIGNS.placings(drawn)] == [(1, False, "draw")] * 3
    assert gm(state, act="agree", winners=[2, 3]).winners == (2, 3)
    left = gm(gm(state, act="remove", player=3), act="remove", player=1)
    assert [(p.place, p.won, p.how) for p in SOVEREIGNS.placings(left)] == [
        (2, False, "eliminated"),
        (1, True, "last-standing"),
        (3, False, "eliminated"),
    ]
    with pytest.raises(ValueError, match="not over"):
        SOVEREIGNS.placings(state)
    with pytest.raises(ValueError, match="over"):
        SOVEREIGNS.adjudicate(drawn, {}, Chance(SEED))
    for winners in ([9], ["A"], [1, 1]):
        with pytest.raises(ValueError, match="living kingdom"):
            gm(state, act="agree", winners=winners)


@each_row(
    "told",
    [
        {"act": "sing"},
        {},
        {"act": "tech", "name": "x", "verdict": "praise"},
        {"act": "mod", "player": 1, "until": "never", "flat": 1},
        {"act": "mod", "player": 1, "until": "year"},
        {"act": "rollback"},
        {"act": "set", "player": 1, "attribute": "X", "total": 1},
        {"act": "remove", "player": 7},
        {"act": "verdict", "objection": 3, "upheld": True},
        {"act": "clock"},
    ],
)
def test_what_is_no_act_or_impossible(told: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        SOVEREIGNS.act(table(TWO), "gm", told, Chance(SEED))
    with pytest.raises(ValueError, match="no such act"):
        SOVEREIGNS.act(table(TWO), 1, told, Chance(SEED))


def test_acts_of_players_are_judged_again() -> None:
    state = table(TWO)
    with pytest.raises(ValueError, match="no such act"):
        SOVEREIGNS.act(state, 1, {"act": "order", "order": {"type": "pass"}}, Chance(SEED))
    with pytest.raises(Refused, match="no-offer"):
        do(state, 1, "Accept offer 3")
    assert SOVEREIGNS.act_of(o.Pass()) is None
    with pytest.raises(Refused, match="fallen"):
        do(state, 9, "Claim victory")


def test_a_ruling_on_no_free_form_action_or_with_too_many_words() -> None:
    """SS-8.3."""
    state = table(TWO)
    for text, more in (
        ("Expedition: 1M", {}),
        ('Try: 1R "x"', {"effect": "x" * 3000}),
        ('Try: 1R "x"', {"effect": "-2"}),
    ):
        order = msgspec.json.decode(msgspec.json.encode(parse_order(state, text)))
        with pytest.raises(Refused):
            gm(state, act="rule", player=1, order=order, **more)


def test_too_much_is_refused() -> None:
    """SS-12.11, SS-9.4, SS-5.4."""
    state = table(TWO)
    many = SOVEREIGNS.check(
        state, 1, Standing(tuple(o.Build(f"x{i}") for i in range(60))), [o.Pass()]
    )
    assert [problem.code for problem in many.problems] == ["out-of-range"]
    way = o.Action("Expedition", "M", 1)
    for order in (o.Do(()), o.Do((way,) * 4), o.Do((replace(way, words='a"b'),)), o.Year(())):
        told = replace(state, stage="year-start") if isinstance(order, o.Year) else state
        assert [
            problem.code for problem in SOVEREIGNS.check(told, 1, Standing(), [order]).problems
        ] == ["not-understood"]
    for _ in range(12):
        state = do(state, 1, "Offer B: 1R against nothing")
    with pytest.raises(Refused, match="too-many"):
        do(state, 1, "Offer B: 1R against nothing")
    game = play(TWO)
    game.say("A", "Expedition: 1M", "Expedition: 1M")
    assert game.problems == {"A": ["one-action"]}
    game.say("A", "Security: 1M")
    game.say("A", "Cancel all")
    assert game.standing[1].orders == ()


# ------------------------------------------------------------------------------ bytes and positions
def test_bytes_that_are_none() -> None:
    for decode in (SOVEREIGNS.decode_state, SOVEREIGNS.decode_orders, SOVEREIGNS.decode_event):
        with pytest.raises(ValueError, match="of this game"):
            decode(b"[1")


def broken() -> list[State]:
    state = table({"A": {}, "B": {}, "C": {}}, technologies={"t": "STAT-CALM"})

    def a(**changes: Any) -> State:
        return replace(state, kingdoms=(replace(state.kingdoms[0], **changes), *state.kingdoms[1:]))

    gone = {"alive": False}
    return [
        replace(state, kingdoms=state.kingdoms[:1], seating=(1,)),
        replace(state, seating=(1, 1, 2)),
        a(**gone),
        a(ex=Points(4)),
        a(depleted=1),
        a(rest=3),
        a(buildings=(Building("BLD-WALL"), Building("BLD-WALL"))),
        a(tech=("x",)),
        replace(
            state, kingdoms=tuple(replace(k, alive=False, total=Points()) for k in state.kingdoms)
        ),
        replace(
            state,
            kingdoms=tuple(
                replace(k, alive=False, total=Points()) if k.number > 1 else k
                for k in state.kingdoms
            ),
        ),
        replace(state, winners=(9,)),
        replace(state, technologies={"t": "x"}),
        replace(state, hour=-1),
        replace(state, loans=(Loan(1, 2, "H", 1),)),
        replace(state, offers=(OpenOffer(1, 1, 9, (), (), 1),)),
        replace(state, ballots=(OpenBallot(9, (), 1),)),
        replace(state, undone=Undone(1, 1, 1)),
    ]


@each_row("state", broken())
def test_an_impossible_state_is_refused(state: State) -> None:
    with pytest.raises(ValueError, match="impossible state"):
        SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(state))


@each_row(
    "told",
    [
        {},
        {"kingdoms": {"A": {}, "B": {}}, "moon": 1},
        {"kingdoms": {"A": {"R": -1}, "B": {}}},
        {"kingdoms": {"A": {"tech": ["x"]}, "B": {}}},
        {"kingdoms": {"A": {"bld": ["BLD-X"]}, "B": {}}},
        {"kingdoms": TWO, "technologies": {"x": "y"}},
        {"kingdoms": {"A": {}}},
        {"kingdoms": TWO, "loans": [{"lender": "A", "borrower": "B", "points": "1H", "due": 1}]},
        {"kingdoms": TWO, "loans": [{"lender": "A", "borrower": "Q", "points": "1R", "due": 1}]},
        {"kingdoms": TWO, "loans": [{"lender": "A"}]},
        {"kingdoms": {"A": {"standing": {"year": "what"}}, "B": {}}},
        {
            "kingdoms": TWO,
            "offers": [
                {"id": 1, "from": "A", "to": "B", "gives": ["love"], "wants": [], "left": 3}
            ],
        },
        {"kingdoms": {"A": {"discoveries": [{"name": "x"}]}, "B": {}}},
    ],
)
def test_a_position_that_does_not_fit(told: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        parse_position(told, {}, "test")


def test_options_of_a_case() -> None:
    assert parse_position({"kingdoms": TWO}, {"max_years": 3}, "test").options.max_years == 3
    with pytest.raises(PositionError, match="max_years"):
        parse_position({"kingdoms": TWO}, {"speed": 3}, "test")
    over = parse_position({"kingdoms": TWO, "phase": "over", "winner": ["A", "B"]}, {}, "test")
    assert over.winners == (1, 2)
    assert (
        parse_position({"kingdoms": TWO, "phase": "over", "winner": "draw"}, {}, "test").winners
        == ()
    )
    shown: Any = SOVEREIGNS.view(over, 2)
    assert shown.kingdom(2).ruler == "B"
    assert shown.you.free == Points(3, 3, 3)


def test_what_is_not_there_cannot_be_done() -> None:
    """SS-5.5, SS-7.2, SS-10.5: whoever asks the parts of the engine past the checks is told so."""
    bare = Table(table(TWO), Chance(SEED))
    with pytest.raises(ValueError, match="no-offer"):
        answer(bare, 1, o.Answer("Accept", 1))
    with pytest.raises(ValueError, match="no-discovery"):
        propose(bare, 1, o.Proposal("steel", "STAT-CALM"))
    with pytest.raises(ValueError, match="nothing was rolled back"):
        base_of(bare.state)


def test_a_word_of_a_proposal_or_of_an_origin_that_is_none() -> None:
    """SS-7.5, SS-7.8."""
    state = table({"A": {"R": 3}, "B": {}})
    for proposal in (
        o.Proposal("a;b", "STAT-CALM"),
        o.Proposal("ab", "STAT"),
        o.Proposal("a if b", "STAT-CALM"),
    ):
        order = o.Do((o.Action("Research", "R", 1, proposal=proposal),))
        assert [
            problem.code for problem in SOVEREIGNS.check(state, 1, Standing(), [order]).problems
        ] == ["no-code"]


def test_an_action_of_the_fallen_is_void() -> None:
    """SS-9.3."""
    game = play({"A": {"M": 3}, "B": {"M": 0}, "C": {}}, [["A", "B"], 1])
    game.say("A", "Attack B: 1M")
    game.say("B", "Research: 1R")
    game.close()
    assert [told["reason"] for told in game.facts() if told["kind"] == "void"] == ["actor-fallen"]


def test_a_claimant_who_falls_ends_the_ballot() -> None:
    """SS-11.6, SF-14."""
    game = play({"A": {}, "B": {}, "C": {}})
    game.say("A", "Claim victory")
    game.say("B", "Vote yes on A")
    game.say("GM", "gm set A H -1")
    assert [told["result"] for told in game.facts() if told["kind"] == "ballot-closed"] == [
        "failed"
    ]
    assert game.state.stage == "season"


def test_legal_orders_are_those_of_the_moment() -> None:
    """SS-2.3, SS-7.2, SS-11.5."""
    state = table(
        {
            "A": {"R": 3, "ex": {"R": 2}, "discoveries": [{}], "tech": ["tea"]},
            "B": {"faith": 1, "alive": True},
            "C": {"alive": False},
        },
        technologies={"tea": "STAT-CALM"},
        offers=[{"id": 1, "from": "A", "to": "B", "gives": ["1R"], "wants": [], "left": 9}],
        ballots=[{"claimant": "B", "ayes": [], "left": 9}],
    )
    texts = [SOVEREIGNS.format_order(state, order) for order in SOVEREIGNS.legal(state, 1)]
    for text in (
        *("Research: 1R", "Research: 0R + 1 depleted", "Attack B: 3M", "Withdraw offer 1"),
        *("Vote no on B", "Propose new ways = STAT-ROLL R", "Offer B: tech tea against nothing"),
        "Claim victory",
    ):
        assert text in texts
    assert "Accept offer 1" not in texts
    assert "Spread B: 1H" not in texts
    assert list(SOVEREIGNS.legal(state, 3)) == []
    game = play({"A": {"M": 3}, "B": {}}, [1, 1])
    game.say("A", "Expedition: 2M")
    game.close()
    assert o.Object(1, "") in list(SOVEREIGNS.legal(game.state, 2))
    assert all(
        SOVEREIGNS.check(game.state, 2, Standing(), [order]).accepted
        for order in SOVEREIGNS.legal(game.state, 2)
    )
    SOVEREIGNS.check_players({}, 2)


def test_abdications_may_end_the_game_at_a_year_start() -> None:
    """SS-11.9, SS-11.3."""
    game = play({"A": {}, "B": {}, "C": {}}, phase="year-start")
    game.say("A", "Abdicate")
    game.say("B", "Abdicate")
    game.close()
    assert game.state.winners == (3,)


def test_a_coup_may_end_the_game_before_the_others_roll() -> None:
    """SS-4.6, SS-11.2, SS-11.3."""
    game = play({"A": {"H": 0, "M": 0}, "B": {}}, [["A", "B"]], phase="year-start")
    game.close()
    assert game.state.winners == (2,)
    assert game.state.hour == 0


def test_forgetting_a_year() -> None:
    """SS-12.8."""
    state = table({"A": {"standing": {"year": "Harmony: 1H", "season": "Expedition: 1M"}}, "B": {}})
    assert do(state, 1, "Forget every year").kingdom(1).every_year is None
    assert do(state, 1, "Forget every season").kingdom(1).every_season is None


def test_ss_1_3_of_two_who_want_one_name_the_later_is_called_by_the_seat_and_told_so() -> None:
    """`aldermark` and `Aldermark` are one name; so is the one that a seat has without a word."""
    state = new_game(3)
    first, second, third = state.seating
    orders = {
        first: (o.Split(3, 3, 3, "Aldermark"),),
        second: (o.Split(3, 3, 3, "aldermark"),),
        third: (o.Split(3, 3, 3, "Kingdom 1"),),
    }
    outcome = SOVEREIGNS.adjudicate(state, orders, Chance(SEED))
    names = [outcome.state.kingdom(number).name for number in (first, second, third)]
    assert names == ["Aldermark", "Kingdom 2", "Kingdom 3"]
    told = [event.facts for event in outcome.events if isinstance(event.facts, SplitMade)]
    assert [facts.wanted for facts in told] == ["", "aldermark", "Kingdom 1"]
