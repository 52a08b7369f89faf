"""Everything a demonstration needs, in one block: the embedded servers, the service, a table, and
people with mailboxes.
"""

import hashlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.ruleset import Event
from pbem.config import Config, DatabaseSection, GmSection, ImapSection, ServiceSection, SmtpSection
from pbem.demo.agenda import Writer
from pbem.demo.clock import FastClock
from pbem.demo.correspondents import Correspondent
from pbem.demo.gm_script import NAME as HOSTESS
from pbem.demo.gm_script import GmScript
from pbem.demo.mailboxes import Letterbox, Recorder, open_mailbox
from pbem.demo.mind import Mind
from pbem.demo.pace import Pace
from pbem.demo.phones import OpenPhase, Phone, habits_of
from pbem.demo.quirks import quirk_of_seat
from pbem.demo.servers import EmbeddedMail
from pbem.demo.strangers import ADDRESS, Stranger
from pbem.demo.switchboard import Switchboard
from pbem.demo.telegram import TelegramStandIn
from pbem.demo.writing import write_chat, write_letter
from pbem.desk import gm
from pbem.desk.phases.past import decode_events
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.game import Game
from pbem.house import Service, open_service
from pbem.pages.news import Lead
from pbem.play import Person, Play, Seen
from pbem.registry import load_games

HOST = "realm.example"
SERVICE_ADDRESS = f"orders@{HOST}"
RULES_PAGE = "rules.html"
RULES_URL = f"https://{HOST}/{RULES_PAGE}"
"""Where letters say that the rules are; a host that exists only here."""
GM_ADDRESS = f"gm@{HOST}"
SLUG = "heron"
TITLE = "Heron"
ZONE = "Europe/Berlin"
ACTOR = "demo"

_SLIPS = 2
"""How many mistakes the one player makes who errs by mail in the beginning."""
_REMEMBERED = 3
"""How many phases back a player remembers."""


@dataclass(frozen=True, slots=True)
class Playbill:
    """What is played: the game, and the table's options in its own words."""

    ruleset: str
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


def play_of(game: Game) -> Play:
    """The scripted players of a game. LookupError if it has none."""
    if game.play is None:
        raise LookupError(f"{game.title} has no scripted players")
    return game.play


def game_seed(seed: int) -> bytes:
    """The secret of the game's own chance: the same for the same seed."""
    return hashlib.sha256(f"pbem demo {seed}".encode()).digest()


def demo_config(data_dir: Path) -> Config:
    """The settings of a demonstration; neither files nor the environment have a say in them."""
    return Config.model_construct(
        service=ServiceSection(
            data_dir=data_dir,
            address=SERVICE_ADDRESS,
            authserv_id=HOST,
            zone=ZONE,
            rules_url=RULES_URL,
        ),
        imap=ImapSection(),
        smtp=SmtpSection(),
        gm=GmSection(addresses=(GM_ADDRESS,)),
        database=DatabaseSection(),
    )


class Stage:
    """A running demonstration: time, the wire, the service, and who plays."""

    def __init__(
        self,
        clock: FastClock,
        mail: EmbeddedMail,
        service: Service,
        recorder: Recorder,
        game: Game,
        board: Switchboard | None,
    ) -> None:
        self.game = game
        self.play = play_of(game)
        self.board = board
        self.gm_script: GmScript | None = None
        self.joining: Phone | None = None
        self.minds: list[Mind] = []
        self.clock = clock
        self.mail = mail
        self.service = service
        self.recorder = recorder
        self.pace = Pace(clock, service, SERVICE_ADDRESS, recorder.arrivals)
        self.correspondents: list[Correspondent] = []

    @property
    def chosen(self) -> Person:
        """Whose mails the gallery shows: the first who plays by mail."""
        return self.correspondents[0].person if self.correspondents else self.minds[0].person

    @property
    def services(self) -> Services:
        return self.service.services

    async def look(self, number: int) -> Seen:
        """What the seat of this number may see, and nothing else: its own view, its own legal
        orders, and what happened lately.
        """
        async with self.services.read() as tx:
            table = await self._load(tx)
            rows = await tx.work.events.list_of_game(
                table.game.id, max(1, table.game.phase_number - _REMEMBERED)
            )
        rules = table.kind.ruleset
        view: Any = rules.view(table.state, number)
        names = {seat.number: seat.name for seat in table.seats}
        return Seen(
            number,
            view,
            tuple(rules.legal(table.state, number)),
            tuple(decode_events(table.kind, rows, None)),
            names,
        )

    async def ask(self) -> OpenPhase:
        """The phase that runs; number 0 where none does."""
        async with self.services.database.read() as work:
            running = await work.phases.list_running()
        return OpenPhase(running[0].number, running[0].deadline) if running else OpenPhase(0, None)

    async def is_gathered(self) -> bool:
        """Whether everybody has a seat, and the group is there if the stage has one."""
        if self.gm_script is None or self.joining is None:
            return self.gm_script is None or self.gm_script.is_ready
        return self.gm_script.is_ready and self.joining.number <= len((await self._table()).seats)

    async def phase_number(self) -> int:
        """How many phases have been opened so far; it changes with every close."""
        async with self.services.database.read() as work:
            game = await work.games.find_by_slug(SLUG)
        return game.phase_number if game is not None else 0

    async def moment(self) -> Moment:
        """The table as everybody may know it."""
        table = await self._table()
        kind = (
            table.phase.kind
            if table.phase is not None and table.game.status == "running"
            else "over"
        )
        deadline = table.phase.deadline if table.phase is not None else None
        view: Any = table.kind.ruleset.view(table.state, None)
        is_over = table.game.status in ("over", "ended")
        return Moment(
            table.game.phase_number, kind, deadline, view, is_over, self.play.turn_of(view)
        )

    async def leads(self, from_phase: int, to_phase: int) -> list[Lead]:
        """The news of these phases' closes, as everybody may know them."""
        told = []
        for number in range(from_phase, to_phase):
            async with self.services.read() as tx:
                table = await self._load(tx)
                rows = await tx.work.events.list_of_phase(table.game.id, number)
                state = await tx.work.states.find(table.game.id, number + 1)
            if state is None:
                continue
            view: Any = table.kind.ruleset.view(table.kind.ruleset.decode_state(state.body), None)
            told.append(table.kind.pages.lead(view, decode_events(table.kind, rows, None)))
        return told

    async def public_events(self) -> list[Event]:
        """Every public event of the game so far."""
        async with self.services.read() as tx:
            table = await self._load(tx)
            rows = await tx.work.events.list_of_game(table.game.id)
        return list(decode_events(table.kind, rows, None))

    async def _table(self) -> OpenTable:
        async with self.services.read() as tx:
            return await self._load(tx)

    async def _load(self, tx: Transaction[Context]) -> OpenTable:
        game = await tx.work.games.find_by_slug(SLUG)
        if game is None:
            raise LookupError(f"there is no game {SLUG}")
        return await load_table(tx, game)


@asynccontextmanager
async def open_stage(
    people: Sequence[Person],
    played: Playbill,
    seed: int,
    data_dir: Path,
    *,
    by_phone: Collection[str] = (),
    guest: tuple[Person, Writer] | None = None,
) -> AsyncIterator[Stage]:
    """Open a table for these people, ready to be started; a guest who is no correspondent sits in
    seat 1.

    `by_phone` are the names of those who play by Telegram. The last of the people, if among them,
    is not invited and joins by a button.
    """
    game, clock = load_games()[played.ruleset], FastClock()
    recorder = Recorder(clock)
    async with AsyncExitStack() as stack:
        mail = await stack.enter_async_context(EmbeddedMail(clock, host=HOST, on_arrival=recorder))
        board = (
            Switchboard(
                await stack.enter_async_context(TelegramStandIn(clock, keeps_limits=True)), TITLE
            )
            if by_phone
            else None
        )
        await mail.add_account(SERVICE_ADDRESS, "pass-orders")
        service = await stack.enter_async_context(
            open_service(
                demo_config(data_dir),
                clock,
                imap=mail.imap_settings(SERVICE_ADDRESS),
                smtp=mail.smtp_settings(SERVICE_ADDRESS),
                new_seed=lambda: game_seed(seed),
                telegram=board.line if board is not None else None,
            )
        )
        stage = Stage(clock, mail, service, recorder, game, board)
        table = gm.NewTable(
            SLUG, TITLE, played.ruleset, dict(played.options), ZONE, gm_name=HOSTESS
        )
        await gm.open_table(stage.services, table, gm.By(ACTOR))
        if guest is not None:
            await gm.invite(
                stage.services,
                SLUG,
                guest[0].name,
                guest[0].address,
                gm.By(ACTOR),
                zone=guest[0].zone,
            )
            stage.pace.join(
                guest[1], await open_mailbox(stack, mail, guest[0].address, clock, recorder)
            )
        await _seat(stage, stack, people, seed, by_phone, first=1 if guest is None else 2)
        await _seat_hostess(stage, stack)
        if people:
            letterbox = await stack.enter_async_context(Letterbox(mail, ADDRESS))
            victims = sorted(people, key=lambda person: person.name in by_phone)
            stage.pace.join(Stranger(seed, victims, SERVICE_ADDRESS, clock.now()), letterbox)
        yield stage


async def _seat(
    stage: Stage,
    stack: AsyncExitStack,
    people: Sequence[Person],
    seed: int,
    by_phone: Collection[str],
    *,
    first: int,
) -> None:
    """Invite everybody, except for one who joins. The first who plays by mail errs in the
    beginning, so that every demonstration shows an answer to a mistake by mail.
    """
    erring = next((person for person in people if person.name not in by_phone), None)
    for index, person in enumerate(people):
        mind = Mind(
            person,
            first + index,
            seed,
            stage.play,
            stage.look,
            quirk_of_seat(index),
            write_chat if person.name in by_phone else write_letter,
            _SLIPS if person is erring else 0,
        )
        stage.minds.append(mind)
        joins = (
            stage.board is not None
            and person.name in by_phone
            and index > 0
            and index == len(people) - 1
        )
        if not joins:
            await gm.invite(
                stage.services, SLUG, person.name, person.address, gm.By(ACTOR), zone=person.zone
            )
        box = await open_mailbox(stack, stage.mail, person.address, stage.clock, stage.recorder)
        if stage.board is None or person.name not in by_phone:
            stage.correspondents.append(Correspondent(mind))
            stage.pace.join(stage.correspondents[-1], box)
            continue
        phone = Phone(mind, stage.board, stage.ask, habits_of(person))
        stage.pace.join(phone, box)
        if joins:
            stage.joining = phone


async def _seat_hostess(stage: Stage, stack: AsyncExitStack) -> None:
    """The game master reads her mails only where she has a phone to bind."""
    board = stage.board
    if board is None:
        await stage.mail.add_account(GM_ADDRESS, "pass-gm", imap=False)
        return
    box = await open_mailbox(stack, stage.mail, GM_ADDRESS, stage.clock, stage.recorder)
    stage.gm_script = GmScript(
        board, GM_ADDRESS, SERVICE_ADDRESS, SLUG, stage.clock.now(), stage.joining
    )
    stage.pace.connect(board)
    stage.pace.join(stage.gm_script, box)
    if stage.service.telegram_service is not None:
        await stage.service.telegram_service.look()


async def start_table(stage: Stage) -> None:
    """Deal the game, once everybody is there; the first question goes out."""
    while not await stage.is_gathered():
        await stage.pace.step()
    await gm.start(stage.services, SLUG, gm.By(ACTOR))
