"""Looking after tables that have not begun: they expire, their vote ends, and full ones start by themselves."""

from datetime import datetime

from pbem.desk.ports import Parts
from pbem.store.games import GameRow


def next_tending_at(game: GameRow) -> datetime | None:
    """When an open table wants to be looked after next; None when nothing of it comes by itself."""
    return min((instant for instant in (game.expires_at, game.voting_until) if instant is not None), default=None)


async def tend_table(parts: Parts, game_id: int) -> None:
    """Do what is due at an open table, if anything is."""
