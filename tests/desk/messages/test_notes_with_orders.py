"""Orders below the first line of a note, without a blank line: they are asked about, and go to
nobody.
"""

from tests.desk.harness import Desk, text_of
from tests.desk.mastery import gm_letters


async def test_a_line_of_a_note_that_reads_as_an_order_is_asked_about(desk: Desk) -> None:
    await desk.open_game(2)
    before = len(gm_letters(desk))
    told = text_of(await desk.write("Anna", "gm: hi\nbid 5"))
    assert "reads as orders" in told
    assert len(gm_letters(desk)) == before
    assert "You have no orders in." in text_of(await desk.write("Anna", "orders"))
    await desk.write("Anna", "bid 4\n\ngm: hi\nbid 5")
    assert "reads as orders" in text_of(desk.last("Anna", "order in"))
    assert len(gm_letters(desk)) == before
    await desk.write(
        "Anna",
        "GM: hello, I have a question of the rules that is rather long:\nmay anybody bid more than they own?",
    )
    assert len(gm_letters(desk)) == before + 1
    await desk.write("Anna", "GM: hi, bid 5 was meant")
    assert len(gm_letters(desk)) == before + 2


async def test_what_nobody_understood_beside_words_and_orders_is_quoted_back(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "flurb <b>\nstatus\n\nBest,\nAnna")
    quoted = text_of(desk.last("Anna")).partition("WE DID NOT UNDERSTAND A PART OF IT")[2]
    assert "flurb <b>" in quoted
    assert "Best" not in quoted
    receipt = text_of(await desk.write("Anna", "bid 5\nflurb <b>"))
    assert "We left this out" in receipt
    assert "flurb <b>" in receipt
    assert "We left this" not in text_of(await desk.write("Anna", "Hi Greta,\nbid 4\nLG\nAnna"))


async def test_a_yes_that_takes_nothing_is_told_beside_orders(desk: Desk) -> None:
    await desk.open_game(2)
    before = len(desk.letters("Anna"))
    await desk.write("Anna", "yes 1\nbid 5")
    (mail,) = desk.letters("Anna")[before:]
    assert "1 order in" in str(mail["Subject"])
    assert "THERE IS NOTHING TO CONFIRM" in text_of(mail)


async def test_f27_a_note_that_was_near_an_order_is_passed_on_and_the_way_on_is_named(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    before = len(gm_letters(desk))
    told = " ".join(text_of(await desk.write("Anna", "should I bid 5?")).split())
    assert 'If you meant orders, "help" shows how to write them.' in told
    assert len(gm_letters(desk)) == before + 1


async def test_f102_a_secret_number_in_words_that_nobody_knows_goes_to_nobody(desk: Desk) -> None:
    """F-102: where a bid is asked for, a message with a number is no note to the game master."""
    await desk.open_game(2)
    before = len(gm_letters(desk))
    told = text_of(await desk.write("Anna", "shove seven coins at it"))
    assert "shove seven coins at it" in told
    assert len(gm_letters(desk)) == before
