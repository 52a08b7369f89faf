"""The letter that shows what somebody has chosen for themselves, with the words that choose otherwise. Alike for every game."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.pages.notice import notice_page
from pbem.pages.page import Page, Reader, Table

SETTINGS = "mail/settings.j2"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What became of one wish, `written` in its one spelling.

    `code`: `chosen`, or why not: `only-mail` and `only-telegram` (there is no other way to them), `needed` (nobody can do without),
    `some-needed` (what can be is switched off), `way`, `hours`, `too-long` (it could not be read).
    """

    code: str
    written: str


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    """All there is to choose. `ways` are topic and way; `channels` those on which the reader is reached; `quiet` as `22:00-07:00`, "" for
    no such hours; `muted` the names of those whose press is not told at the table.
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

    def settings(self, table: Table, reader: Reader, facts: SettingsFacts, results: Sequence[Chosen]) -> Page:
        name = "settings" if not results else "chosen"
        seated = "foot_player" if reader.number is not None else "foot_out"
        return notice_page(SETTINGS, name, table, reader, {"s": facts, "results": tuple(results)}, foot=seated)
