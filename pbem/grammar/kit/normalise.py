"""What a player typed, in a form that can be read: folded characters, each of which knows where it
stood in the original.

Compatibility forms are folded (NFKC), accents and case dropped, quotes, dashes, arrows and bullets
brought to one sign each, emoji and control characters blanked. Offsets stay, so that a caret points
at what the player really wrote.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import Struct

from pbem.grammar.kit.contacts import contacts_in

ARROW = "→"
ELLIPSIS = "…"

_SIGNS = {
    **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
    **dict.fromkeys('“”„‟″«»"', '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    **dict.fromkeys("→⇒➔➜➝➞➡⟶⟹⇨↦➙➛", ARROW),
    **dict.fromkeys("•‣▪▫●○◦·∙■□▶►➤✓✔☑", "•"),
    **dict.fromkeys("×✕✖", "x"),
    **dict.fromkeys("☐☒✗✘❌👎🚫⛔🤔", "[]"),
    **dict.fromkeys("│┃¦", "|"),
    "…": ELLIPSIS,
    "№": "#",
    "≤": "<",
    "≥": ">",
    "≈": "~",
    "±": "~",
    "_": " ",
    "€": "$",
    "\t": " ",
    "\u00a0": " ",
    "\u2028": "\n",
    "\u2029": "\n",
    "\r": "\n",
    "\v": "\n",
    "\f": "\n",
}
# Letters that have no decomposition but are typed without their stroke.
_LETTERS = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ħ": "h",
    "ŧ": "t",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ð": "d",
    "ß": "ss",
}

_ARROWS = re.compile(r"(?<![-=~])[-=~]++>+|>>+|(?<=\d)[ \t]*+>(?=[ \t]*+(?:p|#|\d))")
_FOLDED = re.compile(r"(?>(?:[a-z ,!?'\n]++|\d(?![\d ]{5}))*)")
"""What is folded and has no sign that begins or ends anything that is read as one."""
_DOTS = re.compile(r"\.{2,}")
_QUOTED = re.compile(r"^[ \t]*(?:>|//)[^\n]*", re.MULTILINE)
_STRUCK = re.compile(r"~~(?=[^\s~>])(?:[^~\n]|~(?!~)|\n(?![ \t]*\n))*~~")
_SMILEY = re.compile(r"(?<![\w<>])(?:[:;=]'?-?[)(DPpd/|\\\]\[*oO3]+|<3+|\^\^|[xX]D+)(?!\w)")
_FACE = re.compile(
    "[\U0001f600-\U0001f64f\U0001f910-\U0001f913\U0001f915-\U0001f92f\U0001f970-\U0001f97a]"
)


class Plain(Struct, frozen=True):
    """Folded text; `where[i]` is the offset in the original of its character i (one more for the
    end).
    """

    text: str
    where: tuple[int, ...]
    original: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original's offsets of the folded characters from start up to end."""
        first = self.where[start]
        last = self.where[end - 1] + 1 if end > start else first
        while last < len(self.original) and unicodedata.combining(self.original[last]):
            last += 1
        return first, last

    def quote(self, start: int, end: int) -> str:
        first, last = self.span(start, end)
        return self.original[first:last]


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    sign = _SIGNS.get(character)
    if sign is not None:
        return sign
    folded: list[str] = []
    for part in unicodedata.normalize("NFKC", character):
        for piece in unicodedata.normalize("NFKD", _SIGNS.get(part, part).casefold()):
            if unicodedata.combining(piece):
                continue
            folded.append(_readable(_LETTERS.get(piece, _SIGNS.get(piece, piece))))
    return "".join(folded)


def _readable(text: str) -> str:
    """Blank what nobody reads aloud: controls, emoji, invisible marks."""
    if text in {"\n", " ", ARROW, ELLIPSIS, "•", "$", "+", "=", "|", "<", ">", "~", "^", "`"}:
        return text
    category = unicodedata.category(text[0])
    if category in {"Cf", "Cc", "Cn", "Co", "Cs", "Mn", "Me"}:
        return ""
    return " " if category in {"So", "Sk", "Sm", "Zs"} else text


_ASCII = {ord(sign): _fold_character(sign) for sign in map(chr, range(128))}


def fold(text: str) -> str:
    """A name or word as it is compared: without case, accents, and with one kind of each sign."""
    return text.translate(_ASCII) if text.isascii() else "".join(map(_fold_character, text))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with these places blanked, so that every other place stays where it was."""
    characters: list[str] = []
    for start, end in spans:
        characters = characters or list(text)
        characters[start:end] = " " * (end - start)
    return "".join(characters) if characters else text


def normalise(text: str) -> Plain:
    """Fold a message; quoted lines (`>`), those struck out as in a program (`//`) and addresses
    become blanks, a smiley ends a sentence.
    """
    if _FOLDED.fullmatch(text):
        return Plain(text, tuple(range(len(text) + 1)), text)
    bare = blanked(text.replace("\r\n", " \n"), contacts_in(text))
    if ">" in bare or "//" in bare:
        bare = _QUOTED.sub(lambda found: " " * len(found[0]), bare)
    if "~~" in bare:
        bare = _STRUCK.sub(
            lambda found: "".join("\n" if sign == "\n" else " " for sign in found[0]), bare
        )
    bare = _SMILEY.sub(lambda found: "." + " " * (len(found[0]) - 1), bare)
    if not bare.isascii():
        bare = _FACE.sub(".", bare)
    folded = fold(bare)
    where: Iterable[int] = range(len(bare))
    if not bare.isascii() or len(folded) < len(bare):
        where = [i for i, character in enumerate(bare) for _ in _fold_character(character)]
    if ">" in folded:
        folded = _ARROWS.sub(_one_sign(ARROW), folded)
    if ".." in folded:
        folded = _DOTS.sub(_one_sign(ELLIPSIS), folded)
    return Plain(folded, (*where, len(text)), text)


def _one_sign(sign: str) -> Callable[[re.Match[str]], str]:
    """Put one sign for several characters, as long as they were."""
    return lambda found: found[0].replace(
        found[0].strip(), sign + " " * (len(found[0].strip()) - 1)
    )
