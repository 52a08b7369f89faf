"""What is left of a lost character code: control characters, signs that stand for what could not be
decoded, coded words. Nobody can read it, so a number which stands alone next to it is no order.

A number with a word of its own (`bid 12`, `P1`) says what it is, whatever stands next to it; and a
damaged letter within a word (`Chlo�`) makes nothing unreadable.
"""

import re
from itertools import pairwise

_LOST = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\ufffe\uffff\ue000-\uf8ff\ud800-\udfff"
_CODED = re.compile(
    r"(?<!\+)\+(?=[a-z0-9+/]{0,80}[A-Z])[A-Za-z0-9+/]{3,80}-(?![A-Za-z0-9])"  # UTF-7
    r"|(?:=[0-9A-F]{2}){2,}"  # quoted-printable
    r"|=\?[\w-]{2,40}\?[BbQq]\?[^\s?]{0,200}\?="  # an encoded word of a header
    r"|&#x?[0-9A-Fa-f]{2,6};"
)
_SUSPECT = re.compile(rf"[{_LOST}]|{_CODED.pattern}")
_LETTER = r"[^\W\d_]"
_UNREADABLE = re.compile(rf"(?<![{_LOST}])(?<!{_LETTER})[{_LOST}]++(?!{_LETTER})")
"""Lost signs without a letter next to them."""
_BETWEEN_PARAGRAPHS = re.compile(r"\n[ \t\r]*\n")
_PIECE = re.compile(r"[^\n\r\v\f\x85.,;:!?/()\[\]{}<>|\"…]+")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_POLITE = frozenset("please pls plz thanks thank you thx ty ok okay hi hello hey".split())
"""Words that say nothing about a number next to them."""


def lone_numbers(text: str) -> tuple[tuple[int, int], ...]:
    """Where in a message numbers stand alone in a paragraph that has unreadable signs."""
    if _SUSPECT.search(text) is None:
        return ()
    plain = _CODED.sub(lambda found: "\x00" * len(found[0]), text)
    edges = [0, *(found.end() for found in _BETWEEN_PARAGRAPHS.finditer(plain)), len(plain)]
    return tuple(
        piece.span()
        for start, end in pairwise(edges)
        if _UNREADABLE.search(plain, start, end) is not None
        for piece in _PIECE.finditer(plain, start, end)
        if _is_lone_number(piece[0])
    )


def _is_lone_number(piece: str) -> bool:
    words = _WORD.findall(piece)
    return any(map(str.isdigit, words)) and all(
        word.isdigit() or word.casefold() in _POLITE for word in words
    )
