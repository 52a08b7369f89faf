"""Whole games of four kingdoms: every reader is told every event that the public may know, once,
whenever their digests come; and nobody what the receipt of another says.
"""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Event
from pbem.desk.phases.past import decode_events
from pbem.desk.table import load_table
from pbem.games.fortresses.pages.letters import FortressesPages
from pbem.pages.page import FOOT_MARK, Page, Reader, Table
from pbem.play import Person, ScriptedQuestion, Seen
from pbem.registry import load_games
from pbem.store.work import Work
from tests.desk.chatting import GROUP, ChatDesk, open_chat_desk
from tests.desk.harness import GM, Desk, address_of, changed, parse, text_of
from tests.desk.visitors import look_on, set_rules
from tests.games.fortresses.desk.doomed import NAMES
from tests.games.fortresses.desk.test_command import concede
from tests.games.fortresses.desk.test_digest import bind_group, waiting
from tests.rings import at_length

GAMES = load_games()
FORTRESSES = GAMES["fortresses"]
RULES = FORTRESSES.ruleset
CLOSES = at_length(14, 60)
ACTED_AFTER = 4
"""After so many closes somebody does what takes effect at once, and is told at once."""
PERSON = Person("Anna", "anna@players.example", "UTC", (), "lines", 0.0, 0.5, 0.5, 0.5)
OPENED = datetime(2026, 11, 16, tzinfo=UTC)
MARK = re.compile(r"event ([0-9a-f]{16})")


def mark_of(event: Event) -> str:
    return hashlib.sha256(RULES.encode_event(event)).hexdigest()[:16]


def marked(page: Page, events: Sequence[Event]) -> Page:
    """The page, which names the public events that it was made of."""
    names = "\n".join(f"event {mark_of(event)}" for event in events if event.is_for(None))
    said, foot = page.text.rsplit(FOOT_MARK, 1)
    text = f"{said}\n{names}\n{FOOT_MARK}{foot}"
    return replace(page, text=text, chat=f"{page.chat}\n{names}" if page.chat else "")


class NamingPages(FortressesPages):
    """The pages of Fortresses, those that tell news naming the events."""

    def bulletin(self, table: Table, view: Any, events: Sequence[Event]) -> Page:
        return marked(super().bulletin(table, view, events), events)

    def turn(
        self, table: Table, reader: Reader, view: Any, events: Sequence[Event], standing: Any
    ) -> Page:
        return marked(super().turn(table, reader, view, events, standing), events)

    def ending(self, table: Table, view: Any, events: Sequence[Event], *told: Any) -> Page:
        return marked(super().ending(table, view, events, *told), events)


async def play_on(there: ChatDesk, chance: random.Random) -> bool:
    """One player answers, or lets the phase run out. False: the game is over."""
    desk = there.desk
    async with desk.services.read() as tx:
        game = await tx.work.games.find_by_slug("heron")
        assert game is not None
        table = await load_table(tx, game)
    if table.phase is None or game.status != "running":
        return False
    number = table.phase.asked[0]
    if chance.random() < 0.3:
        desk.clock.instant = table.phase.deadline + timedelta(seconds=2)
        await there.settle()
        return True
    view: Any = RULES.view(table.state, number)
    seen = Seen(number, view, tuple(RULES.legal(table.state, number)))
    play = FORTRESSES.play
    assert play is not None
    question = ScriptedQuestion(PERSON, seen, view.stage, 1, 1, OPENED, OPENED + timedelta(days=2))
    orders = [RULES.format_order(table.state, one) for one in play.plan(question, chance)]
    count = len(desk.postbox.mails)
    await desk.write(NAMES[number - 1], "\n".join((*orders, "Done")))
    await there.settle()
    writer = address_of(NAMES[number - 1])
    others = [one for one in desk.postbox.mails[count:] if one.recipient != writer]
    letters = [text_of(parse(one.raw)) for one in others]
    letters += [row.letter for row in await waiting(desk, "bulletin") if row.address != writer]
    assert not any("ALL FINE" in text or "You wrote" in text for text in letters)
    return True


def told(desk: Desk, address: str) -> list[str]:
    """The events that came to an address by mail."""
    texts = (text_of(parse(raw)) for raw in desk.postbox.to(address))
    return [name for text in texts for name in MARK.findall(text)]


def without(names: Iterable[str], began: Collection[str]) -> Counter[str]:
    """How often each is told, but for those of the beginning, which welcomes tell otherwise."""
    return Counter(name for name in names if name not in began)


async def events_of(work: Work, first: int) -> tuple[Event, ...]:
    """What everybody may know: of the phases from there on; from 0: of the beginning alone."""
    rows = await work.events.list_of_game(1, first)
    told = [row for row in rows if first or not row.phase_number]
    return decode_events(FORTRESSES, told, None)


async def release(there: ChatDesk) -> None:
    """The game stands still until whatever waits has come."""
    desk = there.desk
    async with desk.services.database.write() as work:
        await work.outbox.release_held(1, "bulletin", desk.clock.now())
    await there.settle()


@pytest.mark.parametrize("seed", range(at_length(1, 3)))
async def test_a_digest_tells_what_its_bulletins_would_have_told(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    async with open_chat_desk(tmp_path, 0) as there:
        desk = there.desk
        games = {**GAMES, "fortresses": replace(FORTRESSES, pages=NamingPages())}
        desk.services = changed(desk.services, games=games)
        desk.watched = True
        await desk.open_game(4, names=NAMES, ruleset="fortresses")
        await set_rules(desk, observers=True)
        await look_on(desk, "Olga", "Pavel")
        await bind_group(desk)
        for name in ("Anna", "Pavel"):
            await desk.write(name, "news at once", answering=desk.letters(name)[-1])
        for close in range(CLOSES):
            if not await play_on(there, chance):
                break
            if close == ACTED_AFTER:
                await concede(desk, "Bartek")
                await there.settle()
        await release(there)
        async with desk.services.database.read() as work:
            began = {mark_of(one) for one in await events_of(work, 0)}
            happened = Counter(map(mark_of, await events_of(work, 1)))
            assert any("Concede" in row.body for row in await work.acts.list_of_game(1))
        in_group = [name for one in there.box.to(GROUP) for name in MARK.findall(one.text)]
        by_mail = [told(desk, address_of(name)) for name in (*NAMES, "Olga", "Pavel")]
        for names in (*by_mail, told(desk, GM), in_group):
            assert without(names, began) == without(happened.elements(), began)
        assert len(desk.letters("Olga")) < len(desk.letters("Pavel")) / 2
        assert len(desk.letters("Bartek")) < len(desk.letters("Anna"))
