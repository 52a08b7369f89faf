"""Every command of a game master has one spelling, which is read back to the same; what no line can
say, no value holds.
"""

import signal
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm import commands as c
from pbem.grammar.gm import moments, parts, players, tails
from pbem.grammar.gm.commands import (
    AnyCommand,
    Choices,
    Invited,
    Lexicon,
    Questions,
    Span,
    WallTime,
    word_of,
)
from pbem.grammar.gm.lines import format_gm, parse_gm
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.rules import Clauses
from pbem.grammar.gm.spelling import Spelling, load_spellings
from pbem.grammar.gm.words import PHRASES, WORDS
from pbem.grammar.press_rules import PressChange
from tests.growth.attacks import PLAIN, Attack
from tests.growth.run import grows, late
from tests.rings import at_length
from tests.rows import each_row

QUESTIONS = {
    "version": ("normal", "grand"),
    "team game": ("no", "yes"),
    "factions": ("no", "yes"),
    "factions by": ("choice", "chance"),
}
WINDOWS = ("bidding", "rebid", "orders", "dragon", "consolidation")
GAME = "herons"
LEXICON = Lexicon({GAME: Questions(QUESTIONS, WINDOWS)}, frozenset({"heron", "swan"}))

hours, minutes = st.integers(0, 23), st.integers(0, 59)
walls = (
    st.builds(
        WallTime,
        month=st.integers(1, 12),
        day=st.integers(1, 28),
        hour=hours,
        minute=minutes,
        year=st.sampled_from([None, 2026, 2031]),
        weekday=st.none() | st.integers(0, 6),
        zone=st.sampled_from(["", "UTC", "Europe/Oslo"]),
    )
    | st.builds(
        WallTime, st.just(0), st.just(0), hours, minutes, days_ahead=st.sampled_from([0, 1])
    )
    | st.builds(WallTime, st.just(0), st.just(0), hours, minutes, weekday=st.integers(0, 6))
)
spans = st.builds(Span, st.integers(1, 100_000))

SIGNS = list(".,:;!?'\"“”„’()-–/#&@<>=*|0 ")
OURS = sorted({word for phrase in (*PHRASES, *WORDS) for word in phrase.split()})
SMALL = (
    "of at in for by with to is the and because since as reason thanks please none off place 3 zone"
    " heron swan P3 draw no from until 24h days a Ben Chloé's Jean-Luc J.R. ǂ game thank you"
).split()
"""What means something behind a name, or stands between two."""


def spaced(words: list[str]) -> str:
    return " ".join(" ".join(words).split())


said = st.lists(
    st.sampled_from([*OURS, *SMALL, *SIGNS]) | st.text(max_size=4), min_size=1, max_size=5
).map(spaced)
names = st.sampled_from(
    ["Ben", "Ben.", "Chloé Müller", "O'Neil", "Berg, Anna", "gm"]
) | said.filter(bool)
perhaps = st.just("") | said
addresses = st.sampled_from(["frank@x.example", "a.b+c@players.example.org"])
tables = st.sampled_from(["", "heron", "swan", "grey-heron"])
numbers = st.integers(0, 999_999_999)
# `We : adjudicate` within a text may stand below a table's name: that is asked about, and right so
words = said.filter(lambda text: " :" not in f" {text}")
texts = (
    st.lists(words.map("We {}".format) | st.just(""), min_size=1, max_size=4)
    .map("\n".join)
    .map(str.strip)
    .filter(bool)
)
titles = st.sampled_from(["Grey Heron", "Heron", "O'Neil & Ben", "Big Thanks", "Étoile 2"])
changes = {
    "observers": st.booleans(),
    "takeovers": st.sampled_from(["gm", "first", "off"]),
    "least_reliability": st.integers(0, 100),
    "resigned": st.sampled_from(["vacant", "gm", "eliminate"]),
    "draws": st.sampled_from(["phase", "stay", "off"]),
}
thens = st.sampled_from(["gm", "substitute", "defaults"])
people = st.fixed_dictionaries(
    {"nmr_count": st.integers(1, 20), "nmr_then": thens}, optional=changes
) | st.fixed_dictionaries(
    {"observers": st.booleans(), "observers_shown": st.sampled_from(["number", "names"])}
)
presses = st.builds(
    PressChange,
    mode=st.sampled_from([None, "all", "public", "private", "team", "none"]),
    grey=st.none() | st.booleans(),
    closed_in=st.none() | st.sets(st.sampled_from(WINDOWS)).map(tuple),
    eliminated=st.none() | st.booleans(),
    observers=st.none() | st.booleans(),
    after_end=st.none() | st.booleans(),
    gm_reads=st.none() | st.booleans(),
    groups=st.none() | st.booleans(),
).filter(PressChange().__ne__)
some_hours = st.dictionaries(st.sampled_from(WINDOWS), st.integers(1, 400).map(float), max_size=3)


def clocks(lengths: st.SearchStrategy[dict[str, float]]) -> st.SearchStrategy[ClockChange]:
    return st.builds(
        ClockChange,
        clock=st.sampled_from([None, "", "18:00", "00:05"]),
        days=st.sampled_from([None, "", "-MTWTF-", "S-----S"]),
        quiet=st.sampled_from([None, "", "22:00-07:00"]),
        hours=lengths,
        absence_days=st.none() | st.integers(0, 60),
        graces=st.none() | st.integers(0, 20),
        settled_hours=st.none() | st.integers(0, 168).map(float),
        grace_hours=st.none() | st.integers(1, 168).map(float) | st.just(1.5),
        votes=st.none() | st.booleans(),
        tells_names=st.none() | st.booleans(),
    ).filter(ClockChange().__ne__)


def choices(games: list[str]) -> st.SearchStrategy[Choices]:
    return st.builds(
        Choices,
        ruleset=st.sampled_from(games),
        least=st.sampled_from([None, 5]),
        most=st.sampled_from([None, 5, 9]),
        answers=st.dictionaries(st.just("version"), st.sampled_from(["normal", "grand"])),
        votes=st.sampled_from([(), ("factions",), ("factions", "team game")]),
        hours=some_hours,
        early_close=st.none() | st.booleans(),
        finality=st.sampled_from([None, "strict", "confirm"]),
        starts=st.sampled_from([None, "gm", "full"]),
        expires_days=st.none() | st.integers(1, 60),
        secrets=st.none() | st.booleans(),
        suppositions=st.sampled_from([None, 0, 5]),
        zone=st.sampled_from(["", "Europe/Oslo"]),
        options=st.dictionaries(
            st.sampled_from(["provinces", "island"]), st.integers(0, 30) | st.booleans()
        ),
        gm_name=st.sampled_from(["", "Greta", "Greta Larsen"]),
        language=st.sampled_from(["", "de", "pt_BR"]),
        people=st.just({}) | people,
        press=st.none() | presses,
        clock=st.none() | clocks(st.just({})),
    )


zones = st.sampled_from(["UTC", "Europe/Oslo", "America/New_York"])
PARTS: dict[type[parts.Part[Any]], st.SearchStrategy[Any]] = {
    players.Player: names,
    players.Orders: names,
    players.Side: perhaps,
    players.Place: st.integers(1, 99),
    players.Who: addresses,
    players.People: st.lists(st.builds(Invited, names, addresses), min_size=1, max_size=3).map(
        tuple
    ),
    players.Whom: st.sampled_from(["Anna", "Anna, Ben.", "all", "to"]),
    parts.Number: numbers,
    parts.Flag: st.booleans(),
    parts.Notes: st.just(1),
    parts.Title: titles,
    parts.What: names,
    moments.Move: spans | walls,
    moments.Time: walls,
    moments.Until: spans | walls,
    moments.Zone: zones,
    tails.Reason: names,
    tails.Pausing: names,
    tails.Because: names,
    tails.Correction: names,
    tails.Text: texts,
}
"""What a field of each type may be."""
RULES: dict[str, st.SearchStrategy[Any]] = {
    "option": choices([GAME]) | choices(["", GAME]).filter(Choices().__ne__),
    "press-clause": presses,
    "clock-clause": clocks(some_hours),
    "people-clause": people,
}
JOINED: dict[str, st.SearchStrategy[Any]] = {
    "name": perhaps,
    "since": st.none() | walls,
    "also": st.sets(st.integers(2, 99), max_size=parts.MOST_NOTES - 1).map(tuple),
}
"""Fields that are read with another one, by their names."""


def values_of(kind: type[c.GmCommand]) -> st.SearchStrategy[Any]:
    """Commands of a kind, from the types of its fields."""
    fields = {"table": st.just("") if issubclass(kind, c.HouseCommand) else tables}
    for field, part, required in c.slots_of(kind):
        values = RULES[part.code] if isinstance(part, Clauses) else PARTS[type(part)]
        unsaid = {one.name: one.default for one in msgspec.structs.fields(kind)}[field]
        fields[field] = values if required else values | st.just(unsaid)
        fields |= {name: JOINED[name] for name in part.joins}
    if kind is c.NewGame:
        return st.builds(
            lambda title, choices, **_: kind(title=title, table=slug_of(title), choices=choices),
            **fields,
        )
    built = st.builds(kind, **fields)
    if kind is c.Replace:
        asked = st.builds(c.Replace, table=tables, player=names, name=names, address=st.just(""))
        return built | asked
    return built


@pytest.mark.parametrize("kind", get_args(AnyCommand), ids=word_of)
@settings(max_examples=at_length(15, 400))
@given(st.data())
def test_every_command_is_read_back_from_its_one_spelling(
    kind: type[c.GmCommand], data: st.DataObject
) -> None:
    command = data.draw(values_of(kind))
    spelling = format_gm(command)
    assert [line.command or line.trouble for line in parse_gm(spelling, LEXICON)] == [command]


NO_VALUES: dict[str, Callable[[], object]] = {
    "a clock that sets nothing": lambda: c.Clock(change=ClockChange()),
    "no option": lambda: c.Option(choices=Choices()),
    "press that changes nothing": lambda: c.Press(change=PressChange()),
    "nothing about people": lambda: c.People(changes={}),
    "half of a rule": lambda: c.People(changes={"nmr_then": "gm"}),
    "hours of no length": lambda: Choices(hours={"orders": 0.0}),
    "hours said twice": lambda: Choices(clock=ClockChange(hours={"orders": 1.0})),
    "nobody": lambda: c.Unlock(player=""),
    "two lines": lambda: c.Look(player="Ben\nAnna"),
    "no reason": lambda: c.Strike(player="Ben", reason=""),
    "no correction": lambda: c.Correct(what="", reason="x"),
    "nobody invited": lambda: c.Invite(people=()),
    "no name": lambda: Invited("", "a@x.example"),
    "a nameless newcomer": lambda: c.Replace(player="Ben", address=""),
    "no text": lambda: c.Announce(text=" "),
    "a note twice": lambda: c.Dismiss(note=1, also=(1,)),
    "no place": lambda: c.Team(player="Ben", team="Red", place=0),
    "another table's name": lambda: c.NewGame(title="Heron", table="swan"),
    "a table of no table": lambda: c.Games(table="heron"),
    "ten figures": lambda: c.Close(phase=10**9),
}


@pytest.mark.parametrize("make", NO_VALUES.values(), ids=list(NO_VALUES))
def test_what_no_line_can_say_no_value_holds(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"no line can say|^[a-z]*$"):
        make()


@each_row(
    ("line", "command"),
    [
        ('strike "Ben." of heron: x', c.Strike(table="heron", player="Ben.", reason="x")),
        ("look at “Anna of Swan”'s orders", c.Look(player="Anna of Swan")),
        ('unlock "Ann ""the axe"" B."', c.Unlock(player='Ann "the axe" B.')),
        ('strike Ben: said "I cheat"', c.Strike(player="Ben", reason='said "I cheat"')),
        ('eject Ben: "he sent thanks"', c.Eject(player="Ben", reason="he sent thanks")),
        ('pause: "3 days"', c.Pause(reason="3 days")),
        (
            'invite "Berg, Anna" <anna@x.example>',
            c.Invite(people=(Invited("Berg, Anna", "anna@x.example"),)),
        ),
        ('set team "None": None', c.Team(player="None", team="")),
    ],
)
def test_what_is_quoted_is_taken_as_it_is(line: str, command: AnyCommand) -> None:
    (read,) = parse_gm(line, LEXICON)
    assert (read.command, read.trouble) == (command, None)


@each_row(
    ("line", "command"),
    [
        ("option at most 5 players", c.Option(choices=Choices(most=5))),
        ("set press in every phase", c.Press(change=PressChange(closed_in=()))),
        ("set press of finch to grey", c.Press(table="finch", change=PressChange(grey=True))),
        ("correct P3 5 (my slip)", c.Correct(what="P3 5", reason="my slip")),
        ("correct P3 5 because of (4)", c.Correct(what="P3 5", reason="(4)")),
        ("correct P3 5 (since I erred).", c.Correct(what="P3 5", reason="I erred")),
        ("answer 12: - one\n- two:", c.Answer(note=12, text="- one\n- two:")),
    ],
)
def test_nothing_of_a_command_is_lost_between_its_word_and_its_end(
    line: str, command: AnyCommand
) -> None:
    assert parse_gm(line, LEXICON)[0].command == command


IN_LINES = [*PHRASES, *(said.example for said in load_spellings().values()), *SMALL, *SIGNS, "\n"]
heaps = st.lists(st.sampled_from(IN_LINES) | st.text(max_size=6), max_size=14).map(" ".join)


@settings(max_examples=at_length(80, 5000))
@given(heaps)
@example('answer note new game " "')
def test_whatever_is_written_raises_nothing_and_what_is_read_of_it_is_read_back(text: str) -> None:
    for line in parse_gm(text, LEXICON):
        assert (line.command is None) != (line.trouble is None)
        command = line.command
        if command is None or WORDS[word_of(command)].spelling.to_the_end:
            continue
        if command.table.replace("-", " ") not in PHRASES:  # no table is called so
            assert [one.command for one in parse_gm(format_gm(command), LEXICON)] == [command]


@pytest.fixture
def hearing_the_clock() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, late)
    yield
    signal.signal(signal.SIGPROF, before)


PUMPS = (
    *PLAIN,
    *('""', "“a", " of heron", " because x", ", a@x", ": ", " (x)", " 24h", 'ǂ"', "\npause"),
)


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended)"
)
@pytest.mark.usefixtures("hearing_the_clock")
@pytest.mark.parametrize("said", load_spellings().values(), ids=list(load_spellings()))
def test_f9_a_line_of_any_length_takes_time_that_grows_with_it(said: Spelling) -> None:
    for head in (f"{said.phrases[0]} ", f'{said.phrases[0]} "Ben" by x@y.example '):
        for pump in PUMPS:
            attack = Attack(head, pump, "!")
            assert grows(lambda text: parse_gm(text, LEXICON), attack, 20_000) is None
