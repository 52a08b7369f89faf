"""A yes or no of ours is about the question it answers, on both channels; alone it is about the
only one, or it is asked which is meant.
"""

from pathlib import Path

import pytest

from pbem.grammar.consent import parse_plain_consent
from pbem.store.repositories.post.notes import NoteRow
from tests.chatbox import Posted
from tests.desk.chatting import ChatDesk, address_states, labels, open_chat_desk
from tests.desk.harness import text_of
from tests.desk.timekeeping import motions_of, set_settings
from tests.desk.visitors import set_rules
from tests.rows import each_row

ANNA, BEN, EVE = 11, 12, 66


async def standing(there: ChatDesk, name: str = "Anna") -> tuple[str, ...]:
    async with there.desk.services.database.read() as work:
        (game,) = await work.games.list_by_status("running")
        seat = next(seat for seat in await work.seats.list_of_game(game.id) if seat.name == name)
        newest = await work.orders.newest(seat.id, game.phase_number)
    return newest.canonical if newest is not None else ()


async def seat_status(there: ChatDesk, name: str = "Anna") -> str:
    async with there.desk.services.database.read() as work:
        return next(seat.status for seat in await work.seats.list_of_game(1) if seat.name == name)


async def ballots(there: ChatDesk) -> list[str]:
    (motion,) = await motions_of(there.desk)
    async with there.desk.services.database.read() as work:
        return [ballot.answer for ballot in await work.motions.list_ballots(motion.id)]


async def notes(there: ChatDesk) -> list[NoteRow]:
    async with there.desk.services.database.read() as work:
        return await work.notes.list_by_state("passed")


def found(there: ChatDesk, user: int, words: str) -> Posted:
    return next(message for message in reversed(there.box.to(user)) if words in message.text)


async def to_orders(there: ChatDesk) -> None:
    """Anna plays by Telegram, and orders are asked for."""
    await there.link("Anna", ANNA)
    await there.desk.everybody_passes()
    await there.settle()


async def test_a_reply_to_a_question_answers_it_and_takes_no_suggestion(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await to_orders(there)
        await set_settings(there.desk, extensions="vote")
        await there.says(ANNA, "wrok P1")
        receipt = found(there, ANNA, "Did you mean")
        await there.desk.write("Bartek", "more time")
        await there.settle()
        await there.says(ANNA, "no", reply_to=found(there, ANNA, "vote").message_id)
        assert await ballots(there) == ["yes", "no"] or await ballots(there) == ["no", "yes"]
        await there.says(ANNA, "yes", reply_to=receipt.message_id)
        assert await standing(there) == ("Work, work! P1",)
        await there.says(ANNA, "wrok P1 and fortfy P1")
        await there.says(ANNA, "/resign")
        await there.says(ANNA, "yes", reply_to=found(there, ANNA, "you resign").message_id)
        assert await seat_status(there) == "left"


async def test_a_reply_to_a_letter_that_asks_nothing_takes_nothing(there: ChatDesk) -> None:
    await to_orders(there)
    turn = there.last(ANNA)
    await there.says(ANNA, "wrok P1")
    await there.says(ANNA, "yes", reply_to=turn.message_id)
    assert await standing(there) == ()
    await there.says(ANNA, "yes")
    assert await standing(there) == ("Work, work! P1",)


async def test_a_reply_that_is_no_plain_answer_is_told_what_one_is(tmp_path: Path) -> None:
    """Not passed to the game master as if it were a note; and its yes or no is asked for again."""
    async with open_chat_desk(tmp_path, players=3) as there:
        await to_orders(there)
        await there.says(ANNA, "/resign")
        question = found(there, ANNA, "you resign").message_id
        await there.says(ANNA, "yes, but only if Bartek takes over", reply_to=question)
        again = there.last(ANNA)
        assert "This answer is not clear, so we did nothing" in again.text
        assert labels(again) == ["Yes", "No"]
        assert await seat_status(there) == "active"
        assert await notes(there) == []
        await there.says(ANNA, "work P1", reply_to=question)
        assert await standing(there) == ("Work, work! P1",)
        await there.says(ANNA, "yes", reply_to=again.message_id)
        assert await seat_status(there) == "left"


async def test_a_plain_answer_is_about_the_only_question_and_where_there_are_several_it_is_asked(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await to_orders(there)
        await set_settings(there.desk, extensions="vote")
        await there.desk.write("Bartek", "more time")
        await there.settle()
        await there.says(ANNA, "wrok P1")
        await there.says(ANNA, "/resign")
        await there.says(ANNA, "yes please")
        asked = there.last(ANNA)
        assert "Yes to what?" in asked.text
        assert labels(asked) == [
            "Do you resign from Heron?",
            "Vote 1 in Heron",
            "The suggestions for Heron",
        ]
        assert (await standing(there), await seat_status(there), await ballots(there)) == (
            (),
            "active",
            ["yes"],
        )
        await there.taps(ANNA, asked, "The suggestions for Heron")
        assert await standing(there) == ("Work, work! P1",)
        await there.says(ANNA, "no")
        again = there.last(ANNA)
        assert labels(again) == ["Do you resign from Heron?", "Vote 1 in Heron"]
        await there.taps(ANNA, again, "Do you resign from Heron?")
        await there.says(ANNA, "no")
        assert sorted(await ballots(there)) == ["no", "yes"]
        assert await seat_status(there) == "active"


async def test_who_sits_at_no_table_answers_with_a_reply_or_with_a_plain_yes(
    there: ChatDesk,
) -> None:
    await set_rules(there.desk, observers=True)
    async with there.desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    await there.says(EVE, f"/observe {game.join_code}")
    await there.says(EVE, "I can substitute")
    await there.desk.write("Bartek", "Phone66 plays for me until 30 November")
    await there.settle()
    await there.says(EVE, "yes", reply_to=found(there, EVE, "Will you play").message_id)
    async with there.desk.services.database.read() as work:
        (seat,) = [seat for seat in await work.seats.list_of_game(1) if seat.name == "Bartek"]
        person = await work.people.find(seat.person_id or 0)
    assert person is not None
    assert person.name == "Phone66"
    await there.says(EVE, "back")
    await there.says(EVE, "forget me")
    await there.says(EVE, "yes")
    assert str(EVE) not in await address_states(there)


async def test_the_vote_is_answered_by_a_reply_on_both_channels_and_a_late_one_is_told(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await to_orders(there)
        await set_settings(there.desk, extensions="vote")
        await there.desk.write("Bartek", "more time")
        await there.settle()
        question, mail = found(there, ANNA, "vote"), there.desk.last("Chloé", "vote")
        await there.desk.write("Chloé", "yes", answering=mail)
        await there.settle()
        await there.says(ANNA, "yes", reply_to=question.message_id)
        assert "No vote is open in this game" in there.last(ANNA).text
        before = await standing(there)
        told = await there.desk.write("Chloé", "no", answering=mail)
        assert "No vote is open in this game" in " ".join(text_of(told).split())
        assert await standing(there) == before


@pytest.mark.parametrize("channel", ["mail", "telegram"])
async def test_an_answer_after_the_time_is_told_what_has_not_been_done(
    there: ChatDesk, channel: str
) -> None:
    await there.link("Anna", ANNA)
    if channel == "mail":
        asked = await there.desk.write("Anna", "resign")
        there.desk.clock.forward(hours=25)
        await there.desk.write("Anna", "yes", answering=asked)
        told = text_of(there.desk.last("Anna", "Too late"))
    else:
        await there.says(ANNA, "/resign")
        question = there.last(ANNA)
        there.desk.clock.forward(hours=25)
        tapped = await there.taps(ANNA, question, "Yes")
        assert tapped.alert
        assert "you have not resigned" in tapped.text
        now = next(
            message for message in there.box.to(ANNA) if message.message_id == question.message_id
        )
        assert not now.buttons
        await there.says(ANNA, "yes", reply_to=question.message_id)
        told = there.last(ANNA).text
    assert "you have not resigned" in " ".join(told.split())
    assert await seat_status(there) == "active"


async def test_a_receipt_whose_lines_were_all_refused_takes_nothing_in_part(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bid 7\nfinal")
    await there.says(ANNA, "bid 8")
    assert "Taken in part" not in there.last(ANNA).text
    assert await standing(there) == ("Bid 7",)


@each_row(
    ("text", "consent"),
    [
        ("yes", True),
        ("Yes!", True),
        ("ja bitte", True),
        ("no, thanks", False),
        ("no orders", None),
        ("yes 1", None),
        ("yes resign", None),
        ("none", None),
        ("", None),
        ("yes\nyes", True),
    ],
)
def test_a_plain_answer_has_nothing_but_politeness_beside_it(
    text: str, consent: bool | None
) -> None:
    assert parse_plain_consent(text) is consent
