"""The file itself: what is in it, what is not, and what is no record at all."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import pbem.record
from pbem.record.record import MOST_OCTETS, RecordError, format_record, parse_record
from tests.played import GAMES, PLAYED
from tests.record.games import recorded
from tests.rings import at_length
from tests.rows import each_row

RAW = format_record(recorded(2))


def why_not(raw: bytes) -> str:
    with pytest.raises(RecordError) as error:
        parse_record(raw)
    return str(error.value)


def test_the_text_is_json_with_a_line_for_each_thing_and_blanks_mean_nothing() -> None:
    told = json.loads(RAW)
    assert (told["format"], told["version"], told["ruleset"]) == ("pbem-record", 1, PLAYED)
    assert parse_record(
        json.dumps(told, indent=7, ensure_ascii=True).replace("\n", "\r\n").encode()
    ) == recorded(2)
    lines = RAW.decode().splitlines()
    assert sum('"place":' in line and '"label":' in line for line in lines) >= len(
        told["start"]["draws"]
    )
    assert all(line.count('"digest"') <= 1 for line in lines)


def test_it_names_nobody_but_the_players_at_the_table() -> None:
    record = recorded(2)
    assert [player.name for player in record.players] == [
        player.name for player in recorded(2).players
    ]
    assert set(msgspec.to_builtins(record.players)[0]) <= {
        *("number", "name", "colour", "team", "place", "faction"),
    }
    assert "@" not in RAW.decode()


@given(st.integers(0, len(RAW) - 2))
@settings(max_examples=at_length(13, 40))
def test_a_file_that_ends_too_early_says_so(length: int) -> None:
    assert why_not(RAW[:length])


def test_a_file_cut_in_the_middle_is_told_from_one_that_is_none() -> None:
    assert why_not(RAW[: len(RAW) // 2]).endswith("(it ends too early: a part of it is missing)")
    assert why_not(b"%PDF-1.4").startswith("it cannot be read")
    assert why_not(b"{}") == "it is no record of a game: its format is not named, not pbem-record"
    assert (
        why_not(b'{"format":"case"}')
        == "it is no record of a game: its format is case, not pbem-record"
    )
    assert (
        why_not(b'{"format":"pbem-record","version":2}')
        == "it is a record of version 2; this program reads version 1"
    )
    assert why_not(b"\xff\xfe") != ""
    assert why_not(b'"\xff"') != ""


def test_huge_and_deeply_nested_files_are_refused_at_once() -> None:
    assert (
        why_not(b" " * (MOST_OCTETS + 1))
        == f"it is too big: a record has at most {MOST_OCTETS} bytes"
    )
    assert why_not(b"[" * 1_000_000) != ""
    deep = RAW.replace(
        b'"island": ', b'"x": ' + b"[" * 200_000 + b"]" * 200_000 + b',"island": ', 1
    )
    assert why_not(deep) == "it is nested deeper than any record"


def test_a_member_it_does_not_know_is_no_place_to_hide_something() -> None:
    assert "unknown field" in why_not(RAW.replace(b'"seed":', b'"note": 1, "seed":', 1))


@each_row(
    ("was", "is_now", "said"),
    [
        (b'"turn": 1', b'"turn": "one"', "Expected `int`, got `str` - at `$.phases[0].turn`"),
        (b'"ended": "close"', b'"ended": "open"', "at `$.phases[0].ended`"),
        (b'"seed": "', b'"seed": "xy', "its seed is no number in hexadecimal digits"),
        (b'"commitment": "', b'"commitment": "00', "its commitment is no number"),
        (b'"number":2,', b'"number":3,', "not numbered from 1 without a gap"),
        (b'"to": null', b'"to": 1', "phase 1: only a roll back"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(was: bytes, is_now: bytes, said: str) -> None:
    assert was in RAW
    assert said in why_not(RAW.replace(was, is_now, 1))


def test_two_of_a_name_no_phases_and_orders_told_twice_are_no_record() -> None:
    record = recorded(2)
    twins = tuple(replace(player, name="Anna") for player in record.players)
    assert (
        why_not(format_record(replace(record, players=twins)))
        == "two of its players have the same name"
    )
    assert why_not(format_record(replace(record, phases=()))) == "it has no phases"
    first = record.phases[0]
    doubled = replace(first, orders=(*first.orders, first.orders[0]))
    assert "phase 1: the orders of one player stand there twice" in why_not(
        format_record(replace(record, phases=(doubled, *record.phases[1:])))
    )


def test_nothing_in_the_room_knows_any_one_game() -> None:
    room = Path(pbem.record.__file__).parent
    names = "|".join(re.escape(name) for id_, game in GAMES.items() for name in (id_, game.title))
    for file in room.glob("*.py"):
        text = file.read_text("utf-8")
        assert not re.search(rf"{names}|realm|province|dragon", text, re.IGNORECASE), file.name
        assert set(re.findall(r"^(?:from|import) (?:pbem|engine)[\w.]*", text, re.MULTILINE)) <= {
            *("from engine.chance", "from engine.ruleset", "from pbem.record.course"),
            *("from pbem.record.difference", "from pbem.record.record", "from pbem.record.replay"),
            "from pbem.record.seals",
        }
