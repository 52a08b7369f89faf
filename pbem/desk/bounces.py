"""Addresses that do not work: suspended, their letters withheld, and the game masters told."""

import hashlib

from pbem.desk.message import MAIL, TELEGRAM, Message
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.posting import gm_letters, read_desk_people
from pbem.desk.table import load_table, page_table
from pbem.mail.bounces import Bounce
from pbem.mail.tokens import Purpose, parse_message_id_token, proves
from pbem.pages.page import Page, Reader
from pbem.store.work import Work


async def suspend_address(work: Work, parts: Parts, channel: str, address: str, answer: str, *, game_id: int | None) -> bool:
    """Send nothing there any more. False: it was suspended already, or is nobody's."""
    now = parts.clock.now()
    if not await work.people.suspend_address(channel, address, answer[:500], now):
        return False
    await work.outbox.withhold_for_address(channel, address)
    person = await work.people.find_by_address(channel, address)
    game = await work.games.find(game_id) if game_id is not None else None
    if game is None:
        return True
    table = await load_table(work, parts.games, game)
    desk = await read_desk_people(work, parts, table)
    facts = page_table(table, parts.policy, now)
    key = hashlib.sha256(f"{address}:{now.isoformat()}".encode()).hexdigest()[:16]
    who = person.name if person is not None else address if channel == MAIL else "Somebody"
    known = await work.people.list_addresses(person.id) if person is not None else []
    by_mail = any(row.channel == MAIL and row.state != "suspended" for row in known)

    def page(reader: Reader) -> Page:
        if channel == TELEGRAM:
            return parts.chat_pages.chat_closed(facts, reader, who, by_mail=by_mail)
        return parts.notices.gm_bounce(facts, reader, who, address, answer)

    for letter in gm_letters(
        parts,
        table,
        desk,
        page,
        kind="gm-bounce",
        dedupe_key=f"bounce:{key}",
    ):
        await queue_letter(work, letter, now)
    return True


async def take_bounce(work: Work, parts: Parts, bounce: Bounce, mail: Message) -> str:
    """What a delivery report means for us; the outcome code.

    It must prove itself: by the token in the return path it came to, or by naming a letter of ours whose Message-ID holds one.
    Other letters of ours have no return path, so that nobody can honestly report them.
    """
    seat = None
    for claim in mail.tokens:
        if claim.purpose is Purpose.BOUNCE:
            row = await work.seats.find(claim.seat)
            if row is not None and proves(claim, parts.key, row.tenure):
                seat = row
    named = bounce.message_id if parse_message_id_token(bounce.message_id or "", parts.policy.host) is not None else None
    letter = await work.outbox.find_by_message_id(named) if named else None
    if seat is None and letter is None:
        return "bounce-unproven"
    if bounce.kind != "hard":
        return f"bounce-{bounce.kind}"
    person_id = seat.person_id if seat is not None else letter.person_id if letter is not None else None
    game_id = seat.game_id if seat is not None else letter.game_id if letter is not None else None
    own = {row.address for row in await work.people.list_addresses(person_id)} if person_id is not None else set()
    address = (
        bounce.recipient.lower() if bounce.recipient and bounce.recipient.lower() in own else letter.address if letter is not None else None
    )
    if address is None and len(own) == 1:
        address = next(iter(own))
    if address is None:
        return "bounce-of-nobody"
    await suspend_address(work, parts, "mail", address, f"{bounce.status or ''} delivery failed".strip(), game_id=game_id)
    return "bounce-hard"
