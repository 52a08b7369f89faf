"""HTML of a stranger in a plain form: the tags that a browser would see, each with the few
attributes that are looked at.

The parser behind it compares every attribute of a tag with every other, and takes a tag that never
ends as it likes. So it gets to see nothing but what is written here. Tags are told apart as the
HTML standard does it (13.2.5), in one pass.
"""

import re
from html import escape, unescape

MAX_TAGS = 12_000
"""No person writes more; every step after this one takes time for each."""
MAX_SIGNS = 200_000
MAX_DEPTH = 100
_MAX_VALUE_CHARS = 4000
_ANY_TAG = re.compile(r"<[^<>]*+>")
_TAG_BEGIN = re.compile(r"</?[a-zA-Z]")
_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/>]*+)((?>(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?)*))>"
)
_ATTRIBUTE = re.compile(r"([^\s/=]++)(?>(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?)")
_COMMENT_END = re.compile(r"--!?>")
_LONG_REFERENCE = re.compile(
    r"&#(?:\d{8,}+|[xX][0-9a-fA-F]{7,}+);?"
)  # no character has such a number, and `int` refuses 4,301 digits
_NAME = re.compile(r"[a-z][a-z0-9]*+")
_KEPT = frozenset(
    {
        "class",
        "id",
        "name",
        "type",
        "data-marker",
        "data-type",
        "style",
        "hidden",
        "align",
        "valign",
        "start",
    }
)
_NOT_SHOWN = frozenset({"script", "style", "title", "iframe", "noembed", "noframes"})
_SHOWN_AS_TEXT = frozenset({"textarea", "xmp"})
_VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
_CLOSED_BY_NEXT = frozenset({"p", "li", "dt", "dd", "tr", "td", "th", "option"})
_RAW_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _NOT_SHOWN | _SHOWN_AS_TEXT
}


def has_too_many_tags(html: str) -> bool:
    """Or this many signs that could begin one: each of them is a step, too, if a smaller one."""
    return html.count("<") > MAX_SIGNS or sum(1 for _ in _TAG_BEGIN.finditer(html)) > MAX_TAGS


def without_long_references(html: str) -> str:
    return _LONG_REFERENCE.sub("\ufffd", html)


def tidy(html: str) -> str:
    """The same text for a reader. Nested deeper than any person writes, tags are left out."""
    html = without_long_references(html)
    out: list[str] = []
    depth = at = 0
    while (begin := html.find("<", at)) >= 0:
        out.append(html[at:begin].replace(">", "&gt;"))
        if html.startswith(("<!", "<?"), begin):
            at = _end_of_comment(html, begin)
        elif (tag := _TAG.match(html, begin)) is not None:
            text, depth, at = _tag(html, tag, depth)
            out.append(text)
        elif _TAG_BEGIN.match(html, begin):  # never closed: all that follows is part of it
            return "".join(out)
        else:
            out.append("&lt;")
            at = begin + 1
    out.append(html[at:].replace(">", "&gt;"))
    return "".join(out)


def _end_of_comment(html: str, begin: int) -> int:
    """Where the comment ends, or what else stands between `<!` and `>`."""
    if html.startswith(("<!-->", "<!--->"), begin):
        return html.index(">", begin) + 1
    if html.startswith("<!--", begin):
        end = _COMMENT_END.search(html, begin + 4)
        return end.end() if end else len(html)
    close = html.find(">", begin)
    return close + 1 if close >= 0 else len(html)


def _tag(html: str, tag: re.Match[str], depth: int) -> tuple[str, int, int]:
    """What stands for the tag, how deep its content is, and where to continue."""
    closing, name = tag.group(1), tag.group(2).lower()
    if not _NAME.fullmatch(name):  # `<o:p>` and the like: an element that nobody knows
        name = "span"
    if not closing and name in _RAW_ENDS:
        end = _RAW_ENDS[name].search(html, tag.end())
        at = end.start() if end else len(html)
        return (
            (escape(html[tag.end() : at], quote=False) if name in _SHOWN_AS_TEXT else " "),
            depth,
            at,
        )
    if name in _RAW_ENDS:
        return "", depth, tag.end()
    if name in _VOID:
        return (f"<{name}{_attributes(tag.group(3))}>" if not closing else ""), depth, tag.end()
    if name not in _CLOSED_BY_NEXT:
        depth = max(0, depth - 1) if closing else depth + 1
    if depth >= MAX_DEPTH + (not closing):
        return " ", depth, tag.end()
    return (f"</{name}>" if closing else f"<{name}{_attributes(tag.group(3))}>"), depth, tag.end()


def _attributes(text: str) -> str:
    if not text or text.isspace() or text == "/":
        return ""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        name = match.group(1).lower()
        if name in _KEPT and name not in found:
            found[name] = match.group(2) or match.group(3) or match.group(4) or ""
    return "".join(f' {name}="{_value(value)}"' for name, value in found.items())


def _value(value: str) -> str:
    return value[:_MAX_VALUE_CHARS].replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def words_of_html(html: str) -> str:
    """Everything between the tags, quoted or not, in no layout: enough to look for a code in it."""
    return unescape(without_long_references(_ANY_TAG.sub(" ", html)))
