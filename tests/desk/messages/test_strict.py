"""`finality: strict`: a complete, wholly understood set is final on receipt (PR-1.10)."""

from tests.desk.harness import Desk


async def is_final(desk: Desk, version: int) -> bool:
    async with desk.services.database.read() as work:
        rows = await work.orders.history(1, 1)
    return rows[version - 1].final


async def test_a_wholly_understood_set_is_final_on_receipt(desk: Desk) -> None:
    await desk.open_game(finality="strict")
    await desk.write("Anna", "Bid 12")
    assert await is_final(desk, 1)


async def test_a_message_with_something_unread_in_it_is_not(desk: Desk) -> None:
    await desk.open_game(finality="strict")
    await desk.write("Anna", "Bid 12. frobnicate P3")
    assert not await is_final(desk, 1)
    await desk.write("Anna", "Bid 13")
    assert await is_final(desk, 2)


async def test_in_confirm_only_the_word_makes_it_final(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "Bid 12")
    assert not await is_final(desk, 1)
    await desk.write("Anna", "final")
    assert await is_final(desk, 2)
