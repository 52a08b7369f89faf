"""The people of a demonstration: who they are, which mail programs they use, how they play, and
what they say besides.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

import msgspec
import yaml

from pbem.demo.styles import STYLES, Sender, Style
from pbem.play import Person


class Away(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An automatic reply."""

    subject: str
    body: str


class StrangerTalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a stranger writes in other people's names."""

    subject: str
    bodies: tuple[str, ...]


class PressTalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word from player to player in that turn, to a name or to `all`; `answer` is what its reader
    writes back.
    """

    turn: int
    by: str
    to: str
    text: str
    answer: str = ""


class SmallTalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything people write that is no order."""

    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    chat: tuple[str, ...]
    away: Away
    late: str
    forgot: str
    mistaken: str
    denied: str
    stranger: StrangerTalk
    signatures: dict[str, str]
    press: tuple[PressTalk, ...]
    group: dict[str, str]


@lru_cache(maxsize=1)
def whole_cast() -> tuple[Person, ...]:
    """All correspondents there are, in the order of joining."""
    return msgspec.convert(yaml.safe_load(_data("cast.yaml")), type=tuple[Person, ...])


@lru_cache(maxsize=1)
def small_talk() -> SmallTalk:
    return msgspec.convert(yaml.safe_load(_data("talk.yaml")), type=SmallTalk)


def sender_of(person: Person) -> Sender:
    """What this person's mails carry: name, address, zone, signature."""
    return Sender(
        person.name, person.address, person.zone, small_talk().signatures.get(person.name, "")
    )


def style_of_mail(person: Person, number: int) -> Style:
    """The program of the n-th mail: some people write from two places."""
    return STYLES[person.programs[number % len(person.programs)]]


def seats_by_phone(people: Sequence[Person]) -> frozenset[str]:
    """The names of those who play by Telegram in a company of this size: three of seven, and no
    more than have a phone.
    """
    return frozenset([person.name for person in people if person.has_phone][: len(people) * 3 // 7])


def _data(name: str) -> bytes:
    return resources.files("pbem.demo").joinpath(f"data/{name}").read_bytes()
