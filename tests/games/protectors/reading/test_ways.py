"""What was not read has its reason and its way on, which is no folly (F-26, F-27, F-73)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.numbers import mates_of
from engine.protectors.state import State
from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.games.protectors.reading.settled import about
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import (
    ANNA,
    EMPTY,
    NAMES,
    codes,
    random_tables,
    read,
    table,
    texts,
)
from tests.rings import at_length
from tests.rows import each_row

_UNREAD = st.sampled_from(
    [
        *("flurb {p} with the dragon", "{p} glonks", "march gloop from {p} to {q}"),
        *("if {q} is empty, fortify {p}", "don't work {p}", "should I fortify {p}? hold {q}"),
        *("maybe commit 1 from {p}", "buy some glonks in {p}", "bid perhaps 12", "bid"),
        *("support Zork in {q} from {p}", "send 5 to Zork", "{p} or {q} works", "fortify"),
    ]
)


def _teams() -> State:
    """Anna between her mate Annabel, some of whose provinces are empty, and Mark."""
    return table("orders", {"players": _players(80, teams="AABBB"), "board": _HELD})


_HELD = {
    f"P{p}": {"owner": owner, "units": units}
    for p, owner, units in (
        (1, "Anna", 2),
        (2, "Anna", 3),
        (3, "Annabel", 0),
        (4, "Annabel", 2),
        (5, "Chloé", 3),
        (6, "Chloé", 2),
        (7, "May", 2),
        (8, "May", 0),
        (9, "Mark", 1),
        (10, "Mark", 2),
    )
}


def _players(realm: int, teams: str = "") -> dict[str, dict[str, object]]:
    colours = ("blue", "yellow", "green", "orange", "white")
    return {
        name: {"colour": colour, "realm": realm} | ({"team": teams[i]} if teams else {})
        for i, (name, colour) in enumerate(zip(NAMES, colours, strict=True))
    }


@settings(max_examples=at_length(50, 150))
@given(
    st.one_of(random_tables(), st.builds(lambda: (_teams(), ANNA))),
    st.lists(_UNREAD, min_size=1, max_size=3),
    st.data(),
)
def test_an_offer_is_legal_sensible_and_read_as_it_is(
    position: tuple[State, int], written: list[str], data: st.DataObject
) -> None:
    state, player = position
    place = st.integers(1, len(state.board) - 1).map("P{}".format)
    standing = read_alone(
        READER.read, state, player, EMPTY, data.draw(st.sampled_from(["", "all hold"]))
    )
    before = standing.checked.standing if standing.checked is not None else EMPTY
    text = "\n".join(line.format(p=data.draw(place), q=data.draw(place)) for line in written)
    reading = read_alone(READER.read, state, player, before, text)
    after = reading.checked.standing if reading.checked is not None else before
    settled = set(map(about, after.orders))
    offers = [item.suggestion.text for item in reading.items if item.suggestion is not None]
    for line in (line for offer in offers for line in offer.split("\n")):
        again = read_alone(READER.read, state, player, after, line)
        assert again.checked is not None, line
        assert not codes(again), line
        order = READER.read_canonical(state, line)
        assert again.checked.accepted == (order,), line
        assert not again.checked.replaced, line
        assert about(order) not in settled, line
        _check_is_no_folly(state, player, order)
    for item in reading.items:
        if item.suggestion is not None:
            told = READER.check(state, player, after, item.suggestion.orders)
            fell = [order for order in told.replaced if order not in item.suggestion.orders]
            assert len(item.instead) == len(fell)


def _check_is_no_folly(state: State, player: int, order: o.Order) -> None:
    board = state.board
    manned = [p for p, held in enumerate(board) if held.owner == player and held.units and p]
    match order:
        case o.March(units, origin, target):
            assert manned != [origin] or units < board[origin].units
            assert board[target].owner not in mates_of(state, player)
        case o.Commit(units, province):
            assert manned != [province] or units < board[province].units
        case o.Snitch(other):
            assert other not in mates_of(state, player)


@each_row(
    ("text", "why", "word"),
    [
        ("if Chloé attacks P2, fortify P1", "condition", "if"),
        ("fortify P1 unless attacked", "condition", "unless"),
        ("maybe work P2", "doubt", "maybe"),
        ("P1 or P2 works", "or", "or"),
        ("don't fortify P1", "negation", "don't"),
        ("P1 fortified", "told", "fortified"),
        ("should I work P2? hold P1", "question", "should I"),
    ],
)
def test_f27_the_reason_is_the_one_that_applies(text: str, why: str, word: str) -> None:
    item = next(item for item in read(text).items if not item.orders)
    assert item.problems[0].facts == {"why": why, "word": word}


def test_f27_after_a_final_nothing_is_offered() -> None:
    final = read("fortify P1. final").checked
    assert final is not None
    for text in ("P2 works. final", "final", "flurb P2"):
        reading = read(text, standing=final.standing)
        assert not texts(reading)
        assert all(item.suggestion is None for item in reading.items)


def test_f26_a_purchase_that_stands_is_not_replaced_by_a_suggestion() -> None:
    state = table("consolidation", {"players": _players(400)})
    reading = read_alone(READER.read, state, ANNA, EMPTY, "buy 1 in P1 and 1 in P12")
    assert [item.suggestion for item in reading.items] == [None, None]


def test_f26_a_suggestion_names_what_it_would_change() -> None:
    state = table("consolidation", {"players": _players(400)})
    before: Standing[o.Order] = Standing((o.Buy(1, 2),))
    reading = read_alone(READER.read, state, ANNA, before, "bbuy 1 in P1")
    offer = reading.items[0].suggestion
    assert offer is not None
    assert offer.orders == (o.Buy(1, 1),)
    assert reading.items[0].instead == ("Buy 1 in P2",)


def test_f26_nobody_is_supported_where_somebody_else_is() -> None:
    offer = read("support Chloé in P5 from P2").items[0].suggestion
    assert offer is None  # P3, which P2 reaches, is Annabel's


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("march gloop from P2", "orders"),
        ("support zork in P3 from P2", "orders"),
        ("send my army over to Mark", "orders"),
        ("send glonk", "dragon"),
    ],
)
def test_f73_nothing_is_offered_where_much_is_missing(text: str, phase: str) -> None:
    (item,) = read(text, state=table(phase)).items
    assert item.suggestion is None


def test_f26_no_team_mate_is_attacked() -> None:
    state = _teams()
    (item,) = read_alone(READER.read, state, ANNA, EMPTY, "attack P3 gloop from P2").items
    assert item.suggestion is None
