"""Every kind of event has its sentence, in both forms."""

import re
from typing import Literal, get_args

import pytest

from engine.protectors import events as e
from engine.protectors import orders as o
from engine.protectors.event_kinds import AnyFacts
from engine.ruleset import Event
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.events import digest, event_lines
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.sample import EVERY_KIND, happened, view
from tests.rows import each_row

LEAKS = re.compile(r"\{\{|\}\}|\{%|None|Undefined|\[\]|\(\)|<bound|object at|  |\s[.,;]")


def tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # every kind is a struct


def test_there_is_a_sample_of_every_kind() -> None:
    kinds = {tag(kind) for kind in get_args(AnyFacts)}
    assert {tag(type(facts)) for facts in EVERY_KIND} == kinds


@each_row("facts", EVERY_KIND)
def test_every_event_reads_as_sentences_in_text_and_html(facts: AnyFacts) -> None:
    for you in (None, 1, 3):
        for line in event_lines(Event(facts, ("PR-7.7",)), cast_of(view(), you)):
            assert len(line.body.text) > 5
            assert not LEAKS.search(line.body.text.strip()), line.body.text
            assert not re.search(r"\{\{|None|Undefined|\[\]", line.body.html)
            assert line.body.text.rstrip().endswith((".", "!")), line.body.text


@pytest.mark.parametrize("cause", ["empty", "game-master", "black-swan"])
def test_the_end_deck_has_one_article(cause: Literal["empty", "game-master", "black-swan"]) -> None:
    (line,) = event_lines(Event(e.DeckRenewed("end", cause), ("PR-4.7",)), cast_of(view(), None))
    assert "End" in line.body.text
    assert "the the" not in line.body.text.casefold()


def test_describing_an_event_gives_one_line() -> None:
    for event in happened():
        line = PAGES.describe_event(event, view())
        assert "\n" not in line
        assert "\N{NO-BREAK SPACE}" not in line


def test_a_battle_tells_each_term_with_its_cause_and_typographic_minus_signs() -> None:
    battle = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    line = event_lines(Event(battle, ("PR-7.7",)), cast_of(view(), None))[0]
    plain = line.body.text.replace("\N{NO-BREAK SPACE}", " ")
    assert plain.startswith(
        "Anna 4 : 3 Emil. 2 units + 1 golden March + 1 Support from Bartek in P3 (2 − 1 for the rain) against 2 units − 1 for Work"
    )
    assert "Emil's units fall" in plain
    assert "2 \N{MINUS SIGN} 1 for the rain" in line.body.html
    assert "Emil&rsquo;s units fall" in line.body.html


def test_a_battle_says_whose_the_province_is_now_and_to_its_owner_that_it_is_theirs() -> None:
    events = happened(
        next(f for f in EVERY_KIND if isinstance(f, e.BattleFought)),
        e.ProvinceTaken(2, 1, 3, burnt=False),
    )
    assert "P2 is yours" in digest(events, cast_of(view(), 1))[0].body.text
    assert "P2 is Anna's" in digest(events, cast_of(view(), 3))[0].body.text
    assert len(digest(events, cast_of(view(), 1))) == 1


def test_what_each_missed_is_told_in_one_line_behind_the_rest() -> None:
    events = happened(
        e.OrdersMissed(2, "orders", (o.Fortify(3),)),
        e.BidsRevealed(((1, 37, 37, 37),), rebid=False),
        e.OrdersMissed(4, "dragon", ()),
    )
    *_, last = digest(events, cast_of(view(), None))
    assert last.body.text == (
        "Bartek sent nothing, so P3 fortified. Chloé sent nothing against the Dragon."
    )


def test_all_purchases_stand_in_one_line() -> None:
    events = happened(
        e.UnitsBought(1, ((7, 1),), 75, by_default=False),
        e.UnitsBought(2, (), 0, by_default=False),
        e.UnitsBought(4, ((2, 2), (4, 3)), 375, by_default=True),
    )
    (line,) = digest(events, cast_of(view(), None))
    told = line.body.text.replace("\N{NO-BREAK SPACE}", " ")
    assert told == "Anna 1 (P7), Chloé 2 (P2) and 3 (P4), by the rules."


def test_what_went_wrong_is_told_to_everybody_since_no_bulletin_comes_along() -> None:
    failed = next(facts for facts in EVERY_KIND if isinstance(facts, e.OrderFailed))
    assert digest(happened(failed), cast_of(view(), 1))
    assert digest(happened(failed), cast_of(view(), 2))


def test_a_letter_tells_land_and_people_before_fights_and_those_before_purchases() -> None:
    events = happened(
        e.UnitsBought(1, ((7, 1),), 75, by_default=False),
        next(f for f in EVERY_KIND if isinstance(f, e.BattleFought)),
        e.PlayerEliminated(4, (1,), "captured", (), 0),
    )
    assert [line.label for line in digest(events, cast_of(view(), None))] == ["Out", "P2", "Bought"]


def test_a_dragon_attack_says_what_each_player_gave_lost_and_gained() -> None:
    won, lost, _ = (facts for facts in EVERY_KIND if isinstance(facts, e.DragonAttacked))
    lines = [
        line.body.text.replace("\N{NO-BREAK SPACE}", " ")
        for line in event_lines(Event(won, ()), cast_of(view(), None))
    ]
    assert lines[0].startswith("The Protectors win, 5 : 4.")
    assert lines[1] == (
        "Anna sent 5 (needed 2): 2 units from P1 (−1 for Work), 2 units from P2 + 2 Highmagisters. 1 unit lost, the rest return. "
        "180 $Realm (150 + 30 for the surplus). 5 tokens. Moves to the top."
    )
    told = digest(
        happened(lost, e.PlayerEliminated(4, (0,), "no-quarter", (), 41)), cast_of(view(), None)
    )
    assert told[3].body.text == "Chloé sent nothing (needed 1). P5 burns. Out of the game."


def test_what_tells_a_purse_is_for_whom_it_concerns_alone() -> None:
    """The bids are public, and what they were cut from is not; nor how much a captor gets
    (PR-1.9).
    """
    bids = Event(e.BidsRevealed(((1, 37, 31, 22), (2, 9, 9, 9)), rebid=False), ("PR-3.1", "PR-3.6"))
    (own,) = event_lines(bids, cast_of(view(), 1))
    assert own.body.text == "Anna 37 (paid 22, you wanted 31), Bartek 9."
    assert own.rules == ("PR-3.1", "PR-3.6")
    fall = Event(e.PlayerEliminated(3, (1, 4), "captured", ((1, 70), (4, 70)), 141), ("PR-8.4",))
    for player, told in (
        (1, " 70 of Emil's $Realm go to you."),
        (3, " 70 of your $Realm go to Anna. 70 of your $Realm go to Chloé."),
    ):
        assert event_lines(fall, cast_of(view(), player))[0].body.text.endswith(told)
    for other in (None, 2):
        (line,) = event_lines(bids, cast_of(view(), other))
        assert line.body.text == "Anna 37 (paid 22), Bartek 9."
        assert line.rules == ("PR-3.1",)
        assert "$Realm" not in event_lines(fall, cast_of(view(), other))[0].body.text
