"""The players' mailbox cannot be read over a deadline: the close is held, everybody is told once,
and it does not wait for ever.
"""

from collections import Counter
from datetime import timedelta
from pathlib import Path

from tests.desk.harness import GM, Desk, address_of, open_desk
from tests.desk.looks import after, phase_of, status_of

PLAYERS = ("Anna", "Bartek", "Chloé")
EVERYBODY = {address_of(name) for name in PLAYERS} | {GM}
HOLD = timedelta(minutes=120)


async def letters_of_kind(desk: Desk, kind: str) -> Counter[str]:
    async with desk.services.database.read() as work:
        return Counter(
            row.address for row in await work.outbox.list_by_state("sent", 1000) if row.kind == kind
        )


async def test_a_mailbox_that_is_never_read_holds_the_close_for_the_minutes_allowed_and_the_gm_is_told_that_orders_may_lack(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        phase = await phase_of(desk)
        assert timedelta(minutes=desk.services.policy.hold_minutes) == HOLD
        desk.mailbox.broken = True
        for minute in range(1, 120, 7):
            desk.clock.instant = after(phase, minutes=minute)
            await desk.work()
            assert await status_of(desk) == ("running", 1, 0)
        assert await letters_of_kind(desk, "held") == Counter(EVERYBODY)
        assert not await letters_of_kind(desk, "closed-unread")
        desk.clock.instant = phase.deadline + HOLD
        await desk.work()
        assert (await status_of(desk))[1] == 2
        assert await letters_of_kind(desk, "closed-unread") == Counter({GM: 1})
        assert await letters_of_kind(desk, "bulletin") == Counter({GM: 1})
        second = await phase_of(desk)
        assert second.deadline - second.opened_at >= timedelta(hours=24), (
            "the next phase has its whole time"
        )


async def test_a_mailbox_that_comes_and_goes_tells_everybody_once_a_phase_and_takes_what_came_in_time(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        phase = await phase_of(desk)
        for minute in (1, 5, 9):
            desk.mailbox.broken = True
            desk.clock.instant = after(phase, minutes=minute)
            await desk.work()
        desk.mailbox.broken = False
        await desk.write("Bartek", "bid 7", received_at=phase.deadline)
        assert (await status_of(desk))[1] == 2
        async with desk.services.database.read() as work:
            assert [row.canonical for row in await work.orders.latest(1, 1)] == [("Bid 7",)]
        assert await letters_of_kind(desk, "held") == Counter(EVERYBODY)
        second = await phase_of(desk)
        desk.mailbox.broken = True
        desk.clock.instant = after(second, minutes=1)
        await desk.work()
        assert await letters_of_kind(desk, "held") == Counter(dict.fromkeys(EVERYBODY, 2))
