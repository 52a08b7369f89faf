"""The words of Fortresses: its own file, and the names of zones from the map (FW-11.2)."""

from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz.distance import OSA

from engine.fortresses.atlas import KINGDOMS, zones
from pbem.grammar.kit.lexicon import load_lexicon
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import Vocabulary
from pbem.reading.words import named_by, slip_of

_IRREGULAR = {
    people: zone
    for zone, told in (
        ("France", "french"),
        ("Denmark", "danish danes"),
        ("Ireland", "irish"),
        ("Poland", "polish poles"),
        ("Wales", "welsh"),
        ("England", "english"),
        ("Greece", "greek greeks"),
        ("Scotland", "scots"),
        ("Norway", "norse norwegian norwegians"),
        ("Sweden", "swedes"),
        ("Normandy", "normans"),
        ("Cyprus", "cypriot cypriots"),
        ("Naples", "neapolitan"),
        ("Aragon", "aragonese"),
    )
    for people in told.split()
}
_SUFFERED = (
    "attacked hit taken stormed raided assaulted invaded struck bombed besieged conquered captured"
    " seized eaten smashed burned"
).split()
_SUFFERING = ("get", "gets", "is", "are", "be", "to be", "is to be", "are to be", "will be")
_PASSIVE = (
    "attacked by",
    *(f"{be} {done} by" for be in _SUFFERING for done in _SUFFERED),
)
"""`Sweden gets hit by ...`: what stands behind it attacks what stands before it."""
PACKAGE = "pbem.games.fortresses.reading.language"
PREFIX = 4
"""A beginning of a name counts from this many letters on."""
SLIP = 5
"""A slip is read in words of this many letters."""


@lru_cache(maxsize=1)
def zones_by_name() -> Mapping[str, str]:
    """All names, codes and aliases, folded; Great Cities are aliases."""
    return {
        fold(name).replace("-", " "): zone.name
        for zone in zones().values()
        for name in (zone.name, zone.code, *zone.aliases)
    }


@lru_cache(maxsize=1)
def codes() -> frozenset[str]:
    """The three letters of each zone, folded."""
    return frozenset(fold(zone.code) for zone in zones().values())


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """All words: a zone is of a kind of its own, `Z0` being the first of the map."""
    numbers = {name: i for i, name in enumerate(zones())}
    names = tuple((f"Z{numbers[zone]}", (name,)) for name, zone in zones_by_name().items())
    return load_lexicon(PACKAGE, names=(*names, ("KINGDOM", KINGDOMS), ("WITH", _PASSIVE)))


def reserved_words() -> tuple[str, ...]:
    """Words no player may be called by: zones, and the kinds of units."""
    kinds = ("legion", "knight", "warbeast", "galleon", "dragon")
    return (*zones_by_name(), *kinds, *(f"{kind}s" for kind in kinds))


@lru_cache(maxsize=4096)
def begun_by(word: str) -> frozenset[str]:
    """The zones a name of which begins so."""
    names = zones_by_name().items()
    return frozenset(zone for name, zone in names if name.startswith(word))


@lru_cache(maxsize=4096)
def near_to(word: str) -> frozenset[str]:
    """The zones a name of which is one slip away."""
    return frozenset(
        zone
        for name, zone in zones_by_name().items()
        if len(name) >= SLIP - 1 and OSA.distance(word, name, score_cutoff=1) == 1
    )


@lru_cache(maxsize=4096)
def misspelt(word: str) -> frozenset[str]:
    """The one zone that a word may name with several letters wrong, also by the first word of its
    name; for what is only offered.
    """
    names = {name.split()[0]: zone for name, zone in zones_by_name().items() if " " in name}
    found = slip_of(word, {**names, **zones_by_name()}) if len(word) >= SLIP else frozenset[str]()
    return found if len(found) == 1 else frozenset()


@lru_cache(maxsize=4096)
def peopled_by(word: str) -> frozenset[str]:
    """The zones whose people a word names: `French`, `Norwegians`."""
    if word in _IRREGULAR:
        return frozenset({_IRREGULAR[word]} & {*zones()})
    return frozenset(zones_by_name()[name] for name in named_by(word, zones_by_name()))


@lru_cache(maxsize=1024)
def closest(word: str) -> tuple[str, ...]:
    """The three zones whose names are most like a word that names none."""
    names = sorted(zones_by_name().items(), key=lambda item: OSA.normalized_distance(word, item[0]))
    return tuple(dict.fromkeys(zone for _, zone in names))[:3]
