"""Commands that are imported when they are called: `pbem --help` and `pbem game --help` list them
by the lines next to their names, and import none.
"""

import gc
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup


class LazyCommand(TyperCommand):
    """Stands for the command that `place` (`module:function`, within this package) will be."""

    def __init__(self, name: str, place: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self.place = place

    def load(self) -> Any:
        """The command itself, in the type that typer makes of functions."""
        module, _, function = self.place.partition(":")
        gc.disable()  # what is imported stays: looking through it again and again is a fifth of it
        try:
            found = getattr(import_module(f"pbem.cli.{module}"), function)
        finally:
            gc.freeze()
            gc.enable()
        alone = typer.Typer(add_completion=False)
        alone.command(self.name)(found)
        return typer.main.get_command(alone)

    def make_context(self, *args: Any, **more: Any) -> Any:
        """A caller, and a shell that completes its words, gets the command itself."""
        return self.load().make_context(*args, **more)


class LazyGroup(TyperGroup):
    """A group of such commands, and of groups that typer adds."""

    places: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """By name: where the command is, and what it does in a line."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        ours = {name: LazyCommand(name, *place) for name, place in self.places.items()}
        self.commands = {**ours, **self.commands}


def lazy_group(places: Mapping[str, tuple[str, str]]) -> type[LazyGroup]:
    """The type of a group that has these commands."""
    return type("Group", (LazyGroup,), {"places": places})
