"""What may be wished about a seat before a game starts: who sits there and what they wear, next to
whom, what is voted, and the seat itself.

The grammar of the house makes these as they are written; `read_lobby` tells which of them a table
has. `format_lobby` is the one spelling of each; a name stands behind a colon, whatever it begins
with.
"""

import msgspec

from pbem.grammar.consent import No, Yes, format_consent
from pbem.grammar.house.commands import Command
from pbem.grammar.house.formatting import format_command


class SeatWish(msgspec.Struct, frozen=True, tag_field="wish"):
    """Base of all of them."""


class Name(SeatWish, frozen=True, tag="name"):
    """To be called so at the table; not yet looked at."""

    name: str


class Colour(SeatWish, frozen=True, tag="colour"):
    colour: str


class Colours(SeatWish, frozen=True, tag="colours"):
    """Colours in the order they are wished for; none takes the wishes back."""

    colours: tuple[str, ...]


class Zone(SeatWish, frozen=True, tag="seat zone"):
    """An IANA name."""

    zone: str


class Team(SeatWish, frozen=True, tag="team"):
    """To play in the team of that name; "": in none yet."""

    name: str = ""


class Mate(SeatWish, frozen=True, tag="mate"):
    """To play in the same team as somebody, named as it was written."""

    name: str


class Place(SeatWish, frozen=True, tag="place"):
    """A place within the team, counted from 1; 0: any."""

    number: int


class Faction(SeatWish, frozen=True, tag="faction"):
    """A faction by its own name; "": none yet."""

    name: str = ""


class Vote(SeatWish, frozen=True, tag="seat vote"):
    """An answer to a question put to the vote."""

    question: str
    answer: str


class Accept(SeatWish, frozen=True, tag="accept"):
    """Yes to an invitation."""


class Decline(SeatWish, frozen=True, tag="decline"):
    """A bare no: to an invitation, if one is open."""


class Leave(SeatWish, frozen=True, tag="leave seat"):
    """The seat is given back."""


class Show(SeatWish, frozen=True, tag="show"):
    """A word of the table: `status`, `players`, `help`, `rule` with its number."""

    command: Command


Side = Team | Mate | Place | Faction


def format_lobby(wish: SeatWish) -> str:
    """The one spelling of a wish."""
    match wish:
        case Name(name=said):
            return f"name: {said}"
        case Colour(colour=said):
            return f"colour {said}"
        case Colours(colours=colours):
            return f"preference {' '.join(colours) if colours else '*'}"
        case Zone(zone=said):
            return f"time zone {said}"
        case Team(name=said):
            return f"team: {said or 'none'}"
        case Mate(name=said):
            return f"with {said}"
        case Place(number=number):
            return f"place {number or 'any'}"
        case Faction(name=said):
            return f"faction {said or 'none'}"
        case Vote(question=question, answer=answer):
            return f"vote {question}: {answer}"
        case Show(command=command):
            return format_command(command)
        case Accept():
            return format_consent(Yes())
        case Decline():
            return format_consent(No())
    return "leave"
