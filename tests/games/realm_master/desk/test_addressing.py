"""What a letter of this game suggests is never taken for the name of another table (F-4)."""

from pathlib import Path

import pytest

from pbem.desk.messages.table_names import is_word
from pbem.registry import load_games
from tests.desk.harness import open_desk


@pytest.mark.parametrize("token", [True, False])
async def test_f4_a_list_of_heroes_is_of_the_letter_that_it_answers(
    tmp_path: Path, token: bool
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2)
        await desk.open_game(2, "swan", ruleset="realm-master")
        letter = desk.turn_mail("Anna")
        told = await desk.write("Anna", "Hero: elf, dwarf", answering=letter, token=token)
        assert ("Swan" if token else "Which game") in str(told and told["Subject"])
        async with desk.services.database.read() as work:
            seats = [await work.seats.list_of_game(game) for game in (1, 2)]
            stand = [await work.orders.newest(seat[0].id, 1) for seat in seats]
        assert [row is not None for row in stand] == [False, token]


@pytest.mark.parametrize(
    ("word", "known"),
    [("Hero", True), ("Arub", True), ("Iron Shield", True), ("Swan", False), ("Thursday", False)],
)
def test_f4_its_words_are_known(word: str, known: bool) -> None:
    assert is_word(word, load_games()["realm-master"], ()) == known
