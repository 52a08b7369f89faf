"""What went through the post office as pages to look through offline: players and letters. Cards
in, one index page out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined

_NEWS = (
    "game-over",
    "eliminated",
    "fallen",
    "died",
    "phoenix",
    "dragon-attack",
    "taken",
    "battle",
    "attack",
    "pirates",
    "converted",
    "technology",
    "upgraded",
    "entered",
    "card",
    "ranking",
    "bids",
)
"""Kinds of events of all games that make a headline, the greatest first."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened, in words, and the turn and phase whose close made it."""

    phase_number: int
    turn: int
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class LetterCard:
    """One mail of a player. Ours have a page of their own (`letter`), theirs show what was new in
    them.
    """

    number: int
    ours: bool
    genuine: bool
    when: str
    subject: str
    kind: str
    new_text: str
    whole_text: str
    letter: str
    eml: str = ""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """One line of the cast; `zone`, `habit` and `way` are told of scripted players alone."""

    name: str
    colour: str
    symbol: str
    patch: str
    ink: str
    sign: str
    fate: str
    zone: str = ""
    habit: str = ""
    way: str = ""


def headline(news: Sequence[Happening]) -> str:
    """The one thing worth a line: eliminations before battles before cards, the latest of its
    kind.
    """
    ranked = [
        (_NEWS.index(happening.kind), -index, happening.words)
        for index, happening in enumerate(news)
        if happening.kind in _NEWS
    ]
    return min(ranked)[2] if ranked else (news[-1].words if news else "")


def render_gallery(template: str, values: Mapping[str, object]) -> str:
    """The index page of a gallery; `template` lies in `templates/demo`."""
    return _environment().get_template(template).render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    loader = PackageLoader("templates", "demo")
    return Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
