"""Motions: what a table votes on while it plays. A secret ballot with a time limit, settled exactly once, with an effect by kind."""

from pbem.desk.ports import Parts


async def settle_motion(parts: Parts, motion_id: int) -> None:
    """End a vote whose time is over."""
    async with parts.database.read() as work:
        await work.motions.find(motion_id)
