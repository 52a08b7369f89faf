"""What a game master rules at a table of States & Sovereigns: on a free-form action, a technology,
an objection, a ruler who is silent; and what is set right (SS-8.3, SS-7.3, SS-10, SS-11.9).

One vocabulary for a command, which names what it is about, and for the answer to a letter that asks
about one thing, where a word is enough. Whatever is left over, missing or may mean two things is
asked about, and so is an answer that speaks of something else than the letter.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.ruleset import Plea
from engine.sovereigns.orders import Do, Order
from engine.sovereigns.reading import parse_order
from engine.sovereigns.state import State
from pbem.games.sovereigns.reading.gm_parts import Names, Part, proposals_of
from pbem.grammar.gm.values import Unread

DEFAULT_DIFFICULTY = 7
"""Of a free-form action without a target (SS-8.4)."""
MOST_EFFECT = 99

Told = tuple[dict[str, Any], str]
"""An act, and its one spelling."""


@dataclass(frozen=True, slots=True)
class About:
    """What can be ruled on: free-form actions as they stand, by ruler; proposals; objections.
    `silent` are rulers of whom a letter asks whether they shall leave; `is_answer`: nothing but
    what is here is spoken of.
    """

    tries: Mapping[int, Do]
    proposals: tuple[str, ...]
    objections: tuple[int, ...]
    silent: tuple[int, ...] = ()
    is_answer: bool = False


def about_table(state: State, standing: Mapping[int, tuple[Order, ...]]) -> About:
    """All that is open, with these orders standing."""
    tries = {
        player: order
        for player, orders in standing.items()
        for order in orders
        if isinstance(order, Do) and order.ways[0].kind == "Try"
    }
    return About(tries, proposals_of(state), tuple(one.number for one in state.objections))


def about_plea(state: State, plea: Plea) -> About:
    """The one thing that a letter asks about; of a free-form action its canonical text. ValueError
    for a plea that the game does not make.
    """
    match plea.kind, dict(plea.facts):
        case "try", {"player": int(player), "order": str(text)}:
            order = parse_order(state, text)
            if isinstance(order, Do):
                return About({player: order}, (), (), is_answer=True)
        case "technology", {"technology": str(name)}:
            return About({}, (name,), (), is_answer=True)
        case "objection", {"objection": int(number)}:
            return About({}, (), (number,), is_answer=True)
        case "replacement", {"player": int(player)}:
            return About({}, (), (), (player,), is_answer=True)
    raise ValueError(f"no such plea: {plea!r}")


def read_answer(state: State, plea: Plea, text: str) -> Mapping[str, Any]:
    """The act that an answer to a letter is. Unread, with the answers there are, if it is none."""
    written = " ".join(text.split())
    unread = Unread("invalid", "correction", written, plea.answers)
    return read_told(state, written, about_plea(state, plea), unread, ANSWERS)[0]


def read_told(state: State, written: str, about: About, unread: Unread, shapes: "Shapes") -> Told:
    """The act of these words and its one spelling. Unread (this one, where nothing nearer can be
    said) if they say nothing that can be.
    """
    names = Names(state)
    said = names.parts_of(written, unread)
    tell = shape_of(said, shapes)
    if tell is None:
        raise unread
    return tell(Reading(names, about, unread, said))


class Reading:
    """One thing said, read against what can be ruled on."""

    def __init__(self, names: Names, about: About, unread: Unread, said: Sequence[Part]) -> None:
        self.names = names
        self.about = about
        self.unread = unread
        self.unclear = Unread("ambiguous", "correction", unread.written, unread.nearest)
        self.said = said

    def of(self, *kinds: str) -> list[Part]:
        return [part for part in self.said if part.kind in kinds]

    def has(self, *kinds: str) -> bool:
        return bool(self.of(*kinds))

    def _only(self, open_ones: Sequence[Any]) -> Any:
        """What is meant where nothing is named."""
        if len(open_ones) != 1:
            raise self.unclear if open_ones else self.unread
        return open_ones[0]

    def _named(self, named: Any, open_ones: Sequence[Any]) -> Any:
        """What is named; an answer speaks of nothing but what its letter is about."""
        if self.about.is_answer and named not in open_ones:
            raise self.unclear
        return named

    def whose(self, open_ones: tuple[int, ...]) -> int:
        kingdoms = self.of("KINGDOM")
        named = kingdoms[0].number if kingdoms else self._only(open_ones)
        return int(self._named(named, open_ones))

    # ------------------------------------------------------------------------- a free-form action
    def rule(self) -> Told:
        """An order there is none of is for the rules to refuse."""
        player = self.whose(tuple(self.about.tries))
        order = self.about.tries.get(player, Do(()))
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

    def _ruling(self, player: int, order: Do, parts: dict[str, Any], told: list[str]) -> Told:
        plain = msgspec.json.decode(msgspec.json.encode(order))
        act: dict[str, Any] = {"act": "rule", "player": player, "order": plain, **parts}
        return act, f"rule {self.names.label(player)}: {', '.join(told)}"

    def _part(self, part: Sequence[Part], order: Do) -> tuple[str, Any, str]:
        """A clause of a ruling: what it sets, and how it is spelled."""
        by_kind = {one.kind: one for one in part}
        attribute = by_kind["ATTRIBUTE"].key if "ATTRIBUTE" in by_kind else ""
        match part[0].kind:
            case "DIFFICULTY":
                number = part[1].number
                return "difficulty", number, f"difficulty {number}"
            case "CONTEST":
                attribute = attribute or (order.ways[0].attribute if order.ways else "")
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
            return str(self._only(self.about.proposals))
        found = named if named.kind == "TECH" else self.names.technology(named.said, self.unread)
        return str(self._named(found.key, self.about.proposals))

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

    def _code(self, parts: Sequence[Part]) -> str:
        """The code of what a technology shall do. Unread if the menus have no such number
        (SS-7.6).
        """
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
        numbers, here = self.of("NUMBER"), self.about.objections
        number = self._named(numbers[0].number, here) if numbers else self._only(here)
        return self._judged(number, upheld=self.has("UPHOLD"))

    def _judged(self, number: int, *, upheld: bool) -> Told:
        act: dict[str, Any] = {"act": "verdict", "objection": number, "upheld": upheld}
        return act, f"objection {number} {'upheld' if upheld else 'denied'}"

    # -------------------------------------------------------------------------------- answers alone
    def stands(self) -> Told:
        """What the rules would do if nothing were said."""
        if self.about.tries:
            (player, order), *_ = self.about.tries.items()
            way = order.ways[0]
            how = "difficulty" if way.target is None else "contest"
            what = DEFAULT_DIFFICULTY if way.target is None else way.attribute
            return self._ruling(player, order, {how: what}, [f"{how} {what}"])
        if self.about.proposals:
            return self._decided(self.about.proposals[0], "approve")
        if self.about.objections:
            return self._judged(self.about.objections[0], upheld=False)
        return self.keep()

    def remove(self) -> Told:
        return self._silent("remove")

    def keep(self) -> Told:
        return self._silent("keep")

    def _silent(self, what: str) -> Told:
        player = self.whose(self.about.silent)
        return {"act": what, "player": player}, f"{what} {self.names.label(player)}"


_HOW = ("difficulty", "contest")
_PART = (
    "(?:DIFFICULTY NUMBER |CONTEST (?:ATTRIBUTE )?|BY ATTRIBUTE |"
    "EFFECT (?:SIGNED (?:TARGET )?(?:NEXT )?(?:ATTRIBUTE )?(?:ROLLS )?|QUOTED )|"
    "REPERCUSSION (?:SIGNED (?:NEXT )?(?:ROLLS )?|QUOTED ))"
)
_TECH = "(?:TECH |QUOTED )"
NAMED = "(?:TECH |QUOTED |CODE |DEED )"
_CODE = (
    "(?:CODE |WORKS ATTRIBUTE |ATTRIBUTE WORKS |SIGNED (?:DIE )?(?:ALL )?ATTRIBUTE (?:ROLLS )?|"
    "SIGNED (?:ALL )?(?:ATTRIBUTE DEFENCE |DEFENCE (?:ROLLS )?ATTRIBUTE |DEED |START )(?:ROLLS )?)"
)

Shapes = tuple[tuple[re.Pattern[str], Callable[[Reading], Told]], ...]


def shapes(*told: tuple[str, Callable[[Reading], Told]]) -> Shapes:
    return tuple((re.compile(shape), tell) for shape, tell in told)


RULINGS = shapes(
    (rf"(?:RULE )?(?:KINGDOM (?:ACT )?|ACT (?:KINGDOM )?)?{_PART}+", Reading.rule),
    (rf"(?:APPROVE |REFUSE ){NAMED}?|{NAMED}(?:APPROVE |REFUSE )", Reading.judge),
    (
        rf"AMEND {_TECH}?{_CODE}|APPROVE {_TECH}{_CODE}|{_TECH}(?:AMEND )?{_CODE}",
        Reading.amend,
    ),
    (
        "(?:UPHOLD |DENY )(?:OBJECTION )?(?:NUMBER )?|OBJECTION (?:NUMBER )?(?:UPHOLD |DENY )",
        Reading.verdict,
    ),
    ("REMOVE (?:KINGDOM )?", Reading.remove),
    ("KEEP (?:KINGDOM )?", Reading.keep),
)
ANSWERS: Shapes = (*RULINGS, *shapes(("(?:KEEP )?STANDS ", Reading.stands)))


def _kinds(parts: Sequence[Part]) -> str:
    """The kinds of the parts, a space behind each."""
    return "".join(f"{part.kind} " for part in parts)


def shape_of(parts: Sequence[Part], shapes: Shapes) -> Callable[[Reading], Told] | None:
    kinds = _kinds(parts)
    return next((tell for shape, tell in shapes if shape.fullmatch(kinds)), None)
