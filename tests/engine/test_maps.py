"""Maps of places: read whole, or refused with every fault and its line."""

from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.map_files import MapError
from engine.maps import Map, NoFacts, border_faults, cut_off, parse_map
from tests.rows import each_row

TEXT = """map: 1
name: The Sound
places:
  Holm:
    {code: HOL, kind: coast, at: [3, 4], borders: {army: [Lund], fleet: [Sound]}, facts: {worth: 2}}
  Lund:
    {code: LUN, kind: coast, at: [5, 4], borders: {army: [Holm]}, aliases: [Lundy], coasts: {nc: {name: north coast, borders: {fleet: [Sound]}}}}
  Sound:
    {code: SOU, kind: sea, borders: {fleet: [Holm, Lund/nc]}}
"""


class Worth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    worth: Literal[0, 1, 2] = 0


def read(text: str) -> Map[Worth]:
    return parse_map(text, Worth, kinds=("coast", "sea"), borders=("army", "fleet"))


def test_a_map_is_read() -> None:
    told = read(TEXT)
    assert (told.name, tuple(told.places), told.keys[3:]) == (
        "The Sound",
        ("Holm", "Lund", "Sound"),
        ("Lund/nc",),
    )
    assert told.place("Holm").facts == Worth(2)
    assert told.place("Lund/nc").spellings == ("Lund", "LUN", "Lundy")
    assert told.place("Lund").line == 7
    assert told.neighbours("Lund", ("army", "fleet")) == ("Holm",)
    assert told.neighbours("Lund/nc", ("army", "fleet")) == ("Sound",)
    assert told.distances("Holm", ("fleet",)) == {"Holm": 0, "Sound": 1, "Lund/nc": 2}
    assert told.distances("Lund", ("fleet",)) == {"Lund": 0}


@each_row(
    ("old", "new", "expected"),
    [
        ("[Holm, Lund/nc]", "[Lund/nc]", [("asymmetric-border", 5, "Holm")]),
        ("[Holm, Lund/nc]", "[Holm, Lund]", [("asymmetric-border", 7, "Lund/nc")]),
        ("[Lund], fleet", "[Lund, Holm], fleet", [("self-border", 5, "Holm")]),
        ("[Lund], fleet", "[Lund, Ystad], fleet", [("unknown-neighbour", 5, "Holm")]),
        ("code: LUN", "code: hol", [("name-twice", 7, "Lund")]),
        ("kind: sea", "kind: lake", [("unknown-kind", 9, "Sound")]),
        ("{army: [Holm]}", "{army: [Holm], walk: [Sound]}", [("unknown-border", 7, "Lund")]),
        ("worth: 2", "worth: 3", [("wrong-form", 5, "Holm")]),
        ("map: 1", "map: 2", [("wrong-form", 1, None)]),
        ("kind: sea", "sort: sea", [("wrong-form", 9, "Sound")]),
        ("code: SOU", "code: SOU, line: 7", [("wrong-form", 9, "Sound")]),
        ("code: SOU", "code: SOU, code: SUN", [("key-twice", 9, None)]),
        ("name: The Sound", "name: *x", [("alias", 2, None)]),
    ],
)
def test_a_bad_map_is_refused_with_the_place(
    old: str, new: str, expected: list[tuple[str, int, str | None]]
) -> None:
    assert old in TEXT
    with pytest.raises(MapError) as caught:
        read(TEXT.replace(old, new))
    found = [(problem.code, problem.line, problem.place) for problem in caught.value.problems]
    assert set(expected) <= set(found)


def test_every_fault_is_told_at_once() -> None:
    text = TEXT.replace("kind: sea", "kind: lake").replace("code: LUN", "code: SOU")
    with pytest.raises(MapError) as caught:
        parse_map(
            text.replace("[Lund], fleet: [Sound]", "[]"),
            Worth,
            kinds=("coast", "sea"),
            borders=("army", "fleet"),
            source="sound.yaml:",
        )
    assert str(caught.value) == (
        "name-twice (sound.yaml:9), unknown-kind (sound.yaml:9),"
        " asymmetric-border (sound.yaml:7), asymmetric-border (sound.yaml:9)"
    )


def test_places_that_no_way_leads_to_are_told() -> None:
    """A coast is reached from its place."""
    assert cut_off(("a", "b", "b/nc", "c"), [("b", "b/nc"), ("b/nc", "c")]) == ("b", "b/nc", "c")
    with pytest.raises(MapError, match="no-places"):
        parse_map("map: 1\nplaces: {}", NoFacts, kinds=(), borders=())


def test_a_closed_place_borders_nothing() -> None:
    """Nobody goes there, and it need not be reached."""
    text = TEXT.replace("places:\n", "places:\n  Alps: {kind: wild}\n")
    told = parse_map(
        text, Worth, kinds=("coast", "sea"), borders=("army", "fleet"), closed=("wild",)
    )
    assert told.closed == frozenset({"wild"})
    assert told.neighbours("Alps", ("army", "fleet")) == ()
    with pytest.raises(MapError, match=r"unknown-kind \(line 4\), unconnected"):
        read(text)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_borders_stated_both_ways_are_well(pairs: list[tuple[int, int]]) -> None:
    both = {pair for a, b in pairs for pair in ((a, b), (b, a)) if a != b}
    assert list(border_faults(range(7), both)) == []
    for pair in both:
        (fault,) = border_faults(range(7), both - {pair})
        assert (fault.code, fault.places) == ("asymmetric-border", pair[::-1])


@given(st.text(max_size=40), st.integers(0, len(TEXT)), st.integers(0, 40))
def test_a_garbled_map_is_read_or_refused_never_more(garble: str, at: int, gone: int) -> None:
    try:
        lines = [one.line for one in read(TEXT[:at] + garble + TEXT[at + gone :]).places.values()]
    except MapError as error:
        lines = [problem.line for problem in error.problems]
    assert min(lines) >= 1
