"""Buttons below what a chat gets of itself: letters by their number, many provinces in a list, what
would be done anyway by a tap.
"""

from pathlib import Path

from tests.desk.chatting import ChatDesk, labels, open_chat_desk
from tests.desk.updates.test_taps import standing

ANNA, BEN = 101, 102


async def linked_pair(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BEN)


async def to_orders(there: ChatDesk) -> None:
    await there.desk.everybody_passes()
    await there.settle()


async def test_letters_of_the_phase_before_are_counted_on_a_button_and_told_on_a_tap(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await linked_pair(there)
        await there.says(BEN, "to Anna: shall we?")
        await there.says(BEN, "press to all: good morning")
        await there.says(BEN, "to Chloé: behind her back")
        await to_orders(there)
        turn = next(
            message for message in reversed(there.box.to(ANNA)) if "Press: 2" in labels(message)
        )
        assert labels(turn)[-3:] == ["What happened", "Press: 2", "Help"]
        assert "Letters" not in " ".join(labels(there.box.to(BEN)[-1]))
        await there.taps(ANNA, turn, "Press: 2")
        assert "shall we?" in there.last(ANNA).text
        assert "behind her back" not in there.last(ANNA).text


async def test_a_reminder_offers_what_would_be_done_anyway(there: ChatDesk) -> None:
    await linked_pair(there)
    await to_orders(there)
    assert "Let them fortify" not in " ".join(labels(there.last(ANNA)))
    there.desk.clock.forward(hours=70)
    await there.settle()
    reminder = there.last(ANNA)
    assert "Let them fortify" in labels(reminder)
    await there.taps(ANNA, reminder, "Let them fortify")
    assert await standing(there) == ("Golden Fortify! P1",)
    assert (
        await there.taps(ANNA, reminder, "Let them fortify")
    ).text == "You have already done that."


async def test_what_would_be_done_anyway_does_not_take_the_place_of_what_was_sent(
    there: ChatDesk,
) -> None:
    await linked_pair(there)
    await to_orders(there)
    there.desk.clock.forward(hours=70)
    await there.settle()
    reminder = there.last(ANNA)
    await there.says(ANNA, "work P1")
    assert (
        await there.taps(ANNA, reminder, "Let them fortify")
    ).text == "You have already done that."
    assert await standing(there) == ("Work, work! P1",)
