"""What tests of a table's time share: settings changed, and votes asked for."""

from typing import Any

import msgspec

from pbem.desk.table import decode_settings, encode_settings
from pbem.store.repositories.motions import MotionRow
from tests.desk.harness import Desk, text_of


async def set_settings(desk: Desk, slug: str = "heron", **changes: Any) -> None:
    """Change how the service runs a table, without a word to anybody."""
    async with desk.services.database.write() as work:
        game = await work.games.find_by_slug(slug)
        assert game is not None
        await work.games.set_settings(
            game.id, encode_settings(msgspec.structs.replace(decode_settings(game), **changes))
        )


async def motions_of(desk: Desk) -> list[MotionRow]:
    async with desk.services.database.read() as work:
        return await work.motions.list_of_game(1)


def texts(desk: Desk, name: str, word: str) -> list[str]:
    """The letters to a player whose subject has this word, on one line each."""
    return [
        " ".join(text_of(mail).split())
        for mail in desk.letters(name)
        if word.lower() in str(mail["Subject"]).lower()
    ]


async def subject_of(desk: Desk, name: str, words: str) -> str:
    """What the answer to a player's words is about."""
    answer = await desk.write(name, words)
    assert answer is not None
    return str(answer["Subject"])
