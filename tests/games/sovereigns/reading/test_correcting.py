"""What a game master sets right at a table of States & Sovereigns, as it is written; nothing is
guessed.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.sovereigns.events import Ruled
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from pbem.games.sovereigns.reading.corrections import FORMS, read_correction
from pbem.games.sovereigns.reading.gm_parts import MOST_CHARACTERS
from pbem.grammar.gm.commands import Correct, Lexicon
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.values import Unread
from tests.games.sovereigns.engine.playing import sound
from tests.games.sovereigns.reading.mastering import (
    STATE,
    TECHNOLOGIES,
    give,
    judged,
    mod,
    points,
    renamed,
    tech,
)
from tests.rows import each_row


@each_row(
    ("text", "meant"),
    [
        ("roll back action 2", {"act": "rollback", "action": 2}),
        ("gm rollback 2", {"act": "rollback", "action": 2}),
        ("Aldermark has 3 military (1 expended)", points(1, "M", 3, ex=1)),
        ("Aldermark has 3 military, 2 of them free", points(1, "M", 3, ex=1)),
        ("Aldermark has no resources", points(1, "R", 0)),
        ("Borland: harmony 4", points(2, "H", 4)),
        ("Ben's military is 3", points(2, "M", 3)),
        ("set Anna M 3 ex 1", points(1, "M", 3, ex=1)),
        ("gm set Anna M -1", points(1, "M", -1)),
        ("mod Anna -1 flat until year", mod(1, "year", flat=-1)),
        ("Borland: -1 on all rolls until the year ends", mod(2, "year", flat=-1)),
        ("Borland: minus 1 on all rolls for the rest of the season", mod(2, "season", flat=-1)),
        ("+2 dice for Borland this year", mod(2, "year", die=2)),
        ("give Ben steel", give(2, "steel")),
        ('gm give Ben tech "steel"', give(2, "steel")),
        ("give steel to Borland", give(2, "steel")),
        ("Cyrene gets the iron ploughs", give(3, "iron ploughs")),
        ("Cyrene has attack", give(3, "attack")),
        ("end: Anna wins", {"act": "end", "winner": 1}),
        ("gm end J. of Arc.", {"act": "end", "winner": 3}),
        ("Cyrene and Borland win", {"act": "agree", "winners": [3, 2]}),
        ("draw", {"act": "end", "winner": None}),
        ("the game ends in a draw", {"act": "end", "winner": None}),
        (
            "ruling: a bridge is no building",
            rule_text := {"act": "rule", "text": "a bridge is no building"},
        ),
        ("rule that a bridge is no building", rule_text),
        ("rule “a bridge is no building”", rule_text),
        ("ruling: approve gears", tech("gears", "approve")),
        ("Dot has 2 harmony", points(4, "H", 2)),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert read_correction(STATE, text).act == meant


@each_row(
    ("text", "kind", "what", "nearest"),
    [
        ("", "invalid", "correction", FORMS),
        ("make it nicer for everybody", "invalid", "correction", FORMS),
        ("Aldermark", "invalid", "correction", FORMS),
        ("roll back action", "invalid", "correction", FORMS),
        ("roll back 2 and 3", "invalid", "correction", FORMS),
        ("Aldermark has 3 military and 2 harmony", "invalid", "correction", FORMS),
        ("Aldermark: -1 military", "ambiguous", "correction", FORMS),
        ("Aldermark has +1 military", "ambiguous", "correction", FORMS),
        ("Aldermark has 3 military, 4 free", "invalid", "number", ()),
        ("Aldermark and Borland have 3 military", "invalid", "correction", FORMS),
        ("give Ben 3 military", "invalid", "correction", FORMS),
        ("Borland: -1 until the year ends", "invalid", "correction", FORMS),
        ("Borland: -1 on all military rolls until the year ends", "invalid", "correction", FORMS),
        ("Borland: -1 on all rolls until next year", "invalid", "correction", FORMS),
        (
            "Borland: -1 on all rolls",
            "missing",
            "time",
            ("until the season ends", "until the year ends"),
        ),
        ("give Ben wheels", "invalid", "correction", FORMS),
        ("give steel", "invalid", "correction", FORMS),
        ("give Ben tech “seel”", "invalid", "no-such", ("steel",)),
        ("Bordland wins", "invalid", "no-such", ("Borland",)),
        ("Anna and Ben draw", "invalid", "correction", FORMS),
        ("stands", "ambiguous", "correction", FORMS),
        ("Harmony has 2 military", "invalid", "correction", FORMS),
        ("ruling:", "missing", "text", ()),
        ("ruling: " + "x" * 2001, "invalid", "text", ()),
        ("x" * MOST_CHARACTERS + "x", "invalid", "correction", FORMS),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read_correction(STATE, text)
    told = unread.value
    assert (told.kind, told.what, told.nearest) == (kind, what, nearest)


@each_row("form", FORMS)
def test_every_form_that_is_offered_is_read_by_the_house_too(form: str) -> None:
    correction = read_correction(STATE, form)
    assert read_correction(STATE, correction.text) == correction
    (line,) = parse_gm(f"gm correct {form} because I mistyped it", Lexicon({}))
    assert isinstance(line.command, Correct)
    assert line.command.reason == "I mistyped it"
    assert read_correction(STATE, line.command.what) == correction


@each_row(
    "text",
    [
        *("approve gears", "amend steel to STAT-DEF M", "objection 1 denied"),
        *("Aldermark has 3 Military (2 expended)", "Borland has -1 Harmony"),
        *("Borland: -1 on all rolls until the year ends", "give Borland steel", "remove Borland"),
        *("Borland wins", "Aldermark and Borland win", "draw"),
    ],
)
def test_what_is_read_is_done_by_the_rules(text: str) -> None:
    told = dict(read_correction(STATE, text).act) | {"reason": "I mistyped it"}
    outcome = sound(SOVEREIGNS.act(STATE, "gm", told, Chance(bytes(32))))
    assert outcome.state != STATE
    assert outcome.events


def test_a_ruling_in_free_words_changes_nothing() -> None:
    correction = read_correction(STATE, "ruling: a bridge is no building")
    assert correction.is_said
    outcome = sound(SOVEREIGNS.act(STATE, "gm", dict(correction.act), Chance(bytes(32))))
    assert outcome.state == STATE
    assert [event.facts for event in outcome.events] == [Ruled("a bridge is no building")]


@pytest.mark.parametrize("text", ["roll back action 9", "rule: Ben: difficulty 9"])
def test_what_there_is_nothing_of_is_refused_by_the_rules(text: str) -> None:
    """A ruling on an order as it stands is no correction."""
    with pytest.raises(Refused, match="waits for a word"):
        SOVEREIGNS.act(STATE, "gm", dict(read_correction(STATE, text).act), Chance(bytes(32)))


# ------------------------------------------------------------------------------ names of all kinds
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Anna has 3 military", "Anna has 3 Military"),
        ("player 2 has 3 military", "Ben has 3 Military"),
        ("J. of Arc. has 3 military", "the Old Kingdom 3 has 3 Military"),
    ],
)
def test_a_name_that_would_say_something_else_is_never_used(text: str, meant: str) -> None:
    """A kingdom may be called as its ruler likes, and a name must not turn a command."""
    state = renamed("draw", "Anna has", "the Old Kingdom 3", "Anna:")
    correction = read_correction(state, text)
    assert correction.text == meant
    assert read_correction(state, meant) == correction


def test_names_that_are_the_same_are_asked_about_and_told_by_number() -> None:
    state = renamed("Ben", "Twin", "twin")
    with pytest.raises(Unread) as unread:
        read_correction(state, "Ben wins")
    assert unread.value.nearest == ("player 1", "player 2")
    assert read_correction(state, "player 2 wins").text == "player 2 wins"
    state = renamed("steel")
    with pytest.raises(Unread) as unread:
        read_correction(state, "give Ben steel")
    assert unread.value.nearest == ("player 1", '"steel"')
    assert read_correction(state, 'give Ben "steel"').text == 'give Borland "steel"'


# ------------------------------------------------------------------------------- the one spelling
_who = st.sampled_from(["Anna", "Ben", "J. of Arc.", "Dot", "Aldermark", "Borland", "Cyrene"])
_attribute = st.sampled_from("RMH")
_commands = st.one_of(
    st.builds("gm rollback {}".format, st.integers(1, 999)),
    st.builds("gm set {} {} {}".format, _who, _attribute, st.integers(-9, 999)),
    st.builds("gm set {} {} 9 ex {}".format, _who, _attribute, st.integers(0, 99)),
    st.builds(
        "gm mod {} {}{} {} until {}".format,
        _who,
        st.sampled_from("+-"),
        st.integers(1, 20),
        st.sampled_from(["flat", "die"]),
        st.sampled_from(["season", "year"]),
    ),
    st.builds('gm give {} tech "{}"'.format, _who, st.sampled_from([*TECHNOLOGIES])),
    st.builds("gm end {}".format, _who | st.just("draw")),
)


@given(_commands)
def test_the_commands_of_cases_mean_the_same_and_have_one_spelling(text: str) -> None:
    correction = read_correction(STATE, text)
    assert dict(correction.act) == parse_command(STATE, text, {})
    assert read_correction(STATE, correction.text) == correction
    judged(correction)


_said = st.sampled_from(
    "Anna Ben Borland Aldermark gears steel attack M H military harmony 1 -1 +2 9 approve gives"
    ' "x" uphold objection roll back action has expended free all rolls die flat until year season'
    " give wins draw end rule ruling: that the on no , : remove keep".split()
)


@given(st.lists(_said, max_size=9).map(" ".join) | st.text(max_size=80))
def test_whatever_is_written_is_read_or_asked_about(text: str) -> None:
    try:
        correction = read_correction(STATE, text)
    except Unread:
        return
    assert read_correction(STATE, correction.text) == correction
    judged(correction)


_names = st.text(max_size=12) | st.lists(_said, min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(_names, min_size=4, max_size=4),
    st.lists(_commands.map(lambda text: text.replace("Ben", "player 2")), max_size=3),
)
def test_whatever_kingdoms_are_called_one_spelling_means_one_act(
    names: list[str], commands: list[str]
) -> None:
    state = renamed(*names)
    for text in commands:
        try:
            correction = read_correction(state, text)
        except Unread:
            continue
        assert read_correction(state, correction.text) == correction


def test_a_long_line_is_asked_about() -> None:
    for text in ("Anna's " * 300, '"' * MOST_CHARACTERS, "Anna: " + "difficulty 9, " * 170):
        with pytest.raises(Unread):
            read_correction(STATE, text)
