"""The archives of a house in one folder: a folder a game, and the index of all of them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.archive.catalogue import THUMBNAIL, Card, alone_at, card_of, read_catalogue
from pbem.archive.feeds import CALENDAR, FEED, calendar_of, game_feed
from pbem.archive.folder import remove_files
from pbem.archive.house import House, write_house
from pbem.archive.model import Archive
from pbem.archive.outdated import Stamp, read_standing, stamp_of
from pbem.archive.pictures import picture_path, thumbnail
from pbem.archive.site import Archived, Around, archive_game
from pbem.desk.gm import By
from pbem.desk.mandate import find_game
from pbem.desk.people.profiles import read_hall
from pbem.desk.ports import Policy, Services


@dataclass
class _Covers:
    """What the house adds to the archive of a game, and the game's card."""

    policy: Policy
    base_url: str
    stamp: Stamp
    cards: list[Card] = field(default_factory=list)

    def __call__(self, archive: Archive, pictures: Mapping[str, bytes]) -> Mapping[str, bytes]:
        files, high = {}, 0
        if archive.steps[-1].is_painted:
            files[THUMBNAIL], high = thumbnail(pictures[picture_path(archive.steps[-1])])
        card = card_of(archive, self.stamp, high)
        self.cards.append(card)
        files[CALENDAR] = calendar_of(card)
        if self.base_url:
            files[FEED] = game_feed(card, self.base_url, self.policy.name)
        return files


async def archive_games(
    services: Services,
    slugs: Sequence[str],
    folder: Path,
    by: By,
    *,
    base_url: str = "",
    private: bool = False,
) -> list[Archived]:
    """Write the archives of these games (none named: of all public ones that have begun) into
    `folder/SLUG`, each in place of an earlier one, and the index of all that lie there.

    `base_url` is the address of the folder on the web, with a slash at its end; "" is nowhere: then
    there are no feeds. `private` as in `archive_game`. Refused for a game that is not there or has
    not begun; those before it are written.
    """
    named = tuple(slugs) or tuple((await read_standing(services)).public)
    written, cards = [], []
    try:
        for slug in named:
            covers = await _look(services, slug, base_url)
            done = await archive_game(
                services,
                slug,
                folder / slug.casefold(),
                by,
                private=private,
                around=Around(base_url, covers),
            )
            cards += covers.cards
            written.append(done)
    finally:
        if cards or not named:
            await write_index(services, folder, base_url, cards)
    return written


async def take_away(services: Services, slug: str, folder: Path, base_url: str = "") -> None:
    """Remove all our files of a game that may no longer be shown."""
    await asyncio.to_thread(remove_files, folder / slug)
    await write_index(services, folder, base_url, ())


async def write_index(
    services: Services, folder: Path, base_url: str, cards: Sequence[Card]
) -> None:
    """The index of the house: of what lies in the folder, with these cards in place of older
    ones.
    """
    policy = services.policy
    async with services.database.read() as work:
        hall = await read_hall(work)
    house = House(policy.name, policy.address, policy.zone, base_url)

    def write() -> None:
        with alone_at(folder):
            kept = read_catalogue(folder) | {card.slug: card for card in cards}
            write_house(folder, house, kept.values(), hall)

    await asyncio.to_thread(write)


async def _look(services: Services, slug: str, base_url: str) -> _Covers:
    """How the table stands, before its archive is made: what comes meanwhile is seen by the next
    look.
    """
    async with services.database.read() as work:
        game = await find_game(work, slug)
        phase = await work.phases.current(game.id) if game.status == "running" else None
    return _Covers(services.policy, base_url, stamp_of(game, phase))
