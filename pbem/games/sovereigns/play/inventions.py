"""What scripted rulers think up, from a data file: names of kingdoms, technologies, and things to
try that are on no list.
"""

from functools import lru_cache
from importlib import resources

import msgspec
import yaml

from engine.sovereigns.orders import Proposal


class Technology(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`does` is its effect as somebody would tell it."""

    name: str
    code: str
    does: str

    @property
    def proposal(self) -> Proposal:
        return Proposal(self.name, self.code)


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A free-form action: what is done with Resources, for what, and whether against somebody."""

    words: str
    effect: str
    against: bool


class Inventions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kingdoms: tuple[str, ...]
    reasons: tuple[str, ...]
    technologies: tuple[Technology, ...]
    attempts: tuple[Attempt, ...]


@lru_cache(maxsize=1)
def inventions() -> Inventions:
    """The data file, read once."""
    raw = resources.files(__package__).joinpath("data/inventions.yaml").read_bytes()
    return msgspec.convert(yaml.safe_load(raw), type=Inventions)
