"""What went through the post office as pages to look through offline: players and letters. Cards
in, one index page out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined


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
