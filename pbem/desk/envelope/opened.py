"""A message and what it came in."""

from dataclasses import dataclass

from pbem.desk.envelope.message import Message
from pbem.desk.ports import Policy
from pbem.mail.inbound.bounces import Bounce
from pbem.mail.inbound.reader import ReadingRules
from pbem.store.repositories.post.inbox import InboxRow
from pbem.telegram.updates import Update


@dataclass(frozen=True, slots=True)
class Opened:
    """A message taken out of its envelope."""

    row: InboxRow
    mail: Message
    bounce: Bounce | None = None
    update: Update | None = None


def rules_of(policy: Policy) -> ReadingRules:
    """How raw mails are read here."""
    return ReadingRules(
        own_addresses=frozenset({policy.address}),
        own_names=frozenset({policy.name}),
        host=policy.host,
        authserv_id=policy.authserv_id,
        subaddressing=policy.subaddressing,
    )
