"""What a message says, piece by piece: statements, of which each character of the message belongs
to exactly one.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal, Self

import msgspec
from msgspec.structs import replace

from pbem.grammar import addresses, press
from pbem.grammar.addressees import Unsent
from pbem.grammar.house.commands import AnyCommand, Settings
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Propose
from pbem.grammar.veterans import put_orders

Unsendable = Literal["", "mixed", "orders", "too-long", "too-many-lines"]


class Statement(msgspec.Struct, frozen=True):
    """Base of all statements. `span`: from where to where of the message it stands."""

    span: tuple[int, int]


class Orders(Statement, frozen=True):
    """What is the game's to read, or nobody's."""


class Press(Statement, frozen=True):
    """What is for others at the table: to be sent, to be asked about, or why it cannot go."""

    piece: press.Press | press.Held | Unsent


class Reply(Statement, frozen=True):
    """The words that answer press. `written` is all of them, with their heading; `why` they cannot
    go, or what of them (`found`) reads as orders.
    """

    reply: press.Reply
    written: str
    is_closed: bool = False
    why: Unsendable = ""
    found: tuple[str, ...] = ()


class Address(Statement, frozen=True):
    """What is wished about the writer's own addresses."""

    wish: addresses.AddressWish


class Vote(Statement, frozen=True):
    """A plain answer to the motion that is asked about."""

    answer: str


class Word(Statement, frozen=True):
    """A word of the house. `slip`: how it was spelled, where that was not its spelling."""

    command: AnyCommand
    slip: str = ""


class Called(Statement, frozen=True):
    """The name of the table in front of a line that is for it."""


class Yes(Statement, frozen=True):
    """What was offered is taken: these, or all of it."""

    numbers: tuple[int, ...] = ()


class Leaving(Statement, frozen=True):
    """Its writer wants to leave, in whatever words; a game that has an order of these words takes
    them for that.
    """


class Note(Statement, frozen=True):
    """For the game masters."""

    text: str


class Edited(Statement, frozen=True):
    """Words that edit what stands, done before the rest is read."""


class Unclear(Statement, frozen=True):
    """What is not to be read: a `question` behind something else on its line, or a `number` alone
    next to what nobody can decode.
    """

    why: Literal["question", "number"]


class More(Statement, frozen=True):
    """What belongs to a statement above that another has interrupted; `is_press`: to an answer to
    press.
    """

    is_press: bool = False


class Said(msgspec.Struct, frozen=True):
    """What a game gets of a message: its text without what is for others, and the statements of
    that text. None: all of it is orders. `propose` is somebody who may know what is meant where
    the game cannot tell (`pbem.grammar.kit.wholly`).
    """

    text: str
    statements: tuple[Statement, ...] = ()
    propose: Propose | None = None

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """The words of the house, in their order; all settings as one, for they are answered
        together.
        """
        return merge_settings([one.command for one in self.statements if isinstance(one, Word)])

    @property
    def answers(self) -> tuple[int, ...] | None:
        """The numbers behind `yes`; (): a plain one, None: there is none."""
        said = [one.numbers for one in self.statements if isinstance(one, Yes)]
        return tuple(dict.fromkeys(n for numbers in said for n in numbers)) if said else None

    @property
    def note(self) -> str | None:
        """All that is for the game masters."""
        notes = [one.text for one in self.statements if isinstance(one, Note)]
        return "\n".join(notes) if notes else None

    @property
    def leaving(self) -> tuple[tuple[int, int], ...]:
        """Where its writer says that they want to leave."""
        return tuple(one.span for one in self.statements if isinstance(one, Leaving))

    @property
    def slips(self) -> tuple[str, ...]:
        return tuple(one.slip for one in self.statements if isinstance(one, Word) and one.slip)

    @property
    def is_heard(self) -> bool:
        """Whether the house has anything to do of it."""
        return any(isinstance(one, Word | Yes | Note | Leaving | Edited) for one in self.statements)

    def has(self, *kinds: type[AnyCommand]) -> bool:
        """Whether one of these words is in it."""
        return any(isinstance(one, Word) and isinstance(one.command, kinds) for one in self.house)

    @property
    def house(self) -> Iterator[Statement]:
        """All that is not the game's."""
        return (one for one in self.statements if not isinstance(one, Orders))

    def taken(self, plain: Plain) -> list[tuple[int, int]]:
        """Where in the folded text something stands that is not the game's, line by line."""
        return [place for one in self.house for place in lines_of(plain, one)]

    @property
    def has_lone_numbers(self) -> bool:
        """Whether numbers stand alone in it next to what nobody can read."""
        return any(isinstance(one, Unclear) and one.why == "number" for one in self.statements)

    def questions(self, plain: Plain) -> list[tuple[int, int]]:
        """Where in the folded text questions stand of which nobody can tell what they belong
        to.
        """
        return [
            place_of(plain, one)
            for one in self.statements
            if isinstance(one, Unclear) and one.why == "question"
        ]

    def without(self, places: Collection[tuple[int, int]]) -> Self:
        """With what stands in these places left to the game."""
        statements = (Orders(one.span) if one.span in places else one for one in self.statements)
        return replace(self, statements=tuple(statements))

    def edited(self, plain: Plain, places: Sequence[tuple[int, int]]) -> Self:
        """With edits in these places of the folded text, which are read."""
        found = [one for one in self.statements if not isinstance(one, Orders)]
        edits = [Edited(plain.span(*place)) for place in places]
        return replace(self, statements=partition(self.text, [*found, *edits]))

    @property
    def is_more(self) -> bool:
        """Whether there is more in it than edits."""
        return any(
            not isinstance(one, Edited) and any(map(str.isalnum, self.text[slice(*one.span)]))
            for one in self.statements
        )

    def below(self, lines: Sequence[str]) -> Self:
        """With these orders above."""
        head = "".join(f"{line}\n" for line in lines)
        rest = [_at(one, *(edge + len(head) for edge in one.span)) for one in self.statements]
        return type(self)(f"{head}{self.text}", (Orders((0, len(head))), *rest))

    def with_order(self, line: str) -> Self:
        """With this order below, in a paragraph of its own."""
        return self._with(Orders(_behind(self.text, line)), line)

    def with_note(self, text: str) -> Self:
        """With this note below."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        written = "GM: " + "\n".join(lines)
        return self._with(Note(_behind(self.text, written), "\n".join(lines)), written)

    def _with(self, statement: Statement, written: str) -> Self:
        statements = self.statements or (Orders((0, len(self.text))),)
        gap = Orders((len(self.text), statement.span[0]))
        return type(self)(f"{self.text}\n\n{written}", (*statements, gap, statement))


def _behind(text: str, written: str) -> tuple[int, int]:
    return len(text) + 2, len(text) + 2 + len(written)


def merge_settings(commands: Sequence[AnyCommand]) -> tuple[AnyCommand, ...]:
    """All choices of a message as one command, where the first of them stood."""
    settings = [command for command in commands if isinstance(command, Settings)]
    if len(settings) < 2:
        return tuple(commands)
    first = commands.index(settings[0])
    rest = (command for command in commands[first:] if not isinstance(command, Settings))
    chosen = tuple(choice for one in settings for choice in one.choices)
    return (*commands[:first], Settings(chosen), *rest)


def place_of(plain: Plain, statement: Statement) -> tuple[int, int]:
    """Where in the folded text a statement of its original stands."""
    start, end = (bisect_left(plain.where, offset) for offset in statement.span)
    return min(start, len(plain.text)), min(end, len(plain.text))


def lines_of(plain: Plain, statement: Statement) -> Iterator[tuple[int, int]]:
    """The same, line by line."""
    start, end = place_of(plain, statement)
    for line in plain.text[start:end].split("\n"):
        if line:
            yield start, start + len(line)
        start += len(line) + 1


def partition(text: str, found: Iterable[Statement]) -> tuple[Statement, ...]:
    """All statements of a text, in their order: what is between those found is orders, and space
    belongs to what it follows. Where two overlap, the first ends where the second begins.
    """
    ordered = sorted(found, key=lambda one: one.span[0])
    whole: list[Statement] = []
    at = 0
    for one, following in zip_longest(ordered, ordered[1:]):
        at = _fill(text, whole, at, max(one.span[0], at))
        end = one.span[1] if following is None else min(one.span[1], following.span[0])
        whole.append(_at(one, at, max(at, end)))
        at = max(at, end)
    if _fill(text, whole, at, len(text)) < len(text):
        whole.append(Orders((at, len(text))))
    return tuple(whole)


def _fill(text: str, whole: list[Statement], start: int, end: int) -> int:
    """Where what was filled ends: space above all statements is left to the first, and a line ends
    with what blank ones are below it.
    """
    gap = text[start:end]
    space = gap[: len(gap) - len(gap.lstrip())]
    if whole and "\n" in space and gap.strip():
        start += space.rindex("\n") + 1
        whole[-1] = _at(whole[-1], whole[-1].span[0], start)
    if gap.strip():
        whole.append(Orders((start, end)))
    elif whole:
        whole[-1] = _at(whole[-1], whole[-1].span[0], end)
    else:
        return start
    return end


def cut_line(written: str, above: list[str]) -> str:
    """What is left of the place of a line that is cut out, with the space behind it; the last line
    takes the break above it with it.
    """
    breaks = written.count("\n")
    if not breaks and above:
        above[-1] = above[-1].removesuffix("\n")
    return "\n" * (breaks - 1)


def left_of(text: str, statements: Sequence[Statement]) -> Said:
    """What of a message is for its game, and for the house: press and addresses are cut
    out, and what the old judges call CLEAR is said in the words that every game reads.
    """
    pieces: list[str] = []
    left: list[Statement] = []
    at = 0
    for one in statements:
        written = text[one.span[0] : one.span[1]]
        is_cut = isinstance(one, Press | Reply | Address) or (
            isinstance(one, More) and one.is_press
        )
        if is_cut:
            written = cut_line(written, pieces) if isinstance(one, Address) else "\n"
        elif isinstance(one, Orders) and (not at or pieces[-1].endswith("\n")):
            written = put_orders(written)
        pieces.append(written)
        if not is_cut:
            left.append(_at(one, at, at + len(written)))
        at += len(written)
    bare = whole = "".join(pieces)
    if any(isinstance(one, Press | Reply) for one in statements):
        bare = whole.strip("\n")
    above = whole.find(bare)
    edges = ([min(max(0, edge - above), len(bare)) for edge in one.span] for one in left)
    moved = (_at(one, *edge) for one, edge in zip(left, edges, strict=True))
    return Said(bare, partition(bare, moved))


def _at(statement: Statement, start: int, end: int) -> Statement:
    return msgspec.structs.replace(statement, span=(start, end))
