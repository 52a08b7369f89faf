"""People who write as people do: in their own zones, in the evening rather than at night, early,
late or not at all, with corrections, questions and press; some by mail, some by chat.

What they order comes from the scripted players of each game. All chance is a `random.Random`.
"""

import heapq
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from bench.table import POLICY, address_of, quote_below, write_answer
from pbem.clock import Clock
from pbem.demo.cast import small_talk, whole_cast
from pbem.demo.received import Received
from pbem.demo.stage import play_of
from pbem.demo.writing import write_chat, write_letter
from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.recipients import reply_address, seat_token
from pbem.desk.ports import Services, Transaction
from pbem.desk.table import OpenTable, load_table, mail_addresses
from pbem.mail.ports import Delivery, OutboundMail, Sent
from pbem.play import Person, ScriptedQuestion, Seen
from pbem.store.repositories.seats import SeatRow
from pbem.store.tables import phases
from pbem.telegram.ports import Answer, ChatMessage, ChatSent, Command, Me, Scope

AWAKE = (1, 1, 0, 0, 0, 1, 3, 6, 6, 4, 4, 5, 7, 6, 4, 4, 5, 7, 9, 10, 10, 9, 6, 3)
"""How likely somebody writes in each hour of their own day, most likely at 10."""
WEEKEND = (1, 1, 1, 0, 0, 0, 1, 2, 4, 7, 9, 9, 8, 7, 8, 8, 7, 6, 5, 6, 7, 7, 5, 3)
SILENT, LATE, CORRECTED, ASKED, PRESS, FINAL, BY_CHAT = 0.04, 0.03, 0.12, 0.15, 0.2, 0.5, 0.35
"""How many of those who are asked write nothing, or too late; change their orders; ask something;
write to others; say that it is final. How many people have a phone.
"""
QUESTIONS = ("status", "map", "history", "help", "deadline")
TRIES, LOOKED_AT = 12, 5
BOT_NAME, CODE_CHARACTERS = "realm_bot", 22
TAKEN = Sent("250 taken")
_FIRST = ("Ba", "Ce", "Do", "Fi", "Gu", "Ha", "Je", "Ko", "Li", "Mo", "Nu", "Pe", "Ri", "Su", "Ta")
_LAST = ("bor", "dan", "fra", "gol", "lis", "mir", "nok", "rik", "sel", "tov", "vin", "wen", "zan")


@dataclass(frozen=True, slots=True)
class Writer:
    """Somebody who plays at one table or at several. `chat` is the number of the phone; 0: none."""

    person: Person
    chat: int = 0

    @property
    def address(self) -> str:
        return self.person.address


@dataclass(frozen=True, slots=True)
class Writing:
    """What somebody means to write at a moment. It goes to `reply_to`, or ("") to the house; where
    `seat` names a seat, it quotes that seat's last turn mail. `about` tells what it belongs to.
    """

    at: datetime
    by: Writer
    text: str
    about: str
    reply_to: str = ""
    seat: int = 0
    in_chat: bool = False


def company(count: int, rng: random.Random) -> tuple[Writer, ...]:
    """People who all differ, `count` of them."""
    cast, found = whole_cast(), []
    for number in range(count):
        like = cast[number % len(cast)]
        name = _FIRST[number % len(_FIRST)] + _LAST[number // len(_FIRST) % len(_LAST)]
        name += "" if number < len(_FIRST) * len(_LAST) else f" {number // 100}"
        known = msgspec.structs.replace(like, name=name, address=address_of(name.replace(" ", ".")))
        found.append(Writer(known, 7_000_000 + number if rng.random() < BY_CHAT else 0))
    return tuple(found)


def moment(rng: random.Random, zone: str, begin: datetime, end: datetime) -> datetime:
    """When somebody writes between these instants."""
    place, at = ZoneInfo(zone), begin
    for _ in range(TRIES):
        at = begin + (end - begin) * rng.betavariate(1.3, 1.6)
        there = at.astimezone(place)
        likely = (WEEKEND if there.weekday() >= 5 else AWAKE)[there.hour]
        if rng.random() * 10 < likely:
            break
    return at.replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody who is asked at a table, and where they answer by mail."""

    table: OpenTable
    seat: SeatRow
    by: Writer
    reply_to: str
    in_chat: bool

    def write(self, rng: random.Random) -> Iterator[Writing]:
        """All that they write about it."""
        phase, zone = self.table.phase, self.by.person.zone
        assert phase is not None
        begin, end = phase.opened_at + timedelta(minutes=5), phase.deadline
        at = moment(rng, zone, begin, end)
        luck = rng.random()
        if luck < LATE:
            at = end + timedelta(hours=rng.uniform(0.1, 12))
        if rng.random() < PRESS:
            yield self._says(moment(rng, zone, begin, at), (self._press(rng),))
        if rng.random() < ASKED:
            yield self._says(moment(rng, zone, begin, at), (rng.choice(QUESTIONS),))
        if luck > 1 - SILENT:
            return
        changes = rng.random() < CORRECTED
        yield self._orders(at, rng, is_final=not changes and rng.random() < FINAL)
        if changes and at < end:
            yield self._orders(moment(rng, zone, at, end), rng, is_final=rng.random() < FINAL)

    def _orders(self, at: datetime, rng: random.Random, *, is_final: bool) -> Writing:
        play = play_of(self.table.kind)
        question = self._question(at)
        orders = play.plan(question, rng)
        lines = play.word(question.seen, orders, rng) if orders else []
        said = play.word_final(question.seen, rng) if is_final or not orders else ""
        return self._says(at, tuple(line for line in (*lines, said) if line), rng)

    def _question(self, at: datetime) -> ScriptedQuestion:
        table, number = self.table, self.seat.number
        phase, play = table.phase, play_of(table.kind)
        assert phase is not None
        view: Any = table.kind.ruleset.view(table.state, number)
        legal = tuple(table.kind.ruleset.legal(table.state, number))
        names = {seat.number: seat.name for seat in table.seats}
        seen = Seen(number, view, legal, names=names)
        turn, now = phase.number, min(at, phase.deadline - timedelta(minutes=1))
        stage = play.stage_of(view)
        return ScriptedQuestion(self.by.person, seen, stage, turn, turn, now, phase.deadline)

    def _press(self, rng: random.Random) -> str:
        others = [seat.name for seat in self.table.seats if seat.number != self.seat.number]
        to = rng.choice(("all", *others))
        return f"press to {to}: {rng.choice(small_talk().chat)}"

    def _says(
        self, at: datetime, lines: tuple[str, ...], rng: random.Random | None = None
    ) -> Writing:
        person, about = self.by.person, self.table.kind.ruleset.id
        if self.in_chat:
            text = write_chat(person, (f"{self.table.game.slug}: {lines[0]}", *lines[1:]), _NONE)
            return Writing(at, self.by, text, about, in_chat=True)
        text = write_letter(person, lines, rng) if rng is not None else "\n".join(lines)
        return Writing(at, self.by, text, about, self.reply_to, self.seat.id)


_NONE = random.Random(0)


def as_update(number: int, writing: Writing) -> bytes:
    """A message to the bot, as Telegram hands it over."""
    chat, date = writing.by.chat, int(writing.at.timestamp())
    message: Mapping[str, object] = {
        "message_id": number,
        "from": {"id": chat, "is_bot": False, "first_name": writing.by.person.name},
        "chat": {"id": chat, "type": "private"},
        "date": date,
        "text": writing.text,
    }
    return json.dumps({"update_id": number, "message": message}).encode()


class Crowd:
    """All people, what lies ahead of them, and what they get."""

    def __init__(self, count: int, clock: Clock, rng: random.Random) -> None:
        self.people = company(count, rng)
        self.letters = 0
        self._clock, self._rng = clock, rng
        self._by_address = {writer.address: writer for writer in self.people}
        self._of_person = dict[int, Writer]()
        self._linked = set[int]()
        self._ahead: list[tuple[datetime, int, Writing]] = []
        self._written = itertools.count(1)
        self._phase = 0

    def next_at(self) -> datetime | None:
        """When somebody writes next."""
        return self._ahead[0][0] if self._ahead else None

    def next(self) -> Writing:
        """What they write then."""
        return heapq.heappop(self._ahead)[2]

    def mean(self, writing: Writing) -> None:
        heapq.heappush(self._ahead, (writing.at, next(self._written), writing))

    def join(self, count: int, code: str) -> None:
        """Some of them want to sit down at a table within three days."""
        now = self._clock.now()
        for writer in self._rng.sample(self.people, count):
            name, zone = writer.person.name, writer.person.zone
            at = moment(self._rng, zone, now, now + timedelta(days=3))
            self.mean(Writing(at, writer, f"join {code} as {name}, time zone {zone}", "join"))

    async def consider(self, services: Services) -> None:
        """The people whom a newly opened phase asks make up their minds."""
        opened = sa.select(phases.c.id, phases.c.game_id).where(
            phases.c.id > self._phase, phases.c.status == "open"
        )
        async with services.read() as tx:
            found = (await tx.work.connection.execute(opened)).all()
            self._phase = max((row.id for row in found), default=self._phase)
            for game in await tx.work.games.list_of([row.game_id for row in found]):
                table = await load_table(tx, game)
                await self._know(tx, table)
                for asked in self._asked(services, table):
                    for writing in asked.write(self._rng):
                        self.mean(writing)

    def _asked(self, services: Services, table: OpenTable) -> Iterator[Asked]:
        phase = table.phase
        if phase is None:
            return
        for seat in table.seats:
            writer = self._of_person.get(seat.person_id or 0)
            if seat.number in phase.asked and writer is not None and seat.status == "active":
                token = seat_token(services.key, seat, phase.number)
                reply_to = reply_address(services.policy, token)
                yield Asked(table, seat, writer, reply_to, writer.chat in self._linked)

    async def _know(self, tx: Transaction[Services], table: OpenTable) -> None:
        """Who has a phone and sits down for the first time asks how to play by it."""
        ids = {seat.person_id for seat in table.seats if seat.person_id is not None}
        unknown = ids - self._of_person.keys()
        rows = await tx.work.people.list_addresses_of(unknown) if unknown else []
        for person, address in mail_addresses(rows).items():
            writer = self._of_person[person] = self._by_address[address]
            if writer.chat:
                at = self._clock.now() + timedelta(hours=self._rng.uniform(1, 30))
                self.mean(Writing(at, writer, "telegram", "link"))

    async def send(self, mail: OutboundMail) -> Delivery:
        """Every mail arrives at once. People confirm what they are asked to confirm, and
        follow a link to the bot.
        """
        self.letters += 1
        letter, writer = Received(mail.raw), self._by_address.get(mail.recipient)
        soon = self._clock.now() + timedelta(minutes=self._rng.uniform(3, 90))
        if writer is None:
            return TAKEN
        if letter.sort == "confirmation":
            self.mean(Writing(soon, writer, "yes", "confirm", letter.reply_to))
        elif writer.chat and writer.chat not in self._linked and letter.sort == "answer":
            _, found, rest = "".join(letter.text.split()).partition("?start=")
            if found:
                self._linked.add(writer.chat)
                start = f"/start {rest[:CODE_CHARACTERS]}"
                self.mean(Writing(soon, writer, start, "link", in_chat=True))
        return TAKEN


class Phones:
    """Takes every message to a chat at once."""

    def __init__(self) -> None:
        self.letters = 0

    async def send(self, message: ChatMessage) -> Answer:
        self.letters += 1
        return ChatSent(message.edits or self.letters)

    async def answer_tap(self, callback_id: str, text: str = "", *, alert: bool = False) -> bool:
        return True

    async def set_commands(self, scope: Scope, commands: Sequence[Command]) -> None:
        """Nobody looks at the menu."""

    async def me(self) -> Me:
        return Me(1, BOT_NAME)

    async def leave(self, chat_id: int) -> None:
        """There are no groups."""


async def as_mail(services: Services, writing: Writing, number: int) -> bytes:
    """As a mail program writes it, with the turn mail below that it answers."""
    now, message_id = services.clock.now(), f"<{number}@players.example>"
    if writing.seat:
        async with services.database.read() as work:
            rows = await work.outbox.list_last_of_seat(writing.seat, ("turn",), LOOKED_AT)
        row = next((row for row in rows if row.channel == MAIL), None)
        if row is not None:
            return quote_below(row, writing.text, now, message_id, writing.reply_to)
    address, to = writing.by.address, writing.reply_to or POLICY.address
    return write_answer(number, address, to, writing.text)
