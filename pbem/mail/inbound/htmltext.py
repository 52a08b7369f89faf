"""HTML mails as text: what is not shown, marked as quoted or as a signature goes first, the layout
of the rest is kept by inscriptis.
"""

import re
from collections.abc import Collection, Iterator
from itertools import islice

import inscriptis
from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from bs4.exceptions import ParserRejectedMarkup
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig

from pbem.mail.inbound.announced import announces_us
from pbem.mail.inbound.htmlmarker import (
    announce,
    cut_at_marker,
    find_marker,
    follows,
    mark_quotes,
    open_above,
)
from pbem.mail.inbound.markup import tidy
from pbem.mail.inbound.quotes import MAX_LINE_CHARS, first_address, parse_lines
from pbem.mail.inbound.tables import flatten_large_tables
from pbem.mail.inbound.visibility import drop_unseen, hide

_QUOTE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:quote|quoted|quoting|quotedtext)(?![a-z])|moz-cite-prefix|gmail_attr|OutlookMessageHeader|bloop_original_html|reply-intro|"
    r"history_container|replyforwardcontainer|(?:^|\s)cite(?![a-z])|replied-message",
    re.IGNORECASE,
)
_SIGNATURE_NAMES = re.compile(
    r"(?:^|\s)(?:x_)?(?:gmail_signature|moz-signature|protonmail_signature_block|tutanota_signature|signature|ms-outlook-mobile-signature|"
    r"AppleMailSignature|bloop_sign|k9mail-signature|mail-signature|spark_signature|email_signature)(?![a-z])",
    re.IGNORECASE,
)
_CUT_FROM_HERE = {
    "divrplyfwdmsg",
    "appendonsend",
    "olk_src_body_section",
    "stopspelling",
    "mail-editor-reference-message-container",
    "isforwardcontent",
    "isreplycontent",
}
_ANNOUNCING = re.compile(
    r"gmail_attr|moz-cite-prefix|OutlookMessageHeader|reply-intro", re.IGNORECASE
)
_STRINGS_ANNOUNCED = 40
_INDENTED = re.compile(r"webkit-indent-blockquote|border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
_BARRED = re.compile(r"border-left[a-z-]*\s*:\s*(?!none|0)", re.IGNORECASE)
_SILENT = frozenset(
    {"script", "style", "head", "title", "template", "noscript", "svg", "object", "iframe"}
)
_PLACEHOLDER = "> > ..."
_CUT = "\u241c cut below \u241c"
_QUOTED_CLASS = "pbem-quote"


def new_html_to_text(html: str, own_addresses: Collection[str] = ()) -> str:
    """The visible words of an HTML text, laid out, without what is marked as quoted; never raises.

    Every quote becomes one line `> > ...`, so that its attribution is recognised.
    """
    soup = _soup(html)
    drop_unseen(soup)
    _cut_signatures(soup)
    _cut_below_markers(soup)
    _announce_others(soup, own_addresses)
    _cut_quotes(soup)
    flatten_large_tables(soup)
    return mark_quotes(_laid_out(soup).partition(_CUT)[0])


def _soup(html: str) -> BeautifulSoup:
    try:
        soup = BeautifulSoup(tidy(html), "lxml")
    except (ParserRejectedMarkup, ValueError, AssertionError, RecursionError):
        return BeautifulSoup("", "lxml")
    for tag in _tags(soup):
        if tag.name in _SILENT:
            hide(tag)
    return soup


def _cut_signatures(soup: BeautifulSoup) -> None:
    for tag in _tags(soup):
        if _SIGNATURE_NAMES.search(_names(tag)):
            hide(tag)


def _cut_below_markers(soup: BeautifulSoup) -> None:
    """Outlook puts an empty element with a known id where the older mail begins; what is laid out
    after it is cut. In a letter of ours that begins at its marker, and what is above is announced.
    """
    for tag in _tags(soup):
        names = _names(tag).lower().split()
        if not any(name.removeprefix("x_") in _CUT_FROM_HERE for name in names):
            continue
        marker = find_marker(soup)
        if marker is not None and not _block_quotes_around(marker) and follows(marker, tag):
            announce(soup, tag)
            cut_at_marker(soup, marker, _CUT)
        else:
            tag.clear(decompose=True)
            tag.attrs.clear()
            tag.name = "pre"
            tag.string = _CUT
        return


def _announce_others(soup: BeautifulSoup, own_addresses: Collection[str]) -> None:
    """What a program says above a quote is taken out with it. Where it names somebody else as the
    sender, that is said in plain words before: what they wrote may stand above a letter of ours.
    """
    for tag in _tags(soup) if own_addresses else ():
        if _is_named_quote(tag) and _ANNOUNCING.search(_names(tag)):
            words = " ".join(" ".join(islice(tag.strings, _STRINGS_ANNOUNCED)).split())
            named = first_address(words)
            if (
                named not in own_addresses
                if named is not None
                else not announces_us(parse_lines(words), own_addresses)
            ):
                announce(soup, tag, named or words[:MAX_LINE_CHARS])


def _cut_quotes(soup: BeautifulSoup) -> None:
    """Innermost knowledge first: a block quote is a quote; a container named like one keeps the
    answers between its block quotes.
    """
    holding = _open_letter(soup)
    for tag in _tags(soup):
        if tag.name == "blockquote" and not _is_indentation(tag):
            _mark_quoted(tag)
            for parent in tag.parents:
                if id(parent) in holding:
                    break
                holding.add(id(parent))
    for tag in _tags(soup):
        if tag.get("class") == _QUOTED_CLASS or not _is_named_quote(tag):
            continue
        if _ANNOUNCING.search(_names(tag)):
            hide(tag)
        elif id(tag) not in holding:
            _mark_quoted(tag)


def _open_letter(soup: BeautifulSoup) -> set[int]:
    """Leave what stands above our marker within the quote that holds it, set off as quoted; the ids
    of the elements around the marker. What is quoted in a quote stays so.
    """
    marker = find_marker(soup)
    around = list(marker.parents) if marker is not None else []
    quotes = _block_quotes_around(marker) if marker is not None else []
    named = [tag for tag in around if _is_named_quote(tag)]
    if marker is None or len(quotes) > 1 or not (quotes or named):
        return set()
    quote = quotes[0] if quotes else named[-1]
    open_above(soup, quote, marker)
    return {id(tag) for tag in around}


def _block_quotes_around(marker: NavigableString) -> list[Tag]:
    return [tag for tag in marker.parents if tag.name == "blockquote" and not _is_indentation(tag)]


def _is_named_quote(tag: Tag) -> bool:
    return tag.name not in {"html", "body", "blockquote"} and bool(_QUOTE_NAMES.search(_names(tag)))


def _mark_quoted(tag: Tag) -> None:
    """In place, so that a thousand quotes cost a thousand times one."""
    tag.clear(decompose=True)
    tag.attrs.clear()
    tag.name = "pre"
    tag["class"] = _QUOTED_CLASS
    tag.string = _PLACEHOLDER


def _is_indentation(tag: Tag) -> bool:
    """Some programs indent a person's own paragraph with a block quote without a bar."""
    if str(tag.get("type", "")).lower() == "cite" or _QUOTE_NAMES.search(_names(tag)):
        return False
    style = f"{tag.get('class')} {tag.get('style')}"
    return bool(_INDENTED.search(style)) and not _BARRED.search(style)


def _tags(soup: BeautifulSoup) -> Iterator[Tag]:
    """Every element in the order of the text; what the caller takes out of one is not visited any
    more.
    """
    waiting = [child for child in reversed(soup.contents) if isinstance(child, Tag)]
    while waiting:
        tag = waiting.pop()
        yield tag
        waiting.extend(child for child in reversed(tag.contents) if isinstance(child, Tag))


def _names(tag: Tag) -> str:
    """Everything by which programs name their parts: class, id, name and data attributes."""
    words: list[str] = []
    for attribute in ("class", "id", "name", "data-marker", "data-type", "type"):
        value = tag.get(attribute)
        if value:
            words.extend([value] if isinstance(value, str) else value)
    return " ".join(words)[:500]


def _laid_out(soup: BeautifulSoup) -> str:
    config = ParserConfig(css=CSS_PROFILES["strict"], display_links=False, display_images=False)
    if soup.body is None:
        return soup.get_text("\n")
    try:
        return str(inscriptis.get_text(str(soup), config))
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError, AssertionError):
        return soup.get_text("\n")
