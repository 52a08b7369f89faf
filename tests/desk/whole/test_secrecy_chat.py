"""What one player orders, another cannot tell from a chat before the close, in whatever window: two
games that differ in that alone.

In each window Bartek orders one thing in one game and another in the other, and takes it back at
the last moment, so that both games go on alike. All that stands in Anna's chat meanwhile is
compared: words, pictures, buttons and what they carry, message by message.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.chatbox import Posted
from tests.desk.chatting import ChatDesk, labels, open_chat_desk
from tests.desk.looks import phase_of

ANNA, BEN = 101, 102
MOST_PHASES = 16
WINDOWS = {"bidding", "orders", "dragon", "consolidation"}


async def what_bartek_may_say(there: ChatDesk) -> list[str]:
    """Every order that he may give now and that does nothing before the close."""
    services = there.desk.services
    async with services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None
        row = await work.states.find(1, game.phase_number)
    assert row is not None
    rules = services.games[game.ruleset].ruleset
    state: Any = rules.decode_state(row.body)
    if 2 not in rules.phase(state).asked:
        return []
    texts = [
        rules.format_order(state, order)
        for order in rules.legal(state, 2)
        if rules.act_of(order) is None
    ]
    return [text for text in texts if text not in ("Final", "Cancel all")]


async def look_around(there: ChatDesk) -> None:
    """Anna asks all that can be asked, and taps what there is to tap."""
    for words in ("status", "/orders", "preview"):
        await there.says(ANNA, words)
    turn = next(
        (shown for shown in reversed(there.box.to(ANNA)) if "What happened" in labels(shown)), None
    )
    if turn is not None:
        await there.taps(ANNA, turn, "What happened")


def as_seen(there: ChatDesk) -> list[Posted]:
    """Anna's chat; messages are numbered within it, as their ids count those of every chat."""
    shown = there.box.to(ANNA)
    numbers = {posted.message_id: number for number, posted in enumerate(shown)}
    return [
        replace(
            posted,
            message_id=numbers[posted.message_id],
            reply_to=numbers.get(posted.reply_to or 0),
        )
        for posted in shown
    ]


async def play(folder: Path, choice: int) -> tuple[list[list[Posted]], set[str]]:
    """Anna's chat before each close, and the windows that were open; `choice` is which of his
    orders Bartek gives.
    """
    seen: list[list[Posted]] = []
    windows: set[str] = set()
    async with open_chat_desk(folder) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        for _ in range(MOST_PHASES):
            async with there.desk.services.database.read() as work:
                running = await work.phases.list_running()
            if not running or windows >= WINDOWS:
                break
            phase = await phase_of(there.desk)
            may = await what_bartek_may_say(there)
            if may and phase.kind not in windows:
                begun = there.desk.clock.now()
                await there.says(BEN, may[choice])
                await look_around(there)
                there.desk.clock.instant = max(
                    there.desk.clock.now(), begun + (phase.deadline - begun) * 0.9
                )
                await there.settle()
                seen.append(as_seen(there))
                windows.add(phase.kind)
                await there.says(BEN, "cancel all")
            await there.desk.everybody_passes()
            await there.settle()
            seen.append(as_seen(there))
    return seen, windows


@pytest.mark.long(
    held_by="tests/desk/whole/test_secrecy.py, tests/desk/whole/test_secrecy_canaries.py"
)
async def test_a_chat_tells_nothing_of_what_another_has_ordered_in_any_window(
    tmp_path: Path,
) -> None:
    records = []
    for choice in (0, -1):
        folder = tmp_path / str(choice)
        folder.mkdir()
        records.append(await play(folder, choice))
    (one, windows), (other, _) = records
    assert windows >= WINDOWS, "the check looks at every kind of window"
    assert len(one) == len(other)
    for before, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        assert len(mine) == len(theirs), before
        for first, second in zip(mine, theirs, strict=True):
            assert first == second
