"""A short game of three over embedded servers and the stand-in for Telegram: one plays by phone,
and the gallery shows it.
"""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.demo.cast import seats_by_phone, whole_cast
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.pages import write_gallery
from pbem.demo.gm_script import NAME as HOSTESS
from pbem.demo.stage import Playbill, open_stage, start_table
from pbem.demo.switchboard import ChatLog
from pbem.registry import default_game, load_games

PEOPLE = whole_cast()[:3]
ANNA = PEOPLE[0].name


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of it; `chats` are the ids of the chats by whose they are, "" for the group."""

    counts: Counts
    log: ChatLog
    chats: dict[str, int]
    gallery: Path

    def texts(self, whose: str) -> list[str]:
        """What the bot wrote there, as it stands in the end."""
        return [
            versions[-1].text
            for versions in self.log.of_chat(self.chats[whose])
            if versions[-1].is_by_bot
        ]

    def page(self, name: str) -> str:
        return (self.gallery.parent / "chats" / f"{name}.html").read_text("utf-8")


async def _play(folder: Path) -> Played:
    async with open_stage(
        PEOPLE,
        Playbill(default_game(load_games()).ruleset.id),
        5,
        folder / "data",
        by_phone=seats_by_phone(PEOPLE),
    ) as stage:
        assert stage.board is not None
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        while (await stage.moment()).turn == 1:
            await stage.pace.step()
        gallery = (await write_gallery(stage, PEOPLE, stage.chosen, 1.0, folder / "out")).index
        chats = {name: user.chat_id for name, user in stage.board.users.items()} | {
            "": stage.board.group.chat_id
        }
        return Played(await read_counts(stage), stage.board.log, chats, gallery)


pytestmark = pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a demonstration), tests/desk/chat, tests/telegram (chats)"
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return asyncio.run(_play(tmp_path_factory.mktemp("phones")))


def test_three_of_seven_and_one_of_three_play_by_phone() -> None:
    assert [len(seats_by_phone(whole_cast()[:players])) for players in (2, 3, 5, 7, 16)] == [
        *(0, 1, 2, 3, 3),
    ]


def test_telegrams_limits_are_kept_and_nothing_is_shunted(played: Played) -> None:
    assert played.counts.violations == 0
    assert played.counts.shunted == 0
    assert played.counts.updates_in >= 10
    assert played.counts.messages_out >= 15


def test_whoever_follows_the_link_of_the_mail_plays_by_chat_and_is_answered_there(
    played: Played,
) -> None:
    texts = played.texts(ANNA)
    assert any("This chat is yours" in text for text in texts)
    assert any(re.match(r"\d orders? in", text) and "Bid" in text for text in texts)
    assert any("our orders, please" in text for text in texts)


def test_a_mistake_is_mended_by_changing_the_message_and_the_receipt_changes_with_it(
    played: Played,
) -> None:
    of_anna = [
        versions for versions in played.log.of_chat(played.chats[ANNA]) if versions[0].by == ANNA
    ]
    (changed,) = [versions for versions in of_anna if len(versions) > 1]
    receipts = [
        versions
        for versions in played.log.of_chat(played.chats[ANNA])
        if versions[0].reply_to == changed[0].message_id
    ]
    assert [version.text.partition(" ·")[0] for version in receipts[0]][-1].startswith("1 order in")
    assert receipts[0][0].text != receipts[0][-1].text


def test_the_group_gets_bulletins_and_public_press_and_nothing_of_anybodys_own(
    played: Played,
) -> None:
    texts = played.texts("")
    assert any("Turn 1: " in text for text in texts)
    assert any("Press from Chloé" in text and "vineyard" in text for text in texts)
    assert not [
        text
        for text in texts
        if "all fine" in text or "our orders, please" in text or "your time" in text
    ]


def test_the_game_master_links_her_account_and_looks_how_things_stand(played: Played) -> None:
    texts = played.texts(HOSTESS)
    assert any("A group for Heron" in text for text in texts)
    assert any("Status of Heron" in text for text in texts)


def test_the_gallery_shows_the_phones_beside_the_mails_and_works_offline(played: Played) -> None:
    index = played.gallery.read_text("utf-8")
    assert '<section id="chats">' in index
    for name in ("anna", "group", HOSTESS.lower()):
        assert f'src="chats/{name}.html"' in index
        page = played.page(name)
        links = re.findall(r'(?:href|src)="([^"]+)"', page)
        assert links
        assert [
            link
            for link in links
            if not (played.gallery.parent / "chats" / link.partition("#")[0]).is_file()
        ] == []
        assert "<script" not in page
    anna = played.page("anna")
    assert 'class="key' in anna
    assert "edited" in anna
    assert "how it was before" in anna
    assert anna.count("<img") >= 4
    assert ">Telegram<" in index
    assert not re.search(r"/start</span> \w", anna), "the code of a link"
