"""Press in a message: what is for whom. `press to Ben, Chloé: ...`, `to Ben: ...`, the old judges' `PRESS TO ... ENDPRESS`, `BROADCAST`.

A press runs to its `ENDPRESS`, or else to the next one in the same message or to the end: what stands behind it is press, and never an
order. Orders stand before it. A press whose readers are not beyond doubt is not sent to any of them, and nothing of it is read otherwise:
a private word that goes to the wrong one is the worst that can happen.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from pbem.grammar.normalise import fold

GM_WORDS = frozenset({"gm", "the gm", "master", "game master", "the game master", "gamemaster"})
_ALL = frozenset({"all", "everyone", "everybody", "all players", "all of you", "the table", "alle", "broadcast"})
_OBSERVERS = frozenset({"observers", "the observers", "observer"})
_TEAM = frozenset({"team", "my team", "our team", "the team", "team mates", "teammates", "my team mates"})
_ME = frozenset({"me", "myself"})
_NO_NAMES = frozenset(
    "be sum make my start begin confirm clarify recap conclude avoid do answer repeat finish explain put say cut keep your our whom use "
    "which this that get have give send take buy go see fortify march attack support work hold play win help add remind summarise "
    "summarize".split()
)
"""With these behind it, `to ...:` begins a sentence: `to be clear: ...`."""

_END = re.compile(r"\W*end[ -]?(?:press|broadcast)\W*", re.IGNORECASE)
_COLON = "[:\uff1a\ufe55]"
_SHADE = r"grey|gray|white|anonymous"
_PRESS = re.compile(rf"[/*•-]?\s*(?:(?P<before>{_SHADE})\s+)?(?P<word>press|broadcast)(?![\w'’-])(?P<rest>.*)", re.IGNORECASE)
_OPTION = re.compile(rf"\s*(?P<shade>{_SHADE})(?![\w-])(?P<rest>.*)", re.IGNORECASE)
_TO = re.compile(r"\s+to(?=[\s:]|$)\s*(?P<whom>.*)", re.IGNORECASE)
_FAKE = re.compile(r"\s*fake\b", re.IGNORECASE)
_PLAIN = re.compile(rf"[/*•-]?\s*(?P<word>to|an)\s+(?P<whom>[^:\uff1a\ufe55\n]{{1,200}}?)\s?{_COLON}(?P<text>.*)", re.IGNORECASE)
_PLACE = re.compile(r"(?:p|#|province)\s?\d+(?:\s?(?:,|and|&|\+)\s?(?:p|#|province)\s?\d+)*", re.IGNORECASE)
_PLACES = re.compile(rf"{_PLACE.pattern}(?: (?:in |of )?turn \d+)?", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|except(?: for)?|without|save|ausser|außer)\b", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*[,;/&+]\s*(?:and\s+)?|\s+(?:and|und|et)\s+", re.IGNORECASE)
_TITLE = re.compile(r"(?:the |player |seat |dear |no\.? ?|number )", re.IGNORECASE)
_NOTE = re.compile(rf"[/*•-]?\s*(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)\s?{_COLON}.*", re.IGNORECASE)
_REPLY = re.compile(rf"\s*reply(?P<all>(?:\s+to)?[ -]all)?\s*(?:{_COLON}|(?=\n|$))\s*", re.IGNORECASE)
_REPLY_ALL = re.compile(
    r"\s*reply(?:\s+to)?[ -]all[ ]*[,.!-]?[ ]+(?!(?:you|of|the|that|this|these|those|your|my|our|his|her|their|day|night|week)\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?P<place>p ?\d{1,3}(?!\w))|(?P<number>\d{1,3}(?!\w))|(?P<sign>[a-z](?!\w)|to\b|from\b|[->=\u2192\u2013]+)|(?P<other>[^\s,*]+)",
    re.IGNORECASE,
)
_ALIKE = 70.0
MOST_OPTIONS = 6


class Member(msgspec.Struct, frozen=True):
    """Somebody at the table; `words` are other words that mean them: colour and symbol."""

    number: int
    name: str
    words: tuple[str, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    """Who can be written to. `writer` is the number of whoever writes, `team` are those who play with them."""

    members: tuple[Member, ...]
    writer: int | None = None
    team: tuple[int, ...] = ()

    def name_of(self, number: int) -> str:
        return next(member.name for member in self.members if member.number == number)


class To(msgspec.Struct, frozen=True):
    """Whom a press is for. Public press names nobody: it is for everybody. `grey`: nobody is told who wrote it."""

    kind: Literal["public", "private", "team", "gm"]
    players: tuple[int, ...] = ()
    gm: bool = False
    observers: bool = False
    grey: bool = False


class Press(msgspec.Struct, frozen=True):
    """A piece of press. `closed`: it ends with its ENDPRESS, not with the message or the next one."""

    to: To
    text: str
    closed: bool = False


class Unsent(msgspec.Struct, frozen=True):
    """What was meant as press and goes to nobody: why, as a code, the part that is the trouble, and who may have been meant.

    `nobody`: no readers are named. `unknown`, `ambiguous`: a reader who is none, or may be several. `yourself`, `no-team`, `empty`,
    `fake`: as they say. `form`: it may be press or not. `where-it-ends`: one is closed and another is not. `end-without-press`.
    """

    code: str
    written: str = ""
    options: tuple[str, ...] = ()


class Split(msgspec.Struct, frozen=True):
    """A message taken apart: its press in order, and everything else."""

    pieces: tuple[Press | Unsent, ...] = ()
    rest: str = ""


class _Doubt(Exception):
    """The readers are not beyond doubt."""

    def __init__(self, code: str, written: str = "", options: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.unsent = Unsent(code, written.strip()[:80], tuple(options)[:MOST_OPTIONS])


class _Heading(msgspec.Struct, frozen=True):
    """A line with which a press begins: its readers (or why they are none) and what of the text stands on it."""

    to: To | Unsent
    text: str


def split_press(text: str, roll: Roll) -> Split:
    """Take the press out of a message (new text alone). `GM: ...` and `to GM: ...` are a note, and stay in the rest."""
    lines = text.replace("\r\n", "\n").split("\n")
    rest: list[str] = []
    pieces: list[Press | Unsent] = []
    at = 0
    while at < len(lines):
        if _END.fullmatch(lines[at]):
            return Split((Unsent("end-without-press", lines[at].strip()),), "")
        heading = None if _NOTE.fullmatch(lines[at]) else _heading(lines[at], roll, inside=False)
        if heading is None:
            rest.append(lines[at])
            at += 1
            continue
        end, closed = _end_of(lines, at + 1, roll)
        if not closed and any(_END.fullmatch(line) for line in lines[end:]):
            pieces.append(Unsent("where-it-ends", lines[at].strip()[:80]))
            break
        pieces.append(_piece(heading, lines[at + 1 : end], closed=closed))
        rest.append("")
        at = end + closed
    return Split(tuple(pieces), "\n".join(rest).strip("\n"))


def opens_press(line: str) -> bool:
    """Whether a line begins a press, whoever sits at the table."""
    plain = _PLAIN.match(line)
    if plain is not None:
        return not _is_sentence(plain["whom"])
    return _explicit(line, Roll(())) is not None


class Reply(msgspec.Struct, frozen=True):
    """An answer to a press: its words, whether they are for all its readers (`reply all`), and whether it says that it is one."""

    text: str
    for_all: bool = False
    explicit: bool = False


def split_reply(text: str) -> Reply:
    """Read the words that answer a press."""
    found = _REPLY.match(text)
    if found is not None:
        return Reply(text[found.end() :].strip(), found["all"] is not None, explicit=True)
    for_all = _REPLY_ALL.match(text)
    return Reply(text.strip()) if for_all is None else Reply(text[for_all.end() :].strip(), for_all=True)


def find_order_shapes(text: str) -> tuple[str, ...]:
    """The clauses that are nothing but places, numbers, single letters and arrows (`P1 S P2`, `m 1 P1-P2`): they look like orders of some
    judge, whether this game reads them or not.
    """
    return tuple(clause for clause in map(str.strip, re.split(r"[.;!?:\n]", text)) if _is_order_shape(clause))


def _is_order_shape(clause: str) -> bool:
    kinds = {found.lastgroup for found in _TOKEN.finditer(clause)}
    return "other" not in kinds and "place" in kinds and ("sign" in kinds or "number" in kinds)


def is_places_alone(text: str) -> bool:
    """Whether it names provinces (in a turn) and says nothing else."""
    return _PLACES.fullmatch(text.strip(" ?.!")) is not None


def format_press(press: Press, roll: Roll) -> str:
    """The one spelling that `split_press` reads back as this press alone. ValueError for a text that no spelling could hold."""
    whom = ["all"] if press.to.kind == "public" else ["team"] if press.to.kind == "team" else []
    if press.to.kind in ("private", "gm"):
        whom += [f"#{number}" for number in press.to.players]
        whom += ["GM"] if press.to.gm else []
    whom += ["observers"] if press.to.observers else []
    text = f"press {'grey ' if press.to.grey else ''}to {', '.join(whom)}\n{press.text}\nendpress"
    if split_press(text, roll) != Split((msgspec.structs.replace(press, closed=True),), ""):
        raise ValueError("no spelling holds that press")
    return text


def _end_of(lines: Sequence[str], start: int, roll: Roll) -> tuple[int, bool]:
    """The line after a press, and whether that is its end mark."""
    for number in range(start, len(lines)):
        if _END.fullmatch(lines[number]):
            return number, True
        if _NOTE.fullmatch(lines[number]) or _heading(lines[number], roll, inside=True) is not None:
            return number, False
    return len(lines), False


def _piece(heading: _Heading, below: Sequence[str], *, closed: bool) -> Press | Unsent:
    if isinstance(heading.to, Unsent):
        return heading.to
    text = "\n".join(line.rstrip() for line in (heading.text, *below)).strip()
    return Press(heading.to, text, closed) if text else Unsent("empty")


def _heading(line: str, roll: Roll, *, inside: bool) -> _Heading | None:
    """`inside` another press a line that may be a sentence of it is one."""
    if line.lstrip().startswith(">"):
        return None
    return _plain(line, roll, inside=inside) or _explicit(line, roll)


def _is_sentence(whom: str) -> bool:
    words = whom.split()
    is_place = _PLACE.fullmatch(whom.strip()) is not None
    return is_place or not words or (words[0].casefold() in _NO_NAMES and _words(whom) not in _TEAM)


def _plain(line: str, roll: Roll, *, inside: bool) -> _Heading | None:
    found = _PLAIN.fullmatch(line)
    if found is None or _is_sentence(found["whom"]):
        return None
    try:
        return _Heading(_readers(found["whom"], roll, grey=False), found["text"].strip())
    except _Doubt as doubt:
        is_word = found["word"].casefold() == "an"
        if (inside or is_word) and doubt.unsent.code == "unknown" and not _is_like_a_name(found["whom"], roll, is_word=is_word):
            return None
        return _Heading(doubt.unsent, "")


def _is_like_a_name(whom: str, roll: Roll, *, is_word: bool) -> bool:
    """Whether it may be a name with a slip, or somebody of another table."""
    folded = fold(whom)
    if any(fuzz.ratio(folded, fold(member.name)) >= _ALIKE for member in roll.members):
        return True
    words = whom.split()
    return len(words) == 1 and whom.strip()[:1].isupper() and not is_word


def _explicit(line: str, roll: Roll) -> _Heading | None:
    """`press ...` and `broadcast ...`."""
    found = _PRESS.fullmatch(line)
    if found is None:
        return None
    shade, rest = found["before"] or "", found["rest"]
    option = _OPTION.fullmatch(rest)
    if option is not None and not shade:
        shade, rest = option["shade"], option["rest"]
    grey = shade.casefold() not in ("", "white")
    if _FAKE.match(rest):
        return _Heading(Unsent("fake", line.strip()[:80]), "")
    if found["word"].casefold() == "broadcast":
        return _broadcast(line, rest, grey=grey)
    to = _TO.fullmatch(rest)
    whom, colon, text = _at_colon(to["whom"] if to is not None else rest)
    if to is None and not colon:
        return None if not shade or rest.strip(" .!") else _Heading(Unsent("nobody", line.strip()[:80]), "")
    try:
        return _Heading(_readers(whom, roll, grey=grey), text)
    except _Doubt as doubt:
        return _Heading(doubt.unsent, "")


def _broadcast(line: str, rest: str, *, grey: bool) -> _Heading | None:
    whom, colon, text = _at_colon(rest)
    if whom.strip(" .!") and (not colon or _words(whom.removeprefix(" to ")) not in _ALL):
        return _Heading(Unsent("form", line.strip()[:80]), "")
    return _Heading(To("public", grey=grey), text)


def _at_colon(text: str) -> tuple[str, bool, str]:
    found = re.search(_COLON, text)
    return (text, False, "") if found is None else (text[: found.start()], True, text[found.end() :].strip())


def _words(text: str) -> str:
    return " ".join(fold(text).strip(" .!,;\"'()").split())


def _readers(whom: str, roll: Roll, *, grey: bool) -> To:
    """Everybody who is named. Raises _Doubt."""
    if not whom.strip(" .,;"):
        raise _Doubt("nobody")
    folded = _words(whom)
    if folded in _ALL:
        return To("public", grey=grey)
    but = _BUT.search(whom)
    if but is not None and _words(whom[: but.start()]) in _ALL:
        left_out = {one for one in _named(whom[but.end() :], roll) if isinstance(one, int)}
        players = tuple(member.number for member in roll.members if member.number not in left_out and member.number != roll.writer)
        if not players:
            raise _Doubt("nobody", whom)
        return To("private", players, grey=grey)
    return _together(list(_named(whom, roll)), roll, whom, grey=grey)


def _together(named: list[int | str], roll: Roll, whom: str, *, grey: bool) -> To:
    if "team" in named:
        if not roll.team:
            raise _Doubt("no-team", whom)
        if len(named) == 1:
            return To("team", roll.team, grey=grey)
        named += list(roll.team)
    players = tuple(sorted({one for one in named if isinstance(one, int) and one != roll.writer}))
    gm, observers = "gm" in named, "observers" in named
    if "all" in named:
        if gm or not observers:  # everybody and somebody else: public press reaches the game masters anyway
            raise _Doubt("ambiguous", whom, ("all",))
        return To("public", grey=grey)
    if not players and not gm and not observers:
        raise _Doubt("yourself", whom)
    return To("gm" if gm and not players and not observers else "private", players, gm, observers, grey)


def _named(whom: str, roll: Roll) -> Iterator[int | str]:
    """One after another; a name may have a comma or an `and` in it. Raises _Doubt for the first who is none."""
    pieces = [(found.start(), found.end()) for found in _SEPARATOR.finditer(whom)]
    starts = [0, *(end for _, end in pieces)]
    ends = [*(start for start, _ in pieces), len(whom)]
    at = 0
    while at < len(starts):
        for last in range(len(ends) - 1, at - 1, -1):
            written = whom[starts[at] : ends[last]].strip()
            exact = [member.number for member in roll.members if _words(member.name) == _words(written)]
            if last == at or exact:
                if written or len(starts) == 1:
                    yield exact[0] if len(exact) == 1 else _one(written, roll)
                at = last + 1
                break


def _one(written: str, roll: Roll) -> int | str:
    folded = _words(written)
    for words, meant in ((GM_WORDS, "gm"), (_OBSERVERS, "observers"), (_TEAM, "team"), (_ALL, "all")):
        if folded in words:
            return meant
    if folded in _ME:
        raise _Doubt("yourself", written)
    bare = _words(_TITLE.sub("", folded, count=1)) or folded
    begun = [member for member in roll.members if any(_words(word).startswith(bare) for word in (member.name, *member.words))]
    if folded in ("m", "o"):  # the old judges' letters
        meant = "gm" if folded == "m" else "observers"
        if written.strip().isupper() or not begun:
            return meant
        raise _Doubt("ambiguous", written, (meant.upper() if meant == "gm" else meant, *(member.name for member in begun)))
    number = bare.removeprefix("#").strip()
    if number.isdigit():
        begun = [member for member in roll.members if str(member.number) == number]
    exact = [member for member in roll.members if bare in {_words(word) for word in (member.name, *member.words)}]
    found = exact or begun
    if len(found) == 1:
        return found[0].number
    if found:
        raise _Doubt("ambiguous", written, [member.name for member in found])
    near = [member.name for member in roll.members if fuzz.ratio(folded, _words(member.name)) >= _ALIKE and member.number != roll.writer]
    raise _Doubt("unknown", written, near)
