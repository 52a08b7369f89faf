"""A table's time in a chat: the same words, and buttons to vote with."""

from pathlib import Path

from tests.desk.chatting import labels, open_chat_desk
from tests.desk.looks import phase_of
from tests.desk.timekeeping import motions_of, set_settings

ANNA, BEN = 11, 12


async def test_a_vote_is_asked_for_in_a_chat_and_answered_by_a_tap(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        await set_settings(there.desk, extensions="vote")
        before = await phase_of(there.desk)
        await there.says(ANNA, "more time")
        question = next(message for message in reversed(there.box.to(BEN)) if "Yes" in labels(message))
        assert "Anna" not in question.text
        await there.taps(BEN, question, "Yes")
        (motion,) = await motions_of(there.desk)
        assert motion.outcome == "passed"
        assert "2 yes, 0 no" in there.last(BEN).text
        assert (await phase_of(there.desk)).deadline > before.deadline


async def test_a_vote_is_asked_for_in_quiet_hours_too_without_a_sound(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        await set_settings(there.desk, extensions="vote")
        await there.says(BEN, "quiet from 12:00 to 22:00")
        await there.says(ANNA, "more time")
        question = there.last(BEN)
        assert "Yes" in labels(question)
        assert question.silent


async def test_an_absence_is_said_in_a_chat(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.says(ANNA, "/absence for 5 days")
        assert "You are away" in there.last(ANNA).text
        await there.says(ANNA, "absences")
        assert "You are away" in there.last(ANNA).text
        await there.says(ANNA, "wait")
        assert "Nobody is told" in there.last(ANNA).text


async def test_a_deadline_that_is_later_for_somebody_says_so_in_a_chat_too(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        await there.says(ANNA, "/absence for 5 days")
        await there.desk.everybody_passes()
        await there.settle()
        bulletin, turn = there.box.to(BEN)[-2:]
        for message in (bulletin, turn):
            assert "The deadline is later because somebody is away." in message.text
            assert "Anna is away" not in message.text
