"""Messages too big or too broken to be read: whoever wrote one is told, and nothing is guessed."""

from pbem.desk.authentication.judging import Proven
from pbem.desk.envelope.addressing import Recipient, letter_to
from pbem.desk.envelope.handling import Handled, NotYet
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import Message
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.messages.conversation import open_conversation
from pbem.desk.ports import Context, Services, Transaction
from pbem.desk.table import house_table, load_table
from pbem.pages.page import Reader
from pbem.store.repositories.post.inbox import InboxRow


async def answer_too_big(
    tx: Transaction[Services], row: InboxRow, mail: Message, proven: Proven
) -> Handled | NotYet:
    """A mail too big or too broken to be read: the player is told, nothing is guessed."""
    game = await tx.work.games.find(proven.seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    talk = await open_conversation(
        tx, row, mail, await load_table(tx.work, tx.services.games, game), proven.seat
    )
    await talk.answer(
        tx.services.pages.notices.unreadable(
            talk.page_table(), talk.reader, mail.refused or "too-big"
        ),
        "notice",
    )
    return Handled(
        f"unreadable:{mail.refused or 'too-big'}", game_id=game.id, seat_id=proven.seat.id
    )


async def tell_unreadable(tx: Transaction[Context], row: InboxRow, mail: Message) -> None:
    """The same to somebody whom we know and who writes of no seat of theirs, or of one that nobody
    can tell. What our own mail server calls forged is not answered.
    """
    person = await tx.work.people.find_by_address(mail.channel, mail.sender or "")
    if person is None or mail.trust == "fail":
        return
    now = tx.now()
    reader = Reader(None, person.name, person.time_zone, person.locale)
    page = tx.services.pages.notices.unreadable(
        house_table(tx.services.policy, now), reader, mail.refused or "too-big"
    )
    letter = letter_to(
        tx.services,
        Recipient(address=mail.sender or "", name=person.name, person_id=person.id),
        page,
        "notice",
        f"notice:{row.id}@{mail.channel}",
        answered=Answering.to(mail),
    )
    await queue_letter(tx.work, letter, now)
