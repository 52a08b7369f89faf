"""What a sentence surely means that was mistyped: the one possible order of the very same words,
but for letters wrong in one of them.

It is offered, never taken. It never differs from what was written in what is to be done, to whom,
how many, or when: so there is none for a sentence with a `not`, an `if`, or anything else that an
order could lose.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from engine.realm_master import orders as o
from engine.realm_master.checking.legal import is_legal, possible
from engine.realm_master.plans import is_act, is_deed
from engine.realm_master.state import State
from pbem.games.realm_master.reading.words import (
    cards_by_name,
    heroes_by_name,
    lands_by_name,
    vocabulary,
)
from pbem.grammar.kit.binding import People, Person
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import fold

_SILENT = frozenset({"FILLER", "COLON", "COMMA", "TO", "ARE", "NOW", "ONCE", "AND"})
Words = tuple[tuple[str, str], ...]
MOST_WORDS = 12
LETTERS_A_SLIP = 4
"""One wrong letter in so many is a slip; another word is another word."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A possible order, its canonical text, the words of that and their kinds."""

    order: o.Order
    text: str
    words: Words
    kinds: frozenset[str]


class Offers:
    """What a player may be offered, found when it is first asked for."""

    def __init__(self, state: State, player: int, people: People) -> None:
        self.state, self.player, self.people = state, player, people

    @cached_property
    def lines(self) -> list[Offer]:
        """The possible orders but for what is done at once."""
        offer_of = _maker(self.people.persons, self.people.me)
        orders = possible(self.state, self.player)
        return [offer_of(order) for order in orders if not is_deed(order) and not is_act(order)]

    def holds(self, offer: Offer) -> bool:
        """Whether it is a legal order."""
        return is_legal(self.state, self.player, offer.order)


@lru_cache(maxsize=32)
def _maker(persons: tuple[Person, ...], me: int | None) -> Callable[[o.Order], Offer]:
    """Offers at a table; the same are made again and again."""
    people = People(persons, me)

    @lru_cache(maxsize=512)
    def offer_of(order: o.Order) -> Offer:
        text = o.format_order(order)
        words = words_of(lexemes_of(fold(text), vocabulary(), people))
        return Offer(order, text, words, frozenset(kind for kind, _ in words))

    return offer_of


def suggest(lexemes: Sequence[Lexeme], offers: Offers) -> Offer | None:
    """The only order whose words these are with one of them mistyped. None if there is none, or
    more than one.
    """
    said = words_of(lexemes)
    if len(said) > MOST_WORDS or not any(kind == "WORD" for kind, _ in said):
        return None
    found = [x for x in offers.lines if _is_same(said, x.words) and offers.holds(x)]
    return found[0] if len(found) == 1 else None


def words_of(lexemes: Iterable[Lexeme]) -> Words:
    """The kinds and names of the words that say something."""
    return tuple((lexeme.kind, _name(lexeme)) for lexeme in lexemes if lexeme.kind not in _SILENT)


def _name(lexeme: Lexeme) -> str:
    match lexeme.kind:
        case "LAND":
            return lands_by_name()[lexeme.text]
        case "HERO":
            return heroes_by_name()[lexeme.text]
        case "CARD":
            return cards_by_name()[lexeme.text]
        case "NUM" | "WHO":
            return str(lexeme.value)
        case "WORD":
            return lexeme.text
    return lexeme.kind


def _is_same(said: Sequence[tuple[str, str]], words: Sequence[tuple[str, str]]) -> bool:
    if len(said) != len(words):
        return False
    odd = [(mine, theirs) for mine, theirs in zip(said, words, strict=True) if mine != theirs]
    return len(odd) == 1 and odd[0][0][0] == "WORD" and _is_slip(odd[0][0][1], odd[0][1])


def _is_slip(word: str, meant: tuple[str, str]) -> bool:
    kind, name = meant
    named = {"LAND": lands_by_name(), "HERO": heroes_by_name(), "CARD": cards_by_name()}.get(kind)
    spellings = (
        [text for text, key in named.items() if key == name]
        if named is not None
        else _spellings(kind)
    )
    most = len(word) // LETTERS_A_SLIP
    return any(
        OSA.distance(word, spelling, score_cutoff=most) <= most for spelling in spellings if most
    )


def _spellings(kind: str) -> list[str]:
    return [
        " ".join(words)
        for phrases in vocabulary().phrases.values()
        for words, known in phrases
        if known == kind
    ]
