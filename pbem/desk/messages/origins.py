"""Where a message belongs, judged from the head of a mail or the sender of an update alone: its
lane, and whose hand wrote it.
"""

from collections.abc import Sequence

from pbem.desk.chat.links import ENTER, hash_of
from pbem.desk.envelope.lanes import CONFIRMATIONS, PLAYERS, STRANGERS
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel
from pbem.desk.ports import Context
from pbem.mail.inbound.reading import Head
from pbem.mail.tokens import Purpose, TokenClaim, proves
from pbem.store.work import Work
from pbem.telegram.updates import Said, Unreadable, Update

CLAIMS_LOOKED_AT = 10
MOST_WAITING = {PLAYERS: 50, CONFIRMATIONS: 20}
"""With so many messages waiting a sender's next ones go into the lane behind."""

Origin = tuple[int, str]
"""A message's lane, and its sender as the inbox knows them."""


async def origin_of_mail(work: Work, context: Context, head: Head) -> Origin:
    """Where a mail belongs."""
    if head.sender is None:
        return STRANGERS, ""
    address = await work.people.find_address(MAIL, head.sender)
    owner = address.person_id if address is not None and address.state != "unconfirmed" else None
    own = owner is not None and head.dmarc != "fail"
    proven, ours = own and head.dmarc == "pass", False
    for claim in head.tokens[:CLAIMS_LOOKED_AT]:
        person_id = await _proven_by(work, context, claim)
        ours = ours or person_id is not None
        proven = proven or (own and person_id == owner)
    lane = PLAYERS if proven else CONFIRMATIONS if ours or address is not None else STRANGERS
    is_theirs = head.dmarc == "pass" or (ours and head.dmarc != "fail")
    return await _settled(
        work, MAIL, lane, head.sender if is_theirs else f"?{head.sender}", is_theirs=is_theirs
    )


async def origins_of_mails(work: Work, context: Context, heads: Sequence[Head]) -> list[Origin]:
    """Where many mails belong. Most of a flood bear no code, no proof and no address we know: one
    look tells that of all of them.
    """
    known = await work.people.which_known(
        MAIL, {head.sender for head in heads if head.sender is not None}
    )
    found: dict[Head, Origin] = {}
    for head in dict.fromkeys(heads):
        if head.sender is None or head.sender in known or head.tokens or head.dmarc == "pass":
            found[head] = await origin_of_mail(work, context, head)
        else:
            found[head] = STRANGERS, f"?{head.sender}"
    return [found[head] for head in heads]


async def origin_of_update(work: Work, update: Update) -> Origin:
    """Where an update belongs. Telegram vouches for the user."""
    user_id = None if isinstance(update, Unreadable) else update.user_id
    if user_id is None:
        return STRANGERS, ""
    address = await work.people.find_address(TELEGRAM, str(user_id))
    lane = PLAYERS if address is not None and address.state != "unconfirmed" else STRANGERS
    if lane == STRANGERS and isinstance(update, Said) and update.start_payload:
        if await work.links.find(hash_of(update.start_payload.removeprefix(ENTER))) is not None:
            lane = CONFIRMATIONS
    return await _settled(work, TELEGRAM, lane, str(user_id), is_theirs=True)


async def _settled(
    work: Work, channel: Channel, lane: int, sender: str, *, is_theirs: bool
) -> Origin:
    """With regard to what waits already: whoever follows a link and goes on writing is no stranger,
    and whoever floods waits behind.
    """
    if is_theirs and lane == STRANGERS:
        before = await work.inbox.lowest_lane_of(channel, sender)
        lane = lane if before is None else min(lane, max(before, CONFIRMATIONS))
    most = MOST_WAITING.get(lane)
    if most is not None and await work.inbox.count_waiting_of(channel, sender, most) >= most:
        lane += 1
    return lane, sender


async def _proven_by(work: Work, context: Context, claim: TokenClaim) -> int | None:
    """The person that a true code of ours was given to; 0: it is true, and names nobody. None: it
    proves nothing.
    """
    match claim.purpose:
        case Purpose.ORDERS:
            seat = await work.seats.find(claim.seat)
            return (
                seat.person_id
                if seat is not None and proves(claim, context.key, seat.tenure)
                else None
            )
        case Purpose.GM:
            master = await work.masters.find(claim.seat)
            return (
                master.person_id
                if master is not None and proves(claim, context.key, master.generation)
                else None
            )
        case Purpose.WATCH:
            return claim.seat if proves(claim, context.key, 0) else None
        case Purpose.CONFIRM:
            return 0 if proves(claim, context.key, 0) else None
    return None
