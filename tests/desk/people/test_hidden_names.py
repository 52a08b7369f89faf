"""Names hidden until the end: whatever reaches other players before says nothing of who somebody
is, neither in mails nor in chats, and at the end everybody is told.
"""

import json
import re
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.ruleset import Event
from pbem.archive.reader import read_archive
from pbem.archive.site import archive_game
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.gm.history import end
from pbem.desk.gm.people import replace
from pbem.desk.gm.table_rules import set_people
from pbem.desk.lobby.rows import name_of_colour
from pbem.desk.table import house_table
from pbem.desk.upkeep.status import read_status_for
from pbem.game import Game
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.people_rules import PeopleRules
from pbem.grammar.press import split_press
from pbem.pages.gm import table_status_text
from pbem.pages.page import Reader
from pbem.registry import load_games
from pbem.store import tables
from tests.desk.chatting import GROUP, ChatDesk, open_chat_desk
from tests.desk.commanding import refused
from tests.desk.harness import GM, PIXEL, Desk, StillPainter, address_of, open_desk, parse
from tests.desk.lobbies import code_of, game_of, names_of, open_lobby, seats_of
from tests.desk.mastery import command, gm_last
from tests.desk.timekeeping import texts
from tests.desk.visitors import BY, flat, look_on
from tests.rings import sampled
from tests.rows import each_row

HIDDEN = PeopleRules(hidden_names=True)
CHATTER, HANDLE, CALLED = 77, "qanarychat", "Qanarina"
MAILERS = ("Xenquist", "Yorvath", "Wandavex", "Zumpango")


async def sit_down(chats: ChatDesk, **table: Any) -> None:
    """Two join by mail and one in a chat; the first colours are theirs."""
    desk = chats.desk
    await open_lobby(desk, people=HIDDEN, **table)
    code = await code_of(desk)
    for name in ("Xenquist", "Yorvath"):
        await desk.write(name, f"join {code} as {name}", token=False, dmarc=None)
        await desk.write(name, "yes", answering=desk.letters(name)[-1], dmarc=None)
    await chats.says(CHATTER, f"/join {code}", **who())


async def answer_newest(desk: Desk, name: str, words: str) -> None:
    await desk.write(name, words, answering=desk.letters(name)[-1])


async def newest(desk: Desk, name: str, words: str) -> EmailMessage:
    answer = await desk.write(name, words)
    assert answer is not None
    return answer


def who() -> dict[str, Any]:
    sender: dict[str, Any] = {
        "id": CHATTER,
        "is_bot": False,
        "first_name": CALLED,
        "username": HANDLE,
    }
    return {"from": sender}


def canaries() -> dict[str, tuple[str, ...]]:
    """What gives each player away, by who they are."""
    told = {name: (name.casefold(),) for name in MAILERS}
    return told | {"chat": (CALLED.casefold(), HANDLE)}


def letters_to_others(chats: ChatDesk, name: str) -> Iterator[str]:
    """All that reaches players other than this one: every part of every mail, and every chat."""
    for mail in chats.desk.postbox.mails:
        if mail.recipient in (GM, address_of(name)):
            continue
        parsed = parse(mail.raw)
        yield mail.raw.decode("ascii")
        yield from (f"{key}: {value}" for key, value in parsed.items())
        for part in parsed.walk():
            if not part.is_multipart():
                body = part.get_payload(decode=True)
                yield body.decode("utf-8", "replace") if isinstance(body, bytes) else ""
                yield part.get_filename() or ""
    for chat_id, posted in chats.box.chats.items():
        if name != "chat" or chat_id != CHATTER:
            yield from (one.text for one in posted)
    for message in chats.box.sent:
        if name != "chat" or message.chat_id != CHATTER:
            yield message.html


def check_nobody_knows(chats: ChatDesk) -> None:
    for name, said in canaries().items():
        for text in letters_to_others(chats, name):
            for canary in said:
                place = text.casefold().find(canary)
                assert place < 0, text[max(0, place - 200) : place + 200]


async def test_a_whole_game_tells_nobody_who_is_who_before_its_end(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as chats:
        desk = chats.desk
        await sit_down(chats)
        assert await names_of(desk) == [("Red", "red"), ("Blue", "blue"), ("Yellow", "yellow")]
        await answer_newest(desk, "Xenquist", "colour green\nplayers\nI'd like pink or brown")
        await answer_newest(desk, "Yorvath", "name Ysolde\nplayers")
        assert "Names are hidden in this game" in flat(desk.letters("Yorvath")[-1])
        await look_on(desk, "Olga")
        async with desk.services.database.write() as work:
            group = await work.chats.put(
                "telegram", str(GROUP), title="Heron", state="active", since=desk.clock.now()
            )
            await work.chats.belong(group, 1)
        await gm.start(desk.services, "heron", BY)
        await chats.settle()
        assert await names_of(desk) == [("Pink", "pink"), ("Blue", "blue"), ("Yellow", "yellow")]
        for words in (
            "players",
            "status",
            "profile Pink",
            "log",
            "hall of fame",
            "observers",
            "press to all: Good luck to you!\nENDPRESS",
            "press to Pink: Shall we?\nENDPRESS",
            "bid 3",
        ):
            await desk.write("Yorvath", words)
            await chats.says(CHATTER, words.replace("\nENDPRESS", ""), **who())
        assert "Blue" in texts(desk, "Xenquist", "press")[0]
        await desk.write("Xenquist", "press to Blue: With pleasure.\n\nXenquist")
        assert "With your name below it?" in str(desk.letters("Xenquist")[-1]["Subject"])
        unnamed = "press to Blue: With pleasure.\n\nXenquist"  # the sender has no name here
        await desk.write("Xenquist", unnamed, sender=address_of("Xenquist"))
        assert "With your name below it?" in str(desk.letters("Xenquist")[-1]["Subject"])
        await desk.write("Xenquist", "bid 4")
        await desk.everybody_passes()
        await chats.settle()
        seat = await replace(desk.services, "heron", "Pink", "Wandavex", address_of("Wandavex"), BY)
        assert seat == 1
        await chats.settle()
        await answer_newest(desk, "Wandavex", "status")
        status = await command(desk, "status heron", answering=gm_last(desk, "Heron"))
        assert "Blue (Yorvath)" in " ".join(status.split())
        for _ in range(60):
            if (await game_of(desk)).status != "running":
                break
            check_nobody_knows(chats)
            async with desk.services.database.read() as work:
                for table in (tables.states, tables.events, tables.orders, tables.phases):
                    rows = (await work.connection.execute(sa.select(table))).all()
                    text = json.dumps([list(map(str, row)) for row in rows]).casefold()
                    assert not any(
                        word in text for said in canaries().values() for word in said[:1]
                    )
            await desk.everybody_passes()
            await chats.settle()
        assert (await game_of(desk)).phase_number > 5
        told = texts(desk, "Yorvath", "Who was who")
        if not told:
            await end(desk.services, "heron", BY, "all have left")
            await chats.settle()
            told = texts(desk, "Yorvath", "Who was who")
        assert len(texts(desk, "Olga", "Who was who")) == 1
        assert any("Pink: Xenquist" in one.text for one in chats.box.chats[GROUP])
        (names,) = told
        for line in ("Pink: Xenquist, then Wandavex", "Blue: Yorvath", f"Yellow: {CALLED}"):
            assert line in names
        fame = flat(await newest(desk, "Yorvath", "hall of fame"))
        assert "Yorvath" in fame
        assert "Blue" not in fame.partition("This mail is for")[0]


async def test_team_mates_know_one_another_by_colour_alone(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as chats:
        desk = chats.desk
        await sit_down(chats, most_players=4, options={"teams": 2})
        code = await code_of(desk)
        await desk.write("Wandavex", f"join {code} as Wandavex", token=False, dmarc=None)
        await answer_newest(desk, "Wandavex", "yes")
        await answer_newest(desk, "Yorvath", "team Orange")
        assert "NOT DONE" in flat(desk.letters("Yorvath")[-1]), "Orange may come"
        await answer_newest(desk, "Yorvath", "with Red")
        assert "Blue would like" in flat(desk.letters("Xenquist")[-1])
        await answer_newest(desk, "Xenquist", "with Blue")
        await chats.settle()
        await gm.start(desk.services, "heron", BY)
        await chats.settle()
        assert "Team A, with Blue" in flat(desk.turn_mail("Xenquist"))
        await desk.write("Yorvath", "press to team: Shall we?\nENDPRESS")
        assert "Press to the team from Blue" in str(desk.letters("Xenquist")[-1]["Subject"])
        await replace(desk.services, "heron", "Red", "Zumpango", address_of("Zumpango"), BY)
        await chats.settle()
        assert "A new player for Red" in str(desk.letters("Yorvath")[-1]["Subject"])
        assert "Team A, with Blue" in flat(desk.turn_mail("Zumpango"))
        check_nobody_knows(chats)
        said = []
        for name in ("Xenquist", "Nobodier"):
            await desk.write("Yorvath", f"press to {name}: Shall we?")
            said.append(flat(desk.letters("Yorvath")[-1]).replace(name, "NAME"))
        assert said[0] == said[1]


async def test_who_guesses_a_name_learns_nothing(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as chats:
        desk = chats.desk
        await sit_down(chats)
        await gm.start(desk.services, "heron", BY)
        await chats.settle()
        said = []
        for name in ("Xenquist", "Nobodier"):
            for words in (
                f"profile {name}",
                f"{name} {address_of(name)} plays for me until tomorrow 18:00",
                f"{name} plays for me until tomorrow 18:00",
            ):
                said.append(flat(await newest(desk, "Yorvath", words)).replace(name, "NAME"))
        assert said[:3] == said[3:]
        assert "only the game master finds a substitute" in said[1]


async def test_an_archive_tells_names_only_at_the_end(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as chats:
        desk = chats.desk
        await sit_down(chats)
        await gm.start(desk.services, "heron", BY)
        await desk.everybody_passes()
        shown = repr(await read_archive(desk.services, await game_of(desk))).casefold()
        assert not any(word in shown for said in canaries().values() for word in said[:1])
        await end(desk.services, "heron", BY)
        archive = await read_archive(desk.services, await game_of(desk))
        assert "Red was Xenquist; Blue was Yorvath" in archive.names


GAMES = load_games()
NAMES = sorted({name_of_colour(one) for game in GAMES.values() for one in game.colours})
NEUTRAL = "Zorblaxe"
HEADINGS = ("press {}: hi", "press {}, Ben: hi", "press {} and Ben: hi", "press to {}: hi")


@each_row("name", NAMES)
def test_every_word_of_the_house_takes_such_a_name_as_any_other(name: str) -> None:
    """F-105: `mute grey` is about nameless press, and `press white, blue: ...` is press with a
    name.
    """

    def said(called: str) -> list[str]:
        roll = Roll((Member(1, called), Member(2, "Ben"), Member(3, "Anna")), writer=3)
        house = [parse_commands(f"{word} {called}") for word in load_words().taking]
        press = [split_press(heading.format(called), roll) for heading in HEADINGS]
        told = (re.sub(r"suggestions=[(].*?[)]", "", repr(one)) for one in (*house, *press))
        return [one.replace(called, NEUTRAL).replace(called.casefold(), "zorblaxe") for one in told]

    assert said(name) == said(NEUTRAL)
    assert not load_words().knows(name.casefold())


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_two_colours_and_no_word_of_the_game_are_such_a_name(game: Game) -> None:
    names = [name_of_colour(colour).casefold() for colour in game.colours]
    words = {*game.reserved_words} - {*game.colours}
    assert len({*names}) == len(names)
    assert not words & {*names}


class ReadPainter(StillPainter):
    """Draws every board as its game does, and keeps what is written on each picture."""

    def __init__(self) -> None:
        self.written: list[str] = []

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        return board.land(view, seed, map_text) if board.land is not None else b""

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        drawn = await self.drawing(board, view, events, land, facts)
        return Picture(PIXEL, drawn.alt)

    async def drawing(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Drawing:
        drawn = board.draw(board.stage(view, events, facts), land)
        self.written += (drawn.svg, drawn.alt)
        return drawn

    async def image(self, svg: str) -> bytes:
        self.written.append(svg)
        return await super().image(svg)

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        self.written.append(svg)
        return await super().sheet(svg, wide)


@pytest.mark.parametrize("kind", sampled([*GAMES, "straits"], 2))
async def test_no_picture_and_no_page_of_any_game_names_anybody(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "plugin_map")
    from straits.game import GAME

    games, painter = {**GAMES, "straits": GAME}, ReadPainter()
    people = [f"Xenquist{letter}" for letter in "abcdefgh"[: games[kind].ruleset.players[0]]]
    async with open_desk(tmp_path, games=games, painter=painter) as desk:
        await open_lobby(desk, ruleset=kind, people=HIDDEN)
        for name in people:
            await gm.invite(desk.services, "heron", name, address_of(name), BY)
        await gm.start(desk.services, "heron", BY)
        for _ in range(3):
            await desk.everybody_passes()
        archived = await archive_game(desk.services, "heron", tmp_path / "out", BY)
        files = {one: (tmp_path / "out" / one).read_bytes() for one in archived.change.written}
        assert len(painter.written) > 8
        assert any("Red" in one or "Green" in one for one in painter.written), "texts are read"
        for text in (*painter.written, *(each.decode("latin-1") for each in files.values())):
            assert "xenquist" not in text.casefold()
        await end(desk.services, "heron", BY)
        await archive_game(desk.services, "heron", tmp_path / "out", BY)
        assert all(name in (tmp_path / "out" / "index.html").read_text() for name in people)


async def test_a_game_master_who_plays_learns_no_address_from_the_status(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as chats:
        desk = chats.desk
        await sit_down(chats)
        await gm.start(desk.services, "heron", BY)
        await chats.settle()
        seats = await seats_of(desk)
        async with desk.services.read() as tx:
            whole = await read_status_for(tx, "heron", None)
            playing = await read_status_for(tx, "heron", seats[0].person_id)
        assert [one.address for one in whole.seats[:2]] == [*map(address_of, MAILERS[:2])]
        assert [one.address for one in playing.seats] == [address_of("Xenquist"), "", ""]
        told = repr(playing).casefold()
        assert not any(word in told for word in ("yorvath", CALLED.casefold()))
        page = table_status_text(house_table(desk.services), Reader(None, "", "UTC"), playing)
        assert "hidden" in page


async def test_it_is_set_when_a_game_is_opened_and_never_changed(desk: Desk) -> None:
    await open_lobby(desk, people=HIDDEN)
    change = set_people(desk.services, "heron", {"hidden_names": False}, BY)
    assert await refused(change) == "names-hidden"
    await open_lobby(desk, slug="egret")
    with pytest.raises(gm.Refused, match="when the game is opened"):
        await set_people(desk.services, "egret", {"hidden_names": True}, BY)


async def test_an_invitation_says_it_and_calls_nobody_by_name(desk: Desk) -> None:
    await open_lobby(desk, people=HIDDEN)
    for name in ("Xenquist", "Yorvath"):
        await gm.invite(desk.services, "heron", name, address_of(name), BY)
    await desk.work()
    invited = flat(desk.letters("Yorvath")[-1])
    assert "Names are hidden until the end" in invited
    assert "Red" in invited
    assert "Xenquist" not in invited
