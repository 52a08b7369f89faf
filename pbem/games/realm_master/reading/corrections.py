"""A game master's corrections at a table of Realm-Master (RM-11.10): `Elf hearts 5`, `Jerum 1/2/0`,
`place Elf in Jerum`, `undo turn 7`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands
from engine.realm_master.state import State
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.corrections import CorrectionForm, read_form, ruling_in
from pbem.reading.terms import Names, Term, Terms, name_of, once, our_terms, terms_by_name

FORMS = (
    "Elf hearts 5",
    "Jerum 1/2/0",
    "place Elf in Jerum",
    "place Elf outside",
    "give Iron Shield to Elf",
    "take Iron Shield from Elf",
    "put Iron Shield in the row at place 2",
    "kill Elf",
    "undo turn 7",
    "undo the round",
    "mode interactive",
    "winner Elf",
    "draw",
    "rule: a shield counts once",
)
"""How each kind is written."""

_OUTSIDE = {"land": None}
_IN_THE_ROW = "put {card:CARD} in the row at place {place:NUMBER}"
_TABLE = (
    CorrectionForm("set-hero", "{player:PLAYER} {what:AMOUNT} {amount:NUMBER}", by="AMOUNT"),
    CorrectionForm("place", "place {player:PLAYER} in {land:LAND}", by="PLACE LAND", may="PLACE"),
    CorrectionForm("place", "place {player:PLAYER} outside", "OUT", may="PLACE", sets=_OUTSIDE),
    CorrectionForm("card-give", "give {card:CARD} to {player:PLAYER}", "GIVE"),
    CorrectionForm("card-take", "take {card:CARD} from {player:PLAYER}", "TAKE"),
    CorrectionForm(
        "card-row", "put {card:CARD} in the row at place {place:NUMBER}", "ROW", may="PLACE"
    ),
    CorrectionForm("kill", "kill {player:PLAYER}", "KILL"),
    CorrectionForm("undo", "undo turn {turn:NUMBER}", "UNDO TURN"),
    CorrectionForm("undo", "undo turn {turn:NUMBER}", "UNDO", by=""),
    CorrectionForm("undo", "undo turn {turn:LAST}", "UNDO", by="", may="TURN"),
    CorrectionForm("undo", "undo the round", "UNDO ROUND", may="LAST", sets={"round": True}),
    CorrectionForm("mode", "mode {mode:HOW}", by="MODE", may="MODE"),
    CorrectionForm("end", "winner {winner:PLAYER}", "WINNER"),
    CorrectionForm("end", "draw", "DRAW", sets={"winner": None}),
)
_MISSING = {"PLAYER": "player", "NUMBER": "number", "LAND": "correction", "HOW": "correction"}
_MOST_CHARACTERS, _MOST_TEXT = 300, 2000
_AMOUNTS = ("hearts", "gold", "banners")


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    ruling = ruling_in(" ".join(text[:_MOST_TEXT].split()), _MOST_TEXT)
    if ruling is not None:
        return ruling
    written = " ".join(text[:_MOST_CHARACTERS].split())
    unread = Unread("invalid", "correction", written, FORMS)
    names = _TableNames(state)
    terms = names.terms_in(written, unread)
    _check(state, terms, names)
    kinds = {term.kind for term in terms}
    if kinds & {"LAND", "SLASH"} and kinds <= {"LAND", "SLASH", "AMOUNT", "NUMBER", "HAS"}:
        return _land(state, terms, unread)
    if "CARD" in kinds:  # `Elf has the shield`; before a number it says nothing
        terms = [replace(term, kind="GIVE") if term.kind == "HAS" else term for term in terms]
    terms = once(term for term in terms if term.kind != "HAS")
    return read_form(_TABLE, terms, names, unread, _MISSING)


def _check(state: State, terms: Sequence[Term], names: Names) -> None:
    """Unread for what is not at this table, and for numbers there are none of."""
    here = [land.key for land in state.lands]
    for term in terms:
        if term.kind == "HERO" or (term.kind == "LAND" and term.key not in here):
            lands = (all_lands()[key].short for key in here)
            known = lands if term.kind == "LAND" else map(names.spelling, _players(state))
            raise Unread("invalid", "no-such", term.said, tuple(known))
    numbers = [term.number for term in terms if term.kind == "NUMBER"]
    if any(number < 0 for number in numbers):
        raise Unread("invalid", "number", str(min(numbers)))


def _land(state: State, terms: Sequence[Term], unread: Unread) -> Correction:
    """What lies on a land: all of it, or the amounts that are named."""
    odd = Unread("ambiguous", "correction", unread.written, FORMS)
    lands = {term.key for term in terms if term.kind == "LAND"}
    numbers = [term.number for term in terms if term.kind == "NUMBER"]
    named = list(dict.fromkeys(term.key for term in terms if term.kind == "AMOUNT")) or [*_AMOUNTS]
    slashed = "".join(term.kind[0] for term in terms if term.kind in ("NUMBER", "SLASH"))
    if "S" in slashed and "NSNSN" not in slashed:
        raise unread
    if len(lands) > 1 or len(numbers) > len(named) or ("S" in slashed and slashed != "NSNSN"):
        raise odd
    if not lands or len(numbers) < len(named):
        raise Unread("missing", "number" if lands else "correction", unread.written, FORMS)
    (key,) = lands
    held = next(land for land in state.lands if land.key == key)
    now = {what: getattr(held, what) for what in _AMOUNTS}
    now |= dict(zip(named, numbers, strict=True))
    said = "/".join(str(now[what]) for what in _AMOUNTS)
    return Correction({"act": "set-land", "land": key, **now}, f"{all_lands()[key].short} {said}")


class _TableNames(Names):
    """Names of this table, before our words. A hero is the player who has it."""

    def __init__(self, state: State) -> None:
        players = dict(zip(_players(state), state.players, strict=True))
        heroes = {held.hero: term for term, held in players.items() if held.hero}
        named = [(name, heroes.get(term.key, term)) for name, term in _things()]
        for term, held in players.items():
            named += [(held.name, term), (f"player {held.number}", term)]
        terms = terms_by_name(named)
        colours = {name_of(held.colour): (term,) for term, held in players.items()}
        last = terms_by_name([("last", Term("LAST", number=state.turns))])
        super().__init__((terms, colours, last, _ours()), 70.0)
        self._players = players

    def spelling(self, term: Term) -> str:
        """A player by the hero, the name or the number."""
        held = self._players.get(term)
        if held is None:
            return term.text or str(term)
        title = all_heroes()[held.hero].title if held.hero else ""
        return self.sole(term, [x for x in (title, held.name) if name_of(x) not in _ours()])


def _players(state: State) -> list[Term]:
    return [Term("PLAYER", number=held.number, text=held.name) for held in state.players]


def _ours() -> Terms:
    return our_terms(__package__, "corrections.words")


@cache
def _things() -> list[tuple[str, Term]]:
    """Heroes, lands and cards by every name they have. A card's short name that is a word of ours
    is left out.
    """
    cards, lands, heroes = all_buy_cards(), all_lands(), all_heroes()
    return [
        *(
            (name, Term("CARD", key, text=cards[key].name))
            for name, key in cards_by_name().items()
            if name_of(name) not in _ours() and name != "touch"
        ),
        *(
            (name, Term("LAND", key, text=lands[key].short))
            for name, key in lands_by_name().items()
        ),
        *(
            (name, Term("HERO", key, text=heroes[key].title))
            for name, key in heroes_by_name().items()
        ),
    ]
