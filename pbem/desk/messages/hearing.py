"""What a player's message says: its text read once, with what the table knows of its writer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.desk.messages.conversation import Conversation
from pbem.desk.phases.more_time import find_motion_asked
from pbem.desk.press.answering import Answered, find_answered
from pbem.desk.press.instructions import read_of_seat, reader_beside
from pbem.desk.press.writing import roll_of_writer
from pbem.grammar.addresses import AddressWish
from pbem.grammar.house.message import Asks, Context, read_message
from pbem.grammar.house.statements import Address, Press, Reply, Vote, left_of
from pbem.store.repositories.orders import OrdersRow


@dataclass(frozen=True, slots=True)
class Heard:
    """What of a message is neither orders nor words of the house, and the conversation about those.

    `answered` is what it answers, if that is press; `vote` is the motion that it answers, and how.
    """

    talk: Conversation
    press: Sequence[Press | Reply]
    addresses: Sequence[AddressWish]
    vote: tuple[int, str] | None
    answered: Answered | None


async def hear_message(talk: Conversation, newest: OrdersRow | None) -> Heard:
    """Read a message in the process where texts are read; `newest` are the orders whose receipt it
    may answer.
    """
    named = talk.mail.in_reply_to
    replied = await talk.work.outbox.find_by_message_id(named) if named is not None else None
    answered = await find_answered(talk, replied)
    motion = await find_motion_asked(talk, replied) if talk.table.state is not None else None
    offered = json.loads(newest.offered) if newest is not None and newest.offered else None
    is_offered = offered is not None and talk.mail.may_answer(offered["receipt"])
    asks: Asks = "vote" if motion is not None else "offer" if is_offered else ""
    context = Context(
        roll_of_writer(talk),
        reader_beside(talk.table, talk.seat, newest)
        or await read_of_seat(talk.work, talk.services, talk.table, talk.seat),
        answered.leading if answered is not None else None,
        asks=asks,
        tables=(talk.table.game.slug, talk.table.game.title),
    )
    text = talk.mail.text
    statements = await talk.services.apart.run(read_message, text, context)
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
    return Heard(
        replace(talk.about(left_of(text, statements)), asks=asks), press, wishes, vote, answered
    )
