"""What the old judges' words are here: one of them explained, or all of them with ours."""

from collections.abc import Sequence

from pbem.pages.notice import Notice


class OldWords(Notice):
    """`word` is the key of an old word that does nothing here; "" lists all that work, each with
    ours.
    """

    template = "mail/veterans.j2"

    word: str
    listed: Sequence[tuple[str, str]]
    version: str
