"""Storing what a watcher brings, before the server is told that we have it."""

import hashlib
import json

import structlog

from pbem.desk.ports import Parts
from pbem.desk.table import MAIL
from pbem.mail.message import Headers, parse_head
from pbem.mail.ports import StoredMail

HEAD_OCTETS = 256 * 1024

_log = structlog.get_logger("intake")


async def store_mail(parts: Parts, mail: StoredMail) -> None:
    """Keep the raw mail, each once by Message-ID and content, and ask for its handling. Whatever raises leaves it on the server."""
    digest = hashlib.sha256(mail.raw).hexdigest()
    key = f"{_message_id(mail.raw)}|{digest}"
    facts = json.dumps({"uidvalidity": mail.uidvalidity, "uid": mail.uid, "oversize": mail.oversize})
    async with parts.database.write() as work:
        inbox_id = await work.inbox.add_once(
            channel=MAIL, message_key=key, raw=mail.raw, received_at=mail.received_at, stored_at=parts.clock.now(), facts=facts
        )
    parts.steps.reached("intake.stored")
    if inbox_id is None:
        _log.info("mail-known", uid=mail.uid)
        return
    _log.info("mail-stored", inbox=inbox_id, uid=mail.uid, size=len(mail.raw))
    parts.jobs.receive(inbox_id)


def _message_id(raw: bytes) -> str:
    """The Message-ID as the sender gave it, or nothing; only the head's beginning is looked at."""
    head = parse_head(raw[:HEAD_OCTETS])
    found = Headers(head).message_ids("message-id") if head is not None else ()
    return found[0] if found else ""
