"""Realm-Master over the real channels: four play by mail alone, and six play live, two of them by
mail.
"""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.realm_master.view_of import view_of
from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from pbem.games.realm_master.play.script import RealmMasterPlay
from pbem.games.realm_master.play.strategy import plan
from pbem.play import Seen, Temper
from tests.house.hall import Hall, open_hall, open_table, table_of

FOUR = ("Anna", "Ben", "Cleo", "Dirk")
SIX = (*FOUR, "Eva", "Fritz")
BY_MAIL = ("Anna", "Ben")
PLAY = RealmMasterPlay()
MOST_ROUNDS = 17


async def asked_now(hall: Hall) -> list[str]:
    table = await table_of(hall)
    assert table.phase is not None
    return [table.seat(number).name for number in table.phase.asked]


async def write(hall: Hall, name: str, text: str, chats: frozenset[str] = frozenset()) -> None:
    """On whichever channel somebody plays."""
    if name in chats:
        await hall.says(name, text)
    else:
        await hall.mails(name, text)


async def answer(hall: Hall, name: str, chats: frozenset[str] = frozenset()) -> None:
    """What is asked of somebody, in words of their own."""
    table = await table_of(hall)
    rules, number = (
        table.kind.ruleset,
        next(seat.number for seat in table.seats if seat.name == name),
    )
    seen = Seen(number, rules.view(table.state, number), tuple(rules.legal(table.state, number)))
    rng = random.Random(f"{table.game.phase_number}/{name}")
    await write(hall, name, "\n".join(PLAY.word(seen, plan(seen, Temper(), rng), rng)), chats)


async def answer_all(hall: Hall, chats: frozenset[str] = frozenset()) -> None:
    """One phase: as soon as the last answer is in, it is closed."""
    number = (await hall.phase()).number
    for name in await asked_now(hall):
        assert (await hall.phase()).number == number
        await answer(hall, name, chats)
    assert not await hall.is_running() or (await hall.phase()).number == number + 1


async def subjects(hall: Hall, name: str) -> list[str]:
    return [got.subject for got in await hall.got(name)]


async def check_ending(hall: Hall, names: Sequence[str]) -> None:
    """Everybody reads who won, and the game comes out the same when it is played again."""
    table = await table_of(hall)
    assert table.state.winners
    words = PLAY.outcome(view_of(table.state, None))
    for name in names:
        ending = await hall.newest(name, "win")
        assert any(
            part.get_filename() == "heron-record.json" for part in ending.iter_attachments()
        ), name
        is_winner = name == words.partition(" ")[0]
        assert f"] {'You win' if is_winner else words.split(',')[0].split(' by ')[0]}" in str(
            ending["Subject"]
        )
    assert await verify_game(hall.service.services, "heron") == []
    async with hall.service.services.database.read() as work:
        assert set(await work.inbox.count_by_state()) == {"handled"}
        assert set(await work.outbox.count_by_state()) <= {"sent", "superseded"}


@pytest.mark.long(
    held_by="tests/games/realm_master/play/test_play.py (whole games in plain words),"
    " tests/games/realm_master/desk (its words through the desk)"
)
async def test_four_play_by_mail_with_one_mail_each_way_in_a_round(tmp_path: Path) -> None:
    """RM-11.1, RM-11.4, RM-11.7: a question that tells the last round, a plan, a receipt; and no
    bulletin beside them.
    """
    async with open_hall(tmp_path, FOUR) as hall:
        await open_table(hall, "realm-master", FOUR, mode="standing")
        for _ in range(4):
            await answer_all(hall)
        living = await asked_now(hall)
        assert len(living) >= 2
        for name in FOUR:
            told = await subjects(hall, name)
            if name in living:
                assert [
                    sum(
                        " plan due " in subject and subject.endswith(f" [Heron {number}]")
                        for subject in told
                    )
                    for number in (1, 2, 3)
                ] == [1, 1, 1]
                assert [
                    sum(
                        re.search(rf"Round {number}: \d+ (in|lines? in),", subject) is not None
                        for subject in told
                    )
                    for number in (1, 2, 3)
                ] == [1, 1, 1]
            assert sum(subject.endswith(" [Heron 4]") for subject in told) == (name in living)
            assert any(
                "] Round 3: " in subject and " due " not in subject and " in, " not in subject
                for subject in told
            ) == (name not in living), "a bulletin"
        question = next(
            got for got in reversed(await hall.got(living[0])) if got.subject.endswith(" [Heron 4]")
        )
        assert all(name in question.text for name in living[1:])
        for name in living[1:]:
            await hall.mails(name, "auto on")
        await hall.mails(
            living[0], "enter the richest land\nauto on"
        )  # and nobody is waited for any more
        for _ in range(MOST_ROUNDS):
            if not await hall.is_running():
                break
            await hall.settle()
        await check_ending(hall, FOUR)


@pytest.mark.long(
    held_by="tests/games/realm_master/play/test_play.py (whole games in plain words),"
    " tests/games/realm_master/desk (its words through the desk)"
)
async def test_six_play_live_four_of_them_by_telegram(tmp_path: Path) -> None:
    """RM-11.2, RM-11.3, RM-11.4, RM-11.8: each decision is asked as it comes, on whichever channel;
    the table reads whole turns.
    """
    chats = frozenset(SIX) - set(BY_MAIL)
    async with open_hall(tmp_path, SIX) as hall:
        await open_table(hall, "realm-master", SIX, mode="interactive")
        for name in sorted(chats):
            await hall.links(name)
        await answer_all(hall, chats)
        tapped = False
        while (await table_of(hall)).state.turns < 2:
            (name, *others) = await asked_now(hall)
            buttons = hall.user(name).by_bot[-1].labels if name in chats else ()
            plain = next(
                (
                    label
                    for label in ("Stay", "Stay outside", "No attack", "Go on")
                    if label in buttons
                ),
                None,
            )
            if plain is not None and not others:
                await hall.taps(name, hall.user(name).by_bot[-1], plain)
                tapped = True
            else:
                await answer_all(hall, chats)
        assert tapped
        told = await subjects(hall, "Anna")
        assert sum(", turn 1: " in subject and " due " not in subject for subject in told) == 1
        rerolls = {
            name: sum("which dice do you reroll?" in got.text for got in await hall.got(name))
            for name in chats
        }
        assert max(rerolls.values()) == 1, "asked is only who decides"
        assert sum(rerolls.values()) <= 2
        await gm.apply_act(
            hall.service.services, "heron", {"act": "end", "winner": 1}, gm.By("test")
        )
        await hall.settle()
        await check_ending(hall, SIX)
        assert hall.telegram.violations == []
