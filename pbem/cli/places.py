"""Where each command is, and what it does in a line (`places.words`), so that a list of commands
does not import them. A test holds the lines to the commands' own help.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

Places = Mapping[str, tuple[str, str]]


@cache
def load_places(group: str = "") -> Places:
    """The commands of a group ("": of none) by name, each with its place and its line."""
    text = Path(__file__).with_name("places.words").read_text("utf-8")
    rows = (line.split(" | ") for line in text.splitlines() if line and not line.startswith("#"))
    named = ((*command.rpartition(" ")[::2], place, about) for command, place, about in rows)
    return {name: (place, about) for within, name, place, about in named if within == group}
