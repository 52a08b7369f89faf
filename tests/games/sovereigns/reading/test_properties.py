"""What holds of any text: a canonical text is read as its order, a word more or other is another
reading or is told of, nothing raises, and the work grows with the length alone.
"""

import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES, COSTS
from engine.sovereigns.legal import legal
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.statements import Said
from tests.games.reading.properties import TURNING as TURNS
from tests.games.reading.properties import hold_every_word, hold_growth, hold_turning
from tests.games.sovereigns.reading.tables import POSITIONS, READ_ALL, read, table
from tests.rings import at_length, sampled
from tests.rows import each_row

WHO = st.integers(0, 4)
OTHERS = st.integers(2, 4)
COUNTS = st.integers(0, 12)
LETTERS = st.sampled_from(ATTRIBUTES)
NAMES = st.sampled_from(["steel", "iron ships", "the Lamp", "No 5"])
CODES = st.sampled_from(
    ["STAT-ROLL M", "STAT-ACT Attack", "BLD-HOSPITAL", "ANA-DIE R", "STAT-CALM"]
)
PROPOSALS = st.one_of(
    st.builds(o.Proposal, NAMES, CODES), st.builds(o.Proposal, NAMES, CODES, st.just("steel"))
)
POINTS = st.one_of(st.none(), COUNTS)
FLAGS = st.booleans()


def against(kind: Any, attribute: Any) -> st.SearchStrategy[o.Action]:
    return st.builds(
        o.Action,
        st.just(kind),
        st.just(attribute),
        POINTS,
        COUNTS,
        target=OTHERS,
        boon=FLAGS,
        works=FLAGS,
    )


def alone(kind: Any, attribute: Any) -> st.SearchStrategy[o.Action]:
    return st.builds(
        o.Action, st.just(kind), st.just(attribute), POINTS, COUNTS, boon=FLAGS, works=FLAGS
    )


ACTIONS: st.SearchStrategy[o.Action] = st.one_of(
    alone("Expedition", "M"),
    alone("Security", "M"),
    alone("Found", "H"),
    alone("Contact", "H"),
    alone("Research", "R"),
    st.builds(o.Action, st.just("Research"), st.just("R"), POINTS, proposal=PROPOSALS),
    st.builds(o.Action, st.just("Increase"), st.just("R"), POINTS, COUNTS, raises=LETTERS),
    against("Attack", "M"),
    against("Theft", "M"),
    against("Espionage", "M"),
    against("Spread", "H"),
    against("Foment", "H"),
    st.builds(
        o.Action,
        st.just("Attack"),
        st.just("M"),
        POINTS,
        target=OTHERS,
        burn=st.sampled_from(["nothing", *COSTS]),
    ),
    st.builds(
        o.Action, st.just("Espionage"), st.just("M"), POINTS, target=OTHERS, seek=st.just("sails")
    ),
    st.builds(
        o.Action,
        st.just("Try"),
        LETTERS,
        POINTS,
        target=st.one_of(st.none(), OTHERS),
        effect=st.sampled_from(["", "-1", "+1 M"]),
        words=st.sampled_from(["dig a canal", "a feast; if it rains, else", ""]),
        boon=FLAGS,
    ),
)
CONDITIONS = st.one_of(
    st.builds(o.Condition, st.sampled_from(["lives", "fallen"]), OTHERS),
    st.builds(o.Condition, st.just("more"), OTHERS, LETTERS, OTHERS),
    st.builds(o.Condition, st.sampled_from(["least", "most"]), OTHERS, LETTERS, number=COUNTS),
)
MAYBE = st.one_of(st.none(), CONDITIONS)
DO = st.builds(o.Do, st.lists(ACTIONS, min_size=1, max_size=3).map(tuple), MAYBE)
WAYS = st.one_of(
    st.builds(o.Way, fear=st.just(True), sure=FLAGS),
    st.builds(o.Way, points=COUNTS, works=FLAGS, rebellion=POINTS, coup=POINTS),
    st.builds(o.Way, but=COUNTS),
)
YEARS = st.builds(o.Year, st.lists(WAYS, min_size=1, max_size=2).map(tuple), MAYBE)
ITEMS = st.one_of(
    st.builds(
        o.OfferItem,
        COUNTS,
        LETTERS,
        st.sampled_from(["permanent", "year"]),
        expended=FLAGS,
    ),
    st.builds(o.OfferItem, COUNTS, LETTERS, st.just("seasons"), st.integers(1, 12)),
    st.builds(o.OfferItem, technology=st.just("steel")),
    st.builds(o.OfferItem, building=st.sampled_from(list(COSTS))),
)
GOODS = st.lists(ITEMS, max_size=2).map(tuple)
ORDERS: st.SearchStrategy[o.Order] = st.one_of(
    DO,
    YEARS,
    st.builds(o.Build, st.sampled_from(list(COSTS))),
    st.builds(o.Offer, OTHERS, GOODS, GOODS, st.integers(1, 60)),
    st.builds(o.Answer, st.sampled_from(["Accept", "Decline", "Withdraw"]), COUNTS),
    st.builds(o.Split, COUNTS, COUNTS, COUNTS, st.sampled_from(["", "Aldermark"])),
    st.builds(o.Propose, PROPOSALS),
    st.builds(o.Vote, FLAGS, OTHERS),
    st.builds(o.Object, COUNTS, st.sampled_from(["", "no ships", "who? me: never"])),
    st.builds(o.Redo, st.one_of(DO, st.just(o.Pass()))),
    st.builds(o.Every, st.one_of(DO, YEARS)),
    st.builds(o.Forget, st.sampled_from(["year", "season"])),
    st.sampled_from([o.Camp(), o.Pass(), o.Done(), o.CancelAll(), o.Claim(), o.Abdicate()]),
)
WORDS = st.sampled_from(
    "attack research increase military harmony resources Borland Cyrene Ben Atlantis with 3 2R 1H"
    " all but one half deplete , . ; : - ( ) ? ! / and if else otherwise not no wait never mind zork"
    " offer give lend for against keeps seasons accept offer decline 1 deal yes vote claim victory"
    " build hospital camp works boon burn spare fear every year season pass done nothing forget"
    " propose steel +1 on all rolls +2 from = object to action 14 because try canal has fallen lives"
    " more than at least call us R4 4/3/2 rebellion coup \n \n\n them there instead sorry".split(
        " "
    )
)
TURNING = (*TURNS, *("until Ben agrees",))
CLEAR = {
    "season": (
        *("attack Borland with 3", "march on Borland with 3 soldiers and burn the vault"),
        "research with 2 resources and deplete 1",
        "research with 3: windmills, +1 on all resources rolls",
        *("increase military with 3 resources", "expedition with 2"),
        *("spy on Borland with 1, look for sails", "foment revolt in Cyrene with 2"),
        "preach in Borland with 2 harmony",
        "attack Borland with 4 if Borland lives, otherwise expedition with 2",
        *("every season: security with 2", "give Cyrene our steel"),
        *("offer Cyrene 2 military until year end for 1 resource for keeps", "accept offer 1"),
        *("withdraw offer 2", "I vote no on Borland"),
        "propose windmills: +1 on all resources rolls",
        *("try 2 harmony against Borland for -1: sing songs", "use the camp", "harmony 3"),
        *("claim victory", "pass"),
    ),
    "year": (
        *("3 harmony", "rule by fear", "harmony 2, rebellion 1", "every year all harmony but one"),
    ),
    "setup": ("4 resources, 3 military, 2 harmony",),
}
FREE = re.compile("windmills|songs")
"""Orders with words of the player's own, of which each may be another."""
ALL_CLEAR = [(name, text) for name, texts in CLEAR.items() for text in texts]


@given(ORDERS)
@settings(max_examples=at_length(60, 400))
def test_a_canonical_text_is_read_back_as_its_order(order: o.Order) -> None:
    """SF-4."""
    state = table("season")
    assert READER.read_canonical(state, format_order(state, order)) == order


@given(ORDERS)
@settings(max_examples=at_length(60, 400))
def test_a_canonical_text_in_a_message_is_its_order(order: o.Order) -> None:
    """SF-4, in whatever phase."""
    for name in ("season", "year"):
        state = table(name)
        if name == "year" and "nobody" in format_order(state, order):
            continue
        text = format_order(state, order)
        reading = READ_ALL(state, 1, Standing(), Said(text))
        assert [format_order(state, x) for item in reading.items for x in item.orders] == [text]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_legal_order_is_read_as_itself(name: str) -> None:
    state = table(name)
    for order in sampled(list(legal(state, 1)), 60):
        text = format_order(state, order)
        reading = READER.read(state, 1, Standing(), Said(text))
        found = [format_order(state, one) for item in reading.items for one in item.orders]
        codes = [problem.code for item in reading.items for problem in item.problems]
        if isinstance(order, o.Abdicate):
            assert (found, codes) == ([], ["confirm"])
        else:
            assert found == [text]


@given(st.lists(WORDS, max_size=25), st.sampled_from(list(POSITIONS)))
@settings(max_examples=at_length(80, 600))
def test_no_heap_of_words_raises_and_every_caret_lies_in_its_quote(
    words: list[str], name: str
) -> None:
    text = " ".join(words)
    for item in READER.read(table(name), 1, Standing(), Said(text)).items:
        assert item.quote in text or item.quote == text.strip()[:200]
        if item.caret is not None:
            assert 0 <= item.caret[0] < item.caret[1] <= len(item.quote)


@given(st.text(max_size=200), st.sampled_from(list(POSITIONS)))
@settings(max_examples=at_length(40, 300))
def test_no_text_whatever_raises(text: str, name: str) -> None:
    READER.read(table(name), 1, Standing(), Said(text))


@each_row(("name", "text"), [x for x in ALL_CLEAR if not FREE.search(x[1])])
def test_another_word_in_its_place_never_makes_another_order(name: str, text: str) -> None:
    hold_every_word(partial(read, name=name), text)


@pytest.mark.sample(9)
@pytest.mark.parametrize(("name", "text"), ALL_CLEAR)
def test_a_turning_word_behind_an_order_is_never_lost(name: str, text: str) -> None:
    hold_turning(
        partial(read, name=name),
        text,
        (more for more in TURNING if more != "zork" or not FREE.search(text)),
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "sign",
    [
        *("a", "1 ", "\n", ",", "-", ".", "(", '"', "no, ", "if ", "5R", "not ", "done. ", "zork "),
        *("2R ", "attack Borland with 1, ", "research with 2: x, +1 on all military rolls, "),
        *(
            *("offer Cyrene 1R for 1M, ", "offer Cyrene 1R ", "never mind. "),
            *("attack Borland. no wait. ", "else "),
        ),
        *("if Borland has more military than Cyrene ", "because ", "propose x = ", "+1 ", "to "),
        *("accept 1 ", "build the hospital and ", "every year ", "object to action 1 ", "| "),
    ],
)
def test_the_work_grows_with_the_length_alone(sign: str) -> None:
    """F-9, F-19, F-111."""
    hold_growth(lambda text: READER.read(table("season"), 1, Standing(), Said(text)), sign)
