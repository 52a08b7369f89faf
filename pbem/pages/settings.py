"""The letter that shows what somebody has chosen for themselves, with the words that choose
otherwise. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.pages.notice import legacy_page
from pbem.pages.page import Page, Reader, Table

SETTINGS = "mail/settings.j2"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What became of one wish, `written` in its one spelling.

    `code`: `chosen`, or why not: `only-mail` and `only-telegram` (there is no other way to them),
    `needed` (nobody can do without), `some-needed` (what can be is switched off), `way`, `hours`,
    `too-long` (it could not be read).
    """

    code: str
    written: str


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    """All there is to choose. `ways` are topic and way; `channels` those on which the reader is
    reached; `quiet` as `22:00-07:00`, "" for no such hours; `muted` the names of those whose press
    is not told at the table.
    """

    ways: tuple[tuple[str, str], ...]
    may_be_off: tuple[str, ...]
    channels: tuple[str, ...]
    quiet: str
    digest: str
    muted: tuple[str, ...]
    zone: str


class SettingsPages:
    """One page: what was just chosen, and how everything stands."""

    def own_zone(self, table: Table, reader: Reader) -> Page:
        """In which zone times are shown to the reader, and how it is changed."""
        return self._used("own_zone", table, reader, {"current": reader.zone})

    def own_language(self, table: Table, reader: Reader, name: str) -> Page:
        """In which language dates are written for the reader, and how it is changed."""
        return self._used("own_language", table, reader, {"current": name})

    def how_to_join(self, table: Table, reader: Reader, *, is_seated: bool) -> Page:
        """What is written behind the word; `is_seated`: the table is one of the reader's."""
        return self._used(
            "how_to_join", table, reader, {"current": table.title if is_seated else ""}
        )

    @staticmethod
    def _used(name: str, table: Table, reader: Reader, facts: dict[str, object]) -> Page:
        return legacy_page(
            SETTINGS,
            name,
            table,
            reader,
            facts,
            foot="foot_player" if reader.number is not None else "foot_out",
        )

    def settings(
        self, table: Table, reader: Reader, facts: SettingsFacts, results: Sequence[Chosen]
    ) -> Page:
        name = "settings" if not results else "chosen"
        seated = "foot_player" if reader.number is not None else "foot_out"
        return legacy_page(
            SETTINGS, name, table, reader, {"s": facts, "results": tuple(results)}, foot=seated
        )
