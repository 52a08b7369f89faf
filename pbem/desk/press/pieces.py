"""A player's message, as far as it is press: judged, kept, relayed, and told to its writer.

What was meant as press and cannot be sent goes to nobody, and is read as nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from pbem.desk.envelope.answers import PRESS_SENT
from pbem.desk.envelope.message import MAIL
from pbem.desk.letters.routes import chat_addresses_of
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.notes import pass_note, tell_gone
from pbem.desk.press.readers import recipients_of, roll_of, seats_of, why_not
from pbem.desk.press.relay import PressDesk, read_press_desk, relay
from pbem.desk.press.replies import Answered, Words, judge_answer
from pbem.desk.press.replies import Held as HeldAnswer
from pbem.desk.press.secrets import find_evidence, without_codes
from pbem.desk.press.words import rules_facts
from pbem.grammar.addressees import Roll, To, Unsent
from pbem.grammar.house import statements as s
from pbem.grammar.instructions import MOST_READ
from pbem.grammar.press import LONGEST, MOST_PIECES, Held, Press, held_answer, held_if_signed
from pbem.pages.press import Outcome, PressDoubtful, PressHeld, PressSent
from pbem.store.repositories.post.press import NewPress, PressRow

PRESS_A_DAY = 60
SENT_WAITS_AT_MOST = timedelta(days=1)
"""So long a mail that all was sent waits, in a game in turns, for a letter that it can stand in."""

_LIMITS = {"too-long": LONGEST, "too-many-at-once": MOST_PIECES, "too-many-lines": MOST_READ}


@dataclass(frozen=True, slots=True)
class Meant:
    """A piece of press with its readers settled. `recipients` are as a press row keeps them."""

    to: To
    recipients: tuple[int, ...]
    text: str
    to_grey: bool = False


async def take_press(
    talk: Conversation[Player], statements: Sequence[s.Press | s.Reply], answered: Answered | None
) -> Conversation[Player]:
    """Answer for what of a message is for others; what is left of it comes back."""
    if talk.has_gone:
        await tell_gone(talk)
        return talk
    meant: list[Meant | Held | Unsent] = []
    notes: list[str] = []
    for one in statements:
        if isinstance(one, s.Reply):
            await _take_reply(talk, answered or Answered(), one, meant, notes)
        elif isinstance(one.piece, Press) and one.piece.to.kind == "gm" and not one.piece.to.grey:
            notes.append(without_codes(one.piece.text))
        else:
            meant.append(_explicit(one.piece) if isinstance(one.piece, Press) else one.piece)
    said = talk.said
    if said.note is not None:  # of a message there is one note
        for note in notes:
            said = said.with_note(note)
        notes = []
    if meant or notes:
        await _write(talk, meant, notes)
    return talk.about(said)


async def _take_reply(
    talk: Conversation[Player],
    answered: Answered,
    said: s.Reply,
    meant: list[Meant | Held | Unsent],
    notes: list[str],
) -> None:
    words = judge_answer(talk, answered, said)
    if isinstance(words, HeldAnswer):
        await _ask_about_answer(talk, said.written, words)
    elif words.to.kind == "gm" and not words.code:  # an answer to a game master's press
        notes.append(without_codes(words.text))
    else:
        signed = None
        if (words.to.grey or talk.table.hides_names) and not said.is_closed:
            press = Press(words.to, words.text)
            signed = held_if_signed(said.reply.heading, press, _signs(talk))
        meant.append(signed or _back(words))


def roll_of_writer(talk: Conversation[Player]) -> Roll:
    """The table, and the names that the writer may sign with."""
    roll, hides = roll_of(talk.table, talk.seat), talk.table.hides_names
    return msgspec.structs.replace(roll, signs=_signs(talk), hides_names=hides)


def _signs(talk: Conversation[Player]) -> tuple[str, ...]:
    own = () if talk.table.hides_names else (talk.seat.name,)
    return tuple(filter(None, (*own, talk.mail.sender_name, talk.writer.known_as)))


async def _ask_about_answer(talk: Conversation[Player], text: str, held: HeldAnswer) -> None:
    """Ask what the words of an answer are."""
    if held.orders:
        await _ask(
            talk,
            held_answer(held.heading, Press(To("private"), held.text), held.orders),
            held.heading,
        )
        return
    page = PressHeld(held.why, text, held.heading)
    await talk.answer(page, "notice", ".press-held")


async def _ask(talk: Conversation[Player], held: Held, heading: str = "", serial: int = 0) -> None:
    page = PressDoubtful(
        held.found, held.as_press, held.as_orders, heading=heading, signed=held.signed
    )
    await talk.answer(page, "notice", f".press-held{serial or ''}")


def _explicit(piece: Press) -> Meant:
    return Meant(piece.to, recipients_of(piece.to), piece.text)


def _back(words: Words) -> Meant | Unsent:
    return (
        Unsent(words.code)
        if words.code
        else Meant(words.to, words.recipients, words.text, words.to_grey)
    )


async def _write(
    talk: Conversation[Player], meant: list[Meant | Held | Unsent], notes: list[str]
) -> None:
    """Send what can be sent, ask about what may be no press, and tell. A message that was handled
    before has sent it all.
    """
    outcomes: list[Outcome] = []
    now = talk.now()
    desk = await read_press_desk(talk, talk.table)
    written = await talk.work.press.count_of_seat_since(talk.seat.id, now - timedelta(days=1))
    inbox_id: int | None = talk.row.id
    for serial, one in enumerate(meant, 1):
        refusal = await _why_not(
            talk, desk, _explicit(one.press) if isinstance(one, Held) else one, written
        )
        if isinstance(one, Held) and refusal is None:
            await _ask(talk, one, serial=serial)
            continue
        if refusal is not None or isinstance(one, Unsent | Held):
            outcomes.append(refusal or Outcome("empty"))
            continue
        row = await _keep(talk, one, inbox_id)
        if row is None:
            talk.has_answered()
            return
        inbox_id, written = None, written + 1
        await relay(talk, desk, row)
        outcomes.append(_outcome(talk, desk, one, row))
    if notes:
        await pass_note(talk, "\n\n".join(notes)[:LONGEST])
        outcomes.append(Outcome(readers=("the game master",), count=1, text="\n\n".join(notes)))
    if not outcomes:
        return
    names = [
        seat.name for seat in talk.table.seats if seat.status != "left" and seat.id != talk.seat.id
    ]
    page = PressSent(
        outcomes, rules_facts(talk.table), names, has_attachment=talk.mail.has_attachment
    )
    is_plain = not (notes or talk.mail.has_attachment) and all(one.is_plain for one in outcomes)
    waits = is_plain and await _may_wait(talk)
    await talk.answer(page, PRESS_SENT, due_at=now + SENT_WAITS_AT_MOST if waits else None)


async def _may_wait(talk: Conversation[Player]) -> bool:
    """Whether a letter of the table will come by mail alone that this answer can stand in."""
    table, person_id = talk.table, talk.person_id
    if talk.mail.channel != MAIL or table.phase is None or not table.kind.pages.in_turns:
        return False
    return person_id is not None and not await chat_addresses_of(talk.work, (person_id,))


async def _why_not(
    talk: Conversation[Player], desk: PressDesk, one: Meant | Unsent, written: int
) -> Outcome | None:
    """Why it goes to nobody."""
    if isinstance(one, Unsent):
        return Outcome(
            one.code, written=one.written, options=one.options, limit=_LIMITS.get(one.code, 0)
        )
    code = why_not(talk.table, talk.seat, one.to)
    if code is not None:
        return Outcome(code, written="" if one.to_grey else _first_concerned(talk, code, one.to))
    if (
        one.to.observers
        and not one.to.players
        and not one.to.gm
        and one.to.kind == "private"
        and not desk.observers
    ):
        return Outcome("nobody-looks-on")
    if len(one.text) > LONGEST:
        return Outcome("too-long", limit=LONGEST)
    if written >= PRESS_A_DAY:
        return Outcome("too-many", limit=PRESS_A_DAY)
    evidence = await find_evidence(talk, one.text)
    return Outcome("evidence", written=evidence) if evidence is not None else None


def _first_concerned(talk: Conversation[Player], code: str, to: To) -> str:
    """Who is out of the game, or whose seat is vacant."""
    for seat in talk.table.seats:
        if seat.number in to.players:
            if (code == "they-are-out" and seat.status == "eliminated") or (
                code == "vacant" and seat.person_id is None
            ):
                return seat.name
    return ""


async def _keep(talk: Conversation[Player], one: Meant, inbox_id: int | None) -> PressRow | None:
    """None: the message was handled before."""
    now, text = talk.now(), without_codes(one.text)
    game, seat = talk.table.game, talk.seat
    press_id = await talk.work.press.add(
        NewPress(
            game_id=game.id,
            phase_number=game.phase_number,
            seat_id=seat.id,
            person_id=seat.person_id,
            inbox_id=inbox_id,
            kind=one.to.kind,
            grey=one.to.grey,
            recipients=one.recipients,
            text=text,
            created_at=now,
        )
    )
    return await talk.work.press.find(press_id) if press_id is not None else None


def _outcome(talk: Conversation[Player], desk: PressDesk, one: Meant, row: PressRow) -> Outcome:
    """To whom it went; never whether they read, muted or wait for it."""
    to = one.to
    seats = [seat for seat in seats_of(talk.table, row) if seat.person_id is not None]
    names = [] if one.to_grey else [seat.name for seat in seats]
    names += ["the game master"] if to.gm else []
    names += ["the observers"] if to.observers and desk.observers else []
    count = len(seats) + to.gm + (len(desk.observers) if to.observers or to.kind == "public" else 0)
    nobody_looks = to.observers and not desk.observers
    return Outcome(
        readers=tuple(names),
        kind=to.kind,
        count=count,
        grey=to.grey,
        to_grey=one.to_grey,
        text=row.text,
        nobody_looks=nobody_looks,
    )
