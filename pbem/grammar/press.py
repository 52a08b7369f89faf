"""Press in a message: what is for whom. `press to Ben, Chloé: ...`, `to Ben: ...`, the old judges'
`PRESS TO ... ENDPRESS`, `BROADCAST`.

A press runs to its `ENDPRESS`, and then all of it is press. One without that mark ends with its
paragraph, where orders follow, at a heading of orders, at the next press of the same message or at
its end; if anything in it would be read as an instruction of its writer, it is held, and its writer
is asked (`instructions`). A press whose readers are not beyond doubt is not sent to any of them,
and no part of it is read otherwise: a private word that goes to the wrong one is the worst that can
happen.
"""

import re
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz

from pbem.grammar.addressees import (
    ALIKE,
    ALL,
    TEAM,
    Doubt,
    Roll,
    To,
    Unsent,
    find_readers,
    plain_words,
)
from pbem.grammar.instructions import Judge, Read, TooMuch, find_end
from pbem.grammar.kit.normalise import fold
from pbem.grammar.signature import signature_lines

_NO_NAMES = frozenset(
    "be sum make my start begin confirm clarify recap conclude avoid do answer repeat finish"
    " explain put say cut keep your our whom use which this that get have give send take buy go see"
    " fortify march attack support work hold play win help add remind summarise summarize".split()
)
"""With these behind it, `to ...:` begins a sentence: `to be clear: ...`."""

_END = re.compile(r"\W*end[ -]?(?:press|broadcast)\W*", re.IGNORECASE)
_COLON = "[:\uff1a\ufe55]"
_SHADE = r"grey|gray|white|anonymous"
_PRESS = re.compile(
    rf"[/*•-]?\s*(?:(?P<before>{_SHADE})\s+)?(?P<word>press|broadcast)(?![\w'’-])(?P<rest>.*)",
    re.IGNORECASE,
)
_OPTION = re.compile(rf"\s*(?P<shade>{_SHADE})(?![\w-])(?P<rest>.*)", re.IGNORECASE)
_TO = re.compile(r"\s+to(?=[\s:]|$)\s*(?P<whom>.*)", re.IGNORECASE)
_FAKE = re.compile(r"\s*fake\b", re.IGNORECASE)
_PLAIN = re.compile(
    rf"[/*•-]?\s*(?P<word>to|an)\s+(?P<whom>[^:\uff1a\ufe55\n]{{1,200}}?)\s?{_COLON}(?P<text>.*)",
    re.IGNORECASE,
)
_OFFERING = re.compile(
    r" (?:i|we)(?:'d| would)?(?: like to)? (?:propose|offer|give|lend|sell)(?: .*)?$", re.IGNORECASE
)
_PLACE = re.compile(
    r"(?:p|#|province)\s?\d+(?:\s?(?:,|and|&|\+)\s?(?:p|#|province)\s?\d+)*", re.IGNORECASE
)
_PLACES = re.compile(rf"{_PLACE.pattern}(?: (?:in |of )?turn \d+)?", re.IGNORECASE)
_NOTE = re.compile(
    rf"[/*•-]?\s*(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)\s?{_COLON}.*", re.IGNORECASE
)
_NUMBER = r"(?:[ ]{1,3}(?:to )?(?:number |no\.? ?|#)?(?P<number>\d{1,3}))?"
_REPLY = re.compile(
    rf"\s*reply(?P<all>(?:\s+to)?[ -]all)?{_NUMBER}\s*(?:{_COLON}|(?=\n|$))\s*", re.IGNORECASE
)
_REPLY_ALL = re.compile(
    r"\s*reply(?:\s+to)?[ -]all[ ]*+[,.!-]?[ ]*+(?<=["
    r" ])(?!(?:you|of|the|that|this|these|those|your|my|our|his|her|their|day|night"
    r"|week)\b)",
    re.IGNORECASE,
)
MOST_PIECES = 10
"""The most pieces of press in a message."""
LONGEST = 10_000
"""Characters of a piece: a longer one is not sent, and not judged."""


class Press(msgspec.Struct, frozen=True):
    """A piece of press. `closed`: it ends with its ENDPRESS, not with the message or the next
    one.
    """

    to: To
    text: str
    closed: bool = False


class Held(msgspec.Struct, frozen=True):
    """A press that goes to nobody yet, for these pieces of it would be read as instructions of its
    writer (`signed`: as their name).

    `press` is all that it may be. `as_press` and `as_orders` say the one and the other beyond
    doubt.
    """

    press: Press
    found: tuple[str, ...]
    as_press: str
    as_orders: str
    signed: bool = False


class Split(msgspec.Struct, frozen=True):
    """A message taken apart: its press in order, and everything else."""

    pieces: tuple[Press | Held | Unsent, ...] = ()
    rest: str = ""


class Cut(msgspec.Struct, frozen=True):
    """A piece of press, and which lines of the message (from, to) it is."""

    start: int
    end: int
    piece: Press | Held | Unsent


class _Heading(msgspec.Struct, frozen=True):
    """A line with which a press begins: its readers (or why it has none) and what of the text
    stands on it.
    """

    to: To | Unsent
    text: str


def split_press(text: str, roll: Roll, read: Read | None = None) -> Split:
    """Take the press out of a message; see `cut_press`."""
    lines = text.replace("\r\n", "\n").split("\n")
    cuts, rest, at = cut_press(lines, roll, read), list[str](), 0
    for cut in cuts:
        rest += [*lines[at : cut.start], ""]
        at = cut.end
    rest += lines[at:]
    return Split(tuple(cut.piece for cut in cuts), "\n".join(rest).strip("\n"))


def cut_press(lines: Sequence[str], roll: Roll, read: Read | None = None) -> tuple[Cut, ...]:
    """The press in the lines of a message (new text alone), in its order. `GM: ...` and `to GM:
    ...` are a note, and none.

    `read` is how a text would be read that comes from the writer alone; without it nothing is held.
    """
    ends = [number for number, line in enumerate(lines) if _END.fullmatch(line)]
    judge = Judge(read) if read is not None else None
    cuts: list[Cut] = []
    at = 0
    while at < len(lines):
        if _END.fullmatch(lines[at]):
            return (Cut(0, len(lines), Unsent("end-without-press", lines[at].strip())),)
        heading = None if _NOTE.fullmatch(lines[at]) else _heading(lines[at], roll, inside=False)
        if heading is None:
            at += 1
            continue
        end, closed = _end_of(lines, at + 1, roll)
        if len(cuts) >= MOST_PIECES or (not closed and ends and ends[-1] >= end):
            why = "too-many-at-once" if len(cuts) >= MOST_PIECES else "where-it-ends"
            return (*cuts, Cut(at, len(lines), Unsent(why, lines[at].strip()[:80])))
        below = lines[at + 1 : end]
        piece: Press | Held | Unsent = _piece(heading, below, closed=closed)
        last = end + closed
        if judge is not None and isinstance(piece, Press) and len(piece.text) > LONGEST:
            piece = Unsent("too-long")
        elif judge is not None and isinstance(piece, Press) and not closed:
            piece, behind = _judged(lines[at], heading, piece, below, judge)
            last = end - len(behind)
            if isinstance(piece, Press) and (piece.to.grey or roll.hides_names):
                piece = held_if_signed(_opening(lines[at], heading), piece, roll.signs) or piece
        cuts.append(Cut(at, last, piece))
        at = end + closed
    return tuple(cuts)


def _judged(
    first: str, heading: _Heading, whole: Press, below: Sequence[str], judge: Judge
) -> tuple[Press | Held | Unsent, Sequence[str]]:
    """A press without a mark of its end, as far as it is press beyond doubt; and what stands behind
    it.
    """
    body = [heading.text, *below]
    try:
        ended = find_end(body, judge)
    except TooMuch:
        return Unsent("too-many-lines", first.strip()[:80]), ()
    if ended.found:
        return _held(_opening(first, heading), whole, ended.found), ()
    return _piece(heading, body[1 : ended.lines], closed=False), body[ended.lines :]


def _opening(first: str, heading: _Heading) -> str:
    """The first line of a press without the words that stand on it."""
    return first.rstrip().removesuffix(heading.text).strip()


def held_if_signed(opening: str, press: Press, names: Sequence[str]) -> Held | None:
    """Press whose writer nobody should learn, with their name below it; None: it is not signed."""
    lines = press.text.splitlines()
    count = signature_lines(lines, names)
    if not count:
        return None
    signature, unsigned = (
        tuple(filter(str.strip, lines[-count:])),
        "\n".join(lines[:-count]).strip(),
    )
    return Held(
        press,
        signature,
        closed_press(opening, press.text),
        closed_press(opening, unsigned),
        signed=True,
    )


def _held(opening: str, press: Press, found: Sequence[str]) -> Held:
    talk = press.text
    for piece in found:
        talk = talk.replace(piece, "", 1)
    talk = "\n".join(line.strip() for line in talk.splitlines()).strip()
    orders = "\n".join(found)
    as_orders = (
        f"{closed_press(opening, talk)}\n{orders}" if any(map(str.isalnum, talk)) else orders
    )
    return Held(press, tuple(found), closed_press(opening, press.text), as_orders)


def closed_press(opening: str, text: str) -> str:
    """A press that says where it ends."""
    return f"{opening}\n{text}\nENDPRESS"


def is_end_of_press(line: str) -> bool:
    """Whether a line is an `ENDPRESS`."""
    return _END.fullmatch(line) is not None


def opens_press(line: str) -> bool:
    """Whether a line begins a press, at any table."""
    plain = _PLAIN.match(line)
    if plain is not None:
        return not _is_sentence(plain["whom"])
    return _explicit(line, Roll(())) is not None


class Reply(msgspec.Struct, frozen=True):
    """An answer to a press: its words, whether they are for all its readers (`reply all`), and
    whether it says that it is one. `number`: which of several in a letter it answers (`reply 2:
    ...`).
    """

    text: str
    for_all: bool = False
    explicit: bool = False
    number: int | None = None

    @property
    def heading(self) -> str:
        """The line that says the same."""
        number = f" {self.number}" if self.number is not None else ""
        return f"reply{' all' if self.for_all else ''}{number}:"


def split_reply(text: str) -> Reply:
    """Read the words that answer a press."""
    found = _REPLY.match(text)
    if found is not None:
        return Reply(
            text[found.end() :].strip(),
            found["all"] is not None,
            explicit=True,
            number=_number_in(found),
        )
    for_all = _REPLY_ALL.match(text)
    return (
        Reply(text.strip())
        if for_all is None
        else Reply(text[for_all.end() :].strip(), for_all=True)
    )


def is_places_alone(text: str) -> bool:
    """Whether it names provinces (in a turn) and says nothing else."""
    return _PLACES.fullmatch(text.strip(" ?.!")) is not None


def format_press(press: Press, roll: Roll) -> str:
    """The one spelling that `split_press` reads back as this press alone. ValueError for a text
    that no spelling could hold.
    """
    whom = ["all"] if press.to.kind == "public" else ["team"] if press.to.kind == "team" else []
    if press.to.kind in ("private", "gm"):
        whom += [f"#{number}" for number in press.to.players]
        whom += ["GM"] if press.to.gm else []
    whom += ["observers"] if press.to.observers else []
    text = f"press {'grey ' if press.to.grey else ''}to {', '.join(whom)}\n{press.text}\nendpress"
    if split_press(text, roll) != Split((msgspec.structs.replace(press, closed=True),), ""):
        raise ValueError("no spelling holds that press")
    return text


def cut_reply(text: str) -> tuple[Reply, int] | None:
    """An answer to press that says where it ends, and where that is; None for other text."""
    found = _REPLY.match(text)
    if found is None:
        return None
    at = found.end()
    for line in text[at:].split("\n"):
        if _END.fullmatch(line):
            words = text[found.end() : at].strip()
            number = _number_in(found)
            reply = Reply(words, found["all"] is not None, explicit=True, number=number)
            return reply, min(at + len(line) + 1, len(text))
        at += len(line) + 1
    return None


def _number_in(found: re.Match[str]) -> int | None:
    return int(found["number"]) if found["number"] is not None else None


def held_answer(heading: str, press: Press, found: Sequence[str]) -> Held:
    """An answer that goes to nobody yet; `heading` is what makes it press. What only an answer
    leads to is press or orders, not both.
    """
    held = _held(heading, press, found)
    return (
        held
        if heading.startswith("press ")
        else msgspec.structs.replace(held, as_orders="\n".join(found))
    )


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
    """Whether no reader is named but what somebody does: `to P3`, `to Ben we offer`."""
    words = whom.split()
    is_place = _PLACE.fullmatch(whom.strip()) is not None
    return (
        is_place
        or not words
        or _OFFERING.search(whom) is not None
        or (words[0].casefold() in _NO_NAMES and plain_words(whom) not in TEAM)
    )


def _plain(line: str, roll: Roll, *, inside: bool) -> _Heading | None:
    found = _PLAIN.fullmatch(line)
    if found is None or _is_sentence(found["whom"]):
        return None
    try:
        return _Heading(find_readers(found["whom"], roll, grey=False), found["text"].strip())
    except Doubt as doubt:
        is_word = found["word"].casefold() == "an"
        if (
            (inside or is_word)
            and doubt.unsent.code == "unknown"
            and not _is_like_a_name(found["whom"], roll, is_word=is_word)
        ):
            return None
        return _Heading(doubt.unsent, "")


def _is_like_a_name(whom: str, roll: Roll, *, is_word: bool) -> bool:
    """Whether it may be a name with a slip, or somebody of another table."""
    folded = fold(whom)
    if any(fuzz.ratio(folded, fold(member.name)) >= ALIKE for member in roll.members):
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
        return (
            None
            if not shade or rest.strip(" .!")
            else _Heading(Unsent("nobody", line.strip()[:80]), "")
        )
    try:
        return _Heading(find_readers(whom, roll, grey=grey), text)
    except Doubt as doubt:
        return _Heading(doubt.unsent, "")


def _broadcast(line: str, rest: str, *, grey: bool) -> _Heading | None:
    whom, colon, text = _at_colon(rest)
    if whom.strip(" .!") and (not colon or plain_words(whom.removeprefix(" to ")) not in ALL):
        return _Heading(Unsent("form", line.strip()[:80]), "")
    return _Heading(To("public", grey=grey), text)


def _at_colon(text: str) -> tuple[str, bool, str]:
    found = re.search(_COLON, text)
    return (
        (text, False, "")
        if found is None
        else (text[: found.start()], True, text[found.end() :].strip())
    )
