"""What a game master may ask for, and what is refused before it does harm."""

from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.upkeep import status
from tests.desk.harness import ADDRESS, NAMES, SEED, Desk, address_of, text_of
from tests.played import PLAYED


def table(
    slug: str = "heron", hours: dict[str, float] | None = None, **options: Any
) -> gm.NewTable:
    return gm.NewTable(
        slug, slug.capitalize(), PLAYED, options, "Europe/Berlin", "Greta", hours, seed=SEED
    )


async def refused(desk: Desk, new: gm.NewTable) -> str:
    with pytest.raises(gm.Refused) as error:
        await gm.open_table(desk.services, new, gm.By("test"))
    return error.value.code


@pytest.mark.parametrize(
    "hours",
    [
        {"orders": 0},
        {"orders": -5},
        {"orders": float("nan")},
        {"orders": float("inf")},
        {"bidding": 1e9},
        {"foo": 5},
    ],
)
async def test_a_window_of_no_sensible_length_is_refused(
    desk: Desk, hours: dict[str, float]
) -> None:
    assert await refused(desk, table(hours=hours)) == "bad-options"


async def test_a_window_of_the_tables_own_length_is_kept(desk: Desk) -> None:
    await gm.open_table(desk.services, table(hours={"bidding": 5}), gm.By("test"))
    for name in NAMES[:2]:
        await gm.invite(desk.services, "heron", name, address_of(name), gm.By("test"))
    await gm.start(desk.services, "heron", gm.By("test"))
    seen = await status.read_status(desk.services, "heron")
    assert seen.deadline is not None
    assert (seen.deadline - desk.clock.now()).total_seconds() == 5 * 3600


async def test_the_services_own_address_cannot_play(desk: Desk) -> None:
    await gm.open_table(desk.services, table(), gm.By("test"))
    with pytest.raises(gm.Refused) as error:
        await gm.invite(desk.services, "heron", "Jo", ADDRESS, gm.By("test"))
    assert error.value.code == "bad-address"


async def test_nobody_is_asked_before_the_start(desk: Desk) -> None:
    await gm.open_table(desk.services, table(), gm.By("test"))
    await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), gm.By("test"))
    assert [seat.answered for seat in (await status.read_status(desk.services, "heron")).seats] == [
        None
    ]


async def test_options_can_be_changed_until_the_start_and_are_checked(desk: Desk) -> None:
    await gm.open_table(desk.services, table(version="grand", provinces=9), gm.By("test"))
    for name in NAMES[:4]:
        await gm.invite(desk.services, "heron", name, address_of(name), gm.By("test"))
    with pytest.raises(gm.Refused) as error:
        await gm.start(desk.services, "heron", gm.By("test"))
    assert error.value.code == "cannot-start"
    with pytest.raises(gm.Refused):
        await gm.change_options(desk.services, "heron", {"version": "huge"}, gm.By("test"))
    await gm.change_options(
        desk.services, "heron", {"provinces": 8, "early_close": False}, gm.By("test")
    )
    assert await gm.start(desk.services, "heron", gm.By("test")) == 4
    with pytest.raises(gm.Refused) as error:
        await gm.change_options(desk.services, "heron", {"provinces": 12}, gm.By("test"))
    assert error.value.code == "already-started"


async def test_a_yes_to_nothing_is_told_so_and_changes_nothing(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 5")
    answer = await desk.write("Anna", "yes")
    assert "nothing to confirm" in str(answer["Subject"] if answer is not None else "").lower()
    assert "still counts" in text_of(answer)
    async with desk.services.database.read() as work:
        assert len(await work.orders.history(1, 1)) == 1
