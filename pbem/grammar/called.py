"""Names at a table: what may be a name, and which names look alike.

A name ends in mails, pictures and orders. It must not break a line, hide a direction, pose as
another player, or read as a colour, a symbol, a province or a command.
"""

import re
import unicodedata
from functools import lru_cache

MAX_CHARACTERS = 40

# Letters that look like Latin ones to players, beyond the confusables of Unicode, after case
# folding.
_LOOKALIKES = str.maketrans(
    "авеёзкмнорстухьіїјѕԁԛԝһӏгпиαβγεηικμνορτυχωϲ0134578|$@!",
    "abeeekmhopctyxbiijsdqwhirnnabyenikuvoptuxwcoieastbisai",
)
_LATIN = re.compile(
    r"LATIN (?:SMALL LETTER|CAPITAL LETTER|LETTER SMALL CAPITAL)(?:"
    r" (?:TURNED|SCRIPT|REVERSED|OPEN|DOTLESS|SIDEWAYS|LONG|INSULAR|BARRED))?"
    r" (?P<letter>[A-Z])(?: WITH .*)?"
)
"""The names of letters that are a Latin one with something to it, or another cut of it."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Letters and marks that nobody sees."""
_LINK = re.compile(
    r"://|www\.|[@<>]|\.\w{2,}/"
    r"|\w\w\.(?:[a-z]{2}|com|net|org|info|biz|dev|app|xyz|online|site|shop|club|top|link|page|live|example|test)\b",
    re.IGNORECASE,
)
_TITLES = frozenset(
    "admin administrator gm moderator operator postmaster gamemaster webmaster system sysop"
    " root".split()
)
"""Words of a name that promise an office."""
_OFFICES = (
    "gamemaster",
    "postoffice",
    "postmaster",
    "mailerdaemon",
    "administrator",
    "thehouse",
    "theobservers",
    "grandmaster",
)
_SCRIPTS = frozenset(
    "LATIN CYRILLIC GREEK ARMENIAN CHEROKEE COPTIC LISU CANADIAN GEORGIAN DESERET OSAGE"
    " GOTHIC".split()
)
"""Alphabets whose letters pass for one another's."""
_RESERVED = frozenset(
    "gm master all everyone everybody everywhere everything nobody none nothing me myself you"
    " dragon island the neutral pirates sea realm final yes no cancel status map orders history"
    " help resend rule press golden delayed gold march fortify support work hold send buy bid"
    " commit burn capitol upgrade snitch from to in and with province player rest my mine your"
    " yours his her hers our ours their theirs observer observers it its one two three four five"
    " six seven eight nine ten eleven twelve both other others seat number name colour color vote"
    " leave resign join players zone pass skip done attack".split()
)
_PROVINCE = re.compile(r"(p|province|player|seat|number|no\.?|#)?\s*+(?:#\s*+)?\d+", re.IGNORECASE)


class NameRefused(ValueError):
    """The name cannot be used at this table; `code` says why."""

    def __init__(self, code: str, name: str) -> None:
        super().__init__(f"{code}: {name!r}")
        self.code = code
        self.name = name


def parse_name(text: str, reserved: frozenset[str] = frozenset()) -> str:
    """A name fit for a table. `reserved` are further words taken there (colours and symbols).

    Raises NameRefused: `name-empty`, `name-too-long`, `name-unprintable`, `name-link`,
    `name-mixed`, `name-title`, `name-reserved`.
    """
    name = parse_called(text)
    folded = skeleton(name)
    words = {skeleton(word) for word in re.findall(r"\w+", name)}
    if (
        _PROVINCE.fullmatch(name)
        or name.casefold() in _RESERVED | reserved
        or folded in {skeleton(word) for word in _RESERVED | reserved}
    ):
        raise NameRefused("name-reserved", name)
    if words & {skeleton(word) for word in _TITLES} or any(
        skeleton(office) in folded for office in _OFFICES
    ):
        raise NameRefused("name-title", name)
    return name


def parse_called(text: str) -> str:
    """What somebody may be called who has no seat: a game master, an observer. Raises NameRefused,
    but not for an office.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise NameRefused("name-empty", text)
    if len(name) > MAX_CHARACTERS:
        raise NameRefused("name-too-long", name)
    hidden = any(
        unicodedata.category(letter)[0] == "C" for letter in text.strip()
    )  # also line breaks, which are not folded away
    if (
        hidden
        or _INVISIBLE.search(text) is not None
        or any(unicodedata.category(letter)[0] == "Z" and letter != " " for letter in name)
        or not any(letter.isalpha() for letter in name)
    ):
        raise NameRefused("name-unprintable", name)
    if _LINK.search(unicodedata.normalize("NFKC", name)) is not None:
        raise NameRefused("name-link", name)
    if any(len(_scripts(word)) > 1 for word in name.split()):
        raise NameRefused("name-mixed", name)
    return name


def called(text: str, otherwise: str) -> str:
    """The name that somebody's own words give them; `otherwise` where it cannot be one."""
    try:
        return parse_name(text[:MAX_CHARACTERS])
    except NameRefused:
        return otherwise


def _scripts(word: str) -> set[str]:
    """The alphabets of a word's letters, of those whose letters look alike."""
    names = (
        unicodedata.name(letter, "")
        for letter in unicodedata.normalize("NFKC", word)
        if letter.isalpha()
    )
    return {name.partition(" ")[0] for name in names} & _SCRIPTS


def skeleton(name: str) -> str:
    """What makes names alike: without case, accents, spaces and marks, look-alike letters of other
    alphabets as Latin ones.
    """
    letters = "".join(map(_plain, unicodedata.normalize("NFKC", _INVISIBLE.sub("", name))))
    letters = letters.translate(_LOOKALIKES)
    return (
        "".join(filter(str.isalnum, letters))
        .replace("rn", "m")
        .replace("vv", "w")
        .replace("l", "i")
    )


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """A letter without case and accents, as the Latin one that it looks like, if there is one."""
    if letter.isupper() and not letter.isascii() and (alike := _ascii_like(letter)):
        return alike
    found = []
    for piece in unicodedata.normalize("NFKD", letter.casefold()):
        if unicodedata.combining(piece):
            continue
        is_known = piece.isascii() or piece.translate(_LOOKALIKES) != piece
        found.append(piece if is_known else _ascii_like(piece) or piece)
    return "".join(found)


def _ascii_like(letter: str) -> str:
    """The ASCII letters that Unicode says it may be taken for, or that its own name gives; "":
    none.
    """
    from confusable_homoglyphs import confusables

    for alike in confusables.confusables_data.get(letter, ()):
        plain = "".join(
            sign
            for sign in unicodedata.normalize("NFKD", alike["c"])
            if not unicodedata.combining(sign)
        )
        if plain.isascii() and plain.isalnum():
            return plain.casefold()
    named = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return named["letter"].casefold() if named is not None else ""
