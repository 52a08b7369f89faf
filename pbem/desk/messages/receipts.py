"""How much of a message is heard, what of it was understood, and what it did to the orders, as its
receipt tells it.

Of a message that was changed the new version counts instead of the old one, as far as the two can
be told apart. What only an earlier version brought falls, and what that had replaced stands again:
the message is read with what stood before it came. Where something came in between, where the
orders are final, or where the new version is not wholly understood, nothing is guessed: it is read
with what stands now, and the player is told what of the earlier version stands on.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from engine.ruleset import Event, Standing
from pbem.desk.chat.inbound import earlier_versions
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.acts import told_to
from pbem.desk.table import standing_of
from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.house.reading import read_orders
from pbem.grammar.kit.reading import Reading
from pbem.grammar.people import ReadLog, Watchers
from pbem.pages.notices import OrdersStand
from pbem.pages.page import ReceiptFacts, ReceiptItem
from pbem.store.repositories.orders import OrdersRow

SHOWN_A_MESSAGE = 5
DONE_A_MESSAGE = 40
"""More of them than anybody means in one message."""

SHOWING: frozenset[type[c.AnyCommand]] = frozenset(
    {
        c.Status,
        c.Players,
        c.ShowMap,
        c.TextBoard,
        c.Orders,
        c.Preview,
        c.WhatIf,
        c.Why,
        c.History,
        c.Happened,
        c.Help,
        c.HelpOrders,
        c.Rule,
        c.Record,
        c.Resend,
        c.Deadlines,
        c.Veterans,
        c.OwnZone,
        c.OwnLanguage,
        c.HowToJoin,
        c.Profile,
        c.HallOfFame,
        c.PressHelp,
        c.PressList,
        c.Absences,
        ReadLog,
        Watchers,
    }
)


def limit_words(
    commands: Sequence[c.AnyCommand], most: int = SHOWN_A_MESSAGE
) -> tuple[list[c.AnyCommand], tuple[str, ...]]:
    """Those that are answered, and the lines of the others."""
    left = {True: most, False: DONE_A_MESSAGE}
    heard: list[c.AnyCommand] = []
    cut: list[str] = []
    for command in commands:
        shows = type(command) in SHOWING or command == c.Settings()
        left[shows] -= 1
        if left[shows] >= 0:
            heard.append(command)
        else:
            cut.append(format_command(command))
    return heard, tuple(dict.fromkeys(cut))


def has_orders(reading: Reading) -> bool:
    """Whether anything in it was meant as an order; a message without that is a
    note.
    """
    if reading.answers is not None:
        return True
    return any(
        item.orders or item.dropped or any(problem.code != "no-order" for problem in item.problems)
        for item in reading.items
    )


def is_addressed(reading: Reading) -> bool:
    """Whether the note is what stands behind `GM:`, and not all that nobody understood."""
    return reading.note is not None and not reading.items


def is_wholly_understood(reading: Reading) -> bool:
    """Whether nothing in it was left unread or refused."""
    return not any(not problem.warning for item in reading.items for problem in item.problems)


OLDER_BY = timedelta(minutes=10)


async def _was_copied_to_others(talk: Conversation[Player]) -> bool:
    """Whether the message went to other players of the table as well: they now know the code and
    the orders.
    """
    if not talk.mail.recipients_seen:
        return False
    others = [
        seat.person_id
        for seat in talk.table.seats
        if seat.id != talk.seat.id and seat.person_id is not None
    ]
    return any(
        row.address in talk.mail.recipients_seen
        for row in await talk.work.people.list_addresses_of(others)
    )


async def receipt_facts(
    talk: Conversation[Player],
    reading: Reading,
    after: Standing[Any],
    kept: OrdersRow,
    before: OrdersRow | None,
    events: tuple[Event, ...],
    *,
    closes: bool,
) -> ReceiptFacts:
    """The facts of the receipt for orders that were `kept` after those `before`; `after` is what
    stands. `events` happened at once. `closes`: nobody is waited for any more.
    """
    rules, state = talk.table.kind.ruleset, talk.table.state
    items = tuple(
        ReceiptItem(
            number=index,
            quote=item.quote,
            caret=item.caret,
            texts=item.texts,
            problems=item.problems,
            suggestion=item.suggestion.text if item.suggestion is not None else None,
            instead=item.instead,
            example=item.example,
            dropped=item.dropped,
            is_offered=item.is_offered,
        )
        for index, item in enumerate(reading.items, start=1)
    )
    replaced = reading.checked.replaced if reading.checked is not None else ()
    told_back = {text for item in items for text in item.dropped}
    fallen = [rules.format_order(state, order) for order in replaced]
    return ReceiptFacts(
        items=items,
        standing=kept.canonical,
        standing_orders=after.orders,
        final=after.final,
        version=kept.version,
        received_at=talk.row.received_at,
        offered=tuple(
            (item.suggestion.number, item.suggestion.text)
            for item in reading.items
            if item.suggestion is not None
        ),
        dropped_replaced=tuple(
            text for text in fallen if text not in {*kept.canonical, *told_back}
        ),
        slips=tuple(reading.slips),
        dated_earlier=before is not None
        and talk.mail.dated is not None
        and talk.mail.dated < before.received_at - OLDER_BY,
        cc_warning=await _was_copied_to_others(talk),
        cut=reading.cut,
        note_passed=reading.note is not None,
        told=told_to(events, talk.seat.number),
        told_all=any(event.is_for(None) for event in events),
        is_locked=after.final and rules.final_locks,
        closes=closes,
    )


@dataclass(frozen=True, slots=True)
class Change:
    """What earlier versions of a message have done to the orders of the open phase.

    `newest` are the orders as they stand; `brought` what of them an earlier version brought.
    `is_apart`: nothing has changed them since, and `before` (None: nothing) is what stood before
    the message came.
    """

    newest: OrdersRow
    brought: tuple[str, ...]
    is_apart: bool
    before: OrdersRow | None


async def find_change(talk: Conversation[Player], newest: OrdersRow | None) -> Change | None:
    """None: the message is no change of one that brought orders which count now."""
    if talk.mail.written_at is None or newest is None or newest.tenure != talk.seat.tenure:
        return None
    earlier = set(await earlier_versions(talk.work, talk.row, talk.mail, talk.seat.id))
    rows = [
        row
        for row in await talk.work.orders.history(talk.seat.id, newest.phase_number)
        if row.tenure == newest.tenure
    ]
    if not any(row.inbox_id in earlier for row in rows):
        return None
    before: OrdersRow | None = None
    brought: set[str] = set()
    for row in rows:
        if row.inbox_id in earlier:
            brought.update(
                text for text in row.canonical if before is None or text not in before.canonical
            )
        else:
            before = row
    still = tuple(text for text in newest.canonical if text in brought)
    return Change(newest, still, newest.inbox_id in earlier and not newest.final, before)


async def is_read_anew(talk: Conversation[Player], change: Change) -> bool:
    """Whether the message counts instead of its earlier versions, and not together with them."""
    if not change.is_apart:
        return False
    table, before = talk.table, standing_of(talk.table.kind, change.before, talk.seat)
    reading = await talk.services.apart.run(
        table.reader(read_orders, talk.seat.number, before),
        talk.said,
    )
    return has_orders(reading) and is_wholly_understood(reading)


@dataclass(frozen=True, slots=True)
class Before:
    """The orders before a message: the `newest`, those that it is read `beside` and what of these
    is `standing`, and what an earlier version of the message did.
    """

    newest: OrdersRow | None
    beside: OrdersRow | None
    standing: Standing[Any]
    change: Change | None


async def find_before(
    talk: Conversation[Player], newest: OrdersRow | None, change: Change | None
) -> Before:
    """A message is read with the orders that stand, or those that stood before it came for the
    first time.
    """
    is_anew = change is not None and await is_read_anew(talk, change)
    beside = change.before if change is not None and is_anew else newest
    return Before(newest, beside, standing_of(talk.table.kind, beside, talk.seat), change)


def with_change(facts: ReceiptFacts, before: Before, reading: Reading) -> ReceiptFacts:
    """The receipt of a message that was changed tells what that did to the orders."""
    change, beside = before.change, before.beside
    if change is None:
        return facts
    said = {text for item in reading.items for text in item.texts}
    is_anew = beside is not change.newest
    return dataclasses.replace(
        facts,
        fallen=_without(change.brought, facts.standing) if is_anew else (),
        back=_without(facts.standing, (*change.newest.canonical, *said)) if is_anew else (),
        stays=tuple(text for text in change.brought if text in facts.standing and text not in said),
    )


def _without(texts: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text not in others)


async def tell_orders_stand(talk: Conversation[Player], change: Change, text: str) -> None:
    """Say that a message no longer has orders in it, and that what it brought before stands; `text`
    of it has gone to nobody.
    """
    await talk.answer(
        OrdersStand(change.brought, text),
        "notice",
        ".stand",
    )
