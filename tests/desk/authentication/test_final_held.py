"""`final` means the whole message: beside a line that was not taken it is held back, and the
receipt says so (PR-1.10).
"""

import pytest

from tests.desk.harness import Desk, text_of
from tests.desk.looks import status_of
from tests.desk.messages.test_receive import orders_of


async def is_final(desk: Desk) -> bool:
    async with desk.services.database.read() as work:
        newest = await work.orders.newest(1, 1)
    return newest is not None and newest.final


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Bid 13. Fortify P1. final", ("Bid 13",)),
        ("final\nBid 13\nflurb the dragon", ("Bid 13",)),
        ("Bid 13\nBid 14\nfinal please", ()),  # two bids: which?
    ],
)
async def test_final_beside_a_line_that_was_not_taken_is_held_back_and_said(
    desk: Desk, text: str, stands: tuple[str, ...]
) -> None:
    await desk.open_game()
    receipt = text_of(await desk.write("Anna", text))
    assert await orders_of(desk, "Anna") == stands
    assert not await is_final(desk)
    assert "Your orders are not final" in " ".join(receipt.split())
    assert "Only the game master can unlock it." not in receipt
    again = text_of(await desk.write("Anna", "Bid 14, final"))
    assert await is_final(desk)
    assert await orders_of(desk, "Anna") == ("Bid 14",)
    assert "Only the game master can unlock it." in again


async def test_a_yes_to_the_suggestions_beside_a_final_says_that_nothing_is_final_yet(
    desk: Desk,
) -> None:
    await desk.open_game()
    receipt = await desk.write("Anna", "Bidd 3\nfinal")
    offer = " ".join(text_of(receipt).split())
    assert '"yes" alone does not say it' in offer
    taken = " ".join(text_of(await desk.write("Anna", "yes", answering=receipt)).split())
    assert len(await orders_of(desk, "Anna")) == 1
    assert not await is_final(desk)
    assert (
        "Your orders are not final, because we held that word back with the message before."
        in taken
    )
    await desk.write("Anna", "final")
    assert await is_final(desk)


async def test_a_yes_with_final_beside_it_is_final(desk: Desk) -> None:
    await desk.open_game()
    receipt = await desk.write("Anna", "Bidd 3\nfinal")
    await desk.write("Anna", "yes\nfinal", answering=receipt)
    assert await is_final(desk)
    assert len(await orders_of(desk, "Anna")) == 1


async def test_f31_final_with_nothing_standing_is_asked_about_before_it_closes_the_window(
    desk: Desk,
) -> None:
    await desk.open_game()
    for name in ("Bartek", "Chloé"):
        assert "Nothing is final yet" not in text_of(await desk.write(name, "bid 0. final"))
    asked = await desk.write("Anna", "final")
    told = " ".join(text_of(asked).split())
    assert not await is_final(desk)
    assert 'Nothing is final yet. If you answer "yes", you give no orders: your bid is 0.' in told
    assert (await status_of(desk))[1] == 1, "the window is open still"
    await desk.write("Anna", "yes", answering=asked)
    await desk.work()
    assert (await status_of(desk))[1] == 2, "the last one was final: it closed early"
