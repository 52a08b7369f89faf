"""A game master's corrections at a table of Protectors: `P3 units 5`, `Anna money 75`, `restore
Anna in P3 with 2`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from engine.protectors.cards import all_cards
from engine.protectors.colours import SYMBOLS
from engine.protectors.orders import ISLAND, format_province
from engine.protectors.state import State
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Correction
from pbem.reading.corrections import CorrectionForm, read_form
from pbem.reading.terms import Names, Term, once, our_terms, terms_by_name

FORMS = (
    "P3 units 5",
    "P3 owner Anna",
    "P3 owner nobody",
    "Anna money 75",
    "dpl 12",
    "card Flood!",
    "restore Anna in P3 with 2",
)
"""How each kind is written."""

_NOBODY = {"owner": None}
_TABLE = (
    CorrectionForm("set-units", "{province:PLACE} units {units:NUMBER}", "UNITS"),
    CorrectionForm("set-owner", "{province:PLACE} owner {owner:PLAYER}", "OWNER"),
    CorrectionForm("set-owner", "{province:PLACE} owner {owner:PLAYER}"),
    CorrectionForm("set-owner", "{province:PLACE} owner nobody", "NOBODY", "", "OWNER", _NOBODY),
    CorrectionForm("set-money", "{player:PLAYER} money {realm:NUMBER}", "MONEY"),
    CorrectionForm("set-dpl", "dpl {dpl:NUMBER}", "DPL"),
)
_MISSING = {"PLACE": "province", "PLAYER": "player", "NUMBER": "number"}
_MOST_CHARACTERS = 300
_NUMBERED = {"P": "PLACE", "PROVINCE": "PLACE", "RANK": "RANKED"}
"""What a word before a number makes of it."""
_ISLAND = Term("PLACE", number=ISLAND, text=format_province(ISLAND))
_CARD = re.compile(
    r"(?:the )?(?:event |sea |dragons? |end )?card(?: in play)?\b(?: (?:is|to|in play|should"
    r" be|shall be))*[ :=]*(?P<card>.*)",
    re.DOTALL,
)


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    written = " ".join(text[:_MOST_CHARACTERS].split())
    folded = fold(written)
    said = _CARD.fullmatch(folded)
    if said is not None:
        return _card(said["card"], written)
    unread = Unread("invalid", "correction", written, FORMS)
    names = _TableNames(state)
    terms = once(_numbered(names.terms_in(written, unread)))
    _check(state, terms)
    if any(term.kind == "RESTORE" for term in terms):
        return _restore(terms, unread)
    return read_form(_TABLE, terms, names, unread, _MISSING)


def _card(said: str, written: str) -> Correction:
    cards = {_bare(name): name for name in all_cards()}
    bare = _bare(said)
    if not bare:
        raise Unread("missing", "card")
    if bare not in cards:
        near = process.extract(bare, list(cards), scorer=fuzz.WRatio, score_cutoff=70.0, limit=3)
        known = tuple(cards[name] for name, *_ in near) or tuple(cards.values())
        raise Unread("invalid", "no-such", written, known)
    return Correction({"act": "set-card", "card": cards[bare]}, f"card {cards[bare]}")


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", fold(text)).removeprefix("the ").strip()


def _numbered(terms: Sequence[Term]) -> list[Term]:
    """The terms, with a number as what the word before it makes of it: `P3`, `place 2`."""
    found: list[Term] = []
    for term in terms:
        kind = _NUMBERED.get(found[-1].kind) if found and term.kind == "NUMBER" else None
        if kind is not None:
            text = format_province(term.number) if kind == "PLACE" else ""
            found[-1] = replace(term, kind=kind, text=text)
        else:
            found.append(_ISLAND if term.kind == "ISLAND" else term)
    return [term for term in found if term.kind != "PROVINCE"]


def _check(state: State, terms: Sequence[Term]) -> None:
    """Unread for provinces and numbers there are none of."""
    for place in (term for term in terms if term.kind == "PLACE"):
        is_island = place.number == ISLAND
        is_here = state.options.island if is_island else 0 < place.number < len(state.board)
        if not is_here:
            known = (f"P1 to P{len(state.board) - 1}",)
            raise Unread("invalid", "out-of-range", "Island" if is_island else place.text, known)
    numbers = [term.number for term in terms if term.kind == "NUMBER"]
    if any(number < 0 for number in numbers):
        raise Unread("invalid", "number", str(min(numbers)))


def _restore(terms: Sequence[Term], unread: Unread) -> Correction:
    odd = Unread("ambiguous", "correction", unread.written, FORMS)
    players, ranks, places, numbers = (
        [term for term in terms if term.kind == kind]
        for kind in ("PLAYER", "RANKED", "PLACE", "NUMBER")
    )
    if not players:
        raise Unread("missing", "player", unread.written, FORMS)
    named = len(players + ranks + places + numbers)
    if len(players) > 1 or len(ranks) > 1 or named + 1 < len(terms):
        raise odd
    if len(numbers) == 1 and places:
        numbers *= len(places)  # `with 2 each`
    if numbers and not places:
        raise Unread("missing", "province", unread.written, FORMS)
    if numbers and len(numbers) != len(places):
        raise odd
    act: dict[str, object] = {"act": "restore", "player": players[0].number}
    said = f"restore {players[0]}"
    if ranks:
        act["rank"] = ranks[0].number
        said += f" at place {ranks[0]}"
    for field, lead, listed in (("provinces", "in", places), ("units", "with", numbers)):
        if listed:
            act[field] = tuple(term.number for term in listed)
            said += f" {lead} {', '.join(map(str, listed))}"
    return Correction(act, said)


class _TableNames(Names):
    """Names of this table, before our words; colours and symbols behind them."""

    def __init__(self, state: State) -> None:
        players = [Term("PLAYER", number=x.number, text=x.name) for x in state.players]
        named = terms_by_name((player.text, player) for player in players)
        signs = terms_by_name(
            (sign, player)
            for player, seat in zip(players, state.players, strict=True)
            for symbol in (SYMBOLS.get(seat.colour, seat.colour),)
            for sign in (seat.colour, symbol, f"{symbol}s")
        )
        super().__init__((named, our_terms(__package__, "corrections.words"), signs))
        self._known = tuple(state.players)

    def no_such(self, left: str, found: Sequence[Term]) -> Unread | None:
        """A player's name with a slip, where a player is missing."""
        topics = {term.kind for term in found} & {"PLAYER", "UNITS", "DPL"}
        if topics or len(left.split()) > 2:
            return None
        names = {fold(seat.name): seat.name for seat in self._known}
        near = process.extractOne(left, list(names), scorer=fuzz.ratio, score_cutoff=60.0)
        nearest = tuple(names.values()) if near is None else (names[near[0]],)
        return Unread("invalid", "no-such", left, nearest)
