"""Names of places as words: by every spelling, with coasts, and nothing moved in the text."""

from hypothesis import given
from hypothesis import strategies as st

from engine.maps import Map, NoFacts, parse_map
from pbem.grammar.kit.lexemes import lexemes_of
from pbem.grammar.kit.people import People
from pbem.grammar.kit.vocabulary import build_vocabulary, names_of, place_words, spelt_out
from tests.rows import each_row

TOLD: Map[NoFacts] = parse_map(
    """map: 1
places:
  St. Ives: {code: IVE, kind: land, borders: {fleet: [Far-off Sea]}}
  Far-off Sea: {kind: sea, aliases: [the Deep], borders: {fleet: [St. Ives, Lund/nc]}}
  Lund: {code: LUN, kind: land, coasts: {nc: {name: north coast, aliases: [north], borders: {fleet: [Far-off Sea]}}}}
""",
    NoFacts,
    kinds=("land", "sea"),
    borders=("fleet",),
)
WORDS = build_vocabulary("TO: to", place_words(TOLD))


def places_in(text: str) -> list[str]:
    read = lexemes_of(spelt_out(text, TOLD), WORDS, People((), None))
    return [TOLD.keys[one.value or 0] for one in read if one.kind == "PLACE"]


@each_row(
    ("text", "places"),
    [
        ("st. ives to lund", ["St. Ives", "Lund"]),
        ("st ives - far off sea", ["St. Ives", "Far-off Sea"]),
        ("far-off sea to lund/nc", ["Far-off Sea", "Lund/nc"]),
        ("far-off sea to lund (nc).", ["Far-off Sea", "Lund/nc"]),
        ("the deep to the north coast of lund", ["Far-off Sea", "Lund/nc"]),
        ("ive to lun north coast", ["St. Ives", "Lund/nc"]),
        ("(lund)", ["Lund"]),
        ("st ivse", []),
    ],
)
def test_a_place_is_known_by_every_spelling(text: str, places: list[str]) -> None:
    assert places_in(text) == places


def test_every_name_of_the_map_is_read_as_its_place() -> None:
    for key in TOLD.keys:
        assert {*names_of(TOLD, key)}
        for name in names_of(TOLD, key):
            assert places_in(name.casefold()) == [key], name


@given(st.text(alphabet="st. iveslund(nc)/-far\n", max_size=40))
def test_nothing_is_moved_in_a_text(text: str) -> None:
    told = spelt_out(text, TOLD)
    assert len(told) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, told, strict=True))
    assert told.count("\n") == text.count("\n")
