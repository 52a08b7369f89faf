"""One thing in a record that is not as it should be, as data, and as a line for a reader."""

from dataclasses import dataclass
from typing import Literal

import msgspec

Code = Literal[
    "changed",
    "missing",
    "added",
    "extra",
    "seed",
    "seal",
    "differs",
    "refused",
    "unreadable",
    "stuck",
    "cut",
    "act",
]

_SHOWN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `place` is the phase (0: what was agreed before, and the start), `what` the
    thing in it.

    `said` is what the record says, `made` what the replay has instead; "" where there is nothing to
    say.
    """

    place: int
    code: Code
    what: str
    said: str = ""
    made: str = ""


def format_difference(difference: Difference) -> str:
    """A line for a reader. The file may be a stranger's: what does not print, or turns the
    direction of writing, is written as its code.
    """
    return printable(_line_of(difference))


def printable(text: str) -> str:
    """A stranger's text for a terminal."""
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def _line_of(difference: Difference) -> str:
    where = f"phase {difference.place}: " if difference.place else ""
    what, said, made = difference.what, difference.said, difference.made
    match difference.code:
        case "changed":
            line = f"{what} {'were' if _is_many(what) else 'was'} changed after the record was made"
            return f"{where}{line}{f'; it says now: {said}' if said else ''}"
        case "missing":
            return f"{where}{what} {'are' if _is_many(what) else 'is'} missing"
        case "added":
            return (
                f"{where}{what} was put in after the record was made{f': {said}' if said else ''}"
            )
        case "act":
            return f"{where}{what}: {said}"
        case "extra":
            stands = "stand" if _is_many(what) else "stands"
            return (
                f"{where}{what} {stands} there, and nothing of the kind comes"
                f" out{f': {said}' if said else ''}"
            )
        case "seed":
            return (
                f"the seed is not the one that was committed to: its SHA-256 is {made}, the"
                f" commitment is {said}"
            )
        case "seal":
            return f"{where}{what} is not as it was sealed"
        case "refused":
            return f"{where}{what}: the rules refuse {said} ({made}); the replay goes on without it"
        case "unreadable":
            return (
                f"{where}{what}: {said} is no canonical text of an order; the replay goes on"
                " without it"
            )
        case "stuck":
            return what
        case "cut":
            return f"{where}{what}"
    return f"{where}{what}: the record says {said}; the replay makes {made}"


def _is_many(what: str) -> bool:
    return what.startswith(("the orders", "the votes"))


def shown(value: object) -> str:
    """A value of a record as short text."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."
