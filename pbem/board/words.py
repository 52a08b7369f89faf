"""The words on the board: they live in a template and are fetched here as plain text, to be measured before they are drawn."""

from functools import cache

import jinja2

MINUS = "\N{MINUS SIGN}"


def format_signed(number: int) -> str:
    """A whole number with a true minus sign."""
    return str(number).replace("-", MINUS)


@cache
def text_templates() -> jinja2.Environment:
    """Templates of plain text: nothing is escaped here; the SVG escapes what it is given."""
    env = jinja2.Environment(
        loader=jinja2.PackageLoader("templates", "board"),
        autoescape=False,  # noqa: S701 - plain text, not markup
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["signed"] = format_signed
    return env


@cache
def _macros() -> object:
    return text_templates().get_template("words.j2").module


def say(what: str, *facts: object) -> str:
    """The words of one macro of `words.j2`. AttributeError when there is no such macro."""
    return str(getattr(_macros(), what)(*facts))
