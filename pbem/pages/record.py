"""Mails that bring the record of a game, or say why there is none; alike for every game."""

from pbem.pages.notice import legacy_page
from pbem.pages.page import Page, Reader, RecordFacts, Table

TEMPLATE = "mail/checking.j2"


def record_page(
    table: Table, reader: Reader, seed_hex: str, commitment: str, record: RecordFacts
) -> Page:
    """The record is attached; how it is checked."""
    return legacy_page(
        TEMPLATE,
        "record",
        table,
        reader,
        {"seed": seed_hex, "commitment": commitment, "record": record},
    )


def record_secret_page(table: Table, reader: Reader) -> Page:
    """The game goes on, and its seed is secret."""
    return legacy_page(TEMPLATE, "record_secret", table, reader, {})


def record_missing_page(table: Table, reader: Reader) -> Page:
    """What was kept of the game cannot be played again."""
    return legacy_page(TEMPLATE, "record_missing", table, reader, {})
