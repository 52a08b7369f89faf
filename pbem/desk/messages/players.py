"""A proven message of a player: table words are answered, notes passed on, orders submitted; all
within one unit of work.
"""

import asyncio
from dataclasses import replace
from typing import Any

from engine.ruleset import Standing
from pbem.desk.authentication.addresses import take_addresses
from pbem.desk.authentication.verdicts import Proven
from pbem.desk.chat.inbound import is_of_another_phase
from pbem.desk.envelope.message import TELEGRAM, Handled, NotYet, Outdated
from pbem.desk.jobs import Job
from pbem.desk.lobby.seat_messages import take_lobby_message
from pbem.desk.messages.conversation import Conversation, Player, open_conversation
from pbem.desk.messages.errands import with_proposal
from pbem.desk.messages.inquiries import INQUIRIES, answer_inquiries
from pbem.desk.messages.notes import (
    LEAVING,
    is_repeated,
    keep_back,
    pass_note,
    tell_missed,
    tell_of_subject,
)
from pbem.desk.messages.orders import read_canonical, take_orders, unheard_of
from pbem.desk.messages.receipts import (
    Before,
    Change,
    find_before,
    find_change,
    has_orders,
    is_addressed,
    limit_words,
    tell_orders_stand,
)
from pbem.desk.messages.statements import hear_message
from pbem.desk.messages.words import TELLING_ORDERS, answer_words, tell_cut, tell_orders
from pbem.desk.phases.acts import act_on_message
from pbem.desk.phases.more_time import answer_plain_vote
from pbem.desk.phases.player_time import take_ready
from pbem.desk.press.pieces import take_press
from pbem.desk.press.readers import roll_of
from pbem.desk.press.words import PRESS_WORDS, PressWord, answer_press_word
from pbem.desk.table import OpenTable, load_table, standing_of
from pbem.grammar.consent import parse_plain_consent
from pbem.grammar.house import commands as c
from pbem.grammar.house.reading import has_nothing_read, read_orders
from pbem.grammar.kit.reading import Reading
from pbem.grammar.people import Back, ReadLog, Watchers
from pbem.grammar.splitting import split_said
from pbem.grammar.unsent import find_for_others
from pbem.pages.chat import TextOnly, UnknownCommand, button_words
from pbem.pages.lobby import TableClosed
from pbem.pages.notice import Notice, notice_page
from pbem.pages.notices import (
    AnotherTable,
    GameOver,
    NotePassed,
    NothingFound,
    NotRead,
    PlayerEliminated,
    TooShort,
    WrongPhase,
)
from pbem.store.columns import end_of_second
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.people import Owner
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow

EARLY_WORDS = (c.Away, c.Absences, c.Deadlines, c.Veterans, Back, ReadLog, Watchers)
"""The words that are answered before a table begins, too, as they are afterwards."""

ORDERS_STAND = "orders-stand"
SHORTEST_NOTE = 2
_IDLE = frozenset({"pass", "skip", "nothing", "none"})
_ORDERS_TOLD = frozenset(
    {"orders", "orders-known", "game-over", "eliminated", "wrong-phase", ORDERS_STAND}
)
"""What says by itself what became of the orders that a message had before it was changed, or has
nothing to say of them.
"""


async def take_message(
    talk: Conversation[object], proven: Proven, owner: Owner | None = None
) -> Handled | NotYet:
    """Handle what a player wrote. Orders count for the open phase alone; a token of another phase
    is told which is open. `owner` is whose address it came from, if that was read already.
    """
    player = await _open(talk, proven, owner)
    if not isinstance(player, Conversation):
        return player
    newest = await talk.work.orders.newest(proven.seat.id, player.table.game.phase_number)
    change = await find_change(player, newest)
    handled = await _take_open(player, proven, newest, change)
    if change is not None and change.brought and handled.outcome not in _ORDERS_TOLD:
        await tell_orders_stand(player, change, "")
    if talk.mail.elsewhere:
        page = AnotherTable(talk.mail.elsewhere)
        await player.answer(page, "notice", ".elsewhere")
    return handled


async def _open(
    talk: Conversation[object], proven: Proven, owner: Owner | None = None
) -> Conversation[Player] | Handled | NotYet:
    """The message as the player's, at the table as it stands once what is due has happened there;
    else what becomes of it.
    """
    found = await talk.work.games.lock_open(proven.seat.game_id)
    if found is None:
        return Handled("no-game", ignored=True)
    game, phase = found
    table = await load_table(talk, game, phase)
    if _has_changed_hands(table, proven.seat):
        raise Outdated
    if _waits_for_close(table, talk.row):
        return NotYet(game.id)
    acted = await act_on_message(talk, table, proven.seat.number, talk.row.received_at)
    if acted is None:
        talk.services.jobs.ask(Job("close_phase", (game.id, game.phase_number)))
        return NotYet(game.id)
    return await open_conversation(talk, acted, proven.seat, owner)


async def _take_open(
    talk: Conversation[Player], proven: Proven, newest: OrdersRow | None, change: Change | None
) -> Handled:
    """A message of a table where nothing waits for the close; `change` is what it did before it was
    changed.
    """
    done = Handled.at(proven.seat, "answered")
    if not talk.mail.text.strip():
        return await _answer_nothing(talk, done)
    talk, heard = await hear_message(talk, newest, is_change=change is not None)
    if heard.press:
        talk = await take_press(talk, heard.press, heard.answered)
        if not heard.addresses and not talk.mail.text.strip():
            return Handled.of(done, "press")
    if heard.addresses:
        await take_addresses(talk, heard.addresses)
        if not talk.mail.text.strip():
            return Handled.of(done, "addresses")
    if talk.table.state is None:
        return await _take_unbegun(talk, done)
    if heard.vote is not None:
        await answer_plain_vote(talk, *heard.vote)
        return Handled.of(done, "voted")
    before = await find_before(talk, newest, change)
    standing = before.standing
    talk = replace(talk, writer=replace(talk.writer, standing=standing))
    reading, talk, answered = await _read(talk, standing, heard.reading)
    if not reading.items and reading.note is None and reading.answers is None:
        if not answered:
            return await _answer_nothing(talk, done)
        await _tell_unheard(talk, reading)
        return done
    if talk.services.proposing.model is not None and await _may_be_orders(talk, proven, reading):
        reading = await with_proposal(talk, standing, reading)
    handled = await _take_read(talk, proven, reading, before, done)
    if has_orders(reading) and not TELLING_ORDERS.isdisjoint(map(type, reading.commands)):
        await tell_orders(talk, reading.commands, is_kept=handled.outcome == "orders")
    return handled


async def _take_read(
    talk: Conversation[Player],
    proven: Proven,
    reading: Reading,
    before: Before,
    done: Handled,
) -> Handled:
    """What the message says besides table words."""
    change, standing = before.change, before.standing
    mail, table = talk.mail, talk.table
    if table.game.status in ("over", "ended"):
        if not has_orders(reading) or not await tell_missed(talk, proven.phase):
            await talk.answer(GameOver(), "notice")
        return Handled.of(done, "game-over")
    if reading.wants_out and not reading.items and talk.said.note is None:
        return Handled.of(done, LEAVING)
    if has_orders(reading) and not _is_for_others(talk, reading):
        if proven.seat.status == "eliminated":
            await talk.answer(PlayerEliminated(), "notice")
            return Handled.of(done, "eliminated")
        if table.phase is not None and await _is_for_another_phase(talk, proven):
            if not await tell_missed(talk, proven.phase):
                name = table.kind.pages.phase_name(table.phase.kind)
                await talk.answer(
                    WrongPhase(name, table.phase.deadline),
                    "notice",
                )
            return Handled.of(done, "wrong-phase")
        return await take_orders(talk, reading, before, done)
    if mail.unknown_command and not is_addressed(reading):
        await talk.answer(
            UnknownCommand(mail.unknown_command),
            "notice",
        )
        return Handled.of(done, "unknown-command")
    note = reading.note if reading.note is not None else mail.text
    if change is not None and change.brought and not is_addressed(reading):
        await tell_orders_stand(talk, change, mail.text)
        return Handled.of(done, ORDERS_STAND)
    example = next((item.example for item in reading.items if item.example), "")
    if not is_addressed(reading) and not talk.asks and _says_nothing(mail.text):
        await talk.answer(_what_is_open(talk), "notice")
        return Handled.of(done, "too-short")
    if not is_addressed(reading) and await tell_of_subject(talk, standing):
        return Handled.of(done, "order-in-subject")
    kept_back = await keep_back(
        talk, note, standing, is_addressed=is_addressed(reading), example=example
    )
    if kept_back:
        return Handled.of(done, kept_back)
    return await _pass_on(talk, note, example, done)


async def _may_be_orders(talk: Conversation[Player], proven: Proven, reading: Reading) -> bool:
    """Whether orders in it would count."""
    table = talk.table
    if table.game.status in ("over", "ended") or proven.seat.status == "eliminated":
        return False
    if table.phase is None or _is_for_others(talk, reading):
        return False
    return not await _is_for_another_phase(talk, proven)


def _is_for_others(talk: Conversation[Player], reading: Reading) -> bool:
    """Whether no part of it is an order, and its words speak to somebody else at the table."""
    return has_nothing_read(reading) and (
        find_for_others(talk.mail.text, roll_of(talk.table, talk.seat)) is not None
    )


def _says_nothing(text: str) -> bool:
    """Whether a message is no note to anybody: a sign or two, a bare yes or no, or a word that says
    that nothing is done.
    """
    bare = "".join(letter for letter in text.casefold() if letter.isalnum())
    return len(bare) <= SHORTEST_NOTE or bare in _IDLE or parse_plain_consent(text) is not None


def _what_is_open(talk: Conversation[Player]) -> Notice:
    phase, pages = talk.table.phase, talk.table.kind.pages
    name = pages.phase_name(phase.kind) if phase is not None else ""
    due = phase.deadline if phase is not None else None
    return TooShort(talk.mail.text, name, due)


async def _tell_unheard(talk: Conversation[Player], reading: Reading) -> None:
    lines = await asyncio.to_thread(unheard_of, talk, reading)
    if lines:
        await talk.answer(
            NotRead(lines),
            "notice",
            ".unheard",
        )


async def _pass_on(talk: Conversation[Player], note: str, example: str, done: Handled) -> Handled:
    if await is_repeated(talk, note):
        return Handled.of(done, "note-repeated")
    if await pass_note(talk, note):
        page = NotePassed(note, example)
        await talk.answer(page, "notice")
    return Handled.of(done, "note")


async def _take_unbegun(talk: Conversation[Player], done: Handled) -> Handled:
    """A table that has not begun, or was given up before."""
    words, rest = split_said(talk.said, (*INQUIRIES, *PRESS_WORDS, *EARLY_WORDS))
    heard, _cut = limit_words(words)
    await answer_inquiries(talk, [word for word in heard if isinstance(word, INQUIRIES)])
    for index, word in enumerate([word for word in heard if isinstance(word, PressWord)]):
        await talk.answer(await answer_press_word(talk, word), "answer", f".press{index}")
    await answer_words(talk, [word for word in heard if isinstance(word, EARLY_WORDS)])
    await tell_cut(talk, words)
    if words and not rest.strip():
        return done
    if talk.table.game.status == "open":
        return await take_lobby_message(talk, rest)
    await talk.answer(TableClosed(), "notice")
    return Handled.of(done, "table-closed")


async def _read(
    talk: Conversation[Player], standing: Standing[Any], reading: Reading | None
) -> tuple[Reading, Conversation[Player], bool]:
    """What the message says (read now, if it is not yet), and whether table words in it were
    answered; `ready` makes final what it says.
    """
    if reading is None:
        table, number = talk.table, talk.seat.number
        reading = await talk.services.apart.run(
            table.reader(read_orders, number, standing), talk.said
        )
    ready = await take_ready(talk, reading, standing)
    later = TELLING_ORDERS if has_orders(ready.reading) else ()
    words = ready.reading.commands
    if ready.reading.wants_out and not any(isinstance(word, c.Leave) for word in words):
        words = (*words, c.Leave())
    answered = await answer_words(ready.talk, words, without=later)
    await tell_cut(ready.talk, words)
    if ready.page is not None:
        await talk.answer(ready.page, "answer", ".ready")
    return ready.reading, ready.talk, answered or ready.page is not None


async def take_canonical(talk: Conversation[object], proven: Proven) -> Handled | NotYet:
    """Handle a tap that orders: its text is canonical, and no reader of words sees it."""
    player = await _open(talk, proven)
    if not isinstance(player, Conversation):
        return player
    table, seat = player.table, proven.seat
    newest = await talk.work.orders.newest(seat.id, table.game.phase_number)
    before = Before(newest, newest, standing_of(table.kind, newest, seat), None)
    done = Handled.at(seat, "answered")
    try:
        reading = read_canonical(table, seat.number, before.standing, talk.mail.text)
    except ValueError:  # of a button that was made under other rules
        turn_word = table.kind.pages.turn_word
        closed = button_words("closed", turn=0, turn_word=turn_word)
        return Handled("tap-closed", ignored=True, pop=closed, alert=True)
    return await _take_read(player, proven, reading, before, done)


def _has_changed_hands(table: OpenTable, seat: SeatRow) -> bool:
    """Whether the seat is in other hands, now that the game is locked, than when it was judged."""
    return any(
        now.id == seat.id and (now.person_id, now.tenure) != (seat.person_id, seat.tenure)
        for now in table.seats
    )


def _waits_for_close(table: OpenTable, row: InboxRow) -> bool:
    return (
        table.game.status == "running"
        and table.phase is not None
        and row.received_at > end_of_second(table.phase.deadline)
    )


async def _is_for_another_phase(talk: Conversation[Player], proven: Proven) -> bool:
    """Whether the orders answer a question that is closed: by their code, or else because they were
    written before the open one was asked. What is edited was written when it was first sent. Where
    one player acts after another, the newest letter of somebody may be older than the open
    question: an answer to it counts if nothing was asked of them since.
    """
    game, number = talk.table.game, talk.table.game.phase_number
    if proven.phase is not None:
        if not talk.table.kind.pages.in_turns or proven.phase >= number:
            return proven.phase != number
        since = await talk.work.phases.list_between(game.id, proven.phase, number - 1)
        return any(proven.seat.number in phase.asked for phase in since)
    before = await talk.work.phases.find(game.id, number - 1)
    asked_at = before.closed_at if before is not None else game.started_at
    if asked_at is None:
        return False
    if talk.mail.is_edit:
        return await is_of_another_phase(
            talk.work, talk.row, talk.mail, proven.seat.id, number, asked_at
        )
    return talk.row.received_at < asked_at.replace(
        microsecond=0
    )  # mail servers stamp whole seconds


async def _answer_nothing(talk: Conversation[Player], done: Handled) -> Handled:
    """An empty mail, a signature alone, or what a chat has besides text: say so, pass nothing
    on.
    """
    if await tell_of_subject(talk, Standing()):
        return Handled.of(done, "order-in-subject")
    is_no_text = talk.mail.channel == TELEGRAM and talk.mail.has_attachment
    told = notice_page(TextOnly(), talk.page_table(), talk.reader) if is_no_text else NothingFound()
    await talk.answer(told, "notice")
    return Handled.of(done, "empty")
