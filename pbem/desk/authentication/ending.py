"""A question whose time is over, of whatever kind."""

from pbem.desk.authentication.addresses import leave_alias
from pbem.desk.authentication.kept import end_kept
from pbem.desk.correlation import correlated
from pbem.desk.ports import Desk


@correlated("q")
async def end_question(services: Desk, pending_id: int) -> None:
    """Nobody has answered it in time. May run twice, or die anywhere, without harm."""
    await leave_alias(services, pending_id)
    await end_kept(services, pending_id)
