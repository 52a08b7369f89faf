"""`what if ...` and `preview` by mail: answered at once, for one reader alone, and never an
order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.table import decode_settings
from tests.desk.harness import (
    GM,
    NAMES,
    PIXEL,
    SEED,
    Desk,
    StillPainter,
    address_of,
    open_desk,
    text_of,
)
from tests.desk.messages.test_receive import orders_of, outcomes
from tests.played import PLAYED


class NotedPainter(StillPainter):
    """Notes what it was asked to paint, and fails if told to."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.asked: list[TableFacts] = []
        self.breaks = breaks

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        if facts.hypothesis:
            self.asked.append(facts)
            if self.breaks:
                raise RuntimeError("no colours")
            return Picture(PIXEL, "What if?")
        return await super().board(board, view, events, land, facts)


async def open_orders(desk: Desk, **more: Any) -> None:
    """A table of three in the orders window of turn 1: Anna, Bartek and Chloé on a ring of
    three.
    """
    new = gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED, **more)
    await gm.open_table(desk.services, new, gm.By("test"))
    for name in NAMES[:3]:
        await gm.invite(desk.services, "heron", name, address_of(name), gm.By("test"))
    await gm.start(desk.services, "heron", gm.By("test"))
    await desk.work()
    await desk.everybody_passes()


async def places(desk: Desk) -> dict[str, int]:
    async with desk.services.database.read() as work:
        game = (await work.games.list_by_status())[0]
        row = await work.states.find(game.id, game.phase_number)
    assert row is not None
    state = desk.services.games[PLAYED].ruleset.decode_state(row.body)
    return {seat.name: seat.start for seat in state.players}


async def attack(desk: Desk, who: str, whom: str) -> str:
    """`1 from P2 to P1`, from one player's start into another's."""
    starts = await places(desk)
    return f"1 from P{starts[who]} to P{starts[whom]}"


async def test_a_question_is_answered_with_the_arithmetic_and_nothing_is_stored(
    tmp_path: Path,
) -> None:
    painter = NotedPainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await open_orders(desk)
        way = await attack(desk, "Bartek", "Anna")
        answer = await desk.write("Anna", f"what if Bartek marches {way}?")
        told = " ".join(text_of(answer).split())
        assert "What if?" in str(answer["Subject"])  # type: ignore[index]
        assert "a test only" in str(answer["Subject"])  # type: ignore[index]
        assert f"March! {way}" in told
        assert "By the rules, since you have sent nothing" in told
        assert "I know nothing about the orders of Chloé" in told
        assert "You can ask 9 more times" in told
        assert await orders_of(desk, "Anna") == ()
        assert await orders_of(desk, "Bartek") == ()
        assert [facts.hypothesis for facts in painter.asked] == [True]
        assert PIXEL in [part.get_payload(decode=True) for part in answer.walk()]  # type: ignore[union-attr]
        assert (await outcomes(desk))[-1] == "handled:answered"


async def test_stored_orders_count_and_are_said_to_be_stored(desk: Desk) -> None:
    await open_orders(desk)
    starts = await places(desk)
    await desk.write("Anna", f"work P{starts['Anna']}")
    told = " ".join(
        text_of(
            await desk.write(
                "Anna", f"what if Bartek marches {await attack(desk, 'Bartek', 'Anna')}"
            )
        ).split()
    )
    assert f"Work, work! P{starts['Anna']}. (As you have sent it.)" in told
    assert "1 for Work" in told
    preview = await desk.write("Anna", "preview")
    subject = str(preview["Subject"])  # type: ignore[index]
    assert subject.endswith("] Preview of turn 1: a test only")
    assert f"Work, work! P{starts['Anna']}" in text_of(preview)
    assert await orders_of(desk, "Anna") == (f"Work, work! P{starts['Anna']}",)


async def test_beside_real_orders_only_these_are_stored(desk: Desk) -> None:
    await open_orders(desk)
    starts = await places(desk)
    way = await attack(desk, "Anna", "Chloé")
    count = len(desk.letters("Anna"))
    await desk.write(
        "Anna", f"fortify P{starts['Anna']}\n\nwhat if I march {way}\nand Bartek holds?"
    )
    assert await orders_of(desk, "Anna") == (f"Fortify! P{starts['Anna']}",)
    answer = desk.last("Anna")
    assert "1 order in" in str(answer["Subject"])
    assert "WHAT IF?" in text_of(answer)
    assert len(desk.letters("Anna")) == count + 1
    await desk.write("Anna", f"hold P{starts['Anna']}. what if I march {way}?")
    assert await orders_of(desk, "Anna") == (f"Hold P{starts['Anna']}",)
    assert "begin a line with" in " ".join(text_of(desk.last("Anna")).split())
    await desk.write("Anna", f"> what if I march {way}\n\nfortify P{starts['Anna']}")
    assert await orders_of(desk, "Anna") == (f"Fortify! P{starts['Anna']}",)


async def test_what_is_not_understood_is_asked_back_and_counts_for_nothing(tmp_path: Path) -> None:
    painter = NotedPainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await open_orders(desk)
        told = text_of(await desk.write("Anna", "what if Bartek flurbs everything to the moon?"))
        assert "flurbs" in told
        assert painter.asked == []
        told = " ".join(
            text_of(
                await desk.write(
                    "Anna", f"what if Bartek marches {await attack(desk, 'Chloé', 'Anna')}?"
                )
            ).split()
        )
        assert "is not Bartek's" in told
        assert "9 more times" in text_of(await desk.write("Anna", "preview"))


async def test_after_so_many_there_are_no_more_in_this_phase(desk: Desk) -> None:
    await open_orders(desk, suppositions=2)
    assert "1 more time " in text_of(await desk.write("Anna", "what if Bartek holds?"))
    assert "the last question" in " ".join(text_of(await desk.write("Anna", "preview")).split())
    refused = await desk.write("Anna", "what if Chloé holds?")
    assert "the most for one phase" in " ".join(text_of(refused).split())
    assert "Not possible now" in str(refused["Subject"])  # type: ignore[index]
    assert "1 more time " in text_of(await desk.write("Chloé", "preview"))


async def test_a_table_may_do_without(desk: Desk) -> None:
    await open_orders(desk, suppositions=0)
    assert "without what-if questions" in " ".join(
        text_of(await desk.write("Anna", "preview")).split()
    )


async def test_outside_the_orders_window_it_is_told_when_one_can_ask(desk: Desk) -> None:
    await desk.open_game()
    told = " ".join(text_of(await desk.write("Anna", "what if Bartek holds?")).split())
    assert "You can ask this while everybody orders (orders). Now the phase is: bids" in told
    await desk.everybody_passes()
    await gm.pause(desk.services, "heron", gm.By("test"))
    await desk.work()
    assert "paused" in text_of(await desk.write("Anna", "preview"))
    await gm.resume(desk.services, "heron", gm.By("test"))
    await desk.everybody_passes()
    assert "Now the phase is: purchases" in " ".join(
        text_of(await desk.write("Anna", "what if Bartek holds?")).split()
    )


async def test_a_painter_that_fails_means_an_answer_without_a_picture(tmp_path: Path) -> None:
    painter = NotedPainter(breaks=True)
    async with open_desk(tmp_path, painter=painter) as desk:
        await open_orders(desk)
        answer = await desk.write("Anna", "what if Bartek holds?")
        assert "What if?" in str(answer["Subject"])  # type: ignore[index]
        assert not any(part.get_content_type() == "image/png" for part in answer.walk())  # type: ignore[union-attr]
        assert len(painter.asked) == 1
        assert (await outcomes(desk))[-1] == "handled:answered"


async def test_several_questions_in_a_mail_are_answered_in_one_letter_that_has_one_picture(
    tmp_path: Path,
) -> None:
    painter = NotedPainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await open_orders(desk)
        count = len(desk.letters("Anna"))
        way = await attack(desk, "Bartek", "Anna")
        await desk.write(
            "Anna", f"what if Bartek marches {way}?\n\nwhat if Chloé works?\n\npreview", work=False
        )
        await desk.work(times=2)
        assert len(desk.letters("Anna")) == count + 1
        assert text_of(desk.last("Anna")).count("It orders nothing") == 3
        assert len(painter.asked) == 1
        assert "6 more times" in text_of(await desk.write("Anna", "preview"))


async def test_the_board_that_others_ask_for_is_the_real_one(desk: Desk) -> None:
    await open_orders(desk)
    before = {name: len(desk.letters(name)) for name in (*NAMES[:3], GM)}
    await desk.write("Anna", "what if Bartek holds?")
    assert {name: len(desk.letters(name)) - count for name, count in before.items()} == {
        "Anna": 1,
        "Bartek": 0,
        "Chloé": 0,
        GM: 0,
    }
    again = await desk.write("Anna", "resend")
    assert all(
        "What if?" not in str(mail["Subject"])
        for mail in desk.letters("Anna")[before["Anna"] + 1 :]
    )
    assert again is not None
    assert "What if" not in text_of(await desk.write("Anna", "map"))


async def answers_of(folder: Path, others: str) -> list[str]:
    """What Anna is told, after somebody else has written this."""
    async with open_desk(folder) as desk:
        await open_orders(desk)
        starts = await places(desk)
        way = await attack(desk, "Bartek", "Anna")
        await desk.write("Bartek", others.format(own=starts["Bartek"], other=starts["Anna"]))
        await desk.write("Anna", f"what if I hold and Bartek marches {way}?")
        await desk.write("Anna", "what if Chloé works?")
        await desk.write("Anna", "preview")
        return [
            f"{mail['Subject']}\n{text_of(mail)}\n{mail.get_body(('html',))}"
            for mail in desk.letters("Anna")[-3:]
        ]


@pytest.mark.parametrize(
    "one",
    ["march 1 from P{own} to P{other}", "send 17 to Chloé\nwork P{own}", "fortify P{own}. final"],
)
async def test_what_others_have_stored_shows_in_no_supposition(tmp_path: Path, one: str) -> None:
    seen = []
    for number, text in enumerate((one, "hold")):
        (tmp_path / str(number)).mkdir()
        seen.append(await answers_of(tmp_path / str(number), text))
    assert [_without_boundaries(text) for text in seen[0]] == [
        _without_boundaries(text) for text in seen[1]
    ]
    assert all("What if" in text or "Preview" in text for text in seen[0])


def _without_boundaries(text: str) -> str:
    return "\n".join(
        line for line in text.splitlines() if "cid:" not in line and "Content-" not in line
    )


class TableChanges(NotedPainter):
    """While the first picture is painted, somebody else's close comes between: the table is another
    one afterwards.
    """

    def __init__(self, between: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._between = between

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        if facts.hypothesis and not self.asked:
            await self._between()
        return await super().board(board, view, events, land, facts)


async def test_a_table_that_changes_while_it_is_painted_is_supposed_anew(tmp_path: Path) -> None:
    desks: list[Desk] = []

    async def strike() -> None:
        await gm.strike(desks[0].services, "heron", "Chloé", "showed orders", gm.By("test"))

    painter = TableChanges(strike)
    async with open_desk(tmp_path, painter=painter) as desk:
        desks.append(desk)
        await open_orders(desk)
        answer = await desk.write("Anna", "what if Bartek holds?")
        assert "What if?" in str(desk.last("Anna", "what if")["Subject"])
        assert answer is not None
        assert len(painter.asked) == 2
        told = " ".join(text_of(desk.last("Anna", "what if")).split())
        assert "Of Chloé" not in told
        assert [outcome for outcome in await outcomes(desk) if "shunted" in outcome] == []


class DiesAt:
    """Ends the work at a step, once."""

    def __init__(self, step: str) -> None:
        self._step = step
        self.died = False

    def reached(self, step: str) -> None:
        if step == self._step and not self.died:
            self.died = True
            raise asyncio.CancelledError


@pytest.mark.parametrize("step", ["receive.written", "receive.kept"])
async def test_a_restart_in_the_middle_of_an_answer_makes_one_letter(
    tmp_path: Path, step: str
) -> None:
    steps = DiesAt("nowhere")
    async with open_desk(tmp_path, steps=steps) as desk:
        await open_orders(desk)
        steps._step = step
        count = len(desk.letters("Anna"))
        with pytest.raises(asyncio.CancelledError):
            await desk.write("Anna", "what if Bartek holds?")
        steps._step = "nowhere"
        desk.jobs.asked = []
        desk.clock.forward(minutes=10)
        await desk.work(times=2)
        assert len(desk.letters("Anna")) == count + 1
        assert "8 more times" in text_of(await desk.write("Anna", "preview"))


async def test_a_game_master_settles_by_mail_how_often_one_may_ask(desk: Desk) -> None:
    await gm.open_table(
        desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin"), gm.By("test")
    )
    await gm.change_table(desk.services, "heron", gm.TableChanges(suppositions=3), gm.By("test"))
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
    assert game is not None
    assert decode_settings(game).suppositions == 3
    with pytest.raises(gm.Refused, match="questions"):
        await gm.change_table(
            desk.services, "heron", gm.TableChanges(suppositions=101), gm.By("test")
        )


async def test_two_tables_that_differ_in_what_nobody_else_may_know_give_the_same_pictures(
    tmp_path: Path,
) -> None:
    """The bytes of the letter too: serials and codes are of the reader's own messages."""
    raws = []
    for number, secret in enumerate(("bid 3", "bid 44")):
        (tmp_path / str(number)).mkdir()
        async with open_desk(tmp_path / str(number)) as desk:
            await desk.open_game()
            await desk.write("Bartek", secret)
            await desk.write("Anna", "bid 50")
            await desk.everybody_passes()
            await desk.write("Bartek", "final" if number else "hold")
            await desk.write("Anna", "what if Chloé holds?")
            raws.append(
                [
                    mail.raw
                    for mail in desk.postbox.mails
                    if b"What_if" in mail.raw or b"What if?" in mail.raw
                ]
            )
    assert raws[0]
    assert raws[0] == raws[1]


async def test_what_is_asked_beside_orders_counts_what_the_same_mail_stores(desk: Desk) -> None:
    await open_orders(desk)
    starts, way = await places(desk), await attack(desk, "Anna", "Chloé")
    await desk.write("Anna", f"work P{starts['Anna']}")
    count = len(desk.letters("Anna"))
    await desk.write(
        "Anna",
        f"march {way}\n\npreview\n\norders\n\nwhat if Bartek marches {await attack(desk, 'Bartek', 'Anna')}?",
    )
    assert await orders_of(desk, "Anna") == (f"March! {way}",)
    letters = desk.letters("Anna")[count:]
    assert [str(mail["Subject"]).partition("] ")[2] for mail in letters] == [
        "Turn 1: 1 order in, all fine"
    ]
    told = " ".join(text_of(letters[0]).split())
    _receipt, preview, question = told.split("! This is only a test. It orders")
    assert f"March! {way}. (As you have sent it.)" in preview
    assert f"March! {way}. (As you have sent it.)" in question
    assert "Work, work!" not in preview
    assert "Fortify!" not in preview
