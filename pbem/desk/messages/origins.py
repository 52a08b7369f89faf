"""Where a message belongs, judged from the head of a mail or the sender of an update alone: its
lane, and whose hand wrote it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbem.desk.chat.links import ENTER, hash_of
from pbem.desk.envelope.lanes import CONFIRMATIONS, PLAYERS, STRANGERS
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel
from pbem.desk.ports import Context, Transaction
from pbem.mail.inbound.reading import Head
from pbem.mail.tokens import Purpose, TokenClaim, proves
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.updates import Said, Unreadable, Update

CLAIMS_LOOKED_AT = 10
MOST_WAITING = {PLAYERS: 50, CONFIRMATIONS: 20}
"""With so many messages waiting a sender's next ones go into the lane behind."""


class Origin(NamedTuple):
    """A message's lane, and its sender as the inbox knows them. `follows`: something else of the
    same hand may wait.
    """

    lane: int
    sender: str
    follows: bool


async def origin_of_mail(tx: Transaction[Context], head: Head) -> Origin:
    """Where a mail belongs."""
    if head.sender is None:
        return Origin(STRANGERS, "", follows=False)
    claims, is_proven = head.tokens[:CLAIMS_LOOKED_AT], head.dmarc == "pass"
    likely = is_proven or (bool(claims) and head.dmarc != "fail")
    found = await tx.work.writers.find_sender(
        MAIL,
        head.sender,
        next((claim.seat for claim in claims if claim.purpose is Purpose.ORDERS), None),
        sender=_hand(head.sender, is_theirs=likely),
        is_proven=is_proven,
        limit=max(MOST_WAITING.values()),
    )
    address = found.address
    owner = address.person_id if address is not None and address.state != "unconfirmed" else None
    own = owner is not None and head.dmarc != "fail"
    proven, ours = own and is_proven, False
    for claim in claims:
        person_id = await _proven_by(tx, claim, found.seat)
        ours = ours or person_id is not None
        proven = proven or (own and person_id == owner)
    lane = PLAYERS if proven else CONFIRMATIONS if ours or address is not None else STRANGERS
    is_theirs = is_proven or (ours and head.dmarc != "fail")
    return await _settled(
        tx.work,
        MAIL,
        lane,
        _hand(head.sender, is_theirs=is_theirs),
        found.waiting if is_theirs == likely else None,
        is_theirs=is_theirs,
    )


def _hand(address: str, *, is_theirs: bool) -> str:
    """The sender of a mail as the inbox knows them."""
    return address if is_theirs else f"?{address}"


async def origins_of_mails(
    tx: Transaction[Context], heads: Sequence[Head]
) -> list[tuple[int, str]]:
    """The lanes and senders of many mails. Most of a flood bear no code, no proof and no address we
    know: one look tells that of all of them.
    """
    known = await tx.work.people.which_known(
        MAIL, {head.sender for head in heads if head.sender is not None}
    )
    found: dict[Head, Origin] = {}
    for head in dict.fromkeys(heads):
        if head.sender is None or head.sender in known or head.tokens or head.dmarc == "pass":
            found[head] = await origin_of_mail(tx, head)
        else:
            found[head] = Origin(STRANGERS, _hand(head.sender, is_theirs=False), follows=False)
    return [found[head][:2] for head in heads]


async def origin_of_update(work: Work, update: Update) -> Origin:
    """Where an update belongs. Telegram vouches for the user."""
    user_id = None if isinstance(update, Unreadable) else update.user_id
    if user_id is None:
        return Origin(STRANGERS, "", follows=False)
    sender = str(user_id)
    found = await work.writers.find_sender(
        TELEGRAM, sender, None, sender=sender, is_proven=True, limit=max(MOST_WAITING.values())
    )
    is_known = found.address is not None and found.address.state != "unconfirmed"
    lane = PLAYERS if is_known else STRANGERS
    if lane == STRANGERS and isinstance(update, Said) and update.start_payload:
        if await work.links.find(hash_of(update.start_payload.removeprefix(ENTER))) is not None:
            lane = CONFIRMATIONS
    return await _settled(work, TELEGRAM, lane, sender, found.waiting, is_theirs=True)


async def _settled(
    work: Work, channel: Channel, lane: int, sender: str, waiting: int | None, *, is_theirs: bool
) -> Origin:
    """With regard to what waits already (None: that is not counted yet): whoever follows a link and
    goes on writing is no stranger, and whoever floods waits behind.
    """
    if waiting is None and lane in MOST_WAITING:
        waiting = await work.inbox.count_waiting_of(channel, sender, MOST_WAITING[lane])
    if is_theirs and lane == STRANGERS and waiting:
        before = await work.inbox.lowest_lane_of(channel, sender)
        lane = lane if before is None else min(lane, max(before, CONFIRMATIONS))
    if lane in MOST_WAITING and (waiting or 0) >= MOST_WAITING[lane]:
        lane += 1
    return Origin(lane, sender, follows=bool(waiting))


async def _proven_by(
    tx: Transaction[Context], claim: TokenClaim, named: SeatRow | None
) -> int | None:
    """The person that a true code of ours was given to; 0: it is true, and names nobody. None: it
    proves nothing. `named` is a seat that was read already.
    """
    match claim.purpose:
        case Purpose.ORDERS:
            is_read = named is not None and named.id == claim.seat
            seat = named if is_read else await tx.work.seats.find(claim.seat)
            return (
                seat.person_id
                if seat is not None and proves(claim, tx.services.key, seat.tenure)
                else None
            )
        case Purpose.GM:
            master = await tx.work.masters.find(claim.seat)
            return (
                master.person_id
                if master is not None and proves(claim, tx.services.key, master.generation)
                else None
            )
        case Purpose.WATCH:
            return claim.seat if proves(claim, tx.services.key, 0) else None
        case Purpose.CONFIRM:
            return 0 if proves(claim, tx.services.key, 0) else None
    return None
