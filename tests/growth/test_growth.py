"""F-9, F-19, F-51, F-54: reading takes time that grows with its text, and not faster.

Every pattern is asked, and every parser, that walking the project finds. It is growth that is
judged, as a ratio of CPU time; and what a busy machine says once is asked again, twice.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.growth.attacks import attacks_on
from tests.growth.run import ask, grows, late
from tests.growth.walk import Found, parsers, patterns
from tests.played import GAMES, folder_of, spoken

LENGTH = "4000"
LONGER = 10_000
"""Long enough for a square to take more than little on a fast machine."""
AGAIN = 2


def told_of(what: str, *names: str) -> list[list[Any]]:
    """What `tests.growth.run` tells, in a process of its own, which ends a pattern that does
    not.
    """
    asked = [sys.executable, "-m", "tests.growth.run", what, LENGTH, *names]
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()
    *found, last = map(json.loads, told)
    assert "cpu" in last, "it came to its end"
    return found


def growing(what: str) -> list[list[Any]]:
    """What grows faster each of three times."""
    found = told_of(what)
    for _ in range(AGAIN):
        found = told_of(what, *{name for name, *_ in found}) if found else []
    return found


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended),"
    " tests/mail (the largest mails)"
)
def test_f9_f19_f51_f54_no_pattern_takes_time_that_grows_faster_than_its_text() -> None:
    assert growing("patterns") == []


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended),"
    " tests/mail (the largest mails)"
)
def test_f9_f19_f51_f54_no_parser_takes_time_that_grows_faster_than_its_text() -> None:
    assert growing("parsers") == []


def test_parsers_are_found_by_their_names_and_all_games_read_in_every_window() -> None:
    names = {parser.name for parser in parsers()}
    assert len(names) > 150
    assert {
        "pbem.grammar.press.split_press",
        "pbem.grammar.house.message.read_message",
        "pbem.mail.inbound.reader.read_mail",
    } <= names
    for game in GAMES:
        assert any(name.startswith(f"pbem.games.{folder_of(game)}.reading.") for name in names)
        assert {f"{game}.read[{window}]" for window in spoken(game).windows} <= names


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended)"
)
def test_patterns_are_found_in_modules_in_tables_and_within_functions() -> None:
    found = list(patterns())
    names = {one.name for one in found}
    assert len(found) > 500
    assert {
        "pbem.grammar.house.parsing._WHY",
        "pbem.grammar.gm.opening._OWN_CLAUSES[0][2]",
        "pbem.mail.inbound.markup._ANY_TAG",
    } <= names
    assert any(name.startswith("pbem.grammar.clock_rules:") for name in names), (
        "one that a function compiles"
    )


@pytest.fixture
def hearing_the_clock() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, late)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended)"
)
@pytest.mark.usefixtures("hearing_the_clock")
@pytest.mark.parametrize(
    ("source", "way", "told"),
    [
        (r"(?:yes)!*[ ,:]*(?:\d{1,3}[ ]*,?)*[ .!]*", "fullmatch", True),
        (r"(?:yes)!*+[ ,:]*+(?:\d{1,3}(?!\d)[ ]*+,?)*+[ .!]*", "fullmatch", False),
        (r"(?P<what>.+?)[ ]+(?:of|at)[ ]+x", "fullmatch", True),
        (r"(?P<what>.*?[^ ])[ ]++(?:of|at)[ ]++x", "fullmatch", False),
        (r"<(/?)([a-zA-Z][a-zA-Z0-9:]*)[^<>]*?(/?)>", "scan", True),
        (r"<[^<>]*+>", "scan", False),
        (r"a?b{1,3}c*d", "scan", False),
    ],
)
def test_a_pattern_that_grows_faster_is_told_from_one_that_does_not(
    source: str, way: str, *, told: bool
) -> None:
    pattern = re.compile(source)
    read = partial(ask, Found(source, pattern, (way,)), way)
    assert any(grows(read, attack, LONGER) for attack in attacks_on(pattern)) == told
