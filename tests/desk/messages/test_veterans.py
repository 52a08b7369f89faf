"""The old judges' lines at the desk: by mail, in a chat, and before a table begins."""

from pathlib import Path

from tests.desk.chatting import ChatDesk
from tests.desk.harness import Desk, text_of
from tests.desk.lobbies import join, lobby
from tests.desk.mastery import gm_letters

ANNA = 101


async def stands(desk: Desk, game_id: int = 1) -> tuple[str, ...]:
    async with desk.services.database.read() as work:
        seat = (await work.seats.list_of_game(game_id))[0]
        newest = await work.orders.newest(seat.id, 1)
    return newest.canonical if newest is not None else ()


async def test_clear_takes_back_every_order_on_both_channels_and_the_receipt_says_so(
    there: ChatDesk,
) -> None:
    await there.desk.write("Anna", "bid 5")
    receipt = text_of(await there.desk.write("Anna", "CLEAR\nSIGNOFF\nAnna K.\nbid 7"))
    assert await stands(there.desk) == ()
    assert "Cancel all" in receipt
    assert "You have no orders in." in receipt
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bid 6")
    assert await stands(there.desk) == ("Bid 6",)
    await there.says(ANNA, "/cancel")
    assert await stands(there.desk) == ()
    assert "Cancel all" in there.last(ANNA).text
    await there.says(ANNA, "bid 6")
    await there.says(ANNA, "CLEAR")
    assert await stands(there.desk) == ()


async def test_signing_on_names_the_table_and_the_password_goes_nowhere(there: ChatDesk) -> None:
    await there.desk.open_game(2, slug="wolf")
    notes = len(gm_letters(there.desk))
    mail = await there.desk.write(
        "Anna", "SIGNON Awolf hushhush\nbid 5\nSIGNOFF\nhushhush", token=False
    )
    assert "Wolf" in str(mail["Subject"] if mail is not None else "")
    assert (await stands(there.desk), await stands(there.desk, 2)) == ((), ("Bid 5",))
    await there.link("Anna", ANNA)
    await there.says(ANNA, "SIGN ON Aheron hushhush\nbid 6")
    assert await stands(there.desk) == ("Bid 6",)
    await there.says(ANNA, "LIST wolf")
    assert "Wolf" in there.last(ANNA).text.splitlines()[0]
    await there.says(ANNA, "SET PASSWORD hushhush")
    assert "No passwords here" in there.last(ANNA).text
    assert len(gm_letters(there.desk)) == notes
    assert not any("hushhush" in posted.text for posted in there.box.to(ANNA))


async def test_an_old_word_that_is_none_here_is_answered_with_ours(desk: Desk) -> None:
    await desk.open_game(2)
    assert "heron: bid 5" in text_of(await desk.write("Anna", "SIGNON egret secret"))
    assert "pbem" in text_of(await desk.write("Anna", "VERSION"))
    listed = text_of(await desk.write("Anna", "veterans"))
    assert "SET WAIT, SET NOWAIT" in listed
    assert "cancel all" in listed
    assert len([mail for mail in gm_letters(desk) if "note" in str(mail["Subject"]).lower()]) == 0


async def test_the_old_words_work_before_a_table_begins(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        assert "pbem" in text_of(
            await desk.write("Anna", "VERSION", answering=desk.letters("Anna")[-1])
        )
        assert (
            "away"
            in text_of(
                await desk.write(
                    "Anna", "SET ABSENCE 3 July TO 7 July", answering=desk.letters("Anna")[-1]
                )
            ).lower()
        )
        assert "You play as Anna" in text_of(
            await desk.write("Anna", "LIST FULL", answering=desk.letters("Anna")[-1])
        )
