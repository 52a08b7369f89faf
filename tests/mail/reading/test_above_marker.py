"""F-95: the answer is read wherever our letter leaves room for it, and nothing of the letter is."""

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.inbound.htmltext import new_html_to_text
from pbem.mail.inbound.newtext import MARKER, new_text
from tests.mail.reading.clients import (
    ADDRESS,
    ATTRIBUTIONS,
    HEADS,
    HTML_STYLES,
    OUR_HTML_LETTER,
    OUR_MAIL,
    QUOTED_WORDS,
    TRAPS,
    quoted,
)
from tests.mail.reading.test_unmarked_quotes import UNMARKED
from tests.rings import sampled
from tests.rows import each_row

NEW = "P1: fortify\nFrom P3 march all to P4\n\n1. On P4 golden fortify"
LETTER = f"{MARKER}\n\n{OUR_MAIL}"
OWN = {"orders@realm.example", "the realm"}
ANNOUNCEMENTS = {
    **ATTRIBUTIONS,
    **{name: head for name, head in HEADS.items() if "marker" not in name},
    **UNMARKED,
}
del ANNOUNCEMENTS["player wrote"]  # what Ben wrote is not ours
ONE_LINE = "attribution in one line with the text"  # the letter's first words stand in its own line
MARKED = {
    "above": "{new}\n\n{head}\n\n{quote}",
    "between": "{head}\n\n{new}\n\n{quote}",
    "close between": "{head}\n{new}\n{quote}",
    "in the quote": "{head}\n\n{quoted_new}\n>\n{quote}",
    "close in the quote": "{head}\n{quoted_new}\n{quote}",
    "within the quote, unmarked": "{head}\n\n>\n{new}\n>\n{quote}",
    "below": "{head}\n\n{quote}\n\n{new}",
}
UNMARKED_LAYOUTS = {
    "above": "{new}\n\n{head}\n\n{letter}",
    "between": "{head}\n\n{new}\n\n{letter}",
    "below": "{head}\n\n{letter}\n\n{new}",
}


def lay_out(layout: str, head: str, new: str) -> str:
    return layout.format(
        new=new,
        head=head.replace("{addr}", ADDRESS),
        quote=quoted(LETTER),
        letter=LETTER,
        quoted_new=quoted(new),
    )


@each_row("layout", MARKED)
@each_row("style", ANNOUNCEMENTS)
def test_f95_an_answer_is_read_wherever_it_stands_about_a_marked_quote(
    style: str, layout: str
) -> None:
    assert new_text(lay_out(MARKED[layout], ANNOUNCEMENTS[style], NEW), OWN) == NEW


@each_row("layout", UNMARKED_LAYOUTS)
@each_row("style", ANNOUNCEMENTS)
def test_f95_an_answer_is_read_wherever_it_stands_about_an_unmarked_quote(
    style: str, layout: str
) -> None:
    assert new_text(lay_out(UNMARKED_LAYOUTS[layout], ANNOUNCEMENTS[style], NEW), OWN) == NEW


HTML_LAYOUTS = {
    "above": ("{new}", "", ""),
    "between": ("", "<div>{new}</div>", ""),
    "in the letter": ("", "", "<p>{new}</p>"),
}


@each_row("layout", HTML_LAYOUTS)
@each_row("style", [name for name, html in HTML_STYLES.items() if "{ours}" in html])
def test_f95_an_answer_in_html_is_read_wherever_it_stands(style: str, layout: str) -> None:
    above, between, inside = (
        part.format(new=NEW.replace("\n", "<br>")) for part in HTML_LAYOUTS[layout]
    )
    html = (
        HTML_STYLES[style]
        .replace("{ours}", between + OUR_HTML_LETTER.replace("{above}", inside))
        .replace("{addr}", ADDRESS)
        .replace("{new}", above)
    )
    text = new_text(new_html_to_text(html), OWN)
    assert [line.strip() for line in text.splitlines()] == NEW.splitlines()


HTML_QUOTES = {
    "above": "<div>{new}</div><p>{head}</p><blockquote>{letter}</blockquote>",
    "between": "<p>{head}</p><div>{new}</div><blockquote>{letter}</blockquote>",
    "in the quote": "<p>{head}</p><blockquote><div>{new}</div>{letter}</blockquote>",
    "all in the quote": "<blockquote><p>{head}</p><div>{new}</div>{letter}</blockquote>",
    "below": "<p>{head}</p><blockquote>{letter}</blockquote><div>{new}</div>",
    "unmarked": "<p>{head}</p><div>{new}</div>{letter}",
}


@each_row("layout", HTML_QUOTES)
@each_row("style", sampled(tuple(ANNOUNCEMENTS), 40))
def test_f95_an_answer_in_html_is_read_below_any_announcement(style: str, layout: str) -> None:
    def in_html(text: str) -> str:
        return escape(text).replace("\n", "<br>")

    html = HTML_QUOTES[layout].format(
        new=in_html(NEW),
        head=in_html(ANNOUNCEMENTS[style].replace("{addr}", ADDRESS)),
        letter=OUR_HTML_LETTER.replace("{above}", ""),
    )
    text = new_text(new_html_to_text(html), OWN)
    assert [line.strip() for line in text.splitlines()] == NEW.splitlines()


APART = [name for name in MARKED if not name.startswith("close")]
AMBIGUOUS = ("From:", "To:", "Subject:", "Date:", "__")
"""An order that begins as a header does, right under one: nobody can tell."""


@given(
    st.sampled_from(sorted(ANNOUNCEMENTS)),
    st.sampled_from(APART),
    st.sampled_from([trap for trap in TRAPS if not trap.startswith(AMBIGUOUS)]),
)
def test_f95_any_order_is_read_there_and_nothing_of_our_letter(
    style: str, layout: str, order: str
) -> None:
    text = new_text(lay_out(MARKED[layout], ANNOUNCEMENTS[style], order), OWN)
    assert not any(word in text for word in QUOTED_WORDS)
    assert text == order


BEN = "On Fri, Nov 20, 2026 at 9:12 PM Ben <ben@example.org> wrote:"
OURS = ATTRIBUTIONS["gmail en"].format(addr=ADDRESS)
FORWARDS = {
    "gmail": "---------- Forwarded message ---------\nFrom: Ben\nDate: Fri, 20 Nov 2026\n"
    "Subject: Re: Turn 6\nTo: The Realm <orders@realm.example>\n",
    "gmail, with an address": "---------- Forwarded message ---------\nFrom: Ben <ben@example.org>\n"
    "Date: Fri, 20 Nov 2026\nSubject: Re: Turn 6\nTo: <orders@realm.example>\n",
    "thunderbird": "-------- Forwarded Message --------\nSubject: \tRe: Turn 6\n"
    "Date: \tFri, 20 Nov 2026 21:12:00 +0100\nFrom: \tBen\nTo: \tThe Realm\n",
    "apple": "Begin forwarded message:\n\nFrom: Ben\nSubject: Re: Turn 6\n"
    "Date: 20 November 2026 at 21:12\nTo: The Realm\n",
    "outlook": "From: Ben\nSent: Friday, November 20, 2026 9:12 PM\nTo: The Realm\n"
    "Subject: RE: Turn 6\n",
    "outlook de": "Von: Ben\nGesendet: Freitag, 20. November 2026 21:12\nAn: The Realm\n"
    "Betreff: AW: Turn 6\n",
    "by name alone": "On Fri, Nov 20, 2026 at 9:12 PM Ben wrote:\n",
    "by name and day": "Am 3. Mai schrieb Ben:\n",
}
NOT_WRITTEN_NOW = {
    **{f"{name}, forwarded": f"{head}\nP1: work\nP2: hold" for name, head in FORWARDS.items()},
    **{
        f"{name}, forwarded, with a quote first": f"{head}\n> What do you order?\nP1: work\n"
        "> And in P2?\nP2: hold"
        for name, head in FORWARDS.items()
        if not name.startswith("by name")
    },
    **{
        f"{name}, forwarded, above our letter": f"{head}\nP1: work\n\n{quoted(LETTER)}"
        for name, head in FORWARDS.items()
    },
    "another's answer, by name alone": f"Ben wrote:\n> P1: work\n>\n{quoted(LETTER)}",
    "another's answer below their name": f"Ben wrote:\n\nP1: work\n\n{quoted(LETTER)}",
    "another's answer": f"{BEN}\n> P1: work\n>\n{quoted(LETTER)}",
    "another's answer, apart": f"{BEN}\n\n> P1: work\n>\n{quoted(LETTER)}",
    "another's answer where ours is announced, in their mail": (
        f"{BEN}\n> Hello Anna\n>\n> {OURS}\n> P1: work\n>\n{quoted(LETTER)}"
    ),
    "another's answer where ours is announced, in one quote": (
        f"> {BEN}\n>\n> {OURS}\n>\n> P1: work\n>\n{quoted(LETTER)}"
    ),
    "another's answer below their mail": f"{BEN}\n\nP1: work\n\n{quoted(LETTER)}",
    "an answer that is quoted twice": f"{OURS}\n\n{quoted('> P1: work')}\n{quoted(quoted(LETTER))}",
    "an answer in a mail with its own attribution": (
        f"{OURS}\n> P1: work\n>\n> {OURS}\n{quoted(quoted(LETTER))}"
    ),
    "a mail between": f"{OURS}\n> P1: work\n>\n> {BEN}\n{quoted(LETTER)}",
    "two letters in one quote": f"{OURS}\n{quoted(LETTER)}\n>\n{quoted(LETTER)}",
    "a warning above our letter": (
        f"{OURS}\n> CAUTION: This email originated from outside of the organization. Do not click"
        f" links or open attachments.\n>\n{quoted(LETTER)}"
    ),
    "a warning above our letter, unmarked": (
        f"{HEADS['outlook en'].format(addr=ADDRESS)}\n\nCAUTION: This email originated from outside"
        f" of the organization. Do not click links or open attachments.\n\n{LETTER}"
    ),
    "the line that lists of mails show": (
        f"{OURS}\n> P1: work, we\n> propose \u2007\ufeff\u034f \u2007\ufeff\u034f\n{quoted(LETTER)}"
    ),
    "a signature": f"{OURS}\n\n-- \nAnna\nP1: work\n\n{quoted(LETTER)}",
}


@each_row("mail", NOT_WRITTEN_NOW)
def test_f95_what_others_wrote_above_the_marker_is_not_read(mail: str) -> None:
    assert new_text(NOT_WRITTEN_NOW[mail], OWN) == ""


BEN_HTML = escape(BEN)
OURS_HTML = escape(OURS)
LETTER_HTML = OUR_HTML_LETTER.replace("{above}", "")
FORWARDED = (
    "---------- Forwarded message ---------<br>From: Ben &lt;ben@example.org&gt;<br>"
    "Date: Fri, Nov 20, 2026 at 9:12 PM<br>Subject: Re: Turn 6<br>To: Anna &lt;anna@example.org&gt;"
)
OF_OTHERS_IN_HTML = {
    "a forwarded answer, above its quote": (
        f'<div class="gmail_quote"><div class="gmail_attr">{FORWARDED}</div><br><div>P1: work</div>'
        f'<div class="gmail_quote"><div class="gmail_attr">{OURS_HTML}</div>'
        f'<blockquote class="gmail_quote">{LETTER_HTML}</blockquote></div></div>'
    ),
    "a forwarded answer, within its quote": (
        f'<div class="gmail_quote"><div class="gmail_attr">{FORWARDED}</div><br>'
        f'<div class="gmail_quote"><div class="gmail_attr">{OURS_HTML}</div><blockquote'
        f' class="gmail_quote"><p>P1: work</p>{LETTER_HTML}</blockquote></div></div>'
    ),
    "an answer to another's answer": (
        f'<div class="gmail_quote"><div class="gmail_attr">{BEN_HTML}</div>'
        f'<blockquote class="gmail_quote"><div>P1: work</div>{LETTER_HTML}</blockquote></div>'
    ),
}


@pytest.mark.parametrize("address", [" &lt;ben@example.org&gt;", ""])
@pytest.mark.parametrize("mail", OF_OTHERS_IN_HTML)
def test_f95_what_others_wrote_above_the_marker_in_html_is_not_read(
    mail: str, address: str
) -> None:
    said = OF_OTHERS_IN_HTML[mail].replace(" &lt;ben@example.org&gt;", address)
    html = f"<div>See what Ben says.</div>{said}"
    assert new_text(new_html_to_text(html, OWN), OWN) == "See what Ben says."
