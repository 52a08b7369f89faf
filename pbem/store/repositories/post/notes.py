"""Notes from players to their game master."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from pbem.store.repositories.repository import Repository, Rows, given
from pbem.store.tables import notes

NoteState = Literal["waiting", "passed", "answered"]


class NoteRow(msgspec.Struct, frozen=True):
    """A note to the GM, in the player's own words."""

    id: int
    game_id: int
    seat_id: int
    inbox_id: int | None
    text: str
    created_at: datetime
    state: NoteState


_SELECT = Rows(NoteRow, notes)


class Notes(Repository):
    """The notes of all games."""

    async def add_once(
        self, *, game_id: int, seat_id: int, inbox_id: int | None, text: str, created_at: datetime
    ) -> int | None:
        """Keep a note. None: this message has brought one already."""
        return await self._insert_once(
            notes,
            game_id=game_id,
            seat_id=seat_id,
            inbox_id=inbox_id,
            text=text,
            created_at=created_at,
            state="waiting",
        )

    async def is_from(self, inbox_ids: Sequence[int]) -> bool:
        """Whether any of these messages brought a note."""
        return await self._count(notes, notes.c.inbox_id.in_(list(inbox_ids))) > 0

    async def find(self, note_id: int) -> NoteRow | None:
        return await self._find(_SELECT, id=note_id)

    async def list_of_seat(self, game_id: int, seat_id: int, since: datetime) -> list[NoteRow]:
        """The notes of a seat that were kept since then, the oldest first."""
        its = (
            notes.c.game_id == game_id,
            notes.c.state.in_(("waiting", "passed", "answered")),  # as the index has them
            notes.c.seat_id == seat_id,
            notes.c.created_at >= since,
        )
        return await self._list(_SELECT, *its)

    async def list_by_state(self, state: NoteState, game_id: int | None = None) -> list[NoteRow]:
        """The notes in a state (of one game), the oldest first."""
        return await self._list(_SELECT, state=state, **given(game_id=game_id))

    async def mark_passed(self, note_id: int) -> bool:
        """A waiting note is on its way to the GM. False: it was passed on before."""
        return await self._move(note_id, ("waiting",), "passed")

    async def mark_answered(self, note_id: int) -> bool:
        """The GM has answered. False: that was so already."""
        return await self._move(note_id, ("waiting", "passed"), "answered")

    async def _move(
        self, note_id: int, from_states: tuple[NoteState, ...], to_state: NoteState
    ) -> bool:
        return await self._set(notes, note_id, notes.c.state.in_(from_states), state=to_state)
