"""The templates of an archive: markup in which everything is escaped that is not a template's own,
and words of plain text.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pbem.archive.model import Archive, Person, coat_key
from pbem.board.palette import ARMS
from pbem.board.templates import format_number
from pbem.pages.dates import day, moment
from pbem.pages.kit.arms import Arms
from pbem.pages.page import DEFAULT_LOCALE

_PATHS = {arms.colour: arms.path for arms in ARMS}


def render(template: str, **values: object) -> Markup:
    """A piece of a page, or a whole one; `template` lies in `templates/archive`."""
    made = _environment().get_template(f"archive/{template}").render(values)
    return Markup(made)  # noqa: S704 - every value in it is escaped


def source(name: str) -> str:
    """A file of `templates/archive` as it is: a script."""
    return files("templates").joinpath("archive", name).read_text("utf-8")


def say(macro: str, *facts: object) -> str:
    """A line of plain text: a macro of `archive/words.j2`."""
    words = _environment(is_markup=False).get_template("archive/words.j2").module
    return " ".join(str(getattr(words, macro)(*facts)).split())


_HYPHEN = re.compile(r"(?<![\w-])-(?= ?\d)")


def with_minus(text: str) -> str:
    """A sum with a real minus, which mails write as a hyphen."""
    return _HYPHEN.sub("\N{MINUS SIGN}", text)


@dataclass(frozen=True, slots=True)
class Coat:
    """A player's arms as they are drawn: `path` is the symbol in -10..10, "" where there is none
    and `sign` stands for it. `place` counts the arms of one player; `key` is what the page calls
    these.
    """

    key: str
    number: int
    place: int
    name: str
    full: str
    on: str
    sign: str
    path: str


def coat_in(arms: Arms, number: int, name: str, place: int = 0) -> Coat:
    path = arms.path or _PATHS.get(arms.colour, "")
    key = coat_key(number, place)
    return Coat(key, number, place, name, arms.full, arms.on, arms.sign, path)


def coats_of(archive: Archive) -> dict[tuple[int, int], Coat]:
    """All arms of all players, by number and place."""
    return {
        (person.number, place): coat_in(arms, person.number, person.name, place)
        for person in archive.people
        for place, arms in enumerate(person.coats)
    }


def turn_path(archive: Archive, turn: int) -> str:
    """Where the page of a turn lies in the folder of its game."""
    digits = max(2, len(str(max(step.turn for step in archive.steps))))
    return f"turns/{turn:0{digits}}.html"


def player_path(person: Person) -> str:
    return f"players/{person.slug}.html"


def menu_of(archive: Archive) -> tuple[tuple[str, str, str], ...]:
    """The pages of a game: what each is called here, where it lies, what the menu says."""
    last = max(step.turn for step in archive.steps)
    chronicle = (("chronicle", "chronicle.html"),) if archive.chronicle else ()
    pages = (
        ("index", "index.html"),
        *chronicle,
        ("turns", turn_path(archive, last)),
        ("press", "press.html"),
        ("verify", "verify.html"),
        ("rules", "rules.html"),
    )
    return tuple((name, path, say(f"menu_{name}", archive.turn_word)) for name, path in pages)


def days_of(archive: Archive) -> str:
    """From when to when it was played; the year once."""
    first, last = (
        day(step.at, archive.zone, DEFAULT_LOCALE) for step in (archive.steps[0], archive.steps[-1])
    )
    if first == last:
        return first
    return f"{first.removesuffix(last[-5:])} to {last}"


def _when(instant: datetime, zone: str) -> str:
    """`Mon 23 Nov, 18:00`."""
    return moment(instant, instant, zone, DEFAULT_LOCALE).short


def _day(instant: datetime, zone: str) -> str:
    return day(instant, zone, DEFAULT_LOCALE)


@cache
def _environment(*, is_markup: bool = True) -> Environment:
    environment = Environment(
        loader=PackageLoader("templates", "."),
        autoescape=is_markup,  # noqa: S701 - the words are plain text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(n=format_number, when=_when, day=_day, minus=with_minus)
    environment.globals["words"] = environment.get_template("archive/words.j2").module
    return environment
