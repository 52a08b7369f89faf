"""Three strikes over all games, and no table takes that person any more (PR-1.11)."""

from pbem.store.work import Work

STRIKES = 3
"""So many strikes that stand, over all games: seats that somebody has already are not touched."""


async def is_barred(work: Work, person_id: int | None) -> bool:
    """Whether this person may not join another table."""
    return person_id is not None and await work.strikes.count_standing(person_id) >= STRIKES
