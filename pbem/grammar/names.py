"""Names that a line can end with: the stop of an abbreviation belongs to them, that of a sentence
does not.
"""

import re

MOST_CHARACTERS = 40
QUOTES = " \t\"'“”„‘’«»<>()[]"
"""What may stand around a name."""
_SHORTENED = frozenset({"jr", "sr", "dr", "st", "esq", "snr", "jnr"})
_SIGNS = " .!?"
_NO_NAME = re.compile(r"[@<>,;:!?\n]")


def without_stop(said: str) -> str:
    """What was said without the signs that end it: `Ben.` is `Ben`, `J.R.` and `Ben Jr.` stay."""
    bare = said.rstrip(_SIGNS)
    last = bare.rpartition(" ")[2]
    is_short = "." in last or last.casefold() in _SHORTENED
    return f"{bare}." if is_short and said[len(bare) :].startswith(".") else bare


def is_sayable(name: str) -> bool:
    """Whether a line can say it, and says nothing else by it."""
    return (
        0 < len(name) <= MOST_CHARACTERS
        and " ".join(name.split()) == without_stop(name) == name
        and _NO_NAME.search(name) is None
        and any(map(str.isalnum, name))
        and not {name[0], name[-1]} & set("\"'")
    )


def check_sayable(name: str) -> None:
    """ValueError for a name that no line could say."""
    if name and not is_sayable(name):
        raise ValueError(f"no line can say the name {name!r}")
