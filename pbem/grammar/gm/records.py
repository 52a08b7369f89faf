"""Reading a line against the record of a command, and writing it: one parser for all of them.

It cuts a line at the lead-ins of the fields, in any order that these tell apart. The table may
stand before the fields, behind them, or behind one of them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any, TypeVar

from pbem.grammar.gm.commands import GmCommand, HouseCommand, Slot, slots_of
from pbem.grammar.gm.naming import SLUG, slug_of, table_alone
from pbem.grammar.gm.rules import Clauses
from pbem.grammar.gm.tails import Tail
from pbem.grammar.gm.values import Lexicon, Unread

C = TypeVar("C", bound=GmCommand)
MOST_CHARACTERS = 200
"""The longest field that others follow."""
_IN = "(?:of|at|in|for|to)"
_TABLE = "(?:the )?(?:(?:table|game) )?"
_HEAD = re.compile(
    rf"(?P<lead>{_IN} )?{_TABLE}(?P<table>{SLUG})(?P<then> ?[:,] ?| |$)", re.IGNORECASE
)
_END = re.compile(
    rf"(?:^|(?<![ ])[ ]++)(?P<lead>{_IN} )?{_TABLE}(?P<table>{SLUG})[ .!]*$", re.IGNORECASE
)
_WITHIN = re.compile(
    r"(?:^|(?<![ ])[ ]++)(?:(?P<of>of)|for|at|in) (?:table )?"
    rf"(?P<table>{SLUG})(?P<colon> ?[:,]| |$)(?:to )?",
    re.IGNORECASE,
)
_MIDDLE = re.compile(rf"(?<![ ])[ ]++(?:of|at|in) (?![Pp]\d+ )(?P<table>{SLUG})(?=[ ])")
_NO_TABLE = re.compile(
    r"(?:by|to|until|till|is|at|on|of|for|with|and|off|the|now|open|phase|number|no|note|request|deadline|p\d+)$",
    re.IGNORECASE,
)


def read_record(command: type[C], rest: str, table: str, lexicon: Lexicon) -> C:
    """The command of this type that a line gives behind its word. Unread where it gives none."""
    slots = slots_of(command)
    if not slots:
        house = issubclass(command, HouseCommand)
        return command() if house else command(table=table_alone(rest, table))
    reading = _Reading(lexicon, table)
    last, others, head, end = slots[-1], slots, rest, ""
    if isinstance(last.part, Tail):
        others = slots[:-1]
        head, end = last.part.split(rest, lexicon.tables, is_alone=not others)
    if others:
        values = reading.read(others, head.strip(" :"))
    else:
        values = {}
        reading.table = table_alone(re.sub(r"^ *(?:to|at) ", "", head), table)
    if others != slots:
        if last.required and not end:
            raise Unread("missing", last.part.code, head.strip(" :"))
        values |= last.part.read(last.field, end, lexicon)
    if not issubclass(command, HouseCommand):
        values["table"] = reading.table
    try:
        return command(**values)
    except ValueError as error:
        raise Unread("missing", slots[0].part.code, rest.strip()) from error


def format_record(command: GmCommand) -> str:
    """What stands behind the word of a command; `read_record` reads it back to the same."""
    return "".join(slot.part.write(slot.field, command) for slot in slots_of(type(command)))


class _Reading:
    """Reads one line, and gathers the table that it names."""

    def __init__(self, lexicon: Lexicon, table: str) -> None:
        self.lexicon = lexicon
        self.table = table
        self._named = ""

    def read(self, slots: Sequence[Slot], text: str) -> dict[str, Any]:
        """All of the fields."""
        if isinstance(slots[0].part, Clauses):
            is_led = bool(slots[0].part.lead_in)
            text = self._cut_within(text, _WITHIN) if is_led else self._cut_before(text)
            return dict(slots[0].part.read(slots[0].field, text, self.lexicon))
        text = self._cut(slots, text)
        try:
            return self._fields(slots, text)
        except Unread as unread:
            is_name = slots[0].part.is_name and not slots[0].part.goes_to_a_table
            if unread.kind == "ambiguous" or self._named or is_name:
                raise
            for table, others in _unknown_tables(text, has_lead=slots[0].part.is_name):
                try:
                    values = self._fields(slots, others)
                except Unread as without:
                    if (unread.kind, without.kind) != ("missing", "missing"):
                        unread = unread if unread.kind != "missing" else without
                    continue
                self._name(table, text)
                return values
            raise unread from None

    def _fields(self, slots: Sequence[Slot], text: str) -> dict[str, Any]:
        found = _cut_fields(slots, text)
        values: dict[str, Any] = {}
        for slot in slots:
            said = found.get(slot.field)
            if said is not None:
                said = self._cut_end(said, has_to=False) if len(slots) > 1 else said
                values |= slot.part.read(slot.field, said, self.lexicon)
            value = values.get(slot.field)
            is_missing = slot.field not in values or (value == "" and not slot.part.may_be_empty)
            if slot.required and (is_missing or value is None):
                raise Unread("missing", slot.part.code, text)
        return values

    def _cut(self, slots: Sequence[Slot], text: str) -> str:
        """The line without a known table before it or behind it."""
        part = slots[0].part
        text = text if part.is_name else part.before.sub("", text, count=1)
        head = _HEAD.match(text)
        if head is not None and (head["lead"] or not part.is_name):
            is_all = head.end() == len(text) and part.is_name
            if slug_of(head["table"]) in self.lexicon.tables and not is_all:
                self._name(head["table"], text)
                text = text[head.end() :]
        text = part.before.sub("", text, count=1)
        if part.holds_table:
            text = self._cut_within(text, _MIDDLE)
        is_bare = not part.is_name and not part.holds_table
        return self._cut_end(text, has_to=part.goes_to_a_table, is_bare=is_bare)

    def _cut_end(self, text: str, *, has_to: bool, is_bare: bool = False) -> str:
        end = _END.search(text)
        if end is None or slug_of(end["table"]) not in self.lexicon.tables:
            return text
        lead = (end["lead"] or "").strip().casefold()
        if (not lead and not is_bare) or (lead in ("to", "for") and not (has_to or is_bare)):
            return text
        self._name(end["table"], text)
        return text[: end.start()]

    def _cut_within(self, text: str, where: re.Pattern[str]) -> str:
        """The text without the known table that is named somewhere in it."""
        for found in where.finditer(text):
            if slug_of(found["table"]) in self.lexicon.tables:
                self._name(found["table"], text)
                left = f"{text[: found.start()]} {text[found.end() :]}"
                return " ".join(left.split()).strip(" :")
        return text

    def _cut_before(self, text: str) -> str:
        """Clauses without the table before them: a known one, or any behind `of` or before a
        colon.
        """
        found = _WITHIN.match(text)
        if found is None or not (
            slug_of(found["table"]) in self.lexicon.tables or found["of"] or ":" in found["colon"]
        ):
            return text
        self._name(found["table"], text)
        return text[found.end() :].strip(" :")

    def _name(self, table: str, text: str) -> None:
        slug = slug_of(table)
        if self._named not in ("", slug):
            raise Unread("ambiguous", "table", text, tuple(sorted({self._named, slug})))
        self._named = self.table = slug


def _unknown_tables(text: str, *, has_lead: bool) -> Iterator[tuple[str, str]]:
    """What may be a table that nobody knows, before the fields or behind them, and the rest."""
    for found in (_HEAD.match(text), _END.search(text)):
        if found is None or _NO_TABLE.match(found["table"]) or (has_lead and not found["lead"]):
            continue
        yield found["table"], f"{text[: found.start()]}{text[found.end() :]}"


def _cut_fields(slots: Sequence[Slot], text: str) -> dict[str, str]:
    """What is said of each field; of the first ones alone, where others are missing."""
    needed = [slot for slot in slots if slot.required]
    parts = (_pattern(needed[:count], is_bare=False) for count in range(len(needed) - 1, 0, -1))
    for pattern in (*_patterns(tuple(slots)), *parts):
        found = pattern.fullmatch(text)
        if found is not None:
            return {name: said for name, said in found.groupdict().items() if said}
    return {}


@cache
def _patterns(slots: tuple[Slot, ...]) -> tuple[re.Pattern[str], ...]:
    orders = [
        order
        for order in permutations(slots)
        if order[0].required is slots[0].required
        and all(slot.part.lead or slot.part.is_bare for slot in order[1:])
    ]
    patterns = [_pattern(order, is_bare=False) for order in orders]
    if any(slot.part.is_bare for slot in slots):
        patterns.append(_pattern(slots, is_bare=True))
    return tuple(patterns)


def _pattern(slots: Sequence[Slot], *, is_bare: bool) -> re.Pattern[str]:
    """The fields in this order, each behind its lead-in. The first needs none; where all are single
    words (`is_bare`), none does.
    """
    parts: list[str] = []
    for number, (field, part, required) in enumerate(slots):
        is_last = number == len(slots) - 1
        said = ".+" if is_last else rf".{{{int(number > 0)},{MOST_CHARACTERS}}}?"
        if is_bare and required:
            said = "[^ ]+"
        lead = f"(?:{part.lead})" + "?" * (number == 0) if part.lead else ""
        if is_bare and part.is_bare:
            lead = " "
        one = f"{lead}(?P<{field}>{said})"
        parts.append(one if required else f"(?:{one})?")
    return re.compile("".join(parts), re.IGNORECASE)
