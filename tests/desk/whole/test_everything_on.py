"""A game with chosen factions, the Island and two teams, played through the desk by mail."""

from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import GRETA, acts_of, state_of
from tests.desk.harness import Desk, text_of
from tests.desk.looks import calendar_of, kinds_to, phase_of

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
FIRST = {
    "Anna": "Faction Kalu'Ak. Bid 60, Bartek pays 15 of it. Final",
    "Bartek": "faction lannuvar, bid 5. final",
    "Chloé": "Faction Iron Light. Bid 3. Final",
    "Dmytro": "I'd like to play Cenarion and bid two. final",
}


def flat(mail: Any) -> str:
    return " ".join(text_of(mail).split())


async def hours_of(desk: Desk) -> tuple[str, float]:
    phase = await phase_of(desk)
    return phase.kind, (phase.deadline - phase.opened_at).total_seconds() / 3600


async def realm_of(desk: Desk) -> dict[str, int]:
    state = await state_of(desk, (await phase_of(desk)).number)
    return {player.name: player.realm for player in state.players}


async def correct(desk: Desk, **act: Any) -> None:
    await gm.apply_act(desk.services, "heron", {"reason": "for the test", **act}, GRETA)
    await desk.work()


@pytest.mark.long(held_by="tests/desk/whole/test_secrecy.py (whole games)")
async def test_a_game_with_everything_on_goes_through_the_desk(desk: Desk) -> None:
    await desk.open_game(4, factions="choice", island=True, teams=2)
    assert await hours_of(desk) == ("bidding", 48), "a day is two days for teams"
    state = await state_of(desk, 1)
    assert [player.team for player in state.players] == ["A", "A", "B", "B"]
    asked = text_of(desk.turn_mail("Anna"))
    assert "THE FACTIONS" in asked
    deadline = (await phase_of(desk)).deadline
    assert f"{deadline:%Y%m%dT%H%M%SZ}" in calendar_of(desk.turn_mail("Anna"))
    assert '"Bid 25 (10 from Bartek)"' in " ".join(asked.split())
    desk.clock.forward(hours=25)
    await desk.work()
    assert len(await kinds_to(desk, "reminder")) == 4, (
        "reminded a day before the end of the longer window"
    )

    # First bids, with money of a team-mate: own money goes first, so that Bartek lends 10 of
    # the 15.
    for name, text in FIRST.items():
        receipt = text_of(await desk.write(name, text))
        if name == "Anna":
            assert "Use 15 from Bartek" in receipt
    assert await hours_of(desk) == ("orders", 72)
    assert await realm_of(desk) == {"Anna": 0, "Bartek": 35, "Chloé": 47, "Dmytro": 48}
    assert "You use 10 of Bartek" in flat(desk.turn_mail("Anna"))
    number = (await phase_of(desk)).number
    state = await state_of(desk, number)
    assert [player.faction for player in state.players] == [
        *("Kalu'Ak", "Lannuvár", "Iron Light", "Cenarion"),
    ]
    assert state.ranking[0] == 1
    assert "Weather forecast" in flat(desk.turn_mail("Anna"))
    assert "WHAT YOU CAN STILL USE" in text_of(await desk.write("Anna", "status"))

    # The Island is hers for the test's sake; both looks are answered at once.
    await correct(desk, act="set-money", player=1, realm=100)
    await correct(desk, act="set-owner", province=0, owner=1)
    await correct(desk, act="set-units", province=0, units=1)
    cards = (
        (await state_of(desk, number)).event.draw[0],
        (await state_of(desk, number)).sea.draw[0],
    )
    answer = text_of(await desk.write("Anna", "Weather forecast\nPalantir: sea\nwork P1"))
    assert all(card in answer for card in cards)
    assert (await realm_of(desk))["Anna"] == 85, "the Palantír is paid at once"
    assert [row.actor for row in await acts_of(desk)] == ["gm", "gm", "gm", "1", "1"]
    for name in NAMES:
        await desk.write(name, "work everywhere. final" if name != "Anna" else "final")

    # Consolidation: the Sanctum's gift, and the Bank, which answers twelve hours after the
    # others' bids are shown.
    assert await hours_of(desk) == ("consolidation", 48)
    assert 'You can use "Take Defenders of the Realm"' in flat(desk.turn_mail("Anna"))
    assert "Take Crusade" in flat(await desk.write("Anna", "status"))
    await desk.write("Anna", "take Crusade, bid 17. final")
    assert "The Bank of Lannuvár" in text_of(
        await desk.write("Bartek", "The bank of lannuvar. final")
    )
    await desk.write("Chloé", "bid 12 with 5 from Dmytro. final")
    await desk.write("Dmytro", "bid 3. final")
    assert await hours_of(desk) == ("bank", 12)
    assert (await phase_of(desk)).asked == (2,)
    assert "17" in flat(desk.turn_mail("Bartek")), "he knows what the others have bid"
    await desk.write("Bartek", "bid 1. final")
    phase = await phase_of(desk)
    assert phase.kind != "bank"
    state = await state_of(desk, phase.number)
    assert state.turn == 2
    assert state.players[0].extra == ("Crusade",)
    assert state.players[1].used == ("bank",)
    for _ in range(5):
        await desk.everybody_passes()
    assert (await state_of(desk, (await phase_of(desk)).number)).turn >= 3
    assert await verify_game(desk.services, "heron") == []
    for reader in NAMES:
        for mail in desk.letters(reader):
            if reader != "Anna":
                assert "What you see" not in text_of(mail)
                assert "WHAT YOU SEE" not in text_of(mail)
