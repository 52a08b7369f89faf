"""What stands in an order: amounts of units, places with their part in it, words that say what to
do, and the joints between; and the runs of them that belong together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from msgspec.structs import replace as replace_lexeme

from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one
from pbem.games.fortresses.reading.kinds import CARRYING, COUNTING, FLEEING, ORDERS, UNITS, VERBS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.rings import Judged
from pbem.grammar.kit.slots import SILENT

Role = Literal["", "from", "to", "in", "via"]
Family = Literal["", "attack", "move", "carry", "buy", "order"]

_ROLES: dict[str, Role] = {
    "FROM": "from",
    "TO": "to",
    "INTO": "to",
    "ARROW": "to",
    "DASH": "to",
    "IN": "in",
    "FOR": "in",
    "VIA": "via",
}
_ANEW = ORDERS - set_of("DIE STAY REMAIN FIGHT CANCEL")
"""Behind a deed with its place, these begin another order with no sign between."""
_LEAVING = frozenset({"leave", "leaving"})


@dataclass(frozen=True, slots=True)
class Amount:
    """Units of a type (empty: of any; `land`: of any that walks); `count` None: all there are."""

    code: UnitCode | Literal["", "land"]
    count: int | None
    lexeme: Lexeme
    excepted: bool = False
    is_bare: bool = False
    """Neither a number nor a word for all stands before it."""
    each: bool = False
    """The number applies to each zone that follows."""

    @property
    def type(self) -> UnitCode | None:
        """The one type that it is of."""
        return next((code for code in CODES if code == self.code), None)

    @property
    def units(self) -> Units:
        """The units of its type and number; none if either is missing."""
        return one(self.type, self.count or 0) if self.type is not None else NONE

    def of(self, free: Units) -> Units:
        """The units that it means among these: of no type, as many as there are."""
        if self.count is not None:
            guys = not self.type and self.count == free.total  # `the Norway guy`
            return free if guys else self.units
        return free.only(LAND_CODES if self.code == "land" else [self.type] if self.type else CODES)


def counted(amounts: Sequence[Amount]) -> Units | None:
    """All of them together; None if one is not counted, or of no type."""
    told = all(x.count is not None and x.type and not x.excepted for x in amounts)
    return sum((x.units for x in amounts), NONE) if amounts and told else None


@dataclass(frozen=True, slots=True)
class Place:
    """A zone and its part; `heads`: a colon or `with` follows; `steps`: a way continues from it."""

    role: Role
    lexeme: Lexeme
    heads: bool = False
    steps: bool = False
    given: bool = False
    """`for` leads to it."""


@dataclass(frozen=True, slots=True)
class Say:
    """A word that says what to do, or how."""

    lexeme: Lexeme

    @property
    def kind(self) -> str:
        return self.lexeme.kind


@dataclass(frozen=True, slots=True)
class Joint:
    kind: str


Piece = Amount | Place | Say | Joint


@dataclass(slots=True)
class Run:
    """Pieces that come to one kind of order."""

    family: Family
    pieces: list[Piece]

    @property
    def solid(self) -> list[Amount | Place | Say]:
        return [piece for piece in self.pieces if not isinstance(piece, Joint)]

    def says(self, *kinds: str) -> Say | None:
        """The first such word."""
        found = (one for one in self.pieces if isinstance(one, Say) and one.kind in kinds)
        return next(found, None)


def pieces_of(judged: Sequence[Judged], text: str) -> list[Piece]:
    """The pieces of the clauses that order something. Any other word stays a word."""
    found: list[Piece] = []
    units: Lexeme | None = None
    for said in judged:
        if found:
            found.append(Joint(said.clause.joint or "COMMA"))
        lexemes = [x for x in said.clause.lexemes if x.kind not in SILENT]
        read = _Clause(lexemes, text, units).read()
        found += read
        for piece in read:  # looking back instead would grow with all that was said
            if isinstance(piece, Amount):
                units = piece.lexeme
    return list(_with_lists(found))


def _with_lists(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """`the knights from France and Normandy`, `a legion each in Syria and Egypt`: all of a list of
    places has what is before it, if that is not counted, or said of each.
    """
    shared: Amount | None = None
    role: Role = "from"
    for i, piece in enumerate(pieces):
        before, after = pieces[i - 1] if i else None, [*pieces[i + 1 : i + 3]]
        if isinstance(piece, Amount):
            spreads = piece.each or piece.count is None
            shared = piece if spreads and not piece.excepted else None
        elif isinstance(piece, Place) and isinstance(before, Amount):
            shared = shared if piece.role in {"from", "in"} else None
            role = "in" if piece.role == "in" else "from"
        elif isinstance(piece, Place) and shared is not None:
            bare = not (piece.role or piece.heads or piece.steps)
            goes_on = len(after) > 1 and isinstance(after[0], Joint) and isinstance(after[1], Place)
            joined = before == Joint("AND") or (before == Joint("COMMA") and goes_on)
            joined |= shared.each and (isinstance(before, Place) or before == Joint("COMMA"))
            if bare and joined and not isinstance(after[0] if after else None, Amount):
                yield shared
                piece = replace(piece, role=role)
            else:
                shared = None
        elif not isinstance(piece, Joint):
            shared = None
        yield piece


@dataclass(slots=True)
class _Clause:
    lexemes: list[Lexeme]
    text: str
    units: Lexeme | None
    """The units spoken of before."""

    def read(self) -> list[Piece]:
        found: list[Piece] = []
        at, excepted = 0, False
        while at < len(self.lexemes):
            lexeme = self.lexemes[at]
            kind = lexeme.kind
            if kind in COUNTING and self._kind(at + 1) == "PLACE" and self._kind(at + 2) in UNITS:
                self.lexemes[at : at + 2] = self.lexemes[at + 1], lexeme  # `both Danish legions`
                continue
            if kind == "EACH" and found and isinstance(last := found[-1], Amount):
                found[-1] = replace(last, each=last.count is not None)
                at += 1
                continue
            if kind in _ROLES and (taken := self._led(at)) is not None:
                place, at = taken
                found.append(place)
                continue
            if kind == "PLACE":
                found.append(self._place("", at))
            elif (taken_units := self._amount(at, excepted=excepted)) is not None:
                amount, at = taken_units
                found.append(amount)
                continue
            elif self._excepts(at) and self._amount(at + 1, excepted=True) is not None:
                excepted = True
            elif kind == "HOME" and excepted:
                pass
            elif kind == "DASH" or (kind == "TO" and self._kind(at + 1) in VERBS):
                pass  # `to attack`
            elif kind not in {"WITH", "IN", "FROM"} or not self._is_led_to_units(at):
                found.append(Say(lexeme))
            at += 1
        return found

    def _excepts(self, at: int) -> bool:
        """`except 2 legions`, `leave 2 legions home`."""
        stays = self.lexemes[-1].kind == "HOME" and self.lexemes[at].text in _LEAVING
        return stays or self._kind(at) == "EXCEPT"

    def _kind(self, at: int) -> str:
        return self.lexemes[at].kind if at < len(self.lexemes) else ""

    def _is_led_to_units(self, at: int) -> bool:
        """`with 2 legions`; `from all my units`."""
        kinds = UNITS | {"NUM", "ALL", "BOTH", "THEM", "PLACE"}
        return self.lexemes[at].kind == "WITH" and self._kind(at + 1) in kinds

    def _led(self, at: int) -> tuple[Place, int] | None:
        """A preposition, or two, and the place behind it."""
        there = at + 1
        if self._kind(there) in {"IN", "FROM"} and self.lexemes[at].kind in {"FROM", "IN"}:
            there += 1
        if self._kind(there) != "PLACE":
            return None
        kind = self.lexemes[at].kind
        return replace(self._place(_ROLES[kind], there), given=kind == "FOR"), there + 1

    def _place(self, role: Role, at: int) -> Place:
        lexeme = self.lexemes[at]
        behind = self.text[lexeme.end : lexeme.end + 2].lstrip()
        heads = behind.startswith(":") or self._kind(at + 1) == "WITH"
        steps = self._kind(at + 1) in {"DASH", "ARROW"}
        return Place(role, lexeme, heads, steps)

    def _amount(self, at: int, *, excepted: bool) -> tuple[Amount, int] | None:
        """`2 legions`, `both dragons`, `all legions`, `everything`, `knight`."""
        if at >= len(self.lexemes):
            return None
        first = self.lexemes[at]
        count: int | None = 1
        there, bare = at, False
        if first.kind == "NUM" and first.value is not None:
            count, there = first.value, at + 1
            there += there < len(self.lexemes) and self.lexemes[there].text == "more"
        elif first.kind == "BOTH":
            count, there = 2, at + 1
        elif first.kind == "ALL":
            count, there = None, at + 1
            if self._kind(there) == "NUM" and self._kind(there + 1) in UNITS:
                count, there = self.lexemes[there].value, there + 1
        elif first.kind == "THEUNITS":
            return Amount("", None, first, excepted), at + 1
        elif first.kind in UNITS:
            bare = True
            count = None if _is_many(first) else 1
        else:
            return None
        kind = self._kind(there)
        if kind not in UNITS and first.kind == "ALL":
            return Amount("", None, first, excepted), there
        unit = self.lexemes[there] if kind in UNITS else self.units
        owned = first.text == "one" and self._kind(at - 1) == "PLACE" if at else False
        goes_on = kind in {"FROM", "IN", "FOR", "TO"} or (
            owned and kind in {"", "TO", "ARROW", "MOVE", "ATTACK"}
        )
        if unit is None or (kind not in UNITS and (first.kind != "NUM" or not goes_on)):
            return None  # but `a legion from Tripoli to Egypt and one from Tunis to Tripoli`
        if kind not in UNITS:
            there -= 1
        if bare and excepted:
            count = None
        self.units = unit
        if bare and self._kind(there + 1) == "NUM" and self._kind(there + 2) not in UNITS:
            there += 1
            count = self.lexemes[there].value  # `legion 1 from Egypt`
        whole = replace_lexeme(unit, start=first.start, end=self.lexemes[there].end, value=count)
        return Amount(_code_of(unit), count, whole, excepted, bare), there + 1


def _code_of(unit: Lexeme) -> UnitCode | Literal["", "land"]:
    if unit.kind == "ULAND":
        return "land"
    return next((code for code in CODES if unit.kind == f"U{code}"), "")


def _is_many(unit: Lexeme) -> bool:
    """`knights` without a number are all of them."""
    many = ("infantry", "cavalry", "fleet", "horsemen", "units", "the ships")
    return (
        unit.kind == "ULAND" or unit.text in many or (len(unit.text) > 1 and unit.text[-1] == "s")
    )


# --------------------------------------------------------------------------------------------- runs
def family_of(piece: Piece) -> Family:
    kind = piece.kind if isinstance(piece, Say) else ""
    if kind in CARRYING:
        return "carry"
    if kind in ORDERS:
        return "order"
    families: dict[str, Family] = {"ATTACK": "attack", "MOVE": "move", "BUY": "buy"}
    return families.get(kind, "")


def runs_of(pieces: Sequence[Piece]) -> list[Run]:
    """Pieces parted where another kind of order begins; a ship that sails and lands somebody is one
    order.
    """
    runs: list[Run] = []
    for chunk in _chunks(pieces):
        found = [kind for piece in chunk if (kind := family_of(piece))]
        family: Family = "carry" if "carry" in found else found[0] if found else ""
        last = runs[-1] if runs else None
        if last is None:
            runs.append(Run(family, chunk))
        elif _goes_on(last, family, chunk):
            last.pieces += [Joint("AND"), *chunk]
            if family == "carry" or not last.family:
                last.family = family or last.family
        else:
            runs.append(Run(family, chunk))
    return runs


def _chunks(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    chunk: list[Piece] = []
    whole = False
    for piece in [*pieces, Joint("")]:
        anew = whole and isinstance(piece, Say) and piece.kind in _ANEW
        if chunk and (anew or isinstance(piece, Joint)):
            yield chunk
            chunk = []
        if isinstance(piece, Joint):
            whole = False
            continue
        chunk.append(piece)
        deed = isinstance(chunk[0], Say) and family_of(chunk[0]) in {"attack", "move", "buy"}
        whole = deed and any(isinstance(one, Place) for one in chunk[-2:])


def _is_whole_move(chunk: Sequence[Piece]) -> bool:
    """`the dragon flies from Crete to Cyprus`: who alone, from where and to where."""
    alone = any(isinstance(x, Say) and x.lexeme.text.endswith("s") for x in chunk)
    roles = [piece.role for piece in chunk if isinstance(piece, Place)]
    origins, aims = {"from", "in"} & {*roles}, "to" in roles
    starts = isinstance(chunk[0], Amount | Place) and alone
    return starts and len(roles) > 1 and bool(origins) and aims


def _goes_on(run: Run, family: Family, chunk: Sequence[Piece]) -> bool:
    """Whether a chunk belongs to the run before it."""
    head = run.pieces[0] if len(run.pieces) == 1 else None
    if not family or (isinstance(head, Say) and head.kind == "ALWAYS"):
        return True
    if family == "order" and isinstance(head, Amount) and head.code == "D":
        return any(isinstance(piece, Say) and piece.kind in FLEEING for piece in chunk)
    if family == "order" or run.family == "order":
        return False
    starts = isinstance(chunk[0], Amount)
    ships = any(isinstance(piece, Amount) and piece.code == "G" for piece in chunk)
    if not run.family:
        places = [piece for piece in run.pieces if isinstance(piece, Place)]
        whole = bool(places) and all(place.given for place in places)
        if family == "move" and _is_whole_move(chunk):
            whole |= all(place.role == "in" for place in places) and bool(places)
        if whole and any(isinstance(piece, Amount) for piece in chunk):
            return False  # `a legion for Syria and the Egypt knight rides to Tunis`
        return family != "carry" or not ships
    if family == "carry":
        return run.family == "carry" or (run.family == "move" and not ships)
    if run.family == "carry":
        return family == "move" and not starts
    return {run.family, family} <= {"attack", "move", "buy"}
