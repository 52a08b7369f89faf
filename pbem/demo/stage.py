"""Everything a demonstration needs, in one block: the embedded servers, the service, a table, and people with mailboxes."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.ruleset import Event
from pbem.config import Config, DatabaseSection, GmSection, ImapSection, ServiceSection, SmtpSection
from pbem.demo.cast import Person
from pbem.demo.clock import FastClock
from pbem.demo.correspondents import Correspondent
from pbem.demo.guide import rules_url
from pbem.demo.mailboxes import Letterbox, Recorder, open_mailbox
from pbem.demo.mind import Mind
from pbem.demo.pace import Pace, Player
from pbem.demo.play import Play, Seen
from pbem.demo.plays import find_play
from pbem.demo.quirks import quirk_of_seat
from pbem.demo.servers import EmbeddedMail
from pbem.demo.strangers import ADDRESS, Stranger
from pbem.demo.writing import write_letter
from pbem.desk import gm
from pbem.desk.ports import Parts
from pbem.desk.table import OpenTable, decode_events, load_table
from pbem.games import DEFAULT_RULESET
from pbem.house import Service, open_service
from pbem.pages.gallery import Happening

HOST = "realm.example"
SERVICE_ADDRESS = f"orders@{HOST}"
RULES_URL = rules_url(HOST)
GM_ADDRESS = f"gm@{HOST}"
SLUG = "heron"
TITLE = "Heron"
ZONE = "Europe/Berlin"
ACTOR = "demo"

_REMEMBERED = 3
"""So many phases back a player remembers."""


@dataclass(frozen=True, slots=True)
class Playbill:
    """What is played: the game, and the table's options in its own words."""

    ruleset: str = DEFAULT_RULESET
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The table as it stands now; `view` is the public one."""

    phase_number: int
    kind: str
    deadline: datetime | None
    view: Any
    over: bool
    turn: int


def game_seed(seed: int) -> bytes:
    """The secret of the game's own chance: the same for the same seed."""
    return hashlib.sha256(f"pbem demo {seed}".encode()).digest()


def demo_config(data_dir: Path) -> Config:
    """The settings of a demonstration; neither files nor the environment have a say in them."""
    return Config.model_construct(
        service=ServiceSection(data_dir=data_dir, address=SERVICE_ADDRESS, authserv_id=HOST, zone=ZONE, rules_url=RULES_URL),
        imap=ImapSection(),
        smtp=SmtpSection(),
        gm=GmSection(addresses=(GM_ADDRESS,)),
        database=DatabaseSection(),
    )


class Stage:
    """A running demonstration: time, the wire, the service, and who plays."""

    def __init__(self, clock: FastClock, mail: EmbeddedMail, service: Service, recorder: Recorder, play: Play) -> None:
        self.play = play
        self.clock = clock
        self.mail = mail
        self.service = service
        self.recorder = recorder
        self.pace = Pace(clock, service, SERVICE_ADDRESS, recorder.arrivals)
        self.correspondents: list[Correspondent] = []

    @property
    def parts(self) -> Parts:
        return self.service.parts

    async def look(self, number: int) -> Seen:
        """What the seat of this number may see, and nothing else: its own view, its own legal orders, and what happened lately."""
        async with self.parts.database.read() as work:
            table = await self._load(work)
            rows = await work.events.list_of_game(table.game.id, max(1, table.game.phase_number - _REMEMBERED))
        rules = table.kind.ruleset
        view: Any = rules.view(table.state, number)
        return Seen(number, view, tuple(rules.legal(table.state, number)), tuple(decode_events(table.kind, rows, None)))

    async def phase_number(self) -> int:
        """How many phases have been opened so far; it changes with every close."""
        async with self.parts.database.read() as work:
            game = await work.games.find_by_slug(SLUG)
        return game.phase_number if game is not None else 0

    async def moment(self) -> Moment:
        """The table as everybody may know it."""
        table = await self._table()
        kind = table.phase.kind if table.phase is not None and table.game.status == "running" else "over"
        deadline = table.phase.deadline if table.phase is not None else None
        view: Any = table.kind.ruleset.view(table.state, None)
        is_over = table.game.status in ("over", "ended")
        return Moment(table.game.phase_number, kind, deadline, view, is_over, self.play.turn_of(view))

    async def happenings(self, from_phase: int, to_phase: int) -> list[Happening]:
        """What became public when these phases were closed, in words."""
        told = []
        for number in range(from_phase, to_phase):
            async with self.parts.database.read() as work:
                table = await self._load(work)
                rows = await work.events.list_of_phase(table.game.id, number)
                state = await work.states.find(table.game.id, number + 1)
            if state is None:
                continue
            view: Any = table.kind.ruleset.view(table.kind.ruleset.decode_state(state.body), None)
            for event in decode_events(table.kind, rows, None):
                words = table.kind.pages.describe_event(event, view)
                if words:
                    told.append(Happening(number, self.play.turn_of(view), event.kind, words))
        return told

    async def public_events(self) -> list[Event]:
        """Every public event of the game so far."""
        async with self.parts.database.read() as work:
            table = await self._load(work)
            rows = await work.events.list_of_game(table.game.id)
        return list(decode_events(table.kind, rows, None))

    async def _table(self) -> OpenTable:
        async with self.parts.database.read() as work:
            return await self._load(work)

    async def _load(self, work: Any) -> OpenTable:
        game = await work.games.find_by_slug(SLUG)
        return await load_table(work, self.parts.games, game)


@asynccontextmanager
async def open_stage(
    people: Sequence[Person], played: Playbill, seed: int, data_dir: Path, *, guest: tuple[Person, Player] | None = None
) -> AsyncIterator[Stage]:
    """Open a table for these people, ready to be started; a guest who is no correspondent sits in seat 1."""
    clock = FastClock()
    recorder = Recorder(clock)
    async with AsyncExitStack() as stack:
        mail = await stack.enter_async_context(EmbeddedMail(clock, host=HOST, on_arrival=recorder))
        await mail.add_account(SERVICE_ADDRESS, "pass-orders")
        await mail.add_account(GM_ADDRESS, "pass-gm", imap=False)
        guests = [guest[0]] if guest is not None else []
        boxes = [await open_mailbox(stack, mail, person.address, clock, recorder) for person in (*guests, *people)]
        service = await stack.enter_async_context(
            open_service(
                demo_config(data_dir), clock, imap=mail.imap_settings(SERVICE_ADDRESS), smtp=mail.smtp_settings(SERVICE_ADDRESS),
                new_seed=lambda: game_seed(seed),
            )
        )  # fmt: skip
        play = find_play(played.ruleset)
        stage = Stage(clock, mail, service, recorder, play)
        table = gm.NewTable(SLUG, TITLE, played.ruleset, dict(played.options), ZONE, gm_name="Greta")
        await gm.open_table(stage.parts, table, gm.By(ACTOR))
        if guest is not None:
            await gm.invite(stage.parts, SLUG, guest[0].name, guest[0].address, gm.By(ACTOR), zone=guest[0].zone)
            stage.pace.join(guest[1], boxes.pop(0))
        for index, (person, box) in enumerate(zip(people, boxes, strict=True)):
            number = await gm.invite(stage.parts, SLUG, person.name, person.address, gm.By(ACTOR), zone=person.zone)
            player = Correspondent(Mind(person, number, seed, play, stage.look, quirk_of_seat(index), write_letter))
            stage.correspondents.append(player)
            stage.pace.join(player, box)
        if people:
            letterbox = await stack.enter_async_context(Letterbox(mail, ADDRESS))
            stage.pace.join(Stranger(seed, people, SERVICE_ADDRESS, clock.now()), letterbox)
        yield stage


async def start_table(stage: Stage) -> None:
    """Deal the game; the first question goes out."""
    await gm.start(stage.parts, SLUG, gm.By(ACTOR))
