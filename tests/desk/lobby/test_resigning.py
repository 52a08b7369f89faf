"""What becomes of a seat whose player gives it up: as the table says, and told before."""

from pbem.desk import gm
from pbem.desk.gm.seats import remove
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import acts_of, logged, refused
from tests.desk.harness import Desk, address_of
from tests.desk.lobbies import flat, game_of, to_gm
from tests.desk.mastery import command, gm_last
from tests.desk.visitors import BY, plays, seat_of, set_rules, subjects


async def resign(desk: Desk, name: str) -> str:
    """The player resigns and says yes; what the question said."""
    asked = await desk.write(name, "resign")
    await desk.write(name, "yes", answering=asked)
    return flat(asked)


async def test_a_seat_stands_empty_where_nothing_else_is_said(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 17")
    assert "plays by the rules' defaults until another player takes it over" in (
        await resign(desk, "Anna")
    ).replace("’", "'")
    assert (await plays(desk, "Anna"), (await seat_of(desk, "Anna")).status) == ("", "left")
    assert await acts_of(desk) == []
    assert ("seat resigned", {"seat": "Anna"}, True) in await logged(desk)
    await desk.everybody_passes()
    async with desk.services.database.read() as work:
        assert (await work.games.list_by_status())[0].phase_number == 2


async def test_the_game_master_decides_with_words_that_work(desk: Desk) -> None:
    await desk.open_game()
    await set_rules(desk, resigned="gm")
    assert "The game master decides about the seat" in await resign(desk, "Anna")
    letter = gm_last(desk, "decide about the seat")
    assert "heron: remove Anna" in flat(letter)
    await command(desk, "heron: remove Anna", answering=letter)
    question = gm_last(desk, "Please confirm")
    assert "Anna leaves Heron for good" in flat(question)
    await command(desk, "yes", answering=question)
    assert [act.body for act in await acts_of(desk)] == ['{"act":"remove","player":1}']
    assert "Anna is out of the game" in " ".join(subjects(desk, "Bartek"))
    assert (
        await refused(gm.replace(desk.services, "heron", "Anna", "Wanda", address_of("Wanda"), BY))
        == "eliminated"
    )
    assert await verify_game(desk.services, "heron") == []


async def test_the_seat_leaves_the_game_at_once_where_the_table_says_so(desk: Desk) -> None:
    await desk.open_game()
    await set_rules(desk, resigned="eliminate")
    assert "your province and all you have leave the game with you" in await resign(desk, "Anna")
    assert [act.body for act in await acts_of(desk)] == ['{"act":"remove","player":1}']
    told = subjects(desk, "Bartek")
    assert sum("Anna has resigned" in subject for subject in told) == 1
    assert sum("Anna is out of the game" in subject for subject in told) == 1
    await desk.work(times=2)
    assert len(await acts_of(desk)) == 1
    await resign(desk, "Bartek")
    assert (await game_of(desk)).status == "over", "one is left"
    assert any("You win" in str(mail["Subject"]) for mail in desk.letters("Chloé"))


async def test_somebody_who_gets_the_seat_first_keeps_it(desk: Desk) -> None:
    await desk.open_game()
    row = await seat_of(desk, "Anna")
    assert (
        await refused(
            remove(desk.services, "heron", "Anna", "", BY, only_of=(row.id, row.tenure + 1))
        )
        == "overtaken"
    )
    await remove(desk.services, "heron", "Anna", "she asked for it", BY)
    await desk.work()
    assert await refused(remove(desk.services, "heron", "Anna", "", BY)) == "eliminated"
    assert "she asked for it" in flat(desk.last("Bartek", "Anna is out of the game"))
    assert (await seat_of(desk, "Anna")).status == "eliminated"
    assert "remove" in " ".join(flat(mail) for mail in to_gm(desk)) or to_gm(desk)
