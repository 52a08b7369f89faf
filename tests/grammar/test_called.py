"""What may be a name at a table, and which names look alike."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.called import MAX_CHARACTERS, NameRefused, parse_name, skeleton
from tests.rows import each_row


@each_row("name", ["Anna", "Chloé", "Łukasz", "Jean-Luc O'Neill", "Дмитро", "Ζωή", "  Mei  "])
def test_people_keep_their_names(name: str) -> None:
    assert parse_name(name) == " ".join(name.split())


@each_row(
    ("name", "code"),
    [
        ("", "name-empty"),
        ("x" * (MAX_CHARACTERS + 1), "name-too-long"),
        ("An\u202ena", "name-unprintable"),
        ("An\x00na", "name-unprintable"),
        ("An\u200bna", "name-unprintable"),
        ("!!!", "name-unprintable"),
        ("P4", "name-reserved"),
        ("Player 2", "name-reserved"),
        ("player#2", "name-reserved"),
        ("two", "name-reserved"),
        ("my", "name-reserved"),
        ("Province 4", "name-reserved"),
        ("17", "name-unprintable"),
        ("gm", "name-reserved"),
        (["The", "Dragon"][1], "name-reserved"),
        ("Red", "name-reserved"),
        ("Hеart", "name-mixed"),
    ],
)
def test_what_could_deceive_is_refused(name: str, code: str) -> None:
    with pytest.raises(NameRefused) as refused:
        parse_name(name, frozenset({"red", "heart"}))
    assert refused.value.code == code


@each_row(
    ("one", "other"),
    [
        ("Anna", "Аnna"),
        ("Anna", "ANNA"),
        ("Chloé", "chloe"),
        ("Bill", "BiII"),
        ("Mo", "M0"),
        ("vera", "νera"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@each_row(
    "other",
    [
        *("4nna", "Ann4", "Annɑ", "ᴀɴɴᴀ", "Anɴa", "Ａｎｎａ", "𝐀𝐧𝐧𝐚", "Ànná"),
        "ANИA".replace("И", "N"),
        *("ꓮnna", "ΑΝΝΑ", "Аnnа", "a.n.n.a", "ᎪNNᎪ"),
    ],
)
def test_f56_what_looks_like_anna_is_anna(other: str) -> None:
    assert skeleton(other) == skeleton("Anna")


@each_row(
    ("name", "code"),
    [
        ("Anna\u3164", "name-unprintable"),
        ("An\u115fna", "name-unprintable"),
        ("An\u1160na", "name-unprintable"),
        ("Anna\u2800", "name-unprintable"),
        ("An\ufe0fna", "name-unprintable"),
        ("An\U000e0041na", "name-unprintable"),
        ("ᗩnna", "name-mixed"),
        ("Annа", "name-mixed"),
        ("ᎪNNᎪ", "name-mixed"),
        ("the game master", "name-title"),
        ("Game-Master", "name-title"),
        ("The GM", "name-title"),
        ("GM Anna", "name-title"),
        ("Ádmin", "name-title"),
        ("Admin Anna", "name-title"),
        ("Observers", "name-reserved"),
        ("Post Office", "name-title"),
        ("P0st 0ffice", "name-title"),
        ("http://evil.example", "name-link"),
        ("evil.example", "name-link"),
        ("www.evil", "name-link"),
        ("click evil.com now", "name-link"),
        ("anna@evil", "name-link"),
        ("t.me/anna", "name-link"),
    ],
)
def test_f56_hidden_letters_offices_and_links_are_no_names(name: str, code: str) -> None:
    with pytest.raises(NameRefused) as refused:
        parse_name(name)
    assert refused.value.code == code


@each_row(
    "name",
    [
        *("Ο Οδυσσέας", "山田 太郎", "ヤマダ花子", "김민수", "محمد", "Dr. No", "J.R.", "Anna-Lena"),
        *("José María", "Ørsted", "Adminah", "Mary Ann", "Roots"),
    ],
)
def test_f56_people_of_all_alphabets_keep_their_names(name: str) -> None:
    assert parse_name(name) == name
    assert skeleton(name)


def test_different_names_stay_different() -> None:
    names = ["Anna", "Hanna", "Annabel", "Ben", "Bartek", "Mei", "May", "Mark"]
    assert len({skeleton(name) for name in names}) == len(names)


@given(st.text(max_size=60))
def test_no_text_makes_trouble(text: str) -> None:
    with suppress(NameRefused):
        name = parse_name(text)
        assert "\n" not in name
        assert 0 < len(name) <= MAX_CHARACTERS
