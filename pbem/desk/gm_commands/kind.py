"""What the desk does with one kind of a game master's commands: all of it is one object. How the
command is written is the grammar's. A tally gathers what the answer will say.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from pbem.desk.gm import By
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import OpenTable
from pbem.grammar.gm.commands import AnyCommand, GmCommand, slots_of
from pbem.grammar.gm.rules import Clauses
from pbem.grammar.gm.words import WORDS, Word
from pbem.pages.gm import Result, Value
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work

FindTables = Callable[[], Sequence[str]]
"""The short names of the tables that a question is about. NotDone if it is about none."""


@dataclass(slots=True)
class Tally:
    results: list[Result] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    lists_tables: bool = False
    notes_of: list[str] | None = None
    helps: bool = False
    is_changed: bool = False

    def touch(self, slug: str) -> None:
        if slug and slug not in self.touched:
            self.touched.append(slug)

    def show_status(self, find_tables: FindTables) -> None:
        self.asked_for += [slug for slug in find_tables() if slug not in self.asked_for]

    def show_notes(self, find_tables: FindTables) -> None:
        self.notes_of = [*(self.notes_of or []), *find_tables()]

    def show_tables(self, _find_tables: FindTables) -> None:
        self.lists_tables = True

    def show_help(self, _find_tables: FindTables) -> None:
        self.helps = True


C = TypeVar("C", bound=GmCommand)
Facts = Mapping[str, Value]


class Item(msgspec.Struct, frozen=True):
    """A command that can be carried out: its table is a short name that exists, its player a name
    at that table.

    `index` is its line. `until` is the instant that is meant (and `since` where something begins),
    `phase` the open phase it is about: once that is over the command means nothing any more.
    """

    index: str
    quote: str
    command: AnyCommand
    until: datetime | None = None
    phase: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation(Transaction[Context]):
    """How things stand when a command is read: who gives it, and its table."""

    person: PersonRow
    table: OpenTable


@dataclass(frozen=True, slots=True)
class Outcome(Transaction[Context]):
    """What a command came to: what was logged of it (`detail`), and what its use case answered;
    None where it was carried out before.
    """

    item: Item
    game: GameRow | None
    detail: Mapping[str, Any]
    answer: object


Do = Callable[[Services, Item, Any, By], Awaitable[object]]


async def as_it_is(_situation: Situation, item: Item, _command: Any) -> Item:
    return item


def own_values(command: GmCommand) -> Facts:
    """What is said in plain values, under the names of its fields; rules as `options`, in words."""
    values = msgspec.structs.asdict(command).items()
    facts: dict[str, Value] = {
        name: value
        for name, value in values
        if name != "table" and isinstance(value, str | int | None)
    }
    for name, part, _required in slots_of(type(command)):
        if isinstance(part, Clauses):
            facts["options"] = part.format(getattr(command, name))
    return facts


async def nothing(*_about: Any) -> Facts:
    return {}


async def never(_services: Context, item: Item, _command: Any, _by: By) -> object:
    raise TypeError(f"nothing is done by {item.command!r}")


def uses(use_case: Callable[..., Awaitable[object]]) -> Do:
    """Does it by a use case that takes the table (except for a note), the fields in the order of
    the record, and who gives it; flags by their names.
    """

    async def do(services: Services, _item: Item, command: GmCommand, by: By) -> object:
        slots = slots_of(type(command))
        values = {slot.field: getattr(command, slot.field) for slot in slots}
        flags = {slot.field: values.pop(slot.field) for slot in slots if slot.part.is_flag}
        table = () if command.needs == "note" else (command.table,)
        return await use_case(services, *table, *values.values(), by, **flags)

    return do


@dataclass(frozen=True, slots=True)
class CommandKind(Generic[C]):
    """Everything that is done with commands of one type.

    A player in a field `player` is found at the table before `resolve` is asked.
    """

    command: type[C]
    _: KW_ONLY
    every_table: bool = False
    """Only for those who run all the tables of the house."""
    over: str = ""
    """Where it cannot be for a game that is over: what is said of that game."""
    only_one: str = ""
    """Where of several in one message only the first is taken: the code of the refusal."""
    in_parts: bool = False
    """It is logged in parts, so the first part in the log does not mean that it is done."""
    holds_phase: bool = False
    """It changes the phase that it was read in, and no other."""

    split: Callable[[C], Sequence[C]] = lambda command: (command,)
    """The commands that one line gives."""
    resolve: Callable[[Situation, Item, C], Awaitable[Item]] = as_it_is
    """What is meant as things stand. NotDone, Refused or Unread where that is nothing."""
    check: Callable[[Situation, Item, C], Awaitable[object]] | None = None
    """Refused if its use case would refuse it now: nobody is asked about what cannot be. To a game
    master who plays at the table nothing is told by it that only the orders of the others know.
    """
    says: Callable[[C], Facts] = own_values
    """What the command itself says: facts of both letters."""
    preview: Callable[[Work, OpenTable, C], Awaitable[Facts]] = nothing
    """What else is told of it when it waits for a yes."""
    do: Callable[[Services, Item, C, By], Awaitable[object]] = never
    """Its use case; for what only asks, or is resolved to another command, there is none."""
    tell: Callable[[Outcome, C], Awaitable[Facts]] = nothing
    """What else is told once it is done: the same words each time."""
    logged: Sequence[str] = ()
    """Facts of the log entry that the letter tells, under the same names."""
    look_up: Callable[[Tally, FindTables], None] | None = None
    """Of a question that shows no secret: what its answer shows."""

    @property
    def words(self) -> Word:
        """Its entry in the grammar's table."""
        return WORDS[str(self.command.__struct_config__.tag)]
