"""What may be written about a seat before the start, and how people write time zones."""

from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.consent import parse_consent, read_consent
from pbem.grammar.house.commands import Help, Players, Rule, Status
from pbem.grammar.joining import find_joins, parse_join
from pbem.grammar.lobby import Choices, Trouble, read_colours, read_lobby
from pbem.grammar.seat_wishes import (
    Accept,
    Colour,
    Colours,
    Decline,
    Leave,
    Name,
    SeatWish,
    Show,
    Vote,
    Zone,
    format_lobby,
)
from pbem.grammar.zones import ZoneRefused, is_country, parse_zone
from pbem.pages.kit.arms import ARMS
from tests.rows import each_row

COLOURS = {colour: colour for colour in ARMS} | {
    arms.symbol: colour for colour, arms in ARMS.items()
}
BALLOT = {
    "version": ("normal", "grand"),
    "team game": ("no", "yes"),
    "factions": ("no", "yes"),
    "factions by": ("choice", "chance"),
}
ALL = Choices(COLOURS, BALLOT)
ONE = Choices(COLOURS, {"version": ("normal", "grand")})
NONE = Choices(COLOURS, {})


@each_row(
    ("text", "wishes"),
    [
        ("name Bea", (Name("Bea"),)),
        ("My name is Bea Smith.", (Name("Bea Smith"),)),
        ("Name: Bea", (Name("Bea"),)),
        ("call me Žofie please", (Name("Žofie"),)),
        ("colour green", (Colour("green"),)),
        ("my color is Grey", (Colour("grey"),)),
        ("green please!", (Colour("green"),)),
        ("I'd like to be green, if possible", (Colour("green"),)),
        ("I'll take the tree", (Colour("green"),)),
        ("in teal", (Colour("teal"),)),
        ("I am also fine with the colour teal", (Colour("teal"),)),
        ("my colour wishes are red, then teal", (Colours(("red", "teal")),)),
        ("my time zone is Europe/Oslo", (Zone("Europe/Oslo"),)),
        ("SET ZONE europe/oslo", (Zone("Europe/Oslo"),)),
        ("timezone: Oslo, Norway", (Zone("Europe/Oslo"),)),
        ("I live in Warsaw", (Zone("Europe/Warsaw"),)),
        ("America/New_York", (Zone("America/New_York"),)),
        ("vote grand", (Vote("version", "grand"),)),
        ("Vote version: grand", (Vote("version", "grand"),)),
        ("I vote for the grand version", (Vote("version", "grand"),)),
        ("grand please", (Vote("version", "grand"),)),
        (
            "vote factions by chance, no team game",
            (Vote("factions by", "chance"), Vote("team game", "no")),
        ),
        ("version grand; factions yes", (Vote("version", "grand"), Vote("factions", "yes"))),
        ("Players?", (Show(Players()),)),
        ("status\nhelp", (Show(Status()), Show(Help()))),
        ("rule PR-7.8", (Show(Rule("PR-7.8")),)),
        ("leave", (Leave(),)),
        ("I have to leave the table", (Leave(),)),
        ("RESIGN", (Leave(),)),
        ("we will not play this time", (Leave(),)),
        ("I can't play this time, sorry", (Leave(),)),
        ("no thanks", (Decline(),)),
        ("Yes, gladly!", (Accept(),)),
        ("I'm in. Name Bea", (Accept(), Name("Bea"))),
        (
            "- name Bea\n- colour green\n- my time zone is oslo\n- vote grand",
            (Name("Bea"), Colour("green"), Zone("Europe/Oslo"), Vote("version", "grand")),
        ),
        (
            "My name is Bea and my colour is green. My time zone is Oslo.",
            (Name("Bea"), Colour("green"), Zone("Europe/Oslo")),
        ),
        ("Hi Greta!\nThanks for having me.\ncolour red\nBest wishes", (Colour("red"),)),
    ],
)
def test_plain_words_are_read(text: str, wishes: tuple[SeatWish, ...]) -> None:
    reading = read_lobby(text, ALL)
    assert reading.said == wishes
    assert reading.note is None


@each_row(
    ("text", "code", "options"),
    [
        ("colour gren", "unknown-colour", ("colour green", "colour grey")),
        ("colour ultramarine", "unknown-colour", ()),
        (
            "time zone CET",
            "zone-abbreviation",
            (
                "time zone Europe/Berlin",
                "time zone Europe/Oslo",
                "time zone Europe/Paris",
                "time zone Europe/Warsaw",
            ),
        ),
        ("time zone UTC+2", "zone-offset", ()),
        ("time zone Osol", "zone-unknown", ("time zone Europe/Oslo",)),
        ("time zone Norway", "zone-unknown", ("time zone Europe/Oslo",)),
        ("vote yes", "vote-ambiguous", ("vote team game: yes", "vote factions: yes")),
        (
            "vote huge",
            "unknown-vote",
            (
                *("vote version: normal", "vote version: grand", "vote team game: no"),
                *("vote team game: yes", "vote factions: no", "vote factions: yes"),
                *("vote factions by: choice", "vote factions by: chance"),
            ),
        ),
        ("nmae Bea", "not-understood", ("name Bea",)),
        ("to Bartek: shall we ally?", "no-press", ()),
    ],
)
def test_what_cannot_be_done_is_told_with_what_could(
    text: str, code: str, options: tuple[str, ...]
) -> None:
    (trouble,) = read_lobby(text, ALL).said
    assert isinstance(trouble, Trouble)
    assert (trouble.code, trouble.options) == (code, options)


def test_a_vote_where_nothing_is_voted_on_is_told_so_and_never_taken() -> None:
    (trouble,) = read_lobby("vote grand", NONE).said
    assert trouble == Trouble("nothing-to-vote", "vote grand")
    assert read_lobby("grand please", NONE).note == "grand please"


@pytest.mark.parametrize("word", ["draw", "audit log", "forget me", "back"])
def test_what_is_wished_for_in_a_game_is_told_within_a_line_and_never_dropped(word: str) -> None:
    told = read_lobby(f"colour red, {word}", ALL).said
    assert told == (Colour("red"), Trouble("not-understood", word))


def test_a_name_keeps_the_stop_of_its_abbreviation() -> None:
    assert read_lobby("My name is J.R.\ncall me Ben Jr.", ALL).said == (
        Name("J.R."),
        Name("Ben Jr."),
    )


def test_a_bare_yes_or_no_is_no_vote() -> None:
    assert read_lobby("yes", ALL).said == (Accept(),)
    assert read_lobby("no", ALL).said == (Decline(),)


def test_a_mail_of_which_nothing_is_understood_is_a_note_and_a_letter_to_a_player_never_is() -> (
    None
):
    text = "Could we begin after the holidays?\nMy mother visits until the 3rd."
    assert read_lobby(text, ALL).note == text
    assert read_lobby("to Bartek: let us ally\nand beat Anna", ALL).note is None


def test_what_follows_gm_up_to_an_empty_line_goes_to_the_game_master() -> None:
    reading = read_lobby(
        "colour red\nGM: can we wait for Mei?\nShe comes back on Monday.\n\nname Bea", ALL
    )
    assert reading.note == "can we wait for Mei?\nShe comes back on Monday."
    assert reading.said == (Colour("red"), Name("Bea"))


def test_quoted_lines_are_not_read() -> None:
    assert read_lobby("> leave\ncolour red", ALL).said == (Colour("red"),)


@each_row(
    ("text", "code", "rest"),
    [
        ("join heron-k7m2qd", "heron-k7m2qd", ""),
        ("  Join HERON-K7M2QD.", "heron-k7m2qd", ""),
        (
            "Hi, I'd like to join the table heron-k7m2qd as Anna, blue",
            "heron-k7m2qd",
            "as Anna, blue",
        ),
        ('please join "grey-heron-2-k7m2qd"\nname Bea', "grey-heron-2-k7m2qd", "\nname Bea"),
        ("sign on heron-k7m2qd", "heron-k7m2qd", ""),
        ("Hi,\n\njoin heron-k7m2qd as Bea", "heron-k7m2qd", "as Bea"),
        ("Hello!\nPlease can I join heron-k7m2qd?", "heron-k7m2qd", ""),
        ('"join heron-k7m2qd"', "heron-k7m2qd", ""),
        ("Hello Greta,\nheron-k7m2qd", "heron-k7m2qd", ""),
    ],
)
def test_a_wish_to_join_names_a_code(text: str, code: str, rest: str) -> None:
    assert parse_join(text) == (code, rest)


@pytest.mark.parametrize(
    ("text", "joins"),
    [
        (
            "A friend told me of you.\nMay I please join heron-k7m2qd as Bea",
            (("heron-k7m2qd", "as Bea"),),
        ),
        ('They wrote: "join heron-k7m2qd"', (("heron-k7m2qd", ""),)),
        ("My code:\nheron-k7m2qd", (("heron-k7m2qd", ""),)),
        ("I have heard of heron-k7m2qd and its birds", ()),
        (
            "join heron-k7m2qf\njoin heron-k7m2qd",
            (("heron-k7m2qf", "\njoin heron-k7m2qd"), ("heron-k7m2qd", "")),
        ),
    ],
)
def test_a_stranger_may_say_it_on_any_line(text: str, joins: tuple[tuple[str, str], ...]) -> None:
    assert find_joins(text) == joins


@each_row(
    "text",
    [
        *("Yes, thanks! I would love to play.", "Sure!", "ok", "Okay.", "count me in"),
        *("Great, I'm in!", "Of course! Count me in."),
        "Hello Greta, yes I would like to play. Best, Anna",
        *("Yes, thank you for the invitation.\nBest wishes\nAnna", "with pleasure"),
    ],
)
def test_a_friendly_yes_is_a_yes_and_nothing_else(text: str) -> None:
    reading = read_lobby(text, ALL)
    assert set(reading.said) == {Accept()}
    assert reading.note is None


def test_a_name_below_the_sign_off_is_passed_over_and_nothing_else_is() -> None:
    assert read_lobby("colour red\nThanks\nAnna", ALL).said == (Colour("red"),)
    assert read_lobby("Thanks\nAnna", ALL, joining=True) == read_lobby("", ALL)
    assert read_lobby("Anna\ncolour red", ALL).said == (
        Trouble("not-understood", "Anna"),
        Colour("red"),
    )


@each_row(
    "text",
    [
        *("", "join", "join heron", "join forces in P3", "join us-forces"),
        *("status\njoin heron-k7m2qd", "rejoin heron-k7m2qd"),
    ],
)
def test_other_texts_are_no_wish_to_join(text: str) -> None:
    assert parse_join(text) is None


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        (
            "as Anna, colour blue, time zone Europe/Oslo",
            (Name("Anna"), Colour("blue"), Zone("Europe/Oslo")),
        ),
        ("as Bea in green", (Name("Bea"), Colour("green"))),
        ("as Bea, green", (Name("Bea"), Colour("green"))),
        ("as green", (Colour("green"),)),
        ("as Anna of the North, vote grand", (Name("Anna of the North"), Vote("version", "grand"))),
    ],
)
def test_who_joins_may_say_all_at_once(text: str, wishes: tuple[SeatWish, ...]) -> None:
    assert read_lobby(text, ONE, joining=True).said == wishes


def test_as_soon_as_possible_is_nobodys_name() -> None:
    assert read_lobby("as soon as possible", ONE, joining=True).wishes == ()


@each_row(
    ("text", "consent", "rest"),
    [
        ("yes, as Bea, green", True, "as Bea, green"),
        ("Yes!\nname Bea", True, "name Bea"),
        ("ja bitte", True, ""),
        ("No.", False, ""),
        ("yesterday I wrote", None, "yesterday I wrote"),
        ("", None, ""),
    ],
)
def test_an_answer_begins_with_yes_or_no_or_neither(
    text: str, consent: bool | None, rest: str
) -> None:
    assert parse_consent(text) is consent
    assert read_consent(text).rest == rest


# --------------------------------------------------------------------------------------- time zones
@each_row(
    ("text", "zone"),
    [
        ("Europe/Oslo", "Europe/Oslo"),
        ("EUROPE/OSLO", "Europe/Oslo"),
        ("europe / oslo", "Europe/Oslo"),
        ("oslo", "Europe/Oslo"),
        ("Oslo time", "Europe/Oslo"),
        ("new york", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Zürich", "Europe/Zurich"),
        ("america/argentina/buenos aires", "America/Argentina/Buenos_Aires"),
        ("UTC", "UTC"),
        ("US/Pacific", "US/Pacific"),
        ("Istanbul", "Europe/Istanbul"),
    ],
)
def test_a_zone_is_named_in_any_case_or_by_a_city(text: str, zone: str) -> None:
    assert parse_zone(text) == zone


@each_row(
    "text",
    [
        *("CET", "cest", "EST", "GMT", "IST", "PST8PDT", "GMT+1", "UTC-3", "+02:00", "Etc/GMT-5"),
        *("nowhere", ""),
        "x" * 5000,
    ],
)
def test_what_is_no_place_is_never_guessed(text: str) -> None:
    assert isinstance(parse_zone(text), ZoneRefused)


@each_row(
    "zone",
    sorted(
        name
        for name in available_timezones()
        if "/" in name and not name.startswith(("Etc/", "SystemV/", "posix", "right"))
    ),
)
def test_every_place_of_the_zone_database_is_read_by_its_name(zone: str) -> None:
    assert parse_zone(zone.upper()) == zone


def test_a_country_may_follow_a_city_and_suggests_its_own() -> None:
    assert is_country("Norway")
    found = parse_zone("usa")
    assert isinstance(found, ZoneRefused)
    assert "America/Chicago" in found.suggestions


# --------------------------------------------------------------------------------------- properties
WORDS = st.sampled_from(
    [
        *("name", "colour", "vote", "grand", "as", "Bea", "green", "time zone", "Europe/Oslo", ","),
        *("\n", "GM:", "leave", "yes", "no", "and", ".", "my", "is", "->", "-", "*", "to Ben:"),
        *("heron-k7m2qd", "join", "\u202e", "😀", "é", "\x00", ">", "p3", "factions by"),
        "I'd like to be",
    ]
)


@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=40).map(" ".join)), st.booleans())
def test_reading_never_raises_and_every_zone_read_exists(text: str, joining: bool) -> None:
    reading = read_lobby(text, ALL, joining=joining)
    for piece in reading.said:
        if isinstance(piece, Zone):
            ZoneInfo(piece.zone)
        if isinstance(piece, Vote):
            assert piece.answer in BALLOT[piece.question]
        if isinstance(piece, Colour):
            assert piece.colour in ARMS
        if isinstance(piece, Trouble):
            assert len(piece.written) <= 80
    parse_join(text)
    parse_consent(text)


@given(st.sampled_from(list(BALLOT)), st.data())
def test_every_vote_is_read_back_from_the_form_that_is_suggested(
    question: str, data: st.DataObject
) -> None:
    answer = data.draw(st.sampled_from(BALLOT[question]))
    assert read_lobby(f"vote {question}: {answer}", ALL).said == (Vote(question, answer),)


@each_row(
    "text",
    [
        "-" * 20000,
        "* " * 9000,
        "as " * 8000,
        "my " * 9000,
        "please " * 5000,
        "a," * 9000,
        "vote " * 5000,
        "\n" * 9000,
    ],
)
def test_very_long_and_strange_messages_are_read_in_no_time(text: str) -> None:
    read_lobby(text, ALL, joining=True)
    parse_join(text)
    read_consent(text)


YELLOW = Choices({"yellow": "yellow", "red": "red"}, {})


@each_row(
    "text",
    [
        *("Yes - yellow is fine with me", "Yes – yellow sounds good", "yes — happy with yellow"),
        *("Yes, yellow is fine", "Yes! Yellow would be great.", "yes, I'll take yellow"),
        *("Sure, yellow works for me", "ok, yellow suits me", "Yes - yellow please"),
        *("Yes: I don't mind yellow", "Yes please! yellow's fine"),
        "I accept, yellow is fine with me",
    ],
)
def test_f28_a_yes_that_agrees_to_a_colour_takes_it(text: str) -> None:
    assert read_lobby(text, YELLOW).said == (Accept(), Colour("yellow"))


@each_row(
    "text",
    [
        *("Yes - is yellow still free?", "Yes, but not yellow", "Yes - yellow is not fine with me"),
        *("yes, anything but yellow", "Yes, if yellow is free", "Yes, yellow is taken I think"),
        *("No - yellow is fine", "Yes - yellow is Ben's", "yellow or red?"),
    ],
)
def test_f28_what_only_speaks_of_a_colour_does_not(text: str) -> None:
    assert not any(isinstance(piece, Colour) for piece in read_lobby(text, YELLOW).said)


WISHED = {"green": "green", "blue": "blue", "red": "red", "oak": "green"}


@each_row(
    ("text", "wished"),
    [
        ("I'd like green or blue", ("green", "blue")),
        ("SET PREFERENCE green, blue red", ("green", "blue", "red")),
        ("preference: oak > red", ("green", "red")),
        ("colours red then blue", ("red", "blue")),
        ("preference green", ("green",)),
        ("SET PREFERENCE *", ()),
        ("I'd like green", None),
        ("I'd like a cup of tea", None),
        ("preference mauve", None),
    ],
)
def test_colours_are_wished_for_in_an_order(text: str, wished: tuple[str, ...] | None) -> None:
    assert read_colours(text, WISHED) == wished


@given(st.lists(st.sampled_from(["green", "blue", "red"]), unique=True).map(tuple))
def test_wishes_for_colours_are_read_back(wished: tuple[str, ...]) -> None:
    assert read_colours(format_lobby(Colours(wished)), WISHED) == wished
