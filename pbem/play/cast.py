"""The people of a demonstration: who they are, which mail programs they use, how they play, and what they say besides."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec
import yaml

from pbem.demo.styles import STYLES, Sender, Style

Layout = Literal["lines", "list", "numbered", "flow"]


@dataclass(frozen=True, slots=True)
class Temper:
    """What kind of player somebody is, each from 0 to 1: ready to attack, to outbid others, to stand by a neighbour."""

    boldness: float = 0.5
    ambition: float = 0.5
    loyalty: float = 0.5


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One correspondent, as the data file has it."""

    name: str
    address: str
    zone: str
    programs: tuple[str, ...]
    layout: Layout
    talk: float
    boldness: float
    ambition: float
    loyalty: float
    has_phone: bool = False
    """Plays by Telegram where some do."""

    @property
    def temper(self) -> Temper:
        return Temper(self.boldness, self.ambition, self.loyalty)

    @property
    def sender(self) -> Sender:
        return Sender(self.name, self.address, self.zone, small_talk().signatures.get(self.name, ""))

    def style_of_mail(self, number: int) -> Style:
        """The program of the n-th mail: some people write from two places."""
        return STYLES[self.programs[number % len(self.programs)]]


class Away(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An automatic reply."""

    subject: str
    body: str


class StrangerTalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a stranger writes in other people's names."""

    subject: str
    bodies: tuple[str, ...]


class PressTalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word from player to player in that turn, to a name or to `all`; `answer` is what its reader writes back."""

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
    notes: tuple[str, ...]
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


def seats_by_phone(people: Sequence[Person]) -> frozenset[str]:
    """The names of those who play by Telegram in a company of this size: three of seven, and no more than have a phone."""
    return frozenset([person.name for person in people if person.has_phone][: len(people) * 3 // 7])


def _data(name: str) -> bytes:
    return resources.files("pbem.demo").joinpath(f"data/{name}").read_bytes()
