"""A proven message of a player: orders are taken, table words answered, notes passed on; all within
one unit of work.
"""

import asyncio
import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.ruleset import Problem, Ruleset, Standing
from pbem.desk.authentication.addresses import take_addresses
from pbem.desk.authentication.judging import Proven
from pbem.desk.chat.buttons import Keyboard, Say, Show, holder_of, in_lines
from pbem.desk.chat.changes import Change, find_change, read_beside, tell_orders_stand, with_change
from pbem.desk.chat.edits import has_acted, is_of_another_phase
from pbem.desk.chat.names import parse_chat_name
from pbem.desk.chat.writing import LOOKED_BACK, message_of
from pbem.desk.letters.addressing import Answering, letter_to_address
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.letters.passing import ask_about_note, keep_back, pass_note
from pbem.desk.lobby.writing import take_lobby_message
from pbem.desk.messages.answer_limits import RECEIPT
from pbem.desk.messages.conversation import Conversation, open_conversation
from pbem.desk.messages.handling import Handled, NotYet
from pbem.desk.messages.inquiries import INQUIRIES, answer_inquiries
from pbem.desk.messages.message import MAIL, TELEGRAM, Message
from pbem.desk.messages.receipts import receipt_facts
from pbem.desk.messages.understood import has_orders, is_addressed, is_wholly_understood
from pbem.desk.messages.words import TELLING_ORDERS, WORDS_A_MESSAGE, answer_words, tell_orders
from pbem.desk.phases.acts import act_at_once, told_to
from pbem.desk.phases.close import may_close_early, read_standings
from pbem.desk.phases.more_time import take_plain_vote
from pbem.desk.phases.waiting import take_ready
from pbem.desk.ports import Services
from pbem.desk.press.words import PRESS_WORDS, answer_press_word
from pbem.desk.press.writing import take_press
from pbem.desk.table import OpenTable, house_table, load_table
from pbem.grammar.addresses import parse_addresses
from pbem.grammar.kit.reading import Reading, Suggestion
from pbem.grammar.splitting import split_words
from pbem.grammar.unheard import unheard_lines
from pbem.grammar.veterans import NONE_HERE, put_orders
from pbem.pages.page import Reader, ReceiptFacts
from pbem.store.columns import end_of_second
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.orders import OrdersRow
from pbem.store.work import Work

SUGGESTIONS_IN_A_LINE = 3
FINAL_HELD = "final-held"
"""The problem, in every game, of that word beside something that was not taken."""

EARLY_WORDS = frozenset({"away", "absences", "back", "deadlines", "log", "observers", NONE_HERE})
"""The words that are answered before a table begins, too, as they are afterwards."""

ORDERS_STAND = "orders-stand"
_ORDERS_TOLD = frozenset(
    {"orders", "orders-known", "game-over", "eliminated", "wrong-phase", ORDERS_STAND}
)
"""What says by itself what became of the orders that a message had before it was changed, or has
nothing to say of them.
"""


async def take_message(
    work: Work, services: Services, row: InboxRow, mail: Message, proven: Proven
) -> Handled | NotYet:
    """Handle what a player wrote. Orders count for the open phase alone; a token of another phase
    is told which is open.
    """
    game = await work.games.lock(proven.seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    table = await load_table(work, services.games, game)
    if _waits_for_close(table, row):
        return NotYet(game.id)
    talk = await open_conversation(work, services, row, mail, table, proven.seat)
    newest = await work.orders.newest(proven.seat.id, game.phase_number)
    change = await find_change(talk, newest)
    handled = await _take_open(talk, proven, newest, change)
    if change is not None and change.brought and handled.outcome not in _ORDERS_TOLD:
        await tell_orders_stand(talk, change, "")
    return handled


async def _take_open(
    talk: Conversation, proven: Proven, newest: OrdersRow | None, change: Change | None
) -> Handled:
    """A message of a table where nothing waits for the close; `change` is what it did before it was
    changed.
    """
    mail, table = talk.mail, talk.table
    game = table.game
    done = Handled("answered", game_id=game.id, seat_id=proven.seat.id)
    if not mail.text.strip():
        return await _answer_nothing(talk, done)
    rest_of_press = await take_press(talk)
    if rest_of_press is not None:
        if not rest_of_press.strip():
            return _outcome(done, "press")
        mail = dataclasses.replace(mail, text=rest_of_press)
        talk = dataclasses.replace(talk, mail=mail)
    wishes, rest = parse_addresses(mail.text)
    if wishes:
        await take_addresses(talk, wishes)
        if not rest.strip():
            return _outcome(done, "addresses")
        mail = dataclasses.replace(mail, text=rest)
        talk = dataclasses.replace(talk, mail=mail)
    if table.state is None:
        return await _take_unbegun(talk, done)
    if await take_plain_vote(talk):
        return _outcome(done, "voted")
    beside, standing = await read_beside(talk, newest, change)
    reading, talk, answered = await _read(talk, standing)
    if not reading.items and reading.note is None and reading.answers is None:
        if not answered:
            return await _answer_nothing(talk, done)
        await _tell_unheard(talk, reading)
        return done
    handled = await _take_read(talk, proven, reading, standing, newest, beside, change, done)
    if has_orders(reading) and any(command.word in TELLING_ORDERS for command in reading.commands):
        await tell_orders(talk, reading.commands, standing, is_kept=handled.outcome == "orders")
    return handled


async def _take_read(
    talk: Conversation,
    proven: Proven,
    reading: Reading,
    standing: Standing[Any],
    newest: OrdersRow | None,
    beside: OrdersRow | None,
    change: Change | None,
    done: Handled,
) -> Handled:
    """What the message says beside table words."""
    work, services, row, mail, table = talk.work, talk.services, talk.row, talk.mail, talk.table
    if table.game.status in ("over", "ended"):
        await talk.answer(services.notices.game_over(talk.page_table(), talk.reader), "notice")
        return _outcome(done, "game-over")
    if has_orders(reading):
        if proven.seat.status == "eliminated":
            await talk.answer(services.notices.eliminated(talk.page_table(), talk.reader), "notice")
            return _outcome(done, "eliminated")
        if table.phase is not None and await _is_for_another_phase(work, table, row, mail, proven):
            name = table.kind.pages.phase_name(table.phase.kind)
            await talk.answer(
                services.notices.wrong_phase(
                    talk.page_table(), talk.reader, name, table.phase.deadline
                ),
                "notice",
            )
            return _outcome(done, "wrong-phase")
        return await _take_orders(talk, reading, standing, newest, beside, change, done)
    if mail.unknown_command and not is_addressed(reading):
        await talk.answer(
            services.chat_pages.unknown_command(
                talk.page_table(), talk.reader, mail.unknown_command
            ),
            "notice",
        )
        return _outcome(done, "unknown-command")
    note = reading.note if reading.note is not None else mail.text
    if change is not None and change.brought and not is_addressed(reading):
        await tell_orders_stand(talk, change, mail.text)
        return _outcome(done, ORDERS_STAND)
    kept_back = await keep_back(talk, note, standing, is_addressed=is_addressed(reading))
    return _outcome(done, kept_back) if kept_back else await _pass_on(talk, note, done)


def _unheard(talk: Conversation, reading: Reading) -> tuple[str, ...]:
    """The lines of a message of which nothing came, but for names."""
    masters = (talk.table.settings.gm_name, talk.mail.sender_name)
    return unheard_lines(
        talk.mail.text, reading, (*masters, *(seat.name for seat in talk.table.seats))
    )


async def _tell_unheard(talk: Conversation, reading: Reading) -> None:
    lines = await asyncio.to_thread(_unheard, talk, reading)
    if lines:
        await talk.answer(
            talk.services.notices.not_read(talk.page_table(), talk.reader, lines),
            "notice",
            ".unheard",
        )


async def _pass_on(talk: Conversation, note: str, done: Handled) -> Handled:
    if await pass_note(talk, note):
        await talk.answer(
            talk.services.notices.note_passed(talk.page_table(), talk.reader, note), "notice"
        )
    return _outcome(done, "note")


async def _take_unbegun(talk: Conversation, done: Handled) -> Handled:
    """A table that has not begun, or was given up before."""
    words, rest = split_words(talk.mail.text, INQUIRIES | PRESS_WORDS | EARLY_WORDS)
    await answer_inquiries(talk, [word for word in words if word.word in INQUIRIES])
    for index, word in enumerate(
        [word for word in words if word.word in PRESS_WORDS][:WORDS_A_MESSAGE]
    ):
        await talk.answer(await answer_press_word(talk, word), "answer", f".press{index}")
    await answer_words(talk, [word for word in words if word.word in EARLY_WORDS], Standing())
    if words and not rest.strip():
        return done
    if talk.table.game.status == "open":
        return await take_lobby_message(talk, rest)
    await talk.answer(
        talk.services.lobby_pages.table_closed(talk.page_table(), talk.reader), "notice"
    )
    return _outcome(done, "table-closed")


async def _read(talk: Conversation, standing: Standing[Any]) -> tuple[Reading, Conversation, bool]:
    """What the message says, and whether table words in it were answered; `ready` makes final what
    it says.
    """
    talk = dataclasses.replace(
        talk, mail=dataclasses.replace(talk.mail, text=put_orders(talk.mail.text))
    )
    reading = await talk.services.apart.run(
        talk.table.kind.read, talk.table.state, talk.seat.number, standing, talk.mail.text
    )
    ready = await take_ready(talk, reading, standing)
    later = TELLING_ORDERS if has_orders(ready.reading) else ()
    answered = await answer_words(ready.talk, ready.reading.commands, standing, without=later)
    if ready.page is not None:
        await talk.answer(ready.page, "answer", ".ready")
    return ready.reading, ready.talk, answered or ready.page is not None


def _waits_for_close(table: OpenTable, row: InboxRow) -> bool:
    return (
        table.game.status == "running"
        and table.phase is not None
        and row.received_at > end_of_second(table.phase.deadline)
    )


async def _is_for_another_phase(
    work: Work, table: OpenTable, row: InboxRow, mail: Message, proven: Proven
) -> bool:
    """Whether the orders answer a question that is closed: by their code, or else because they were
    written before the open one was asked. What is edited was written when it was first sent.
    """
    if proven.phase is not None:
        return proven.phase != table.game.phase_number
    before = await work.phases.find(table.game.id, table.game.phase_number - 1)
    asked_at = before.closed_at if before is not None else table.game.started_at
    if asked_at is None:
        return False
    if mail.is_edit:
        return await is_of_another_phase(
            work, row, mail, proven.seat.id, table.game.phase_number, asked_at
        )
    return row.received_at < asked_at.replace(microsecond=0)  # mail servers stamp whole seconds


def _outcome(done: Handled, outcome: str) -> Handled:
    return Handled(outcome, game_id=done.game_id, seat_id=done.seat_id)


async def _answer_nothing(talk: Conversation, done: Handled) -> Handled:
    """An empty mail, a signature alone, or what a chat has besides text: say so, pass nothing
    on.
    """
    is_no_text = talk.mail.channel == TELEGRAM and talk.mail.has_attachment
    page = talk.services.chat_pages.text_only if is_no_text else talk.services.notices.nothing_found
    await talk.answer(page(talk.page_table(), talk.reader), "notice")
    return _outcome(done, "empty")


async def _take_orders(
    talk: Conversation,
    reading: Reading,
    standing: Standing[Any],
    newest: OrdersRow | None,
    beside: OrdersRow | None,
    change: Change | None,
    done: Handled,
) -> Handled:
    """Keep a new version of the player's orders and queue the receipt. It was read `beside` other
    orders than the newest where the message is a change that counts instead of what it was.
    """
    table, seat, rules = talk.table, talk.seat, talk.table.kind.ruleset
    was_held, chosen = False, list[str]()
    if reading.answers is not None:
        chosen = await _offered(talk, beside, reading.answers)
        if chosen:
            text = "\n".join((*chosen, talk.mail.text))
            reading = await talk.services.apart.run(
                table.kind.read, table.state, seat.number, standing, text
            )
            was_held = beside is not None and _held_final(beside)
        elif not reading.items:
            await talk.answer(
                talk.services.notices.nothing_offered(talk.page_table(), talk.reader), "notice"
            )
            return _outcome(done, "nothing-offered")
        else:
            await talk.answer(
                talk.services.notices.nothing_offered(talk.page_table(), talk.reader),
                "notice",
                ".offered",
            )
    accepted = reading.checked.accepted if reading.checked is not None else ()
    after: Standing[Any] = (
        _without_acts(rules, reading.checked.standing) if reading.checked is not None else standing
    )
    if after.final and not standing.final and not is_wholly_understood(reading):
        after = Standing(
            after.orders
        )  # under `strict` only a wholly understood set is final on receipt
    is_final_of_nothing = not chosen and _is_final_of_nothing(talk, after)
    if (
        is_final_of_nothing
    ):  # asked first: the window may close on it, with the default for who says nothing
        reading, after = _with_final_asked(talk, reading), Standing(after.orders)
    offers = [
        (item.suggestion.number, item.suggestion.text)
        for item in reading.items
        if item.suggestion is not None
    ]
    is_held = not after.final and (
        was_held
        or any(problem.code == FINAL_HELD for item in reading.items for problem in item.problems)
    )
    offered = (
        json.dumps({"receipt": talk.message_id_of("receipt"), "texts": offers, "held": is_held})
        if offers
        else None
    )
    kept = await talk.work.orders.add(
        game_id=table.game.id,
        phase_number=table.game.phase_number,
        seat_id=seat.id,
        tenure=seat.tenure,
        source=talk.mail.channel,
        received_at=talk.row.received_at,
        orders_json=rules.encode_orders(after.orders).decode(),
        canonical=[rules.format_order(table.state, order) for order in after.orders],
        final=after.final,
        created_at=talk.services.clock.now(),
        inbox_id=talk.row.id,
        offered=offered,
    )
    if kept is None:  # requeued by hand: its orders are there already
        return _outcome(done, "orders-known")
    held = await _acts_of_a_change(talk, accepted)
    acted = await act_at_once(
        talk.work,
        talk.services,
        table,
        seat.number,
        [order for order in accepted if order not in held],
    )
    talk = dataclasses.replace(talk, table=dataclasses.replace(table, state=acted.state))
    reading = _with_refused(_with_refused(reading, acted.refused), held, "not-by-a-change")
    for problem in (
        problem for item in reading.items for problem in item.problems if not problem.warning
    ):
        talk.services.tally.refused(problem.code)
    if reading.note is not None and await ask_about_note(talk, reading.note, standing):
        reading = msgspec.structs.replace(reading, note=None)
    if reading.note is not None and not await pass_note(talk, reading.note):
        reading = msgspec.structs.replace(reading, note=None)
    facts = await receipt_facts(
        talk,
        reading,
        after,
        kept,
        newest,
        told_to(acted.events, seat.number),
        any(event.is_for(None) for event in acted.events),
    )
    facts = with_change(facts, change, reading, beside)
    if reading.note is None:
        facts = dataclasses.replace(facts, unheard=await asyncio.to_thread(_unheard, talk, reading))
    facts = dataclasses.replace(facts, final_held=is_held, final_of_nothing=is_final_of_nothing)
    view = rules.view(acted.state, seat.number)
    page = await asyncio.to_thread(
        table.kind.pages.receipt, talk.page_table(), talk.reader, view, facts
    )
    await talk.answer(page, "receipt", keyboard=_receipt_keyboard(talk, facts))
    early = after.final and may_close_early(table, await read_standings(talk.work, table))
    close = (table.game.id, table.game.phase_number) if early else None
    return Handled("orders", game_id=table.game.id, seat_id=seat.id, close=close)


def _is_final_of_nothing(talk: Conversation, after: Standing[Any]) -> bool:
    """Whether a player has settled that they answer nothing of what the phase asks of them."""
    table, number = talk.table, talk.seat.number
    if not after.final or after.orders or table.phase is None or number not in table.phase.asked:
        return False
    return not table.kind.ruleset.check(table.state, number, Standing(), ()).complete


def _with_final_asked(talk: Conversation, reading: Reading) -> Reading:
    """The line that makes everything final is not taken but offered: a yes takes it."""
    table, number = talk.table, talk.seat.number
    items = list(reading.items)
    for i, item in enumerate(items):
        if table.kind.ruleset.check(table.state, number, Standing(), item.orders).standing.final:
            offer = Suggestion(i + 1, item.orders, "\n".join(item.texts))
            problems = (*item.problems, Problem("final-of-nothing"))
            items[i] = msgspec.structs.replace(
                item, orders=(), texts=(), problems=problems, suggestion=offer
            )
    return msgspec.structs.replace(reading, items=tuple(items))


def _receipt_keyboard(talk: Conversation, facts: ReceiptFacts) -> Keyboard | None:
    """Below a receipt in a chat: to take what it suggests, to change what stands, or to let it be
    final.
    """
    holder = (
        holder_of(talk.seat, talk.table.game.phase_number)
        if talk.mail.channel == TELEGRAM
        else None
    )
    if holder is None or facts.final:
        return None
    words, version = talk.services.chat_pages.words, str(facts.version)
    keyboard = Keyboard(talk.services.key, holder)
    takes = [
        (words("take", number=number), Say(f"yes {number}", serial=version))
        for number, _text in facts.offered
    ]
    for line in in_lines(takes, SUGGESTIONS_IN_A_LINE):
        keyboard.line(*line)
    if len(takes) > 1:
        keyboard.line((words("take_all"), Say("yes", serial=version)))
    if talk.table.kind.menu is not None:
        keyboard.line((words("change"), Show(is_new=True)))
    return keyboard


def _without_acts(rules: Ruleset[Any, Any], standing: Standing[Any]) -> Standing[Any]:
    """What takes effect at once is done when the message is handled, and does not stand until the
    close.
    """
    return Standing(
        tuple(order for order in standing.orders if rules.act_of(order) is None), standing.final
    )


async def _acts_of_a_change(talk: Conversation, accepted: Sequence[Any]) -> tuple[Any, ...]:
    """What takes effect at once and stands in a message that was changed, if something of the kind
    was done since it was first sent.
    """
    acts = tuple(order for order in accepted if talk.table.kind.ruleset.act_of(order) is not None)
    game = talk.table.game
    return (
        acts
        if acts
        and await has_acted(talk.work, talk.mail, game.id, game.phase_number, talk.seat.number)
        else ()
    )


def _with_refused(
    reading: Reading, refused: Sequence[Any], code: str = "not-possible-now"
) -> Reading:
    """The rules would not do it after all, though each order was possible when the message was
    read: say so with the words that asked.
    """
    if not refused:
        return reading
    items = []
    for item in reading.items:
        stands = [
            (order, text)
            for order, text in zip(item.orders, item.texts, strict=True)
            if order not in refused
        ]
        problems = item.problems
        if len(stands) < len(item.orders):
            problems = (*problems, Problem(code))
        items.append(
            msgspec.structs.replace(
                item,
                orders=tuple(order for order, _ in stands),
                texts=tuple(text for _, text in stands),
                problems=problems,
            )
        )
    return msgspec.structs.replace(reading, items=tuple(items))


async def _offered(
    talk: Conversation, newest: OrdersRow | None, answers: Sequence[int]
) -> list[str]:
    """What a `yes` takes: only what the receipt that it answers has offered, and only while nothing
    newer was said.
    """
    if newest is None or newest.offered is None:
        return []
    offer, mail = json.loads(newest.offered), talk.mail
    if mail.channel == MAIL and offer["receipt"] != (
        mail.in_reply_to or (mail.references[-1] if mail.references else None)
    ):
        return []
    if (
        mail.channel == TELEGRAM
        and mail.in_reply_to is not None
        and not await _is_receipt(talk, mail.in_reply_to, newest)
    ):
        return []
    return [text for number, text in offer["texts"] if not answers or number in answers]


async def _is_receipt(talk: Conversation, replied: str, newest: OrdersRow) -> bool:
    """Whether a message of a chat that is replied to is the receipt of these orders, which may
    stand where an older one stood; or no letter of ours at all.
    """
    if await talk.work.outbox.find_by_message_id(replied) is None:
        return True
    key, name = f"{RECEIPT}:{newest.inbox_id}@{TELEGRAM}", parse_chat_name(replied)
    rows = await talk.work.outbox.list_last_to(TELEGRAM, talk.address, LOOKED_BACK)
    return name is not None and any(
        (row.dedupe_key or "").startswith(key) and message_of(row) == name.message_id
        for row in rows
    )


def _held_final(newest: OrdersRow) -> bool:
    """Whether the message whose suggestions are taken said `final`, which was held back."""
    return newest.offered is not None and bool(json.loads(newest.offered).get("held", False))


async def answer_too_big(
    work: Work, services: Services, row: InboxRow, mail: Message, proven: Proven
) -> Handled | NotYet:
    """A mail too big or too broken to be read: the player is told, nothing is guessed."""
    game = await work.games.find(proven.seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    talk = await open_conversation(
        work, services, row, mail, await load_table(work, services.games, game), proven.seat
    )
    await talk.answer(
        services.notices.unreadable(talk.page_table(), talk.reader, mail.refused or "too-big"),
        "notice",
    )
    return Handled(
        f"unreadable:{mail.refused or 'too-big'}", game_id=game.id, seat_id=proven.seat.id
    )


async def tell_unreadable(work: Work, services: Services, row: InboxRow, mail: Message) -> None:
    """The same to somebody whom we know and who writes of no seat of theirs, or of one that nobody
    can tell. What our own mail server calls forged is not answered.
    """
    person = await work.people.find_by_address(mail.channel, mail.sender or "")
    if person is None or mail.trust == "fail":
        return
    now = services.clock.now()
    reader = Reader(None, person.name, person.time_zone, person.locale)
    page = services.notices.unreadable(
        house_table(services.policy, now), reader, mail.refused or "too-big"
    )
    letter = letter_to_address(
        page,
        kind="notice",
        dedupe_key=f"notice:{row.id}@{mail.channel}",
        policy=services.policy,
        address=mail.sender or "",
        to_name=person.name,
        person_id=person.id,
        answering=Answering.to(mail),
    )
    await queue_letter(work, letter, now)
