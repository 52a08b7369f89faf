"""The words of States & Sovereigns: its own file in addition to those of the kit."""

from functools import lru_cache
from importlib.resources import files

from engine.sovereigns.codes import ATTRIBUTES, ActionKind, Attribute
from pbem.grammar.kit.guesses import Guessing, guessing_of
from pbem.grammar.kit.lexicon import load_lexicon
from pbem.grammar.kit.vocabulary import Vocabulary, parse_words

PACKAGE = "pbem.games.sovereigns.reading.language"
PREFIX = 3
"""A beginning of a kingdom's name counts from this many letters on (SS-13)."""
SLIP = 5
"""A slip is read in names of this many letters."""

ACTIONS: dict[str, tuple[ActionKind, Attribute]] = {
    "RESEARCH": ("Research", "R"),
    "INCREASE": ("Increase", "R"),
    "ATTACK": ("Attack", "M"),
    "EXPEDITION": ("Expedition", "M"),
    "ESPIONAGE": ("Espionage", "M"),
    "THEFT": ("Theft", "M"),
    "SECURITY": ("Security", "M"),
    "FOUND": ("Found", "H"),
    "SPREAD": ("Spread", "H"),
    "CONTACT": ("Contact", "H"),
    "FOMENT": ("Foment", "H"),
}
"""Kinds of words that are actions of the catalogue, each with what it expends."""
ATTRIBUTE_OF: dict[str, Attribute] = {f"A{attribute}": attribute for attribute in ATTRIBUTES}
BUILDINGS = {
    "BHOSPITAL": "BLD-HOSPITAL",
    "BTEMPLE": "BLD-TEMPLE",
    "BVAULT": "BLD-VAULT",
    "BWALL": "BLD-WALL",
    "BWORKS": "BLD-WORKS",
    "BCAMP": "BLD-CAMP",
    "BWONDER": "BLD-WONDER",
}
_TALK = frozenset({"PROSE", "COMMON", "FILLER", "UNSETTLED", "STATEMENT", "LATER", "HEDGE", "PAST"})
"""Kinds whose words nobody writes an order with."""
_NAMES = (
    *("resources", "military", "harmony", "seat", "kingdom", "everybody", "nobody", "offer"),
    *("hospital", "temple", "vault", "wall", "works", "camp", "wonder", "boon", "else", "if"),
)


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """All words."""
    return load_lexicon(PACKAGE)


@lru_cache(maxsize=1)
def guessing() -> Guessing:
    """The same words, also with letters wrong: for what is only offered."""
    own = {kind for kind, _ in parse_words(files(PACKAGE) / "orders.words")}
    return guessing_of(vocabulary(), own - _TALK)


def reserved_words() -> tuple[str, ...]:
    """Words no player may be called by: attributes, buildings, actions."""
    return (*_NAMES, *(kind.lower() for kind, _ in ACTIONS.values()))
