"""The facts from which we judge who wrote a message, and who is proven."""

import json

from pbem.desk.authentication.tenures import seats_played_for
from pbem.desk.authentication.verdicts import Facts, MasterFacts, Proven, Unproven, WhichGame
from pbem.desk.envelope.message import MAIL, Message
from pbem.mail.tokens import Purpose
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

GM_LETTERS = "gm-"
"""What the kinds of letters begin with that only game masters get."""


async def read_facts(work: Work, mail: Message, row: InboxRow | None = None) -> Facts:
    """What is known of the writer, and of the people whose codes the message has, for `judge`; and
    where its row is given, whether it may be a copy.
    """
    told = (key_prefix_of(row), row.id) if row is not None and row.channel == MAIL else ()
    writer = await work.writers.find(mail.channel, mail.sender, *told) if mail.sender else None
    person = writer.person if writer is not None else None
    own = writer.seats if writer is not None else ()
    games = writer.games if writer is not None else {}
    is_own = writer is not None and writer.address.state != "unconfirmed"
    claimed: dict[int, SeatRow] = {}
    for claim in mail.tokens[:10]:
        if claim.seat in claimed:
            continue
        seat = next((row for row in own if row.id == claim.seat), None) or await work.seats.find(
            claim.seat
        )
        if seat is not None:
            claimed[seat.id] = seat
    # nobody else has the address
    theirs = frozenset((mail.sender,)) if is_own and mail.sender is not None else frozenset()
    addresses = {
        seat.id: theirs if person is not None and seat.person_id == person.id else frozenset()
        for seat in claimed.values()
        if seat.person_id is not None
    }
    masters = {}
    for claim in mail.tokens[:10]:
        right = await work.masters.find(claim.seat) if claim.purpose is Purpose.GM else None
        master = await work.people.find(right.person_id) if right is not None else None
        if right is not None and master is not None:
            known = await work.people.list_addresses(master.id)
            own_addresses = frozenset(
                address.address for address in known if address.state != "unconfirmed"
            )
            masters[master.id] = MasterFacts(master, right.generation, own_addresses)
    is_master = writer is not None and writer.is_master
    points_at = mail.points_at if is_master else None
    answered = await work.outbox.find_by_message_id(points_at) if points_at is not None else None
    return Facts(
        person,
        tuple(seat for seat in own if seat.status != "left"),
        claimed,
        addresses,
        frozenset(game.id for game in games.values() if game.status in ("running", "paused")),
        masters,
        is_master,
        is_own_address=is_own,
        away=await seats_played_for(work, writer.person.id)
        if writer is not None and writer.is_away
        else {},
        answers_master=answered is not None and answered.kind.startswith(GM_LETTERS),
        owner=(writer.person, writer.address) if writer is not None else None,
        games=games,
        may_copy=writer is not None and writer.may_copy,
    )


def key_prefix_of(row: InboxRow) -> str:
    """What the keys of a message and of its copies begin with: its id."""
    return f"{row.message_key.partition('|')[0]}|"


async def proven_person(work: Work, verdict: object) -> PersonRow | None:
    """Who is known to write, beyond doubt."""
    match verdict:
        case Proven(seat=seat):
            return await work.people.find(seat.person_id) if seat.person_id is not None else None
        case WhichGame(person=person):
            return person
    return None


async def confirmed_seat(work: Work, row: InboxRow, verdict: Unproven) -> SeatRow | None:
    """The seat that this very message speaks for, since the registered player has confirmed it;
    None: they have not.
    """
    facts = json.loads(row.facts)
    pending = await work.pending.find(facts["confirmed_by"]) if "confirmed_by" in facts else None
    if pending is None or pending.outcome != "confirmed" or row.id not in pending.inbox_ids:
        return None
    return (
        next((seat for seat in verdict.seats if seat.id == facts.get("seat")), None)
        if verdict.seats
        else verdict.seat
    )
