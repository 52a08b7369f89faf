"""F-74: what takes effect at once is not done while words of its message came to nothing. The receipt
shows how it was read and asks; a yes does exactly that, and another message does not. A receipt is
fine only where no word is unused.
"""

from html import unescape
from pathlib import Path

import pytest

from engine.realm_master.state import State as Realm
from engine.sovereigns.state import State as Kingdoms
from pbem.desk.table import load_table
from tests.desk.chatting import open_chat_desk
from tests.desk.harness import Desk, open_desk, text_of
from tests.games.reading.test_what_is_final import NAMES, flat

WAITS = "We did not do this yet"
UNUSED = "We did nothing with these words"
FINE = "all fine"
WRITTEN = {
    "sovereigns": (
        "Offer Borland 1 resource for keeps for nothing, and the works help",
        "1R permanent against nothing",
        "Pass",
    ),
    "realm-master": (
        "squire buy Iron Shield. 2 gold to Mertle",
        "Tribute: gold to Mertle, gold to Mertle",
        "Reroll: reroll swords",
    ),
}
"""What takes effect at once with words that nothing comes of, how it is read, and another message."""
OPTIONS = {"sovereigns": {}, "realm-master": {"mode": "interactive"}}
CHAT = 101


async def done(desk: Desk) -> object:
    """What the acts of the table made of it: the offers that are open, or the gold of the lands."""
    async with desk.services.read() as tx:
        game = await tx.work.games.find(1)
        assert game is not None
        state = (await load_table(tx, game)).state
    if isinstance(state, Kingdoms):
        return [(one.giver, one.taker) for one in state.offers]
    assert isinstance(state, Realm)
    return {land.key: land.gold for land in state.lands}


async def to_play(desk: Desk, game: str) -> str:
    """The heroes or kingdoms are chosen; who is asked then."""
    if game == "sovereigns":
        for name, title in zip(NAMES, ("Aldermark", "Borland", "Cyrene"), strict=True):
            await desk.write(name, f"Split 3/3/3, {title}")
        await desk.everybody_passes()
    await desk.everybody_passes()
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    return NAMES[phase.asked[0] - 1]


def assert_asked(told: str, game: str) -> None:
    """The reading is shown, and nothing is called done or an order besides the one."""
    _, read, _ = WRITTEN[game]
    assert WAITS in told
    assert UNUSED in told
    assert read in told
    assert "Please confirm" in told or "PLEASE CONFIRM" in told
    assert "Your 2" not in told
    assert FINE not in told.lower()


@pytest.mark.parametrize("game", WRITTEN)
async def test_f74_an_act_with_unused_words_waits_for_a_yes(tmp_path: Path, game: str) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game, **OPTIONS[game])
        name = await to_play(desk, game)
        before = await done(desk)
        receipt = await desk.write(name, WRITTEN[game][0])
        assert_asked(flat(text_of(receipt)), game)
        assert await done(desk) == before
        await desk.write(name, "yes", answering=receipt)
        after = await done(desk)
        if isinstance(before, dict):
            assert after == before | {"MER": before["MER"] + 1}  # the Barbarian has 1 gold
        else:
            assert after == [(1, 2)]


@pytest.mark.parametrize("game", WRITTEN)
async def test_f74_another_message_does_not_do_what_waits(tmp_path: Path, game: str) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game, **OPTIONS[game])
        name = await to_play(desk, game)
        before = await done(desk)
        receipt = await desk.write(name, WRITTEN[game][0])
        await desk.write(name, WRITTEN[game][2])
        assert await done(desk) == before
        told = await desk.write(name, "yes", answering=receipt)
        assert "THERE IS NOTHING TO CONFIRM" in text_of(told)
        assert await done(desk) == before


@pytest.mark.parametrize("game", WRITTEN)
async def test_f74_the_same_in_a_chat(tmp_path: Path, game: str) -> None:
    async with open_chat_desk(tmp_path, 3, names=NAMES, ruleset=game, **OPTIONS[game]) as there:
        name = await to_play(there.desk, game)
        await there.link(name, CHAT)
        before = await done(there.desk)
        await there.says(CHAT, WRITTEN[game][0])
        assert_asked(flat(unescape(there.last(CHAT).text)), game)
        assert await done(there.desk) == before
        await there.says(CHAT, "yes")
        assert await done(there.desk) != before


UNUSED_BESIDE = {
    "protectors": ("P1 work", "P1 work. Bartek fortify P3"),
    "realm-master": ("Reroll: reroll swords", "Reroll swords. Bartek buy Iron Shield"),
    "sovereigns": ("Pass", "Pass, and the works help"),
    "fortresses": (
        "Attack Syria with 2L from Egypt. Done",
        "As before. Attack Syria with 2L from Egypt. Done",
    ),
}
"""An order, and one with words that nothing comes of."""


@pytest.mark.parametrize("game", UNUSED_BESIDE)
async def test_f74_a_receipt_is_fine_only_where_no_word_is_unused(
    tmp_path: Path, game: str
) -> None:
    """Its subject and its first line say so; or a line of the letter that it is told in."""
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game)
        name = await to_play(desk, game)
        for text, is_fine in zip(UNUSED_BESIDE[game], (True, False), strict=True):
            before = len(desk.letters(name))
            await desk.write(name, text)
            mail = desk.letters(name)[before]
            told = flat(text_of(mail))
            assert (UNUSED in told) != is_fine
            assert (FINE in f"{mail['Subject']} {told}".casefold()) == is_fine
            assert (FINE.upper() in told) == is_fine
