"""What a player's message says: its text read once, with what the table knows of its writer."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.desk.messages.conversation import Conversation
from pbem.desk.phases.more_time import find_motion_asked
from pbem.desk.press.answering import Answered, find_answered
from pbem.desk.press.instructions import read_of_seat
from pbem.desk.press.writing import roll_of_writer
from pbem.grammar.addresses import AddressWish
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.statements import Address, Press, Reply, Vote, left_of


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


async def hear_message(talk: Conversation) -> Heard:
    """Read a message in the process where texts are read."""
    answered = await find_answered(talk)
    motion = await find_motion_asked(talk) if talk.table.state is not None else None
    context = Context(
        roll_of_writer(talk),
        await read_of_seat(talk.work, talk.services, talk.table, talk.seat),
        answered.leading if answered is not None else None,
        asks_vote=motion is not None,
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
    return Heard(talk.about(left_of(text, statements)), press, wishes, vote, answered)
