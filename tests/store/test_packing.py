"""Packing gives back every byte, and says so when it cannot."""

import hashlib
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.store.packing import packed, unpacked

LETTER = b'{"html":"<table role=\\"presentation\\" width=\\"100%\\" cellpadding=\\"0\\">"}' * 9


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
@example(b"")
@example(b"{}")
@example(b"\0")
@example(b"\0\1")
@example(LETTER)
@example(packed(LETTER))
@example(b"\0" + bytes(range(256)) * 2000)
def test_every_byte_comes_back(content: bytes) -> None:
    stored = packed(content)
    assert unpacked(stored) == content
    assert len(stored) <= len(content) + 2


def test_a_letter_gets_much_shorter() -> None:
    assert len(packed(LETTER)) < len(LETTER) / 10


def test_what_was_stored_before_there_was_packing_is_as_it_was() -> None:
    assert unpacked(LETTER) == LETTER


def test_what_is_very_long_is_left_as_it_is() -> None:
    long = b"a" * 300_000
    assert packed(long) == long


PACKED = packed(LETTER)


@pytest.mark.parametrize(
    "spoilt",
    [b"\0\1", PACKED[:5], PACKED[:-4], PACKED[:-1] + b"!", PACKED[:4] + b"!" + PACKED[5:]],
)
def test_what_was_damaged_is_told(spoilt: bytes) -> None:
    with pytest.raises(ValueError, match=r"damaged|cut off"):
        unpacked(spoilt)


def test_what_a_newer_program_packed_is_told() -> None:
    with pytest.raises(ValueError, match="does not know"):
        unpacked(b"\0\x07anything")


def test_the_words_never_change() -> None:
    """What lies in any database was packed with these."""
    words = (files("pbem.store") / "packing.words").read_bytes()
    assert hashlib.sha256(words).hexdigest() == (
        "fcf08019aeed6c29d4876eb33a2bb2426f92fb75600d4133755bfb0b3a739773"
    )
