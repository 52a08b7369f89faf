"""A tap on a button: what it carries proves nothing; who tapped must be whom the button was made
for, and its phase must be open.

Telegram vouches for the person who tapped, and does not say when: a tap counts from when we got it.
What has an effect happens once, however often it is tapped; steps of a menu can be gone back and
forth. Every tap is answered, and a vote by a button is shown in its place.
"""

import hashlib
import json
from dataclasses import replace

from pbem.desk.authentication.kept import is_over, why_over
from pbem.desk.authentication.questions import QUESTIONS, settle_pending
from pbem.desk.authentication.verdicts import Proven
from pbem.desk.chat.buttons import (
    CODE_CHARACTERS,
    Choose,
    Command,
    Consent,
    Own,
    Say,
    Show,
    Take,
    Vote,
    parse_action,
)
from pbem.desk.chat.edits import end_buttons, say_instead
from pbem.desk.chat.menus import NOTHING_STANDS, retire_keyboard, show_menu
from pbem.desk.chat.messages import MENU, MENU_EDIT, TAPS_A_DAY, ChatPlace
from pbem.desk.envelope.message import TELEGRAM, Commanding, Disposal, Handled, Message, NotYet
from pbem.desk.messages.conversation import Conversation, begin_conversation
from pbem.desk.messages.players import take_canonical, take_message
from pbem.desk.messages.which_game import settle_choice
from pbem.desk.phases.ballots import open_motions
from pbem.desk.phases.motions import answer_motion
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.pages.chat import button_words
from pbem.pages.gm import tap_words
from pbem.store.columns import end_of_second
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.phases import parse_label
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.taps import TapRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.text import escape
from pbem.telegram.updates import Tapped


async def take_tap(talk: Conversation[object], tapped: Tapped) -> Disposal:
    """Do what the button stands for, if the person who tapped may."""
    person = await talk.work.people.find_by_address(TELEGRAM, str(tapped.user_id))
    tap = await talk.work.taps.find(tapped.data) if len(tapped.data) == CODE_CHARACTERS else None
    if person is not None and tap is None and json.loads(talk.row.facts).get("seen_before"):
        later = await _may_come_later(talk.work, person, talk.row)
        if later is not None:
            return NotYet(later)
    if person is None or tap is None or tap.person_id != person.id or tapped.chat_kind != "private":
        return _alert("tap-foreign", "foreign")
    action = parse_action(tap.action)
    match action:
        case Choose(pending_id=pending_id, seat_id=seat_id):
            return await _choose(talk, tapped, person, pending_id, seat_id)
        case Consent(pending_id=pending_id, answer=answer):
            return await _consent(talk, tapped, pending_id, answer=answer)
        case Command():
            return await _command(talk, person, tap, action)
    seat = await talk.work.seats.find(tap.seat_id)
    if seat is None or seat.person_id != person.id or seat.tenure != tap.tenure:
        return _alert("tap-foreign", "foreign")
    match action:
        case Vote():
            return await _vote(talk, tapped, seat, action)
        case Own(text=text):  # what somebody chooses for themselves
            return await take_message(_saying(talk, tapped, text), Proven(seat, None))
        case Say() | Show() | Take():
            return await _at_table(talk, tapped, seat, tap, action)


async def _may_come_later(work: Work, person: PersonRow, row: InboxRow) -> int | None:
    """The game whose open phase was over when this was tapped: after a restore its close, and with
    it the button, is still to come.
    """
    for seat in await work.seats.list_of_person(person.id):
        phase = await work.phases.current(seat.game_id)
        if (
            phase is not None
            and phase.status != "closed"
            and row.received_at > end_of_second(phase.deadline)
        ):
            return seat.game_id
    return None


def _alert(outcome: str, words: str, **facts: object) -> Handled:
    return Handled(outcome, ignored=True, pop=button_words(words, **facts), alert=True)


async def _command(
    tx: Transaction[Context], person: PersonRow, tap: TapRow, action: Command
) -> Handled | Commanding:
    """A game master's button: it counts while the phase it was made in is open, and once if it does
    anything.
    """
    game = await tx.work.games.find(tap.game_id)
    if game is None or game.phase_number != tap.phase_number or game.status in ("over", "ended"):
        return Handled("tap-closed", ignored=True, pop=tap_words("earlier"), alert=True)
    if tap.used_at is not None:
        return Handled("tap-again", ignored=True, pop=tap_words("taken"))
    return Commanding(
        person,
        tap.game_id,
        action.text,
        f"tap:{tap.code}",
        tap="" if action.again else tap.code,
        phase=tap.phase_number,
    )


async def _choose(
    tx: Transaction[Context], tapped: Tapped, person: PersonRow, pending_id: int, seat_id: int
) -> Handled:
    """A table was chosen by its button."""
    seat = await tx.work.seats.find(seat_id)
    pending = await tx.work.pending.find(pending_id)
    game = await tx.work.games.find(seat.game_id) if seat is not None else None
    if seat is None or seat.person_id != person.id or pending is None or game is None:
        return _alert("tap-foreign", "foreign")
    question, key = (str(tapped.chat_id), tapped.message_id), f"which:{pending_id}"
    kept = await settle_choice(tx, pending, seat)
    if kept is None:
        fresh = await tx.work.pending.find(pending_id) or pending
        is_done = fresh.outcome == "confirmed"
        if not is_done:
            html = escape(button_words("let_go"))
            await say_instead(tx, question, html, key, person.id)
        return Handled(
            "tap-again",
            ignored=True,
            pop=button_words("done") if is_done else button_words("let_go"),
            alert=not is_done,
        )
    html = f"<b>{escape(game.title)}</b>"
    await say_instead(tx, question, html, key, person.id)
    return Handled("which-game-chosen", game_id=game.id, seat_id=seat.id, receive_again=kept)


async def _consent(
    talk: Conversation[object], tapped: Tapped, pending_id: int, *, answer: bool
) -> Disposal:
    """As the answer to the question's own mail would do."""
    pending = await talk.work.pending.find(pending_id)
    if pending is None:
        return Handled("tap-again", ignored=True, pop=button_words("done"))
    if QUESTIONS[pending.purpose].asks and is_over(pending, talk.services):
        words = button_words("over", what=pending.purpose, why=why_over(pending))
        if pending.outcome not in ("confirmed", "refused"):
            await end_buttons(talk, tapped.chat_id, tapped.message_id, words, str(talk.row.id))
        return Handled(
            "tap-over",
            ignored=True,
            game_id=pending.game_id,
            seat_id=pending.seat_id,
            pop=words,
            alert=True,
        )
    said = _saying(talk, tapped, "yes" if answer else "no")
    done = await settle_pending(said, pending)
    words = button_words("said_yes" if answer else "said_no")
    await end_buttons(talk, tapped.chat_id, tapped.message_id, words, str(talk.row.id))
    return done


async def _at_table(
    talk: Conversation[object],
    tapped: Tapped,
    seat: SeatRow,
    tap: TapRow,
    action: Say | Show | Take,
) -> Disposal:
    """A player's button: it counts while the phase is open."""
    game = await talk.work.games.lock(seat.game_id)
    if game is None:
        return _alert("tap-foreign", "foreign")
    table = await load_table(talk, game)
    is_over = (
        table.phase is not None
        and game.status == "running"
        and talk.row.received_at > end_of_second(table.phase.deadline)
    )
    if game.phase_number != tap.phase_number or game.status in ("over", "ended") or is_over:
        await retire_keyboard(talk, str(tapped.chat_id), tapped.message_id, str(talk.row.id))
        return _alert(
            "tap-closed",
            "closed",
            turn=await _coming(talk.work, table, tap),
            turn_word=table.kind.pages.turn_word,
        )
    if await talk.has_had(TELEGRAM, str(tapped.chat_id), MENU, MENU_EDIT, most=TAPS_A_DAY):
        return _alert("tap-flood", "too_many")
    if isinstance(action, Show):
        edits = None if action.is_new else tapped.message_id
        reply = tapped.message_id if action.is_new else None
        place = ChatPlace(str(tapped.chat_id), edits=edits, reply_to=reply)
        shown = await show_menu(talk, table, seat, place, action.path, str(talk.row.id))
        return _done(game, seat, "menu") if shown else _alert("tap-nothing", "nothing_to_order")
    return await _say(talk, tapped, tap, action, game, seat)


async def _coming(work: Work, table: OpenTable, tap: TapRow) -> int:
    """The turn that has come since the button was made; 0: none, or none that is known."""
    made_in = await work.phases.find(table.game.id, tap.phase_number)
    if table.state is None or made_in is None or table.game.status not in ("running", "paused"):
        return 0
    turn = table.kind.ruleset.phase(table.state).turn
    return turn if turn > parse_label(made_in).turn else 0


async def _say(
    talk: Conversation[object],
    tapped: Tapped,
    tap: TapRow,
    action: Say | Take,
    game: GameRow,
    seat: SeatRow,
) -> Handled | NotYet:
    """The same as if the words had been typed; orders are read as the canonical texts they are."""
    may_repeat = isinstance(action, Say) and action.again
    newest = await talk.work.orders.newest(seat.id, game.phase_number)
    stands = str(newest.version) if newest is not None else NOTHING_STANDS
    is_stale = isinstance(action, Say) and action.serial and action.serial != stands
    if is_stale or (not may_repeat and not await talk.work.taps.use(tap.code, talk.now())):
        return Handled("tap-again", ignored=True, pop=button_words("done"))
    take = take_canonical if isinstance(action, Take) or action.orders else take_message
    proven = Proven(seat, tap.phase_number)
    done = await take(_saying(talk, tapped, action.text), proven)
    if isinstance(action, Take) and isinstance(done, Handled):
        fresh = await load_table(talk, await talk.work.games.find(game.id) or game)
        place = ChatPlace(str(tapped.chat_id), edits=tapped.message_id)
        await show_menu(talk, fresh, seat, place, action.path, str(talk.row.id))
    return done


def _done(game: GameRow, seat: SeatRow, outcome: str) -> Handled:
    return Handled.at(seat, outcome)


def _saying(talk: Conversation[object], tapped: Tapped, text: str) -> Conversation[None]:
    """The tap as a message of the person who tapped."""
    return begin_conversation(talk, talk.row, message_of_tap(tapped, text), None, None)


def message_of_tap(tapped: Tapped, text: str) -> Message:
    """What a tap says, as a message of the person who tapped."""
    return Message(
        channel=TELEGRAM,
        message_id=None,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        sender=str(tapped.user_id),
        sender_name=tapped.user_name,
        subject="",
        tokens=(),
        trust="pass",
        automatic=None,
        refused=None,
        text=text,
        dated=None,
        in_reply_to=None,
        references=(),
    )


async def _vote(talk: Conversation[object], tapped: Tapped, seat: SeatRow, action: Vote) -> Handled:
    """Count the answer, the newest of a seat; the question is edited to it."""
    now, game = talk.now(), await talk.work.games.lock(seat.game_id)
    if game is None:
        return _alert("tap-foreign", "foreign")
    table = await load_table(talk, game)
    opened = {motion.id: motion for motion in await open_motions(talk.work, table, now)}
    motion = opened.get(action.motion_id)
    if motion is None or seat.status != "active":
        words = button_words("vote_over")
        await end_buttons(talk, tapped.chat_id, tapped.message_id, words, str(talk.row.id))
        return replace(_done(game, seat, "tap-closed"), ignored=True, pop=words, alert=True)
    if any(
        (one.seat_id, one.answer) == (seat.id, action.answer)
        for one in await talk.work.motions.list_ballots(motion.id)
    ):
        return Handled("tap-again", ignored=True, pop=button_words("voted", answer=action.answer))
    if await talk.has_had(TELEGRAM, str(tapped.chat_id), MENU, MENU_EDIT, most=TAPS_A_DAY):
        return _alert("tap-flood", "too_many")
    await answer_motion(talk, table, motion, seat, action.answer)
    return replace(_done(game, seat, "voted"), pop=button_words("voted", answer=action.answer))
