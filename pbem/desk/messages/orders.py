"""Orders go in: from what a message was read as, or a tap stands for, to a kept version of a
player's orders and its receipt.
"""

import asyncio
import dataclasses
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from engine.ruleset import Problem, Ruleset, Standing
from pbem.desk.chat.buttons import Keyboard, Say, Show, holder_of, in_lines
from pbem.desk.chat.edits import is_receipt_of
from pbem.desk.chat.inbound import has_acted
from pbem.desk.envelope.answers import RECEIPT
from pbem.desk.envelope.message import MAIL, Channel, Handled
from pbem.desk.hours import view_at
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.notes import ask_about_note, pass_note
from pbem.desk.messages.receipts import Before, is_wholly_understood, receipt_facts, with_change
from pbem.desk.phases.acts import Acted, act_at_once, orders_that_end
from pbem.desk.phases.standings import may_close_early, read_standings
from pbem.desk.ports import Desk, Transaction
from pbem.desk.table import OpenTable, with_settling
from pbem.grammar.house.reading import lines_offered, read_lines, read_orders, warnings_at_once
from pbem.grammar.house.statements import Yes
from pbem.grammar.kit.reading import Reading, Suggestion
from pbem.grammar.unheard import unheard_lines
from pbem.pages.chat import button_words
from pbem.pages.notices import NothingOffered
from pbem.pages.page import Page, ReceiptFacts
from pbem.store.repositories.orders import NewOrders, OrdersRow
from pbem.store.repositories.seats import SeatRow

SUGGESTIONS_IN_A_LINE = 3
CLOSES_WITHIN = timedelta(minutes=1)
"""For so long a receipt waits at most for the close of the phase, whose letter tells it."""
FINAL_HELD = "final-held"
"""The problem, in every game, of that word next to something that was not taken."""


@dataclass(frozen=True, slots=True)
class Source:
    """What orders came by: a message of a channel, or a tap, and when the server had it."""

    channel: Channel
    inbox_id: int
    received_at: datetime


@dataclass(frozen=True, slots=True)
class SubmitOrders:
    """The one way orders go in, by mail, chat or button.

    `standing` is all that a player orders in the phase from now on, `accepted` what of it is new;
    `offered` what a yes to the receipt would take besides, as it is kept.
    """

    seat: SeatRow
    phase: int
    standing: Standing[Any]
    accepted: Sequence[Any]
    source: Source
    offered: str | None = None


async def submit_orders(
    tx: Transaction[Desk],
    table: OpenTable,
    wanted: SubmitOrders,
    *,
    but_not: Collection[Any] = (),
) -> tuple[OrdersRow, Acted] | None:
    """Keep a new version of the player's orders, and do `but_not` excepted what takes effect at
    once; what ends the phase stands until its close does it. None: this message's orders were kept
    before.
    """
    rules, seat, source = table.kind.ruleset, wanted.seat, wanted.source
    at_once = [order for order in wanted.accepted if order not in but_not]
    ending: tuple[Any, ...] = ()
    if any(rules.act_of(order) is not None for order in at_once):
        seed = bytes.fromhex(await tx.work.games.read_seed(table.game.id))
        place = table.game.chance_place
        ending = await asyncio.to_thread(
            orders_that_end, rules, table.state, seat.number, at_once, seed, place
        )
    orders = (*wanted.standing.orders, *ending)
    kept = await tx.work.orders.add(
        NewOrders(
            game_id=table.game.id,
            phase_number=wanted.phase,
            seat_id=seat.id,
            tenure=seat.tenure,
            source=source.channel,
            received_at=source.received_at,
            orders=rules.encode_orders(orders).decode(),
            canonical=tuple(rules.format_order(table.state, order) for order in orders),
            final=wanted.standing.final,
            created_at=tx.now(),
            inbox_id=source.inbox_id,
            offered=wanted.offered,
        )
    )
    if kept is None:
        return None
    now = [order for order in at_once if order not in ending]
    acted = await act_at_once(tx, table, seat.number, now, source.received_at)
    return kept, dataclasses.replace(acted, ends=bool(ending))


def read_canonical(table: OpenTable, player: int, standing: Standing[Any], text: str) -> Reading:
    """What a tap orders: a canonical text a line. ValueError for one that is not."""
    kind = table.kind
    return read_lines(
        kind.read_canonical, kind.ruleset, table.known(player), player, standing, text.splitlines()
    )


async def take_orders(
    talk: Conversation[Player], reading: Reading, before: Before, done: Handled
) -> Handled:
    """Submit what a message orders, and answer with the receipt."""
    standing, beside = before.standing, before.beside
    table, seat, rules = talk.table, talk.seat, talk.table.kind.ruleset
    was_held, chosen = False, list[str]()
    if reading.answers is not None:
        chosen = await _offered(talk, beside, reading.answers)
        if chosen:
            reading = await _with_chosen(talk, reading, standing, chosen)
            was_held = beside is not None and _held_final(beside)
        elif not reading.items:
            await talk.answer(
                NothingOffered(),
                "notice",
            )
            return Handled.of(done, "nothing-offered")
        elif not any(
            isinstance(one, Yes) and one.span in reading.own for one in talk.said.statements
        ):
            await talk.answer(
                NothingOffered(),
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
    ):  # asked first: the window may close on it, with the default for a player who says nothing
        reading, after = _with_final_asked(talk, reading), Standing(after.orders)
    tell = partial(rules.format_order, table.state)
    offers = [(number, "\n".join(lines)) for number, lines in lines_offered(reading, tell)]
    is_held = not after.final and (
        was_held
        or any(problem.code == FINAL_HELD for item in reading.items for problem in item.problems)
    )
    offered = (
        json.dumps({"receipt": talk.message_id_of("receipt"), "texts": offers, "held": is_held})
        if offers
        else None
    )
    source = Source(talk.mail.channel, talk.row.id, talk.row.received_at)
    wanted = SubmitOrders(seat, table.game.phase_number, after, accepted, source, offered)
    held = await _acts_of_a_change(talk, accepted)
    submitted = await submit_orders(talk, table, wanted, but_not=held)
    if submitted is None:  # requeued by hand: its orders are there already
        talk.has_answered()
        return Handled.of(done, "orders-known")
    kept, acted = submitted
    after_acts = await with_settling(talk.work, dataclasses.replace(table, state=acted.state))
    talk = dataclasses.replace(talk, writer=dataclasses.replace(talk.writer, table=after_acts))
    done_now = [order for order in accepted if order not in held]
    warned = warnings_at_once(rules, table.state, seat.number, done_now)
    reading = _with_warnings(reading, warned)
    reading = _with_refused(_with_refused(reading, acted.refused), held, "not-by-a-change")
    for problem in (
        problem for item in reading.items for problem in item.problems if not problem.warning
    ):
        talk.services.tally.refused(problem.code)
    if reading.note is not None and await ask_about_note(talk, reading.note, standing):
        reading = msgspec.structs.replace(reading, note=None)
    if reading.note is not None and not await pass_note(talk, reading.note):
        reading = msgspec.structs.replace(reading, note=None)
    early = acted.ends or (
        after.final and may_close_early(table, await read_standings(talk.work, table))
    )
    facts = await receipt_facts(
        talk, reading, after, kept, before.newest, acted.events, closes=early
    )
    facts = with_change(facts, before, reading)
    facts = dataclasses.replace(facts, final_held=is_held, final_of_nothing=is_final_of_nothing)
    page = await asyncio.to_thread(_write_receipt, talk, reading, facts)
    waits = early and talk.mail.channel == MAIL and table.kind.pages.in_turns
    due_at = talk.now() + CLOSES_WITHIN if waits else None
    await talk.answer(page, RECEIPT, keyboard=_receipt_keyboard(talk, facts), due_at=due_at)
    close = (table.game.id, table.game.phase_number) if early else None
    return Handled("orders", game_id=table.game.id, seat_id=seat.id, close=close)


def _write_receipt(talk: Conversation[Player], reading: Reading, facts: ReceiptFacts) -> Page:
    """The receipt, in a thread of its own."""
    if reading.note is None:
        facts = dataclasses.replace(facts, unheard=unheard_of(talk, reading))
    view = view_at(talk.table, talk.seat.number, talk.now())
    return talk.table.kind.pages.receipt(talk.page_table(), talk.reader, view, facts)


def _is_final_of_nothing(talk: Conversation[Player], after: Standing[Any]) -> bool:
    """Whether a player has settled that they answer no question that the phase asks them."""
    table, number = talk.table, talk.seat.number
    if not after.final or after.orders or table.phase is None or number not in table.phase.asked:
        return False
    return not table.kind.ruleset.check(table.state, number, Standing(), ()).complete


def _with_final_asked(talk: Conversation[Player], reading: Reading) -> Reading:
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


def _receipt_keyboard(talk: Conversation[Player], facts: ReceiptFacts) -> Keyboard | None:
    """The buttons below a receipt in a chat: to take what it suggests, to change what stands,
    or to let it be final.
    """
    holder = holder_of(talk.seat, talk.table.game.phase_number)
    if holder is None or facts.is_locked or facts.closes:
        return None
    version = str(facts.version)
    keyboard = Keyboard(talk.services.key, holder)
    takes = [
        (button_words("take", number=number), Say(f"yes {number}", serial=version))
        for number, _text in facts.offered
    ]
    for line in in_lines(takes, SUGGESTIONS_IN_A_LINE):
        keyboard.line(*line)
    if len(takes) > 1:
        keyboard.line((button_words("take_all"), Say("yes", serial=version)))
    if talk.table.kind.menu is not None:
        keyboard.line((button_words("change"), Show(is_new=True)))
    return keyboard


def _without_acts(rules: Ruleset[Any, Any], standing: Standing[Any]) -> Standing[Any]:
    """What takes effect at once is done when the message is handled, and does not stand until the
    close.
    """
    return Standing(
        tuple(order for order in standing.orders if rules.act_of(order) is None), standing.final
    )


async def _acts_of_a_change(talk: Conversation[Player], accepted: Sequence[Any]) -> tuple[Any, ...]:
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


def _with_warnings(reading: Reading, warned: Sequence[tuple[Any, Problem]]) -> Reading:
    """With these next to the words that asked for their orders, unless they are told there."""
    items = list(reading.items)
    for order, problem in warned:
        for i, item in enumerate(items):
            if order in item.orders and problem.code not in [one.code for one in item.problems]:
                items[i] = msgspec.structs.replace(item, problems=(*item.problems, problem))
    return msgspec.structs.replace(reading, items=tuple(items))


async def _with_chosen(
    talk: Conversation[Player], reading: Reading, standing: Standing[Any], chosen: Sequence[str]
) -> Reading:
    """With the suggestions that its writer takes, kept as canonical texts. What else they order is
    weighed against these as the orders of one message are.
    """
    table, number = talk.table, talk.seat.number
    if reading.items:
        said = talk.said.below(chosen)
        return await talk.services.apart.run(table.reader(read_orders, number, standing), said)
    taken = await asyncio.to_thread(read_canonical, table, number, standing, "\n".join(chosen))
    return msgspec.structs.replace(reading, items=taken.items, checked=taken.checked)


async def _offered(
    talk: Conversation[Player], newest: OrdersRow | None, answers: Sequence[int]
) -> list[str]:
    """What a `yes` takes: only what the receipt that it answers has offered, and only while nothing
    newer was said.
    """
    if newest is None or newest.offered is None:
        return []
    offer, mail = json.loads(newest.offered), talk.mail
    if not mail.may_answer(offer["receipt"]):
        return []
    if mail.points_at is not None and not await is_receipt_of(
        talk.work, talk.address, mail.points_at, f"{RECEIPT}:{newest.inbox_id}"
    ):
        return []
    return [text for number, text in offer["texts"] if not answers or number in answers]


def _held_final(newest: OrdersRow) -> bool:
    """Whether the message whose suggestions are taken said `final`, which was held back."""
    return newest.offered is not None and bool(json.loads(newest.offered).get("held", False))


def unheard_of(talk: Conversation[Player], reading: Reading) -> tuple[str, ...]:
    """The lines of a message of which nothing came, except names."""
    masters = (talk.table.settings.gm_name, talk.mail.sender_name)
    return unheard_lines(talk.said, reading, (*masters, *(seat.name for seat in talk.table.seats)))
