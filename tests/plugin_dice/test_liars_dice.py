"""Liar's Dice by itself: its rules by their IDs, its vote, what is hidden, and the check of games."""

from io import StringIO
from pathlib import Path

import pytest
from liars_dice.board import draw, stage
from liars_dice.game import GAME
from liars_dice.pages import MENU, PAGES
from liars_dice.reading import read_correction
from liars_dice.rules import RULES
from liars_dice.state import Bid, BidMade, Challenge, Challenged, Order, State, Voted
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Event, Outcome, Seat, Standing, encode_sound_state
from pbem.board.board import TableFacts
from pbem.cases.runner import run_files
from pbem.conformance.examination import Pace, check_game
from pbem.findings import Grade
from pbem.grammar.gm.commands import Unread
from pbem.pages.kit.usual_menu import MOST_BUTTONS

HERE = Path(__file__).parent
PACE = Pace(games=1, phases=30, twins=6, letters=6, boards=15)


def dealt(**options: object) -> Outcome[State]:
    names = (("Anna", "red"), ("Ben", "blue"), ("Cleo", "yellow"))
    seats = [Seat(number, *told) for number, told in enumerate(names, start=1)]
    return RULES.setup(options, seats, Chance(b"seed", script=("1", *[5, 5, 1, 2, 3] * 3)))


def after(state: State, *orders: Order) -> Outcome[State]:
    """After these orders, one a phase."""
    outcome = Outcome(state, ())
    for order in orders:
        state = outcome.state
        outcome = RULES.adjudicate(state, {state.to_act: (order,)}, Chance(b"seed", 20))
    return outcome


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.kind for event in events]


def test_the_check_of_games_finds_nothing() -> None:
    """F-103, F-104."""
    assert [one for one in check_game(GAME, PACE) if one.grade is not Grade.OK] == []


def test_its_cases_pass() -> None:
    said = StringIO()
    code = run_files([HERE / "cases" / "dice.yaml"], {"liars-dice": GAME}, json=False, out=said)
    assert (code, said.getvalue().splitlines()[-1]) == (0, "4 passed, 0 failed")


def test_one_player_is_asked_and_each_bid_is_a_question_of_its_own() -> None:
    """LD-2.1: the phases of a round are one span, told apart by `question`."""
    first = RULES.phase(dealt().state)
    second = RULES.phase(after(dealt().state, Bid(3, 5)).state)
    assert (first.asked, second.asked) == ((1,), (2,))
    assert (first.turn, first.question, second.turn, second.question) == (1, 0, 1, 1)
    assert first.span == second.span
    assert first.span is not None
    bids = 6 * sum(len(one.dice) for one in dealt().state.players)
    assert first.span.hours >= bids * first.hours, "the last player asked in a round has no time"
    third = RULES.phase(after(dealt().state, Bid(3, 5), Challenge()).state)
    assert (third.turn, third.question) == (2, 0)
    assert third.span != second.span


@pytest.mark.parametrize(("ones", "found", "loser"), [("plain", 6, 1), ("wild", 9, 2)])
def test_who_loses_a_die(ones: str, found: int, loser: int) -> None:
    """LD-3.1 to LD-3.3: with three hands of 5, 5, 1, 2, 3 there are six fives, nine with ones."""
    outcome = after(dealt(ones=ones).state, Bid(7, 5), Challenge())
    told = outcome.events[0].facts
    assert isinstance(told, Challenged)
    assert (told.found, told.loser) == (found, loser)
    assert [len(one.dice) for one in outcome.state.players] == [
        5 - (one.number == loser) for one in outcome.state.players
    ]
    assert outcome.state.to_act == loser
    encode_sound_state(RULES, outcome.state)


def test_chance_parts_a_tied_vote() -> None:
    """LD-1.4."""
    cast = [{"ones": "wild"}, {"ones": "plain"}, {}]
    for answer in ("plain", "wild"):
        ballot = RULES.settle_votes(("ones",), cast, Chance(b"", script=(answer,)))
        assert ballot.options == {"ones": answer}
        assert [one.facts for one in ballot.events] == [
            Voted(answer, (("plain", 1), ("wild", 1)), by_coin=True)
        ]
    most = RULES.settle_votes(("ones",), [{"ones": "wild"}, {}], Chance(b""))
    assert most.options == {"ones": "wild"}
    assert [one.facts for one in most.events] == [
        Voted("wild", (("plain", 0), ("wild", 1)), by_coin=False)
    ]
    assert RULES.settle_votes((), [{}], Chance(b"")).events == ()
    for questions, vote in (
        (("ones",), {"ones": "blue"}),
        (("sixes",), {}),
        ((), {"ones": "wild"}),
    ):
        with pytest.raises(ValueError, match=r"no answer|nobody votes on"):
            RULES.settle_votes(questions, [vote], Chance(b""))
    with pytest.raises(ValueError, match="plain or wild"):
        RULES.check_options({"ones": "blue"})


def test_nobody_sees_the_dice_of_others() -> None:
    """LD-1.3: neither in the view nor in the picture, until a challenge shows them."""
    dealing = dealt()
    for reader in (None, 1, 2, 3):
        view = RULES.view(dealing.state, reader)
        assert [one.number for one in view.players if any(one.dice)] == [reader] * bool(reader)
    rolled = [event for event in dealing.events if event.kind == "rolled"]
    assert [event.audience for event in rolled] == [(1,), (2,), (3,)]
    about = TableFacts("Heron", "turn")
    other = replace(dealing.state.players[1], dice=(6, 6, 6, 6, 6))
    players = (dealing.state.players[0], other, dealing.state.players[2])
    pictures = {
        draw(stage(RULES.view(state, None), (), about), b"")
        for state in (dealing.state, replace(dealing.state, players=players))
    }
    assert len(pictures) == 1
    doubted = after(dealing.state, Bid(7, 5), Challenge())
    shown = stage(RULES.view(doubted.state, None), doubted.events, about)
    assert "(5, 5, 1, 2, 3)" in draw(shown, b"").alt


def test_silence_bids_first_and_then_challenges() -> None:
    """LD-2.4."""
    begun = RULES.adjudicate(dealt().state, {}, Chance(b"seed", 20))
    (bid,) = begun.events
    assert isinstance(bid.facts, BidMade)
    assert bid.facts.words == "1 one"
    silent = RULES.adjudicate(begun.state, {}, Chance(b"seed", 20))
    assert kinds(silent.events)[0] == "challenged"


def test_what_a_game_master_does_begins_the_round_again() -> None:
    """LD-1.2, LD-4.3."""
    state = after(dealt().state, Bid(3, 5)).state
    correction = read_correction(state, "Ben 2 dice")
    mended = RULES.act(state, "gm", correction.act, Chance(b"seed", 20))
    assert kinds(mended.events) == ["corrected", "rolled", "rolled", "rolled"]
    assert (len(mended.state.players[1].dice), mended.state.bids) == (2, 0)
    left = RULES.act(state, "gm", {"act": "remove", "player": 2}, Chance(b"seed", 20)).state
    assert (RULES.active(left), left.to_act, left.fallen) == ((1, 3), 3, (2,))
    ended = RULES.act(left, "gm", {"act": "remove", "player": 3}, Chance(b"seed", 20)).state
    assert [(one.place, one.how) for one in RULES.placings(ended)] == [
        (1, "alone"),
        (3, "eliminated"),
        (2, "eliminated"),
    ]
    with pytest.raises(Unread):
        read_correction(state, "Ben 6 dice")


def test_the_headline_names_the_round_that_was_doubted() -> None:
    """F-104: the view is in the next round already; `News.turn` says which one is told."""
    outcome = after(dealt().state, Bid(7, 5), Challenge())
    lead = PAGES.lead(RULES.view(outcome.state, None), outcome.events)
    assert lead.headline == "Round 1: Anna loses a die"


def test_the_menu_has_the_challenge_and_the_lowest_bids() -> None:
    state = after(dealt().state, Bid(3, 5)).state
    legal = tuple(RULES.legal(state, 2))
    texts = [PAGES.format_order(RULES.view(state, 2), order) for order in legal[:MOST_BUTTONS]]
    assert texts[:3] == ["Liar", "Bid 3 sixes", "Bid 4 ones"]
    assert [button.text for button in MENU.entries(None, legal, Standing())] == ["Bid or doubt..."]
