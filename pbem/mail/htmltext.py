"""HTML mails as text: what the mail program marks as quoted or as a signature goes first, the layout of the rest is kept by inscriptis."""

import re
from collections.abc import Iterator

import inscriptis
from bs4 import BeautifulSoup, Tag
from bs4.exceptions import ParserRejectedMarkup
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig
from lxml.etree import LxmlError

MAX_HTML_DEPTH = 200
_QUOTE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:(?:gmail|yahoo|protonmail|tutanota|zmail|mail|email|mailru|spark|android|reply|front|tmail|hey|x)?_?-?(?:quote|quoted|quoting)|"
    r"gmail_extra|gmail_attr|moz-cite-prefix|OutlookMessageHeader|bloop_original_html|mail_android_quote|reply-intro|"
    r"history_container|replyforwardcontainer|quotedText|cite|k9mail|replied-message)(?![a-z])",
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
_ANNOUNCING = re.compile(r"gmail_attr|moz-cite-prefix|OutlookMessageHeader|reply-intro", re.IGNORECASE)
_INDENTED = re.compile(r"webkit-indent-blockquote|border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
_OPEN_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]*)[^<>]*?(/?)>")
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p", "li", "td", "tr", "th", "dd", "dt", "option"])
_PLACEHOLDER = "> ..."


def html_to_text(html: str) -> str:
    """The visible words of an HTML text, laid out; never raises. Quotes are still in it."""
    return _laid_out(_soup(html))


def new_html_to_text(html: str) -> str:
    """The same without what is marked as quoted: every quote becomes one line `> ...`, so that its attribution is recognised."""
    soup = _soup(html)
    _cut_signatures(soup)
    _cut_below_markers(soup)
    _cut_quotes(soup)
    return _laid_out(soup)


def _soup(html: str) -> BeautifulSoup:
    try:
        soup = BeautifulSoup(_flat_enough(html), "lxml")
    except (ParserRejectedMarkup, ValueError, AssertionError, RecursionError):
        return BeautifulSoup("", "lxml")
    for tag in soup(["script", "style", "head", "title", "template", "noscript", "svg", "object", "iframe"]):
        tag.decompose()
    return soup


def _flat_enough(html: str) -> str:
    """Nested deeper than any person nests, tags are left out: the layout below recurses with the depth."""
    depth = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        closing, name, alone = match.groups()
        if alone or name.lower() in _VOID:
            return match.group()
        if closing:
            depth = max(0, depth - 1)
            return match.group() if depth < MAX_HTML_DEPTH else " "
        depth += 1
        return match.group() if depth <= MAX_HTML_DEPTH else " "

    return _OPEN_TAG.sub(keep, html)


def _cut_signatures(soup: BeautifulSoup) -> None:
    for tag in list(_tags(soup)):
        if not tag.decomposed and _SIGNATURE_NAMES.search(_names(tag)):
            tag.decompose()


def _cut_below_markers(soup: BeautifulSoup) -> None:
    """Outlook puts an empty element with a known id where the older mail begins; it and all after it in the document goes."""
    for tag in _tags(soup):
        names = _names(tag).lower().split()
        if any(name.removeprefix("x_") in _CUT_FROM_HERE for name in names):
            for later in list(tag.find_all_next()):
                if isinstance(later, Tag) and not later.decomposed:
                    later.decompose()
            for text in list(tag.find_all_next(string=True)):
                text.extract()
            tag.decompose()
            return


def _cut_quotes(soup: BeautifulSoup) -> None:
    """Innermost knowledge first: a block quote is a quote; a container named like one keeps the answers between its block quotes."""
    containers: list[Tag] = []
    for tag in list(_tags(soup)):
        if tag.decomposed:
            continue
        if tag.name == "blockquote" and not _is_indentation(tag):
            _replace(soup, tag)
        elif _QUOTE_NAMES.search(_names(tag)) and tag.name not in {"html", "body"}:
            containers.append(tag)
    for tag in containers:
        if tag.decomposed:
            continue
        if _ANNOUNCING.search(_names(tag)):
            tag.decompose()
        elif not tag.find("pre", class_="pbem-quote"):
            _replace(soup, tag)


def _replace(soup: BeautifulSoup, tag: Tag) -> None:
    mark = soup.new_tag("pre")
    mark["class"] = "pbem-quote"
    mark.string = _PLACEHOLDER
    tag.insert_before(mark)
    tag.decompose()


def _is_indentation(tag: Tag) -> bool:
    """Some programs indent a person's own paragraph with a block quote without a bar."""
    if str(tag.get("type", "")).lower() == "cite" or _QUOTE_NAMES.search(_names(tag)):
        return False
    return bool(_INDENTED.search(f"{tag.get('class')} {tag.get('style')}"))


def _tags(soup: BeautifulSoup) -> Iterator[Tag]:
    for tag in soup.find_all(True):
        if isinstance(tag, Tag):
            yield tag


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
    try:
        return inscriptis.get_text(str(soup), config)
    except (LxmlError, ValueError, LookupError, AttributeError, TypeError, RecursionError, AssertionError):
        return soup.get_text("\n")
