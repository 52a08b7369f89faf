"""Colours by preference: wishes before the start, granted in the order of joining, told to
everybody, the same in the replay.
"""

from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import logged
from tests.desk.harness import GM, Desk, address_of
from tests.desk.lobbies import BY, answer, flat, join, lobby, names_of, subject_of
from tests.desk.looks import kinds_to


async def test_wishes_are_granted_at_the_start_in_the_order_of_joining_and_everybody_is_told(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek", "Chloé", "Dmytro")
        worn = dict(await names_of(desk))
        assert worn["Dmytro"] is not None
        receipt = await answer(desk, "Anna", "SET PREFERENCE teal, green")
        assert "You would like teal, then green" in flat(receipt)
        assert "in the order of joining" in flat(receipt)
        await answer(desk, "Bartek", "Hello,\nI'd like teal or violet, please\nthanks")
        await answer(desk, "Chloé", f"preference {worn['Dmytro']} teal")
        assert dict(await names_of(desk)) == worn, "nothing changes before the start"
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        assert await names_of(desk) == [
            ("Anna", "teal"),
            ("Bartek", "violet"),
            ("Chloé", worn["Chloé"]),
            ("Dmytro", worn["Dmytro"]),
        ]
        told = flat(desk.last("Dmytro", "colour"))
        assert "Anna: teal (wish 1)" in told
        assert "Bartek: violet (wish 2)" in told
        assert f"Chloé: {worn['Chloé']} (every wish was taken)" in told
        assert "Dmytro:" not in told
        assert len(await kinds_to(desk, "colours")) == 5
        ((_, detail, public),) = [
            entry for entry in await logged(desk) if entry[0] == "colours settled"
        ]
        assert (detail, public) == (
            {"players": {"Anna": "teal", "Bartek": "violet", "Chloé": worn["Chloé"]}},
            True,
        )
        assert await verify_game(desk.services, "heron") == []


async def test_two_may_change_with_one_another_and_a_wish_can_be_taken_back(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek", "Chloé")
        worn = dict(await names_of(desk))
        await answer(desk, "Anna", f"preference {worn['Bartek']}")
        await answer(desk, "Bartek", f"preference {worn['Anna']}")
        await answer(desk, "Chloé", "preference teal")
        assert "keep yours" in flat(await answer(desk, "Chloé", "preference *"))
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        assert dict(await names_of(desk)) == {
            "Anna": worn["Bartek"],
            "Bartek": worn["Anna"],
            "Chloé": worn["Chloé"],
        }


async def test_wishes_come_with_the_join_words_and_go_with_the_seat(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", wish=", preference teal violet")
        assert "You would like teal, then violet" in flat(desk.letters("Anna")[-1])
        await answer(desk, "Anna", "leave")
        await join(desk, "Anna", "Bartek")
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        assert "teal" not in dict(await names_of(desk)).values()
        assert await kinds_to(desk, "colours") == []
        assert subject_of(desk.letters("Bartek")[-1]).endswith("[Heron 1]")
        assert address_of("Anna") not in flat(desk.letters("Bartek")[-1])


@pytest.mark.parametrize("wish", ["SET PREFERENCE *", "I'd like green or blue, please"])
async def test_a_wish_that_comes_after_the_start_is_told_so_and_goes_to_nobody(
    desk: Desk, wish: str
) -> None:
    await desk.open_game(players=2)
    before = len(desk.postbox.to(GM))
    assert "before a game begins" in flat(await desk.write("Anna", wish))
    assert len(desk.postbox.to(GM)) == before
    assert "note" in flat(
        await desk.write("Anna", "I'd like green or blue, please. And may I have a day more?")
    )
