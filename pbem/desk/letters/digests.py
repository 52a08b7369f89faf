"""When news is told that may wait: where players act one after another it comes in a digest, with
the reader's own next question or at the end of the turn. And the receipt of the message that closed
a phase, in the letter that follows at once.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pbem.desk.envelope.letter import Draft, NewLetter
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.routes import Route, routes_of
from pbem.desk.letters.table_people import TablePeople
from pbem.desk.phases.past import Held, Untold
from pbem.desk.press.readers import due_at
from pbem.pages.joining import join_pages, text_main
from pbem.pages.page import Page

WAITS_AT_MOST = timedelta(days=7)
"""A digest comes in the first morning after so long, whatever happens."""


@dataclass(frozen=True, slots=True)
class Digests:
    """Which letters of a close go at once, and what they tell. `at_once` are the numbers of the
    players who are told now; None: nothing waits. `soon` are those of them who are asked next
    anyway, and when they are told at the latest. `is_end` of a turn: then everybody is told who has
    no part in the game, or was told nothing in that turn. `zone` is the table's.
    """

    people: TablePeople
    untold: Untold
    at_once: Collection[int] | None
    soon: Mapping[int, datetime]
    is_end: bool
    now: datetime
    zone: str

    def timed(self, letter: NewLetter, number: int | None, held: Held | None) -> NewLetter:
        """A bulletin, to the player of that number or to somebody outside. It takes the place of
        what was `held` back.
        """
        told = letter if held is None else held.told_in(letter)
        is_struck = self.at_once is None or number in self.at_once
        if (is_struck and number not in self.soon) or self._ends(number, held, letter):
            return self.with_receipt(told)
        due = held.due_at if held is not None else self._morning(letter.person_id)
        soon = self.soon.get(number or 0) if is_struck else None
        return msgspec.structs.replace(told, due_at=due if soon is None else min(due, soon))

    def with_receipt(self, letter: NewLetter) -> NewLetter:
        """The letter with the receipt that waits for it, if it goes the same way alone. The letter
        of a turn and that of the end tell it last, in a bulletin it stands first.
        """
        row = self.untold.receipts.get(letter.seat_id or 0)
        if row is None or row.person_id != letter.person_id or row.picture_id is not None:
            return letter
        said = msgspec.json.decode(row.letter, type=Draft)
        ways = routes_of(letter, self.people.reach)
        if said.attachment is not None or ways != (Route(MAIL, row.address),):
            return letter
        own, receipt = _page_of(letter.draft), _page_of(said)
        pages = [receipt, own] if letter.kind == "bulletin" else [own, receipt]
        if any(page.html_main is None for page in pages):
            return letter
        page = join_pages(pages, "")
        draft = msgspec.structs.replace(
            letter.draft,
            text=page.text,
            html=page.html,
            main=page.html_main,
            list_id=None,
            secret=text_main(own),
        )
        return msgspec.structs.replace(letter, draft=draft, instead=(*letter.instead, row.id))

    def _ends(self, number: int | None, held: Held | None, letter: NewLetter) -> bool:
        """Whether the waiting ends: with the turn, or since the reader wants no digest. The chats
        of a table's groups have none if a game master wants none.
        """
        if self.is_end and (number is None or (held is not None and held.is_long)):
            return True
        people = [letter.person_id]
        if letter.person_id is None:
            people = [master.person_id for master in self.people.gms]
        return any(map(self.people.reach.is_told_at_once, people))

    def _morning(self, person_id: int | None) -> datetime:
        """When news of this moment is told at the latest."""
        zones = {
            **{person.id: person.time_zone for _, person, _ in self.people.seated},
            **{watcher.person.id: watcher.person.time_zone for watcher in self.people.watchers},
            **{master.person_id: master.zone for master in self.people.gms},
        }
        zone = zones.get(person_id or 0, self.zone)
        return due_at("daily", self.now + WAITS_AT_MOST, zone)


def _page_of(draft: Draft) -> Page:
    return Page(draft.subject, draft.text, draft.html or "", html_main=draft.main)
