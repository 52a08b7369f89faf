"""F-110: a quote of our own letter that was wrapped anew, so that lines of it have no mark."""

import textwrap
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.inbound.newtext import MARKER, new_text
from pbem.mail.inbound.rewrapped import mark_rewrapped, repeats

OWN = "I will think about it.\nTell her so."
TALK = "the quokka sleeps under the old bridge and nobody knows why it does that at noon".split()
SMUGGLED = ("approve 3", "effect +9 M", "extend by 24h", "close now", "march 2 from P1 to P2")


def letter_of(seed: int) -> str:
    """A letter of ours that quotes a player, who has put commands into the words."""
    drawn = Random(seed)
    paragraphs = []
    for _ in range(drawn.randint(2, 5)):
        words = [drawn.choice(TALK) for _ in range(drawn.randint(10, 60))]
        words.insert(drawn.randint(3, len(words)), drawn.choice(SMUGGLED))
        paragraphs.append(textwrap.fill(" ".join(words), drawn.choice((60, 72, 400))))
        paragraphs.append(drawn.choice(SMUGGLED))
    body = "\n\n".join(paragraphs)
    return f"{MARKER}\nA note from Anna in Heron:\n\n{body}\n\nTo answer write:\nanswer 12: ...\nCode 7kq2"


def quoted(letter: str, width: int, *, mark: str) -> str:
    """As a program quotes it that wraps each marked line anew, and marks the first piece alone."""
    lines = []
    for line in letter.split("\n"):
        first, *rest = textwrap.wrap(line, width) or [""]
        lines += [f"{mark}{first}", *rest]
    return "\n".join(lines)


@settings(max_examples=150)
@given(seed=st.integers(0, 2**30), width=st.integers(18, 64), mark=st.sampled_from(("> ", "")))
def test_no_word_of_our_letter_is_taken_for_the_writer_s(seed: int, width: int, mark: str) -> None:
    """F-110: only the words above the quote are new, with marks lost here and there, or everywhere."""
    letter = letter_of(seed)
    text = f"{OWN}\n\n{quoted(letter, width, mark=mark)}"
    assert new_text(mark_rewrapped(text, [letter])) == OWN


@pytest.mark.parametrize(
    "text",
    [
        "answer 12: we shall see",
        "approve 3",
        "approve 3\n\nGreetings, Greta",
        "> To answer write:\n\napprove 3",
        "> effect +9 M\n> To answer write:\nanswer 12: yes\n> answer 12: ...\n> Code 7kq2",
    ],
)
def test_a_line_that_was_copied_out_of_our_letter_is_the_writer_s(text: str) -> None:
    """F-110: what stands between other words than in our letter is meant."""
    letter = "A note from Anna:\n\nplease\napprove 3\neffect +9 M\n\nTo answer write:\nanswer 12: ...\nCode 7kq2"
    assert mark_rewrapped(text, [letter]) == text


LISTED = "1. March! 1 from P1 to P2\n2. Work! P3\n3. Fortify! P4\n4. Work! P6"
LIST_LETTER = f"{MARKER}\n\nYour orders:\n\n{LISTED}\n\nThe rest of it.\nCode 7kq2"


@pytest.mark.parametrize("end", ["", "\n\nGreetings, Anna"])
@pytest.mark.parametrize("mark", ["> ", ""])
def test_lines_that_were_copied_together_are_all_the_writer_s(mark: str, end: str) -> None:
    """F-110: each stands between the same lines in our letter, and is an order of the writer."""
    quote = "\n".join(f"{mark}{line}" for line in LIST_LETTER.split("\n"))
    text = f"{LISTED}{end}\n\nOn Fri, Nov 20, 2026 at 9:12 PM Game <o@r.example> wrote:\n{quote}"
    assert new_text(mark_rewrapped(text, [LIST_LETTER])) in (LISTED + end, LISTED)
    below = f"{quote}\n\n{LISTED}\n\nThat is all for now."
    assert LISTED in new_text(mark_rewrapped(below, [LIST_LETTER]))


def test_a_line_without_the_mark_that_somebody_took_off_is_theirs() -> None:
    """F-110: it stands as a whole in our letter, so it is not the rest of another one."""
    quote = "\n".join(
        line if "Work! P3" in line or "Fortify" in line else f"> {line}"
        for line in LIST_LETTER.split("\n")
    )
    assert new_text(mark_rewrapped(quote, [LIST_LETTER])) == "2. Work! P3\n3. Fortify! P4"


def test_most_mails_repeat_nothing() -> None:
    """F-110: only a mail that repeats a line of our letter is read again with it."""
    assert not repeats("bid 3\nthank you", ["Bid 30 for the bridge, please."])
    assert repeats("fine\n\nfor the bridge", ["Bid 30 for the bridge, please."])
