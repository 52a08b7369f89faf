"""Which words of a message had no effect in this game: the kinds of its words, and what an order
implies (whose offer it answers, the building of a code).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pbem.games.sovereigns.reading.lexer import lexemes_here
from pbem.games.sovereigns.reading.pieces import BUILDING_KINDS, DIALECT, DO, TRADE
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.words import BUILDINGS
from pbem.grammar.kit.coverage import Coverage, Terms, bounds_in
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import normalise

_OWN = set_of("EXACT QUOTE")
_ANSWERS = set_of("ACCEPT DECLINE deal")
_SAME = {
    "CODE": set_of("INCREASE PROPOSE OFFER"),
    "VOTE": _ANSWERS,
    "COND": set_of("PASS"),
    "ORELSE": set_of("PASS"),
    "INCREASE": set_of("TRYING"),
    "FORGETS": DO | {"AH"},
}

_OF_CODES = set_of("INCREASE ALL AR AM AH")
"""`One die more on every Resources roll`: what a code says in words."""


def coverage_in(position: Position) -> Coverage:
    """While an offer is open to this kingdom, a word that may answer it is never talk."""
    terms = Terms(
        DIALECT.verbs,
        DIALECT.weak | {"REDO"},
        set_of("NUM WHO"),
        BUILDING_KINDS | {"SPARE"},
        set_of("AR AM AH SPEND INCREASE ALL HALF BURN BOON"),
        set_of("KEEPBACK CODE"),
        _ANSWERS if any(x.taker == position.me for x in position.state.offers) else frozenset(),
        alike=dict.fromkeys(TRADE, "OFFER"),
    )

    def read(text: str) -> Sequence[Lexeme]:
        lexemes = _words(text, position)
        more = bounds_in(lexemes) if " if " in text else []
        if "nobody" in text:
            more.append(Lexeme("WHO", "", 0, 0, 0))  # a kingdom that does not exist
        return [*lexemes, *_free(text, lexemes, position), *_implied(lexemes, position), *more]

    return Coverage(terms, position.me, read)


def _words(text: str, position: Position) -> list[Lexeme]:
    plain = normalise(text)
    return lexemes_here(plain.text, plain, position)[0]


def _free(text: str, lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """What a ruler says in words of their own, which an order keeps as they are."""
    own = [normalise(text).quote(x.start, x.end) for x in lexemes if x.kind in _OWN]
    parts = [part for words in own for part in words.strip('"').split(": ")]
    parts += [x.text.partition(" ")[2] for x in lexemes if x.kind == "CODE"]  # `STAT-ACT Theft`
    return [x for part in parts for x in _words(part, position)]


def _meant_by(kinds: AbstractSet[str], lexemes: Sequence[Lexeme]) -> set[str]:
    """Kinds of words that say the same as these of an order: `I agree` to a claim, `else pass`, `we
    invent steel, which gives one die more`, `so that we can build a wall`.
    """
    found = {kind for said, others in _SAME.items() if said in kinds for kind in others}
    builds = any("BLD-" in x.text for x in lexemes if x.kind == "CODE")
    return found | ({"BUILD"} if builds else set())


def _implied(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """A code tells the building that it is, and the points it brings (`+1 on all military rolls`);
    an answer those who trade; points in parts how many they are in all.
    """
    kinds = {x.kind for x in lexemes}
    counts = [x.value for x in lexemes if x.kind == "NUM" and isinstance(x.value, int)]
    codes = [x.text for x in lexemes if x.kind == "CODE"]
    found = [
        Lexeme(kind, "", 0, 0)
        for kind, code in BUILDINGS.items()
        if any(code in text for text in codes)
    ]
    found += [Lexeme(kind, "", 0, 0) for kind in sorted(_meant_by(kinds, lexemes))]
    found += [Lexeme("NUM", "", 0, 0, sum(counts)), Lexeme("SPEND", "", 0, 0)]
    if "INCREASE" in kinds:
        found.append(Lexeme("NUM", "", 0, 0, 1))  # `+1 military`
    if "CODE" in kinds:
        found += [Lexeme("NUM", "", 0, 0, 1), Lexeme("NUM", "", 0, 0, 2)]
        found += [Lexeme(kind, "", 0, 0) for kind in _OF_CODES]
    if kinds & {"ACCEPT", "DECLINE", "WITHDRAW"}:
        said = {x.value for x in lexemes if x.kind == "NUM"}
        for offer in (*position.offers_to_me(), *position.offers_of_mine()):
            if offer.id in said:
                found += [Lexeme("WHO", "", 0, 0, who) for who in (offer.giver, offer.taker)]
    return found
