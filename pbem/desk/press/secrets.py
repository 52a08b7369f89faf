"""What may not go to other people: what would be read as orders of its writer, and evidence of
secret orders (PR-1.11).

The game masters are not told: nothing has been shown. Codes are taken out of whatever is sent on.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any

from engine.ruleset import Standing
from pbem.desk.chat.messages import MENU, MENU_EDIT, secret_words_of
from pbem.desk.envelope.answers import OWN_ORDERS
from pbem.desk.lobby.rows import read_lobby_rows, words_of
from pbem.desk.mandate import By, Refused
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, standing_of
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import ReadOrders, read_alone
from pbem.grammar.instructions import MOST_READ, Read, TooMuch, find_instructions
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.lobby import Choices, read_lobby
from pbem.grammar.press import is_end_of_press
from pbem.grammar.seat_wishes import Accept, Decline, Show
from pbem.mail.tokens import parse_token
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow

CODE = re.compile(r"(?<![a-z0-9-])[a-z]\d{1,9}-\d{1,9}-[a-z2-7]{26}(?![a-z0-9-])", re.IGNORECASE)
BLOTTED = "[...]"


async def read_of_seat(tx: Transaction[Context], table: OpenTable, seat: SeatRow) -> Read:
    """The reader of the game, with the orders of the player that stand; of a table that has not
    begun, the one of wishes about a seat; of somebody who gives no orders, the words of the house
    alone.
    """
    if table.state is None and table.game.status == "open":
        return partial(read_wishes, words_of(await read_lobby_rows(tx, table.game.id)))
    newest = (
        await tx.work.orders.newest(seat.id, table.game.phase_number)
        if _gives(table, seat)
        else None
    )
    return reader_beside(table, seat, newest) or read_words


def reader_beside(table: OpenTable, seat: SeatRow, newest: OrdersRow | None) -> Read | None:
    """The reader of the game, with these orders of the player. None: they give none."""
    if not _gives(table, seat):
        return None
    standing: Standing[Any] = standing_of(table.kind, newest, seat)
    return table.reader(read_orders, seat.number, standing)


def _gives(table: OpenTable, seat: SeatRow) -> bool:
    """Whether the player gives orders now."""
    is_on = table.game.status in ("running", "paused")
    return table.state is not None and seat.status == "active" and is_on


async def check_words_of_master(
    tx: Transaction[Context], table: OpenTable, text: str, by: By
) -> str:
    """What a game master has to say to others of a table, without its mark of an end. Refused if
    they play there themselves, have not set that mark, and anything in it reads as their own
    orders.
    """
    lines = text.rstrip().split("\n")
    if is_end_of_press(lines[-1]):
        return "\n".join(lines[:-1]).strip()
    seats = [
        seat
        for seat in table.seats
        if seat.status != "left" and seat.person_id == by.person_id and by.person_id is not None
    ]
    for seat in seats:
        read = await read_of_seat(tx, table, seat)
        try:
            found = await tx.services.apart.run(find_instructions, text, read)
        except TooMuch as error:
            raise Refused(
                "too-many-lines",
                f"at most {MOST_READ} lines and sentences, unless a line ENDPRESS ends it",
            ) from error
        if found:
            raise Refused(
                "reads-as-orders",
                f"this in it reads as your own orders: {found[0]!r}. Nobody got it, and it was not"
                " taken. To send it all the same, write it again with a line ENDPRESS at its end",
            )
    return text


SECRET_KINDS = ("receipt", "turn", "news", "reminder", "resend", "what-if", OWN_ORDERS)
MENU_KINDS = (MENU, MENU_EDIT)
PUBLIC_KINDS = ("bulletin", "ending", "welcome")
LETTERS_LOOKED_AT = 60
RUN = 8
"""This many words in a row are a quotation; numbers between them belong to it, and are not counted.
"""
SHORTEST_ORDER = 8

_WORD = re.compile(r"\w+")
_HOW_FAR_OFF = re.compile(r"\(\s*(?:in\s[^();]{1,60};)?[^()]{0,40}?\bUTC\b\)?")
"""What follows a deadline in every letter. When the table's deadline is, everybody has been told.
"""
_LISTED = re.compile(r"^(?:[>\s*\u2022\u2713-]|\d{1,2}[.)](?=\s))+")
_CLOSED = " \t.,;!\"'\u201c\u201d\u2018\u2019"
_MARKS = ("\u2713", "\u2714", "\u2022")
_OPENING = (
    '"',
    "'",
    "\u201c",
    "\u201e",
    "\u201d",
    "\u2018",
    "\u2019",
    "\u00ab",
    "\u00bb",
    "`",
    "*",
)
_CLOSING = ('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "`", "*")
_ENDS = re.compile(r"\s*+(?:$|[.,;!)])")


async def find_evidence(talk: Conversation[Player], text: str) -> str | None:
    """What of the text is evidence of the writer's own secret orders, in the words it was written
    in; None: nothing is.
    """
    for found in CODE.finditer(text):
        claim = parse_token(found[0])
        if claim is not None and claim.seat == talk.seat.id:
            return found[0]
    phase = talk.table.phase
    if phase is None or talk.table.state is None:
        return None
    newest = await talk.work.orders.newest(talk.seat.id, phase.number)
    if newest is not None and newest.tenure == talk.seat.tenure:
        for order in newest.canonical:
            if _shows(text, order):
                return order
        if (together := _stand_together(text, newest.canonical)) is not None:
            return together
    letters = [
        *await talk.work.outbox.list_last_of_seat(talk.seat.id, SECRET_KINDS, LETTERS_LOOKED_AT),
        *await talk.work.outbox.list_last_of_seat(talk.seat.id, MENU_KINDS, LETTERS_LOOKED_AT),
    ]
    secret = [
        _body(row)
        for row in letters
        if row.created_at >= phase.opened_at and row.person_id == talk.seat.person_id
    ]
    public = [
        _body(row)
        for row in await talk.work.outbox.list_last_of_seat(
            talk.seat.id, PUBLIC_KINDS, LETTERS_LOOKED_AT
        )
    ]
    return quotation(text, secret, public)


def quotation(text: str, secret: Iterable[str], public: Iterable[str]) -> str | None:
    """The first words of the text that stand in a row in a secret letter, and in no public one."""
    told = {run for letter in public for run, _, _ in _runs(letter)}
    runs = {run for letter in secret for run, _, _ in _runs(letter)} - told
    first = last = None
    for run, start, end in _runs(text):
        if run in runs:
            first, last = (start if first is None else first), end
        elif last is not None:
            break
    return " ".join(text[first:last].split()) if last is not None else None


def _shows(text: str, order: str) -> bool:
    """Whether the text has the order as our letters spell it: anywhere where nobody else spells so,
    else where it stands by itself: on a line of its own, marked or quoted, or told of behind a
    colon.
    """
    if len(order) >= SHORTEST_ORDER and "!" in order and order in text:
        return True
    if len(_WORD.findall(order)) < 2:  # a single word is anybody's
        return False
    return any(
        _LISTED.sub("", line).strip(_CLOSED) == order.strip(_CLOSED)
        or any(_stands_out(*around) for around in _around(line, order))
        for line in text.splitlines()
    )


def _around(line: str, order: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind the order, wherever the line has it."""
    for found in re.finditer(rf"(?<!\w){re.escape(order)}(?!\w)", line):
        yield line[: found.start()].rstrip(), line[found.end() :]


def _stands_out(before: str, behind: str) -> bool:
    is_quoted = before.endswith(_OPENING) and behind.lstrip(" .,;!").startswith(_CLOSING)
    is_told = before.endswith(":") and _ENDS.match(behind) is not None
    return is_quoted or is_told or before.endswith(_MARKS)


def _stand_together(text: str, orders: Collection[str]) -> str | None:
    """Two orders side by side as our letters spell them: by chance nobody writes both so. The first
    of them.
    """
    either = "|".join(
        sorted(
            (re.escape(order) for order in orders if len(_WORD.findall(order)) > 1),
            key=len,
            reverse=True,
        )
    )
    found = (
        re.search(rf"(?<!\w)({either})[\s.,;\u2022\u2713-]*(?!\1)(?:{either})(?!\w)", text)
        if either
        else None
    )
    return found[1] if found is not None else None


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Every run of that many words, the numbers between them included, and from where to where it
    goes.
    """
    text = _HOW_FAR_OFF.sub(lambda found: " " * len(found[0]), text)
    found = list(_WORD.finditer(text))
    words = [word[0].casefold() for word in found]
    counted = [at for at, word in enumerate(words) if not word.isdecimal()]
    for first, last in zip(counted, counted[RUN - 1 :], strict=False):
        yield tuple(words[first : last + 1]), found[first].start(), found[last].end()


def _body(row: OutboxRow) -> str:
    """What a letter says, without what stands in all of them, and of several answers only what is
    secret.
    """
    if row.letter == "{}":
        return ""
    return secret_words_of(row)


# How a text alone would be read if it came from its writer as a message of its own.
def without_codes(text: str) -> str:
    """The text without anything that looks like a code of ours."""
    return CODE.sub(BLOTTED, text)


def read_orders(
    read: ReadOrders,
    state: Any,
    number: int,
    standing: Standing[Any],
    text: str,
) -> Reading:
    """By the reader of the game, with the orders of the player that stand."""
    return read_alone(read, state, number, standing, without_codes(text))


def read_wishes(words: Choices, text: str) -> Reading:
    """Of somebody at a table that has not begun: wishes about a seat."""
    wishes = [
        wish
        for wish in read_lobby(text, words).wishes
        if not isinstance(wish, Accept | Decline | Show)
    ]
    return Reading(
        items=(Item(quote=text, texts=(text,)),) if wishes else (),
        commands=read_words(text).commands,
    )


def read_words(text: str) -> Reading:
    """Of somebody who gives no orders: the words of the house."""
    said = hear(text)
    return Reading(commands=said.commands, answers=said.answers)
