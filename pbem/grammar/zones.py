"""Time zones as people write them: `Europe/Oslo` in any case, a city of the list. What is no place,
or several, is asked about.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global
from rapidfuzz import fuzz, process

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
_ABBREVIATIONS: Mapping[str, tuple[str, ...]] = {
    "gmt": ("Europe/London", "Africa/Accra", "UTC"),
    "wet": ("Europe/Lisbon",),
    "west": ("Europe/Lisbon",),
    "bst": ("Europe/London",),
    "cet": ("Europe/Berlin", "Europe/Oslo", "Europe/Paris", "Europe/Warsaw"),
    "cest": ("Europe/Berlin", "Europe/Oslo", "Europe/Paris", "Europe/Warsaw"),
    "met": ("Europe/Berlin", "Europe/Oslo"),
    "mez": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "mesz": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "eet": ("Europe/Athens", "Europe/Helsinki", "Europe/Kyiv"),
    "eest": ("Europe/Athens", "Europe/Helsinki", "Europe/Kyiv"),
    "msk": ("Europe/Moscow",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "hkt": ("Asia/Hong_Kong",),
    "sgt": ("Asia/Singapore",),
    "awst": ("Australia/Perth",),
    "acst": ("Australia/Adelaide", "Australia/Darwin"),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "aedt": ("Australia/Sydney",),
    "nzst": ("Pacific/Auckland",),
    "nzdt": ("Pacific/Auckland",),
    "hst": ("Pacific/Honolulu",),
    "akst": ("America/Anchorage",),
    "akdt": ("America/Anchorage",),
    "pst": ("America/Los_Angeles", "America/Vancouver"),
    "pdt": ("America/Los_Angeles", "America/Vancouver"),
    "pt": ("America/Los_Angeles", "America/Vancouver"),
    "mst": ("America/Denver", "America/Phoenix"),
    "mdt": ("America/Denver",),
    "mt": ("America/Denver", "America/Phoenix"),
    "cst": ("America/Chicago", "America/Mexico_City", "Asia/Shanghai"),
    "cdt": ("America/Chicago",),
    "ct": ("America/Chicago",),
    "est": ("America/New_York", "America/Toronto", "America/Panama"),
    "edt": ("America/New_York", "America/Toronto"),
    "et": ("America/New_York", "America/Toronto"),
    "ast": ("America/Halifax", "America/Puerto_Rico"),
    "brt": ("America/Sao_Paulo",),
    "art": ("America/Argentina/Buenos_Aires",),
}
"""Abbreviations are no places: several places share one, and it leaves summer time open."""


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
    if folded in _ABBREVIATIONS:
        return ZoneRefused("zone-abbreviation", written, _ABBREVIATIONS[folded])
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
    """Lower case, no accents, spaces for underscores."""
    plain = unicodedata.normalize(
        "NFKD", text.casefold().replace("_", " ").replace("ø", "o").replace("ł", "l")
    )
    return " ".join(
        "".join(letter for letter in plain if not unicodedata.combining(letter))
        .replace(" / ", "/")
        .split()
    )


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
    """The old names of whole countries, `Japan` or `US/Pacific`: places all the same."""
    return name.partition("/")[0] in {"US", "Canada", "Brazil", "Mexico", "Chile"} or name in {
        "Cuba",
        "Egypt",
        "Eire",
        "Hongkong",
        "Iceland",
        "Iran",
        "Israel",
        "Jamaica",
        "Japan",
        "Libya",
        "Poland",
        "Portugal",
        "Singapore",
        "Turkey",
    }


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
