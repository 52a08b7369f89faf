"""Our mails begin with the line below which nothing is read back as an order."""

from pbem.mail.inbound import newtext
from pbem.pages import page
from tests.desk.harness import Desk, text_of


def test_the_pages_write_the_marker_that_the_reader_of_answers_looks_for() -> None:
    assert page.MARKER == newtext.MARKER


async def test_our_own_text_pasted_without_any_quote_mark_is_not_read_back(desk: Desk) -> None:
    await desk.open_game()
    ours = text_of(desk.turn_mail("Anna"))
    receipt = text_of(await desk.write("Anna", f"bid 3\n\n{ours}"))
    assert "Bid 3" in receipt
    assert "NOT UNDERSTOOD" not in receipt
    async with desk.services.database.read() as work:
        (row,) = await work.orders.latest(1, 1)
    assert row.canonical == ("Bid 3",)
