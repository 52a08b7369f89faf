"""Messages without orders: passed on to the game masters, or answered where they are no note."""

import re
from datetime import datetime, timedelta
from typing import Any

from engine.ruleset import Standing
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.post import Masters, read_post
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.receipts import has_orders, is_wholly_understood
from pbem.desk.people.masters import masters_of_table
from pbem.desk.press.readers import roll_of
from pbem.grammar.consent import No, read_consent
from pbem.grammar.house.reading import read_alone
from pbem.grammar.leaving import wants_to_leave
from pbem.grammar.lobby import read_colours
from pbem.grammar.unsent import find_for_others
from pbem.pages.chat import ChangeTooLate
from pbem.pages.lobby import LeaveExplained
from pbem.pages.notices import (
    AnswerKept,
    CameBefore,
    ColoursAreDealt,
    ForOthers,
    GmCameBefore,
    GmNote,
    Missed,
    NoteRepeated,
    OrdersInNote,
    SubjectNotRead,
    WasItAnOrder,
)
from pbem.store.repositories.phases import PhaseRow

LEAVING = "leaving-explained"
"""What a message came to whose writer wants to leave."""
MOST_WORDS_OF_AN_ANSWER = 12
"""An answer to a question of ours that is no longer is nobody's but ours."""
MOST_LINES_ALONE = 100
"""Lines of a note that are read each by itself; the further ones are read in one piece."""

REPEATS_WITHIN = timedelta(days=1)
MOST_ALIKE = 2
"""This many notes of a day may differ by their numbers alone; so often a note that was written
before is answered.
"""


async def ask_if_order(
    talk: Conversation[Player], text: str, *, is_begun: bool = True, example: str = ""
) -> bool:
    """Ask a player about words that were neither understood nor addressed to anybody, instead of
    passing them on. False: they may be.

    They may be secret orders, and the person who runs the table may play at it. A game master who
    writes so on a letter to a player is told where commands go. `example` is an order to copy.
    Before a game has begun (`is_begun`) there are no secrets yet.
    """
    masters = {
        master.person_id
        for master in await masters_of_table(talk.work, talk.services.policy, talk.table.game.id)
        if master.person_id
    }
    others = {
        seat.person_id
        for seat in talk.table.seats
        if seat.id != talk.seat.id and seat.status != "left"
    }
    is_master = talk.seat.person_id in masters
    if not is_master and (not is_begun or talk.table.settings.secrets or not masters & others):
        return False
    await _ask_what_it_is(talk, text, is_master=is_master, example=example)
    return True


async def _ask_what_it_is(
    talk: Conversation[Player],
    text: str,
    *,
    is_master: bool = False,
    is_garbled: bool = False,
    example: str = "",
) -> None:
    page = WasItAnOrder(text, is_master=is_master, is_garbled=is_garbled, example=example)
    await talk.answer(page, "notice")


async def answer_late_wish(talk: Conversation[Player], text: str) -> bool:
    """Say that colours are wished for before the start, where a message holds nothing but such a
    wish. False: it holds something else.
    """
    kind = talk.table.kind
    symbols = dict(zip(kind.reserved_words[len(kind.colours) :], kind.colours, strict=False))
    if read_colours(text, {colour: colour for colour in kind.colours} | symbols) is None:
        return False
    await talk.answer(ColoursAreDealt(), "notice")
    return True


async def answer_leaving(talk: Conversation[Player], text: str) -> bool:
    """Say what leaving means, where a message in which no order was found says that its writer
    wants to, in whatever words. False: it does not say so.
    """
    if not wants_to_leave(text):
        return False
    page = LeaveExplained(
        is_out=talk.seat.status == "eliminated", begun=talk.table.state is not None
    )
    await talk.answer(page, "answer")
    return True


async def keep_back(
    talk: Conversation[Player],
    note: str,
    standing: Standing[Any],
    *,
    is_addressed: bool,
    example: str = "",
) -> str:
    """Answer a message without orders that is not for the game masters, and say what it came to;
    "": it may be passed on.
    """
    if not is_addressed and await answer_late_wish(talk, talk.mail.text):
        return "late-wish"
    roll = roll_of(talk.table, talk.seat)
    for_others = find_for_others(talk.mail.text, roll) if not is_addressed else None
    if for_others is not None:
        await talk.answer(ForOthers(talk.mail.text, for_others.as_press), "notice")
        return "for-others"
    if not is_addressed and talk.said.has_lone_numbers:
        await _ask_what_it_is(talk, talk.mail.text, is_garbled=True)
        return "asked-if-order"
    if not is_addressed and talk.asks and len(note.split()) <= MOST_WORDS_OF_AN_ANSWER:
        kept = AnswerKept(note, talk.asks, is_no=isinstance(read_consent(note), No))
        await talk.answer(kept, "notice")
        return "answer-kept"
    asked = await (
        ask_about_note(talk, note, standing)
        if is_addressed
        else ask_if_order(talk, talk.mail.text, example=example)
    )
    return "asked-if-order" if asked else ""


async def ask_about_note(talk: Conversation[Player], note: str, standing: Standing[Any]) -> bool:
    """Ask about lines below `GM: ...` that would be orders if a blank line stood before them: it
    may have been forgotten. False: none are.

    The note is not passed on: it may be secret orders.
    """
    table = talk.table
    lines = list(dict.fromkeys(line.strip() for line in note.splitlines()[1:] if line.strip()))
    alone, together = lines[:MOST_LINES_ALONE], "\n".join(lines[MOST_LINES_ALONE:])
    found = []
    for line in (*alone, together) if together else alone:
        reading = await talk.services.apart.run(
            table.reader(read_alone, talk.seat.number, standing),
            line,
        )
        if any(item.orders for item in reading.items) and (
            line is together or is_wholly_understood(reading)
        ):
            found += (
                [item.quote for item in reading.items if item.orders]
                if line is together
                else [line]
            )
    if found:
        await talk.answer(
            OrdersInNote(note, found),
            "notice",
            ".note",
        )
    return bool(found)


async def tell_gone(talk: Conversation[Player]) -> None:
    """Say, once a message, that what has gone to others does not go again because its words were
    changed.
    """
    await talk.answer(ChangeTooLate(), "notice", ".gone")


async def is_repeated(talk: Conversation[Player], note: str) -> bool:
    """Whether a mail without orders says what its writer's notes of today have said: a machine may
    be answering us. It is kept, and does not go to the game masters again.

    Its writer is told as long as they do not write the very same once more.
    """
    work, now = talk.work, talk.now()
    if talk.mail.channel != MAIL:
        return False
    game_id, seat_id = talk.table.game.id, talk.seat.id
    before = [
        row.text
        for row in await work.notes.list_of_seat(game_id, seat_id, now - REPEATS_WITHIN)
        if row.inbox_id != talk.row.id
    ]
    same = [text for text in before if _signs(text) == _signs(note)]
    alike = [text for text in before if _letters(text) == _letters(note)]
    if not same and len(alike) < MOST_ALIKE:
        return False
    note_id = await work.notes.add_once(
        game_id=game_id, seat_id=seat_id, inbox_id=talk.row.id, text=note, created_at=now
    )
    if note_id is not None:
        await work.notes.mark_answered(note_id)
    if len(same) < MOST_ALIKE:
        page = NoteRepeated(note)
        await talk.answer(page, "notice")
    return True


def _signs(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _letters(text: str) -> str:
    """Without the numbers, of which a machine has a new one each time."""
    return "".join(letter for letter in text.casefold() if letter.isalpha())


async def pass_note(talk: Conversation[Player], text: str) -> bool:
    """Keep a note and send it to the game masters of the table; a flood of notes is kept, and no
    longer sent.

    False: it stands in a message that was changed, and has gone as it was; its writer is told.
    """
    if talk.has_gone:
        await tell_gone(talk)
        return False
    work, now = talk.work, talk.now()
    note_id = await work.notes.add_once(
        game_id=talk.table.game.id,
        seat_id=talk.seat.id,
        inbox_id=talk.row.id,
        text=text,
        created_at=now,
    )
    if note_id is None or await talk.is_flooded("notice"):
        return True
    post = await read_post(talk, talk.table)
    await post.tell(
        work,
        Masters(),
        GmNote(talk.seat.name, text, note_id),
        "gm-note",
        f"note:{note_id}",
    )
    await work.notes.mark_passed(note_id)
    return True


async def tell_missed(talk: Conversation[Player], number: int | None) -> bool:
    """Tell the player when the message came and when the phase closed, and the game masters once a
    phase. `number` is the phase that it answers; None: the one that was open when it came. False:
    it came after that.
    """
    work, table, row = talk.work, talk.table, talk.row
    phases = await work.phases.list_of_game(table.game.id)
    closed = next((phase for phase in phases if _came_before(row.received_at, phase)), None)
    if closed is None or closed.closed_at is None or number not in (None, closed.number):
        return False
    post = await read_post(talk, table)
    missed = Missed(
        row.received_at,
        closed.closed_at,
        all_done=await _was_all_done(talk, closed),
        is_told=bool(post.people.gms),
    )
    open_phase = table.phase if table.game.status in ("running", "paused") else None
    name = table.kind.pages.phase_name(open_phase.kind) if open_phase is not None else ""
    due = open_phase.deadline if open_phase is not None else None
    await talk.answer(CameBefore(missed, name, due), "notice")
    await post.tell(
        work,
        Masters(),
        GmCameBefore(talk.seat.name, missed),
        "gm-missed",
        f"missed:{table.game.id}:{closed.number}:{talk.seat.id}:{talk.seat.tenure}",
    )
    return True


def _came_before(received_at: datetime, phase: PhaseRow) -> bool:
    """Whether that phase was still open then; mail servers stamp whole seconds."""
    return phase.closed_at is not None and received_at < phase.closed_at.replace(microsecond=0)


async def _was_all_done(talk: Conversation[Player], closed: PhaseRow) -> bool:
    """Whether it closed early because nobody was waited for any more."""
    if closed.closed_at is None or closed.closed_at >= closed.deadline:
        return False
    latest = await talk.work.orders.latest(closed.game_id, closed.number)
    final = {row.seat_id for row in latest if row.final}
    return all(
        seat.id in final
        for seat in talk.table.seats
        if seat.number in closed.asked and seat.status == "active"
    )


_ANSWERS = re.compile(r"\s*(?:\[|[^\W\d_]{1,6}(?:\[\d+\])?\s?[:：])|.* · .*\[[^\[\]]*\]$")
"""Subjects of answers, or ours: `Re: ...`, `[Heron] ...`, `... · ... [Heron 6]`."""
_MOST_CHARACTERS = 200


async def tell_of_subject(talk: Conversation[Player], standing: Standing[Any]) -> bool:
    """Say that subjects are not read, if this one is an order by itself. False: it is not one.

    For a message without an order in its text.
    """
    subject, table = talk.mail.subject.strip(), talk.table
    if (
        talk.mail.channel != MAIL
        or table.state is None
        or not subject
        or len(subject) > _MOST_CHARACTERS
        or _ANSWERS.match(subject)
    ):
        return False
    reading = await talk.services.apart.run(
        table.reader(read_alone, talk.seat.number, standing),
        subject,
    )
    if not has_orders(reading) or not is_wholly_understood(reading):
        return False
    page = SubjectNotRead(subject)
    await talk.answer(page, "notice")
    return True
