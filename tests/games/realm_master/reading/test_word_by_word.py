"""No word of substance is dropped from what players of Realm-Master write: it is in what is read,
or it is asked about.

realm_master_phrases.txt holds phrases as people type them, `phase | who | words => canonical texts
! codes of problems`.
"""

from pathlib import Path

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.reading.test_doc import EXAMPLES, NAMES, table_of
from tests.rings import at_length, sampled
from tests.rows import each_row

PHRASES = [
    tuple(line.split(" => "))
    for line in (Path(__file__).parent / "phrases.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
SAID = [
    (phase, who, text)
    for phase, who, text, meant in EXAMPLES
    if phase == "round" and not meant.startswith("nothing")
]
"""Sentences of the players' page that are read whole."""
NEGATIONS = ("not", "no", "never", "don't")
UNKNOWN = ("zork", "perhaps", "hardly", "maybe", "yesterday", "dragons", "2nd")
CLAUSES = (
    ("attack", "Attack:"),
    ("don't attack", "Attack: no"),
    ("enter Mertle", "Enter: Mertle"),
    ("keep coins", "keep coins"),
    ("buy Whetted Blade", "Whetted Blade"),
    ("loot Circle of Mending", "Loot: Circle of Mending"),
)
CONDITIONS = ("if hearts below 2", "unless banners at least 9", "only if gold at least 7")


def read(phase: str, who: str, text: str) -> tuple[list[str], list[str]]:
    """What stands of a text, and the codes of what does not."""
    reading = read_alone(READER.read, table_of(phase), NAMES.index(who) + 1, Standing(), text)
    stands = (
        [format_order(order) for order in reading.checked.accepted]
        if reading.checked is not None
        else []
    )
    return stands, sorted(
        {problem.code for item in reading.items for problem in item.problems if not problem.warning}
    )


ROWS = sampled(PHRASES, 160)


@each_row(("written", "meant"), ROWS)
def test_a_phrase_is_read_as_it_says_or_not_at_all(written: str, meant: str) -> None:
    phase, who, text = written.split(" | ")
    stands, codes = read(phase, who, text.replace("\\n", "\n"))
    told = "; ".join(stands)
    assert " ".join(filter(None, (told, f"! {' '.join(codes)}" if codes else ""))) == meant


def at_some_place(draw: st.DrawFn, text: str, word: str) -> str:
    words = text.split()
    place = draw(st.integers(0, len(words)))
    return " ".join([*words[:place], word, *words[place:]])


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """A sentence, and it with a word more somewhere."""
    phase, who, text = draw(st.sampled_from(SAID))
    return (
        phase,
        who,
        text,
        at_some_place(draw, text, draw(st.sampled_from((*NEGATIONS, *UNKNOWN)))),
    )


@given(changed())
@settings(max_examples=at_length(33, 100))
def test_a_word_more_is_another_order_or_none(sentence: tuple[str, str, str, str]) -> None:
    phase, who, text, more = sentence
    assume(not text.endswith("."))  # a word behind it is a sentence of its own: talk
    assume(". Actually" not in text)  # a word before that is in what is taken back: it is gone
    assume("scratch that" not in text)  # the same
    assume("no no wait" not in more)  # the same correction, said louder
    assume("no wait" not in text or "enter Jerum, no wait" in more)  # in what is taken back: gone
    assume("hits not me" not in more)  # no English: a hit is a hit
    stands, codes = read(phase, who, more)
    assert codes or stands != read(phase, who, text)[0], more


@example(("round", "Anna", "reroll coins, scratch that, reroll blanks"), "can we {}?")
@given(
    st.sampled_from(SAID),
    st.sampled_from(("{}?", "{}!?", "Should I {}", "can we {}?", "Shall I {}?")),
)
@settings(max_examples=at_length(20, 60))
def test_a_question_is_never_an_order(sentence: tuple[str, str, str], asking: str) -> None:
    phase, who, text = sentence
    assume("? " not in text and ". " not in text)
    stands, codes = read(phase, who, asking.format(text))
    assert stands == []
    assert codes


@given(
    st.sampled_from(SAID),
    st.sampled_from(CLAUSES),
    st.sampled_from((", ", " and ", ", and ", ". ", "\n", "; ", ", then ", " but ")),
)
@settings(max_examples=at_length(33, 100))
def test_a_clause_more_is_in_what_is_read_or_asked_about(
    sentence: tuple[str, str, str], clause: tuple[str, str], joined: str
) -> None:
    phase, who, text = sentence
    words, meant = clause
    assume(not text.startswith("Forget"))  # `forget entering, enter Mertle` enters
    stands, codes = read(phase, who, f"{text}{joined}{words}")
    assert codes or any(meant in order for order in stands), f"{text}{joined}{words}"
    before = read(phase, who, text)[0]
    assert codes or all(any(kept.split(":")[0] in order for order in stands) for kept in before), (
        f"{text}{joined}{words}"
    )


@given(
    st.sampled_from(SAID),
    st.sampled_from(CONDITIONS),
    st.sampled_from(("{} {}", "{}, {}", "{}. {}", "{}\n{}")),
)
@settings(max_examples=at_length(33, 100))
def test_a_condition_more_is_in_every_line_it_may_be_about(
    sentence: tuple[str, str, str], condition: str, joined: str
) -> None:
    phase, who, text = sentence
    stands, codes = read(phase, who, joined.format(text, condition))
    whole = (
        any if "," in text or ". " in text else all
    )  # behind a comma it is about the last clause
    assert codes or whole(" if " in order for order in stands), joined.format(text, condition)
    assert codes or any(
        "hearts at least 2" in order
        or "hearts below 2" in order
        or "banners" in order
        or "gold" in order
        for order in stands
    )
