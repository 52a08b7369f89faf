"""Whether a text is signed: a name at its end, alone, behind words like `best,`, or above the lines
of their names and places.
"""

from collections.abc import Collection, Sequence

from pbem.grammar.kit.normalise import fold

_CLOSING = frozenset(
    "best regards regard wishes all the kind warm with cheers thanks thank you many thx and yours"
    " sincerely truly faithfully love ciao bye lg vg mfg from signed by your friend player gruß"
    " grüße gruss grusse liebe viele beste salut".split()
)
MOST_WORDS = 8
MOST_LINES = 5
MOST_NAMES = 4
_BETWEEN_NAMES = frozenset(
    "a af al av ben bin d da das de del den der di do dos du e el ibn la le los of st ten ter van"
    " vom von y zu zum zur".split()
)


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


def block_below_name(
    lines: Sequence[str], known: Collection[str], begins: Collection[str]
) -> Sequence[str]:
    """Those at the end that are a name and what stands below it. Of a name no word of which is
    `known`, two lines at least, and paragraphs of their own: it is one of the lines that `begins`
    one.
    """
    for at, line in enumerate(lines):
        block = lines[at:]
        if len(block) > MOST_LINES or any(below[:1].islower() for below in block):
            continue
        words = _words(line)
        if _is_like_a_name(line) and (
            not set(words).isdisjoint(known)
            or (line in begins and len(block) > 1 and len(words) > 1)
        ):
            return block
    return ()


def without_block(text: str, names: Sequence[str]) -> str:
    """The text without one of these names at its end and what stands below it."""
    lines = text.strip().splitlines()
    block = block_below_name(lines, {word for name in names for word in _words(name)}, ())
    return "\n".join(lines[: len(lines) - len(block)]).strip() if block else text.strip()


def _is_like_a_name(line: str) -> bool:
    words = line.replace(".", " ").replace("-", " ").replace(",", " ").split()
    return 0 < len(words) <= MOST_NAMES and all(
        word.replace("'", "").isalpha() and (word[0].isupper() or word in _BETWEEN_NAMES)
        for word in words
    )


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in fold(text)).split()
