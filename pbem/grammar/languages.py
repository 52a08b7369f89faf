"""Languages as people write them: `German`, `Deutsch`, `de`, `de-AT`. What is no language with
dates of its own is asked about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.localedata import locale_identifiers
from rapidfuzz import fuzz, process

from pbem.grammar.kit.normalise import fold

ENGLISH = "en_001"
"""English as everywhere; plain `en` is what somebody has who has chosen nothing."""
NEAR = 72.0
"""How alike (0..100) a suggested language must be at least."""
MOST_SUGGESTIONS = 3

_NUMERIC_MONTHS = frozenset({"dz"})
_KNOWN_BY_THEMSELVES = (
    "ar bg bn ca cs cy da de el es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lb lt lv"
    " mk ms nb nl nn pl pt ro ru sk sl sq sr sv ta th tr uk vi zh"
).split()


@dataclass(frozen=True, slots=True)
class LanguageRefused:
    """The text names no language whose dates are known; `suggestions` are names that may have been
    meant.
    """

    written: str
    suggestions: tuple[str, ...] = ()


def parse_language(text: str) -> str | LanguageRefused:
    """The POSIX name of the language (with its country, if one is named) that a text names, by its
    code or its name.

    Reads the names of languages when first asked, some hundred milliseconds: not on the event loop.
    """
    written = " ".join(text.split()).strip(" .,;!?\"'()")
    name = fold(written)
    found = _english_names().get(name) or _coded(written) or _own_names().get(name)
    if found is None:
        return LanguageRefused(written, _near(name))
    return ENGLISH if found == "en" else found


def language_name(code: str) -> str:
    """What a language is called in English: `German`, `German (Austria)`; plain `English` for both
    of its own codes.
    """
    return "English" if code in ("en", ENGLISH) else Locale.parse(code).english_name or code


def _coded(written: str) -> str | None:
    """A code that Babel knows, as the net (`de-AT`) or a system (`de_AT.UTF-8`) writes it."""
    try:
        found = Locale.parse(written.partition(".")[0].replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return None
    return str(found) if found.language not in _NUMERIC_MONTHS else None


@cache
def _english_names() -> Mapping[str, str]:
    """From what languages with dates of their own are called in English to their codes."""
    names = Locale("en").languages
    return {
        fold(names[code]): code
        for code in locale_identifiers()
        if code in names and code not in _NUMERIC_MONTHS
    }


@cache
def _own_names() -> Mapping[str, str]:
    """The same from what those who speak them call them."""
    return {fold(Locale.parse(code).languages[code]): code for code in _KNOWN_BY_THEMSELVES}


def _near(name: str) -> tuple[str, ...]:
    found = process.extract(
        name, list(_english_names()), scorer=fuzz.ratio, score_cutoff=NEAR, limit=MOST_SUGGESTIONS
    )
    return tuple(Locale("en").languages[_english_names()[near]] for near, _, _ in found)
