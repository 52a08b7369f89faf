"""The words of a game master's corrections and of questions: ours, numbers of units, zones,
kingdoms, players.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.state import Player
from engine.fortresses.units import CODES
from pbem.grammar.gm.commands import Unread
from pbem.reading.terms import Names, Term, Terms, our_terms, terms_by_name

ALL = -1
"""All units of a type."""


@cache
def _ours(file: str) -> Terms:
    """Our words, kingdoms and zones; a zone's code that is also a word of ours (`and`) does not
    count.
    """
    named = [
        (name, Term("ZONE", zone.name, text=zone.name))
        for zone in zones().values()
        for name in (zone.name, zone.code, *zone.aliases)
    ]
    kingdoms = [(kingdom, Term("KINGDOM", kingdom, text=kingdom.title())) for kingdom in KINGDOMS]
    ours = our_terms(__package__, "counting.words", file)
    return {**terms_by_name(named), **terms_by_name(kingdoms), **ours}


class TableNames(Names):
    """Our words (those of a file) and the players of a table; a player whose name is a word of ours
    has a number alone.
    """

    def __init__(self, players: Sequence[Player], file: str = "corrections.words") -> None:
        named = [
            (name, Term("PLAYER", number=player.number, text=player.name))
            for player in players
            for name in (player.name, f"player {player.number}")
            if not name[:1].isdigit()
        ]
        super().__init__((_ours(file), terms_by_name(named)))

    def spelling(self, term: Term) -> str:
        return self.sole(term, [term.text]) if term.kind == "PLAYER" else str(term)


def with_units(terms: Sequence[Term], unread: Unread) -> list[Term]:
    """The terms with the number of each type of units in one. Unread where there is none."""
    found: list[Term] = []
    for term in terms:
        if term.kind not in CODES:
            found.append(term)
            continue
        before = found.pop() if found else term
        if before.kind not in ("NUMBER", "A", "EMPTY", "ALL"):
            raise Unread("missing", "number", unread.written, unread.nearest)
        number = {"A": 1, "EMPTY": 0, "ALL": ALL}.get(before.kind, before.number)
        found.append(replace(term, kind="UNITS", key=term.kind, number=number))
    return [term for term in found if term.kind != "A"]
