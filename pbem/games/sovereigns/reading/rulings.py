"""What a game master rules at a table of States & Sovereigns: on a free-form action, a technology,
an objection, a ruler who is silent (SS-8.3, SS-7.3, SS-10.3, SS-11.9).

What a ruling is about is named, or it is the only thing of its kind that waits. Whatever is left
over, missing or may mean two things is asked about.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.ruleset import Standing
from engine.sovereigns.orders import Do, Order
from engine.sovereigns.requests import SILENT_SEASONS, tries_at
from engine.sovereigns.state import State
from pbem.games.sovereigns.reading.gm_parts import TableNames, proposals_of, technologies_of
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.terms import Term

FORMS = (
    "rule Aldermark: difficulty 9, effect +2 M",
    "rule Aldermark: contest H",
    "rule Aldermark stands",
    "approve steel",
    "amend steel to STAT-DEF M",
    "refuse steel",
    "objection 1 upheld",
    "objection 1 denied",
    "remove Aldermark",
    "keep Aldermark",
)
"""How each kind is written."""

DEFAULT_DIFFICULTY = 7
"""Of a free-form action without a target (SS-8.4)."""
MOST_EFFECT = 99

Told = tuple[dict[str, Any], str]
"""An act, and its one spelling."""


@dataclass(frozen=True, slots=True)
class Open:
    """What can be ruled on: free-form actions as they stand, by ruler; names of proposals; numbers
    of objections; rulers who have been silent for long.
    """

    tries: Mapping[int, Do]
    proposals: tuple[str, ...]
    objections: tuple[int, ...]
    silent: tuple[int, ...]


def open_at(state: State, standings: Mapping[int, Standing[Order]]) -> Open:
    """All of it, with these orders standing."""
    silent = tuple(
        kingdom.number
        for kingdom in state.kingdoms
        if kingdom.alive and kingdom.missed and not kingdom.missed % SILENT_SEASONS
    )
    objections = tuple(objection.number for objection in state.objections)
    return Open(tries_at(state, standings), proposals_of(state), objections, silent)


def read_ruling(state: State, standings: Mapping[int, Standing[Order]], text: str) -> Correction:
    """The act of the rules that a ruling is, and its one spelling, which is read back to the same.

    A ruling on a free-form action is for the order as it stands (SF-5). Unread if the words are no
    ruling, with the forms there are. Whether it can be is for the rules to say.
    """
    written = " ".join(text.split())
    unread = Unread("invalid", "correction", written, FORMS)
    return Correction(*read_told(state, written, open_at(state, standings), unread, ANSWERS))


def read_told(state: State, written: str, here: Open, unread: Unread, shapes: "Shapes") -> Told:
    """The act of these words and its one spelling. Unread (this one, where nothing nearer can be
    said) if they say nothing that can be.
    """
    names = TableNames(state)

    def read(words: str) -> Told:
        said = names.parts_of(words, unread)
        tell = shape_of(said, shapes)
        if tell is None:
            raise unread
        return tell(RulingWords(names, here, unread, said))

    offered = _as_offered(state, names, written)
    if not offered:
        return read(written)
    try:
        told = read(written)
    except Unread:
        return read(offered)
    if told != read(offered):
        raise Unread("ambiguous", unread.what, written, (offered, *unread.nearest))
    return told


_OFFERED = re.compile(
    r"(?P<verdict>approve|refuse) (?P<technology>.+)|"
    r"rule (?P<ruler>.+) (?P<how>stands|diff \d+|contest [RMH])"
)


def _as_offered(state: State, names: TableNames, written: str) -> str:
    """An answer as it was offered, with a name in it that may be of any words, told so that it can
    be nothing else; empty if it is not one.
    """
    found = _OFFERED.fullmatch(written)
    if found is None:
        return ""
    if found["technology"] in technologies_of(state):
        return f"{found['verdict']} {names.title(found['technology'])}"
    number = next((k.number for k in state.kingdoms if k.ruler == found["ruler"]), 0)
    return f"rule {names.label(number)} {found['how']}" if number else ""


class RulingWords:
    """One thing said, read against what can be ruled on."""

    def __init__(self, names: TableNames, here: Open, unread: Unread, said: Sequence[Term]) -> None:
        self.names = names
        self.here = here
        self.unread = unread
        self.unclear = Unread("ambiguous", "correction", unread.written, unread.nearest)
        self.said = said

    def of(self, *kinds: str) -> list[Term]:
        return [part for part in self.said if part.kind in kinds]

    def has(self, *kinds: str) -> bool:
        return bool(self.of(*kinds))

    def _only(self, waiting: Sequence[Any]) -> Any:
        """What is meant where nothing is named."""
        if len(waiting) != 1:
            raise self.unclear if waiting else self.unread
        return waiting[0]

    def whose(self, waiting: Sequence[int] = ()) -> int:
        kingdoms = self.of("KINGDOM")
        return kingdoms[0].number if kingdoms else int(self._only(waiting))

    # ------------------------------------------------------------------------- a free-form action
    def rule(self) -> Told:
        """An order there is none of is for the rules to refuse."""
        player, order = self._order()
        parts: dict[str, Any] = {}
        told: list[str] = []
        kinds = _kinds(self.said)
        for clause in re.finditer(_PART, kinds):
            start = kinds.count(" ", 0, clause.start())
            part = self.said[start : start + clause[0].count(" ")]
            key, value, words = self._part(part, order)
            if key in parts or (key in _HOW and parts.keys() & set(_HOW)):
                raise self.unclear
            parts[key] = value
            told.append(words)
        if {"contest", "attribute"} <= parts.keys():
            raise self.unclear
        return self._ruling(player, order, parts, told)

    def _order(self) -> tuple[int, Do]:
        player = self.whose(tuple(self.here.tries))
        return player, self.here.tries.get(player, Do(()))

    def _ruling(self, player: int, order: Do, parts: dict[str, Any], told: list[str]) -> Told:
        plain = msgspec.json.decode(msgspec.json.encode(order))
        act: dict[str, Any] = {"act": "rule", "player": player, "order": plain, **parts}
        return act, f"rule {self.names.label(player)}: {', '.join(told)}"

    def _part(self, part: Sequence[Term], order: Do) -> tuple[str, Any, str]:
        """A clause of a ruling: what it sets, and how it is spelled."""
        by_kind = {one.kind: one for one in part}
        attribute = by_kind["ATTRIBUTE"].key if "ATTRIBUTE" in by_kind else ""
        match part[0].kind:
            case "DIFFICULTY":
                number = part[1].number
                return "difficulty", number, f"difficulty {number}"
            case "CONTEST":
                attribute = attribute or (order.tried.attribute if order.tried else "")
                if not attribute:
                    raise self.unread
                return "contest", attribute, f"contest {attribute}"
            case "BY":
                return "attribute", attribute, f"attribute {attribute}"
        word = "effect" if part[0].kind == "EFFECT" else "repercussion"
        if part[1].kind == "QUOTED":
            return word, part[1].key, f'{word} "{part[1].key}"'
        amount = part[1].number
        if not 0 < abs(amount) <= MOST_EFFECT:
            raise Unread("invalid", "number", str(amount))
        if word == "effect" and (amount > 0) is not bool(attribute):
            raise self.unread  # more on one's own next roll of a kind, less on the target's (SF-5)
        value = f"{amount:+d} {attribute}".rstrip()
        return word, value, f"{word} {value}"

    # ------------------------------------------------------------------ technologies and objections
    def technology(self) -> str:
        """Its name, which may be a word of ours."""
        named = next((p for p in self.said if p.kind in ("TECH", "QUOTED", "CODE", "DEED")), None)
        if named is None:
            return str(self._only(self.here.proposals))
        found = named if named.kind == "TECH" else self.names.technology(named.said, self.unread)
        return found.key

    def judge(self) -> Told:
        return self._decided(self.technology(), "approve" if self.has("APPROVE") else "refuse")

    def _decided(self, name: str, verdict: str) -> Told:
        act = {"act": "tech", "name": name, "verdict": verdict, "code": ""}
        return act, f"{verdict} {self.names.title(name)}"

    def amend(self) -> Told:
        """Its code is what stands behind its name; a code that is a name here may be either."""
        rest = [part for part in self.said if part.kind not in ("AMEND", "APPROVE")]
        named = rest[0].kind in ("TECH", "QUOTED")
        if not named and self.names.is_technology(rest[0].said):
            raise self.unclear
        code = self._code(rest[1:] if named else rest)
        self.said = rest[:1] if named else ()
        name = self.technology()
        act = {"act": "tech", "name": name, "verdict": "amend", "code": code}
        return act, f"amend {self.names.title(name)} to {code}"

    def _code(self, parts: Sequence[Term]) -> str:
        """The code of a technology's effect. Unread if the menus have no such number (SS-7.6)."""
        by_kind = {part.kind: part for part in parts if part.kind not in ("ALL", "ROLLS")}
        attribute = by_kind["ATTRIBUTE"].key if "ATTRIBUTE" in by_kind else ""
        signed = by_kind.pop("SIGNED", None)
        match sorted(by_kind):
            case ["CODE"]:
                return by_kind["CODE"].key
            case ["ATTRIBUTE", "WORKS"]:
                return f"BLD-WORKS {attribute}"
            case ["ATTRIBUTE"]:
                code, amount = f"STAT-ROLL {attribute}", 1
            case ["ATTRIBUTE", "DIE"]:
                code, amount = f"ANA-DIE {attribute}", 1
            case ["ATTRIBUTE", "DEFENCE"]:
                code, amount = f"STAT-DEF {attribute}", 2
            case ["DEED"]:
                code, amount = f"STAT-ACT {by_kind['DEED'].key}", 2
            case _:
                code, amount = "STAT-YEAR", 1
        if signed is None or signed.number != amount:
            raise Unread("invalid", "number", signed.said if signed else "", (f"+{amount}",))
        return code

    def verdict(self) -> Told:
        numbers = self.of("NUMBER")
        number = numbers[0].number if numbers else self._only(self.here.objections)
        return self._judged(number, upheld=self.has("UPHOLD", "APPROVE"))

    def _judged(self, number: int, *, upheld: bool) -> Told:
        act: dict[str, Any] = {"act": "verdict", "objection": number, "upheld": upheld}
        return act, f"objection {number} {'upheld' if upheld else 'denied'}"

    # --------------------------------------------------------------------------------- as it stands
    def stands(self) -> Told:
        """What the rules do if nothing is said: of the one thing that waits, or of the free-form
        action of a ruler. While there is an objection, what stands may be the action it is to.
        """
        here = self.here
        if self.has("KINGDOM") and here.objections and not self.has("RULE"):
            raise self.unclear
        if not self.has("KINGDOM", "RULE"):
            self._only((*here.tries, *here.proposals, *here.objections, *here.silent))
            if here.proposals:
                return self._decided(here.proposals[0], "approve")
            if here.objections:
                return self._judged(here.objections[0], upheld=False)
            if here.silent:
                return self.keep()
        player, order = self._order()
        tried = order.tried
        is_contest = tried is not None and tried.target is not None
        how = "contest" if is_contest else "difficulty"
        what = tried.attribute if tried is not None and is_contest else DEFAULT_DIFFICULTY
        return self._ruling(player, order, {how: what}, [f"{how} {what}"])

    def remove(self) -> Told:
        return self._silent("remove")

    def keep(self) -> Told:
        return self._silent("keep")

    def _silent(self, what: str) -> Told:
        player = self.whose(self.here.silent)
        return {"act": what, "player": player}, f"{what} {self.names.label(player)}"


_OF = "(?:KINGDOM (?:ACT )?|ACT (?:KINGDOM )?)"
_HOW = ("difficulty", "contest")
_PART = (
    "(?:DIFFICULTY NUMBER |CONTEST (?:ATTRIBUTE )?|BY ATTRIBUTE |"
    "EFFECT (?:SIGNED (?:TARGET )?(?:NEXT )?(?:ATTRIBUTE )?(?:ROLLS )?|QUOTED )|"
    "REPERCUSSION (?:SIGNED (?:NEXT )?(?:ROLLS )?|QUOTED ))"
)
_SAY = "(?:UPHOLD |DENY |APPROVE |REFUSE )"
_TECH = "(?:TECH |QUOTED )"
NAMED = "(?:TECH |QUOTED |CODE |DEED )"
_CODE = (
    "(?:CODE |WORKS ATTRIBUTE |ATTRIBUTE WORKS |SIGNED (?:DIE )?(?:ALL )?ATTRIBUTE (?:ROLLS )?|"
    "SIGNED (?:ALL )?(?:ATTRIBUTE DEFENCE |DEFENCE (?:ROLLS )?ATTRIBUTE |DEED |START )(?:ROLLS )?)"
)

Shapes = tuple[tuple[re.Pattern[str], Callable[[RulingWords], Told]], ...]


def shapes(*told: tuple[str, Callable[[RulingWords], Told]]) -> Shapes:
    return tuple((re.compile(shape), tell) for shape, tell in told)


RULINGS = shapes(
    (rf"(?:RULE )?{_OF}?{_PART}+", RulingWords.rule),
    (rf"(?:APPROVE |REFUSE ){NAMED}?|{NAMED}(?:APPROVE |REFUSE )", RulingWords.judge),
    (
        rf"AMEND {_TECH}?{_CODE}|APPROVE {_TECH}{_CODE}|{_TECH}(?:AMEND )?{_CODE}",
        RulingWords.amend,
    ),
    ("(?:UPHOLD |DENY )(?:NUMBER )?", RulingWords.verdict),
    (rf"{_SAY}OBJECTION (?:NUMBER )?|OBJECTION (?:NUMBER )?{_SAY}", RulingWords.verdict),
    ("REMOVE (?:KINGDOM )?", RulingWords.remove),
    ("KEEP (?:KINGDOM )?", RulingWords.keep),
)
ANSWERS: Shapes = (*RULINGS, *shapes((rf"(?:RULE )?{_OF}?(?:KEEP )?STANDS ", RulingWords.stands)))


def _kinds(parts: Sequence[Term]) -> str:
    """The kinds of the parts, a space behind each."""
    return "".join(f"{part.kind} " for part in parts)


def shape_of(parts: Sequence[Term], shapes: Shapes) -> Callable[[RulingWords], Told] | None:
    kinds = _kinds(parts)
    return next((tell for shape, tell in shapes if shape.fullmatch(kinds)), None)
