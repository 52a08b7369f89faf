"""A table's time in a chat: the same words, and buttons to vote with."""

from pathlib import Path

from pbem.grammar.people_rules import PeopleRules
from tests.chatbox import Posted
from tests.desk.chatting import ChatDesk, labels, open_chat_desk
from tests.desk.looks import phase_of, status_of
from tests.desk.timekeeping import motions_of, set_settings

ANNA, BEN = 11, 12


def data_of(message: Posted, label: str) -> str:
    """What a button carries."""
    (data,) = [button.data for line in message.buttons for button in line if button.text == label]
    assert data is not None
    return data


async def test_a_vote_is_asked_for_in_a_chat_and_answered_by_a_tap(there: ChatDesk) -> None:
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


async def test_the_question_of_a_vote_is_edited_to_the_answer_and_closed_with_the_vote(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        await set_settings(there.desk, extensions="vote")
        await there.says(ANNA, "more time")
        question = next(
            message for message in reversed(there.box.to(BEN)) if "Yes" in labels(message)
        )
        count = len(there.box.to(BEN))
        answered = await there.taps(BEN, question, "No")
        assert answered.text == "Your answer is no."
        told = there.box.to(BEN)[-1]
        assert (told.message_id, labels(told)) == (
            question.message_id,
            ["Yes", "No \N{CHECK MARK}"],
        )
        assert "your answer is no" in told.text
        assert (await there.taps(BEN, question, "No \N{CHECK MARK}")).text == "Your answer is no."
        await there.says(BEN, "vote abstain")
        assert labels(there.box.to(BEN)[count - 1]) == ["Yes", "No"]
        await there.taps(BEN, question, "Yes")
        closed = there.box.to(BEN)[count - 1]
        assert "This vote is over." in closed.text
        assert not closed.buttons
        (mine,) = [
            message for message in there.box.to(ANNA) if "This vote is over." in message.text
        ]
        assert not mine.buttons
        late = await there.forges(BEN, data_of(question, "No"), question.message_id)
        assert late.text == "This vote is over."


async def test_a_vote_that_stays_open_is_answered_by_a_tap_after_its_phase_has_closed(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await there.link("Bartek", BEN)
        await set_settings(there.desk, people=PeopleRules(draws="stay"))
        await there.desk.write("Anna", "propose a draw")
        await there.settle()
        question = next(
            message for message in reversed(there.box.to(BEN)) if "Yes" in labels(message)
        )
        await there.desk.everybody_passes()
        await there.settle()
        assert labels(
            next(one for one in there.box.to(BEN) if one.message_id == question.message_id)
        ) == ["Yes", "No"]
        assert (await there.taps(BEN, question, "No")).text == "Your answer is no."
        (motion,) = await motions_of(there.desk)
        assert motion.settled_at is None
        await there.desk.write("Chloé", "vote yes")
        await there.settle()
        await there.taps(BEN, question, "Yes")
        assert (await status_of(there.desk))[0] == "over"
        assert (
            "This vote is over."
            in next(one for one in there.box.to(BEN) if one.message_id == question.message_id).text
        )


async def test_with_its_phase_the_question_of_a_vote_about_it_is_over(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await there.link("Bartek", BEN)
        await there.desk.write("Anna", "propose a draw")
        await there.settle()
        question = next(
            message for message in reversed(there.box.to(BEN)) if "Yes" in labels(message)
        )
        for name in ("Anna", "Bartek", "Chloé"):
            await there.desk.write(name, "bid 1. final")
        await there.settle()
        assert (await status_of(there.desk))[1] == 2, "long before the vote's own time was over"
        closed = next(one for one in there.box.to(BEN) if one.message_id == question.message_id)
        assert "This vote is over." in closed.text
        assert not closed.buttons


async def test_a_vote_is_asked_for_in_quiet_hours_too_without_a_sound(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BEN)
    await set_settings(there.desk, extensions="vote")
    await there.says(BEN, "quiet from 12:00 to 22:00")
    await there.says(ANNA, "more time")
    question = there.last(BEN)
    assert "Yes" in labels(question)
    assert question.silent


async def test_an_absence_is_said_in_a_chat(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/absence for 5 days")
    assert "You are away" in there.last(ANNA).text
    await there.says(ANNA, "absences")
    assert "You are away" in there.last(ANNA).text
    await there.says(ANNA, "wait")
    assert "Nobody learns" in there.last(ANNA).text


async def test_a_deadline_that_is_later_for_somebody_says_so_in_a_chat_too(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BEN)
    await there.says(ANNA, "/absence for 5 days")
    await there.desk.everybody_passes()
    await there.settle()
    turn = there.box.to(BEN)[-1]
    assert "The deadline is later because a player is away." in turn.text
    assert "Anna is away" not in turn.text
