"""Words for Telegram: escaping, measuring, splitting, links."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.demo.telegram.markup import parse_html, units
from pbem.telegram.text import (
    TEXT_LIMIT,
    deep_link,
    escape,
    is_sound,
    length_of,
    plain_of,
    split_html,
    utf16_length,
)
from tests.rows import each_row

TAGS = [
    *("b", "i", "u", "s", "code", "pre", "tg-spoiler", "blockquote", "strong", "em", "ins"),
    *("strike", "del"),
]
OPENINGS = {
    "a": '<a href="https://realm.example/?a=1&amp;b=2">',
    "span": '<span class="tg-spoiler">',
    "code": '<code class="language-python">',
    "blockquote": "<blockquote expandable>",
    "tg-emoji": '<tg-emoji emoji-id="5368324170671202286">',
}
words = st.text(st.sampled_from("ab <>&\"'\n\n  é✠🜲x;#"), max_size=30)


@st.composite
def sound_html(draw: st.DrawFn, depth: int = 3) -> str:
    services = []
    for _ in range(draw(st.integers(0, 4))):
        if depth and draw(st.booleans()):
            name = draw(st.sampled_from([*TAGS, *OPENINGS]))
            opening = (
                OPENINGS.get(name, f"<{name}>")
                if draw(st.booleans()) or name not in TAGS
                else f"<{name}>"
            )
            services.append(f"{opening}{draw(sound_html(depth=depth - 1))}</{name}>")
        else:
            services.append(escape(draw(words)))
    return "".join(services)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@given(sound_html(), st.integers(2, 40))
def test_pieces_are_short_enough_sound_and_together_say_the_same(html: str, limit: int) -> None:
    pieces = split_html(html, limit)
    assert all(0 < length_of(piece) <= limit for piece in pieces)
    for piece in pieces:
        parse_html(piece)
        assert is_sound(piece)
        assert plain_of(piece).strip()
    rest = plain_of(html)
    for piece in map(plain_of, pieces):
        gap, found, rest = rest.partition(piece)
        assert found
        assert not gap.strip()
    assert not rest.strip()


@given(sound_html(), st.integers(2, 40))
def test_nothing_of_the_looks_is_lost_by_splitting(html: str, limit: int) -> None:
    """Every character wears the same tags before and after."""

    def worn(pieces: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
        found: list[tuple[str, frozenset[str]]] = []
        for piece in pieces:
            stack: list[str] = []
            for tag, character in re.findall(r"(<[^>]*>)|(&[^;]+;|.)", piece, re.DOTALL):
                if tag.startswith("</"):
                    stack.pop()
                elif tag:
                    stack.append(tag)
                elif not character.isspace():
                    found.append((plain_of(character), frozenset(stack)))
        return found

    assert worn(split_html(html, limit)) == worn((html,))


@given(st.text(max_size=200), st.integers(2, 50))
def test_whatever_comes_in_sound_html_comes_out(source: str, limit: int) -> None:
    for piece in split_html(source, limit):
        assert is_sound(piece)
        parse_html(piece)
        assert length_of(piece) <= limit
    assert squeezed("".join(map(plain_of, split_html(source, limit)))) == squeezed(plain_of(source))


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t")))
def test_escaped_text_is_read_as_it_was_written(text: str) -> None:
    assert plain_of(escape(text)) == text
    assert is_sound(escape(text))
    assert parse_html(f"x{escape(text)}x").text == f"x{text}x"
    assert parse_html(f'<a href="{escape(text)}">x</a>').text == "x"


@given(st.text())
def test_lengths_are_telegrams(text: str) -> None:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert utf16_length(whole) == units(whole)


def test_half_characters_and_controls_go_before_they_break_the_sending() -> None:
    assert escape("a\ud83db\x00c\x07d\ne") == "a\N{REPLACEMENT CHARACTER}bcd\ne"
    assert plain_of("a\ud83d&#0;&#xd800;").encode()


def test_long_text_is_cut_at_paragraphs_lines_words_and_only_then_anywhere() -> None:
    assert split_html("one\n\ntwo two\nthree", 13) == ("one\n\ntwo two\n", "three")
    assert split_html("one one\n\ntwo\nthree", 13) == ("one one\n\n", "two\nthree")
    assert split_html("one two three", 8) == ("one two ", "three")
    assert split_html("onetwothree", 4) == ("onet", "woth", "ree")
    assert split_html("🜲🜲🜲", 5) == ("🜲🜲", "🜲")


def test_open_tags_are_closed_and_opened_again_and_none_is_left_empty() -> None:
    assert split_html("<b>one\n<i>two\n</i></b>three", 4) == (
        *("<b>one\n</b>", "<b><i>two\n</i></b>", "thre", "e"),
    )
    assert split_html('<pre>a\nb</pre>\n<a href="https://x.example">cd</a>', 2) == (
        "<pre>a\n</pre>",
        "<pre>b</pre>\n",
        '<a href="https://x.example">cd</a>',
    )


def test_what_fits_stays_whole_and_nothing_gives_no_piece() -> None:
    turn = "<b>Heron, turn 6</b>\nby <code>Mon</code> &amp; no later"
    assert split_html(turn) == (turn,)
    assert split_html("") == ()
    assert split_html("\n \n") == ()
    with pytest.raises(ValueError):
        split_html("x", 1)


def test_blank_pieces_are_left_out() -> None:
    assert split_html("ab" + "\n" * 9 + "cd", 3) == ("ab\n", "cd")


def test_a_long_bulletin_is_cut_between_its_lines_into_full_pieces() -> None:
    bulletin = "\n".join(f"<b>P{n} · Anna {n} : 3 Emil</b> against &lt;{n}&gt;" for n in range(400))
    pieces = split_html(bulletin)
    assert "".join(map(plain_of, pieces)) == plain_of(bulletin)
    assert all(length_of(piece) > TEXT_LIMIT // 2 for piece in pieces[:-1])
    assert all(piece.startswith("<b>P") for piece in pieces)


@each_row(
    ("html", "shown"),
    [
        ("<b>x", "x"),
        ("x</b>", "x"),
        ("<b><i>x</b></i>", "x"),
        ("<script>x</script>", "<script>x</script>"),
        ("a < b", "a < b"),
        ("<b class='x'>y</b>", "<b class='x'>y"),
        ('<a onclick="x">y</a>', '<a onclick="x">y'),
        ("<span>x</span>", "<span>x"),
        ("<b", "<b"),
    ],
)
def test_unsound_html_is_known_for_it_and_still_shown(html: str, shown: str) -> None:
    assert not is_sound(html)
    assert plain_of(html) == shown
    assert all(map(is_sound, split_html(html)))


def test_a_deep_link_carries_a_short_word() -> None:
    assert deep_link("realm_bot", "join-G7_x") == "https://t.me/realm_bot?start=join-G7_x"
    assert deep_link("realm_bot", "x" * 64, to_group=True).endswith("?startgroup=" + "x" * 64)
    for payload in ("", "x" * 65, "a b", "é", "a/b", "a\n", "a=b"):
        with pytest.raises(ValueError):
            deep_link("realm_bot", payload)
    for username in ("", "bot?x", "a b", "b/c", "1bot"):
        with pytest.raises(ValueError):
            deep_link(username, "x")
