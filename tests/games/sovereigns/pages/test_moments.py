"""Letters of moments in which a reader in a hurry could do the wrong thing: no Harmony left, an
action taken back, a ruling, an objection that comes too late.
"""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from engine.ruleset import Event, Fact, Problem, RulingRequest, Standing
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.state import Dice, Played, Ruling, State, Undone
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.statements import Said
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.page import ReceiptFacts, ReceiptItem
from tests.games.sovereigns.engine.playing import table as position
from tests.games.sovereigns.pages.played import Step, begin, reader, table
from tests.games.sovereigns.pages.test_letters import ATTACK
from tests.pages import sample

KINGDOMS = {
    "Ann": {"name": "Aldermark", "R": 4, "M": 3, "H": 2},
    "Ben": {"name": "Borland", "R": 3, "M": 3, "H": 3},
    "Cara": {"name": "Cyrene", "R": 3, "M": 4, "H": 2},
}


def flat(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def turn(state: State, player: int = 1) -> str:
    page = PAGES.turn(table(), reader(player), Step(state, ()).view(player), (), Standing())
    return flat(f"{page.subject}\n{page.text}")


def test_ss_4_3_without_harmony_a_ruler_is_told_of_the_coup_and_not_to_fear() -> None:
    """SS-4.6, SS-4.9, SS-12.9: Rule by Fear would end the kingdom, so it is no advice."""
    state = position({**KINGDOMS, "Ann": {**KINGDOMS["Ann"], "H": 0}}, phase="year-start")
    told = turn(state)
    assert (
        "You have no Harmony, so there will be a Coup. You roll all 3 Military that you have"
        in told
    )
    assert "Do not rule by fear" in told
    assert "If you send nothing, you roll all your free Military against the Coup." in told
    assert "your 0 Harmony" not in told
    assert "Full Support without a roll" not in told
    ((answer, _),) = PAGES.answers(Step(state, ()).view(1))
    for text in (answer, "Harmony: 0, coup 2M"):
        assert text in told
        read = READER.read(state, 1, Standing(), Said(text))
        assert not any(item.problems for item in read.items), text
    assert "HOW MUCH HARMONY GOES INTO PUBLIC SUPPORT?" in turn(state, 2)


def undone(state: State) -> State:
    played = tuple(Played(n, n, o.Pass(), Dice(), state) for n in (1, 2))
    return replace(state, played=played, undone=Undone(1, 1, 24))


def test_ss_10_5_who_has_to_act_anew_is_asked_for_that_alone() -> None:
    """SS-12.6: it has hours of its own, and the free points of now are not those that count."""
    told = turn(undone(position(KINGDOMS)))
    assert "another order due" in told
    assert "action due" not in told
    assert "with the points that you had free then" in told
    assert "If you send nothing, your kingdom does nothing instead." in told
    assert "Redo: pass" in told
    for wrong in ("free. You may", "takes no action", "WHAT YOUR POINTS CAN DO", "the last word"):
        assert wrong not in told, wrong
    assert "free. You may" in turn(undone(position(KINGDOMS)), 2)


@pytest.mark.parametrize(
    ("hour", "objected", "player", "hint"),
    [
        (0, False, 1, "Object to action 2: ..."),
        (23, False, 2, "Object to action 1: ..."),
        (24, False, 1, ""),
        (0, True, 1, ""),
    ],
)
def test_ss_10_3_an_objection_is_suggested_only_while_it_can_be_made(
    hour: int, objected: bool, player: int, hint: str
) -> None:
    state = replace(undone(position(KINGDOMS)), undone=None, hour=hour)
    mine = replace(state.kingdom(1), objected=objected)
    told = turn(replace(state, kingdoms=(mine, *state.kingdoms[1:])), player)
    assert ("Object to action" in told) is bool(hint)
    assert hint in told
    assert "Object to action" not in turn(undone(position(KINGDOMS)), 2)


def test_ss_8_3_a_ruling_is_told_with_the_order_it_is_for() -> None:
    state = position(KINGDOMS)
    order = parse_order(state, 'Try: 2R against Ben for -1 "dig a canal"')
    assert isinstance(order, o.Do)
    state = replace(state, rulings=(Ruling(1, order, difficulty=9),))
    event = Event(e.RulingGiven(1, 9, False, None, None, None), ("SS-8.3",), (1,))
    page = PAGES.happened(table(), reader(1), Step(state, ()).view(1), (event,))
    told = flat(page.text)
    assert "The game master rules on what you try: it needs 9." in told
    assert 'Try: 2R against Ben for -1 "dig a canal"' in told
    assert "You can change or withdraw it until the season closes" in told


@pytest.mark.parametrize("code", ["BLD-WALL", "STAT-CALM", "STAT-ROLL M"])
def test_ss_7_3_the_game_master_reads_what_a_technology_does_in_a_sentence(code: str) -> None:
    state = position(KINGDOMS)
    facts: dict[str, Fact] = {"player": 1, "technology": "masonry", "code": code}
    request = RulingRequest("technology 1", "technology", facts, 24, ("approve masonry",))
    until = sample.NOW + timedelta(hours=24)
    page = PAGES.ruling_request(table(), Step(state, ()).view(None), request, until)
    assert code not in page.text.partition("WHAT YOU CAN ANSWER")[0]
    assert "That is" not in flat(page.text)


def receipt_of(item: ReceiptItem) -> str:
    state = position(KINGDOMS)
    facts = ReceiptFacts((item,), (), (), False, 1, sample.NOW)
    page = PAGES.receipt(table(), reader(1), Step(state, ()).view(1), facts)
    return flat(page.text)


def test_ss_5_7_a_trade_that_failed_is_told_by_its_rule() -> None:
    problem = Problem("not-enough", ("SS-3.8",), {}, True)
    told = receipt_of(ReceiptItem(1, "deal", texts=("Accept offer 1",), problems=(problem,)))
    assert "The trade fails: one side no longer has what it promised. [SS-5.7]" in told


def test_what_is_used_up_names_the_rules_of_what_it_speaks_of() -> None:
    """SS-7.7, SS-10.3, SS-11.5."""
    told = receipt_of(ReceiptItem(1, "claim victory", problems=(Problem("used-up", ("SS-7.7",)),)))
    assert "[SS-7.7 11.5 10.3]" in told


def test_ss_1_3_who_is_read_without_a_name_is_told_so() -> None:
    view = begin(3).view(2)
    seat = view.kingdom(2).seat
    for texts, is_told in ((("Split 4/3/2",), True), (("Split 4/3/2, Aldermark",), False)):
        facts = ReceiptFacts(
            (ReceiptItem(1, "4/3/2 Resources", texts=texts),), texts, (), False, 1, sample.NOW
        )
        told = flat(PAGES.receipt(table(), reader(2), view, facts).text)
        assert (f"it is called Kingdom {seat}." in told) is is_told


@pytest.mark.parametrize("facts", [e.Traded(1, 1, 2), e.TradeFailed(1, 1, 2)])
def test_ss_10_5_a_trade_that_is_taken_again_after_a_redo_is_told_as_that(
    facts: e.Traded | e.TradeFailed,
) -> None:
    """It is no second trade, and no new offer."""
    view = Step(position(KINGDOMS), ()).view(2)
    made, done = (Event(one, ("SS-5.4",), (1, 2)) for one in (e.OfferMade(1, 1, 2), facts))
    again = PAGES.happened(table(), reader(2), view, (made, done))
    told = flat(f"{again.subject} {again.text}")
    assert "We did an action of the season before again" in told
    assert "offers you a trade" not in told
    once = PAGES.happened(table(), reader(2), view, (done,))
    assert "of the season before again" not in flat(once.text)


def test_ss_0_4_a_caption_without_room_still_tells_how_every_roll_came_out() -> None:
    """SS-1.9: and the report of spies to whom it belongs."""
    view = Step(position(KINGDOMS), ()).view(1)
    acted = [
        Event(replace(ATTACK, n=n, action=action, words="dig a long canal through the hills"), ())
        for n, action in enumerate(("Attack", "Theft", "Try") * 4, 1)
    ]
    spied = Event(e.Reported(1, 2, 2, 1, 3, (), ()), (), (1,))
    public = PAGES.bulletin(table(), Step(position(KINGDOMS), ()).view(None), acted).chat
    assert public.count("great success, +8") == 12
    own = PAGES.turn(table(), reader(1), view, (*acted, spied), Standing()).chat
    assert "Your spies report" in own
    assert own.count("great success, +8") == 7
    assert "5 more: <code>happened</code>" in own
    for chat, who in ((public, "Aldermark attacks"), (own, "You attack")):
        assert units(chat) <= CAPTION_UNITS
        assert f"1. {who} Borland: great success, +8" in flat(chat)


def test_help_leaves_room_for_what_its_phrases_mean() -> None:
    assert max(len(text) for text, _ in PAGES.phrases) <= 42


def test_ss_3_13_a_chance_that_is_next_to_none_is_no_least_one() -> None:
    told = receipt_of(ReceiptItem(1, "attack", texts=("Attack Cara: 1M",)))
    assert "Chance: under 1 % at worst: Cyrene can roll up to 4 dice." in told


def test_ss_1_3_each_seat_gets_a_name_of_its_own_to_copy() -> None:
    step = begin(6)
    names = set()
    for number in range(1, 7):
        (first, _), (second, _) = PAGES.answers(step.view(number))
        assert first.rpartition(", ")[2] == second.rpartition(", ")[2]
        names.add(first.rpartition(", ")[2])
    assert len(names) == 6


def test_ss_7_6_a_suggested_technology_says_what_it_would_do() -> None:
    told = dict(PAGES.answers(Step(position(KINGDOMS), ()).view(1)))
    assert "Research with 4, steel, +1 on Military rolls" in told
