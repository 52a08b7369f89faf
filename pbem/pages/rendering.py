"""One template, three dresses: the same page template is rendered as HTML, as plain text and as
words for a chat.

Page templates hold the prose and say `section`, `p`, `say`, `table`; `mail/blocks.html`,
`blocks.txt` and `blocks.chat` know what these look like. In the HTML and the chat environment
everything that is not a template's own text is escaped; in the text environment paragraphs are
filled to 78 columns. The filters `b`, `hot`, `poss`, `rules` and the signs `lq`, `rq`
exist in all of them, each in its own dress; `html` and `chat` tell a template which it is rendered
in, `rich` that words can be bold.

A page that a chat shows in other words has a template of its own in `telegram/`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    Environment,
    FileSystemBytecodeCache,
    PackageLoader,
    StrictUndefined,
    TemplateNotFound,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from markupsafe import Markup, escape

from pbem.pages import chatting
from pbem.pages.dates import seen
from pbem.pages.kit.columns import WIDTH, columns, cut, fill, fill_lines, grid_text, pad
from pbem.pages.page import MARKER, Page

Dress = Literal["html", "txt", "chat"]
Values = dict[str, object]
SHORTER = 4
"""How many ways a caption has of saying less and less; the last one always fits."""
MAIN_MARK = "<!--main-->"
"""Stands in an HTML frame before and behind what a page says; nothing that is escaped can be it."""
_CLOSE_UP = "\x0e"  # in the text environment: no empty line before what follows
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_CLOSER = re.compile(f"\n+{_CLOSE_UP}")
_BLANKS = re.compile(r"\n{3,}")


class Twin:
    """A piece of a page in every dress, for several readers. `make` makes a dress when it is first
    asked for, and it is kept: most pieces are shown in one or two.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[Dress], str]) -> None:
        self._make = make
        self._made: dict[Dress, str] = {}

    @property
    def html(self) -> Markup:
        return Markup(self.worn("html"))  # noqa: S704 - every value in it was escaped

    @property
    def text(self) -> str:
        return self.worn("txt")

    @property
    def chat(self) -> Markup:
        return Markup(self.worn("chat"))  # noqa: S704 - every value in it was escaped

    def worn(self, dress: Dress) -> str:
        """The piece in this dress, as it stands in a page."""
        if dress not in self._made:
            self._made[dress] = self._make(dress)
        return self._made[dress]


@dataclass(frozen=True, slots=True)
class Line:
    """A labelled line of a list: `P2`, its sentence, and the rules that were applied."""

    label: str
    body: Twin
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Lines under one heading, in the order in which things happened."""

    heading: str
    lines: tuple[Line, ...]


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


def _join(items: Iterable[object], last: str = " and ") -> str:
    """`P1, P2 and P3`."""
    words = [str(item) for item in items]
    return last.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _join_html(items: Iterable[object], last: str = " and ") -> Markup:
    words = [escape(item) for item in items]
    return (
        escape(last).join([Markup(", ").join(words[:-1]), words[-1]])
        if len(words) > 1
        else Markup("").join(words)
    )


def _signed(number: int) -> str:
    return f"\N{MINUS SIGN}{-number}" if number < 0 else str(number)


def _plural(number: int, one: str, many: str = "") -> str:
    """`1 unit`, `2 units`, the number held to its word."""
    return f"{number}\N{NO-BREAK SPACE}{one if number == 1 else many or one + 's'}"


def _ordinal(number: int) -> str:
    suffix = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{suffix}"


_DRESSES: Mapping[Dress, Mapping[str, Callable[..., Any]]] = {
    "html": {
        "it": lambda x: Markup("<i>%s</i>") % (x,),
        "hot": lambda x: Markup('<b class="hot" style="color:#8f170d;">%s</b>') % (x,),
        "poss": lambda name: escape(name) + Markup("&rsquo;s"),
        "pick": lambda twin: twin.html,
    },
    "txt": {
        "b": str,
        "it": lambda x: f'"{x}"',
        "hot": str,
        "poss": lambda name: f"{name}'s",
        "listed": _join,
        "pick": lambda twin: twin.text,
        "u": str.upper,
    },
    "chat": {
        "it": chatting.code,
        "hot": lambda x: Markup("<b>%s</b>") % (x,),
        "poss": lambda name: f"{name}\N{RIGHT SINGLE QUOTATION MARK}s",
        "pick": lambda twin: twin.chat,
    },
}
"""The filters that each dress has in its own way."""
_PLACES = {dress: place for place, dress in enumerate(_DRESSES)}


class _Templates(BaseLoader):
    """The templates of the house and its own games by their paths; those of other people's games by
    the name of their package: `takeaway/turn.j2` is `templates/turn.j2` in `takeaway`.
    """

    def __init__(self) -> None:
        self._house = PackageLoader("templates", ".")
        self._others: dict[str, PackageLoader] = {}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        with suppress(TemplateNotFound):
            return self._house.get_source(environment, template)
        package, _, path = template.partition("/")
        try:
            if package not in self._others:
                self._others[package] = PackageLoader(package, "templates")
        except (ImportError, ValueError) as error:
            raise TemplateNotFound(template) from error
        return self._others[package].get_source(environment, path)


class _KeptTemplates(BytecodeCache):
    """Compiled templates, kept from one process to the next: a service that has just begun renders
    as fast as one that runs for days.

    Each dress has its own, for they are compiled differently. Where nothing can be kept they are
    compiled each time.
    """

    def __init__(self, kind: str) -> None:
        self._files: FileSystemBytecodeCache | None = None
        with suppress(RuntimeError, OSError):  # there is no folder that is ours alone
            self._files = FileSystemBytecodeCache(pattern=f"pbem-{kind}-%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        if self._files is not None:
            with suppress(OSError):
                self._files.load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if self._files is not None:
            with suppress(OSError):
                self._files.dump_bytecode(bucket)


class _Dress(Environment):
    """An environment whose templates share its globals as they are: jinja2 would compare them all,
    through a chain of dictionaries, at each import of one template by another.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def _environment(kind: Dress) -> Environment:
    html, rich = kind == "html", kind != "txt"
    environment = _Dress(
        loader=_Templates(),
        autoescape=select_autoescape(
            default=rich, default_for_string=rich, enabled_extensions=(), disabled_extensions=()
        ),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
        # what is kept must not hold what a filter of an earlier version has made of a constant
        optimized=False,
        bytecode_cache=_KeptTemplates(kind),
    )
    shared: dict[str, Callable[..., Any]] = {
        "plural": _plural,
        "ordinal": _ordinal,
        "roman": ("0", "I", "II", "III").__getitem__,
        "short_rules": short_rules,
        "cut": cut,
        "pad": pad,
        "fill": fill,
        "fill_lines": fill_lines,
        "columns": columns,
        "flow": chatting.flow,
        "signed": _signed,
        "plain": chatting.plain,
        "code": chatting.code,
        "marked": chatting.marked,
    }
    environment.filters.update(shared)
    if rich:
        environment.filters.update(
            b=lambda x: Markup("<b>%s</b>") % (x,),
            listed=_join_html,
        )
        environment.globals.update(
            lq="\N{LEFT DOUBLE QUOTATION MARK}",
            rq="\N{RIGHT DOUBLE QUOTATION MARK}",
        )
        environment.globals.update(apos="\N{RIGHT SINGLE QUOTATION MARK}")
    else:
        environment.globals.update(lq='"', rq='"', apos="'")
    environment.filters.update(_DRESSES[kind])
    environment.globals.update(
        html=html, chat=kind == "chat", rich=rich, grid_chat=chatting.grid, gauge=chatting.gauge
    )
    environment.globals["mail"] = "message" if kind == "chat" else "mail"
    environment.globals.update(
        grid_text=grid_text,
        seen=seen,
        CLOSE_UP=_CLOSE_UP,
        TITLE_MARK=chatting.TITLE_MARK,
        PASSING_MARK=chatting.PASSING_MARK,
    )
    environment.globals.update(
        frame=f"mail/frame.{kind}",
        marker=MARKER,
        minus="\N{MINUS SIGN}",
        nbsp="\N{NO-BREAK SPACE}",
        WIDTH=WIDTH,
    )
    blocks = environment.get_template(f"mail/blocks.{kind}").module
    environment.globals.update(
        {name: getattr(blocks, name) for name in dir(blocks) if not name.startswith("_")}
    )
    return environment


@cache
def environments() -> tuple[Environment, Environment, Environment]:
    """The HTML, the text and the chat environment; templates are compiled at their first use and
    kept.
    """
    return _environment("html"), _environment("txt"), _environment("chat")


@cache
def modules(template: str) -> tuple[TemplateModule, TemplateModule, TemplateModule]:
    """The macros of one template in all environments, for calling piece by piece."""
    html, text, chat = environments()
    return (
        html.get_template(template).module,
        text.get_template(template).module,
        chat.get_template(template).module,
    )


def twin(template: str, macro: str, *args: object) -> Twin:
    """What one macro of a template says, in every dress."""

    def make(dress: Dress) -> str:
        module = modules(template)[_PLACES[dress]]
        told = str(getattr(module, macro)(*args))
        return told if dress == "html" else told.strip("\n")

    return Twin(make)


def has_macro(template: str, macro: str) -> bool:
    return hasattr(modules(template)[0], macro)


def page(
    template: str, subject: str, values: Values, *, chat: str | None = "", caption: bool = False
) -> Page:
    """Render one page template in every dress under this subject.

    `chat` names the template for a chat where that is another one (None: it is not for a chat); it
    is told by `short` (0, 1, ...) to say less until a `caption` is short enough for one.
    """
    html, text, _ = environments()
    subject = cut(clean_line(subject), 180)
    told = html.get_template(template).render(values, subject=subject)
    before, *rest = clean(told).split(MAIN_MARK)
    words = ""
    if chat is not None:
        words = chat_words(chat or template, subject, values, caption=caption)
    lasting, _mark, passing = words.partition(chatting.PASSING_MARK)
    return Page(
        subject,
        tidy(text.get_template(template).render(values, subject=subject)),
        before + "".join(rest),
        lasting + passing,
        (len(before), len(before) + len(rest[0])) if rest else None,
        passing,
    )


def chat_words(template: str, subject: str, values: Values, *, caption: bool = False) -> str:
    """The words of a page for a chat, in Telegram's HTML."""
    made = environments()[2].get_template(template)
    words = ""
    for short in range(SHORTER if caption else 1):
        words = chatting.thinned(
            tidy(made.render(values, subject=subject, short=short)).strip("\n")
        )
        if not caption or chatting.units(words) <= chatting.CAPTION_UNITS:
            break
    return words


def tidy(text: str) -> str:
    """Plain text with no trailing blanks (but the one of a signature mark) and no more than one
    empty line at a stretch.
    """
    text = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    text = _BLANKS.sub("\n\n", clean(_CLOSER.sub("\n", text))).strip("\n")
    return text.replace("\n--\n", "\n-- \n") + "\n"


@cache
def is_template(name: str) -> bool:
    """Whether there is a template of this name."""
    try:
        environments()[1].get_template(name)
    except TemplateNotFound:
        return False
    return True


def phrase(template: str, macro: str, *args: object) -> str:
    """One line of plain text from a macro: a subject, a title."""
    return " ".join(str(getattr(modules(template)[1], macro)(*args)).split()).replace(
        "\N{NO-BREAK SPACE}", " "
    )
