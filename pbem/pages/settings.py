"""Notices about what people choose for themselves, with the words that change it. Alike for every
game.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from pbem.pages.notice import Notice


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
    reached; `quiet` as `22:00-07:00`, "" for no such hours; `digest` when press comes, `news`
    (`at once`, `together`) how news comes where players act one after another; `muted` the names of
    those whose press is not told at the table.
    """

    ways: tuple[tuple[str, str], ...]
    may_be_off: tuple[str, ...]
    channels: tuple[str, ...]
    quiet: str
    digest: str
    news: str
    muted: tuple[str, ...]
    zone: str
    shows_hours: bool = False
    """Whether others see the zone, and the hours that are not quiet."""


class SettingsNotice(Notice):
    """A notice about what the reader chooses for themselves."""

    template = "mail/settings.j2"
    reader_feet = ("foot_player", "foot_out", "foot_out")


class OwnZone(SettingsNotice):
    """The zone in which we show times to the reader, and how to change it."""


class OwnLanguage(SettingsNotice):
    """The language in which we write dates for the reader, and how to change it."""

    name: str


class HowToJoin(SettingsNotice):
    """How to join with a code; `is_seated`: the table is one of the reader's."""

    _: KW_ONLY
    is_seated: bool


class SettingsShown(SettingsNotice):
    """All that the reader has chosen."""

    settings: SettingsFacts


class SettingsChosen(SettingsNotice):
    """What became of their requests, and all that they have chosen."""

    settings: SettingsFacts
    results: Sequence[Chosen]
