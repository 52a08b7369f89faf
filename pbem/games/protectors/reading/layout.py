"""Messages that are laid out: tables with a heading, and a line with a province above its order."""

import itertools
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme

_BULLETS = frozenset({"DASH", "BAR", "FILLER"})


def with_tables(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """Rows under a heading `| From | To | Units |`, and numbers of provinces at the beginning of
    all rows.
    """
    settled = list(lexemes)
    rows = [_cells_of(settled, line) for line in _lines_of(settled)]
    numbered = [row[0] for row in rows if row and settled[row[0][0]].kind == "NUM"]
    own = all(settled[cell[0]].value in position.own and len(cell) == 1 for cell in numbered)
    for cell in numbered if own and len(numbered) > 1 else ():
        settled[cell[0]] = replace(settled[cell[0]], kind="PLACE")
    roles: list[str] = []
    for row in rows:
        heads = [_role_of([settled[i] for i in cell]) for cell in row]
        for i in (i for cell in row if all(heads) for i in cell):
            if settled[i].kind == "ASKING":
                settled[i] = replace(settled[i], kind="FILLER")  # `| province | what |`
        if len(row) > 1 and {"FROM", "TO"} & {*heads} and all(heads):
            roles = heads
            for i in range(row[0][0], row[-1][-1] + 1):
                settled[i] = replace(settled[i], kind="FILLER")
        elif len(row) == len(roles):
            for role, cell in zip(roles, row, strict=True):
                _fill(settled, role, cell)
        elif row:
            roles = []
    return settled


def _cells_of(lexemes: Sequence[Lexeme], line: range) -> list[range]:
    """What stands between the bars of a line; the first lexeme of a cell has its bar before it."""
    bars = [i for i in line if lexemes[i].text == "|"]
    if not bars:
        return []
    ends = itertools.pairwise([line.start - 1, *bars, line.stop])
    return [range(a + 1, b) for a, b in ends if b - a > 1]


def _role_of(cell: Sequence[Lexeme]) -> str:
    """What a column holds by its heading; "" where this is not one."""
    kinds = {x.kind for x in cell}
    if kinds & {"PLACE", "NUM", "WHO"}:
        return ""
    return next((kind for kind in ("FROM", "TO", "SAC") if kind in kinds), "WITH")


def _fill(settled: list[Lexeme], role: str, cell: range) -> None:
    """A cell of a table as what its column holds: `| 2 |` under `units`, `| 0 |` under `sac`."""
    said, mark = settled[cell[0]], cell[0] - 1
    if role == "SAC" and said.kind in {"NUM", "NOTHING"} and not said.value:
        for i in cell:
            settled[i] = replace(settled[i], kind="FILLER")
    elif (
        mark >= 0
        and settled[mark].kind == "BAR"
        and (role not in {"WITH", "SAC"} or said.kind == "NUM")
    ):
        settled[mark] = replace(settled[mark], kind=role)


def _lines_of(lexemes: Sequence[Lexeme]) -> list[range]:
    ends = [i for i, x in enumerate(lexemes) if x.kind == "NL"]
    return [
        range(a, b) for a, b in zip([0, *(i + 1 for i in ends)], [*ends, len(lexemes)], strict=True)
    ]


def with_headings(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """A line with nothing but a province, and its order below it: `Province 1` / `- Fortify`; not
    below another such line, nor below an order word that may be about it.
    """
    settled = list(lexemes)
    lines = [[i for i in x if settled[i].kind not in _BULLETS] for x in _lines_of(settled)]
    kinds = [[settled[i].kind for i in line] for line in lines]
    heads = [said in (["PLACE"], ["PLACE", "COLON"]) for said in kinds]
    loose, ordered = False, False
    for n, line in enumerate(lines[:-1]):
        if kinds[n] in (["BID"], ["BUY"]) and kinds[n + 1][:1] in (["NUM"], ["PLACE"]):
            end = next(j for j in range(line[-1], len(settled)) if settled[j].kind == "NL")
            settled[end] = replace(settled[end], kind="FILLER")  # `Bid` / `20`
    for n, line in enumerate(lines[:-1]):
        below = lines[n + 1]
        bare = kinds[n] != [] and set(kinds[n]) <= DIALECT.verbs | {"COLON"} and not ordered
        ends = n + 2 >= len(lines) or not lines[n + 2] or heads[n + 2]
        ordered = heads[n] and bool(below) and ends and not loose
        ordered = ordered and settled[below[0]].kind != "PLACE"
        if ordered:
            end = next(j for j in range(line[-1] + 1, len(settled)) if settled[j].kind == "NL")
            settled[end] = replace(settled[end], kind="COLON")
            for j in range(end + 1, below[0]):
                settled[j] = replace(settled[j], kind="FILLER")
        loose = bool(line) and (loose or bare or (heads[n] and not ordered))
    return settled
