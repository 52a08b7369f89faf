"""The time of reading grows as its input does: CPU time at one length and at four times it, never seconds."""

import time
from collections.abc import Callable

import pytest

from tests.mail.reading.raw import read

TIMES = 4
AT_MOST = 2.5 * TIMES  # what is quadratic takes TIMES squared
NOISE_SECONDS = 0.004


def growth(make: Callable[[int], str], content_type: str, length: int = 10_000) -> float:
    """How many times longer four times the body takes; the shortest of three runs each."""

    def cost(length: int) -> float:
        body = make(length)
        spent = []
        for _ in range(3):
            before = time.process_time()
            read(f"Content-Type: {content_type}; charset=utf-8", body=body)
            spent.append(time.process_time() - before)
        return max(min(spent), NOISE_SECONDS)

    once = cost(length)
    return cost(TIMES * length) / once


HTML: dict[str, Callable[[int], str]] = {
    "a tag never closed": lambda length: "<" + "a" * length,
    "tags never closed": lambda length: "<a " * (length // 3),
    "references": lambda length: "&a" * (length // 2),
}


@pytest.mark.parametrize("shape", HTML)
def test_f51_html_of_a_stranger_takes_time_by_its_length(shape: str) -> None:
    assert growth(HTML[shape], "text/html") <= AT_MOST


@pytest.mark.parametrize("number", ["1" * 5000, "x" + "f" * 5000])
def test_f51_a_character_reference_of_any_length_is_read(number: str) -> None:
    assert read("Content-Type: text/html", body=f"<p>P1: fortify</p><p>&#{number};</p>").text.startswith("P1: fortify")
