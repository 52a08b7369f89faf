"""Functions that are imported when they are first called."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any


@dataclass(frozen=True, slots=True)
class Later:
    """A function that is imported when it is first called, named as an entry point is:
    `takeaway.drawing:draw`, or `takeaway.reading:READER.read`. It can be pickled.

    For what one process needs and others do not, as a board's drawing: every command loads games.
    """

    place: str

    def __call__(self, *args: Any, **more: Any) -> Any:
        return resolve(self)(*args, **more)


@cache
def resolve(later: Later) -> Callable[..., Any]:
    """The function itself. ImportError or AttributeError where there is none."""
    module, _, name = later.place.partition(":")
    found: Callable[..., Any] = attrgetter(name)(import_module(module))
    return found
