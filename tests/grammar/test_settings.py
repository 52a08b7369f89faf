"""What people choose for themselves, in their own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.clock_rules import MINUTES_A_DAY
from pbem.grammar.house.commands import Settings
from pbem.grammar.house.parsing import hear
from pbem.grammar.settings import (
    SHORTEST_DAY,
    NewsAt,
    NoQuiet,
    Quiet,
    Route,
    Setting,
    ShowHours,
    Topic,
    Unclear,
    Way,
    format_setting,
)
from tests.rows import each_row

TOPICS: tuple[Topic, ...] = ("turns", "bulletins", "reminders", "press", "news", "everything")
WAYS: tuple[Way, ...] = ("mail", "telegram", "both", "off")
MINUTES = st.integers(0, MINUTES_A_DAY - 1)
QUIET = st.builds(Quiet, MINUTES, MINUTES).filter(
    lambda quiet: 0 < (quiet.until - quiet.since) % MINUTES_A_DAY <= MINUTES_A_DAY - SHORTEST_DAY
)
SETTINGS = st.one_of(
    st.just(NoQuiet()),
    st.builds(NewsAt, st.sampled_from(("at once", "together"))),
    st.builds(ShowHours, st.booleans()),
    QUIET,
    st.builds(Route, st.sampled_from(TOPICS), st.sampled_from(WAYS)),
)


def parse_setting(text: str) -> Setting | Unclear | None:
    """The one choice that a text is."""
    match hear(text).commands:
        case (Settings(choices=(choice,)),):
            return choice
    return None


@pytest.mark.parametrize("text", ["settings", "My settings, please", "quiet hours"])
def test_settings_are_shown(text: str) -> None:
    assert hear(text).commands == (Settings(),)


@each_row(
    ("text", "meant"),
    [
        ("turn mails by mail", Route("turns", "mail")),
        ("Reminders by Telegram", Route("reminders", "telegram")),
        ("bulletins both", Route("bulletins", "both")),
        ("bulletins by mail and telegram", Route("bulletins", "both")),
        ("everything by e-mail.", Route("everything", "mail")),
        ("no bulletins", Route("bulletins", "off")),
        ("please send me no more reminders", Route("reminders", "off")),
        ("don’t send me any reminders", Route("reminders", "off")),
        ("press in the chat only", Route("press", "telegram")),
        ("press off", Route("press", "off")),
        ("everything else by mail", Route("news", "mail")),
        ("quiet 22-7", Quiet(1320, 420)),
        ("quiet hours from 22:30 to 7", Quiet(1350, 420)),
        ("quiet 0-6", Quiet(0, 360)),
        ("quiet 18-24", Quiet(1080, 0)),
        ("quiet off", NoQuiet()),
        ("no quiet hours", NoQuiet()),
        ("news at once", NewsAt("at once")),
        ("please show my hours to the others", ShowHours(True)),
        ("don't show my hours", ShowHours(False)),
        ("I want my bulletins immediately", NewsAt("at once")),
        ("news in one mail", NewsAt("together")),
        ("bulletins should come together", NewsAt("together")),
        ("turns at once", None),
        ("turns by pigeon", Unclear("way", "turns by pigeon")),
        ("quiet 22", Unclear("hours", "quiet 22")),
        ("quiet 25-7", Unclear("hours", "quiet 25-7")),
        ("quiet 22:75-7", Unclear("hours", "quiet 22:75-7")),
        ("quiet 7-7", Unclear("hours", "quiet 7-7")),
        ("quiet 0-24", Unclear("hours", "quiet 0-24")),
        ("quiet 5-3", Unclear("too-long", "quiet 5-3")),
        ("bid 12", None),
        ("march 2 from P1 to P2", None),
        ("press to Ben: hello", None),
        ("all units hold", None),
        ("it is all quiet here", None),
        ("the rest works", None),
        ("press by Ben was rude", None),
        ("", None),
    ],
)
def test_a_choice_is_read_and_nothing_else_is(text: str, meant: Setting | Unclear | None) -> None:
    assert parse_setting(text) == meant


@given(SETTINGS)
def test_every_choice_is_read_back_from_its_spelling(setting: Setting) -> None:
    assert parse_setting(format_setting(setting)) == setting


@given(st.text(max_size=60))
def test_no_line_makes_it_fail(text: str) -> None:
    found = parse_setting(text)
    assert (
        found is None or isinstance(found, Unclear) or parse_setting(format_setting(found)) == found
    )


@pytest.mark.parametrize(
    "line",
    ["settings", "my settings, please", "turn mails by mail", "quiet 22-7", "no bulletins, thanks"],
)
def test_a_choice_is_a_word_of_every_table(line: str) -> None:
    (command,) = hear(line).commands
    assert isinstance(command, Settings)


def test_all_choices_of_a_message_are_one_command_and_a_doubtful_one_keeps_what_was_written() -> (
    None
):
    taken = hear("Turn mails by e-mail\nturns by pigeon\nbid 12")
    assert list(taken.commands) == [
        Settings((Route("turns", "mail"), Unclear("way", "turns by pigeon"))),
    ]


def test_nothing_is_taken_out_of_a_note() -> None:
    taken = hear("GM: I would like\nquiet 22-7\nfor my plants")
    assert taken.commands == ()
