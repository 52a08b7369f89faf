"""Who gets a table's bulletins without a part in it: observers, and those for whom somebody plays
just now.
"""

from collections.abc import Collection
from dataclasses import dataclass

from pbem.desk.authentication.tenures import owners_away
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.table import OpenTable, mail_addresses_of
from pbem.mail.tokens import Purpose, make_token
from pbem.pages.page import Reader
from pbem.store.repositories.around import Around
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches, and their mail address ("": reached in a chat alone). `away`: it is
    their own seat that another plays.
    """

    person: PersonRow
    address: str
    away: bool = False

    def recipient(self, key: bytes, game: GameRow) -> Recipient:
        """Them as the reader of a letter: an answer to it is about this table, and gives nothing
        but what everybody may know.
        """
        return Recipient(
            self.address,
            self.person.name,
            self.person.id,
            game,
            watch_token(key, self.person.id, game.id),
            is_routed=True,
            looks_on=True,
            own=f"watch:{self.person.id}",
        )

    def reader(self, code: str) -> Reader:
        return Reader(
            None, self.person.name, self.person.time_zone, self.person.locale, code, looks_on=True
        )


async def read_watchers(work: Work, table: OpenTable, around: Around) -> tuple[Watcher, ...]:
    """Everybody who watches a table now and can be reached. Nobody who sits there is among them,
    whatever they said before.
    """
    away = await owners_away(work, table.game.id) if around.substituted else frozenset()
    observing = (
        {who for who, somebody in around.people.items() if somebody.observes}
        if table.settings.people.observers
        else set()
    )
    seated = {seat.person_id for seat in table.seats if seat.status != "left"}
    return await reach(work, (observing | away) - seated, away)


async def reach(
    work: Work, person_ids: Collection[int], away: Collection[int] = ()
) -> tuple[Watcher, ...]:
    """These people, as far as they can be reached."""
    if not person_ids:
        return ()
    reached = await mail_addresses_of(work, person_ids)
    chats = await chat_addresses_of(work, person_ids)
    return tuple(
        Watcher(person, reached.get(person.id, ""), person.id in away)
        for person in await work.people.list_by_ids(person_ids)
        if person.id in reached or person.id in chats
    )


def watch_token(key: bytes, person_id: int, game_id: int) -> str:
    """What proves an answer of somebody who watches a table."""
    return make_token(key, Purpose.WATCH, person_id, 0, game_id)
