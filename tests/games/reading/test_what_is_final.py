"""F-77: a receipt calls final only what a later message of its player cannot replace."""

from pathlib import Path

import pytest

from tests.desk.chatting import open_chat_desk
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.mastery import command
from tests.desk.rawmail import orders_of

NAMES = ("Anna", "Bartek", "Cleo")
ONLY_THE_MASTER = "Only the game master can unlock it."
CHANGEABLE = "You can change it until"
CLOSES = "Your message closes the phase, so you can no longer change it."

TWICE = {
    "realm-master": ("Hero: elf", "Hero: barbarian"),
    "sovereigns": ("Split 3/3/3, Aldermark. Done", "Split 4/3/2, Aldermark. Done"),
}
"""Two whole answers to the first question of a game. The second takes the place of the first."""


def flat(text: str) -> str:
    return " ".join(text.split()).replace("\N{NO-BREAK SPACE}", " ")


async def sends(desk: Desk, text: str, name: str = "Anna") -> str:
    """The first letter that the message brings; a turn may follow the receipt."""
    before = len(desk.letters(name))
    await desk.write(name, text)
    return flat(text_of(desk.letters(name)[before]))


@pytest.mark.parametrize("game", TWICE)
async def test_f77_a_whole_answer_that_a_later_message_replaces_is_not_final(
    tmp_path: Path, game: str
) -> None:
    first, second = TWICE[game]
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game)
        told = await sends(desk, first)
        assert CHANGEABLE in told
        assert ONLY_THE_MASTER not in told
        assert "AND FINAL" not in told
        before = await orders_of(desk, "Anna")
        assert CHANGEABLE in await sends(desk, second)
        after = await orders_of(desk, "Anna")
        assert len(before) == len(after)
        assert before != after


async def test_f77_done_that_closes_nothing_can_be_taken_up_again(tmp_path: Path) -> None:
    """A table that always waits for its deadline: after `done`, lines still come and count."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(2, names=NAMES[:2], ruleset="fortresses", early_close=False)
        await desk.everybody_passes()
        async with desk.services.database.read() as work:
            phase = await work.phases.current(1)
        assert phase is not None
        name = NAMES[phase.asked[0] - 1]
        assert CHANGEABLE in await sends(desk, "Done", name)
        assert CHANGEABLE in await sends(desk, "Attack Syria with 2L from Egypt", name)
        stands = await orders_of(desk, name, phase.number)
        assert "Attack Syria with 2L from Egypt" in stands


@pytest.mark.parametrize("finality", ["confirm", "strict"])
async def test_f77_orders_that_are_refused_later_are_called_final(
    tmp_path: Path, finality: str
) -> None:
    """Protectors, by the word or at a strict table: only the game master unlocks them (PR-1.10)."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, finality=finality)
        told = await sends(desk, "Bid 12" if finality == "strict" else "Bid 12. Final")
        assert "1 ORDER IN, AND FINAL" in told
        assert f"{ONLY_THE_MASTER} The phase closes" in told
        again = await sends(desk, "Bid 13")
        assert "YOUR ORDERS ARE FINAL, AND STAY AS THEY WERE" in again
        assert await orders_of(desk, "Anna") == ("Bid 12",)


@pytest.mark.parametrize(
    ("game", "answers"),
    [
        ("protectors", ("Bid 1. Final", "Bid 2. Final", "Bid 3. Final")),
        ("realm-master", ("Hero: elf", "Hero: barbarian", "Hero: princess")),
        ("sovereigns", tuple(f"Split 3/3/3, {name}. Done" for name in ("Aa", "Bb", "Cc"))),
    ],
)
async def test_f77_the_answer_that_closes_a_phase_says_so(
    tmp_path: Path, game: str, answers: tuple[str, ...]
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game)
        for name, answer in zip(NAMES, answers, strict=True):
            told = await sends(desk, answer, name)
            assert (CLOSES in told) == (name == NAMES[-1]), told
        assert ONLY_THE_MASTER not in told
        assert "You can change it" not in told


async def test_f77_the_list_of_orders_and_an_unlocking_know_it_too(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset="sovereigns")
        await desk.write("Anna", TWICE["sovereigns"][0])
        told = await sends(desk, "orders")
        assert "You can change it until the deadline." in told
        assert "It is final." not in told
        told = flat(await command(desk, "unlock Anna"))
        assert "he orders of Anna are not final, so the player can change them" in told


async def test_f77_the_same_in_a_chat(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, ruleset="realm-master") as there:
        await there.link("Anna", 101)
        await there.says(101, "Hero: elf")
        told = flat(there.last(101).text)
        assert CHANGEABLE in told
        assert ONLY_THE_MASTER not in told
