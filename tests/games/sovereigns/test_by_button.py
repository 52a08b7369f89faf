"""What happens between the deadlines, by buttons in a chat: an offer is accepted, a ballot is voted
on, and the game master rules.
"""

from pathlib import Path

import pytest

from pbem.demo.telegram.chats import Shown
from tests.games.sovereigns.test_house import FIVE, open_with_chats
from tests.house.hall import Hall, open_hall, table_of

HELD = "tests/games/sovereigns/desk (the same by mail), pages/test_menu.py (what buttons take)"


async def to_spring(hall: Hall) -> None:
    for name, kingdom in zip(
        FIVE, ("Aldermark", "Borland", "Cyrene", "Dunmore", "Eastfold"), strict=True
    ):
        text = f"Split 4/3/2, {kingdom}"
        await (hall.says(name, text) if name in ("Dirk", "Emma") else hall.mails(name, text))
    await hall.closes()
    await hall.closes()


def newest(hall: Hall, name: str, word: str) -> Shown:
    """The newest message in somebody's chat in which this word stands."""
    chat = hall.telegram.network.chats[hall.user(name).chat_id]
    return [shown for shown in chat.messages if shown.is_by_bot and word in shown.text][-1]


def buttons(shown: Shown) -> list[str]:
    return [button.text for line in shown.buttons for button in line]


@pytest.mark.long(held_by=HELD)
async def test_offers_ballots_and_rulings_by_button(tmp_path: Path) -> None:
    """SS-5.4, SS-8.3, SS-11.5, SS-12.12."""
    async with open_hall(tmp_path, FIVE) as hall:
        await open_with_chats(hall)
        await hall.links("GM")
        await to_spring(hall)
        await hall.mails("Anna", "Offer Dunmore: 1R permanent against 1M permanent")
        offer = newest(hall, "Dirk", "offers you a trade")
        assert {"Accept offer 1", "Decline offer 1"} <= set(buttons(offer))
        await hall.taps("Dirk", offer, "Accept offer 1")
        state = (await table_of(hall)).state
        assert [state.kingdom(n).total.R for n in (1, 4)] == [3, 5]
        await hall.mails("Ben", 'Try: 2R against Dunmore for -1 "dig a canal"')
        asked = newest(hall, "GM", "dig a canal")
        assert buttons(asked) == [
            *("rule Ben stands", "rule Ben diff 9", "rule Ben diff 12", "rule Ben contest R"),
        ]
        await hall.taps("GM", asked, "rule Ben diff 9")
        (ruling,) = (await table_of(hall)).state.rulings
        assert (ruling.player, ruling.difficulty) == (2, 9)
        await hall.mails("Cleo", "Claim victory")
        ballot = newest(hall, "Emma", "laim")
        await hall.taps("Emma", ballot, "No, Cyrene has not")
        assert not (await table_of(hall)).state.ballots
