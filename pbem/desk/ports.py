"""What the desk needs of others, as small ports: the house fills them, tests and the demo fill them
otherwise.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Container, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, ParamSpec, Protocol, Self, TypeVar

import msgspec

from engine.ruleset import Event
from pbem.board.board import Board, Drawing, Picture, TableFacts
from pbem.clock import Clock
from pbem.desk.envelope.answers import Answers, Guesses
from pbem.desk.envelope.message import Budget, Channel
from pbem.desk.hand import Hand
from pbem.desk.jobs import Jobs
from pbem.desk.precedence import Precedence, Slots
from pbem.game import Games
from pbem.mail.letter import InlineImage
from pbem.mail.ports import Delivery, OutboundMail
from pbem.model.question import Model, Question
from pbem.store.database import Database
from pbem.store.repositories.post.pending import NewPending, PendingRow
from pbem.store.work import Work
from pbem.telegram.ports import Messenger

P = ParamSpec("P")
T = TypeVar("T")

A_DAY = timedelta(days=1)


class Mailbox(Protocol):
    """How far the players' mailbox is read: everything received before `drained_until` is
    stored.
    """

    @property
    def drained_until(self) -> datetime | None: ...

    async def drain(self) -> datetime:
        """Read it now. OSError (or a subclass) when it cannot be read."""
        ...


class AlwaysDrained:
    """The mailbox of a command outside the service: nothing arrives through it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    @property
    def drained_until(self) -> datetime | None:
        return self._clock.now()

    async def drain(self) -> datetime:
        return self._clock.now()


class Painter(Protocol):
    """Paints the boards of all games; works outside the event loop's process."""

    async def land(self, board: Board, view: Any, seed: int, map_text: str) -> bytes:
        """What never changes in a game, made once, to be stored and handed back. ValueError for a
        map that cannot be drawn.
        """
        ...

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture: ...

    async def drawing(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Drawing:
        """The same board as SVG."""
        ...

    async def image(self, svg: str) -> bytes:
        """A drawing for a page: WebP without loss. ValueError for what is not drawn here."""
        ...

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        """A drawing for paper: a PDF, `wide` points wide, and a PNG."""
        ...


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A picture that an answer wants; `key` names what is painted."""

    key: str
    board: Board
    view: Any
    events: Sequence[Event]
    land: bytes
    facts: TableFacts


class PictureSource:
    """Where answers get their pictures. From this one they get none."""

    def picture(self, request: PictureRequest) -> Picture | None:
        """The picture, or None if there is none to be had."""
        return None


class Apart(Protocol):
    """Where texts are read that people wrote, so that none holds the service: each within a limit
    of time and memory.
    """

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Its result, or its exception. pbem.apart.OverLimit: it took more than it may."""
        ...


class InThread:
    """In a thread of this process, without a limit: for commands outside the service, and tests."""

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class Policy:
    """How the service behaves; from the configuration."""

    address: str
    name: str
    subaddressing: bool
    authserv_id: str | None
    zone: str
    hold_minutes: int
    remind_hours: tuple[float, float]
    gm_addresses: tuple[str, ...]
    rules_url: str | None = None
    open_days: int = 21
    keep_raw_days: int = 180
    archive_url: str = ""
    """Where the folder of archives lies on the web, with a slash at its end; "": nowhere."""

    @property
    def host(self) -> str:
        return self.address.partition("@")[2]

    def is_own(self, address: str) -> bool:
        """Whether mail to that address comes to ourselves, whatever stands behind a plus: nobody
        can play, watch or run tables there.
        """
        local, _, host = address.strip().casefold().rpartition("@")
        own, _, own_host = self.address.casefold().rpartition("@")
        return host.rstrip(".") == own_host and local.strip('"').partition("+")[0] == own


class Outbound(Protocol):
    """Takes a mail to the next server."""

    async def send(self, mail: OutboundMail) -> Delivery: ...


class Steps(Protocol):
    """Told of each step that a crash could come after; a test ends the process at any of them."""

    def reached(self, step: str) -> None: ...


class NoSteps:
    """Nobody listens."""

    def reached(self, step: str) -> None:
        """Continue."""


class Tally:
    """Counts what happens, for an operator's monitor: numbers and codes, never names, addresses or
    words. This one counts nothing.
    """

    def received(self, outcome: str, lag_seconds: float) -> None:
        """A message was handled (or ignored), so long after the server got it. `outcome` is a
        code.
        """

    def refused(self, code: str) -> None:
        """An order was refused."""

    def closed(self, kind: str, lateness_seconds: float) -> None:
        """A phase was closed, so long after its deadline."""

    def sent(self, kind: str, delivery: str, age_seconds: float) -> None:
        """A letter was handed over, put off or refused, so long after it was written."""

    def archived(self, outcome: str) -> None:
        """The archive of a game was brought up to date (`written`), or could not be (`failed`)."""


class EncodedPictures:
    """The pictures encoded lately, so that a picture is encoded once for all its readers; one that
    is not there is read while `reading` is held.
    """

    def __init__(self, size: int = 8) -> None:
        self.reading = asyncio.Lock()
        self._size = size
        self._images: OrderedDict[int, InlineImage] = OrderedDict()

    def get(self, picture_id: int) -> InlineImage | None:
        return self._images.get(picture_id)

    def keep(self, picture_id: int, image: InlineImage) -> None:
        self._images[picture_id] = image
        while len(self._images) > self._size:
            self._images.popitem(last=False)


class Unready:
    """The tables that were looked at and may not close before their deadline, each as it stood
    then: unless something changes there, it need not be looked at again. In this process alone.
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[object, datetime | None]] = {}

    def is_known(self, game_id: int, seen: object, now: datetime) -> bool:
        """Whether the table stands as it stood, and nothing has run out there since."""
        known, until = self._seen.get(game_id, (None, None))
        return known == seen and (until is None or now < until)

    def note(self, game_id: int, seen: object, until: datetime | None = None) -> None:
        """`until`: something runs out then by itself."""
        self._seen[game_id] = seen, until

    def next_until(self) -> datetime | None:
        """When the first of what runs out by itself does."""
        return min((until for _, until in self._seen.values() if until is not None), default=None)

    def keep_only(self, game_ids: Container[int]) -> None:
        """Forget all other tables."""
        self._seen = {key: seen for key, seen in self._seen.items() if key in game_ids}


@dataclass(frozen=True, slots=True)
class Intake:
    """How messages come in: the mailbox, whose turn it is, and how much strangers may ask for."""

    mailbox: Mailbox
    turn: AbstractAsyncContextManager[object]
    """Held while messages are handled, one at a time in the order they came: a lock, entered as
    often as it takes. On several hosts it is the database's.
    """
    strangers: Budget = field(default_factory=Budget)
    guesses: Guesses = field(default_factory=Guesses)


@dataclass(frozen=True, slots=True)
class Dispatch:
    """How letters go out, by mail and to chats."""

    outbound: Outbound
    messenger: Messenger | None = None
    """Writes to chats; None where no bot is configured."""
    slots: Slots = field(default_factory=Slots)
    hand: Hand = field(default_factory=Hand)
    pictures: EncodedPictures = field(default_factory=EncodedPictures)
    answers: Answers | None = None
    """The answers to the person who wrote the message in hand; None: no message is."""


@dataclass(frozen=True, slots=True)
class Painting:
    """How boards become pictures; `held` are those that an answer can have at once."""

    painter: Painter
    held: PictureSource = field(default_factory=PictureSource)


@dataclass(slots=True)
class Pause:
    """Until when a model is not asked, because it failed."""

    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Proposing:
    """A language model that is asked what a message means where nobody could tell, so often a day
    at most; None: there is none. `held` is what it said of the message in hand.
    """

    model: Model | None = None
    a_day: int = 0
    held: Callable[[Question], Sequence[str]] = lambda _: ()
    pause: Pause = field(default_factory=Pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What every answer is made with, within somebody's transaction: the time, the house's policy
    and key, its games, and where texts are read.
    """

    clock: Clock
    policy: Policy
    key: bytes
    games: Games
    apart: Apart = field(default_factory=InThread)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk(Context):
    """What a use case works with that opens transactions of its own and asks for jobs."""

    database: Database
    jobs: Jobs
    steps: Steps
    new_seed: Callable[[], bytes]
    tally: Tally = field(default_factory=Tally)
    precedence: Precedence = field(default_factory=Precedence)

    @asynccontextmanager
    async def read(self) -> AsyncIterator["Transaction[Self]"]:
        """A transaction that only reads (`Database.read`)."""
        async with self.database.read() as work:
            yield Transaction(work, self)

    @asynccontextmanager
    async def write(
        self, *, gives_way: bool = False, durable: bool = True
    ) -> AsyncIterator["Transaction[Self]"]:
        """A transaction that may write (`Database.write`)."""
        async with self.database.write(gives_way=gives_way, durable=durable) as work:
            yield Transaction(work, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Desk):
    """All of it, built once by the house: for what receives, delivers and paints."""

    intake: Intake
    dispatch: Dispatch
    painting: Painting
    proposing: Proposing = field(default_factory=Proposing)
    unready: Unready = field(default_factory=Unready)


S_co = TypeVar("S_co", bound=Context, covariant=True)


@dataclass(frozen=True, slots=True)
class Transaction(Generic[S_co]):
    """One transaction: its unit of work, and the services that it is done with."""

    work: Work
    services: S_co

    def now(self) -> datetime:
        """What the clock shows."""
        return self.services.clock.now()

    async def wait_for_answer(
        self,
        purpose: str,
        address: str,
        within: timedelta,
        detail: object,
        *,
        inbox_ids: tuple[int, ...] = (),
        game_id: int | None = None,
        seat_id: int | None = None,
    ) -> PendingRow:
        """Open a question at an address, in the place of one of its purpose that waits there."""
        now, pending = self.now(), self.work.pending
        waiting = await pending.find_open(purpose, address)
        if waiting is not None:
            await pending.settle(waiting.id, "expired", now)
        new = NewPending(
            purpose=purpose,
            address=address,
            created_at=now,
            expires_at=now + within,
            inbox_ids=inbox_ids,
            game_id=game_id,
            seat_id=seat_id,
            detail=msgspec.json.encode(detail).decode(),
        )
        return (await pending.wait_under(new))[0]

    async def has_had(
        self, channel: Channel, address: str, *kinds: str, most: int = 1, within: timedelta = A_DAY
    ) -> bool:
        """Whether the `most` letters of these kinds went to that address within the time."""
        since, outbox = self.now() - within, self.work.outbox
        return await outbox.count_to_address_since(channel, address, kinds, since) >= most
