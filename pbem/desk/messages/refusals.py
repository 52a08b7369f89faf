"""Messages of which nothing is taken: through a mailing list, unreadable, or from somebody we do
not know. The person who should know of one is told.
"""

import asyncio
from collections import Counter
from datetime import datetime, timedelta

from pbem.desk.authentication.verdicts import Proven
from pbem.desk.envelope.handled import Handled, NotYet
from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.opened import rules_of
from pbem.desk.envelope.recipients import Recipient, SeatAt, letter_to
from pbem.desk.letters.queue import queue_letter
from pbem.desk.messages.conversation import Conversation, open_conversation
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table, load_table, mail_address_of, page_reader, page_table
from pbem.mail.inbound.reader import read_head
from pbem.mail.tokens import Purpose, proves
from pbem.pages.notice import notice_page
from pbem.pages.notices import GmKnocked, MailUnreadable, ThroughAList
from pbem.pages.page import Reader
from pbem.store.repositories.seats import SeatRow

FROM_A_LIST = "mailing-list"
THROUGH_A_LIST = "through-a-list"
EVERY = timedelta(days=1)


async def tell_of_list(talk: Conversation[object]) -> Handled | None:
    """A letter a day to the player whose code it is; None if it has no code of a player."""
    seat, now = await _seat_of(talk), talk.now()
    address = await mail_address_of(talk.work, seat.person_id) if seat is not None else None
    game = await talk.work.games.find(seat.game_id) if seat is not None else None
    if seat is None or game is None or address is None:
        return None
    done = Handled(f"automatic:{FROM_A_LIST}", ignored=True, game_id=game.id, seat_id=seat.id)
    if await talk.work.outbox.count_to_address_since(MAIL, address, (THROUGH_A_LIST,), now - EVERY):
        return done
    person = await talk.work.people.find(seat.person_id) if seat.person_id is not None else None
    letter = letter_to(
        talk.services,
        SeatAt(game=game, seat=seat, phase_number=game.phase_number, address=address),
        notice_page(
            ThroughAList(talk.mail.sender or "", talk.mail.text),
            page_table(await load_table(talk, game), talk.services),
            page_reader(seat, person, talk.services.policy.zone),
        ),
        THROUGH_A_LIST,
        f"{THROUGH_A_LIST}:{seat.id}:{now.isoformat()}",
    )
    await queue_letter(talk, letter)
    return done


async def _seat_of(talk: Conversation[object]) -> SeatRow | None:
    for claim in talk.mail.tokens:
        seat = await talk.work.seats.find(claim.seat) if claim.purpose is Purpose.ORDERS else None
        if seat is not None and proves(claim, talk.services.key, seat.tenure):
            return seat
    return None


async def answer_too_big(talk: Conversation[Proven]) -> Handled | NotYet:
    """A mail too big or too broken to be read: the player is told, nothing is guessed."""
    seat, refused = talk.writer.seat, talk.mail.refused or "too-big"
    game = await talk.work.games.find(seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    table = await load_table(talk, game)
    player = await open_conversation(talk, table, seat)
    await player.answer(
        MailUnreadable(refused),
        "notice",
    )
    return Handled(f"unreadable:{refused}", game_id=game.id, seat_id=seat.id)


async def tell_unreadable(talk: Conversation[object]) -> Handled:
    """The same to somebody whom we know and who writes of no seat of theirs, or of one that nobody
    can tell. What our own mail server calls forged is not answered.
    """
    mail = talk.mail
    person = await talk.work.people.find_by_address(mail.channel, talk.address)
    if person is not None and mail.trust != "fail":
        known = talk.by(talk.writer, person)
        page = MailUnreadable(mail.refused or "too-big")
        await known.answer(page, "notice", f"@{mail.channel}")
    return Handled(f"unreadable:{mail.refused}", ignored=True)


KNOCKED_TOLD = "gm-knocked"
KNOCKED = ("stranger:unknown-sender", "stranger:no-seat")
LOOKED_AT = 200
NAMED = 20


async def tell_who_knocked(tx: Transaction[Context], since: datetime) -> None:
    """A letter to each configured game master, if any stranger wrote since then."""
    now = tx.now()
    rows = await tx.work.inbox.list_of_outcomes(MAIL, KNOCKED, since, LOOKED_AT)
    raws = [raw for row in rows if (raw := await tx.work.inbox.read_raw(row.id)) is not None]
    heads = [await asyncio.to_thread(read_head, raw, rules_of(tx.services.policy)) for raw in raws]
    knocks = Counter(head.sender for head in heads if head.sender)
    if not knocks:
        return
    named = [(address, count) for address, count in knocks.most_common(NAMED)]
    for address in tx.services.policy.gm_addresses:
        reader = Reader(None, "the game master", tx.services.policy.zone)
        page = notice_page(
            GmKnocked(named, len(knocks) - len(named)), house_table(tx.services), reader
        )
        letter = letter_to(
            tx.services,
            Recipient(address=address, name=reader.name),
            page,
            KNOCKED_TOLD,
            f"{KNOCKED_TOLD}:{now.isoformat()}:{address}",
        )
        await queue_letter(tx, letter)
