"""F-94: the parts of a text that a chat program has cut, as the programs cut."""

import json
from collections.abc import Callable
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.telegram.parts import goes_on, join_parts, may_be_cut, read_whole
from pbem.telegram.text import utf16_length
from pbem.telegram.updates import Said, read_update

LIMIT = 4096
WORDS = (
    *("march", "2", "to", "P14.", "I", "would", "like", "ähnlich", "\U0001f409", "north,"),
    "x" * 40,
)


def said(text: str, message_id: int = 11, *, after: int = 0, **more: object) -> bytes:
    content = {
        "message_id": message_id,
        "date": 1_795_880_000 + after,
        "chat": {"id": 5000, "type": "private"},
        "from": {"id": 5000, "is_bot": False, "first_name": "Anna"},
        "text": text,
    }
    return json.dumps({"update_id": message_id, "message": content | more}).encode()


def read(raw: bytes) -> Said:
    update = read_update(raw)
    assert isinstance(update, Said)
    return update


def anywhere(text: str) -> int:
    """In the middle of a word, at the last UTF-16 unit that a whole character leaves room for."""
    end = min(len(text), LIMIT)
    while utf16_length(text[:end]) > LIMIT:
        end -= 1
    return end


def before(marks: str, begin: int) -> Callable[[str], int]:
    """At the last of these marks behind `begin`, else anywhere."""

    def cut(text: str) -> int:
        end = anywhere(text)
        found = max(text.rfind(mark, begin, end) for mark in marks)
        return found if found > 0 else end

    return cut


def behind_the_half(text: str) -> int:
    """At the last paragraph of the second half, else its last line, else its last space."""
    end = anywhere(text)
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, LIMIT // 2 + 1, end)
        if found > 0:
            return found
    return end


PROGRAMS = (anywhere, before(" \n", LIMIT - 300), before("\n", 1000), behind_the_half)


def cut(text: str, program: Callable[[str], int]) -> list[str]:
    """The messages that a program makes of a text."""
    parts = []
    while utf16_length(text) > LIMIT:
        end = program(text)
        parts.append(text[:end].strip())
        text = text[end:].strip()
    return [*parts, text]


def text_of(seed: int) -> str:
    """Lines and paragraphs, some of them long."""
    drawn = Random(seed)
    lines = [" ".join(drawn.choices(WORDS, k=drawn.choice((3, 30, 150)))) for _ in range(60)]
    return "".join(line + drawn.choice(("\n", "\n", "\n\n")) for line in lines).strip()


@settings(max_examples=40)
@given(text=st.builds(text_of, st.integers(0, 2**20)), program=st.sampled_from(PROGRAMS))
def test_what_a_program_has_cut_is_put_together(text: str, program: Callable[[str], int]) -> None:
    """F-94: every part goes on with the next, and no word is lost or cut."""
    parts = [read(said(part, 11 + at)) for at, part in enumerate(cut(text, program))]
    for part, following in pairwise(parts):
        assert goes_on(part, following)
    whole = join_parts(parts)
    assert "".join(whole.text.split()) == "".join(text.split())
    if program is not anywhere:
        assert whole.text.split() == text.split()
    assert whole.message_id == 11


def test_a_paragraph_stays_one_where_the_program_cuts_at_paragraphs() -> None:
    """F-94: what ends a piece of press is there again: a blank line, or the end of a line."""
    talk = "\n".join(["so it is and so it will be"] * 100)
    text = f"{talk}\n\nbid 3\n{'talk ' * 400}"
    assert cut(text, behind_the_half)[1].startswith("bid 3")
    assert (
        join_parts([read(said(part)) for part in cut(text, behind_the_half)]).text == text.strip()
    )
    lines = "\n".join(["so it is and so it will be"] * 300)
    parts = cut(lines, behind_the_half)
    assert join_parts([read(said(part)) for part in parts]).text == lines


def test_a_word_that_was_cut_is_one_word() -> None:
    """F-94: 4,096 characters, cut in the middle of a word."""
    first = f"press to Ben: {'so it is. ' * 407}I wou".ljust(LIMIT - 5, ".")[: LIMIT - 5] + "I wou"
    whole = read_whole(said(first, 11), [said(first, 11), said("ld like to talk.", 12)])
    assert isinstance(whole, Said)
    assert whole.text.endswith("I would like to talk.")


FULL = "long " * 819 + "e"


def test_what_is_no_next_part_stays_apart() -> None:
    """F-94: captions, forwarded messages, commands, answers to something else, later messages,
    and short texts stand alone.
    """
    part = read(said(FULL))
    assert goes_on(part, read(said("and more", 12)))
    others = [
        said("and more", 12, after=11),
        said("/status", 12),
        said("and more", 10),
        said("and more", 12, forward_origin={"type": "user"}),
        said("and more", 12, photo=[{}]),
        said("and more", 12, reply_to_message={"message_id": 3}),
        said("and more", 12, chat={"id": -5, "type": "group"}),
    ]
    assert not [raw for raw in others if goes_on(part, read(raw))]
    assert not may_be_cut(read(said("x" * (LIMIT // 2))))
    assert not goes_on(read(said("x " * 1500)), read(said("and pass", 12)))
    assert not may_be_cut(read(said(FULL, photo=[{}])))
    assert not may_be_cut(read(said(FULL, chat={"id": -5, "type": "group"})))
