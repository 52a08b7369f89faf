"""What holds of any text: a canonical text is read as its order, a word more or other is another
reading or is told of, nothing raises, and the work grows with the length alone.
"""

from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, lands, seas, zones
from engine.fortresses.legal import legal
from engine.fortresses.units import CODES, Units
from engine.ruleset import Standing
from pbem.games.fortresses.reading.reader import READER, FortressesReader
from pbem.grammar.house.statements import Said
from tests.games.fortresses.reading.tables import POSITIONS, read, table
from tests.games.reading.properties import TURNING as TURNS
from tests.games.reading.properties import hold_every_word, hold_growth, hold_turning
from tests.games.reading.scoring import accept
from tests.rings import at_length, sampled
from tests.rows import each_row

ZONES = st.sampled_from(sorted(zones()))
LANDS = st.sampled_from(lands())
SEAS = st.sampled_from(seas())
COUNTS = st.integers(0, 12)
UNITS = st.builds(Units, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS).filter(
    lambda found: found.total > 0
)
CONDITIONS = st.one_of(
    st.builds(o.Condition, st.sampled_from(["never", "outnumbered", "alone", "first-loss"])),
    st.builds(o.Condition, st.just("after"), st.integers(1, 20)),
)
TYPES = st.lists(st.sampled_from(CODES), min_size=1, max_size=5, unique=True).map(tuple)
WHERE = st.one_of(st.just(""), ZONES)
GROUPS = st.builds(o.Group, UNITS, ZONES, st.lists(ZONES, max_size=2).map(tuple))
POLICIES = st.lists(
    st.lists(CONDITIONS, min_size=1, max_size=2).map(tuple), min_size=1, max_size=2
).map(tuple)
INSTRUCTIONS = st.one_of(
    st.builds(o.Lose, TYPES, WHERE),
    st.builds(o.Keep, st.booleans(), WHERE),
    st.builds(o.Retreat, POLICIES, WHERE),
    st.builds(o.Interactive, st.booleans(), WHERE),
)
PLAIN: tuple[o.Line, ...] = (
    *(o.BuyNothing(), o.NoAttacks(), o.Done(), o.RetreatNow(), o.Stay()),
    *(o.Draw(), o.Concede(), o.Resign(), o.TakeCommand(), o.ClaimWin()),
)
LINES = st.one_of(
    st.builds(o.Attack, ZONES, st.lists(GROUPS, min_size=1, max_size=3).map(tuple)),
    st.builds(o.Carry, SEAS, UNITS, LANDS, LANDS, st.one_of(st.just(""), LANDS)),
    st.builds(o.Move, UNITS, ZONES, ZONES, st.lists(ZONES, max_size=2).map(tuple)),
    st.builds(o.Buy, UNITS, ZONES, st.one_of(st.just(""), LANDS)),
    st.builds(o.Cancel, st.integers(0, 99)),
    INSTRUCTIONS,
    st.builds(o.Always, INSTRUCTIONS),
    st.builds(o.BattleOrder, st.lists(ZONES, min_size=1, max_size=3).map(tuple)),
    st.builds(o.LoseNow, UNITS),
    st.sampled_from(PLAIN),
)
PLAIN_LINES = LINES.filter(lambda line: not isinstance(line, o.LoseNow | o.Carry | o.Retreat))
ORDERS = st.one_of(
    LINES,
    st.builds(o.Then, LINES),
    st.builds(o.Named, st.sampled_from(KINGDOMS), LINES),
)
WORDS = st.sampled_from(
    "attack move buy lose retreat keep Syria Egypt EGY AND and Aegean Sea galleon carries legion 2L"
    " 2 legions knights from to via in with then: then , . ; : - -> ( ) ? ! not no wait if unless or"
    " everything all except both there dragons when outnumbered after rounds Gold: reinforce: done"
    " cancel 3 draw resign never mind forget zork always: first home them \n \n\n".split(" ")
)
TURNING = (*TURNS, *("except Syria", "tomorrow", "or 3", "with 5 legions more"))
CLEAR = {
    "attack": (
        "attack Syria with 2 legions and a knight from Egypt",
        "everything from Egypt into Syria",
        "galleon in Levantine Sea carries a legion from Egypt to Crete",
        "lose legions first, then knights, in Syria",
        "retreat dragons after 2 rounds or when alone",
        "keep a conqueror in Syria",
        "battle order: Aegean Sea, Syria",
        "attack Syria with 2L from Egypt, attack Saxony with 1K from France",
    ),
    "reinforce": (
        "buy 3 legions and a warbeast in Normandy",
        "move 2 legions from England to Scotland",
        "the knight in Rouen rides to Saxony through Flanders",
        "buy 2 legions in Normandy, a knight in Denmark",
    ),
    "battle": ("lose 1 legion and 1 knight", "retreat dragons"),
}
ALL_CLEAR = [(name, text) for name, texts in CLEAR.items() for text in texts]


@given(ORDERS)
@settings(max_examples=at_length(60, 400))
def test_a_canonical_text_is_read_back_as_its_order(order: o.Order) -> None:
    """FF-4."""
    assert READER.read_canonical(table("attack"), o.format_order(order)) == order


@given(st.one_of(PLAIN_LINES, st.builds(o.Named, st.sampled_from(KINGDOMS), PLAIN_LINES)))
@settings(max_examples=at_length(60, 400))
def test_a_canonical_text_in_a_message_is_its_order(order: o.Order) -> None:
    """FF-4, in whatever phase."""
    for name in ("attack", "reinforce"):
        reading = FortressesReader(accept, suggests=False).read(
            table(name), 2, Standing(), Said(o.format_order(order))
        )
        assert [one for item in reading.items for one in item.orders] == [order]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_legal_order_is_read_as_itself(name: str) -> None:
    state = table(name)
    player = 1 + [seat.name for seat in state.players].index(state.active)
    for order in sampled(list(legal(state, player)), 40):
        text = o.format_order(order)
        reading = READER.read(state, player, Standing(), Said(text))
        found = [one for item in reading.items for one in item.orders]
        codes = [problem.code for item in reading.items for problem in item.problems]
        if isinstance(order, o.Draw | o.Concede | o.Resign | o.ClaimWin):
            assert (found, codes) == ([], ["confirm-ending"])
        else:
            assert [*map(o.format_order, found)] == [text]


@given(st.lists(WORDS, max_size=25), st.sampled_from(list(POSITIONS)))
@settings(max_examples=at_length(60, 400))
@example(["except", "Syria"], "attack")
def test_no_heap_of_words_raises_and_every_caret_lies_in_its_quote(
    words: list[str], name: str
) -> None:
    text = " ".join(words)
    for item in READER.read(table(name), 2, Standing(), Said(text)).items:
        assert item.quote in text or item.quote == text.strip()[:200]
        if item.caret is not None:
            assert 0 <= item.caret[0] < item.caret[1] <= len(item.quote)


@given(st.text(max_size=200), st.sampled_from(list(POSITIONS)))
@settings(max_examples=at_length(40, 300))
def test_no_text_whatever_raises(text: str, name: str) -> None:
    READER.read(table(name), 2, Standing(), Said(text))


@each_row(("name", "text"), ALL_CLEAR)
def test_another_word_in_its_place_never_makes_another_order(name: str, text: str) -> None:
    hold_every_word(partial(read, name=name), text)


@each_row(("name", "text"), ALL_CLEAR)
def test_a_turning_word_behind_an_order_is_never_lost(name: str, text: str) -> None:
    hold_turning(partial(read, name=name), text, TURNING)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "sign",
    [
        *("a", "1 ", "\n", ",", "-", ".", "(", '"', "no, ", "if ", "5L", "not ", "done. ", "zork "),
        *("2L from Syria ", "attack Syria with 1 legion from Egypt, ", "via Syria ", "then: "),
        *("Attack Syria with 1L from Egypt; ", "attak Sirya wth 2 legoins form Egpyt ", "except "),
        *("attack Syria. no wait. ", "never mind. ", "galleon in Aegean Sea carries ", "lose K "),
    ],
)
def test_the_work_grows_with_the_length_alone(sign: str) -> None:
    """F-9, F-19."""
    hold_growth(lambda text: READER.read(table("attack"), 2, Standing(), Said(text)), sign)


HELD = (o.Attack("Syria", (o.Group(Units(L=1), "Egypt"),)),)


@pytest.mark.parametrize(
    ("text", "stands", "codes"),
    [
        ("scrap everything. no attacks", ["Cancel all", "No attacks"], set()),
        ("Cancel all\nAttack Syria with 2L from Egypt", ["Cancel all", None], set()),
        ("Forget my earlier orders. no attacks", ["Cancel all", "No attacks"], set()),  # F-78
        ("never mind. no attacks", ["No attacks"], {"not-understood"}),
        ("never mind the rain. no attacks", ["No attacks"], set()),
    ],
)
def test_what_takes_back_is_never_lost_beside_lines_that_are_held(
    text: str, stands: list[str | None], codes: set[str]
) -> None:
    """FW-4.4."""
    reading = READER.read(table("attack"), 2, Standing(orders=HELD), Said(text))
    wanted = [one or "Attack Syria with 2L from Egypt" for one in stands]
    assert [o.format_order(one) for item in reading.items for one in item.orders] == wanted
    assert {problem.code for item in reading.items for problem in item.problems} == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("zork\nno attacks", ("not-understood",)),
        ("no attacks\nzork\ndone", ("not-understood",)),
        ("no attacks\nZorkowska", ()),
        ("Hallo\nno attacks", ()),
    ],
)
def test_an_unknown_word_is_a_signature_behind_all_orders_alone(
    text: str, codes: tuple[str, ...]
) -> None:
    stands, told = read(text)
    assert "No attacks" in stands
    assert told == codes


@each_row(
    ("text", "name"),
    [
        ("retreat one dragon", "attack"),
        ("retreat 2 dragons", "battle"),
        ("no attacks. Hang on, don't do that yet", "attack"),
        ("no attacks. Actually, leave the warbeast at home", "attack"),
        ("Cancel\nall", "attack"),
        ("attack Syria with everything from Egypt, no knights", "attack"),
        ("attack Syria with 2 legions from Egypt, not Syria", "attack"),
        ("attack Syria with 2 legions from Egypt, not legions", "attack"),
        ("attack Syria with all but leave 2 legions", "attack"),
        ("attack Syria with 2 legions from there", "attack"),
    ],
)
def test_what_was_misread_is_asked(text: str, name: str) -> None:
    stands, codes = read(text, name)
    assert stands == []
    assert codes
