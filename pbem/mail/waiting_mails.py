"""The mails that wait on the server, known by their heads: which of them is read next."""

import heapq
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import datetime

TURN = 20
"""Of one sender this many mails are read before another sender's of the same lane."""


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """`found_after`: everything that the server had got by then was found before this one; None
    where nobody had looked before.

    `seen_before`: it was marked read when we found it, and must be read again.
    """

    uid: int
    size: int
    received_at: datetime
    found_after: datetime | None
    seen_before: bool


class WaitingMails:
    """Lane by lane, each by UID, but that a sender of many lets the others through after every
    `TURN` of them.

    What one sender wrote is read in the order of its UIDs: a mail takes along into its lane what
    its sender wrote before. All costs are linear in the number of mails, except for the logarithm
    of a heap.
    """

    def __init__(self) -> None:
        self._mails: OrderedDict[int, WaitingMail] = (
            OrderedDict()
        )  # in the order in which they were found
        self._lanes: dict[int, int] = {}
        self._turns: dict[int, int] = {}
        self._heap: list[tuple[int, int, int]] = []
        self._counts: Counter[int] = Counter()
        self._by_sender: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._numbers: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._mails)

    def uids(self) -> list[int]:
        return list(self._mails)

    @property
    def first_found(self) -> WaitingMail | None:
        """Of those that wait the one that was found first."""
        return next(iter(self._mails.values()), None)

    def add(self, mail: WaitingMail, lane: int, sender: str) -> None:
        """A mail with a higher UID than all others of its sender; without a `sender` nobody knows
        whose it is.
        """
        self._mails[mail.uid] = mail
        self._turns[mail.uid] = self._numbers[sender] // TURN
        self._numbers[sender] += 1
        self._put(mail.uid, lane)
        if sender:
            own = self._by_sender[sender]
            for behind in [other for other in own if other > lane]:
                moved = [uid for uid in own.pop(behind) if uid in self._mails]
                for uid in moved:
                    self._counts[behind] -= 1
                    self._put(uid, lane)
                own[lane] += moved
            own[lane].append(mail.uid)

    def batch(self, octets: int, *, below: int | None = None) -> list[WaitingMail]:
        """The next few, all of one lane (one `below` that one) and no larger in sum, but at least
        one; nothing when there are none.
        """
        found: list[WaitingMail] = []
        while self._heap and len(found) < TURN:
            lane, _turn, uid = key = self._heap[0]
            mail = self._mails.get(uid)
            if mail is not None and self._key(uid) == key:
                if (below is not None and lane >= below) or (
                    found and (lane != self._lanes[found[0].uid] or mail.size > octets)
                ):
                    break
                found.append(mail)
                octets -= mail.size
            heapq.heappop(self._heap)
        return found

    def drop(self, uid: int) -> None:
        """It is stored, or gone."""
        del self._mails[uid], self._turns[uid]
        self._counts[self._lanes.pop(uid)] -= 1
        if not self._mails:
            self._heap.clear()
            self._by_sender.clear()
            self._numbers.clear()

    def take_back(self) -> None:
        """What was in a batch and still waits is in a batch again."""
        self._heap = [self._key(uid) for uid in self._mails]
        heapq.heapify(self._heap)

    def has_below(self, lane: int) -> bool:
        """Whether a mail of a lane in front of this one waits."""
        return any(count for known, count in self._counts.items() if known < lane)

    def _put(self, uid: int, lane: int) -> None:
        self._lanes[uid] = lane
        self._counts[lane] += 1
        heapq.heappush(self._heap, self._key(uid))

    def _key(self, uid: int) -> tuple[int, int, int]:
        return self._lanes[uid], self._turns[uid], uid
