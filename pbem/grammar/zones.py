"""Time zones as people write them: `Europe/Oslo` in any case, a city of the list. What is no place,
or several, is asked about.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global
from rapidfuzz import fuzz, process

from pbem.grammar.kit.normalise import fold

ZoneCode = Literal["zone-abbreviation", "zone-offset", "zone-ambiguous", "zone-unknown"]

NEAR = 72.0
"""How alike (0..100) a suggested place must be at least."""
MOST_SUGGESTIONS = 5

_AREAS = frozenset(
    "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific".split()
)
_OFFSET = re.compile(
    r"(?:(?:utc|gmt|etc/gmt|z)? ?[+-] ?\d{1,2}(?:[:.]?\d{2})?|(?:gmt|utc) ?\d{1,2}|gmt0)"
)


@dataclass(frozen=True, slots=True)
class ZoneRefused:
    """The text names no one time zone. `suggestions` are IANA names that may have been meant."""

    code: ZoneCode
    written: str
    suggestions: tuple[str, ...] = ()


def parse_zone(text: str) -> str | ZoneRefused:
    """The IANA name of the zone a text names: the name itself in any case, or a city that only one
    zone is called after.
    """
    written = " ".join(text.split()).strip(" .,;!?\"'()")
    folded = _fold(written)
    if folded != "land" and folded in _load_words():
        return ZoneRefused("zone-abbreviation", written, _load_words()[folded])
    if _OFFSET.fullmatch(folded):
        return ZoneRefused("zone-offset", written)
    exact = _names().get(folded) or _names().get(folded.removesuffix(" time"))
    if exact is not None:
        return exact
    city = re.sub(r"^(?:in|at) | time$", "", folded.partition(",")[0]).strip()
    found = _cities().get(city, ())
    if len(found) == 1:
        return found[0]
    if found:
        return ZoneRefused("zone-ambiguous", written, found[:MOST_SUGGESTIONS])
    return ZoneRefused("zone-unknown", written, _suggested(folded, city))


def is_country(text: str) -> bool:
    """Whether a text is a country's English name, as it may follow a city."""
    return _fold(text.strip(" .!")) in _countries()


def _suggested(folded: str, city: str) -> tuple[str, ...]:
    country = _countries().get(city, ())
    if country:
        return country[:MOST_SUGGESTIONS]
    by_name = process.extract(
        folded, list(_names()), scorer=fuzz.ratio, score_cutoff=NEAR + 10, limit=MOST_SUGGESTIONS
    )
    by_city = process.extract(
        city, list(_cities()), scorer=fuzz.ratio, score_cutoff=NEAR, limit=MOST_SUGGESTIONS
    )
    near = [_names()[name] for name, _, _ in by_name] + [
        zone for name, _, _ in by_city for zone in _cities()[name]
    ]
    return tuple(dict.fromkeys(near))[:MOST_SUGGESTIONS]


def _fold(text: str) -> str:
    """As a word is compared, with spaces for underscores."""
    return " ".join(fold(text.replace("_", " ")).replace(" / ", "/").split())


@cache
def _names() -> dict[str, str]:
    """Every name that is a place (or UTC), by its folded form."""
    names = {
        _fold(name): name
        for name in sorted(available_timezones())
        if name.partition("/")[0] in _AREAS or _is_land(name)
    }
    return names | {"utc": "UTC", "etc/utc": "UTC"}


def _is_land(name: str) -> bool:
    """The old names of whole countries, `Japan` or `US/Pacific`."""
    lands = _load_words()["land"]
    return name in lands or f"{name.partition('/')[0]}/*" in lands


@cache
def _load_words() -> Mapping[str, tuple[str, ...]]:
    """The places of each word of `zones.words`."""
    lines = (files(__package__) / "zones.words").read_text("utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {word: tuple(places.split(", ")) for word, places in pairs}


@cache
def _cities() -> dict[str, tuple[str, ...]]:
    """The zones called after each city; old second names of a zone that has a newer one of the same
    city left out.
    """
    cities: dict[str, list[str]] = {}
    for folded, name in _names().items():
        if name.partition("/")[0] in _AREAS:
            cities.setdefault(folded.rpartition("/")[2], []).append(name)
    territories = get_global("zone_territories")
    return {
        city: tuple(sorted(name for name in names if name in territories) or sorted(names))
        for city, names in cities.items()
    }


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """The zones of each country, by its English name."""
    zones, known = get_global("territory_zones"), available_timezones()
    named = Locale("en").territories.items()
    found = {
        _fold(name): tuple(zone for zone in zones[code] if zone in known)
        for code, name in named
        if code in zones
    }
    states = ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles")
    common = {
        **dict.fromkeys(("usa", "us", "united states", "america"), states),
        **dict.fromkeys(("uk", "england"), ("Europe/London",)),
    }
    return found | common
