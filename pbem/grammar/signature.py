"""Whether a text is signed: a name at its end, alone or behind words like `best,`."""

from collections.abc import Sequence

from pbem.grammar.kit.normalise import fold

_CLOSING = frozenset(
    "best regards regard wishes all the kind warm with cheers thanks thank you many thx and yours"
    " sincerely truly faithfully love ciao bye lg vg mfg from signed by your friend player gruß"
    " grüße gruss grusse liebe viele beste salut".split()
)
MOST_WORDS = 8


def signature_lines(lines: Sequence[str], names: Sequence[str]) -> int:
    """How many lines at the end are a signature with one of these names; 0: it is not signed."""
    known = {word for name in names for word in _words(name)}
    initials = {word[:1] for word in known}
    at = len(lines)
    signed = False
    while at > 0:
        words = _words(lines[at - 1])
        is_name = bool(known.intersection(words)) or (len(words) == 1 and words[0] in initials)
        if len(words) > MOST_WORDS or any(
            word not in known | _CLOSING for word in words if not (is_name and len(word) == 1)
        ):
            break
        signed = signed or is_name
        at -= 1
    return len(lines) - at if signed else 0


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in fold(text)).split()
