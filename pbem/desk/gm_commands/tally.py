"""What the answer to a game master's message will say, gathered line by line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.pages.gm import Result

FindTables = Callable[[], Sequence[str]]
"""The short names of the tables that a question is about. NotDone if it is about none."""


@dataclass(slots=True)
class Tally:
    results: list[Result] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    lists_tables: bool = False
    notes_of: list[str] | None = None
    helps: bool = False
    is_changed: bool = False

    def touch(self, slug: str) -> None:
        if slug and slug not in self.touched:
            self.touched.append(slug)

    def show_status(self, find_tables: FindTables) -> None:
        self.asked_for += [slug for slug in find_tables() if slug not in self.asked_for]

    def show_notes(self, find_tables: FindTables) -> None:
        self.notes_of = [*(self.notes_of or []), *find_tables()]

    def show_tables(self, _find_tables: FindTables) -> None:
        self.lists_tables = True

    def show_help(self, _find_tables: FindTables) -> None:
        self.helps = True
