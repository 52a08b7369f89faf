"""A game master's words: each form, what is asked back, and that nothing is guessed."""

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import (
    AnyCommand,
    Choices,
    Invited,
    Lexicon,
    Span,
    Trouble,
    Unread,
    WallTime,
    word_of,
)
from pbem.grammar.gm.lines import format_gm, parse_gm
from pbem.grammar.gm.special import NO_REASON
from pbem.grammar.gm.times import (
    format_span,
    format_wall_time,
    instant_of,
    parse_span,
    parse_wall_time,
)
from pbem.grammar.gm.words import WORDS, example_of
from pbem.grammar.press_rules import PressChange
from tests.grammar.test_gm_spelling import GAME, LEXICON, spans, walls
from tests.rows import each_row

NOW = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


def one(text: str) -> AnyCommand:
    (line,) = parse_gm(text, LEXICON)
    assert line.command is not None, line.trouble
    return line.command


def trouble(text: str) -> Trouble:
    (line,) = parse_gm(text, LEXICON)
    assert line.trouble is not None, line.command
    return line.trouble


@each_row("word", WORDS)
def test_every_word_has_an_example_that_is_read_as_that_word(word: str) -> None:
    assert word_of(one(example_of(word, GAME))) == word


@each_row("word", WORDS)
def test_every_example_is_written_again_as_something_that_means_the_same(word: str) -> None:
    command = one(example_of(word, GAME))
    assert one(format_gm(command)) == command


def test_a_table_is_opened_with_all_that_can_be_said_of_it() -> None:
    text = (
        f"new game Grey Heron: {GAME}, 5 to 9 players, grand or normal by vote, orders 72h, bids 12h, early close off, strict, "
        "zone Europe/Berlin, expires in 14 days, starts when full, provinces = 18, gm Greta"
    )
    choices = Choices(
        ruleset=GAME,
        least=5,
        most=9,
        votes=("version",),
        hours={"orders": 72.0, "bidding": 12.0},
        early_close=False,
        finality="strict",
        zone="Europe/Berlin",
        expires_days=14,
        starts="full",
        options={"provinces": 18},
        gm_name="Greta",
    )
    assert one(text) == c.NewGame(title="Grey Heron", table="grey-heron", choices=choices)


def test_a_line_that_a_mail_program_has_broken_is_one_line() -> None:
    broken = f"new game Heron: {GAME}, 5 to 9 players, grand or normal by\nvote, orders 72h\n\nstatus heron"
    opened, status = parse_gm(broken, LEXICON)
    assert opened.command == one(" ".join(broken.splitlines()[:2]))
    assert status.command == c.Status(table="heron")


@each_row(
    ("text", "command"),
    [
        (
            "invite Anna anna@x.example, Ben <Ben@x.example> and Chloé Müller chloe@x.example",
            c.Invite(
                people=(
                    Invited("Anna", "anna@x.example"),
                    Invited("Ben", "ben@x.example"),
                    Invited("Chloé Müller", "chloe@x.example"),
                )
            ),
        ),
        (
            "invite to heron: Anna anna@x.example",
            c.Invite(table="heron", people=(Invited("Anna", "anna@x.example"),)),
        ),
        (
            "invite Anna anna@x.example <mailto:anna@x.example> to heron",
            c.Invite(table="heron", people=(Invited("Anna", "anna@x.example"),)),
        ),
        (
            "Please extend heron by 1 day 12 hours, thanks!",
            c.Extend(table="heron", when=Span(36 * 60)),
        ),
        ("heron: extend by a day", c.Extend(table="heron", when=Span(24 * 60))),
        (
            "extend the deadline of heron to 2026-11-23 18:00 UTC",
            c.Extend(table="heron", when=WallTime(11, 23, 18, 0, 2026, zone="UTC")),
        ),
        (
            "extend to Monday 23 November, 18:00 your time",
            c.Extend(when=WallTime(11, 23, 18, 0, weekday=0)),
        ),
        ("shorten to Nov 23 6pm", c.Shorten(when=WallTime(11, 23, 18, 0))),
        ("process phase 5 of heron", c.Close(table="heron", phase=5)),
        ("close heron phase 5", c.Close(table="heron", phase=5)),
        ("close now", c.Close()),
        ("observers off", c.People(changes={"observers": False})),
        ("heron: no observers", c.People(table="heron", changes={"observers": False})),
        (
            "set observers of heron by name",
            c.People(table="heron", changes={"observers": True, "observers_shown": "names"}),
        ),
        (
            "set people nmr 2 then substitute, resigned vacant, least reliability 80, takeover by gm",
            c.People(
                changes={
                    "nmr_count": 2,
                    "nmr_then": "substitute",
                    "resigned": "vacant",
                    "least_reliability": 80,
                    "takeovers": "gm",
                }
            ),
        ),
        ("SET NONMR", c.People(changes={"nmr_count": 0})),
        ("set nmr 3 then defaults", c.People(changes={"nmr_count": 3, "nmr_then": "defaults"})),
        (
            "substitute Ben by Frank frank@x.example until 10 July, 18:00",
            c.Substitute(
                player="Ben", name="Frank", address="frank@x.example", until=WallTime(7, 10, 18, 0)
            ),
        ),
        (
            "substitute Ben of heron with <Frank@x.example> from 3 to 10 July",
            c.Substitute(
                table="heron",
                player="Ben",
                address="frank@x.example",
                until=WallTime(7, 10, 23, 59),
                since=WallTime(7, 3, 0, 0),
            ),
        ),
        (
            "substitute Frank frank@x.example for Ben for 10 days",
            c.Substitute(player="Ben", name="Frank", address="frank@x.example", until=Span(14400)),
        ),
        ("defaults Ben", c.Defaults(player="Ben")),
        ("default orders for Ben of heron", c.Defaults(table="heron", player="Ben")),
        ("defaults Ben off", c.Defaults(player="Ben", off=True)),
        (
            "remove Ben of heron: nobody takes the seat",
            c.Remove(table="heron", player="Ben", reason="nobody takes the seat"),
        ),
        ("pause", c.Pause()),
        ("pause for heron", c.Pause(table="heron")),
        ("pause for the holidays", c.Pause(reason="the holidays")),
        ("terminate heron because three have left", c.End(table="heron", reason="three have left")),
        (
            "replace Ben of heron with Frank F <frank@x.example>, zone Oslo",
            c.Replace(
                table="heron",
                player="Ben",
                name="Frank F",
                address="frank@x.example",
                zone="Europe/Oslo",
            ),
        ),
        ("replace Ben with frank@x.example", c.Replace(player="Ben", address="frank@x.example")),
        ("unlock Ben's orders of heron", c.Unlock(table="heron", player="Ben")),
        ("look at Chloé’s orders", c.Look(player="Chloé")),
        ("rollback 5", c.RollBack(phase=5)),
        (
            "roll back heron to phase 5, reshuffle",
            c.RollBack(table="heron", phase=5, reshuffle=True),
        ),
        ("set press public only, grey", c.Press(change=PressChange(mode="public", grey=True))),
        (
            "heron: set press none during dragon",
            c.Press(table="heron", change=PressChange(closed_in=("dragon",))),
        ),
        (
            "option strict, orders 48h, grand",
            c.Option(
                choices=Choices(
                    finality="strict", hours={"orders": 48.0}, answers={"version": "grand"}
                )
            ),
        ),
        ("Could you please extend the deadline by 2 days? Thanks!", c.Extend(when=Span(2880))),
        ("extend by 24 hours because Anna is ill", c.Extend(when=Span(1440), reason="Anna is ill")),
        (
            "extend heron by a day, since it is Christmas.",
            c.Extend(table="heron", when=Span(1440), reason="it is Christmas"),
        ),
        ("extend to tomorrow 18:00", c.Extend(when=WallTime(0, 0, 18, 0, days_ahead=1))),
        ("extend to Monday 18:00", c.Extend(when=WallTime(0, 0, 18, 0, weekday=0))),
        ("heron status", c.Status(table="heron")),
        ("dismiss note 12", c.Dismiss(note=12)),
        ("dismiss 4, 5", c.Dismiss(note=4, also=(5,))),
        ("dismiss notes 4, #5 and 7", c.Dismiss(note=4, also=(5, 7))),
        (
            "correct heron: P3 units 5, because I mistyped the order.",
            c.Correct(table="heron", what="P3 units 5", reason="I mistyped the order"),
        ),
        (
            "reinstate Emil in heron in P2 with 2 because it was a slip",
            c.Correct(what="reinstate Emil in P2 with 2", reason="it was a slip", table="heron"),
        ),
        (
            "correct P3 in heron owner Anna because x",
            c.Correct(what="P3 owner Anna", reason="x", table="heron"),
        ),
        (
            "correct P3 in finch owner Anna because x",
            c.Correct(what="P3 in finch owner Anna", reason="x"),
        ),
        (
            "undo Anna's elimination because it was a slip",
            c.Correct(what="undo Anna's elimination", reason="it was a slip"),
        ),
        (
            "restore Anna in P3 with 2 because I erred",
            c.Correct(what="restore Anna in P3 with 2", reason="I erred"),
        ),
        (
            "correct P3 units 5 of heron (I mistyped)",
            c.Correct(table="heron", what="P3 units 5", reason="I mistyped"),
        ),
        (
            "set units P3 5: a typing mistake",
            c.Correct(what="units P3 5", reason="a typing mistake"),
        ),
        (
            "please set right: Anna's money to 75 - due to me",
            c.Correct(what="Anna's money to 75", reason="me"),
        ),
        (
            "set the deadline to tomorrow 18:00",
            c.Deadline(when=WallTime(0, 0, 18, 0, days_ahead=1)),
        ),
        ("answer #12 yes, both", c.Answer(note=12, text="yes, both")),
        (
            'gm answer Anna "the shield counts once"',
            c.Write(whom="Anna", text="the shield counts once"),
        ),
        (
            "answer Anna: the shield counts once",
            c.Write(whom="Anna", text="the shield counts once"),
        ),
        ("gm extend 12", c.Extend(when=Span(720))),
        ("gm extend 6 h", c.Extend(when=Span(360))),
        ("extend heron 12", c.Extend(when=Span(720), table="heron")),
        ("extend by 12", c.Extend(when=Span(720))),
        ("gm replace Anna anna2@x.example", c.Replace(player="Anna", address="anna2@x.example")),
        (
            "replace Anna of heron <anna2@x.example>",
            c.Replace(player="Anna", address="anna2@x.example", table="heron"),
        ),
        ("gm end draw", c.Correct(what="draw", reason=NO_REASON)),
        (
            "heron: end in a draw because two have left",
            c.Correct(what="draw", reason="two have left", table="heron"),
        ),
        ("end draw of heron", c.Correct(what="draw", reason=NO_REASON, table="heron")),
        ("gm end Anna", c.Correct(what="winner Anna", reason=NO_REASON)),
        ("end heron", c.End(table="heron")),
        ("end herron", c.End(table="herron")),
        ("end: nobody answers", c.End(reason="nobody answers")),
        ("end heron because nobody answers", c.End(reason="nobody answers", table="heron")),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, command: AnyCommand) -> None:
    assert one(text) == command


@each_row(
    ("clause", "choices"),
    [
        ("with the Island", Choices(options={"island": True})),
        ("without factions", Choices(answers={"factions": "no"})),
        ("no factions", Choices(answers={"factions": "no"})),
        ("with factions", Choices(answers={"factions": "yes"})),
        ("factions by chance", Choices(answers={"factions by": "chance"})),
        ("two teams", Choices(options={"teams": 2})),
        ("4 teams", Choices(options={"teams": 4})),
    ],
)
def test_options_may_be_said_as_people_say_them(clause: str, choices: Choices) -> None:
    assert one(f"option {clause}") == c.Option(choices=choices)


def test_an_announcement_takes_the_rest_of_the_mail() -> None:
    lines = parse_gm("extend heron by 24h\nannounce: Dear all,\n\nstart is late.\nGreta", LEXICON)
    assert [line.command for line in lines] == [
        c.Extend(table="heron", when=Span(1440)),
        c.Announce(text="Dear all,\n\nstart is late.\nGreta"),
    ]


@each_row(
    ("second", "command"),
    [
        ("answer 2: yes, Ben", c.Answer(note=2, text="yes, Ben")),
        ("extend by 24h", c.Extend(when=Span(1440))),
        ("heron: pause", c.Pause(table="heron")),
        ("Please extend heron by 24h, thanks!", c.Extend(table="heron", when=Span(1440))),
        ("dismiss 7", c.Dismiss(note=7)),
        ("status", c.Status()),
        (
            "replace Ben with Zed zed@x.example",
            c.Replace(player="Ben", name="Zed", address="zed@x.example"),
        ),
        ("announce: It is late.", c.Announce(text="It is late.")),
        ("heron:\nresume", c.Resume(table="heron")),
    ],
)
def test_a_private_answer_ends_where_another_command_begins(
    second: str, command: AnyCommand
) -> None:
    first, following = parse_gm(f"answer 1: no\nreally not\n\n{second}", LEXICON)
    assert first.command == c.Answer(note=1, text="no\nreally not")
    assert following.command == command


@each_row(
    "second",
    [
        *("2: yes, Ben", "anser 2: yes, Ben", "extend by", "Look at the new map of mine"),
        *("end of story", "start swann"),
    ],
)
def test_whether_a_line_belongs_to_a_private_answer_is_asked_when_it_is_doubtful(
    second: str,
) -> None:
    (line,) = parse_gm(f"answer 1: no\n{second}\nextend by 24h", LEXICON)
    assert line.command is None
    assert line.trouble == Trouble("ambiguous", "where-it-ends", second)


def test_the_whole_text_that_is_sent_stands_in_the_line() -> None:
    text = "announce: " + " ".join(["It is a long turn."] * 12) + "\n\nAll of it."
    (line,) = parse_gm(text, LEXICON)
    assert line.quote == text


@pytest.mark.parametrize(
    "closing",
    ["Greta", "greta,", "Best wishes\nGreta Larsen", "Cheers!\n\nG.\nOslo", "Thanks,\n-- Greta"],
)
def test_who_signs_a_mail_gives_no_command_by_it(closing: str) -> None:
    lexicon = msgspec.structs.replace(LEXICON, signers=frozenset({"greta"}))
    assert [line.command for line in parse_gm(f"pause heron\n\n{closing}\n", lexicon)] == [
        c.Pause(table="heron")
    ]


def test_a_command_below_a_closing_word_is_read_and_a_mistyped_one_told() -> None:
    assert [line.command for line in parse_gm("pause heron\nThanks\nstatus swan", LEXICON)] == [
        c.Pause(table="heron"),
        c.Status(table="swan"),
    ]
    assert parse_gm("pause heron\nThanks\nexend it", LEXICON)[-1].trouble is not None


def test_a_time_without_a_date_is_counted_from_today_in_the_zone_of_who_writes() -> None:
    assert instant_of(parse_wall_time("tomorrow 18:00"), NOW, "Europe/Oslo") == datetime(
        2026, 11, 21, 17, 0, tzinfo=UTC
    )
    assert instant_of(parse_wall_time("tomorrow at 1am"), NOW, "Asia/Tokyo") == datetime(
        2026, 11, 21, 16, 0, tzinfo=UTC
    )
    assert instant_of(parse_wall_time("Monday 18:00"), NOW, "Europe/Oslo") == datetime(
        2026, 11, 23, 17, 0, tzinfo=UTC
    )
    assert instant_of(parse_wall_time("Friday 17:00"), NOW, "Europe/Oslo") == datetime(
        2026, 11, 27, 16, 0, tzinfo=UTC
    )


def test_figures_that_can_be_read_in_one_way_alone_are_read() -> None:
    meant = WallTime(11, 23, 18, 0, 2026)
    assert (
        parse_wall_time("23.11.2026 18:00")
        == parse_wall_time("11/23/2026 18:00")
        == parse_wall_time("23/11/2026, 18:00")
        == meant
    )


def test_a_table_named_on_a_line_of_its_own_is_meant_by_the_lines_below() -> None:
    assert [line.command for line in parse_gm("heron:\npause\nextend by 24h", LEXICON)] == [
        c.Pause(table="heron"),
        c.Extend(table="heron", when=Span(1440)),
    ]


def test_more_commands_than_a_mail_may_hold_are_told_to_be_unread() -> None:
    lines = parse_gm("status heron\n" * 21, LEXICON)
    assert len(lines) == 21
    assert lines[-1].trouble == Trouble("invalid", "too-many", "20")
    assert all(line.command is not None for line in parse_gm("status heron\n" * 20, LEXICON))


def test_a_sentence_that_begins_like_a_correction_is_asked_about_within_a_text() -> None:
    (line,) = parse_gm(
        "announce: All is well.\nCorrect me if I am wrong, because I was away.", LEXICON
    )
    assert line.trouble is not None
    assert line.trouble.what == "where-it-ends"


def test_greetings_and_thanks_are_no_commands() -> None:
    assert [
        line.command for line in parse_gm("Hi all,\n\nplease pause heron.\n\nThanks\n", LEXICON)
    ] == [c.Pause(table="heron")]


@each_row(
    ("text", "kind", "what", "nearest"),
    [
        ("exend heron by 24h", "unknown", "word", ("extend",)),
        ("heron: extnd by 24h", "unknown", "word", ("extend",)),
        ("fortify P1", "unknown", "word", ()),
        ("extend heron", "missing", "time", ()),
        ("extend to 24h", "ambiguous", "by-or-from-now", ("by 24h",)),
        ("extend to 03/04 18:00", "ambiguous", "date", ()),
        ("extend to 18:00", "missing", "day", ()),
        ("extend to 2026-11-23", "missing", "hour", ()),
        ("extend to Monday", "missing", "hour", ()),
        ("extend to tomorrow", "missing", "hour", ()),
        ("extend to next Monday 18:00", "ambiguous", "next-weekday", ()),
        ("extend to 11.12.2026 18:00", "ambiguous", "date", ()),
        ("extend by 0h", "invalid", "no-length", ()),
        ("option orders 0h", "invalid", "no-length", ()),
        ("pause for a week", "invalid", "pause-for-a-time", ()),
        ("pause heron for 3 days", "invalid", "pause-for-a-time", ()),
        ("Ben wants out, replace Ben with Zed zed@x.example", "unknown", "word", ("replace",)),
        ("dismiss", "missing", "note", ()),
        ("extend to 2026-11-31 18:00", "invalid", "time", ()),
        (
            "extend to 2026-11-23 18:00 CET",
            "ambiguous",
            "zone",
            ("Europe/Berlin", "Europe/Oslo", "Europe/Paris"),
        ),
        (f"new game Heron: {GAME}, yes", "ambiguous", "answer", ("team game yes", "factions yes")),
        (f"new game Heron: {GAME}, grnd", "invalid", "clause", ("grand",)),
        (f"new game Heron: {GAME}, 9 to 5 players", "invalid", "players", ()),
        (f"new game Start: {GAME}", "invalid", "title-is-a-word", ()),
        ("new game", "missing", "title", ()),
        ("invite Anna", "missing", "address", ()),
        ("invite anna@x.example", "missing", "name", ()),
        ("replace Ben", "missing", "newcomer", ()),
        ("strike Ben", "missing", "reason", ()),
        ("correct P3 units 5", "missing", "reason", ()),
        ("correct", "missing", "correction", ()),
        ("roll back", "missing", "phase", ()),
        ("close heron phase 5 of swan", "ambiguous", "table", ("heron", "swan")),
        ("answer 12", "missing", "text", ()),
        ("answer: yes", "missing", "note", ()),
        ("announce everything is late", "missing", "colon", ()),
        ("option", "missing", "option", ()),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    found = trouble(text)
    assert (found.kind, found.what, found.nearest) == (kind, what, nearest)


def test_a_day_without_a_year_is_the_next_such_day() -> None:
    assert instant_of(WallTime(11, 23, 18, 0), NOW, "Europe/Berlin") == datetime(
        2026, 11, 23, 17, 0, tzinfo=UTC
    )
    assert instant_of(WallTime(1, 2, 8, 30), NOW, "UTC") == datetime(2027, 1, 2, 8, 30, tzinfo=UTC)
    assert instant_of(WallTime(11, 23, 18, 0, zone="UTC"), NOW, "Europe/Berlin") == datetime(
        2026, 11, 23, 18, 0, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("wall", "what"),
    [
        (WallTime(3, 29, 2, 30, 2026), "skipped-hour"),
        (WallTime(11, 23, 18, 0, 2026, weekday=2), "weekday"),
        (WallTime(2, 29, 12, 0, 2027), "time"),
    ],
)
def test_an_hour_that_does_not_exist_or_a_wrong_weekday_is_refused(
    wall: WallTime, what: str
) -> None:
    with pytest.raises(Unread) as refused:
        instant_of(wall, NOW, "Europe/Berlin")
    assert refused.value.what == what


@given(st.text(max_size=200))
def test_nothing_that_is_written_raises(text: str) -> None:
    parse_gm(text, LEXICON)


@given(
    st.lists(
        st.sampled_from(
            [
                *WORDS,
                *(word.spelling.example for word in WORDS.values()),
                *("heron", ":", ",", "to", "by", "24h", "5", "@", "\n", "of", "-", "Ben"),
                "2026-11-23 18:00",
            ]
        ),
        max_size=12,
    )
)
def test_no_heap_of_its_own_words_raises(words: list[str]) -> None:
    for line in parse_gm(" ".join(words), LEXICON):
        assert (line.command is None) != (line.trouble is None)
        if line.command is not None:
            format_gm(line.command)


@given(spans)
def test_a_length_is_read_back_the_same(span: Span) -> None:
    assert parse_span(format_span(span)) == span


@given(walls)
def test_a_time_is_read_back_the_same(wall: WallTime) -> None:
    assert parse_wall_time(format_wall_time(wall)) == wall


def test_a_word_to_a_player_within_a_text_is_asked_about() -> None:
    (line,) = parse_gm("announce: The next turn is long.\nAnswer me: when do we meet?", LEXICON)
    assert line.trouble is not None
    assert (line.trouble.kind, line.trouble.what) == ("ambiguous", "where-it-ends")


@pytest.mark.parametrize(
    "below", ["\n\nBest,\nGreta", "\n\nGreta", "\nKind regards\nGreta Gold", "\n\nLG\nGreta"]
)
def test_a_name_below_a_text_is_no_part_of_it(below: str) -> None:
    signed = Lexicon(LEXICON.rulesets, LEXICON.tables, frozenset({"greta"}))
    (line,) = parse_gm(f"announce: Hello all,\nthe best is yet to come{below}", signed)
    assert line.command == c.Announce(text="Hello all,\nthe best is yet to come", table="")


def test_thanks_at_the_end_of_a_text_are_sent() -> None:
    assert one("announce: Please be on time.\nThanks") == c.Announce(
        text="Please be on time.\nThanks", table=""
    )
