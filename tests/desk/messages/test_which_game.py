"""What is written about no table in particular is kept, asked about once, and handled when its
writer says which; or let go of, and told.
"""

from datetime import timedelta

import pytest

from pbem.desk import gm
from pbem.desk.authentication.questions import end_question
from tests.desk.chatting import ChatDesk
from tests.desk.harness import ADDRESS, text_of
from tests.desk.lobbies import flat
from tests.desk.updates.test_tables import bids

ANNA = 11


async def ask(there: ChatDesk, text: str = "bid 5") -> None:
    """Two tables, and a message about neither."""
    await there.desk.open_game(2, "wolf")
    await there.desk.write("Anna", text, token=False)


async def test_by_mail_the_question_is_about_no_table_and_its_answer_frees_what_was_kept(
    there: ChatDesk,
) -> None:
    await ask(there)
    question = there.desk.last("Anna", "Which game")
    assert "[Post Office]" in str(question["Subject"])
    assert "It waits until" in flat(question)
    assert str(question["Reply-To"]) != ADDRESS
    await there.desk.write("Anna", "bid 6", token=False)
    assert await bids(there) == {"heron": (), "wolf": ()}
    newer = there.desk.last("Anna", "Which game")
    assert "bid 5" in flat(newer)
    assert "bid 6" in flat(newer)
    await there.desk.write("Anna", "Wolf", answering=question, dmarc=None)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 5",)}, (
        "an answer is about what its own letter quoted"
    )
    await there.desk.write("Anna", "Heron", answering=question, dmarc=None)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 5",)}
    assert "You have already told us" in flat(there.desk.letters("Anna")[-1])
    await there.desk.write("Anna", "Heron", answering=newer, dmarc=None)
    assert await bids(there) == {"heron": ("Bid 6",), "wolf": ("Bid 5",)}


@pytest.mark.parametrize("channel", ["mail", "telegram"])
async def test_what_the_answer_says_besides_comes_after_what_was_kept(
    there: ChatDesk, channel: str
) -> None:
    if channel == "mail":
        await ask(there)
        await there.desk.write(
            "Anna", "G2: bid 9\nAnna", answering=there.desk.last("Anna", "Which game")
        )
    else:
        await there.desk.open_game(2, "wolf")
        await there.link("Anna", ANNA)
        await there.says(ANNA, "bid 5")
        await there.says(ANNA, "wolf\nbid 9", reply_to=there.last(ANNA).message_id)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 9",)}
    async with there.desk.services.database.read() as work:
        seat = (await work.seats.list_of_game(2))[0]
        assert [row.canonical for row in await work.orders.history(seat.id)] == [
            ("Bid 5",),
            ("Bid 9",),
        ]


async def test_an_answer_that_names_no_table_is_kept_too_and_asked_about_again(
    there: ChatDesk,
) -> None:
    await ask(there)
    again = await there.desk.write("Anna", "bid 9", answering=there.desk.last("Anna", "Which game"))
    assert again is not None
    assert "Which game" in str(again["Subject"])
    await there.desk.write("Anna", "1", answering=again)
    assert await bids(there) == {"heron": ("Bid 9",), "wolf": ()}


@pytest.mark.parametrize("channel", ["mail", "telegram"])
async def test_it_waits_until_the_close_and_then_its_writer_is_told_once_that_nothing_was_taken(
    there: ChatDesk, channel: str
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.link("Anna", ANNA)
    await there.desk.everybody_passes()
    async with there.desk.services.database.read() as work:
        deadline = max(phase.deadline for phase in await work.phases.list_running())
    await (
        there.says(ANNA, "hold P1")
        if channel == "telegram"
        else there.desk.write("Anna", "hold P1", token=False)
    )
    assert deadline - there.desk.clock.now() > timedelta(hours=26)
    question = there.last(ANNA) if channel == "telegram" else None
    there.desk.clock.forward(hours=25)
    await there.settle()
    assert not told(there, channel)
    there.desk.clock.instant = deadline + timedelta(seconds=2)
    await there.settle()
    assert [text.count("hold P1") for text in told(there, channel)] == [1]
    await end_question(there.desk.services, 1)
    await there.settle()
    assert len(told(there, channel)) == 1
    if question is not None:
        tapped = await there.taps(ANNA, question, "Wolf")
        assert "did not take your message" in tapped.text
    else:
        late = await there.desk.write(
            "Anna", "wolf", answering=there.desk.last("Anna", "Which game")
        )
        assert "Too late" in str(late and late["Subject"])
    assert await bids(there) == {"heron": (), "wolf": ()}


def told(there: ChatDesk, channel: str) -> list[str]:
    texts = (
        [message.text for message in there.box.to(ANNA)]
        if channel == "telegram"
        else [flat(mail) for mail in there.desk.letters("Anna")]
    )
    return [
        " ".join(text.split()) for text in texts if "we did not take this" in " ".join(text.split())
    ]


async def test_what_waits_for_its_writers_yes_waits_until_the_close_and_then_they_are_told_once(
    there: ChatDesk,
) -> None:
    desk = there.desk
    await desk.everybody_passes()
    question = await desk.write("Anna", "hold P1", token=False, dmarc=None)
    assert question is not None
    assert "It waits until" in flat(question)
    desk.clock.forward(hours=25)
    await desk.work()
    await desk.write("Anna", "yes", answering=question, dmarc=None)
    assert await bids(there) == {"heron": ("Hold P1",)}
    other = await desk.write("Anna", "work P1", token=False, dmarc=None)
    await desk.everybody_passes()
    await desk.work()
    assert [
        flat(mail).count("work P1")
        for mail in desk.letters("Anna")
        if "We dropped" in str(mail["Subject"])
    ] == [1]
    late = await desk.write("Anna", "yes", answering=other, dmarc=None)
    assert "we did not take your message" in " ".join(text_of(late).split())


async def test_while_the_clock_stands_a_message_goes_on_waiting(there: ChatDesk) -> None:
    desk = there.desk
    question = await desk.write("Anna", "bid 5", token=False, dmarc=None)
    await gm.pause(desk.services, "heron", gm.By("test"))
    for _ in range(3):
        desk.clock.forward(days=1)
        await desk.work()
    await gm.resume(desk.services, "heron", gm.By("test"))
    await desk.write("Anna", "yes", answering=question, dmarc=None)
    assert await bids(there) == {"heron": ("Bid 5",)}
