"""Names at a table: what may be a name, and which names look alike.

A name ends in mails, pictures and orders. It must not break a line, hide a direction, pose as another player, or read
as a colour, a symbol, a province or a command.
"""

import re
import unicodedata

MAX_CHARACTERS = 40

# Letters of other alphabets that look like Latin ones, after case folding; enough that no name passes for another.
_LOOKALIKES = str.maketrans(
    "авеёзкмнорстухьіїјѕԁԛԝһӏгпиαβγεηικμνορτυχωϲ0135|$@!ıłøđ",
    "abeeekmhopctyxbiijsdqwhirnnabyenikuvoptuxwcoiesisaiilod",
)
_RESERVED = frozenset(
    "gm master all everyone everybody everywhere everything nobody none nothing me myself you dragon island the neutral pirates sea realm "
    "final yes no cancel status map orders history help resend rule press golden delayed gold march fortify support work hold send buy bid "
    "commit burn capitol upgrade snitch from to in and with province player rest my mine your yours his her hers our ours their theirs "
    "it its one two three four five six seven eight nine ten eleven twelve both other others seat number name "
    "colour color vote leave resign join players zone".split()
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

    Raises NameRefused: `name-empty`, `name-too-long`, `name-unprintable`, `name-reserved`.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise NameRefused("name-empty", text)
    if len(name) > MAX_CHARACTERS:
        raise NameRefused("name-too-long", name)
    hidden = any(unicodedata.category(letter)[0] == "C" for letter in text.strip())  # also line breaks, which are not folded away
    if (
        hidden
        or any(unicodedata.category(letter)[0] == "Z" and letter != " " for letter in name)
        or not any(letter.isalpha() for letter in name)
    ):
        raise NameRefused("name-unprintable", name)
    folded = skeleton(name)
    if _PROVINCE.fullmatch(name) or name.casefold() in _RESERVED | reserved or folded in {skeleton(word) for word in _RESERVED | reserved}:
        raise NameRefused("name-reserved", name)
    return name


def skeleton(name: str) -> str:
    """What makes names alike: without case, accents, spaces and marks, look-alike letters of other alphabets as Latin ones."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = (letter for letter in plain.translate(_LOOKALIKES) if not unicodedata.combining(letter) and letter.isalnum())
    return "".join(letters).replace("rn", "m").replace("vv", "w").replace("l", "i")
