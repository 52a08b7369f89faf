"""Who wants to leave is told what leaving means, with the words to copy; nothing is done by it
(F-28).
"""

from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.grammar.house.parsing import hear
from pbem.registry import load_games
from tests.desk.chatting import ChatDesk
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import flat, join, lobby
from tests.desk.mastery import gm_letters
from tests.desk.rawmail import orders_of
from tests.played import PLAYED

ANNA = 11
WORDS = ("resign", "no reminders", "observe heron", "forget me")


@pytest.mark.parametrize(
    "text",
    [
        *("I want to leave the game", "please unsubscribe me", "unsubscribe", "I quit"),
        *("count me out", "stop sending me mails", "take me off the list", "I give up"),
        *("Hi Greta,\n\nI moved house, so I'm dropping out.\n\nSorry,\nAnna", "ich steige aus"),
        *("can someone else take my seat?", "leave heron"),
    ],
)
async def test_f28_at_a_table_that_runs_leaving_is_explained_and_nothing_is_done(
    desk: Desk, text: str
) -> None:
    await desk.open_game(2)
    letters, noted = len(desk.letters("Anna")), len(gm_letters(desk))
    told = flat(await desk.write("Anna", text))
    assert all(word in told for word in WORDS)
    assert len(desk.letters("Anna")) == letters + 1, "one message gets one answer"
    assert len(gm_letters(desk)) == noted
    async with desk.services.database.read() as work:
        seats = await work.seats.list_of_game(1)
        assert [seat.status for seat in seats] == ["active", "active"]


async def test_f28_the_same_in_a_chat_and_beside_orders(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "I want out")
    assert all(word in there.last(ANNA).text for word in WORDS)
    await there.desk.write("Anna", "bid 5\nI want to leave the game")
    assert await orders_of(there.desk, "Anna") == ("Bid 5",)
    told = [flat(mail) for mail in there.desk.letters("Anna")[-2:]]
    assert any("gives the seat up" in text for text in told)


async def test_f28_beside_an_order_it_is_explained_in_the_same_letter(desk: Desk) -> None:
    await desk.open_game(2)
    letters, noted = len(desk.letters("Anna")), len(gm_letters(desk))
    told = flat(await desk.write("Anna", "bid 5\nich steige aus nach dieser Runde"))
    assert await orders_of(desk, "Anna") == ("Bid 5",)
    assert all(word in told for word in WORDS)
    assert (len(desk.letters("Anna")), len(gm_letters(desk))) == (letters + 1, noted)


async def test_f28_before_the_start_the_word_is_leave(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        told = flat(
            await desk.write("Anna", "please unsubscribe me", answering=desk.letters("Anna")[-1])
        )
        assert "To give the seat back, write leave" in told
        async with desk.services.database.read() as work:
            assert [seat.status for seat in await work.seats.list_of_game(1)] != ["left"]


async def test_f28_what_is_to_the_game_master_goes_there(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "GM: I want to leave the game")
    assert "I want to leave the game" in text_of(gm_letters(desk)[-1])


async def test_f28_yes_with_the_colour_that_is_fine_is_a_yes_to_an_invitation(
    tmp_path: Path,
) -> None:
    colour = load_games()[PLAYED].colours[2]
    async with lobby(tmp_path) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), gm.By("test"))
        await desk.work()
        await desk.write(
            "Anna", f"Yes - {colour} is fine with me", answering=desk.letters("Anna")[-1]
        )
        async with desk.services.database.read() as work:
            (seat,) = await work.seats.list_of_game(1)
            assert seat.colour == colour
            assert seat.person_id is not None
            invitation = await work.invitations.find_of_person(1, seat.person_id)
            assert invitation is None or invitation.answered_at is not None


@pytest.mark.parametrize("word", WORDS)
def test_f28_every_word_that_is_offered_is_read(word: str) -> None:
    assert len(hear(word).commands) == 1


async def test_f28_what_stands_beside_leaving_and_is_no_order_is_told_of(desk: Desk) -> None:
    await desk.open_game(3)
    await desk.everybody_passes()
    letter = await desk.write("Anna", "I resign. If not possible, work P1")
    assert letter is not None
    text = text_of(letter)
    assert text.index("If not possible, work P1") < text.index("LEAVING A RUNNING GAME")
