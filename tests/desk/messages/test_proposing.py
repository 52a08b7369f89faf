"""A language model says what a message may mean where nobody could tell: it comes to an offer at
best, and never in anybody's way.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from structlog.testing import capture_logs

from pbem.apart import OverLimit
from pbem.desk.messages.errands import PAUSE
from pbem.desk.ports import InThread, Proposing
from pbem.grammar.house.proposing import read_proposed
from pbem.model.stand_in import SILENCE, Body, ModelStandIn
from tests.desk.harness import Desk, changed, open_desk, text_of
from tests.desk.messages.test_receive import orders_of, outcomes
from tests.desk.messages.test_supposing import open_orders, places

P = ParamSpec("P")
T = TypeVar("T")
KEY = "sk-of-the-house"
ODD = "{} should tidy up"
"""A province is named, and nothing says what it does."""


class Ended(BaseException):
    """The process ends here."""


class Ending:
    """Ends it once, just before a message is kept as handled."""

    def __init__(self) -> None:
        self.is_over = False

    def reached(self, step: str) -> None:
        if step == "receive.written" and not self.is_over:
            self.is_over = True
            raise Ended


@asynccontextmanager
async def asking(
    folder: Path, *answers: str | Body, a_day: int = 9, seconds: float = 30.0
) -> AsyncIterator[tuple[Desk, ModelStandIn, str]]:
    """A table in its window of orders, with a model that answers so; `{}` there, and what is
    yielded, is Anna's own province.
    """
    async with open_desk(folder) as desk:
        await open_orders(desk)
        own = f"P{(await places(desk))['Anna']}"
        told = [one.replace("{}", own) if isinstance(one, str) else one for one in answers]
        async with (
            ModelStandIn(*told) as server,
            aclosing(server.model(key=KEY, seconds=seconds)) as model,
        ):
            desk.services = changed(desk.services, proposing=Proposing(model, a_day))
            yield desk, server, own


async def say(desk: Desk, text: str) -> str:
    return " ".join(text_of(await desk.write("Anna", text)).split())


async def agree(desk: Desk) -> tuple[str, ...]:
    """What Anna orders after a yes to the newest letter."""
    await desk.write("Anna", "yes", answering=desk.letters("Anna")[-1])
    return await orders_of(desk, "Anna")


async def test_nothing_is_asked_unless_a_model_is_named(desk: Desk) -> None:
    await open_orders(desk)
    assert desk.services.proposing.model is None
    await say(desk, ODD.format(f"P{(await places(desk))['Anna']}"))
    assert await agree(desk) == ()


async def test_what_it_says_is_offered_and_a_yes_takes_it(tmp_path: Path) -> None:
    async with asking(tmp_path, "Work, work! {}") as (desk, server, own):
        said = await say(desk, ODD.format(own))
        assert f"Work, work! {own}" in said
        assert await orders_of(desk, "Anna") == ()
        assert await agree(desk) == (f"Work, work! {own}",)
        assert len(server.asked) == 1
        assert set(await outcomes(desk)) == {"handled:orders"}


@pytest.mark.parametrize(
    "text",
    [
        *("work {}", "hello there", "Sorry, I am travelling until Monday.", "should {} tidy up?"),
        *("if Bartek comes, {} should tidy up", "{} should not tidy up", "maybe {} should tidy up"),
        *("Bartek said {} should tidy up", "To Bartek: {} should tidy up", "GM: {} should tidy up"),
        *("status", "yes"),
    ],
)
async def test_it_is_asked_only_where_orders_came_to_nothing(tmp_path: Path, text: str) -> None:
    async with asking(tmp_path, "Work, work! {}") as (desk, server, own):
        await say(desk, text.format(own))
        assert server.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        *("NONE", "", "I think you should work {}.", "work {}", "Work, work! {}\nand good luck"),
        *("Work, work! P99", "Work, work! {}\nHold {}", "Work, work! {}\nSend 1 to Bartek"),
        *("Send 1 to Bartek", "Hire the Mountain King", "Final", "resign", "Concede", "Cancel {}"),
        "Work, work! {}\nFinal",
    ],
)
async def test_what_may_not_be_meant_is_thrown_away(tmp_path: Path, answer: str) -> None:
    """No order, not legal, beside what was said, or for good: the answer is the ordinary one."""
    async with asking(tmp_path, answer) as (desk, server, own):
        await say(desk, ODD.format(own))
        assert len(server.asked) == 1
        assert await agree(desk) == ()


@pytest.mark.parametrize(
    ("text", "answer", "is_offered"),
    [
        ("Bartek deserves some of it", "Send 3 to Bartek", True),
        ("Bartek deserves some of it", "Send 3 to Chloé", False),
        ("Bartek and Chloé deserve some of it", "Send 3 to Bartek", False),
        ("Bartek deserves some grumbolo of it", "Send 3 to Bartek", True),
        ("send it to Bartek, and 4 to Chloé", "Send 3 to Bartek\nSend 5 to Chloé", False),
    ],
)
async def test_all_that_is_named_has_its_place_in_what_is_offered(
    tmp_path: Path, text: str, answer: str, is_offered: bool
) -> None:
    async with asking(tmp_path, answer) as (desk, _, _):
        await say(desk, text)
        assert await agree(desk) == ((answer,) if is_offered else ())


@pytest.mark.parametrize("answer", [SILENCE, Body(b"", 500), Body(b"<html>")], ids=repr)
async def test_a_server_that_fails_holds_nobody_and_is_left_alone_for_a_while(
    tmp_path: Path, answer: Body
) -> None:
    async with asking(tmp_path, answer, "Work, work! {}", seconds=0.2) as (desk, server, own):
        with capture_logs() as logs:
            said = await say(desk, ODD.format(own))
        assert own in said
        assert "model-failed" in [line["event"] for line in logs]
        assert KEY not in repr(logs)
        await say(desk, ODD.format(own))
        assert len(server.asked) == 1
        desk.clock.instant += PAUSE
        assert f"Work, work! {own}" in await say(desk, ODD.format(own))
        assert set(await outcomes(desk)) == {"handled:orders"}


class ShortOfTime(InThread):
    """Has no time for what a model says."""

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if getattr(work, "func", None) is read_proposed and args[-1]:
            raise OverLimit
        return await super().run(work, *args, **kwargs)


async def test_an_answer_that_takes_too_long_to_read_lays_no_message_aside(tmp_path: Path) -> None:
    async with asking(tmp_path, "Work, work! {}") as (desk, server, own):
        desk.services = changed(desk.services, apart=ShortOfTime())
        assert own in await say(desk, ODD.format(own))
        assert len(server.asked) == 1
        assert await agree(desk) == ()
        assert await outcomes(desk) == ["handled:orders", "handled:nothing-offered"]


async def test_it_is_asked_so_often_a_day_and_no_more(tmp_path: Path) -> None:
    async with asking(tmp_path, "Work, work! {}", a_day=2) as (desk, server, own):
        for _ in range(4):
            await say(desk, ODD.format(own))
        assert len(server.asked) == 2
        desk.clock.instant = desk.clock.instant.replace(hour=23, minute=59)
        await say(desk, ODD.format(own))
        assert len(server.asked) == 2
        desk.clock.forward(minutes=2)
        await say(desk, ODD.format(own))
        assert len(server.asked) == 3


async def test_what_is_sent_is_what_its_writer_sees_whatever_others_order(tmp_path: Path) -> None:
    """Nobody's orders, codes or addresses leave the house, and no word to others or to the GM."""
    sent = []
    for i, secret in enumerate(("hold {}", "work {}. Send 7 to Chloé. Snitch on Anna")):
        folder = tmp_path / str(i)
        folder.mkdir()
        async with asking(folder, "NONE") as (desk, server, own):
            theirs = f"P{(await places(desk))['Bartek']}"
            await desk.write("Bartek", secret.format(theirs))
            assert await orders_of(desk, "Bartek")
            words = f"{ODD.format(own)}\n\nTo Bartek: a private word\n\nGM: another private word"
            await say(desk, words)
            sent += server.texts
    assert len(sent) == 2
    assert sent[0] == sent[1]
    told = sent[0].casefold()
    for secret in ("@", KEY, "private", "snitch on anna", "heron"):
        assert secret not in told
    assert ODD.format(own).casefold() in told
    view = sent[0].partition("WHAT THE PLAYER SEES\n")[2].partition("\n\n")[0]
    assert json.loads(view)


async def test_a_crash_asks_no_more_often_than_the_day_allows(tmp_path: Path) -> None:
    async with asking(tmp_path, "Work, work! {}", a_day=1) as (desk, server, own):
        desk.services = changed(desk.services, steps=Ending())
        with pytest.raises(Ended):
            await desk.write("Anna", ODD.format(own))
        assert len(server.asked) == 1
        await desk.work()
        assert len(server.asked) == 1
        assert (await outcomes(desk)) == ["handled:orders"]
