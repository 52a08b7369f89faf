"""A message taken out of its envelope, in the process where texts are read: what it says, with every reader of the house tried on it.

The desk asks most of these readers again where it knows whose message it is and of which table. What would take one of them too long
ends here, where it holds nobody.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import structlog

from engine.chance import Chance
from engine.ruleset import Ruleset, Seat, Standing
from pbem.desk.chat.reading import message_of_update
from pbem.desk.message import Message, message_of_mail
from pbem.desk.ports import Apart, Games, Reader
from pbem.grammar.addresses import parse_addresses
from pbem.grammar.commands import take_commands
from pbem.grammar.consent import parse_consent
from pbem.grammar.gm import parse_gm
from pbem.grammar.gm_commands import Lexicon
from pbem.grammar.joining import find_joins, parse_join
from pbem.grammar.lobby import Choices, read_lobby
from pbem.grammar.normalise import normalise
from pbem.grammar.people import parse_wishes
from pbem.grammar.press import split_reply
from pbem.grammar.veterans import named_table, put_orders
from pbem.mail.bounces import Bounce, parse_bounce
from pbem.mail.reading import ReadingRules, prepare_reading, read_mail
from pbem.telegram.updates import Update, read_update

LINE = "bid 1"
_log = structlog.get_logger("opening")

READERS: tuple[Callable[[str], object], ...] = (
    parse_join,
    find_joins,
    parse_wishes,
    parse_addresses,
    parse_consent,
    split_reply,
    named_table,
    lambda text: take_commands(normalise(put_orders(text))),
    lambda text: parse_gm(text, Lexicon({})),
    lambda text: read_lobby(text, Choices({}, {})),
)
"""What the desk reads a text with, whoever wrote it, beside the reader of a game."""


@asynccontextmanager
async def warming_readers(apart: Apart, games: Games) -> AsyncIterator[None]:
    """Begin to have a line read by every reader: what each makes at its first use takes seconds, and is made before the first message is
    opened, so that it is not made while one is in hand.
    """
    warming = asyncio.create_task(apart.run(_read_a_line, [(game.ruleset, game.read, game.colours) for game in games.values()]))
    warming.add_done_callback(_log_failure)
    try:
        yield
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


def _log_failure(warming: "asyncio.Task[None]") -> None:
    if not warming.cancelled() and (error := warming.exception()) is not None:  # the first message will tell whom it concerns
        _log.error("readers-not-ready", exc_info=error)


def _read_a_line(games: Sequence[tuple[Ruleset[Any, Any], Reader, Sequence[str]]]) -> None:
    prepare_reading()
    _try_readers(LINE)
    for rules, read, colours in games:
        seats = [Seat(number, name, colour) for number, (name, colour) in enumerate(zip("ABC", colours, strict=False), start=1)]
        read(rules.setup({}, seats, Chance(bytes(32))).state, 1, Standing(), LINE)


def open_mail(raw: bytes, rules: ReadingRules, *, oversize: bool = False) -> tuple[Message, Bounce | None]:
    """What a mail says; and which letter of ours it brings back, if that is what it is."""
    mail = message_of_mail(read_mail(raw, rules, oversize=oversize))
    if mail.automatic is not None:
        return mail, parse_bounce(raw)
    _try_readers(mail.text)
    return mail, None


def open_update(raw: bytes) -> tuple[Update, Message]:
    """What happened in a chat, and what it says."""
    update = read_update(raw)
    message = message_of_update(update)
    _try_readers(message.text)
    return update, message


def _try_readers(text: str) -> None:
    for read in READERS:
        read(text)
