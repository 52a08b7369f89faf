"""What a player's message says: its text read once, with what the table knows of its writer."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.ruleset import Standing
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.more_time import find_motion_asked
from pbem.desk.press.pieces import roll_of_writer
from pbem.desk.press.replies import Answered, find_answered
from pbem.desk.press.secrets import read_of_seat, reader_beside
from pbem.desk.table import standing_of
from pbem.grammar.addresses import AddressWish
from pbem.grammar.house.message import Asks, Context, read_message
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Address, Press, Reply, Said, Statement, Vote, left_of
from pbem.grammar.kit.reading import Reading
from pbem.store.repositories.orders import OrdersRow

Orders = Callable[[Said], Reading]


@dataclass(frozen=True, slots=True)
class Heard:
    """What of a message is neither orders nor words of the house.

    `answered` is what it answers, if that is press; `vote` is the motion that it answers, and how.
    """

    press: Sequence[Press | Reply]
    addresses: Sequence[AddressWish]
    vote: tuple[int, str] | None
    answered: Answered | None
    reading: Reading | None
    """What the house and the game make of it, where it holds nothing else."""


async def hear_message(
    talk: Conversation[Player], newest: OrdersRow | None, *, is_change: bool
) -> tuple[Conversation[Player], Heard]:
    """Read a message in the process where texts are read; `newest` are the orders whose receipt it
    may answer, and with which it is read unless it is a change of an earlier one. What it says
    besides what was heard stays in the conversation.
    """
    table, seat, text = talk.table, talk.seat, talk.mail.text
    named = talk.mail.in_reply_to
    replied = await talk.work.outbox.find_by_message_id(named) if named is not None else None
    answered = await find_answered(talk, replied)
    motion = await find_motion_asked(talk, replied) if table.state is not None else None
    offered = json.loads(newest.offered) if newest is not None and newest.offered else None
    is_offered = offered is not None and talk.mail.may_answer(offered["receipt"])
    asks: Asks = "vote" if motion is not None else "offer" if is_offered else ""
    context = Context(
        roll_of_writer(talk),
        reader_beside(table, seat, newest) or await read_of_seat(talk, table, seat),
        answered.leading if answered is not None else None,
        asks=asks,
        tables=(table.game.slug, table.game.title),
    )
    orders: Orders | None = None
    if table.state is not None and not is_change:
        standing: Standing[Any] = standing_of(table.kind, newest, seat)
        orders = table.reader(read_orders, seat.number, standing)
    statements, said, reading = await talk.services.apart.run(_read, text, context, orders)
    press: list[Press | Reply] = []
    wishes: list[AddressWish] = []
    vote: tuple[int, str] | None = None
    for statement in statements:
        match statement:
            case Press() | Reply():
                press.append(statement)
            case Address(wish=wish):
                wishes.append(wish)
            case Vote(answer=answer) if motion is not None:
                vote = motion, answer
    heard = Heard(press, wishes, vote, answered, reading)
    return replace(talk.about(said), asks=asks), heard


def _read(
    text: str, context: Context, orders: Orders | None
) -> tuple[Sequence[Statement], Said, Reading | None]:
    """The statements, what of the text is left to the house and the game, and what these make of it
    if it is all of the text.
    """
    statements = read_message(text, context)
    said = left_of(text, statements)
    is_all = not any(isinstance(one, Press | Reply | Address | Vote) for one in statements)
    reading = orders(said) if orders is not None and is_all else None
    return statements, said, reading
