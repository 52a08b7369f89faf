"""Why something came out as it did in a game of Realm-Master, and the odds of dice: from what the
asker may know, sum by sum.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.realm_master import events as e
from engine.realm_master.questions import TOPICS, Odds, Question
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.ruleset import Event, Problem
from pbem.games.realm_master.pages.account import change_of
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.why import percent, played
from pbem.games.realm_master.reading.questions import parse_question
from pbem.grammar.house.commands import Why
from pbem.grammar.house.parsing import hear
from pbem.pages.page import Page, PhaseEvents
from tests.games.realm_master.engine.playing import seats
from tests.games.realm_master.engine.test_machine import random_orders
from tests.games.realm_master.pages.sample import (
    EVERY_KIND,
    HAPPENED,
    PRIVATE,
    READER,
    happened,
    live,
    table,
    view,
)
from tests.pages.approved import hold_approved
from tests.pages.chat import check_form
from tests.rings import at_length
from tests.rows import each_row

PAST = (
    PhaseEvents(0, 0, "start", happened(*EVERY_KIND[:1], *EVERY_KIND[3:5])),
    PhaseEvents(
        5,
        3,
        "round",
        (*happened(e.RoundBegan(3, "T11", "Resources: 2 gold", final=False)), *HAPPENED),
    ),
)


def why(
    words: str,
    *,
    shown: State | None = None,
    past: tuple[PhaseEvents, ...] = PAST,
    player: int | None = 1,
) -> Page:
    seen = view(shown, player)
    return PAGES.why(table(), READER, seen, parse_question(seen, player, words), past)


MAILS: dict[str, Callable[[], Page]] = {
    "why-hearts": lambda: why("did Chloé lose 3 hearts"),
    "why-turn": lambda: why("turn 9"),
    "why-ranking": lambda: why("is Bartek first"),
    "why-unclear": lambda: why("is the sky blue"),
    "odds": lambda: why("odds of reaching 3 swords if I keep these", shown=live("reroll")),
}


@pytest.mark.parametrize("name", MAILS)
def test_a_page_reads_as_it_was_approved(name: str) -> None:
    page = MAILS[name]()
    check_form(name, page)
    if name == "why-turn":
        hold_approved(__file__, name, page)


# ------------------------------------------------------------------------------------------ reading
@each_row(
    ("words", "question"),
    [
        ("did I lose 4 hearts", Question("hearts", 1, lost=True)),
        ("did Bartek lose 2 gold in turn 7", Question("gold", 2, 7, lost=True)),
        ("turn 7", Question("turn", None, 7)),
        ("round three", Question("round", None, None, 3)),
        ("ranking", Question("ranking")),
        ("does the barbarian have so many banners", Question("banners", 2)),
        ("the attack in turn 9", Question("attack", None, 9)),
        ("did Ryllae die", Question("death", 1)),
        ("last round", Question("round", None, None, 3)),
        ("did Anna win", Question("end", 1)),
        ("odds of reaching 5 swords if I keep these", Odds("s", 5)),
        ("odds of two hearts if I keep dice 1, 3 and 5", Odds("h", 2, (1, 3, 5))),
        ("odds of a banner if I keep none", Odds("b", 2, ())),
        ("odds of 3 coins", Odds("c", 3)),
    ],
)
def test_a_question_is_read(words: str, question: Question | Odds) -> None:
    assert parse_question(view(), 1, words) == question


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "not-understood"),
        ("turn 99", "no-such-turn"),
        ("round 9", "no-such-turn"),
        ("odds of 6 swords", "not-understood"),
        ("odds", "not-understood"),
    ],
)
def test_what_is_unclear_is_said(words: str, code: str) -> None:
    found = parse_question(view(), 1, words)
    assert isinstance(found, Problem)
    assert found.code == code


@given(st.text(max_size=80), st.sampled_from((None, 1, 2)))
@hypothesis_settings(max_examples=at_length(20, 60))
def test_whatever_is_asked_is_answered_with_a_page(words: str, player: int | None) -> None:
    found = parse_question(view(None, player), player, words)
    assert isinstance(found, Question | Odds | Problem)


@given(
    st.sampled_from(TOPICS),
    st.sampled_from((None, 1, 3)),
    st.sampled_from((None, 9, 10)),
    st.sampled_from((None, 3, 4)),
    st.booleans(),
)
@hypothesis_settings(max_examples=at_length(13, 40), deadline=None)
def test_every_topic_has_a_page(
    topic: str, player: int | None, turn: int | None, number: int | None, lost: bool
) -> None:
    known = next(known for known in TOPICS if known == topic)
    for viewer in (None, 1):
        page = PAGES.why(
            table(), READER, view(None, viewer), Question(known, player, turn, number, lost), PAST
        )
        assert page.text
        assert "None" not in page.text


@pytest.mark.parametrize(
    "words",
    [
        "odds of reaching 5 swords if I keep these",
        "what are the odds of 3 hearts?",
        "/why did I lose 4 hearts?",
        "why turn 7",
    ],
)
def test_a_line_that_asks_is_a_command_and_no_order(words: str) -> None:
    taken = hear(words)
    assert [*map(type, taken.commands)] == [Why]


def test_every_question_that_the_players_page_names_is_read() -> None:
    page = (Path(__file__).parents[4] / "docs" / "games" / "realm-master" / "orders.md").read_text(
        encoding="utf-8"
    )
    told = re.findall(
        r"`((?:why|odds) [^`]+)`", page.partition("## Why, and how likely")[2].partition("\n## ")[0]
    )
    assert len(told) > 8
    shown = view(live("reroll"), 1)
    for words in told:
        (command,) = hear(words).commands
        assert isinstance(command, Why)
        found = parse_question(shown, 1, command.question)
        assert not isinstance(found, Problem), words


# ------------------------------------------------------------------------------------------ answers
def test_hearts_lost_are_told_blow_by_blow_with_their_sum() -> None:
    text = " ".join(MAILS["why-hearts"]().text.split())
    assert "Chloé lost 3 hearts in all" in text
    assert (
        "−3 Chloé in Jerum: 3 swords + 1 (turn card) − 1 (Iron Shield) = 3. 3 hearts lost, 5 left. [RM-4.4 T01 B01]"
        in text
    )


def test_lines_of_others_plans_are_not_in_an_answer() -> None:
    other = (PhaseEvents(5, 3, "round", tuple(event for event in HAPPENED if event.is_for(2))),)
    page = PAGES.why(table(), READER, view(None, 2), Question("turn", None, 9), other)
    assert "lines have decided" not in page.text
    assert all(not event.is_for(2) for event in PRIVATE)


def test_a_phase_that_was_rolled_back_and_a_turn_that_is_played_again_count_once() -> None:
    def turn(number: int, lost: int) -> tuple[Event, ...]:
        blow = e.Blow(2, "JER", (e.Term("swords", lost, "RM-4.4"),), lost, lost, 5)
        return happened(
            e.TurnBegan(number, 1, None, 0, 0), e.AttackMade(number, 1, False, lost, (blow,))
        )

    begun = happened(e.RoundBegan(1, "T01", "Attack +1", final=False))
    undone = PhaseEvents(1, 1, "round", (*begun, *turn(1, 5)), is_undone=True)
    first = PhaseEvents(2, 1, "round", (*begun, *turn(1, 3), *turn(2, 4)))
    again = PhaseEvents(3, 1, "round", (*happened(e.TakenBack("turn", 2, 5)), *turn(2, 1)))
    story = played((undone, first, again))
    changes = [change_of(event.facts, 2).hearts for one in story for event in one.events]
    assert sum(changes) == -4
    assert [one.turn for one in story] == [0, 1, 0, 2]


def test_a_round_that_is_played_again_keeps_its_card_and_nothing_of_its_turns() -> None:
    begun = happened(
        e.RoundBegan(1, "T05", "Tribute", final=False), e.HeroesGiven("T05", ((1, e.Gain(gold=2)),))
    )
    tribute = happened(e.TributePaid(1, (("gold", "KUR"),), (), ()))
    first = PhaseEvents(1, 1, "round", (*begun, *tribute, *happened(e.TurnBegan(1, 1, None, 0, 0))))
    again = PhaseEvents(2, 1, "round", (*happened(e.TakenBack("round", 1, 5)), *tribute))
    story = played((first, again))
    assert sum(change_of(event.facts, 1).gold for one in story for event in one.events) == 1
    assert {one.round for one in story} == {1}


@given(st.integers(0, 2**32), st.integers(2, 5))
@hypothesis_settings(max_examples=6, deadline=None)
def test_accounts_come_to_what_everybody_has(seed: int, players: int) -> None:
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    outcome = REALM_MASTER.setup({}, seats(players), stream)
    events = list(outcome.events)
    for _ in range(6):
        if outcome.state.stage == "over":
            break
        outcome = REALM_MASTER.adjudicate(outcome.state, random_orders(outcome.state, rng), stream)
        events += outcome.events
    for held in outcome.state.players:
        if held.alive:
            changes = [change_of(event.facts, held.number) for event in events]
            account = tuple(
                sum(getattr(change, token) for change in changes)
                for token in ("hearts", "gold", "banners")
            )
            assert account == (held.hearts, held.gold, held.banners)


# --------------------------------------------------------------------------------------------- odds
def test_odds_are_of_the_dice_on_the_table_for_who_threw_them_alone() -> None:
    shown = live("reroll")
    mine, theirs = (
        why("odds of 3 swords", shown=shown).text,
        PAGES.why(table(), READER, view(shown, 2), Odds("s", 3), ()).text,
    )
    assert "The dice are" in mine
    assert "You roll all five dice" in theirs


def test_dice_named_are_kept_and_what_cannot_come_is_none() -> None:
    text = why("odds of 5 swords if I keep 3", shown=live("reroll")).text
    assert "you keep die 3" in " ".join(text.split())
    assert "5 swords: 0 %" in " ".join(text.split())


def test_chances_are_told_in_hundredths() -> None:
    assert [
        percent(chance)
        for chance in (
            Fraction(0),
            Fraction(1, 7776),
            Fraction(1, 3),
            Fraction(7775, 7776),
            Fraction(1),
        )
    ] == ["0 %", "0.1 %", "33.3 %", "99.9 %", "100 %"]
