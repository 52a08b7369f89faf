"""A message taken out of its envelope, in the process where texts are read: what it says, with
every reader of the house tried on it.

The desk asks most of these readers again where it knows whose message it is and of which table.
What would take one of them too long ends here, where it holds nobody. The process is warmed when
the service starts, so that the first message need not wait for it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog

from engine.chance import Chance
from engine.ruleset import Ruleset, Seat, Standing, known_state
from pbem.desk.chat.inbound import message_of_update
from pbem.desk.envelope.message import Message, message_of_mail
from pbem.desk.ports import Apart, Policy
from pbem.game import Games
from pbem.grammar.addressees import Roll
from pbem.grammar.consent import parse_consent
from pbem.grammar.gm.commands import Lexicon
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.house.lines import parse_wishes
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.house.reading import ReadOrders, read_alone
from pbem.grammar.joining import find_joins, parse_join
from pbem.grammar.lobby import Choices, read_lobby
from pbem.grammar.press import split_reply
from pbem.grammar.veterans import named_table
from pbem.mail.inbound.bounces import Bounce, parse_bounce
from pbem.mail.inbound.reader import ReadingRules, prepare_reading, read_mail
from pbem.store.repositories.post.inbox import InboxRow
from pbem.telegram.parts import read_whole
from pbem.telegram.updates import Update


@dataclass(frozen=True, slots=True)
class Opened:
    """A message taken out of its envelope."""

    row: InboxRow
    mail: Message
    bounce: Bounce | None = None
    update: Update | None = None


def rules_of(policy: Policy) -> ReadingRules:
    """How raw mails are read here."""
    return ReadingRules(
        own_addresses=frozenset({policy.address}),
        own_names=frozenset({policy.name}),
        host=policy.host,
        authserv_id=policy.authserv_id,
        subaddressing=policy.subaddressing,
    )


READERS: tuple[Callable[[str], object], ...] = (
    parse_join,
    find_joins,
    parse_wishes,
    parse_consent,
    split_reply,
    named_table,
    lambda text: parse_gm(text, Lexicon({})),
)
"""What the desk itself reads every text with. The words of a player are read
in that process, too, once it is known whose they are.
"""


def try_readers(text: str) -> None:
    """Read it with each of them."""
    for read in READERS:
        read(text)


def try_everything(
    games: Sequence[tuple[Ruleset[Any, Any], ReadOrders, Sequence[Seat]]], text: str
) -> None:
    """Read a text with all there is: the readers of the house, those of these games (rules, reader,
    seats), and that of mails.
    """
    try_readers(text)
    for rules, read, seats in games:
        state = rules.setup({}, seats, Chance(bytes(32))).state
        read_alone(read, known_state(rules, state, 1), 1, Standing(), text)
    read_message(text, Context(Roll(())))
    read_lobby(text, Choices({}, {}))
    prepare_reading()
    prepare_words()


def prepare_words() -> None:
    """Read what makes the grammar of the house, and the names of languages and zones."""
    parse_commands("my language is English\nmy time zone is UTC")


def open_mail(
    raw: bytes, rules: ReadingRules, *, oversize: bool = False
) -> tuple[Message, Bounce | None]:
    """What a mail says; and which letter of ours it brings back, if that is what it is."""
    mail = message_of_mail(read_mail(raw, rules, oversize=oversize))
    if mail.automatic is not None:
        return mail, parse_bounce(raw)
    try_readers(mail.text)
    return mail, None


def open_update(raw: bytes, parts: Sequence[bytes]) -> tuple[Update, Message]:
    """What happened in a chat, and what it says, with all `parts` of a text that was cut."""
    update = read_whole(raw, parts)
    message = message_of_update(update)
    try_readers(message.text)
    return update, message


LINE = "bid 1"

_log = structlog.get_logger("warming")


@asynccontextmanager
async def warming_readers(apart: Apart, games: Games) -> AsyncIterator[None]:
    """Begin to have a line read by every reader, without waiting for it: the first message is
    opened when that is done. Words of the house are read by the desk itself, too: those come last,
    as a service is ready without them.
    """
    readers = [(game.ruleset, game.read, game.few_seats) for game in games.values()]

    async def warm() -> None:
        await apart.run(try_everything, readers, LINE)
        await asyncio.to_thread(prepare_words)

    warming = asyncio.create_task(warm())
    warming.add_done_callback(_log_failure)
    try:
        yield
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


def _log_failure(warming: asyncio.Task[None]) -> None:
    """A house that closes before they are warm is no failure."""
    error = None if warming.cancelled() else warming.exception()
    if error is not None:
        # the first message will tell whom it concerns
        _log.error("readers-not-ready", exc_info=error)
