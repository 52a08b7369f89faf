"""Numbers that stand alone beside what nobody can read, and those that do not."""

import pytest

from pbem.grammar.garbled import lone_numbers
from tests.played import PLAYED, spoken
from tests.rows import each_row


def found(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in lone_numbers(text)]


@each_row(
    ("text", "numbers"),
    [
        ("\ufffd\ufffd 12", 1),
        ("12 \x01\x02", 1),
        ("+AGIAaQBk- 12", 1),
        ("+AGIAaQBk-\n12", 1),
        ("=?utf-8?B?YmlkIDEy?= 12", 1),
        ("=E2=80=93 12", 1),
        ("&#26085;&#26412; 12 please", 1),
        ("\ue000\ue001: 12, 13", 2),
        (bytes(range(256)).decode("utf-8", "replace"), 1),
        ("12", 0),
        ("12 \N{THUMBS UP SIGN}", 0),
        ("12\n\nChlo\ufffd", 0),
        ("12\nChlo\ufffd M\ufffdller", 0),
        ("12\n\n\ufffd\ufffd\ufffd", 0),
        ("bid \ufffd12", 0),
        ("\ufffd bid 12", 0),
        ("P1 \ufffd 2 to P3", 0),
        ("\ufeff12", 0),
        ("1 + 2 - 3", 0),
        ("+49 171 12345", 0),
        ("12 +anna-", 0),
        ("\t12\r\n", 0),
    ],
)
def test_a_number_alone_beside_unreadable_signs_is_found(text: str, numbers: int) -> None:
    assert len(found(text)) == numbers


@pytest.mark.parametrize("text", ["\ufffd\ufffd 12", "+AGIAaQBk- 12", "12 \x01\x02 please"])
def test_no_reader_of_the_game_takes_it_for_an_order(text: str) -> None:
    for heard in spoken(PLAYED).heard:
        assert not any(item.orders for item in heard.read(text).items)
