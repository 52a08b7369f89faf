"""Storing what a watcher brings, before the server is told that we have it."""

import asyncio
import hashlib
import json

import structlog

from pbem.desk.correlation import caused_by
from pbem.desk.message import MAIL, TELEGRAM
from pbem.desk.origins import origin_of_mail, origin_of_update
from pbem.desk.ports import Parts
from pbem.desk.receive import rules_of
from pbem.mail.message import Headers, parse_head
from pbem.mail.ports import StoredMail
from pbem.mail.reading import read_head
from pbem.telegram.ports import StoredUpdate
from pbem.telegram.updates import Said, read_update

HEAD_OCTETS = 256 * 1024
MAX_ID_CHARACTERS = 250

_log = structlog.get_logger("intake")


async def store_mail(parts: Parts, mail: StoredMail) -> None:
    """Keep the raw mail, each once by Message-ID and content, and ask for its handling. Whatever raises leaves it on the server."""
    key = await asyncio.to_thread(message_key, mail.raw)
    facts = {"uidvalidity": mail.uidvalidity, "uid": mail.uid, "oversize": mail.oversize}
    if mail.seen_before:
        facts["seen_before"] = True
    head = await asyncio.to_thread(read_head, mail.raw, rules_of(parts.policy))
    async with parts.database.write() as work:
        lane, sender = await origin_of_mail(work, parts, head)
        inbox_id = await work.inbox.add_once(
            channel=MAIL, message_key=key, raw=mail.raw, received_at=mail.received_at, stored_at=parts.clock.now(), facts=json.dumps(facts),
            lane=lane, sender=sender,
        )  # fmt: skip
    parts.steps.reached("intake.stored")
    if inbox_id is None:
        _log.info("mail-known", uid=mail.uid)
        return
    with caused_by(f"m{inbox_id}"):
        _log.info("mail-stored", inbox=inbox_id, uid=mail.uid, size=len(mail.raw))
        parts.jobs.receive(inbox_id)


async def store_update(parts: Parts, update: StoredUpdate) -> None:
    """Keep an update of a chat as it came, each once, and ask for its handling. Whatever raises leaves it unconfirmed.

    It counts from when the chat's server got it, as a mail does, or from now where the update does not say.
    """
    now = parts.clock.now()
    read = read_update(update.raw)
    said_at = read.dated if isinstance(read, Said) else update.received_at
    async with parts.database.write() as work:
        lane, sender = await origin_of_update(work, read)
        inbox_id = await work.inbox.add_once(
            channel=TELEGRAM, message_key=f"{update.update_id}|{hashlib.sha256(update.raw).hexdigest()}", raw=update.raw,
            received_at=min(said_at, update.received_at), stored_at=now, facts="{}", lane=lane, sender=sender,
        )  # fmt: skip
    parts.steps.reached("intake.stored")
    if inbox_id is not None:
        with caused_by(f"m{inbox_id}"):
            _log.info("update-stored", inbox=inbox_id, update=update.update_id, size=len(update.raw))
            parts.jobs.receive(inbox_id)


def message_key(raw: bytes) -> str:
    """What makes a mail one and the same: its Message-ID and its content. An ID that is no plain text stands as its hash."""
    message_id = _message_id(raw)
    if len(message_id) > MAX_ID_CHARACTERS or not (message_id.isascii() and message_id.isprintable()) or "|" in message_id:
        message_id = f"<{hashlib.sha256(message_id.encode('utf-8', 'surrogatepass')).hexdigest()}>"
    return f"{message_id}|{hashlib.sha256(raw).hexdigest()}"


def _message_id(raw: bytes) -> str:
    """The Message-ID as the sender gave it, or nothing; only the head's beginning is looked at."""
    head = parse_head(raw[:HEAD_OCTETS])
    found = Headers(head).message_ids("message-id") if head is not None else ()
    return found[0] if found else ""
