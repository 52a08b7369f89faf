"""The markup and the words of a board: templates of the game, and below them the kit's own shapes.

Words on a board are plain text, fetched here to be measured before they are drawn; the SVG escapes
what it is given.
"""

from dataclasses import dataclass
from functools import cache

import jinja2

from pbem.board import palette

MINUS = "\N{MINUS SIGN}"


def format_number(value: float) -> str:
    """A coordinate or size: two decimals at most, never in scientific notation."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def format_signed(number: int) -> str:
    """A whole number with a true minus sign."""
    return str(number).replace("-", MINUS)


@dataclass(frozen=True, slots=True)
class BoardTemplates:
    """The templates in one folder of a package; what it lacks is looked for among the kit's."""

    package: str
    folder: str

    def svg(self, template: str, **values: object) -> str:
        """The markup of a picture. The same values give the same bytes."""
        return _environment(self, markup=True).get_template(template).render(values)

    def text(self, template: str, **values: object) -> str:
        """A paragraph of plain text. Not escaped: the page that prints it does that."""
        return " ".join(
            _environment(self, markup=False).get_template(template).render(values).split()
        )

    def say(self, what: str, *facts: object) -> str:
        """The words of one macro of `words.j2`. AttributeError when there is no such macro."""
        return str(getattr(_words(self), what)(*facts))


@cache
def _environment(templates: BoardTemplates, *, markup: bool) -> jinja2.Environment:
    own = jinja2.PackageLoader(templates.package, templates.folder)
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([own, jinja2.PackageLoader("templates", "board")]),
        autoescape=markup,  # noqa: S701 - the words are plain text
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(n=format_number, signed=format_signed)
    environment.globals.update(
        {
            name.lower(): value
            for name, value in vars(palette).items()
            if name.isupper() and isinstance(value, str)
        }
    )
    return environment


@cache
def _words(templates: BoardTemplates) -> object:
    return _environment(templates, markup=False).get_template("words.j2").module


KIT = BoardTemplates("templates", "board")
"""The kit's own words."""
