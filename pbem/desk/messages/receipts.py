"""What a receipt says of a message with orders in it."""

from datetime import timedelta
from typing import Any

from engine.ruleset import Event, Standing
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.phases.acts import told_to
from pbem.grammar.kit.reading import Reading
from pbem.pages.page import ReceiptFacts, ReceiptItem
from pbem.store.repositories.orders import OrdersRow

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
