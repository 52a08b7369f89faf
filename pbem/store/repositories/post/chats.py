"""Groups that a table speaks in: bulletins and public press go there too."""

from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, columns_of
from pbem.store.tables import chats

ChatState = Literal["active", "left"]


class ChatRow(msgspec.Struct, frozen=True):
    """A group. `left`: we were put out, or went."""

    id: int
    channel: str
    address: str
    game_id: int | None
    title: str
    state: ChatState
    since: datetime


_SELECT = sa.select(*columns_of(ChatRow, chats))


class Chats(Repository):
    """All groups we were ever in."""

    __slots__ = ()

    async def put(
        self, channel: str, address: str, *, title: str, state: ChatState, since: datetime
    ) -> int:
        """Keep that we are in a group, or are there no more; which table it belongs to stays as it
        was.
        """
        same = (chats.c.channel == channel, chats.c.address == address)
        if (
            await self._changed(
                chats.update().where(*same).values(title=title, state=state, since=since)
            )
            == 0
        ):
            await self._insert_once(
                chats,
                ("channel", "address"),
                channel=channel,
                address=address,
                game_id=None,
                title=title,
                state=state,
                since=since,
            )
        return await self._number(sa.select(chats.c.id).where(*same))

    async def find(self, channel: str, address: str) -> ChatRow | None:
        return await self._one(
            ChatRow, _SELECT.where(chats.c.channel == channel, chats.c.address == address)
        )

    async def belong(self, chat_id: int, game_id: int | None) -> bool:
        """The group speaks of that table from now on (None: of none)."""
        return (
            await self._changed(chats.update().where(chats.c.id == chat_id).values(game_id=game_id))
            == 1
        )

    async def move(self, channel: str, address: str, new_address: str) -> bool:
        """The group goes on under another address."""
        return await self._changed_unless_taken(
            chats.update()
            .where(chats.c.channel == channel, chats.c.address == address)
            .values(address=new_address)
        )

    async def list_of_game(self, game_id: int) -> list[ChatRow]:
        """The groups that speak of a table now."""
        return await self._all(
            ChatRow,
            _SELECT.where(chats.c.game_id == game_id, chats.c.state == "active").order_by(
                chats.c.id
            ),
        )
