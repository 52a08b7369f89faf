"""Lanes of intake: whose message is handled first of those that wait.

Proven players and game masters go first, then what has to be confirmed and the answers to our
questions, then strangers; each lane in the order of arrival. The lane is judged when a message is
stored, from the head of a mail or the sender of an update alone. It says how soon a message is
looked at and nothing else: what it proves the desk finds out when it handles it.

What one hand wrote is handled in the order it came in, whatever the lanes: a message takes along
into its lane what its sender wrote before (`Inbox.add_once`). A sender is an address that proved to
be theirs, a chat's user, or, with a question mark, an address that anybody may have put there.
Those have no order among them: without a yes from the true owner of the address none of what they
say counts.

A close waits for every message of the first two lanes that came before its deadline, however long.
Strangers' messages it awaits for `STRANGERS_HOLD` at most, so that a flood of them holds up no
table for ever. They cannot be orders: the writer had, when the message came, no chat and no address
at any table, and no code of ours. At the most the house asks somebody a question about them, and
the yes to it is a message of its own. A sender who becomes known meanwhile leaves the lane
(`leave_strangers`), and is awaited again.

Mails that still lie on the server are fetched by the same lanes, judged by their heads, and hold up
a close by the same rule (`intake.mail_lanes`).
"""

from collections import Counter, deque
from datetime import datetime, timedelta

from pbem.store.database import Database

PLAYERS, CONFIRMATIONS, STRANGERS = range(3)
STRANGERS_HOLD = timedelta(minutes=1)


async def leave_strangers(database: Database) -> None:
    """A sender who is known by now is no longer a stranger: we handle their messages with the
    players' (`Inbox.has_known`: whether there is something).
    """
    async with database.write() as work:
        await work.inbox.promote_known(STRANGERS, PLAYERS)


class Budget:
    """How many strangers' messages are handled in a minute: of one sender, and in sum. In this
    process alone.
    """

    def __init__(
        self, each: int = 20, in_sum: int = 60, span: timedelta = timedelta(minutes=1)
    ) -> None:
        self._each, self._in_sum, self._span = each, in_sum, span
        self._spent: deque[tuple[datetime, str]] = deque()

    def exhausted(self, now: datetime) -> frozenset[str] | None:
        """The senders who have to wait; None: all of them."""
        while self._spent and self._spent[0][0] <= now - self._span:
            self._spent.popleft()
        if len(self._spent) >= self._in_sum:
            return None
        return frozenset(
            sender
            for sender, count in Counter(sender for _, sender in self._spent).items()
            if count >= self._each
        )

    def spend(self, now: datetime, sender: str) -> None:
        """A message of this sender is about to be handled."""
        self._spent.append((now, sender))
