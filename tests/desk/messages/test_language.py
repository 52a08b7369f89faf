"""Dates in the language of a player, or of the table."""

from tests.desk.harness import Desk, text_of
from tests.desk.mastery import command


def flat(text: str) -> str:
    return " ".join(text.split())


async def locale_of(desk: Desk, name: str) -> str:
    async with desk.services.database.read() as work:
        seats = await work.seats.list_of_game(1)
        person = await work.people.find(
            next(seat.person_id for seat in seats if seat.name == name) or 0
        )
        assert person is not None
        return person.locale


async def test_a_player_reads_dates_in_the_language_they_name_and_nobody_else_does(
    desk: Desk,
) -> None:
    await desk.open_game(players=2)
    said = flat(text_of(await desk.write("Anna", "my language is German")))
    assert "DATES IN GERMAN" in said
    assert "From now on we write weekdays and months in German" in said
    assert "tag, " in said
    assert await locale_of(desk, "Anna") == "de"
    assert "tag, " in flat(text_of(await desk.write("Anna", "status")))
    assert "day " in flat(text_of(await desk.write("Bartek", "status")))
    assert await locale_of(desk, "Bartek") == "en"


async def test_a_language_nobody_knows_changes_nothing(desk: Desk) -> None:
    await desk.open_game(players=2)
    said = flat(text_of(await desk.write("Anna", "my language is Germn")))
    assert "WHICH LANGUAGE?" in said
    assert 'Did you mean "my language is German"?' in said
    assert await locale_of(desk, "Anna") == "en"


async def test_a_table_has_a_language_of_dates_for_whoever_has_chosen_none(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.write("Bartek", "my language is English")
    told = flat(await command(desk, "option language German"))
    assert "Done" in told or "DONE" in told
    assert "tag, " in flat(text_of(await desk.write("Anna", "status")))
    assert "tag, " not in flat(text_of(await desk.write("Bartek", "status")))
    assert await locale_of(desk, "Anna") == "en"
    assert await locale_of(desk, "Bartek") == "en_001"
