"""A player's message, as far as it is press: taken out before anything else is read, judged, kept, relayed, and told to its writer.

What was meant as press and cannot be sent goes to nobody, and is read as nothing else.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from pbem.desk.conversation import Conversation
from pbem.desk.passing import pass_note, tell_gone
from pbem.desk.press.answering import Held, Words, find_answered, judge_answer
from pbem.desk.press.readers import recipients_of, roll_of, seats_of, why_not
from pbem.desk.press.relaying import PressDesk, read_press_desk, relay
from pbem.desk.press.rules import rules_facts
from pbem.desk.press.secrets import find_evidence, without_codes
from pbem.grammar.commands import take_commands
from pbem.grammar.normalise import normalise
from pbem.grammar.press import Press, To, Unsent, split_press
from pbem.pages.press import Outcome
from pbem.store.press import PressRow

MOST_CHARACTERS = 10_000
PRESS_A_DAY = 60
MOST_PIECES = 10
SENT_KIND = "press-sent"
"""What tells a writer what became of their press: words that answer it have no reader yet."""

_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Meant:
    """A piece of press with its readers settled. `recipients` are as a press row keeps them."""

    to: To
    recipients: tuple[int, ...]
    text: str
    to_grey: bool = False
    open_end: bool = False


async def take_press(talk: Conversation) -> str | None:
    """Take the press out of a message and answer for it; what else it says comes back (None: there was no press in it)."""
    split = split_press(talk.mail.text, roll_of(talk.table, talk.seat))
    answered = await find_answered(talk)
    words = await judge_answer(talk, answered, split.rest) if answered is not None and split.rest.strip() else None
    if not split.pieces and words is None:
        return None
    if talk.has_gone:
        await tell_gone(talk)
        return split.rest if words is None else ""
    if isinstance(words, Held):
        page = talk.parts.press_pages.held(talk.page_table(), talk.reader, words.why, split.rest, words.orders, words.heading)
        await talk.answer(page, "notice", ".press-held")
    told = [words] if isinstance(words, Words) else []
    notes = [without_codes(one.text) for one in told if one.to.kind == "gm" and not one.code]  # an answer to a game master's press
    meant: list[Meant | Unsent] = [_back(talk, one) for one in told if one.to.kind != "gm"]
    for piece in split.pieces[:MOST_PIECES]:
        if isinstance(piece, Press) and piece.to.kind == "gm" and not piece.to.grey:
            notes.append(without_codes(piece.text))
        else:
            meant.append(piece if isinstance(piece, Unsent) else _explicit(piece))
    rest = split.rest if words is None else ""
    if notes and take_commands(normalise(rest)).note is not None:  # of a message there is one note
        rest, notes = "\n\n".join((rest, *(f"GM: {_BLANK_LINES.sub(chr(10), note)}" for note in notes))), []
    outcomes = [Outcome("too-many", limit=MOST_PIECES)] if len(split.pieces) > MOST_PIECES else []
    if meant or notes or outcomes:
        await _write(talk, meant, notes, outcomes)
    return rest


def _explicit(piece: Press) -> Meant:
    return Meant(piece.to, recipients_of(piece.to), piece.text, open_end=not piece.closed)


def _back(talk: Conversation, words: Words) -> Meant | Unsent:
    return Unsent(words.code) if words.code else Meant(words.to, words.recipients, words.text, words.to_grey)


async def _write(talk: Conversation, meant: list[Meant | Unsent], notes: list[str], outcomes: list[Outcome]) -> None:
    """Send what can be sent, and tell. A message that was handled before has sent it all."""
    now = talk.parts.clock.now()
    desk = await read_press_desk(talk.work, talk.parts, talk.table)
    written = await talk.work.press.count_of_seat_since(talk.seat.id, now - timedelta(days=1))
    inbox_id: int | None = talk.row.id
    for one in meant:
        refusal = await _why_not(talk, one, written)
        if refusal is not None or isinstance(one, Unsent):
            outcomes.append(refusal or Outcome("empty"))
            continue
        row = await _keep(talk, one, inbox_id)
        if row is None:
            return
        inbox_id, written = None, written + 1
        await relay(talk.work, talk.parts, desk, row)
        outcomes.append(_outcome(talk, desk, one, row))
    if notes:
        await pass_note(talk, "\n\n".join(notes)[:MOST_CHARACTERS])
        outcomes.append(Outcome(readers=("the game master",), count=1))
    names = [seat.name for seat in talk.table.seats if seat.status != "left" and seat.id != talk.seat.id]
    page = talk.parts.press_pages.sent(
        talk.page_table(), talk.reader, outcomes, rules_facts(talk.table), names, has_attachment=talk.mail.has_attachment
    )
    await talk.answer(page, SENT_KIND)


async def _why_not(talk: Conversation, one: Meant | Unsent, written: int) -> Outcome | None:
    """Why it goes to nobody."""
    if isinstance(one, Unsent):
        return Outcome(one.code, written=one.written, options=one.options)
    code = why_not(talk.table, talk.seat, one.to)
    if code is not None:
        return Outcome(code, written="" if one.to_grey else _first_concerned(talk, code, one.to))
    if len(one.text) > MOST_CHARACTERS:
        return Outcome("too-long", limit=MOST_CHARACTERS)
    if written >= PRESS_A_DAY:
        return Outcome("too-many", limit=PRESS_A_DAY)
    evidence = await find_evidence(talk, one.text)
    return Outcome("evidence", written=evidence) if evidence is not None else None


def _first_concerned(talk: Conversation, code: str, to: To) -> str:
    """Who is out of the game, or whose seat is vacant."""
    for seat in talk.table.seats:
        if seat.number in to.players:
            if (code == "they-are-out" and seat.status == "eliminated") or (code == "vacant" and seat.person_id is None):
                return seat.name
    return ""


async def _keep(talk: Conversation, one: Meant, inbox_id: int | None) -> PressRow | None:
    """None: the message was handled before."""
    now, text = talk.parts.clock.now(), without_codes(one.text)
    game, seat = talk.table.game, talk.seat
    press_id = await talk.work.press.add(
        game_id=game.id, phase_number=game.phase_number, seat_id=seat.id, person_id=seat.person_id, inbox_id=inbox_id, kind=one.to.kind,
        grey=one.to.grey, recipients=one.recipients, text=text, created_at=now,
    )  # fmt: skip
    return await talk.work.press.find(press_id) if press_id is not None else None


def _outcome(talk: Conversation, desk: PressDesk, one: Meant, row: PressRow) -> Outcome:
    """To whom it went; never whether they read, muted or wait for it."""
    to = one.to
    seats = [seat for seat in seats_of(talk.table, row) if seat.person_id is not None]
    names = [] if one.to_grey else [seat.name for seat in seats]
    names += ["the game master"] if to.gm else []
    names += ["the observers"] if to.observers else []
    count = len(seats) + to.gm + (len(desk.observers) if to.observers or to.kind == "public" else 0)
    return Outcome(readers=tuple(names), kind=to.kind, count=count, grey=to.grey, to_grey=one.to_grey, open_end=one.open_end)
