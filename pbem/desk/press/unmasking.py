"""What would tell who wrote grey press, among the letters and messages of a game: nobody is shown
that, not even when it is over.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.desk.press.readers import MASKED
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.work import Work

_IDS = re.compile(r"press(?:-digest)?:(?P<ids>\d+(?:\.\d+)*):")
_LONGEST = 60
_TELLING = frozenset({"press-sent", "answer", "own-orders", "notice"})
"""Letters that repeat to somebody what they wrote."""


@dataclass(frozen=True, slots=True)
class Unmasking:
    """The grey press of a game by the seat that wrote it, and the pieces that answer some."""

    words: Mapping[int, tuple[str, ...]]
    answers: frozenset[int]

    def is_in_letter(self, row: OutboxRow, text: str) -> bool:
        """Whether a letter tells its reader's own grey press, or an answer to it."""
        found = _IDS.match(row.dedupe_key or "")
        if found is not None:
            return any(int(number) in self.answers for number in found["ids"].split("."))
        if row.seat_id is None or row.seat_id not in self.words or row.kind not in _TELLING:
            return False
        return row.kind == "press-sent" or self._has_words(row.seat_id, text)

    def is_in_message(self, seat_id: int, text: str) -> bool:
        """Whether somebody wrote grey press in it."""
        return seat_id in self.words and self._has_words(seat_id, text)

    def _has_words(self, seat_id: int, text: str) -> bool:
        squeezed = _squeezed(text)
        return any(words in squeezed for words in self.words[seat_id])


async def read_unmasking(work: Work, game_id: int) -> Unmasking:
    """Look it up for one game."""
    rows = await work.press.list_of_game(game_id)
    words: dict[int, tuple[str, ...]] = {}
    for row in rows:
        if row.grey and row.seat_id is not None and row.text:
            words[row.seat_id] = (*words.get(row.seat_id, ()), _squeezed(row.text)[:_LONGEST])
    return Unmasking(words, frozenset(row.id for row in rows if row.recipients[:1] == (MASKED,)))


def _squeezed(text: str) -> str:
    return " ".join(text.replace("\n> ", "\n").split())
