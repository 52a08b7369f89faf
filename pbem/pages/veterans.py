"""What the old judges' words come to here: one of them explained, or all of them beside ours."""

from collections.abc import Sequence

from pbem.pages.notice import legacy_page
from pbem.pages.page import Page, Reader, Table

TEMPLATE = "mail/veterans.j2"


class VeteranPages:
    """Alike for every game."""

    def answer(
        self,
        table: Table,
        reader: Reader,
        word: str,
        listed: Sequence[tuple[str, str]],
        version: str,
    ) -> Page:
        """`word` is the key of a word that is none here; "" shows all that are, an old one and ours
        beside it.
        """
        facts: dict[str, object] = {"word": word, "listed": tuple(listed), "version": version}
        return legacy_page(TEMPLATE, "veterans", table, reader, facts)
