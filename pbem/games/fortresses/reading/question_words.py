"""The words of a question, and the chances it may ask for: `odds of taking Syria with 2 legions and
a knight from Egypt`, `chances of holding Syria against 3L`.

Every word counts: of what is said otherwise the odds would be those of another question.
"""

from collections.abc import Sequence

from engine.fortresses.atlas import KINGDOMS, Kingdom, alliance_of
from engine.fortresses.odds import Odds
from engine.fortresses.units import CODES, MOST, NONE, Units, one
from engine.fortresses.view import TableView
from pbem.games.fortresses.reading.parts import TableNames
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Unclear
from pbem.reading.terms import Term


def words_of(view: TableView, asked: str) -> list[Term]:
    """The parts of a question without fillers. Unclear for other words."""
    try:
        names = TableNames(view.players, "questions.words")
        return names.terms_in(asked, Unread("unknown", "question"))
    except Unread as unread:
        code = "unknown-word" if unread.written else "not-understood"
        raise Unclear(code, word=unread.written, nearest=unread.nearest) from unread


def is_odds(parts: Sequence[Term]) -> bool:
    return any(part.kind == "ODDS" for part in parts)


def odds_of(view: TableView, parts: Sequence[Term]) -> Odds:
    """What chances the parts ask for. Unclear if they do not say it, or more than it."""
    reading = _Reading(view)
    for part in parts:
        reading.hear(part)
    return reading.odds()


class _Reading:
    """A question while its parts are heard, from left to right."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.near = ""
        self.number: Term | None = None
        self.target = self.origin = ""
        self.kingdom: Kingdom | None = None
        self.defends = False
        self.units: dict[str, list[tuple[str, int | None]]] = {"": [], "AGAINST": []}

    def hear(self, part: Term) -> None:
        if self.number is not None and part.kind not in CODES:
            self._count_nothing()
        match part.kind:
            case "ODDS" | "BATTLES":
                pass
            case "HOLD":
                self.defends = True
            case "FROM" | "AGAINST" | "WITH":
                self.near = part.kind
            case "NUMBER" | "A" | "ALL":
                self.number = part
            case "ZONE":
                self._hear_zone(part.key)
            case "KINGDOM" if self.kingdom is None and not self.near:
                self.kingdom = next(known for known in KINGDOMS if known == part.key)
            case kind if kind in CODES:
                self._count(kind)
            case _:
                raise Unclear("not-understood")

    def _hear_zone(self, zone: str) -> None:
        if self.near == "FROM" and not self.origin:
            self.origin, self.near = zone, ""
        elif self.near == "FROM" or (self.target and self.target != zone):
            raise Unclear("several-zones", first=self.target or self.origin, second=zone)
        else:
            self.target = zone

    def _count(self, kind: str) -> None:
        if self.number is None:
            raise Unclear("how-many")
        said = self.number
        number = None if said.kind == "ALL" else 1 if said.kind == "A" else said.number
        self.units["AGAINST" if self.near == "AGAINST" else ""].append((kind, number))
        self.number = None

    def _count_nothing(self) -> None:
        """`everything` has no type behind it; `a` may stand before anything."""
        said, self.number = self.number, None
        if said is not None and said.kind == "ALL":
            self.units["AGAINST" if self.near == "AGAINST" else ""].append(("", None))
        elif said is not None and said.kind == "NUMBER":
            raise Unclear("not-understood")

    def odds(self) -> Odds:
        if self.number is not None:
            self._count_nothing()
        if not self.target:
            raise Unclear("which-zone")
        sides = self._total(""), self._total("AGAINST")
        units, against = reversed(sides) if self.defends else sides
        if units is None:
            raise Unclear("which-units", zone=self.target)
        return Odds(self.target, units, self.kingdom, self.origin, against)

    def _total(self, side: str) -> Units | None:
        """All that is named on a side; None if nothing is."""
        found = NONE
        for kind, number in self.units[side]:
            if number is None:
                found += self._all_of(kind)
            elif not 0 < number <= MOST:
                raise Unclear("how-many")
            else:
                found += next(one(code, number) for code in CODES if code == kind)
        if self.units[side] and not (found.total and found.is_whole):
            raise Unclear("how-many")
        return found if self.units[side] else None

    def _all_of(self, kind: str) -> Units:
        """All units of a type (empty: of any that can go there) where the attack comes from."""
        if not self.origin:
            raise Unclear("how-many")
        target = self.view.zone(self.target)
        found = NONE
        for kingdom, units in self.view.zone(self.origin).units:
            if self.kingdom in (None, kingdom) and (
                target.owner is None or alliance_of(target.owner) != alliance_of(kingdom)
            ):
                found += units
        can_go = [code for code in CODES if kind in ("", code)]
        return found.only(
            code for code in can_go if kind or (code != "G") == target.is_land or code == "D"
        )
