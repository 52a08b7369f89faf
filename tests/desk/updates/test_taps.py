"""Buttons: menus from step to step, receipts that edit in place, and taps that are forged, foreign,
late or doubled (threats 17, 24).
"""

from pathlib import Path

from tests.desk.chatting import ChatDesk, labels, open_chat_desk
from tests.desk.harness import text_of

ANNA, BEN, EVE = 11, 12, 66


async def standing(there: ChatDesk, number: int = 1) -> tuple[str, ...]:
    """What stands for a seat."""
    async with there.desk.services.database.read() as work:
        (game,) = await work.games.list_by_status("running")
        seats = await work.seats.list_of_game(game.id)
        newest = await work.orders.newest(seats[number - 1].id, game.phase_number)
    return newest.canonical if newest is not None else ()


async def test_a_bid_is_tapped_from_step_to_step_in_one_message_and_the_receipt_follows(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/orders")
    menu = there.last(ANNA)
    assert "Bid" in labels(menu)
    await there.taps(ANNA, menu, "Bid")
    await there.taps(ANNA, menu, "+10")
    await there.taps(ANNA, menu, "+1")
    assert "Bid 11" in there.last(ANNA).text
    count = len(there.box.to(ANNA))
    assert (await there.taps(ANNA, menu, "Take it")).text == ""
    assert await standing(there) == ("Bid 11",)
    shown = there.box.to(ANNA)
    assert len(shown) == count + 1
    assert "1 order in" in shown[-1].text
    edited = next(message for message in shown if message.message_id == menu.message_id)
    assert "These stand" in edited.text
    async with there.desk.services.database.read() as work:
        seats = await work.seats.list_of_game(1)
        newest = await work.orders.newest(seats[0].id, 1)
    assert newest is not None
    assert (newest.source, newest.version) == ("telegram", 1)


async def test_a_tap_counts_once_however_often_it_comes(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/orders")
    menu = there.last(ANNA)
    await there.taps(ANNA, menu, "Bid")
    take = next(
        button.data
        for line in there.last(ANNA).buttons
        for button in line
        if button.text == "Take it"
    )
    answers = [await there.forges(ANNA, take or "", menu.message_id) for _ in range(4)]
    assert [answer.text for answer in answers] == ["", *["You have already done that."] * 3]
    async with there.desk.services.database.read() as work:
        seats = await work.seats.list_of_game(1)
        newest = await work.orders.newest(seats[0].id, 1)
    assert newest is not None
    assert newest.version == 1


async def test_no_button_does_anything_for_anybody_but_whom_it_was_made_for(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BEN)
    await there.says(ANNA, "/orders")
    await there.taps(ANNA, there.last(ANNA), "Bid")
    async with there.desk.services.database.read() as work:
        before = await work.outbox.count_by_state()
    codes = [
        button.data or ""
        for message in there.box.to(ANNA)
        for line in message.buttons
        for button in line
    ]
    assert codes
    for code in [*codes, "", "x", "x" * 22, codes[0][:-1] + "A", codes[0].swapcase()]:
        for user in (BEN, EVE):
            if code:
                answer = await there.forges(user, code)
                assert (answer.text, answer.alert) == (
                    "This button is not yours, or it is too old.",
                    True,
                )
    assert await standing(there, 1) == await standing(there, 2) == ()
    async with there.desk.services.database.read() as work:
        assert await work.outbox.count_by_state() == before


async def test_buttons_end_with_their_phase(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/orders")
    menu = there.last(ANNA)
    await there.taps(ANNA, menu, "Bid")
    old = there.last(ANNA)
    await there.desk.everybody_passes()
    await there.settle()
    closed = next(
        message for message in there.box.to(ANNA) if message.message_id == menu.message_id
    )
    assert closed.buttons == ()
    assert closed.text.startswith("Closed.")
    for line in old.buttons:
        for button in line:
            answer = await there.forges(ANNA, button.data or "", menu.message_id)
            assert answer.alert
            assert answer.text.startswith("Closed.")
    assert await standing(there) == ()


async def test_with_its_phase_no_message_of_a_seat_keeps_a_button_and_all_keep_their_words(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.desk.everybody_passes()
    await there.settle()
    turn = there.last(ANNA)
    receipt = await there.says(ANNA, "hold P1")
    assert receipt
    with_buttons = [message for message in there.box.to(ANNA) if message.buttons]
    assert {turn.message_id, there.last(ANNA).message_id} == {
        message.message_id for message in with_buttons
    }
    await there.desk.everybody_passes()
    await there.settle()
    now = {message.message_id: message for message in there.box.to(ANNA)}
    for message in with_buttons:
        assert now[message.message_id].buttons == ()
        assert now[message.message_id].text == message.text
    assert there.last(ANNA).buttons


async def test_a_menu_that_goes_on_below_keeps_no_words_that_read_like_an_order(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/orders")
    menu = there.last(ANNA)
    await there.taps(ANNA, menu, "Bid")
    await there.says(ANNA, "/orders")
    old = next(message for message in there.box.to(ANNA) if message.message_id == menu.message_id)
    assert (old.text, old.buttons) == ("This menu continues further down.", ())
    assert there.last(ANNA).buttons


async def test_a_tap_after_the_deadline_is_too_late_though_nobody_has_closed_yet(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/orders")
    await there.taps(ANNA, there.last(ANNA), "Bid")
    there.desk.mailbox.broken = True
    async with there.desk.services.database.read() as work:
        deadline = (await work.phases.list_running())[0].deadline
    there.desk.clock.instant = deadline.replace(microsecond=0)
    there.desk.clock.forward(seconds=2)
    answer = await there.taps(
        ANNA,
        there.box.to(ANNA)[-2] if not there.last(ANNA).buttons else there.last(ANNA),
        "Take it",
    )
    assert answer.text.startswith("Closed.")
    assert await standing(there) == ()


async def test_a_turn_comes_with_the_board_and_the_ways_into_the_menu(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.desk.everybody_passes()
    await there.settle()
    turn = next(message for message in reversed(there.box.to(ANNA)) if "Help" in labels(message))
    assert turn.picture is not None
    way = next(label for label in labels(turn) if label.startswith("Orders for"))
    await there.taps(ANNA, turn, way)
    menu = there.last(ANNA)
    assert menu.reply_to == turn.message_id
    assert {"Fortify", "Hold", "« Back"} <= set(labels(menu))
    await there.taps(ANNA, menu, "Fortify")
    assert [text.split("!")[0] for text in await standing(there)] == ["Fortify"]
    await there.taps(ANNA, turn, "What happened")
    assert "Turn 1" in there.last(ANNA).text
    await there.taps(ANNA, turn, way)
    assert len([message for message in there.box.to(ANNA) if "« Back" in labels(message)]) == 1
    await there.desk.everybody_passes()
    await there.settle()
    assert [one.text for one in there.box.to(ANNA) if one.text.startswith("Closed. ")] == [
        "Closed. The next question comes in another message."
    ], "the same turn goes on"


async def test_f67_a_new_message_gets_a_new_receipt_and_only_one_that_was_changed_changes_it(
    there: ChatDesk,
) -> None:
    """An edit of ours brings no notification."""
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bid 5")
    receipt = there.last(ANNA)
    assert receipt.buttons
    second = await there.says(ANNA, "bid 6")
    newer = there.last(ANNA)
    assert newer.message_id != receipt.message_id
    assert "version 2" in newer.text
    old = next(
        message for message in there.box.to(ANNA) if message.message_id == receipt.message_id
    )
    assert (old.text, old.buttons) == (f"{receipt.text}\n\nReplaced below.", ())
    await there.edits(ANNA, second, "bid 4", first_sent_before=0)
    assert there.last(ANNA).message_id == newer.message_id
    assert "version 3" in there.last(ANNA).text
    assert "Replaced below" not in there.last(ANNA).text
    assert await standing(there) == ("Bid 4",)
    await there.says(ANNA, "/who")
    await there.says(ANNA, "bid 7")
    assert there.last(ANNA).message_id != receipt.message_id
    assert "version 4" in there.last(ANNA).text


async def test_an_edited_message_of_a_closed_phase_counts_for_no_other(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    first = await there.says(ANNA, "bid 5")
    await there.desk.everybody_passes()
    await there.settle()
    there.desk.clock.forward(minutes=10)
    await there.edits(ANNA, first, "fortify P1", first_sent_before=1200 + 72 * 3600)
    assert "closed" in there.last(ANNA).text
    assert await standing(there) == ()


async def test_suggestions_are_taken_by_a_tap_and_only_those_of_the_version_that_stands(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bidd 9")
    receipt = there.last(ANNA)
    assert labels(receipt) == ["Take 1", "Change"]
    await there.taps(ANNA, receipt, "Take 1")
    assert await standing(there) == ("Bid 9",)
    old = next(
        button.data for line in receipt.buttons for button in line if button.text == "Take 1"
    )
    await there.says(ANNA, "bidd 8")
    await there.says(ANNA, "bid 3")
    assert (await there.forges(ANNA, old or "")).text == "You have already done that."
    assert await standing(there) == ("Bid 3",)


async def test_one_plays_by_taps_and_one_by_mail_and_no_letter_tells_who_has_ordered(
    tmp_path: Path,
) -> None:
    """Two runs that differ in what Anna sends alone: Bartek reads the same in both, on both
    channels.
    """
    seen = []
    for run, orders in enumerate([("bid 5",), ("bid 9", "bid 3", "final")]):
        folder = tmp_path / str(run)
        folder.mkdir()
        async with open_chat_desk(folder) as there:
            await there.link("Anna", ANNA)
            await there.link("Bartek", BEN)
            begun = there.desk.clock.now()
            for text in orders:
                await there.says(ANNA, text)
            there.desk.clock.instant = begun.replace(hour=begun.hour)
            there.desk.clock.forward(hours=1)
            await there.says(BEN, "status")
            await there.says(BEN, "/who")
            await there.says(BEN, "/orders")
            mail = await there.desk.write("Bartek", "status")
            seen.append(
                (
                    [message.text for message in there.box.to(BEN)],
                    text_of(mail).partition("Code")[0],
                )
            )
    assert seen[0] == seen[1]
