"""One template, two forms: the same page template is rendered with blocks for HTML and with blocks for plain text.

Page templates hold the prose and say `section`, `p`, `say`, `table`; `mail/blocks.html` and `mail/blocks.txt` know
what these look like. In the HTML environment everything that is not a template's own text is escaped; in the text
environment paragraphs are filled to 78 columns. The filters `b`, `hot`, `poss`, `rules` and the signs `minus`, `lq`, `rq`
exist in both, each in its own dress.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.environment import TemplateModule
from markupsafe import Markup, escape

from pbem.pages.page import MARKER, Page

WIDTH = 78
SHORTEST_NAME = 8  # columns that a name keeps in a crowded table
_CLOSE_UP = "\x0e"  # in the text environment: no empty line before what follows
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CLOSER = re.compile(f"\n+{_CLOSE_UP}")
_BLANKS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Twin:
    """A piece of a page in both forms, made once for several readers."""

    html: Markup
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A labelled line of a list: `P2`, its sentence, and the rules that were applied."""

    label: str
    body: Twin
    rules: tuple[str, ...] = ()


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide East Asian signs take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def cut(text: str, width: int) -> str:
    """The text in at most `width` columns, with an ellipsis where something is missing."""
    if columns(text) <= width:
        return text
    kept = text
    while kept and columns(kept) > width - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def pad(text: str, width: int, right: bool = False) -> str:
    """The text filled up to `width` columns, cut if it is longer."""
    text = cut(text, width)
    gap = " " * (width - columns(text))
    return gap + text if right else text + gap


def fill(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """A paragraph of lines no wider than `width`; no-break spaces hold words together and come out as plain ones."""
    lines: list[str] = []
    line, used = first, columns(first)
    fresh, indent = True, columns(rest)
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        size = len(word) if word.isascii() else columns(word)
        if not fresh and used + 1 + size > width:
            lines.append(line)
            line, used, fresh = rest, indent, True
        while fresh and used + size > width:  # a word longer than a line
            room = _room(word, width - used)
            lines.append(line + word[:room])
            line, used, word = rest, indent, word[room:]
            size = columns(word)
        line, used = (line + word, used + size) if fresh else (f"{line} {word}", used + 1 + size)
        fresh = False
    lines.append(line)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def fill_lines(text: str) -> str:
    """Every line of a text filled on its own."""
    return "\n".join(fill(line) for line in text.splitlines() if line.strip())


def _room(word: str, width: int) -> int:
    room = 1
    while room < len(word) and columns(word[: room + 1]) <= width:
        room += 1
    return room


def grid_text(head: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = (), names: Sequence[int] = ()) -> str:
    """A table of plain text, columns as wide as they need to be; until a line holds them all the `names` are cut, then the widest."""
    cells = [[str(cell).strip() for cell in row] for row in (head, *rows)]
    sizes = [max(columns(row[i]) for row in cells) for i in range(len(head))]
    while sum(sizes) + 2 * len(sizes) > WIDTH:
        loose = [i for i in names if sizes[i] > SHORTEST_NAME] or range(len(sizes))
        sizes[max(loose, key=sizes.__getitem__)] -= 1
    if not any(cells[0]):
        del cells[0]
    return "\n".join(("  " + "  ".join(pad(cell, sizes[i], i in right) for i, cell in enumerate(row))).rstrip() for row in cells)


def short_rules(ids: Sequence[str]) -> str:
    """`PR-6.6 4.10 7.7`: the prefix once, every rule once."""
    seen = list(dict.fromkeys(ids))
    prefix = seen[0].partition("-")[0] + "-" if seen else ""
    return " ".join([seen[0], *(rule.removeprefix(prefix) for rule in seen[1:])]) if seen else ""


def clean(text: str) -> str:
    """A text without control signs and without those that turn the direction of writing."""
    return _UNSAFE.sub("", text)


def clean_line(text: str) -> str:
    """The same on one line, as a subject needs it."""
    return clean(" ".join(text.split()))


def _possessive_html(name: str) -> Markup:
    return escape(name) + Markup("&rsquo;s")


def _join(items: Iterable[object], last: str = " and ") -> str:
    """`P1, P2 and P3`."""
    words = [str(item) for item in items]
    return last.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _join_html(items: Iterable[object], last: str = " and ") -> Markup:
    words = [escape(item) for item in items]
    return escape(last).join([Markup(", ").join(words[:-1]), words[-1]]) if len(words) > 1 else Markup("").join(words)


def _signed(minus: str) -> Callable[[int], str]:
    def signed(number: int) -> str:
        return f"{minus}{-number}" if number < 0 else str(number)

    return signed


def _plural(number: int, one: str, many: str = "") -> str:
    """`1 unit`, `2 units`, the number held to its word."""
    return f"{number}\N{NO-BREAK SPACE}{one if number == 1 else many or one + 's'}"


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _roman(level: int) -> str:
    return ("0", "I", "II", "III")[level]


def _environment(html: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader("templates", "."),
        autoescape=select_autoescape(default=html, default_for_string=html, enabled_extensions=(), disabled_extensions=()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
    )
    kind = "html" if html else "txt"
    shared: dict[str, Callable[..., Any]] = {
        "plural": _plural, "ordinal": _ordinal, "roman": _roman, "short_rules": short_rules, "cut": cut, "pad": pad,
        "fill": fill, "fill_lines": fill_lines,
    }  # fmt: skip
    environment.filters.update(shared)
    if html:
        environment.filters.update(
            b=lambda x: Markup("<b>%s</b>") % (x,),
            it=lambda x: Markup("<i>%s</i>") % (x,),
            hot=lambda x: Markup('<b class="hot" style="color:#8f170d;">%s</b>') % (x,),
            poss=_possessive_html,
            listed=_join_html,
            pick=lambda twin: twin.html,
            signed=_signed("\N{MINUS SIGN}"),
        )
        environment.globals.update(minus="\N{MINUS SIGN}", lq="\N{LEFT DOUBLE QUOTATION MARK}", rq="\N{RIGHT DOUBLE QUOTATION MARK}")
        environment.globals.update(apos="\N{RIGHT SINGLE QUOTATION MARK}", html=True)
    else:
        environment.filters.update(
            b=str, it=lambda x: f'"{x}"', hot=str, poss=lambda name: f"{name}'s", listed=_join, pick=lambda twin: twin.text,
            signed=_signed("-"), u=str.upper, columns=columns,
        )  # fmt: skip
        environment.globals.update(minus="-", lq='"', rq='"', apos="'", html=False)
    environment.globals.update(grid_text=grid_text, CLOSE_UP=_CLOSE_UP)
    environment.globals.update(frame=f"mail/frame.{kind}", marker=MARKER, nbsp="\N{NO-BREAK SPACE}", WIDTH=WIDTH)
    blocks = environment.get_template(f"mail/blocks.{kind}").module
    environment.globals.update({name: getattr(blocks, name) for name in dir(blocks) if not name.startswith("_")})
    return environment


@cache
def environments() -> tuple[Environment, Environment]:
    """The HTML and the text environment; templates are compiled at their first use and kept."""
    return _environment(html=True), _environment(html=False)


@cache
def modules(template: str) -> tuple[TemplateModule, TemplateModule]:
    """The macros of one template in both environments, for calling piece by piece."""
    html, text = environments()
    return html.get_template(template).module, text.get_template(template).module


def twin(template: str, macro: str, *args: object) -> Twin:
    """Call one macro of a template in both forms."""
    html, text = modules(template)
    return Twin(getattr(html, macro)(*args), str(getattr(text, macro)(*args)).strip("\n"))


def has_macro(template: str, macro: str) -> bool:
    return hasattr(modules(template)[0], macro)


def page(template: str, subject: str, values: dict[str, object]) -> Page:
    """Render one page template in both forms under this subject."""
    html, text = environments()
    subject = cut(clean_line(subject), 180)
    return Page(
        subject,
        tidy(text.get_template(template).render(values, subject=subject)),
        clean(html.get_template(template).render(values, subject=subject)),
    )


def tidy(text: str) -> str:
    """Plain text with no trailing blanks (but the one of a signature mark) and no more than one empty line at a stretch."""
    text = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    text = _BLANKS.sub("\n\n", clean(_CLOSER.sub("\n", text))).strip("\n")
    return text.replace("\n--\n", "\n-- \n") + "\n"


def phrase(template: str, macro: str, *args: object) -> str:
    """One line of plain text from a macro: a subject, a title."""
    return " ".join(str(getattr(modules(template)[1], macro)(*args)).split()).replace("\N{NO-BREAK SPACE}", " ")
