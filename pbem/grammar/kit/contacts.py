"""Where somebody can be reached: web and mail addresses, telephone numbers, postcodes, firms. Each
says one thing, whatever words and numbers it is made of, and that is never of a game.
"""

import re
from collections.abc import Iterator

_DOMAINS = "com|org|net|edu|gov|info|biz|io|app|dev|eu|de|at|ch|fr|nl|be|uk|ie|se|dk|pl|cz|ca|au"
_ADDRESS = re.compile(
    r"<?(?:(?:https?|ftp)://|mailto:|www\.)[^\s<>]*+>?"
    r"|<?\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{2,64}){1,4}\b>?"
    rf"|\b[a-z0-9][a-z0-9-]{{2,40}}(?:\.[a-z0-9-]{{2,40}}){{0,3}}\.(?:{_DOMAINS})\b(?:/[^\s<>]*+)?"
)
_OF_ADDRESS = re.compile(rf"://|mailto:|www\.|@|\.(?:{_DOMAINS})\b")
"""No address is without one of these."""
_POSTCODE = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")
"""As the British write it: `Preston P1 3AB`."""
_LAW = r"GmbH|Ltd|Limited|LLC|LLP|Inc|Corp|plc|PLC|SARL|S\.?r\.?l|B\.?V"
_OF_FIRM = re.compile(rf"(?:{_LAW})\b")
_FIRM = re.compile(
    r"(?:(?<=[|,;•·])|(?<=\n)|(?<!.)) *(?P<firm>(?:[A-ZÄÖÜÉ][\w'’.-]{0,40} |& ){1,6}"
    rf"(?:{_LAW})\b\.?)(?= *(?:[|,;•·\n]|$))"
)
"""A firm, with what it is before the law, in a part of a line by itself: `| Mercer & Sons Ltd`."""
_LABEL = (
    r"(?:(?:telephone|telefon|t[ée]l[ée]phone|tel|t[ée]l|phone|ph|mobile|mobil|mob|cell(?:phone)?"
    r"|fax|office|home|work|direct|landline|handy|gsm|tlf|privat|private|b[üu]ro|dienstlich|bureau"
    r"|portable|m[óo]vil|ufficio|whatsapp)\b[ .:]*|\b[tmpfohwcd][.:] *)"
)
_DIGITS = r"\d[\d ()/.\-–]{4,28}\d"
_OF_NUMBER = re.compile(_DIGITS)
_DIALLED = re.compile(
    rf"(?<!\w)(?P<label>{_LABEL})?(?P<number>(?<![\w.,+])\(?(?:\+ ?)?{_DIGITS})(?!\w)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b")
_BETWEEN = " \t/|,;•·-–"
_SHORTEST = 7
_WITHOUT_GROUPS = 9
"""Digits of a number that is written in pairs (`+33 6 12 34 56 78`)."""


def contacts_in(text: str) -> Iterator[tuple[int, int]]:
    """Where they stand in a text as it was written, telephone numbers with what they are called
    (`Work: +49 30 1234567`), and the signs between them.
    """
    at: int | None = None
    for start, end in sorted(_found_in(text)):
        if at is not None and at < start and not text[at:start].strip(_BETWEEN):
            yield at, start
        yield start, end
        at = end


def _found_in(text: str) -> Iterator[tuple[int, int]]:
    """A look whether there can be any costs far less than to look where."""
    for found in _ADDRESS.finditer(text) if _OF_ADDRESS.search(text) else ():
        yield found.span()
    for found in _POSTCODE.finditer(text):
        yield found.span()
    for found in _FIRM.finditer(text) if _OF_FIRM.search(text) else ():
        yield found.span("firm")
    for found in _DIALLED.finditer(text) if _OF_NUMBER.search(text) else ():
        if _is_dialled(found["number"], labelled=found["label"] is not None):
            yield found.span()


def _is_dialled(number: str, *, labelled: bool) -> bool:
    """Whether it is a telephone number, and no date, and no row of small numbers."""
    digits = sum(sign.isdigit() for sign in number)
    led = number.lstrip("(")[0] in "+0"
    grouped = re.search(r"\d{3}", number) is not None
    if digits < _SHORTEST or not (labelled or led) or _DATE.search(number):
        return False
    return grouped or (number[0] == "+" and digits >= _WITHOUT_GROUPS)
