"""A game master's corrections at a table of Fortresses: `Syria: Red 2L 1K`, `Syria belongs to Red`,
`Red has 12 gold`.
"""

import re
from collections.abc import Sequence

from engine.fortresses.state import State
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, Units
from engine.usual import MOST_TEXT
from pbem.games.fortresses.reading.parts import ALL, TableNames, with_units
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.corrections import CorrectionForm, read_form, ruling_in
from pbem.reading.terms import Term

FORMS = (
    "Syria: Red 2L 1K",
    "Syria: Red none",
    "Syria belongs to Red",
    "Syria belongs to Red: Red 2L, Gold none",
    "3 legions of Gold in Greece",
    "remove a knight of Red from Egypt",
    "Egypt: moved 1L",
    "Red has 12 gold",
    "Red missed 0 turns",
    "Ben commands Red",
    "withdraw the draw",
    "draw",
    "winner Ben",
    "rule: a Bridge is a border",
)
"""How each kind is written."""

_DRAW, _CONCEDE = {"what": "draw"}, {"what": "concede"}
_TABLE = (
    CorrectionForm("agree", "draw", "DRAW", sets={"winners": []}),
    CorrectionForm("agree", "winner {winners*:PLAYER}", "WINNER"),
    CorrectionForm("lapse", "withdraw the draw", "LAPSE DRAW", sets=_DRAW),
    CorrectionForm("lapse", "withdraw the draw", "EMPTY DRAW", sets=_DRAW),
    CorrectionForm("lapse", "withdraw the concession", "LAPSE YIELD", sets=_CONCEDE),
    CorrectionForm("lapse", "withdraw the concession", "EMPTY YIELD", sets=_CONCEDE),
    CorrectionForm("set-command", "{player:PLAYER} commands {kingdom:KINGDOM}", "BOSS"),
    CorrectionForm("set-missed", "{kingdom:KINGDOM} missed {turns:NUMBER} turns", "SKIPPED"),
    CorrectionForm("set-missed", "{kingdom:KINGDOM} missed {turns:EMPTY} turns", "SKIPPED"),
    CorrectionForm("set-gold", "{kingdom:KINGDOM} has {gold:NUMBER} gold", "COINS"),
    CorrectionForm("set-gold", "{kingdom:KINGDOM} has {gold:EMPTY} gold", "COINS"),
)
_MOST_CHARACTERS = 300
_ZONE = re.compile(
    r"(?P<owner>OK|KO|K$)?(?P<led>(?:K(?:U{1,9}|E))+)?"
    r"(?:(?P<verb>[IR])?(?P<lot>U{1,9}|E|A)(?P<of>K)?)?(?:M(?P<moved>U{1,9}|E))?"
)
"""What is said of a zone, each part by the first letter of its kind."""


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    written = " ".join(text.split())
    ruling = ruling_in(written, MOST_TEXT)
    if ruling is not None:
        return ruling
    unread = Unread("invalid", "correction", written, FORMS)
    if len(written) > _MOST_CHARACTERS:
        raise unread
    names = TableNames(state.players)
    terms = with_units(names.terms_in(written, unread), unread)
    if sum(term.kind == "ZONE" for term in terms) == 1:
        return _Zone(state, terms, unread).correction()
    return read_form(_TABLE, _with_money(state, terms), names, unread)


def _with_money(state: State, terms: Sequence[Term]) -> Sequence[Term]:
    """`gold` is a kingdom and money: one `gold` next to a number is money, and without a kingdom
    it is that of the kingdom whose turn it is.
    """
    kinds = {term.kind for term in terms}
    if not kinds & {"NUMBER", "EMPTY"} or not kinds <= {"NUMBER", "EMPTY", "KINGDOM", "COINS"}:
        return terms
    said = list(terms)
    gold = next((term for term in terms if term.key == "gold"), None)
    if "COINS" not in kinds and gold is not None:
        said.remove(gold)
        said.append(Term("COINS"))
    if all(term.kind != "KINGDOM" for term in said):
        active = Table(state).active
        said.append(Term("KINGDOM", active, text=active.title()))
    return said


class _Zone:
    """What a correction says of a zone."""

    def __init__(self, state: State, said: Sequence[Term], unread: Unread) -> None:
        self.table = Table(state)
        self.said = said
        self.unread = unread
        self.unclear = Unread("ambiguous", "correction", unread.written, FORMS)

    def correction(self) -> Correction:
        """A zone with a colon behind it is described as a whole: a kingdom that it names has
        nothing else there.
        """
        zone = next(part.key for part in self.said if part.kind == "ZONE")
        is_whole = self.said[0].kind == "ZONE" and ":" in self.unread.written
        said = [part for part in self.said if part.kind != "ZONE"]
        found = _ZONE.fullmatch("".join(part.kind[0] for part in said))
        if found is None or not said:
            raise self.unclear
        parts = {name: said[slice(*found.span(name))] for name in found.groupdict()}
        there = {str(kingdom): units for kingdom, units in self.table.units[zone].items()}
        lots: list[tuple[str, list[Term]]] = []
        for part in parts["led"]:
            if part.kind == "KINGDOM":
                lots.append((part.key, []))
            else:
                lots[-1][1].append(part)
        if parts["lot"]:
            named = [part.key for part in parts["of"]] or list(there)
            is_sure = found["of"] or (len(named) == 1 and not found["owner"])
            if not named or not (is_sure or parts["lot"][0].kind in ("EMPTY", "ALL")):
                raise self.unclear
            lots += [(kingdom, parts["lot"]) for kingdom in named]
        units = {
            kingdom: self._after(there.get(kingdom, NONE), lot, found["verb"] or "", is_whole)
            for kingdom, lot in lots
        }
        if len(units) < len(lots):
            raise self.unclear
        act: dict[str, object] = {"act": "set-zone", "zone": zone}
        head, told = zone, [f"{name.title()} {_short(lot)}" for name, lot in units.items()]
        for part in parts["owner"]:
            if part.kind == "KINGDOM":
                act["owner"], head = part.key, f"{zone} belongs to {part.key.title()}"
        if units:
            act["units"] = {kingdom: lot.text for kingdom, lot in units.items()}
        if parts["moved"]:
            moved = self._after(NONE, parts["moved"], "", True)
            act["moved"] = moved.text
            told.append(f"moved {_short(moved)}")
        return Correction(act, f"{head}: {', '.join(told)}" if told else head)

    def _after(self, now: Units, lot: Sequence[Term], verb: str, is_whole: bool) -> Units:
        """What the numbers of a kingdom make of the units it has there now."""
        told = {part.key: part.number for part in lot}
        if lot[0].kind in ("EMPTY", "ALL"):
            told = dict.fromkeys(CODES, 0 if lot[0].kind == "EMPTY" else ALL)
        elif len(told) < len(lot):
            raise self.unclear
        if ALL in told.values() and verb != "R":
            raise self.unclear
        counts = [now.of(code) for code in CODES]
        for i, code in enumerate(CODES):
            number = told.get(code)
            if number in (None, ALL):
                counts[i] = 0 if code in told or (is_whole and not verb) else counts[i]
            else:
                counts[i] = {"R": counts[i] - number, "I": counts[i] + number}.get(verb, number)
        if not Units(*counts).is_whole:
            raise Unread("invalid", "number", self.unread.written)
        return Units(*counts)


def _short(units: Units) -> str:
    return units.text if units.total else "none"
