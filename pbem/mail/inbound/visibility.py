"""What of an HTML text a reader does not see, told by its elements and inline styles: struck out,
hidden, shrunk to nothing, off the page.

Style sheets are not looked at: mail programs set what a person does to single words (striking them
out) in the element itself.
"""

import re

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

_STRUCK = frozenset({"s", "del", "strike"})
_COMMENT = re.compile(r"/\*.*?\*/|/\*.*", re.DOTALL)
_LENGTH = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*(%|[a-z]*)")
_FONT_SIZE = re.compile(r"(?<!\S)([\d.]+)(%|[a-z]{1,4})?(?=\s|/|$)")
_RELATIVE = frozenset({"em", "%", "ex", "ch"})
_OFF_PAGE = -500.0
_MAX_STYLE_CHARS = 4000

Declarations = dict[str, str]


def drop_unseen(soup: BeautifulSoup) -> None:
    """Take out every word that is not shown; what an element shows again inside one without
    visibility, font size or colour stays.
    """
    root = soup.body or soup
    waiting: list[tuple[Tag, frozenset[str]]] = [(root, frozenset())]
    while waiting:
        tag, inherited = waiting.pop()
        style = _declarations(str(tag.get("style") or ""))
        if _is_gone(tag, style):
            hide(tag)
            continue
        if "display" in style:  # what was overruled is not to be found by the layout
            tag["style"] = "; ".join(f"{name}: {value}" for name, value in style.items())
        unseen = _inherit(inherited, style)
        for child in list(tag.contents):
            if isinstance(child, Tag):
                waiting.append((child, unseen))
            elif unseen and isinstance(child, NavigableString):
                child.replace_with("")


def _declarations(style: str) -> Declarations:
    """An inline style as property -> value, lower case; of several the last one, or the last
    important one, counts.
    """
    found: Declarations = {}
    important: Declarations = {}
    for part in _COMMENT.sub("", style[:_MAX_STYLE_CHARS]).lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            value, mark, _ = value.partition("!")
            (important if mark else found)[name.strip()] = " ".join(value.split())
    return found | important


def _is_gone(tag: Tag, style: Declarations) -> bool:
    """Hidden with all that is in it, whatever that says of itself."""
    if tag.name in _STRUCK or tag.has_attr("hidden"):
        return True
    get = style.get
    if (
        get("display") == "none"
        or get("mso-hide") == "all"
        or get("content-visibility") == "hidden"
    ):
        return True
    if any("line-through" in get(name, "") for name in ("text-decoration", "text-decoration-line")):
        return True
    if _is_zero(get("opacity")) or _is_zero(get("max-height")) or _is_zero(get("max-width")):
        return True
    if get("overflow", "").startswith(("hidden", "clip")) and (
        _is_zero(get("height")) or _is_zero(get("width"))
    ):
        return True
    if get("position") in {"absolute", "fixed"} and (
        get("clip", "").startswith("rect(0")
        or any(_is_far_off(get(side)) for side in ("left", "top", "right", "bottom"))
    ):
        return True
    return _is_far_off(get("text-indent"))


def _inherit(above: frozenset[str], style: Declarations) -> frozenset[str]:
    """The reasons why text directly in an element is not seen; each may be taken back by the style
    of an element inside.
    """
    reasons = set(above)
    if "visibility" in style:
        _set(
            reasons,
            "visibility",
            style["visibility"] in {"hidden", "collapse"},
            keep=style["visibility"] == "inherit",
        )
    if "color" in style:
        _set(
            reasons,
            "color",
            style["color"] == "transparent",
            keep=style["color"] in {"inherit", "currentcolor"},
        )
    size = style.get("font-size") or _size_of_font(style.get("font", ""))
    if size:
        length = _LENGTH.fullmatch(size)
        relative = length is not None and length.group(2) in _RELATIVE
        _set(
            reasons,
            "font-size",
            _is_zero(size),
            keep=size in {"inherit", "smaller", "larger"} or (relative and not _is_zero(size)),
        )
    return frozenset(reasons)


def _set(reasons: set[str], reason: str, holds: bool, *, keep: bool) -> None:
    if holds:
        reasons.add(reason)
    elif not keep:
        reasons.discard(reason)


def _size_of_font(font: str) -> str:
    """The size in the shorthand `font: bold 12px/1.5 Arial`; empty when there is none."""
    for found in _FONT_SIZE.finditer(font):
        if found.group(2) or not _float(found.group(1)):
            return f"{found.group(1)}{found.group(2) or ''}"
    return ""


def _float(text: str) -> float:
    """The number in a CSS value; `1.2.3` and other nonsense count as one, which hides nothing."""
    try:
        return float(text)
    except ValueError:
        return 1.0


def _is_zero(value: str | None) -> bool:
    length = _LENGTH.fullmatch(value) if value else None
    return length is not None and _float(length.group(1)) == 0.0


def _is_far_off(value: str | None) -> bool:
    length = _LENGTH.fullmatch(value) if value else None
    return length is not None and _float(length.group(1)) <= (
        _OFF_PAGE / 10 if length.group(2) in _RELATIVE else _OFF_PAGE
    )


def hide(tag: Tag) -> None:
    """Empty an element and make it one that is never shown; unlike taking it out, this costs the
    same wherever it stands.
    """
    tag.clear(decompose=True)
    tag.attrs.clear()
    tag.name = "script"
