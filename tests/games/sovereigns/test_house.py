"""States & Sovereigns over the real channels, whole games of five, three by mail and two by
Telegram: once with a game master who says nothing, once with one who rules.
"""

import random
import re
from pathlib import Path

import pytest

from engine.sovereigns.view import TableView, view_of
from pbem.demo.cast import whole_cast
from pbem.desk.table import OpenTable
from pbem.desk.upkeep.records import verify_game
from pbem.games.sovereigns.play.script import PLAY
from pbem.play import ScriptedQuestion, Seen
from tests.desk.harness import text_of
from tests.house.hall import Hall, open_hall, open_table, table_of

FIVE = ("Anna", "Ben", "Cleo", "Dirk", "Emma")
CHATS = frozenset({"Dirk", "Emma"})
YEARS = 2
MOST_PHASES = 1 + 5 * YEARS
ANSWER = re.compile(r"^ {4}(?P<answer>\S.*)$", re.MULTILINE)


async def open_with_chats(hall: Hall) -> None:
    await open_table(hall, "sovereigns", FIVE, max_years=YEARS)
    for name in sorted(CHATS):
        await hall.links(name)


def view(table: OpenTable) -> TableView:
    return view_of(table.state, None)


async def say(hall: Hall, number: int, stage: str) -> None:
    """What a ruler says at this moment of the phase, in words of their own: what takes effect at
    once, what answers others, what is ordered.
    """
    table = await table_of(hall)
    if table.phase is None or number not in table.phase.asked:
        return
    rules, phase, now = table.kind.ruleset, table.phase, hall.clock.now()
    seen = Seen(number, rules.view(table.state, number), tuple(rules.legal(table.state, number)))
    question = ScriptedQuestion(whole_cast()[number], seen, phase.kind, 1, 1, now, phase.deadline)
    name = table.seat(number).name
    rng = random.Random(f"{phase.number}/{name}/{stage}")
    match stage:
        case "early":
            orders = PLAY.plan_looks(question, rng)
        case "answers":
            orders = PLAY.plan_after_look(seen, rng)
        case _:
            orders = PLAY.plan(question, rng)
    if not orders:
        return
    text = "\n".join(PLAY.word(seen, orders, rng))
    if name in CHATS:
        await hall.says(name, text)
    else:
        await hall.mails(name, text)


async def rule(hall: Hall, read: int) -> int:
    """The game master answers every letter that asks, with its first answer or its last; how many
    letters she has read.
    """
    letters = await hall.letters("GM")
    for letter in letters[read:]:
        _, asks, answers = text_of(letter).partition("WHAT YOU CAN ANSWER")
        offered = [found["answer"] for found in ANSWER.finditer(answers)]
        if asks and offered:
            pick = offered[0 if len(str(letter["Subject"])) % 2 else -1]
            await hall.mails("GM", pick, answering=letter)
    return len(letters)


async def play_to_the_end(hall: Hall, *, rules: bool) -> None:
    """Every phase is answered by everybody, and closes; what is waited for longer comes by the
    clock.
    """
    read = 0
    for _ in range(MOST_PHASES):
        if not await hall.is_running():
            break
        number = (await hall.phase()).number
        for stage in ("early", "answers", "orders"):
            for player in range(1, len(FIVE) + 1):
                if await hall.is_running() and (await hall.phase()).number == number:
                    await say(hall, player, stage)
            if rules and await hall.is_running():
                read = await rule(hall, read)
        if await hall.is_running() and (await hall.phase()).number == number:
            await hall.closes()
    table = await table_of(hall)
    assert view(table).stage == "over"
    for name in FIVE:
        ending = await hall.newest(name)
        assert any(
            part.get_filename() == "heron-record.json" for part in ending.iter_attachments()
        ), name
    assert await verify_game(hall.service.services, "heron") == []
    async with hall.service.services.database.read() as work:
        assert set(await work.inbox.count_by_state()) == {"handled"}
        assert set(await work.outbox.count_withheld(1)) <= {"superseded"}
        assert set(await work.outbox.count_by_state()) <= {"sent", "superseded", "withheld"}
    assert hall.telegram.violations == []


async def acts_of(hall: Hall) -> list[str]:
    async with hall.service.services.database.read() as work:
        return [f"{act.actor}: {act.body}" for act in await work.acts.list_of_game(1)]


@pytest.mark.long(
    held_by="tests/games/sovereigns/play (whole games in plain words),"
    " tests/games/sovereigns/desk (what happens between the deadlines)"
)
@pytest.mark.parametrize("rules", [False, True], ids=["silent", "ruling"])
async def test_five_play_a_whole_game_by_mail_and_by_telegram(tmp_path: Path, rules: bool) -> None:
    """SS-5.4, SS-7.3, SS-7.4, SS-8.3, SS-8.4, SS-10.3, SS-11.8, SS-12.1 to SS-12.7."""
    async with open_hall(tmp_path, FIVE) as hall:
        await open_with_chats(hall)
        await play_to_the_end(hall, rules=rules)
        acts = await acts_of(hall)
        ruled = [act for act in acts if act.startswith("gm") and '"clock"' not in act]
        assert bool(ruled) is rules
        assert any('"type":"offer"' in act for act in acts)
        assert any('"type":"answer"' in act for act in acts)
