"""The words of many mail programs, read once from `data/phrases.yaml`, and the form in which lines
are compared with them.
"""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

import yaml

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_BLANKS = re.compile(r"[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_QUOTES = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "：": ":",
        "＜": "<",
        "＞": ">",
        "＠": "@",
    }
)
_UNSPACED_RANGES = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_UNSPACED = re.compile(f"[{_UNSPACED_RANGES}]")
_NOT_AFTER_WORD = rf"(?<![^\W{_UNSPACED_RANGES}])"
_NOT_IN_WORD = rf"(?![^\W{_UNSPACED_RANGES}])"


def flatten(line: str) -> str:
    """A line as it is compared: composed, case folded, one kind of blank, quote and digit, nothing
    invisible.
    """
    if line.isascii():
        return " ".join(line.casefold().split())
    line = unicodedata.normalize("NFC", _INVISIBLE.sub("", line)).translate(_QUOTES).casefold()
    line = unicodedata.normalize("NFC", line)
    digits = {
        ord(char): str(unicodedata.decimal(char))
        for char in set(line)
        if char.isdecimal() and not char.isascii()
    }
    return _BLANKS.sub(" ", line.translate(digits) if digits else line).strip()


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, list[str]]]:
    text = files("pbem.mail.inbound").joinpath("phrases.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loaded: dict[str, dict[str, list[str]]] = yaml.load(text, loader)  # noqa: S506 - a safe one
    return loaded


@cache
def words_of(kind: str) -> frozenset[str]:
    """Every phrase of a kind, flattened."""
    return frozenset(flatten(phrase) for phrases in _data()[kind].values() for phrase in phrases)


@cache
def pattern_of(kind: str) -> re.Pattern[str]:
    """Finds any phrase of a kind in a flattened line, the longest first and, in scripts that set
    blanks between words, as whole words.
    """
    spaced = [phrase for phrase in words_of(kind) if _is_spaced(phrase[0])]
    others = [phrase for phrase in words_of(kind) if not _is_spaced(phrase[0])]
    return re.compile(
        "|".join(
            [_NOT_AFTER_WORD + _tried_by_first_letter(spaced)] * bool(spaced)
            + [_tried_by_first_letter(others)] * bool(others)
        )
    )


@cache
def endings_of(kind: str) -> tuple[str, ...]:
    """Every phrase of a kind, for `str.endswith`."""
    return tuple(words_of(kind))


def _tried_by_first_letter(phrases: list[str]) -> str:
    """Alternatives sorted under their first letter: a search spends next to nothing on the letters
    that begin none.
    """
    by_letter: dict[str, tuple[list[str], list[str]]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        words, others = by_letter.setdefault(phrase[0], ([], []))
        (words if _is_spaced(phrase[-1]) else others).append(
            re.escape(phrase[1:].removesuffix("*"))
        )
    letters = "".join(re.escape(letter) for letter in sorted(by_letter))
    # The look-ahead once for a letter and not once for a phrase: compiling it is most of the work.
    branches = "|".join(
        "|".join(
            [f"{re.escape(letter)}(?:{'|'.join(words)}){_NOT_IN_WORD}"] * bool(words)
            + [f"{re.escape(letter)}(?:{'|'.join(others)})"] * bool(others)
        )
        for letter, (words, others) in sorted(by_letter.items())
    )
    return f"(?=[{letters}])(?:{branches})"


def _is_spaced(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _UNSPACED.match(char)


_SEARCHED = (
    "wrote",
    "original",
    "forwarded",
    "above",
    "sent_from",
    "device",
    "notice",
    "notice_sure",
    "list_footer",
    "banner_call",
    "banner_reason",
    "organisation",
    "post",
    "ordering",
    "reacted",
)


def load_phrases() -> None:
    """Read and compile everything now: some hundred milliseconds that would else fall on the first
    mail.
    """
    for kind in _data():
        words_of(kind)
    for kind in _SEARCHED:
        pattern_of(kind)
    endings_of("wrote")
