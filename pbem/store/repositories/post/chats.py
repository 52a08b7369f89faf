"""Groups that a table speaks in: bulletins and public press go there too."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import chats

ChatState = Literal["active", "left"]


class ChatRow(msgspec.Struct, frozen=True):
    """A group. `left`: we were put out, or went. `thread_id`: the topic that its table speaks in.
    `refused`: what the group refuses, as kinds with spaces between, since `refused_at`; its game
    masters know.
    """

    id: int
    channel: str
    address: str
    game_id: int | None
    title: str
    state: ChatState
    since: datetime
    thread_id: int | None
    refused: str | None
    refused_at: datetime | None

    @property
    def refuses(self) -> tuple[str, ...]:
        return tuple((self.refused or "").split())


_SELECT = Rows(ChatRow, chats)


class Chats(Repository):
    """All groups we were ever in."""

    async def put(
        self, channel: str, address: str, *, title: str, state: ChatState, since: datetime
    ) -> int:
        """Record that we are in a group, or have left it; its table stays the same."""
        group = {"channel": channel, "address": address}
        await self._put(chats, tuple(group), **group, title=title, state=state, since=since)
        return await self._number(sa.select(chats.c.id).filter_by(**group))

    async def find(self, channel: str, address: str) -> ChatRow | None:
        return await self._find(_SELECT, channel=channel, address=address)

    async def belong(self, chat_id: int, game_id: int | None, thread_id: int | None = None) -> bool:
        """The group speaks of that table from now on (None: of none), in that topic."""
        values = {"game_id": game_id, "thread_id": thread_id, "refused": None, "refused_at": None}
        return await self._set(chats, chat_id, **values)

    async def refuse(self, chat_id: int, kinds: Sequence[str], since: datetime | None) -> None:
        """What a group refuses from now on; nothing, if there are no kinds."""
        values = {"refused": " ".join(kinds) or None, "refused_at": since if kinds else None}
        await self._set(chats, chat_id, **values)

    async def leave_topic(self, chat_id: int) -> None:
        """The topic was deleted."""
        await self._set(chats, chat_id, thread_id=None)

    async def move(self, channel: str, address: str, new_address: str) -> bool:
        """The group continues under another address, where it may be known already. False: it is
        not known at all.
        """
        old = await self.find(channel, address)
        if old is None:
            return False
        if await self._update_unless_taken(chats, chats.c.id == old.id, address=new_address):
            return True
        new = await self.find(channel, new_address)
        if new is not None and new.game_id is None:
            await self.belong(new.id, old.game_id, old.thread_id)
        await self.belong(old.id, None)
        return True

    async def list_of_game(self, game_id: int) -> list[ChatRow]:
        """The groups that speak of a table now."""
        return await self._list(_SELECT, game_id=game_id, state="active")
