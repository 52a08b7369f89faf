"""A game master's corrections at a table of Fortresses: `Syria: Red 2L 1K`, `Syria belongs to Red`,
`Red has 12 gold`.

A correction names one thing and its new value. If anything is left over, missing or ambiguous, we
ask.
"""

import re
from collections.abc import Sequence

from engine.fortresses.state import State
from engine.fortresses.table import Table
from engine.fortresses.units import CODES, NONE, Units
from engine.usual import MOST_TEXT
from pbem.games.fortresses.reading.parts import MasterPart, Names
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.reading import Correction

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

MOST_CHARACTERS = 300
_RULING = re.compile(
    r"(?:rule|rules|ruling|ruled)\b(?: that\b)?[ :]*(?P<text>.*)", re.DOTALL | re.IGNORECASE
)
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
    ruling = _RULING.fullmatch(written)
    if ruling is None:
        return _Reading(state, written).correction()
    told = ruling["text"].strip()
    while len(told) > 1 and told[0] in '"“„«' and told[-1] in '"”“»':
        told = told[1:-1].strip()
    if not told or len(told) > MOST_TEXT:
        raise Unread("invalid" if told else "missing", "text")
    return Correction({"act": "rule", "text": told}, f"rule: {told}", is_said=True)


class _Reading:
    """One correction, read against the table as it lies."""

    def __init__(self, state: State, written: str) -> None:
        self.table = Table(state)
        self.unread = Unread("invalid", "correction", written, FORMS)
        self.unclear = Unread("ambiguous", "correction", written, FORMS)
        self.names = Names(state.players)
        if len(written) > MOST_CHARACTERS:
            raise self.unread
        self.said = self.names.parts_of(written, self.unread)

    def correction(self) -> Correction:
        by_kind = {part.kind: part for part in self.said}
        kingdom = by_kind.get("KINGDOM", MasterPart("")).key
        number = by_kind.get("NUMBER", MasterPart("")).number or 0
        player = by_kind["PLAYER"].number or 0 if "PLAYER" in by_kind else 0
        label = self.names.label(self.table.players[player]) if player else ""
        match "".join(sorted(part.kind[0] for part in self.said)):
            case "D":
                return Correction({"act": "agree", "winners": []}, "draw")
            case "DL" | "DE":
                return Correction({"act": "lapse", "what": "draw"}, "withdraw the draw")
            case "LY" | "EY":
                return Correction({"act": "lapse", "what": "concede"}, "withdraw the concession")
            case "PW":
                told: dict[str, object] = {"act": "agree", "winners": [player]}
                return Correction(told, f"winner {label}")
            case "BKP":
                told = {"act": "set-command", "kingdom": kingdom, "player": player}
                return Correction(told, f"{label} commands {kingdom.title()}")
            case "KNS" | "EKS":
                told = {"act": "set-missed", "kingdom": kingdom, "turns": number}
                return Correction(told, f"{kingdom.title()} missed {number} turns")
            case "CKN" | "CN" | "KN" | "KKN" | "CEK" | "CE" | "EK" | "EKK" as shape:
                return self._gold(number, "C" in shape)
            case shape if shape.count("Z") == 1:
                return self._of_zone()
        raise self.unread

    def _gold(self, amount: int, is_said: bool) -> Correction:
        """`gold` is a kingdom and money: one `gold` next to a number is money."""
        named = [part.key for part in self.said if part.kind == "KINGDOM"]
        if not is_said:
            if "gold" not in named:
                raise self.unread
            named.remove("gold")
        kingdom = named[0] if named else self.table.active
        told = {"act": "set-gold", "kingdom": kingdom, "gold": amount}
        return Correction(told, f"{kingdom.title()} has {amount} gold")

    def _of_zone(self) -> Correction:
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
        lots: list[tuple[str, list[MasterPart]]] = []
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

    def _after(self, now: Units, lot: Sequence[MasterPart], verb: str, is_whole: bool) -> Units:
        """What the numbers of a kingdom make of the units it has there now."""
        told = {part.key: part.number for part in lot}
        if lot[0].kind in ("EMPTY", "ALL"):
            told = dict.fromkeys(CODES, 0 if lot[0].kind == "EMPTY" else None)
        elif len(told) < len(lot):
            raise self.unclear
        if None in told.values() and verb != "R":
            raise self.unclear
        counts = [now.of(code) for code in CODES]
        for i, code in enumerate(CODES):
            number = told.get(code)
            if number is None:
                counts[i] = 0 if code in told or (is_whole and not verb) else counts[i]
            else:
                counts[i] = {"R": counts[i] - number, "I": counts[i] + number}.get(verb, number)
        if not Units(*counts).is_whole:
            raise Unread("invalid", "number", self.unread.written)
        return Units(*counts)


def _short(units: Units) -> str:
    return units.text if units.total else "none"
