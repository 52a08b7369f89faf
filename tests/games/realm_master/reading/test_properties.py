"""What holds of any text: a legal order is read as itself, a word more, less or other is another
reading or is told of, nothing raises, and every character belongs to one sentence.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.realm_master.checking.legal import legal
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.pages.cast import in_words
from pbem.games.realm_master.reading.lexer import lexemes_in
from pbem.games.realm_master.reading.parts import BOUNDS, CONDITIONAL, THINGS, VERBS
from pbem.games.realm_master.reading.reader import READER, people_of
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.sentences import sentences_of
from tests.games.reading.properties import hold_growth
from tests.games.realm_master.reading.test_doc import NAMES, table_of
from tests.games.realm_master.reading.test_word_by_word import PHRASES, read
from tests.rings import at_length, sampled
from tests.rows import each_row

PHASES = ("round", "reroll", "faces", "attack", "hit", "enter", "realm", "ultimatum", "last")
SUBSTANCE = VERBS | CONDITIONAL.keys() | BOUNDS | {"NOT", "NUM", "LAND", "CARD", "HERO", "ELSE"}
FIXTURES = [
    (phase, who, text)
    for written, meant in PHRASES
    if "!" not in meant and meant.strip()
    for phase, who, text in [written.split(" | ")]
    if "\\n" not in text and "," not in phase and text.count(" ") >= 1
]
TURNING = (
    *("not", "unless", "perhaps", "never mind", "except Jerum", "if Ben agrees", "just kidding"),
    *("wenn Ben geht", "vielleicht", "nicht", "sauf si Ben reste", "peut-être", "a menos que"),
    *("salvo", "forse", "a meno che", "talvez", "a não ser", "tenzij", "misschien", "chyba że"),
    *("nie", "kanske", "utom", "inte", "maybe", "tomorrow", "next round", "or not"),
)
WORDS = st.sampled_from(
    [
        *"attack enter Jerum not if else then reroll swords no, and, . ! ? ( ) : - 5".split(),
        *("\n", "\n\n", "forget it", "Ben", "says", "zork", "hmm", "for example:", "instead"),
    ]
)


@each_row("phase", PHASES)
def test_every_legal_order_is_read_as_itself(phase: str) -> None:
    state = table_of(phase)
    for player in range(1, len(NAMES) + 1):
        for order in sampled(list(legal(state, player)), 12):
            text = format_order(order)
            reading = READER.read(state, player, Standing(), Said(text))
            found = [one for item in reading.items for one in item.orders]
            codes = {problem.code for item in reading.items for problem in item.problems}
            assert found == [order] or codes == {"confirm-concede"}, text


CONDITIONS = (
    *("hearts at least 6", "hearts below 4", "gold at least 3", "banners below 3"),
    *("hearts at least 6 and gold at least 2", "hearts at least 3 or gold at least 1"),
    *("a lone half banner", "banners in Jerum at least 1"),
)
PLANS = (
    *("Enter: Jerum if {}, Arub", "Enter: Jerum if {}, Arub if {}", "When hit: leave if {}, stay"),
    *("In the Realm: stay if {}, leave", "R: heart if {}, sword", "Always: Enter: Jerum if {}"),
    *("Attack: yes if {}, no", "Reroll: keep hearts if {}, keep swords, reroll the rest"),
    *("Buy: Toll Writ if {}, keep 1 gold", "R: 1 as sword, 2 as heart"),
)


@each_row("plan", PLANS)
def test_third13_a_line_in_words_is_read_as_the_same(plan: str) -> None:
    """As receipts and letters show it."""
    state, said = table_of("round"), 0
    for condition in CONDITIONS:
        text = plan.replace("{}", condition)
        meant, found = (
            [
                one
                for item in READER.read(state, 1, Standing(), Said(words)).items
                for one in item.orders
            ]
            for words in (text, in_words(text))
        )
        assert found == meant, in_words(text)
        said += in_words(text) != text
    assert said or plan.startswith(("R: 1", "Always"))


def substance(text: str) -> list[tuple[int, int]]:
    """Where words stand that an order cannot lose."""
    plain = normalise(text)
    found = lexemes_in(plain.text, people_of(table_of("round"), 1), plain)
    return [
        plain.span(one.start, one.end)
        for one in found
        if one.kind in SUBSTANCE and one.kind in (VERBS | THINGS | SUBSTANCE)
    ]


_TAKEN_BACK = {
    *("Enter zork. No, Arub.", "enter zork... no wait, Arub", "Enter Jerum. Not zork."),
    *("zork you want to talk, call me. Enter Jerum.", "Player 2 wants the zork. I want the dwarf."),
    *("not the zork. dwarf please", "Enter zork. Um, Arub.", "zork, no I don't, I stay"),
    *("I zork, no I don't, I stay", "zork. Wait. I stay.", "I zork. Wait. I stay."),
}
"""The other word stands in what the message takes back or denies itself, or in talk."""


@each_row(("phase", "who", "text"), sampled(FIXTURES, 60))
def test_another_word_in_its_place_is_another_reading_or_told(
    phase: str, who: str, text: str
) -> None:
    stands, _ = read(phase, who, text)
    for start, end in substance(text):
        other = f"{text[:start]}zork{text[end:]}"
        told, codes = read(phase, who, other)
        assert codes or told != stands or other in _TAKEN_BACK, other


@each_row(("phase", "who", "text"), sampled(FIXTURES, 16))
def test_a_turning_word_behind_an_order_is_never_lost(phase: str, who: str, text: str) -> None:
    stands, _ = read(phase, who, text)
    for more in TURNING:
        other = f"{text}, {more}"
        told, codes = read(phase, who, other)
        assert codes or told != stands, other


@given(st.lists(WORDS, max_size=25))
@settings(max_examples=at_length(60, 400))
def test_no_text_raises_and_the_sentences_partition_it(words: list[str]) -> None:
    text = " ".join(words)
    read("round", "Anna", text)
    plain = normalise(text)
    lexemes = lexemes_in(plain.text, people_of(table_of("round"), 1), plain)
    at = 0
    for sentence in sentences_of(plain, lexemes, VERBS, frozenset(), frozenset({"NOT", "IF"})):
        assert sentence.start == at
        at = sentence.end
    assert at in (0, len(plain.text))


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "sign",
    [
        *("a", "1 ", "\n", ",", "-", ".", "(", '"', "no, ", "if ", "then ", "buy ", "or "),
        *("attack: yes ", "enter Kurull ", "keep 2 hearts ", "reroll swords, ", "never mind. "),
    ],
)
def test_the_work_grows_with_the_length_alone(sign: str) -> None:
    """F-9, F-111."""
    state = table_of("round")
    hold_growth(lambda text: READER.read(state, 1, Standing(), Said(text)), sign)
