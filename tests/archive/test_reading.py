"""A game as the store has it, and as its record plays it again: the archive shows the same."""

from pathlib import Path

from pbem.archive.reader import keys_of, read_archive
from pbem.desk import gm
from pbem.pages.archive import Close
from pbem.record.record import parse_record
from pbem.record.replay import Rules, replay, story_of
from pbem.store.repositories.games import GameRow
from tests.desk.harness import Desk, open_desk
from tests.played import GAME

BY = gm.By("operator")


async def game_of(desk: Desk) -> GameRow:
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
    assert game is not None
    return game


async def test_each_step_shows_what_replay_gives(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        for said in ("bid 3", "work P1", "bid 4"):
            await desk.write("Anna", said)
            await desk.everybody_passes()
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        archive = await read_archive(desk.services, await game_of(desk))
    record = parse_record(archive.proof.record)
    rules = Rules(GAME.ruleset, GAME.read_canonical)
    played = {phase.number: phase for phase in replay(story_of(record), rules)}
    assert len(archive.steps) == len(played) - 1 > 3
    assert archive.status == "broken off"
    assert all(person.place is None for person in archive.people)
    for step in archive.steps:
        view = GAME.ruleset.view(GAME.ruleset.decode_state(played[step.number + 1].state), None)
        assert step.areas == tuple(GAME.pages.areas(view))
        assert step.chips == tuple(GAME.pages.chips(view))
        given = played[step.number].orders or {}
        assert step.all_orders == {player: texts for player, texts in given.items() if texts}
    assert archive.steps[1].all_orders[1] == ("Bid 3",)


async def test_of_a_game_that_runs_there_is_neither_seed_nor_record_nor_an_order_kept_secret(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 3")
        await desk.everybody_passes()
        archive = await read_archive(desk.services, await game_of(desk))
    assert archive.status == "running"
    assert (archive.proof.seed, archive.proof.record, archive.proof.fingerprint) == ("", b"", "")
    assert archive.proof.commitment
    assert [step.all_orders for step in archive.steps] == [{}, {}]
    assert archive.due is not None
    assert archive.due_name


async def test_what_was_rolled_back_is_no_step(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.everybody_passes()
        await desk.everybody_passes()
        before = await read_archive(desk.services, await game_of(desk))
        await gm.roll_back(desk.services, "heron", 2, BY)
        await desk.work()
        after = await read_archive(desk.services, await game_of(desk))
    assert len(before.steps) == 3
    assert [step.key for step in after.steps] == [step.key for step in before.steps[:2]]


def test_keys_are_by_turn_and_phase_and_say_which_of_several() -> None:
    closes = [
        Close(number, turn, kind, None, ())
        for number, (turn, kind) in enumerate(
            ((0, "start"), (1, "orders"), (7, "dragon"), (7, "Dragon"), (7, "the bank!"))
        )
    ]
    assert keys_of(closes) == ["start", "t1-orders", "t7-dragon", "t7-dragon-2", "t7-the-bank"]
