"""The new text of a mail over many clients and languages, and the orders that only look like
something else.
"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.inbound import quotes
from pbem.mail.inbound.htmltext import new_html_to_text
from pbem.mail.inbound.markup import words_of_html
from pbem.mail.inbound.newtext import MARKER, new_text
from tests.mail.reading.clients import (
    ADDRESS,
    ATTRIBUTIONS,
    HEADS,
    HTML_STYLES,
    OUR_HTML,
    OUR_MAIL,
    QUOTED_WORDS,
    TRAPS,
    TRIMMINGS,
    quoted,
)
from tests.rings import sampled
from tests.rows import each_row

NEW = "P1: fortify\nFrom P3 march all to P4\n\n1. On P4 golden fortify"
GMAIL = ATTRIBUTIONS["gmail en wrapped"].format(addr=ADDRESS)
OUTLOOK = HEADS["outlook en"].format(addr=ADDRESS)


def html(style: str, new: str) -> str:
    return (
        HTML_STYLES[style]
        .replace("{addr}", ADDRESS)
        .replace("{new}", new.replace("\n", "<br>"))
        .replace("{ours}", OUR_HTML)
    )


@each_row("style", ATTRIBUTIONS)
@each_row("gap", ["\n\n", "\n"])
def test_an_answer_above_a_marked_quote_is_all_that_is_left(style: str, gap: str) -> None:
    assert new_text(f"{NEW}{gap}{ATTRIBUTIONS[style].format(addr=ADDRESS)}{gap}{quoted()}\n") == NEW


@each_row("style", ATTRIBUTIONS)
def test_an_answer_below_a_marked_quote_is_all_that_is_left(style: str) -> None:
    assert new_text(f"{ATTRIBUTIONS[style].format(addr=ADDRESS)}\n{quoted()}\n\n{NEW}\n") == NEW


@each_row("style", ATTRIBUTIONS)
def test_answers_between_quoted_lines_are_kept(style: str) -> None:
    lines = quoted().split("\n")
    mail = "\n".join(
        [
            ATTRIBUTIONS[style].format(addr=ADDRESS),
            *lines[:5],
            "P1: fortify",
            *lines[5:9],
            "",
            "P2 works",
            "",
            *lines[9:],
        ]
    )
    assert new_text(mail) == "P1: fortify\n\nP2 works"


@each_row("style", HEADS)
@each_row("gap", ["\n\n", "\n"])
def test_an_answer_above_an_unmarked_quote_is_all_that_is_left(style: str, gap: str) -> None:
    assert new_text(f"{NEW}{gap}{HEADS[style].format(addr=ADDRESS)}{gap}{OUR_MAIL}") == NEW


@pytest.mark.sample(24)
@pytest.mark.parametrize("style", TRIMMINGS)
def test_what_programs_and_organisations_add_is_cut(style: str) -> None:
    assert new_text(TRIMMINGS[style].replace("{new}", NEW)) == NEW


@each_row("style", TRIMMINGS)
def test_what_programs_add_is_cut_above_a_quote_too(style: str) -> None:
    assert new_text(f"{TRIMMINGS[style].replace('{new}', NEW)}\n\n{GMAIL}\n\n{quoted()}") == NEW


@each_row("style", HTML_STYLES)
def test_the_new_words_of_an_html_mail_are_read(style: str) -> None:
    assert new_text(new_html_to_text(html(style, NEW))) == NEW


@each_row("style", HTML_STYLES)
def test_the_whole_of_an_html_mail_still_holds_the_quote(style: str) -> None:
    assert "YOUR ORDERS" in words_of_html(html(style, NEW)) or "{ours}" not in HTML_STYLES[style]


def test_answers_between_the_block_quotes_of_an_html_mail_are_kept() -> None:
    mail = (
        '<div class="gmail_quote"><div class="gmail_attr">On Fri, Nov 20, 2026 at 9:12 PM The Realm &lt;a@b.example&gt; wrote:<br></div>'
        '<blockquote class="gmail_quote">P17: work</blockquote><div>P1: fortify</div><blockquote class="gmail_quote">P18: work</blockquote>'
        "<div>P2 works</div></div>"
    )
    assert new_text(new_html_to_text(mail)) == "P1: fortify\n\nP2 works"


def test_lists_and_tables_of_an_html_mail_keep_their_lines() -> None:
    text = new_text(
        new_html_to_text(
            "<ol><li>P1 fortify</li><li>P2 work</li></ol><table><tr><td>P3</td><td>hold</td></tr></table>"
        )
    )
    assert [line.split() for line in text.splitlines() if line.strip()] == [
        ["1.", "P1", "fortify"],
        ["2.", "P2", "work"],
        ["P3", "hold"],
    ]


def test_words_that_an_html_mail_does_not_show_are_not_read() -> None:
    hidden = '<style>P1 {x:y}</style><script>P2</script><div style="display:none">P3: fortify</div><!-- P4: work --><p>P5 holds</p>'
    assert new_text(new_html_to_text(hidden)) == "P5 holds"


HIDDEN_HTML = {
    "s": "<s>P1: work</s>",
    "del": "<del>P1: work</del>",
    "strike": "<strike><b>P1: work</b></strike>",
    "line-through": '<span style="color:red; text-decoration : underline LINE-THROUGH">P1: work</span>',
    "line-through longhand": '<span style="text-decoration-line:line-through">P1: work</span>',
    "display": '<div style="DISPLAY:none!important">P1: work</div>',
    "visibility": '<p style="visibility: hidden">P1: <b>work</b></p>',
    "collapse": '<p style="visibility: collapse">P1: work</p>',
    "font size": '<p style="font-size:0">P1: <span style="font-size:120%">work</span></p>',
    "font size in px": '<p style="font-size:0.0px;line-height:0">P1: work</p>',
    "font shorthand": '<p style="font: bold 0/0 Arial">P1: work</p>',
    "hidden": "<div hidden>P1: work</div>",
    "hidden until found": '<div hidden="until-found">P1: work</div>',
    "max height": '<div style="max-height:0px;overflow:hidden">P1: work</div>',
    "height": '<div style="height:0;overflow:hidden">P1: work</div>',
    "opacity": '<div style="opacity:0.0">P1: work</div>',
    "opacity in percent": '<div style="opacity:0%">P1: work</div>',
    "mso-hide": '<span style="mso-hide:all">P1: work</span>',
    "transparent": '<span style="color:transparent">P1: work</span>',
    "off the page": '<div style="position:absolute; left:-9999px">P1: work</div>',
    "indented off the page": '<div style="text-indent:-9999px">P1: work</div>',
    "clipped": '<div style="position:absolute;clip:rect(0 0 0 0)">P1: work</div>',
    "behind a comment": '<div style="/* x:y; */display:/**/none">P1: work</div>',
    "the last counts": '<div style="display:block;display:none">P1: work</div>',
    "the important counts": '<div style="display:none !important;display:block">P1: work</div>',
    "in a table": '<table><tr style="display:none"><td>P1: work</td></tr></table>',
}


@each_row("way", HIDDEN_HTML)
def test_what_an_html_mail_strikes_out_or_hides_is_not_read(way: str) -> None:
    assert new_text(
        new_html_to_text(f"<div>P2: fortify</div>{HIDDEN_HTML[way]}<p>P3 holds</p>")
    ).split() == ["P2:", "fortify", "P3", "holds"]


SHOWN_HTML = (
    '<p style="text-decoration:underline">{}</p>',
    '<p style="opacity:0.5;max-height:10px;font-size:0.8em">{}</p>',
    '<p style="height:0">{}</p>',
    '<p style="display:none;display:block">{}</p>',
    '<p style="visibility:visible;font-size:10px">{}</p>',
    '<table><tr><td style="font-size:0"><span style="font-size:14px">{}</span></td></tr></table>',
    '<div style="visibility:hidden"><span style="visibility:visible">{}</span></div>',
    '<div style="font:14px Arial;text-indent:-10px;left:-3px">{}</div>',
    '<div data-hidden="yes" title="display:none">{}</div>',
    '<p style="garbage;;:;font-size:;opacity:x">{}</p>',
    "<ins>{}</ins>",
    "<section>{}</section>",
)


@each_row("shown", SHOWN_HTML)
def test_what_an_html_mail_shows_is_read(shown: str) -> None:
    assert new_text(new_html_to_text(shown.format("P1: fortify"))) == "P1: fortify"


CONTEXTS = {
    "alone": "{new}",
    "signed": "{new}\n-- \nAnna",
    "from a phone": "{new}\n\nSent from my iPhone",
    "above marks": f"{{new}}\n\n{GMAIL}\n\n{quoted()}",
    "close above marks": f"{{new}}\n{GMAIL}\n{quoted()}",
    "below marks": f"{GMAIL}\n{quoted()}\n{{new}}",
    "above a header block": f"{{new}}\n\n{OUTLOOK}\n\n{OUR_MAIL}",
    "above a header block without a line": f"{{new}}\n\n{HEADS['outlook en no line'].format(addr=ADDRESS)}\n\n{OUR_MAIL}",
    "above a notice": f"{{new}}\n\n{TRIMMINGS['disclaimer en'].partition(chr(10) * 2)[2]}",
    "above our marker": f"{{new}}\n{MARKER}\n{OUR_MAIL}",
}


@each_row("order", sampled(TRAPS, 30))
@each_row("context", CONTEXTS)
def test_an_order_that_looks_like_something_else_is_never_cut(order: str, context: str) -> None:
    assert new_text(CONTEXTS[context].replace("{new}", order)) == order


@each_row(("first", "second"), list(itertools.pairwise(TRAPS)))
def test_orders_below_one_another_are_never_cut(first: str, second: str) -> None:
    assert new_text(f"{first}\n\n{second}\n\n{GMAIL}\n{quoted()}") == f"{first}\n\n{second}"


@each_row(
    "mark",
    [
        *(
            "> ",
            ">",
            ">> ",
            " > ",
            "  > ",
            "＞ ",
            "\u200b> ",
            "\u00a0> ",
            "| ",
            "│ ",
            "AR> ",
            "*> ",
        ),
        *("* > ", "- > ", "•> ", "1.> ", "2) > ", "* | ", "- │ ", "* >> "),
    ],
)
def test_a_quoted_line_is_never_new_text_whatever_its_mark(mark: str) -> None:
    text = new_text(f"P1: fortify\n\n{quoted(mark=mark)}")
    assert text == "P1: fortify"


def test_one_quoted_line_behind_a_list_mark_is_quoted() -> None:
    assert new_text("P1: fortify\n*> P17: work\n\nP2 works") == "P1: fortify\n\nP2 works"


@pytest.mark.parametrize(
    "head",
    [
        *("From: Post", "Von: The Realm", "*From:* The Realm of Dragons", "De : La Poste"),
        "From: orders@realm.example",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["close", "apart"])
def test_a_sender_alone_below_a_rule_begins_an_older_mail(head: str, gap: str) -> None:
    assert new_text(f"{NEW}{gap}________________________________{gap}{head}\n{OUR_MAIL}") == NEW


def test_a_sender_alone_without_a_rule_is_a_persons_line() -> None:
    assert new_text(f"{NEW}\n\nFrom: Post\nP2 works") == f"{NEW}\n\nFrom: Post\nP2 works"


def test_an_order_below_a_sign_off_is_kept_and_the_sign_off_is_not() -> None:
    assert (
        new_text("P1 fortify\n\nBest regards,\nAnna\nCEO, Work Inc.\n\nPS: P2 march 2 to P3")
        == "P1 fortify\n\nPS: P2 march 2 to P3"
    )
    assert new_text("Best regards,\nAnna\nCEO, Work Inc.\nP1 fortify") == "P1 fortify"


@given(
    st.lists(
        st.sampled_from(
            [
                *("Best regards,", "Anna", "CEO, Work Inc.", "P2 Consulting", "", "Berlin Office"),
                *TRAPS[:16],
            ]
        ),
        max_size=10,
    )
)
def test_no_sign_off_takes_an_order_with_it(lines: list[str]) -> None:
    orders = [
        line
        for line in "\n".join(lines).split("\n")
        if any(word in line.lower() for word in ("fortify", "march", "support"))
    ]
    kept = new_text("\n".join(lines)).split("\n")
    assert [line for line in kept if line in orders] == orders


def test_a_line_separator_does_not_hide_a_quote_mark() -> None:
    assert (
        new_text("P1: fortify\u2028> P17: work\x0b> P18: work\x85P2 works")
        == "P1: fortify\n\nP2 works"
    )


def test_the_rest_of_a_quoted_line_that_the_client_broke_is_quoted_too() -> None:
    mail = "P1: fortify\n> Your own words do as well, for instance that you attack P18 with all of\np17\n> and then some more"
    assert new_text(mail) == "P1: fortify"


def test_our_own_mail_pasted_without_marks_is_not_read_back() -> None:
    pasted = f"{MARKER}\n{OUR_MAIL}"
    assert new_text(pasted) == ""
    assert new_text(f"P1: fortify\n\n{pasted}") == "P1: fortify"
    assert new_text(f"{pasted}\n\nP1: fortify") == "P1: fortify"
    assert (
        new_text(f"P1: fortify\n{pasted}\nP2 works\n{pasted}\nP3 holds")
        == "P1: fortify\n\nP2 works\n\nP3 holds"
    )
    assert new_text(f"{OUTLOOK}\n\n{pasted}\n\nP1: fortify") == "P1: fortify"


def test_a_marker_in_any_language_is_recognised() -> None:
    assert (
        new_text(f"P1: fortify\n\n~~~~ Bitte über dieser Zeile antworten ~~~~\n{OUR_MAIL}")
        == "P1: fortify"
    )


def test_a_mail_that_is_only_a_signature_has_no_new_text() -> None:
    assert new_text("-- \nAnna\nP1: fortify") == ""
    assert new_text("\n\nSent from my iPhone\n") == ""
    assert new_text("") == ""


def test_a_letter_closed_by_hand_stays_as_it_was_written() -> None:
    letter = "Dear GM,\n\nP1: fortify, please.\n\nBest wishes\nAnna"
    assert new_text(letter) == letter


def test_the_words_inside_a_clear_signed_mail_are_read() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nP1: fortify\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    assert new_text(signed) == "P1: fortify"


_PIECES = st.sampled_from(
    [
        *(value.format(addr=ADDRESS) for value in ATTRIBUTIONS.values()),
        *(value.format(addr=ADDRESS) for value in HEADS.values()),
        *(value.replace("{new}", "P1: fortify") for value in TRIMMINGS.values()),
        *TRAPS,
        quoted(),
        OUR_MAIL,
        MARKER,
        "",
        "-- ",
    ]
)


@given(st.lists(_PIECES, max_size=8).map("\n".join) | st.text(max_size=300))
def test_cutting_twice_is_cutting_once(text: str) -> None:
    once = new_text(text)
    assert new_text(once) == once


@given(
    st.sampled_from(sorted(ATTRIBUTIONS)),
    st.sampled_from(sorted(TRIMMINGS)),
    st.sampled_from(TRAPS),
    st.booleans(),
)
def test_no_quoted_order_ever_comes_through(
    attribution: str, trimming: str, order: str, below: bool
) -> None:
    head = ATTRIBUTIONS[attribution].format(addr=ADDRESS)
    own = TRIMMINGS[trimming].replace("{new}", order)
    text = new_text(f"{head}\n{quoted()}\n\n{own}" if below else f"{own}\n\n{head}\n\n{quoted()}")
    assert not any(word in text for word in QUOTED_WORDS)
    assert "Keeper" not in text


@given(
    st.sampled_from(sorted(HTML_STYLES)),
    st.sampled_from([trap for trap in TRAPS if "<" not in trap and ">" not in trap]),
)
def test_no_quoted_order_of_an_html_mail_ever_comes_through(style: str, order: str) -> None:
    text = new_text(new_html_to_text(html(style, order)))
    assert not any(word in text for word in QUOTED_WORDS)
    assert [line.strip() for line in text.splitlines()] == order.splitlines()


@each_row(
    "unit",
    [
        *("P1: fortify\n", "21:12 x:\n", "From: a@b.example\n", "On 20 Nov 2026\n", "> a\nb\n"),
        "-- x\n",
        "_" * 40 + "\n",
        "a@b.example wrote\n",
        "Best regards,\nAnna\n",
        "Best regards,\nAnna\nCEO, Work Inc.\n",
        "Sent: 21:12\n\n",
    ],
)
def test_a_text_twice_as_long_is_looked_at_twice_as_often(unit: str) -> None:
    """Time is linear in the lines: every line is weighed a bounded number of times, whatever stands
    around it.
    """

    def looks(count: int) -> int:
        before = [cache.cache_info() for cache in (quotes._evidence, quotes._labels)]
        new_text(unit * count)
        after = [cache.cache_info() for cache in (quotes._evidence, quotes._labels)]
        return sum(
            late.hits + late.misses - early.hits - early.misses
            for early, late in zip(before, after, strict=True)
        )

    assert looks(800) <= 2 * looks(400) + 400
    assert looks(800) <= 150 * unit.count("\n") * 800
