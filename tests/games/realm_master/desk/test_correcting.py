"""A game master sets a table of Realm-Master right by mail: audited, told to everybody, and in the
record (RM-11.9, RM-11.10).
"""

from pathlib import Path

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from tests.desk.harness import open_desk, text_of
from tests.desk.mastery import command, flat, gm_letters

BY = gm.By("test")


async def test_a_hero_a_ruling_and_a_round_are_set_right_and_the_game_replays(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, ruleset="realm-master")
        await desk.everybody_passes()
        await gm.correct(desk.services, "heron", "Anna hearts 5", "it was mistyped", BY)
        await desk.work()
        for name in ("Anna", "Bartek"):
            letter = text_of(desk.last(name, "has corrected something"))
            assert "Anna has 5 hearts" in letter
            assert "it was mistyped" in letter
        await gm.correct(desk.services, "heron", "rule: a shield counts once", "Bartek asked", BY)
        await desk.work()
        assert "a shield counts once" in text_of(desk.last("Bartek", "has corrected something"))
        await desk.everybody_passes()
        await gm.correct(desk.services, "heron", "undo the round", "the shield was forgotten", BY)
        await desk.work()
        assert "Round 1 is played again" in text_of(desk.last("Anna", "has corrected something"))
        await desk.everybody_passes()
        assert await verify_game(desk.services, "heron") == []


async def test_a_game_master_writes_as_the_rules_spell_it(tmp_path: Path) -> None:
    """RM-11.10: hours without a unit, a word to a player, a newcomer by address alone, and the end
    with a result.
    """
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, ruleset="realm-master")
        await desk.everybody_passes()
        assert "The deadline of Heron, phase 2, is now" in flat(await command(desk, "gm extend 12"))
        await command(desk, 'gm answer Anna "the shield counts once"')
        assert "the shield counts once" in text_of(desk.letters("Anna")[-1])
        await command(desk, "gm replace Bartek ben@players.example")
        assert "ben@players.example" in flat(text_of(gm_letters(desk)[-1]))
        await command(desk, "gm end draw", answering=gm_letters(desk)[0])
        question = next(
            mail
            for mail in reversed(gm_letters(desk))
            if "please confirm" in str(mail["Subject"]).casefold()
        )
        await command(desk, "yes", answering=question)
        assert "share the victory" in (flat(text_of(desk.letters("Anna")[-1]))).lower()
