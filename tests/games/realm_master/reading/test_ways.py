"""What was not read of Realm-Master has its way on: a line made of what was written, or the words of
the open question (F-27, F-73).
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.realm_master import orders as o
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.reading.blanks import filled
from tests.games.realm_master.reading.test_doc import EXAMPLES, table_of
from tests.rings import at_length
from tests.rows import each_row

PHASES = sorted({phase for phase, *_ in EXAMPLES})
NONE: Standing[o.Order] = Standing()
_UNREAD = st.sampled_from(
    [
        *("flurb", "enter Zorkland", "buy glonks", "keep swords gloop", "maybe reroll blanks"),
        *("don't attack zork", "should I enter Arub? attack: no", "attack if Ben stinks"),
        *("play the Bolt on zork", "reveal glonk", "stay or leave", "tribute gloop", "1 2 zork"),
        "bleed perhaps",
    ]
)


@settings(max_examples=at_length(40, 120))
@given(
    st.sampled_from(PHASES),
    st.lists(_UNREAD, min_size=1, max_size=3),
    st.sampled_from(["", "Enter: nothing", "Attack: no\nReroll: keep the rest"]),
)
def test_a_line_to_copy_is_legal_new_and_read_as_it_is(
    phase: str, written: list[str], said: str
) -> None:
    state = table_of(phase)
    for player in state.asked[:2]:
        before = read_alone(READER.read, state, player, NONE, said).checked
        standing = before.standing if before is not None else NONE
        reading = read_alone(READER.read, state, player, standing, "\n".join(written))
        after = reading.checked.standing if reading.checked is not None else standing
        for item in reading.items:
            if not item.example:
                continue
            for line in filled(item.example):
                again = read_alone(READER.read, state, player, after, line)
                order = READER.read_canonical(state, line)
                assert again.checked is not None, line
                assert again.checked.accepted == (order,), line
                assert not again.checked.problems, line


@each_row(
    ("phase", "text", "why", "example"),
    [
        ("round", "Buy glonk", "unknown", ""),
        ("round", "play the Bolt on zork", "unknown", ""),
        ("reroll", "flumm 2", "unknown", ""),
        ("attack", "perhaps", "no-verb", "Attack: <yes or no>"),
        ("last", "get something", "no-verb", ""),
        ("hit", "dunno", "no-verb", "When hit: <stay or leave>"),
    ],
)
def test_f27_the_reason_and_the_line_are_of_what_was_written(
    phase: str, text: str, why: str, example: str
) -> None:
    state = table_of(phase)
    item = read_alone(READER.read, state, state.asked[0], NONE, text).items[0]
    assert item.problems[0].facts["why"] == why
    assert item.example == example


def test_f27_who_would_not_attack_is_shown_how_not_to() -> None:
    state = table_of("attack")
    item = read_alone(READER.read, state, state.asked[0], NONE, "don't attack zork").items[0]
    assert item.example == "Attack: <yes or no>"


def test_f26_a_suggestion_names_the_line_that_would_fall() -> None:
    state = table_of("round")
    before = read_alone(READER.read, state, 1, NONE, "Enter: nothing").checked
    assert before is not None
    item = read_alone(READER.read, state, 1, before.standing, "enter arbu").items[0]
    assert item.suggestion is not None
    assert item.suggestion.text == "Enter: Arub"
    assert item.instead == ("Enter: nothing",)


def test_f73_no_other_land_is_shown_than_the_one_that_was_written() -> None:
    """F-73: there is no line to copy for a land that is not in play."""
    item = read_alone(READER.read, table_of("round"), 1, NONE, "entr Barrows flurb").items[0]
    assert (item.suggestion, item.example, item.instead) == (None, "", ())
