"""The time of reading grows as its input does: CPU time at one length and at four times it, never
seconds.
"""

import gzip
import random
import time
from collections.abc import Callable

import pytest

from tests.mail.reading.raw import read
from tests.rows import each_row

TIMES = 4
AT_MOST = 2.5 * TIMES  # what is quadratic takes TIMES squared
NOISE_SECONDS = 0.004


def growth(make: Callable[[int], str], content_type: str, length: int = 25_000) -> float:
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
    "one tag of many attributes": lambda length: (
        "<p " + " ".join(f"a{number}=1" for number in range(length // 4)) + ">x</p>"
    ),
    "attributes with brackets": lambda length: (
        "<p " + " ".join(f'a{number}=">"' for number in range(length // 8)) + ">x</p>"
    ),
    "quotes never closed": lambda length: "<p a=\"<p a='" * (length // 12),
    "a wide cell over many rows": lambda length: (
        f"<table><tr><td>{'x' * length}</td></tr>{'<tr><td>y</td></tr>' * (length // 20)}</table>"
    ),
    "a tall cell beside many": lambda length: (
        f"<table><tr><td>{'x<br>' * (length // 10)}</td>{'<td>y</td>' * (length // 20)}</tr></table>"
    ),
}


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended)"
)
@pytest.mark.parametrize("shape", HTML)
def test_f51_html_of_a_stranger_takes_time_by_its_length(shape: str) -> None:
    assert growth(HTML[shape], "text/html") <= AT_MOST


ATTRIBUTION = "On Fri, Nov 20, 2026 at 9:12 PM The Realm <a@b.example> wrote:\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "attributions": lambda length: ATTRIBUTION * (length // len(ATTRIBUTION)),
    "senders": lambda length: "".join(
        f"From: a{number}@b.example\n" for number in range(length // 20)
    ),
    "blank lines": lambda length: "\n" * (length // 6) + "P1: fortify",
    "half attributions": lambda length: "".join(
        f"On 20 Nov 2026 a{number}@b.example\n" for number in range(length // 30)
    ),
    "labels": lambda length: "Sent: 21:12\n\n" * (length // 13),
    "wrapped quotes": lambda length: f"> {'x' * 70}\nP1: fortify\n>\n" * (length // 86),
    "broken links": lambda length: "x\n\n<\nmailto:" * (length // 13),
    "inline attributions": lambda length: (
        "P1: fortify On Wed, Apr 4, 2012 " * (length // 32) + "bob@example.com wrote:"
    ),
    "devices": lambda length: "Sent from my iPhone\n" * (length // 20),
    "umlauts": lambda length: "größe drei\n" * (length // 11),
    "dashes": lambda length: "-" * length,
    "spaces": lambda length: " " * length + "x",
    "brackets": lambda length: ">" * length,
    "codes": lambda length: "Code" + " " * length,
}


@pytest.mark.long(
    held_by="tests/desk/messages/test_reading_apart.py (what takes too long is ended)"
)
@pytest.mark.parametrize("shape", TEXTS)
def test_f19_a_text_takes_time_by_its_length(shape: str) -> None:
    assert growth(TEXTS[shape], "text/plain") <= AT_MOST


@pytest.mark.parametrize(
    "content_type", ["text/plain", "text/plain; charset=utf-8", "text/plain; charset=iso-8859-1"]
)
def test_f54_a_file_that_calls_itself_a_text_is_refused_and_not_read(content_type: str) -> None:
    found = read(
        f"Content-Type: {content_type}", body=gzip.compress(random.Random(1).randbytes(20_000))
    )
    assert (found.refused, found.text) == ("refused-charset", "")


def test_f51_more_tags_than_anybody_writes_are_refused_and_their_code_is_still_found() -> None:
    found = read(
        "Content-Type: text/html", body="<p>x" * 15_000 + " Code o12-345-gx22n5y4mbw3kwt5br3gozowdm"
    )
    assert (found.refused, found.text, found.token_text) == (
        "too-much-text",
        "",
        "o12-345-gx22n5y4mbw3kwt5br3gozowdm",
    )


@each_row(
    ("html", "text"),
    [
        (
            "<!-- P1: work --><p>P2: fortify</p><!--->P3 holds<!-- P4 -- > P5 --!>",
            "P2: fortify\n\nP3 holds",
        ),
        ("<![if !mso]><p>P2: fortify</p><![endif]>", "P2: fortify"),
        ("<p title='a > b' style=\"display:none\">P1: work</p><p>P2: fortify</p>", "P2: fortify"),
        ("<p STYLE=display:none>P1: work</p><P>P2: fortify</P>", "P2: fortify"),
        ("<o:p>P2: fortify</o:p>", "P2: fortify"),
        ("<script>if (a < b) { '<p>P1: work</p>' }</script><p>P2: fortify</p>", "P2: fortify"),
        ("<p>2 < 3 > 1 &lt;b&gt;</p>", "2 < 3 > 1 <b>"),
        ("<textarea><b>P2: fortify</b></textarea>", "<b>P2: fortify</b>"),
        ("<table><tr><td>P2</td><td>fortify</td></tr></table>", "P2  fortify"),
        ("<p>P2: fortify</p><p title='never closed", "P2: fortify"),
    ],
)
def test_f51_a_bent_mail_is_read_as_a_browser_shows_it(html: str, text: str) -> None:
    assert read("Content-Type: text/html", body=html).text == text


@pytest.mark.parametrize("number", ["1" * 5000, "x" + "f" * 5000])
def test_f51_a_character_reference_of_any_length_is_read(number: str) -> None:
    assert read(
        "Content-Type: text/html", body=f"<p>P1: fortify</p><p>&#{number};</p>"
    ).text.startswith("P1: fortify")
