"""Messages of a chat that are changed afterwards: orders count anew, and nothing happens, or goes
to anybody, a second time.
"""

from datetime import datetime
from pathlib import Path

from tests.chatbox import Chatbox
from tests.desk.chatting import ChatDesk
from tests.desk.commanding import acts_of
from tests.desk.gm_chat import bind, edits, give_chats, says, seen, works
from tests.desk.harness import GM, Desk, address_of
from tests.desk.lobbies import code_of, lobby
from tests.desk.mastery import command, gm_last, gm_letters, log_of
from tests.desk.phases.test_acts_of_players import to_orders

GRETA = 900
ANNA, BEN = 101, 102


async def deadline_of(desk: Desk) -> datetime:
    async with desk.services.database.read() as work:
        return (await work.phases.list_running())[0].deadline


async def master_in_a_chat(desk: Desk) -> None:
    await desk.open_game(players=2)
    await bind(desk, GM, GRETA)


async def test_a_changed_message_of_a_game_master_commands_nothing_again(desk: Desk) -> None:
    chats = give_chats(desk)
    await master_in_a_chat(desk)
    first = await says(desk, GRETA, "extend by 24h\nanounce: hello")
    until = await deadline_of(desk)
    await edits(desk, GRETA, first, "extend by 48h\nannounce: hello")
    assert await deadline_of(desk) == until
    assert await log_of(desk) == ["game extend"]
    told = seen(chats, GRETA)[-1]
    assert "An edited message commands nothing" in told
    assert "extend by 24h The deadline of Heron, phase 1, is now" in told
    assert "anounce" in told
    assert "write a new message" in told
    await edits(desk, GRETA, first, "extend by 72h")
    assert await deadline_of(desk) == until
    await says(desk, GRETA, "extend by 24h")
    assert await deadline_of(desk) != until


async def test_a_question_waits_on_when_the_words_that_led_to_it_are_changed(desk: Desk) -> None:
    chats = give_chats(desk)
    await master_in_a_chat(desk)
    first = await says(desk, GRETA, "close now")
    question = gm_last(desk, "Please confirm")
    await edits(desk, GRETA, first, "yes")
    assert "game close" not in await log_of(desk)
    assert "another mail, with the subject [Heron] Please confirm" in seen(chats, GRETA)[-1]
    await command(desk, "yes", answering=question)
    await works(desk)
    assert "game close" in await log_of(desk)
    await edits(desk, GRETA, first, "close now!")
    assert (await log_of(desk)).count("game close") == 1
    assert any("An edited message" in text and "closes now" in text for text in seen(chats, GRETA))


async def test_what_only_asks_is_answered_when_it_is_changed(desk: Desk) -> None:
    chats = give_chats(desk)
    await master_in_a_chat(desk)
    first = await says(desk, GRETA, "gm statsu")
    await edits(desk, GRETA, first, "gm status")
    assert "Status of Heron" in seen(chats, GRETA)[-1]


async def test_a_message_that_nobody_remembers_commands_nothing_when_it_is_changed(
    desk: Desk,
) -> None:
    chats = give_chats(desk)
    await master_in_a_chat(desk)
    first = await says(desk, GRETA, "extend by 24h")
    until = await deadline_of(desk)
    async with desk.services.database.write() as work:
        await work.inbox.drop_raw_before(desk.clock.now().replace(year=2100))
    await edits(desk, GRETA, first, "extend by 24h")
    assert await deadline_of(desk) == until
    assert "The log lists your commands" in seen(chats, GRETA)[-1]


async def changes(there: ChatDesk, first: tuple[int, datetime], text: str) -> None:
    """Anna changes what she wrote, a little later."""
    there.desk.clock.forward(seconds=20)
    await there.edits(
        ANNA, first[0], text, first_sent_before=(there.desk.clock.now() - first[1]).total_seconds()
    )


async def says_first(there: ChatDesk, text: str) -> tuple[int, datetime]:
    now = there.desk.clock.now()
    return await there.says(ANNA, text), now


async def linked_pair(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BEN)


async def test_press_and_notes_go_once_however_often_their_message_is_changed(
    there: ChatDesk,
) -> None:
    await linked_pair(there)
    first = await says_first(there, "bid 3\nGM: what is a dragon?\n\nto Bartek: shall we?")
    read, notes = len(there.box.to(BEN)), len(gm_letters(there.desk))
    await changes(there, first, "bid 4\nGM: what is a big dragon?\n\nto Bartek: shall we not?")
    assert (len(there.box.to(BEN)), len(gm_letters(there.desk))) == (read, notes)
    texts = [posted.text for posted in there.box.to(ANNA)]
    assert sum("You cannot change what we have sent" in text for text in texts) == 1
    assert any("Bid 4" in text for text in texts)
    await changes(there, first, "to Bartek: never!")
    assert len(there.box.to(BEN)) == read
    await there.says(ANNA, "to Bartek: never!")
    assert "never!" in there.last(BEN).text


async def test_press_that_could_not_be_sent_goes_once_its_message_is_mended(
    there: ChatDesk,
) -> None:
    await linked_pair(there)
    read = len(there.box.to(BEN))
    first = await says_first(there, "to Barttek and Zoë: shall we?")
    assert len(there.box.to(BEN)) == read
    await changes(there, first, "to Bartek: shall we?")
    assert "shall we?" in there.last(BEN).text
    await changes(there, first, "to Bartek: shall we??")
    assert len(there.box.to(BEN)) == read + 1


async def test_an_answer_to_press_goes_once(there: ChatDesk) -> None:
    await linked_pair(there)
    await there.says(ANNA, "to Bartek: shall we?")
    letter = there.last(BEN)
    first = await there.says(BEN, "we shall", reply_to=letter.message_id)
    assert "we shall" in there.last(ANNA).text
    read = len(there.box.to(ANNA))
    content = there._message(BEN, "we shall not", BEN, first, letter.message_id)
    await there.bring("edited_message", content | {"edit_date": content["date"] + 1})
    assert len(there.box.to(ANNA)) == read
    assert "You cannot change what we have sent" in there.last(BEN).text


async def test_who_changes_the_words_with_which_they_joined_has_one_seat(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        give_chats(desk)
        code = await code_of(desk)
        first = await says(desk, 555, f"/join {code}")
        await edits(desk, 555, first, f"/join {code} as Bea\nGM: hello")
        await edits(desk, 555, first, f"/join {code} as Bea\nGM: hello!")
        async with desk.services.database.read() as work:
            (seat,) = await work.seats.list_of_game(1)
            assert len(await work.notes.list_by_state("passed")) == 1
        assert seat.name == "Bea"


async def test_what_takes_effect_at_once_is_not_done_again_by_a_change(desk: Desk) -> None:
    chats = give_chats(desk)
    await to_orders(desk)
    await bind(desk, address_of("Anna"), ANNA)
    first = await says(desk, ANNA, "Weather forecast")
    await edits(desk, ANNA, first, "Work P1\nread the ashes of the dragon deck")
    assert len(await acts_of(desk)) == 1
    assert "A changed message does nothing twice" in seen(chats, ANNA)[-1]
    await says(desk, ANNA, "read the ashes of the dragon deck")
    assert len(await acts_of(desk)) == 2


async def test_a_changed_message_is_about_the_table_it_was_about_first(there: ChatDesk) -> None:
    await linked_pair(there)
    await there.desk.open_game(2, slug="wolf")
    first = await says_first(there, "heron: bid 3")
    await there.says(ANNA, "wolf: bid 5")
    await changes(there, first, "bid 4")
    async with there.desk.services.database.read() as work:
        stands = [
            await work.orders.newest(seat.id, 1)
            for seat in await work.seats.list_of_person(2)
            if seat.game_id in (1, 2)
        ]
    assert [row.canonical for row in stands if row is not None] == [("Bid 4",), ("Bid 5",)]


async def test_a_change_of_the_message_that_closed_a_phase_counts_for_nothing_in_the_next(
    desk: Desk,
) -> None:
    """All in one second: the message closes the bids, and the orders are asked at once."""
    chats = give_chats(desk)
    await desk.open_game(2)
    await bind(desk, address_of("Anna"), ANNA)
    await desk.write("Bartek", "bid 2. final")
    first = await says(desk, ANNA, "bid 3. final")
    async with desk.services.database.read() as work:
        assert [phase.number for phase in await work.phases.list_running()] == [2]
    await edits(desk, ANNA, first, "send 5 to Bartek")
    assert "send 5 to Bartek" not in seen(chats, ANNA)[-1].casefold()
    async with desk.services.database.read() as work:
        (seat, _) = await work.seats.list_of_game(1)
        assert await work.orders.newest(seat.id, 2) is None
    await says(desk, ANNA, "send 5 to Bartek")
    async with desk.services.database.read() as work:
        assert await work.orders.newest(seat.id, 2) is not None


async def to_orders_in_a_chat(desk: Desk) -> Chatbox:
    chats = give_chats(desk)
    await to_orders(desk)
    await bind(desk, address_of("Anna"), ANNA)
    return chats


async def test_what_a_changed_message_no_longer_says_falls(desk: Desk) -> None:
    chats = await to_orders_in_a_chat(desk)
    first = await says(desk, ANNA, "send 10 to Bartek\nwork P1")
    await edits(desk, ANNA, first, "work P1")
    assert "we took back what it no longer says: Send 10 to Bartek" in seen(chats, ANNA)[-1]
    assert await standing_of_anna(desk) == ("Work, work! P1",)
    await edits(desk, ANNA, first, "work P1\nsend 5 to Bartek")
    assert sorted(await standing_of_anna(desk)) == ["Send 5 to Bartek", "Work, work! P1"]


async def test_what_a_change_replaces_was_not_said_by_the_message_before(desk: Desk) -> None:
    chats = await to_orders_in_a_chat(desk)
    await says(desk, ANNA, "work P1")
    first = await says(desk, ANNA, "hold P1 typo")
    await edits(desk, ANNA, first, "hold P1")
    told = seen(chats, ANNA)[-1]
    assert "took back" not in told
    assert "In place of: Work, work! P1" in told


async def test_what_a_changed_message_had_replaced_stands_again(desk: Desk) -> None:
    chats = await to_orders_in_a_chat(desk)
    await says(desk, ANNA, "send 10 to Bartek")
    first = await says(desk, ANNA, "send 5 to Bartek")
    await edits(desk, ANNA, first, "work P1")
    told = seen(chats, ANNA)[-1]
    assert "we took back what it no longer says: Send 5 to Bartek" in told
    assert "These count again, as before that message: Send 10 to Bartek" in told
    assert sorted(await standing_of_anna(desk)) == ["Send 10 to Bartek", "Work, work! P1"]


async def test_what_cannot_be_told_apart_stands_and_is_told_loudly(desk: Desk) -> None:
    """Another message came in between; or the new version is not understood."""
    chats = await to_orders_in_a_chat(desk)
    first = await says(desk, ANNA, "send 10 to Bartek")
    await says(desk, ANNA, "work P1")
    await edits(desk, ANNA, first, "work P1")
    assert "still counts: Send 10 to Bartek" in seen(chats, ANNA)[-1]
    assert "Send 10 to Bartek" in await standing_of_anna(desk)
    last = await says(desk, ANNA, "send 7 to Bartek")
    await edits(desk, ANNA, last, "send 700 to Bartek")
    assert "still counts: Send 7 to Bartek" in seen(chats, ANNA)[-1]


async def test_orders_changed_into_something_else_stand_and_nobody_reads_it(
    there: ChatDesk,
) -> None:
    await linked_pair(there)
    first = await says_first(there, "bid 3")
    notes = len(gm_letters(there.desk))
    await changes(there, first, "never mind")
    told = there.last(ANNA).text
    assert "These orders still count" in told
    assert "cancel all" in told
    assert len(gm_letters(there.desk)) == notes
    await changes(there, first, "to Bartek: Good luck to you.")
    assert "Good luck to you." in there.last(BEN).text
    assert "These orders still count" in there.last(ANNA).text
    assert await standing_of_anna(there.desk) == ("Bid 3",)
    await there.says(ANNA, "cancel all")
    assert await standing_of_anna(there.desk) == ()


async def standing_of_anna(desk: Desk) -> tuple[str, ...]:
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        seats = await work.seats.list_of_game(1)
        assert game is not None
        newest = await work.orders.newest(
            next(seat.id for seat in seats if seat.name == "Anna"), game.phase_number
        )
    return newest.canonical if newest is not None else ()
