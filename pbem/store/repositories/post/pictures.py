"""Board pictures, each kept once however many letters show it."""

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.repository import Repository, Rows
from pbem.store.tables import pictures


class PictureRow(msgspec.Struct, frozen=True):
    """A picture (PNG) with the words for those who do not see it. `digest` names its content."""

    id: int
    game_id: int
    digest: str
    png: bytes
    alt: str


_PICTURE = Rows(PictureRow, pictures)


class Pictures(Repository):
    """The pictures of the games."""

    async def add_once(self, game_id: int, digest: str, png: bytes, alt: str) -> int:
        """Keep a picture; its id, also when it was there already."""
        added = await self._insert_once(pictures, game_id=game_id, digest=digest, png=png, alt=alt)
        if added is not None:
            return added
        return await self._number(
            sa.select(pictures.c.id).where(
                pictures.c.game_id == game_id, pictures.c.digest == digest
            )
        )

    async def find(self, picture_id: int) -> PictureRow | None:
        return await self._find(_PICTURE, id=picture_id)
