"""Notices that bring the record of a game, or say why there is none; alike for every game."""

from pbem.pages.notice import Notice
from pbem.pages.page import RecordFacts


class RecordNotice(Notice):
    """A notice about the record of a game."""

    template = "mail/checking.j2"


class RecordSent(RecordNotice):
    """The record is attached; how to check it."""

    seed_hex: str
    commitment: str
    record: RecordFacts


class RecordSecret(RecordNotice):
    """The game continues, and its seed is secret."""


class RecordMissing(RecordNotice):
    """We cannot play the stored game again."""
