"""What a game master sets right at a table of Protectors, as it is written; nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protectors.cards import all_cards
from pbem.games.protectors.reading.corrections import FORMS, read_correction
from pbem.grammar.gm.commands import Unread
from tests.games.protectors.reading.positions import NAMES, table
from tests.rows import each_row

STATE = table()
WITH_ISLAND = table(factions=True)


def act(text: str) -> dict[str, object]:
    return dict(read_correction(STATE, text).act)


def units(province: int, count: int) -> dict[str, object]:
    return {"act": "set-units", "province": province, "units": count}


def owner(province: int, player: int | None) -> dict[str, object]:
    return {"act": "set-owner", "province": province, "owner": player}


def money(player: int, realm: int) -> dict[str, object]:
    return {"act": "set-money", "player": player, "realm": realm}


@each_row(
    ("text", "meant"),
    [
        ("P3 units 5", units(3, 5)),
        ("units P3 5", units(3, 5)),
        ("p3: 5 units", units(3, 5)),
        ("units in P3 = 5", units(3, 5)),
        ("P3 has 5 units", units(3, 5)),
        ("the units of province 3 to 5", units(3, 5)),
        ("P3 owner Anna", owner(3, 1)),
        ("owner of P3 to Annabel", owner(3, 2)),
        ("P3 to Chloe", owner(3, 3)),
        ("give P3 to blue", owner(3, 1)),
        ("P3 belongs to Mark.", owner(3, 5)),
        ("P3 owner nobody", owner(3, None)),
        ("P3 to nobody", owner(3, None)),
        ("Anna money 75", money(1, 75)),
        ("Anna's money 75", money(1, 75)),
        ("money of Annabel to 75", money(2, 75)),
        ("Chloé has 75 $Realm", money(3, 75)),
        ("May 75$", money(4, 75)),
        ("dpl 12", {"act": "set-dpl", "dpl": 12}),
        ("the Dragon's power level to 12", {"act": "set-dpl", "dpl": 12}),
        ("dragon at 0", {"act": "set-dpl", "dpl": 0}),
        ("card Flood!", {"act": "set-card", "card": "Flood!"}),
        ("the card in play is deep snow", {"act": "set-card", "card": "Deep Snow"}),
        ("event card: End is Nigh", {"act": "set-card", "card": "The End is Nigh!"}),
        ("restore Anna", {"act": "restore", "player": 1}),
        (
            "restore Anna in P3 with 2",
            {"act": "restore", "player": 1, "provinces": (3,), "units": (2,)},
        ),
        (
            "restore Anna in P3 and P4 with 2 each",
            {"act": "restore", "player": 1, "provinces": (3, 4), "units": (2, 2)},
        ),
        (
            "bring May back at place 2 in P3, P4 with 2, 1",
            {"act": "restore", "player": 4, "rank": 2, "provinces": (3, 4), "units": (2, 1)},
        ),
        ("undo Mark's elimination", {"act": "restore", "player": 5}),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert act(text) == meant


def test_the_island_is_a_province_where_there_is_one() -> None:
    assert read_correction(WITH_ISLAND, "Island units 3").act == units(0, 3)
    assert read_correction(WITH_ISLAND, "the Island owner Anna").text == "the Island owner Anna"


@each_row(
    ("text", "kind", "what", "nearest"),
    [
        ("", "invalid", "correction", FORMS),
        ("P3 5", "invalid", "correction", FORMS),
        ("everything", "invalid", "no-such", ("Anna", "Annabel", "Chloé", "May", "Mark")),
        ("make the board nicer for me", "invalid", "correction", FORMS),
        ("P3 units", "missing", "number", FORMS),
        ("units 5", "missing", "province", FORMS),
        ("money 75", "missing", "player", FORMS),
        ("dpl", "missing", "number", FORMS),
        ("card", "missing", "card", ()),
        ("P3 units 5 and P4 units 6", "ambiguous", "correction", FORMS),
        ("P3 owner Anna units 5", "ambiguous", "correction", FORMS),
        ("Anna has 5 units in P3", "ambiguous", "correction", FORMS),
        ("P33 units 5", "invalid", "out-of-range", ("P1 to P10",)),
        ("P0 units 5", "invalid", "out-of-range", ("P1 to P10",)),
        ("Island units 5", "invalid", "out-of-range", ("P1 to P10",)),
        ("P3 units -5", "invalid", "number", ()),
        ("P3 owner Anabel", "invalid", "no-such", ("Annabel",)),
        ("Zed money 75", "invalid", "no-such", NAMES),
        ("card Floot", "invalid", "no-such", ("Flood!",)),
        ("restore Anna in P3, P4, P5 with 1, 2", "ambiguous", "correction", FORMS),
        ("restore Anna with 2", "missing", "province", FORMS),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read_correction(STATE, text)
    assert (unread.value.kind, unread.value.what, unread.value.nearest) == (kind, what, nearest)


@each_row("form", FORMS)
def test_every_form_that_is_offered_is_read_and_is_its_own_spelling(form: str) -> None:
    assert read_correction(STATE, form).text == form


_places = st.integers(0, 10).map(lambda number: f"P{number}" if number else "the Island")
_names = st.sampled_from([*NAMES, "nobody"])
_counts = st.integers(0, 99_999)
_canonical = st.one_of(
    st.builds("{} units {}".format, _places, _counts),
    st.builds("{} owner {}".format, _places, _names),
    st.builds("{} money {}".format, st.sampled_from(NAMES), _counts),
    st.builds("dpl {}".format, _counts),
    st.builds("card {}".format, st.sampled_from(sorted(all_cards()))),
    st.builds(
        "restore {} at place {} in P3, P4 with {}, {}".format,
        st.sampled_from(NAMES),
        st.integers(1, 9),
        _counts,
        _counts,
    ),
    st.builds("restore {}".format, st.sampled_from(NAMES)),
)


@given(_canonical)
def test_the_one_spelling_is_read_back_to_itself(text: str) -> None:
    assert read_correction(WITH_ISLAND, text).text == text


@given(
    st.lists(
        st.sampled_from(
            [
                *("P3", "units", "5", "Anna", "to", "money", "card", "restore", "with", "-2"),
                *("Flood", "?", "dpl", "rank"),
            ]
        ),
        max_size=8,
    ).map(" ".join)
    | st.text(max_size=80)
)
def test_whatever_is_written_is_read_or_asked_about(text: str) -> None:
    try:
        correction = read_correction(STATE, text)
    except Unread:
        return
    assert read_correction(STATE, correction.text) == correction
