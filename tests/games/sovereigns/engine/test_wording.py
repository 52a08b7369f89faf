"""Canonical texts read back to the orders they are of, and nothing else reads as an order."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sovereigns import orders as o
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.wording import CONDITIONS, FORMS, ITEMS, WAYS, parse_order
from tests.engine.random_orders import orders_of
from tests.games.sovereigns.engine.playing import table
from tests.rows import each_row

TEXTS = (
    "Research: 2R, steel weapons = STAT-ROLL M",
    "Research: 3R, steam engine = ANA-DIE R from boiling water",
    *("Research: 2R + 1 depleted, boon, works", "Increase M: 3R", "Increase R: 3R"),
    *("Attack Bo: 3M, burn BLD-HOSPITAL", "Attack Bo: 3M, burn BLD-WORKS R, boon"),
    "Attack Bo: all M, spare buildings if Bo lives else Expedition: 2M else Security: 1M",
    *("Attack: 1M", "Expedition: 2M if Bo has fallen", "Espionage Bo: 1M, seek steel, works"),
    *("Theft Bo: 2M if Bo has more M than Ann Lee", "Security: 2M if Bo has at least 3M"),
    *("Found: 2H if Bo has at most 3M", "Spread Bo: 2H", "Contact: all H", "Foment Bo: 2H"),
    'Try: 3R against Bo for -1 "dig a canal, or else 2M if we may"',
    *('Try: 2H for +1 M "a feast"', 'Try: 2H "a feast", boon'),
    *('Try: 2H + 1 depleted "" if Bo lives else Try: 1R "b"', "Build BLD-HOSPITAL"),
    *("Build BLD-WORKS R", "Camp", "Pass", "Done", "Cancel all"),
    "Offer Bo: 1R permanent, tech steel against 2M for 2 seasons expended too within 12 hours",
    *("Offer Bo: 1M until year end against nothing", "Offer Bo: BLD-WALL against nothing"),
    *("Accept offer 1", "Decline offer 1", "Withdraw offer 1"),
    *("Harmony: 3H, rebellion 2M with works, coup 3M, works", "Harmony: 3H, coup 3M with works"),
    *("Harmony: all but 1", "Harmony: all", "Rule by Fear"),
    "Rule by Fear, sure if Bo lives else Harmony: 1H else Harmony: 2H",
    *("Propose steel = STAT-ROLL M", "Propose steam = ANA-DOUBLE STAT-CALM + STAT-ROLL M from tea"),
    *("Claim victory", "Vote yes on Ann Lee", "Vote no on Bo"),
    *("Object to action 2: why: because; of this", "Redo: Attack Bo: 2M", "Redo: Pass", "Abdicate"),
    *("Every year: Harmony: 3H", "Every season: Expedition: 2M", "Forget every year"),
    *("Forget every season", "Split 4/3/2, Aldermark", "Split 4/3/2"),
)
STATE = table({"Ann Lee": {"name": "Aldermark"}, "Bo": {}})
COUNTS = st.integers(0, 9999)
ATTRIBUTE = st.sampled_from("RMH")
PEOPLE = st.integers(0, 2)
NAMES = st.sampled_from(("steel", "boiling water", "burn lime", "seek gold", "boon"))
CODES = st.sampled_from(("STAT-ROLL M", "BLD-HOSPITAL", "ANA-DOUBLE STAT-CALM + STAT-ROLL M"))
HOUSES = st.sampled_from(("BLD-HOSPITAL", "BLD-WORKS R"))
WORDS = st.text("ab if else,\"'2M:\n", max_size=20).map(lambda text: text.replace('"', ""))
PROPOSALS = st.builds(o.Proposal, NAMES, CODES, st.sampled_from(("", "tea", "boiling water")))
TERMS = st.tuples(st.sampled_from(("permanent", "year")), st.just(0))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "count": COUNTS,
    "text": NAMES,
    "attribute": ATTRIBUTE,
    "who": PEOPLE,
    "receiver": PEOPLE,
    "alive": st.sampled_from(("lives", "fallen")),
    "more": st.just("more"),
    "bound": st.sampled_from(("least", "most")),
    "try": st.just("Try"),
    "points": st.none() | COUNTS,
    "effect": st.sampled_from(("-1", "+1 R", "+1 M", "+1 H")),
    "quote": WORDS,
    "tech": NAMES,
    "house": HOUSES,
    "term": TERMS | st.tuples(st.just("seasons"), COUNTS),
    "verb": st.sampled_from(("Accept", "Decline", "Withdraw")),
    "fear": st.just(True),
    "harmony": st.tuples(COUNTS, st.just(0)) | st.tuples(st.none(), COUNTS),
    "building": HOUSES,
    "yes": st.booleans(),
    "why": st.text("ab :,if\n", max_size=20),
    "what": st.sampled_from(("year", "season")),
    "proposal": PROPOSALS,
}


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, min_size=1, max_size=3).map(tuple)


SPENT = {"points": VALUES["points"], "depleted": st.integers(0, 3)}
SIGNS = {"boon": st.booleans(), "works": st.booleans()}


def action(kind: str, attribute: str, **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(o.Action, st.just(kind), st.just(attribute), **SPENT, **SIGNS, **more)


TARGET = {"target": st.none() | PEOPLE}
BURNT = st.sampled_from(("", "nothing", "BLD-HOSPITAL", "BLD-WORKS R"))
ACTIONS = st.one_of(
    action("Research", "R", proposal=st.none() | PROPOSALS),
    action("Increase", "R", raises=ATTRIBUTE),
    *(action(kind, "M") for kind in ("Expedition", "Security")),
    *(action(kind, "H") for kind in ("Found", "Contact")),
    action("Attack", "M", burn=BURNT, **TARGET),
    action("Espionage", "M", seek=st.just("") | NAMES, **TARGET),
    *(
        action(kind, attribute, **TARGET)
        for kind, attribute in (("Theft", "M"), ("Spread", "H"), ("Foment", "H"))
    ),
    *(
        action("Try", attribute, effect=st.just("") | VALUES["effect"], words=WORDS, **TARGET)
        for attribute in "RMH"
    ),
)
CONDITION = st.none() | orders_of(CONDITIONS, VALUES)
WAY = orders_of(WAYS, VALUES).filter(
    lambda way: (
        (way.rebellion is not None or not way.rebellion_works)
        and (way.coup is not None or not way.coup_works)
    )
)
TRADED = st.lists(orders_of(ITEMS, VALUES), max_size=3).map(tuple)
VALUES |= {
    "given": TRADED,
    "items": TRADED,
    "actions": st.tuples(some(ACTIONS), CONDITION),
    "answers": st.tuples(some(WAY), CONDITION),
}
VALUES["year"] = orders_of(FORMS, VALUES, (o.Year,))
VALUES["season"] = orders_of(FORMS, VALUES, (o.Do,))
VALUES["again"] = orders_of(FORMS, VALUES, (o.Do, o.Pass))
ORDERS = orders_of(FORMS, VALUES)


@given(ORDERS)
def test_the_canonical_text_of_an_order_reads_back_to_it(order: o.Order) -> None:
    assert parse_order(STATE, SOVEREIGNS.format_order(STATE, order)) == order


@each_row("text", TEXTS)
def test_a_canonical_text_reads_back_to_itself(text: str) -> None:
    order = parse_order(STATE, text)
    assert SOVEREIGNS.format_order(STATE, order) == text
    assert SOVEREIGNS.decode_orders(SOVEREIGNS.encode_orders([order])) == (order,)


def test_a_kingdom_goes_by_its_own_name_too_and_a_term_left_out_is_until_year_end() -> None:
    """SS-5.6."""
    assert parse_order(STATE, "Attack aldermark: 1M") == parse_order(STATE, "Attack Ann Lee: 1M")
    assert parse_order(STATE, "Offer Bo: 1R against nothing") == parse_order(
        STATE, "Offer Bo: 1R until year end against nothing"
    )
    nobody = parse_order(STATE, "Attack Atlantis: 1M")
    assert isinstance(nobody, o.Do)
    assert nobody.ways[0].target == 0
    assert SOVEREIGNS.format_order(STATE, nobody) == "Attack nobody: 1M"


@each_row(
    "text",
    [
        *("", "Research", "Research: 2M", "Research: 2R, 3"),
        *("Research: 2R + 1 depletd, steel = STAT-ROLL M", "Research : 2R"),
        *("Attack Bo: 1M, please", "Expedition: 2M, quick", "Rule by Fear, perhaps", "Harmony: 2M"),
        *('Try: 2R for +2 M "x"', "Sing: 2H", "Offer Bo: a song against nothing"),
        "Expedition: 2M if only",
    ],
)
def test_anything_else_is_not_understood(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no"):
        parse_order(STATE, text)


def test_commands() -> None:
    """SS-10.8."""
    assert parse_command(STATE, "gm end Bo", {}) == {"act": "end", "winner": 2}
    assert parse_command(STATE, "gm set Aldermark M 3 ex 1", {})["player"] == 1
    with pytest.raises(ValueError, match="no command"):
        parse_command(STATE, "gm sing", {})
    with pytest.raises(Refused, match="no such kingdom"):
        parse_command(STATE, 'gm give Q tech "x"', {})
