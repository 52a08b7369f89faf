"""What somebody proposes that is meant, where it could not be told: it counts only if it says all
that the message names, each in a role that fits, and adds nothing that nothing was said of.
"""

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_costs
from math import inf
from typing import NamedTuple

from msgspec.structs import replace

from pbem.reading.completion import MOST, Closed, Closing, Proposed
from pbem.reading.forms import FormRow, FormTable, is_number
from pbem.reading.items import Mention, Said
from pbem.reading.search import Costs, Search

AGAIN = 0.5
"""What it costs that a name that stands twice is only said again."""
MOST_TOLD = 120
"""Of a form with more rows than this, only what may stand in each slot is told."""


class _Line(NamedTuple):
    """A proposed order: its row, and all that stands in it."""

    text: str
    table: FormTable
    row: FormRow
    bound: Mapping[str, Hashable]


def told_of(tables: Sequence[FormTable]) -> tuple[str, ...]:
    """All that may be ordered, a line each: `March <1-3> from P2 to P7`. What may be left out
    stands in brackets; `<name>` is what may be chosen.
    """
    return tuple(dict.fromkeys(line for table in tables for line in _told(table)))


def _told(table: FormTable) -> Iterator[str]:
    if len(table.rows) <= MOST_TOLD:
        for row in table.rows:
            yield table.form.shown({**row.values, **_numbers_of(row)})
        return
    ways: dict[str, dict[str, None]] = {}
    for row in table.rows:
        for name, value in (*row.values.items(), *_numbers_of(row).items()):
            if name not in table.form.hidden:
                ways.setdefault(name, {})[str(value)] = None
    said = "; ".join(f"<{name}>: {', '.join(values)}" for name, values in ways.items())
    yield f"{table.form.shown({})}   where {said}"


def _numbers_of(row: FormRow) -> dict[str, str]:
    return {name: f"<{low}-{high}>" for name, (low, high) in row.ranges.items()}


def agreeing(
    texts: Sequence[str], tables: Sequence[FormTable], said: Said, costs: Costs
) -> Closed | None:
    """These orders, if all of them may be given and they say what the message says; else None."""
    if not 0 < len(texts) <= MOST:
        return None
    lines = [line for text in texts if (line := _line_of(text, tables)) is not None]
    if len({line.text for line in lines}) < len(texts):
        return None
    for i in range(len(lines)) if len(lines) > 1 else ():
        if _agreeing([*lines[:i], *lines[i + 1 :]], tables, said, costs) is not None:
            return None  # nothing was said of that line
    return _agreeing(lines, tables, said, costs)


def _is_told(item: Mention, told: Container[Hashable]) -> bool:
    """Whether it names something that stands in the orders, so that it may be named again."""
    return any(x.value in told and not is_number(x.kind) for x in item.values)


def _agreeing(
    lines: Sequence[_Line], tables: Sequence[FormTable], said: Said, costs: Costs
) -> Closed | None:
    narrowed = [
        FormTable(table.form, [line.row for line in lines if line.table is table], table.purse)
        for table in tables
    ]
    strict = replace_costs(costs, unsaid_deed=inf, odd_cue=inf, uncued=0.6, again=0.4)
    told = {value for line in lines for value in (*line.row.values.values(), *line.bound.values())}
    times = Counter(item.values for item in said.items if _is_told(item, told))
    items = [replace(item, spare=AGAIN) if times[item.values] > 1 else item for item in said.items]
    by_row = {id(line.row): line.bound for line in lines}
    closing = Closing(said, costs, proposed=Proposed(by_row, {x.form: x for x in tables}))
    wanted = {line.text for line in lines}
    for begun in Search(narrowed, strict).run(items):
        closed = closing.of(begun.atoms, begun.cost) if begun.cost < inf else None
        if closed is not None and {*closed.texts} == wanted:
            return closed
    return None


def _line_of(text: str, tables: Sequence[FormTable]) -> _Line | None:
    for table in tables:
        bound = table.form.said_in(text)
        if bound is None:
            continue
        bound = {name: value for name, value in bound.items() if value != ""}
        mask = table.all
        for name, value in bound.items():
            mask &= table.having(name, value)
        for row in table.of(mask):
            if all(_is_in(row, *pair) for pair in bound.items()):
                return _Line(text, table, FormRow(*row), bound)
    return None


def _is_in(row: FormRow, name: str, value: Hashable) -> bool:
    low, high = row.ranges.get(name, (0, 10**9))
    return not isinstance(value, int) or low <= value <= high
