"""What the desk needs of others, as small ports: the house fills them, tests and the demo fill them otherwise."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ParamSpec, Protocol, TypeVar

from engine.ruleset import Event, Ruleset, Standing
from pbem.desk.guesses import Guesses
from pbem.desk.lanes import Budget
from pbem.desk.precedence import Precedence
from pbem.desk.slots import Slots
from pbem.grammar.reading import Correction, Reading, Supposition
from pbem.mail.letter import InlineImage
from pbem.mail.ports import Delivery, OutboundMail
from pbem.pages.announcements import AnnouncementPages
from pbem.pages.chat import ChatPages
from pbem.pages.gm import GmPages
from pbem.pages.lobby import LobbyPages
from pbem.pages.menu import MenuPages
from pbem.pages.notices import NoticePages
from pbem.pages.page import GamePages
from pbem.pages.people import PeoplePages
from pbem.pages.press import PressPages
from pbem.pages.results import ResultPages
from pbem.pages.time import TimePages
from pbem.pages.veterans import VeteranPages
from pbem.store.database import Database
from pbem.telegram.ports import Messenger

P = ParamSpec("P")
T = TypeVar("T")


class Clock(Protocol):
    """The time, always aware and in UTC."""

    def now(self) -> datetime: ...


class Jobs(Protocol):
    """Asks for work to be done soon. A request may be lost: the sweep asks again for whatever is due."""

    def receive(self, inbox_id: int) -> None: ...

    def close_phase(self, game_id: int, number: int) -> None: ...

    def deliver(self, outbox_id: int) -> None: ...

    def remind(self, game_id: int, number: int) -> None: ...

    def tend_table(self, game_id: int) -> None:
        """Look after a table that has not begun: it expires, its vote ends, it starts by itself."""
        ...

    def settle_motion(self, motion_id: int) -> None:
        """End a vote whose time is over."""
        ...

    def end_question(self, pending_id: int) -> None:
        """Let go of the messages kept under a question that nobody has answered in time."""
        ...

    def keep_house(self) -> None:
        """Drop what is older than it need be kept."""
        ...

    def tell_press(self, person_id: int) -> None:
        """Tell a reader the press that has waited for their hour."""
        ...


class Mailbox(Protocol):
    """How far the players' mailbox is read: everything received before `drained_until` is stored."""

    @property
    def drained_until(self) -> datetime | None: ...

    async def drain(self) -> datetime:
        """Read it now. OSError (or a subclass) when it cannot be read."""
        ...


class AlwaysDrained:
    """The mailbox of a command beside the service: nothing arrives through it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    @property
    def drained_until(self) -> datetime | None:
        return self._clock.now()

    async def drain(self) -> datetime:
        return self._clock.now()


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What a picture says beside the board itself."""

    title: str
    kind: str
    deadline: datetime | None
    zone: str
    hypothesis: bool = False
    """It shows what somebody supposes, and says so."""


@dataclass(frozen=True, slots=True)
class Picture:
    png: bytes
    alt: str


class Painter(Protocol):
    """Draws the board of one game from its public view; works outside the event loop's process."""

    async def land(self, view: Any, seed: int, map_text: str) -> bytes:
        """The outlines, made once per game, of a generated land or of a GM's own map; to be stored and handed back."""
        ...

    async def board(self, view: Any, events: Sequence[Event], land: bytes, facts: PictureFacts) -> Picture: ...


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture that an answer wants; `key` names what is painted."""

    key: str
    painter: Painter
    view: Any
    events: Sequence[Event]
    land: bytes
    facts: PictureFacts


class Easel(Protocol):
    """Where answers get their pictures."""

    def picture(self, canvas: Canvas) -> Picture | None:
        """The picture, or None if there is none to be had."""
        ...


class NoEasel:
    """Answers go without pictures."""

    def picture(self, canvas: Canvas) -> Picture | None:
        return None


class Apart(Protocol):
    """Where texts are read that people wrote, so that none holds the service: each may take so much time and memory, and no more."""

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What it comes to, or its exception. pbem.apart.OverLimit: it took more than it may."""
        ...


class InThread:
    """In a thread of this process, without a limit: for commands beside the service, and tests."""

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)


Reader = Callable[[Any, int, Standing[Any], str], Reading]


@dataclass(frozen=True, slots=True)
class Game:
    """One kind of game with everything the service needs of it; the registry holds one of each."""

    ruleset: Ruleset[Any, Any]
    read: Reader
    pages: GamePages
    painter: Painter
    colours: tuple[str, ...]
    reserved_words: tuple[str, ...]
    read_map: Callable[[str], Mapping[str, object]]
    """A GM's own map file as the table option `land`. ValueError, saying what is wrong and where."""
    read_correction: Callable[[Any, str], Correction]
    """What a game master sets right, at a table in this state. The grammar's Unread if the words say nothing that can be."""
    check_options: Callable[[Mapping[str, object]], None]
    """ValueError, saying what, for options that the rules do not know, or that no table of this service can be opened with yet."""
    read_question: Callable[[Any, int | None, str], Any] | None = None
    """What somebody with this view (and this number, None: the public) asks about the past; what is unclear is told as a problem. None:
    nothing can be asked of this game."""
    menu: MenuPages | None = None
    """The menu of orders for who would rather tap. None: orders are written."""
    read_supposition: Callable[[Any, int, Standing[Any], str], Supposition] | None = None
    """What a player of this number supposes, beside the orders of theirs that stand. None: nothing can be supposed in this game."""
    pictured: int = 4
    """Of how many phases back a picture tells; those that make one span count as one."""
    tells_in_questions: bool = False
    """The next question tells all that the bulletin does: who is asked gets no bulletin beside it."""
    team_mates: Callable[[Any, int], tuple[int, ...]] | None = None
    """Those who play with the player of this number, whose view it is. None: this game knows no teams."""


Games = Mapping[str, Game]


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

    @property
    def host(self) -> str:
        return self.address.partition("@")[2]

    def is_own(self, address: str) -> bool:
        """Whether mail to that address comes to ourselves, whatever stands behind a plus: nobody can play, look on or run tables there."""
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
        """Go on."""


class Tally(Protocol):
    """Counts what happens, for an operator's monitor: numbers and codes, never names, addresses or words."""

    def received(self, outcome: str, lag_seconds: float) -> None:
        """A message was handled (or ignored), so long after the server got it. `outcome` is a code."""
        ...

    def refused(self, code: str) -> None:
        """An order was refused."""
        ...

    def closed(self, kind: str, lateness_seconds: float) -> None: ...

    def sent(self, kind: str, delivery: str, age_seconds: float) -> None:
        """A letter was handed over, put off or refused, so long after it was written."""
        ...


class NoTally:
    """Nobody counts."""

    def received(self, outcome: str, lag_seconds: float) -> None:
        """Not counted."""

    def refused(self, code: str) -> None:
        """Not counted."""

    def closed(self, kind: str, lateness_seconds: float) -> None:
        """Not counted."""

    def sent(self, kind: str, delivery: str, age_seconds: float) -> None:
        """Not counted."""


class EncodedPictures:
    """The pictures encoded lately, so that a picture is encoded once for all its readers."""

    def __init__(self, size: int = 8) -> None:
        self._size = size
        self._images: OrderedDict[int, InlineImage] = OrderedDict()

    def get(self, picture_id: int) -> InlineImage | None:
        return self._images.get(picture_id)

    def keep(self, picture_id: int, image: InlineImage) -> None:
        self._images[picture_id] = image
        while len(self._images) > self._size:
            self._images.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Parts:
    """What every use case works with; built once by the house."""

    database: Database
    clock: Clock
    jobs: Jobs
    games: Games
    notices: NoticePages
    policy: Policy
    key: bytes
    mailbox: Mailbox
    outbound: Outbound
    new_seed: Callable[[], bytes]
    pictures: EncodedPictures
    steps: Steps
    intake: AbstractAsyncContextManager[object]
    """Held while messages are handled, one at a time in the order they came: a lock, entered as often as it takes. On several hosts
    it is the database's."""
    lobby_pages: LobbyPages = field(default_factory=LobbyPages)
    gm_pages: GmPages = field(default_factory=GmPages)
    announcement_pages: AnnouncementPages = field(default_factory=AnnouncementPages)
    result_pages: ResultPages = field(default_factory=ResultPages)
    people_pages: PeoplePages = field(default_factory=PeoplePages)
    time_pages: TimePages = field(default_factory=TimePages)
    press_pages: PressPages = field(default_factory=PressPages)
    chat_pages: ChatPages = field(default_factory=ChatPages)
    veteran_pages: VeteranPages = field(default_factory=VeteranPages)
    tally: Tally = field(default_factory=NoTally)
    easel: Easel = field(default_factory=NoEasel)
    apart: Apart = field(default_factory=InThread)
    messenger: Messenger | None = None
    """Writes to chats; None where no bot is configured."""
    strangers: Budget = field(default_factory=Budget)
    guesses: Guesses = field(default_factory=Guesses)
    slots: Slots = field(default_factory=Slots)
    precedence: Precedence = field(default_factory=Precedence)
