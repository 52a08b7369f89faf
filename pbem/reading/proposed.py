"""What somebody proposes that is meant, where it could not be told: it counts only if it says all
that the message names, each in a role that fits, and adds nothing that nothing was said of.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from pbem.reading.closing import MOST, Closed
from pbem.reading.forms import Row, Table
from pbem.reading.items import Said
from pbem.reading.search import Atom, Costs, Search

MOST_TOLD = 120
"""Of a form with more rows than this, only what may stand in each slot is told."""


class _Line(NamedTuple):
    """A proposed order: its row, and all that stands in it."""

    text: str
    table: Table
    row: Row
    bound: Mapping[str, Hashable]

    @property
    def full(self) -> Mapping[str, Hashable]:
        return {**self.row.values, **self.bound}


def told_of(tables: Sequence[Table]) -> tuple[str, ...]:
    """All that may be ordered, a line each: `March <1-3> from P2 to P7`. What may be left out
    stands in brackets; `<name>` is what may be chosen.
    """
    return tuple(dict.fromkeys(line for table in tables for line in _told(table)))


def _told(table: Table) -> Iterator[str]:
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


def _numbers_of(row: Row) -> dict[str, str]:
    return {name: f"<{low}-{high}>" for name, (low, high) in row.ranges.items()}


def agreeing(
    texts: Sequence[str], tables: Sequence[Table], said: Said, costs: Costs
) -> Closed | None:
    """These orders, if all of them may be given and they say what the message says; else None."""
    lines = [line for text in texts if (line := _line_of(text, tables)) is not None]
    if not 0 < len(texts) <= MOST or len(lines) < len(texts):
        return None
    if len({id(line.row) for line in lines}) < len(lines):
        return None
    for i in range(len(lines)) if len(lines) > 1 else ():
        if _agreeing([*lines[:i], *lines[i + 1 :]], tables, said, costs) is not None:
            return None  # nothing was said of that line
    return _agreeing(lines, tables, said, costs)


def _agreeing(
    lines: Sequence[_Line], tables: Sequence[Table], said: Said, costs: Costs
) -> Closed | None:
    narrowed = [
        Table(table.form, [line.row for line in lines if line.table is table], table.purse)
        for table in tables
    ]
    strict = replace(costs, unsaid_deed=inf, odd_cue=inf)
    for begun in Search(narrowed, strict).run(said.items):
        if begun.cost == inf:
            break
        told = _meant(begun.atoms, lines, said)
        if told is not None:
            return Closed(begun.cost, told, begun.cost)
    return None


def _line_of(text: str, tables: Sequence[Table]) -> _Line | None:
    for table in tables:
        bound = table.form.said_in(text)
        if bound is None:
            continue
        bound = {name: value for name, value in bound.items() if value != ""}
        for row in _rows(table, bound):
            return _Line(text, table, row, bound)
    return None


def _rows(table: Table, bound: Mapping[str, Hashable]) -> list[Row]:
    """The rows with all this in them."""
    mask = table.all
    for name, value in bound.items():
        mask &= table.having(name, value)
    return [row for row in table.of(mask) if all(_is_in(row, *pair) for pair in bound.items())]


def _is_in(row: Row, name: str, value: Hashable) -> bool:
    low, high = row.ranges.get(name, (0, 10**9))
    return not isinstance(value, int) or low <= value <= high


def _meant(
    atoms: Sequence[Atom], lines: Sequence[_Line], said: Said
) -> tuple[tuple[str, int], ...] | None:
    """The lines with their sentences, if each of them, and nothing else, is what something says
    that was named; None: they are not what is meant.
    """
    found: dict[str, int] = {}
    for atom in atoms:
        fits = [line for line in lines if atom.taken or _fits(atom, line, said)]
        if not fits:
            return None
        if len(fits) == 1 and not atom.taken:
            found.setdefault(fits[0].text, atom.sentence)
    return tuple(found.items()) if len(found) == len(lines) else None


def _fits(atom: Atom, line: _Line, said: Said) -> bool:
    """Whether this line says what was said there, and leaves nothing out that was."""
    if atom.form is not line.table.form or atom.spread or atom.less:
        return False
    full, ranges = line.full, line.row.ranges
    for name, value in atom.bound.items():
        high = max((most for _, most in ranges.values()), default=0)
        if name == "total":
            if value != high:
                return False
        elif name in atom.form.numbers:
            if not _is_number(value, full.get(name), ranges.get(name, (0, 0))[1]):
                return False
        elif full.get(name) != value:
            return False
    unsaid = [name for name in line.bound if name not in atom.bound]
    if any(name in atom.form.optional or name in atom.form.flags for name in unsaid):
        return False
    for name in unsaid:
        value = line.bound[name]
        many = atom.many if name in atom.form.numbers - atom.form.optional else None
        if many is not None and isinstance(value, int) and (value > 1) != many:
            return False  # `the knights` are more than one
    return not unsaid or _may_say(atom.sentence, said) or _is_only_way(atom, line, unsaid)


def _is_number(said: Hashable, count: Hashable, high: int) -> bool:
    match said:
        case "ALL":
            return count == high
        case "BOTH":
            return count == high == 2
        case "HALF":
            return isinstance(count, int) and 2 * count == high
    return count == said


def _may_say(sentence: int, said: Said) -> bool:
    """Whether words are left in a sentence that may say what its names do not; a word that nobody
    knows may be another name.
    """
    if said.is_strange or sentence in said.dangling:
        return False
    return sentence in said.points or bool(said.common.get(sentence))


def _is_only_way(atom: Atom, line: _Line, unsaid: Sequence[str]) -> bool:
    numbers = atom.form.numbers
    ways = _rows(line.table, {k: v for k, v in atom.bound.items() if k not in numbers})
    ranges = [ways[0].ranges.get(name, (0, 1)) for name in unsaid if name in numbers]
    return len(ways) == 1 and all(low == high for low, high in ranges)
