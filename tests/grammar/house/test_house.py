"""The words of a table: each is read from its data, and back from its one spelling."""

import re
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from babel.localedata import locale_identifiers
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.desk.chat.commands import COMMANDS, IN_GROUPS, IN_PRIVATE
from pbem.desk.phases.player_time import FINAL_WORD
from pbem.grammar.addresses import wishes_address
from pbem.grammar.gm.commands import Span
from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.house.parsing import hear, parse_commands
from pbem.grammar.house.productions import build_grammar, make_command
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.languages import parse_language
from pbem.grammar.times import Vote
from pbem.grammar.veterans import OLD_WORDS
from pbem.grammar.zones import parse_zone
from tests.grammar.test_people import REAL, walls, wishes
from tests.grammar.test_settings import SETTINGS
from tests.grammar.test_times import ABSENCES
from tests.rings import at_length
from tests.rows import each_row

ROOT = Path(__file__).parents[3]
WORDS = load_words()
names = st.text("bcdfgh", min_size=2, max_size=8)
texts = st.lists(names | st.integers(1, 9).map("p{}".format), min_size=1, max_size=4).map(" ".join)
numbers = st.integers(1, 999_999_999)
zones = [zone for zone in sorted(available_timezones()) if parse_zone(zone) == zone]
codes = [code for code in map(parse_language, locale_identifiers()) if isinstance(code, str)]


def unclear(*lines: str) -> st.SearchStrategy[c.AnyCommand]:
    """What such lines come to."""
    return st.sampled_from(lines).map(lambda line: parse_commands(line)[0])


WITH_VALUES: dict[type[c.Command], st.SearchStrategy[c.AnyCommand]] = {
    c.WhatIf: st.builds(c.WhatIf, texts),
    c.Why: st.builds(c.Why, st.just("") | texts),
    c.History: st.builds(c.History, st.none() | numbers),
    c.Rule: st.builds(c.Rule, st.sampled_from(["7.8", "PR-7.8", "RM-B07", "12A", "RM 3"])),
    c.Veterans: st.builds(c.Veterans, st.sampled_from(["", *sorted(OLD_WORDS)])),
    c.Zone: st.builds(c.Zone, st.sampled_from(zones))
    | unclear("zone cet", "my time zone is -5", "zone Atlantis, the deep", "tz springfield"),
    c.Language: st.builds(c.Language, st.sampled_from(codes))
    | unclear("language Germn", "my language is 5", "language quux (old)"),
    c.Profile: st.builds(c.Profile, st.just("") | st.sampled_from(REAL) | texts),
    c.Settings: st.builds(c.Settings, st.just(()) | SETTINGS.map(lambda choice: (choice,)))
    | unclear("turns by pigeon", "turns by mail\nquiet 3-2\nquiet 25-7", "quiet 7-6"),
    c.Letter: st.builds(lambda name, text: c.Letter(f"to {name}: {text}"), names, texts),
    c.Mute: st.builds(c.Mute, st.sampled_from(["all", "grey", *REAL]) | texts),
    c.Unmute: st.builds(c.Unmute, st.sampled_from(["all", "grey", *REAL]) | texts),
    c.Digest: st.builds(c.Digest, st.sampled_from(["at once", "hourly", "daily"]))
    | unclear("digest weekly", "digest is x", "digest to do"),
    c.Away: st.builds(c.Away, ABSENCES)
    | unclear("away from 3/4 to 5/4", "away on the 3rd", "away for 5 minutes or days"),
    c.MoreTime: st.builds(c.MoreTime, st.integers(1, 9999).map(Span) | walls)
    | unclear("more time until 5 days", "extend to nowhere", "extend by 3/4"),
    c.Vote: st.builds(
        c.Vote,
        st.sampled_from(["pause", "resume"])
        | st.builds(Vote, st.sampled_from(["yes", "no", "abstain"]), st.none() | numbers),
    ),
}
BEHIND = {
    "rule": "7.8",
    "history": "3",
    "profile": "Ben",
    "zone": "Oslo",
    "language": "German",
    "away": "until Monday",
    "more time": "by a day",
    "vote": "yes",
    "mute": "Ben",
    "unmute": "Ben",
    "digest": "daily",
    "observe": "heron",
    "stop observing": "heron",
    "take over": "heron",
    "back": "heron",
    "concede": "Ben",
}
"""Something that may stand behind each word that takes something."""


@pytest.mark.parametrize("kind", c.Command.__subclasses__(), ids=c.word_of)
@settings(max_examples=at_length(16, 50))
@given(st.data())
def test_every_command_is_read_back_from_its_one_spelling(
    kind: type[c.Command], data: st.DataObject
) -> None:
    command = data.draw(WITH_VALUES[kind] if kind in WITH_VALUES else st.builds(kind))
    assert parse_commands(format_command(command)) == (command,)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("profile of me", c.Profile()),
        ("mute Now", c.Mute("Now")),
        ("mute Ben now, please", c.Mute("Ben")),
        ("Profile of CHLOÉ.", c.Profile("CHLOÉ")),
        ("please mute J.R.", c.Mute("J.R.")),
    ],
)
def test_a_name_is_kept_as_it_was_written(line: str, command: c.Command) -> None:
    assert parse_commands(line) == (command,)


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("odds of 3 hits", "odds of 3 hits"),
        ("What are my odds in the north?", "odds in the north"),
        ("chances of 3 hits", "chances of 3 hits"),
        ("my chance to win, please.", "chance to win, please"),
        ("How likely is it that I win?", "How likely is it that I win"),
    ],
)
def test_odds_are_asked_for_and_never_ordered(line: str, asked: str) -> None:
    assert parse_commands(line) == (c.Why(asked),)


@pytest.mark.parametrize("line", ["Chance decides", "by chance of 3 hits", "how likely you are"])
def test_talk_of_chances_is_no_question(line: str) -> None:
    assert parse_commands(line) == ()


def test_a_name_that_no_line_can_say_is_none() -> None:
    assert parse_commands("mute {}\nprofile of ()\nconcede to {}") == ()


@given(wishes)
def test_so_is_every_wish(wish: c.AnyCommand) -> None:
    assert parse_commands(format_command(wish)) == (wish,)


VALUES = {phrase for said in WORDS.values.values() for phrase in said}
PIECES = sorted({*WORDS.lines, *WORDS.taking, *VALUES, *BEHIND.values(), "please", "P1", ":"})


@given(st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join) | st.text(max_size=60))
def test_whatever_is_read_is_read_back(text: str) -> None:
    for command in parse_commands(text):
        assert parse_commands(format_command(command)) == (command,)


@each_row("word", sorted({*WORDS.lines.values()}))
def test_every_line_of_the_data_is_the_word_that_it_says(word: str) -> None:
    for line in (line for line, meant in WORDS.lines.items() if meant == word):
        for said in (line, f"  {line.upper()}!"):
            assert [*map(c.word_of, parse_commands(said))] == [word], said


@each_row(("phrase", "word"), WORDS.taking.items())
def test_every_word_of_the_data_takes_what_stands_behind_it(phrase: str, word: str) -> None:
    for said in (f"{phrase} {BEHIND[word]}", f"Please {phrase}: {BEHIND[word]}, thanks."):
        (command,) = parse_commands(said)
        assert c.word_of(command) == word


AROUND = {
    "WHEN": "digest {}",
    "ALL": "mute {}",
    "GREY": "mute {}",
    "TOPIC": "{} off",
    "WAY": "bulletins {}",
    "QUIET": "{} 22-7",
    "PACE": "news {}",
    "OFF": "quiet {}",
    "MY_HOURS": "{}",
    "NO_QUIET": "{}",
    "AVAILABLE": "{}",
    "TILL": "Ben plays for me {} 10 days",
}
OF_STARTS = {
    "NONE": ("seat_team", "team {}"),
    "ORDINAL": ("seat_side", "{} place"),
    "CARDINAL": ("seat_side", "place {}"),
    "SET_VOTES": ("clock_clause", "extensions {}"),
    "SET_TELLS_NAMES": ("clock_clause", "names {}"),
    "SET_OBSERVERS": ("people_clause", "observers {}"),
    "SET_OBSERVERS_SHOWN": ("people_clause", "observers {}"),
    "SET_TAKEOVERS": ("people_clause", "takeovers {}"),
    "SET_HIDDEN_NAMES": ("people_clause", "names {}"),
    "SET_FIRST_NMR": ("people_clause", "first turn nmr {}"),
    "SET_NMR_THEN": ("people_clause", "nmr 2 then {}"),
    "SET_RESIGNED": ("people_clause", "resigned {}"),
    "SET_DRAWS": ("people_clause", "draws {}"),
    "SET_MODE": ("press_clause", "{}"),
    "PRESS_SWITCH": ("press_clause", "{} off"),
    "ON_OR_OFF": ("press_clause", "grey {}"),
}
"""Values of other starts of the grammar."""


@each_row(
    ("kind", "phrase", "value"),
    [(kind, *pair) for kind, said in WORDS.values.items() for pair in said.items()],
)
def test_every_value_of_the_data_is_the_one_that_it_says(
    kind: str, phrase: str, value: str
) -> None:
    ours = next(said for said, meant in WORDS.values[kind].items() if meant == value)
    if kind in OF_STARTS:
        start, line = OF_STARTS[kind]
        said = make_command(line.format(phrase), start)
        assert said
        assert said == make_command(line.format(ours), start)
        return
    (command,) = parse_commands(AROUND[kind].format(phrase))
    assert parse_commands(AROUND[kind].format(ours)) == (command,)


def test_every_word_of_the_data_has_a_type_and_only_what_is_found_otherwise_has_no_data() -> None:
    told = {*WORDS.lines.values(), *WORDS.taking.values()}
    assert told <= set(c.BY_WORD)
    own = {c.word_of(kind) for kind in c.Command.__subclasses__()}
    assert own - told == {"what-if", "why", "letter"}


def test_the_grammar_has_no_conflict_and_no_word_begins_like_another_ones() -> None:
    build_grammar(strict=True)
    for phrase, word in WORDS.taking.items():
        for other, meant in WORDS.taking.items():
            assert word == meant or not other.startswith(f"{phrase} "), (phrase, other)


def test_a_slip_is_read_where_one_word_alone_can_be_meant() -> None:
    taken = hear("statsu\nstory\nwat")
    assert (taken.commands, taken.slips) == ((c.Status(),), ("statsu",))


GUIDE = (ROOT / "docs" / "players.md").read_text("utf-8")
TOLD = [
    line
    for row in re.findall(
        r"^\| (`[^|]+) \|", GUIDE.partition("\n## Words you can")[2], re.MULTILINE
    )
    for line in re.findall(r"`([^`]+)`", re.sub(r"`[^`]+`:", "", row))
]
"""The words that the guide tells players they can always send, and whatever it lists below."""


@each_row("line", TOLD)
def test_every_word_that_the_guide_tells_is_read(line: str) -> None:
    taken = hear(line)
    assert taken.commands or taken.note is not None or wishes_address(line)


@each_row("page", sorted((ROOT / "templates").glob("**/*.j2")))
def test_every_word_that_a_letter_tells_is_read(page: Path) -> None:
    for line in re.findall(r'\bword\("([^"]+)"\)', page.read_text("utf-8")):
        assert parse_commands(line) or line == FINAL_WORD


@each_row("name", [offered.name for offered in (*IN_PRIVATE, *IN_GROUPS)])
def test_every_command_of_the_menus_says_the_one_spelling_of_a_word(name: str) -> None:
    said = COMMANDS[name]("")
    (command,) = parse_commands(said)
    assert said == format_command(command)
