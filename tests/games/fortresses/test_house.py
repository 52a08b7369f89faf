"""Fortresses over the real channels, whole games: two people with two kingdoms each, one by mail and
one by Telegram; and four, two of them by Telegram.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.fortresses.view import TableView, view_of
from pbem.demo.cast import whole_cast
from pbem.desk.table import OpenTable
from pbem.desk.upkeep.records import verify_game
from pbem.games.fortresses.play.script import PLAY
from pbem.play import ScriptedQuestion, Seen
from tests.house.hall import Hall, open_hall, open_table, table_of

FOUR = ("Anna", "Ben", "Cleo", "Dirk")
YEARS = 2
MOST_QUESTIONS = 4 * YEARS * 3


def view(table: OpenTable) -> TableView:
    return view_of(table.state, None)


async def write(hall: Hall, name: str, text: str, chats: frozenset[str]) -> None:
    """On whichever channel somebody plays."""
    if name in chats:
        await hall.says(name, text)
    else:
        await hall.mails(name, text)


async def answer(hall: Hall, chats: frozenset[str]) -> str:
    """What is asked of the one who is asked, in words of their own, and that this is all."""
    table = await table_of(hall)
    rules, phase, now = table.kind.ruleset, table.phase, hall.clock.now()
    assert phase is not None
    (number,) = phase.asked
    name = table.seat(number).name
    seen = Seen(number, rules.view(table.state, number), tuple(rules.legal(table.state, number)))
    person = whole_cast()[number]
    question = ScriptedQuestion(person, seen, phase.kind, 1, 1, now, phase.deadline)
    rng = random.Random(f"{phase.number}/{name}")
    orders = PLAY.plan(question, rng)
    words = PLAY.word(seen, orders, rng)
    await write(hall, name, "\n".join([*words, "" if "done" in words else "done"]), chats)
    return name


async def play_to_the_end(hall: Hall, names: Sequence[str], chats: frozenset[str]) -> None:
    """Each word closes the open phase at once (FW-4.5), and asks the next one."""
    for name in sorted(chats):
        await hall.links(name)
    for _ in range(MOST_QUESTIONS):
        if not await hall.is_running():
            break
        number = (await hall.phase()).number
        name = await answer(hall, chats)
        if await hall.is_running():
            assert (await hall.phase()).number == number + 1, name
    table = await table_of(hall)
    assert view(table).stage == "over"
    assert view(table).how in ("year-limit", "fortresses")
    for name in names:
        ending = await hall.newest(name)
        assert any(
            part.get_filename() == "heron-record.json" for part in ending.iter_attachments()
        ), name
    assert await verify_game(hall.service.services, "heron") == []
    async with hall.service.services.database.read() as work:
        assert set(await work.inbox.count_by_state()) == {"handled"}
        assert set(await work.outbox.count_by_state()) <= {"sent", "superseded"}
    assert hall.telegram.violations == []


@pytest.mark.long(
    held_by="tests/games/fortresses/play (whole games in plain words),"
    " tests/games/fortresses/desk (its words through the desk)"
)
async def test_two_play_a_whole_game_by_mail_and_by_telegram(tmp_path: Path) -> None:
    """FW-1.3, FW-1.5, FW-4.1, FW-4.5, FW-9.2: one human plays both kingdoms of an alliance."""
    async with open_hall(tmp_path, FOUR[:2]) as hall:
        await open_table(hall, "fortresses", FOUR[:2], year_limit=YEARS)
        realms = (await table_of(hall)).state.realms
        assert {realm.seat for realm in realms} == {1, 2}
        await play_to_the_end(hall, FOUR[:2], frozenset({"Ben"}))


@pytest.mark.long(
    held_by="tests/games/fortresses/play (whole games in plain words),"
    " tests/games/fortresses/desk (its words through the desk)"
)
async def test_four_play_a_whole_game_by_mail_and_by_telegram(tmp_path: Path) -> None:
    """FW-1.3, FW-1.5, FW-4.1, FW-4.5, FW-9.2."""
    async with open_hall(tmp_path, FOUR) as hall:
        await open_table(hall, "fortresses", FOUR, year_limit=YEARS)
        assert len({realm.seat for realm in (await table_of(hall)).state.realms}) == 4
        await play_to_the_end(hall, FOUR, frozenset({"Cleo", "Dirk"}))
