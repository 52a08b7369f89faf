"""The menu of orders in a chat: one message a seat, edited from step to step, and closed with its
phase.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engine.ruleset import Standing
from pbem.desk.chat.buttons import Action, Holder, Keyboard, Say, Show, Take, holder_of
from pbem.desk.chat.messages import (
    MENU,
    SUPERSEDED,
    ChatPlace,
    message_of,
    put_message,
    shown_or_withheld,
)
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.hours import view_at
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_reader, page_table, standing_of
from pbem.pages.chat import button_words
from pbem.pages.menu import MenuButton, MenuStep, NamesDefault, Path
from pbem.pages.page import Reader
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import escape

ENTRIES_IN_A_LINE = 2
BEFORE_IT_OPENS = timedelta(minutes=1)
"""A window counts from a full minute; what is asked in it has gone out by then."""
NOTHING_STANDS = "0"
"""The version of orders before the first ones."""


NO_ORDERS: Standing[Any] = Standing()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a seat is asked in a phase: the table as it lies in this state, and what stands."""

    table: OpenTable
    state: Any
    phase: PhaseRow
    seat: SeatRow
    standing: Standing[Any] = NO_ORDERS


async def show_menu(
    tx: Transaction[Context],
    table: OpenTable,
    seat: SeatRow,
    place: ChatPlace,
    path: Path,
    key: str,
) -> bool:
    """Show a step in a message that it edits; or in a new one, and then the older one has no
    buttons any more. False: nothing is asked.
    """
    menu, phase, holder = table.kind.menu, table.phase, holder_of(seat, table.game.phase_number)
    if (
        menu is None
        or phase is None
        or holder is None
        or table.state is None
        or seat.number not in phase.asked
    ):
        return False
    now = tx.services.clock.now()
    newest = await tx.work.orders.newest(seat.id, table.game.phase_number)
    standing: Standing[Any] = standing_of(table.kind, newest, seat)
    person = await tx.work.people.find(holder.person_id)
    reader = page_reader(seat, person, tx.services.policy.zone)
    asked = Asked(table, table.state, phase, seat, standing)
    step = await asyncio.to_thread(_step, tx.services, asked, reader, path, now)
    version = str(newest.version) if newest is not None else ""
    keyboard = keyboard_of(tx.services.key, holder, step, version)
    if place.edits is None:
        await _retire(tx, seat, table, place.chat_id)
    place = replace(place, game_id=table.game.id, seat_id=seat.id, person_id=holder.person_id)
    await put_message(tx, place, step.chat, key, keyboard)
    return True


def _step(context: Context, asked: Asked, reader: Reader, path: Path, now: datetime) -> MenuStep:
    table, number = asked.table, asked.seat.number
    assert table.kind.menu is not None  # noqa: S101 - the caller has looked
    legal = tuple(table.kind.ruleset.legal(asked.state, number))
    facts, view = page_table(table, context, now=now), view_at(table, number, now)
    return table.kind.menu.step(facts, reader, view, legal, asked.standing, path)


def keyboard_of(key: bytes, holder: Holder, step: MenuStep, version: str) -> Keyboard:
    """A step's buttons. `version` of the orders that stand tells one taking from a later one of the
    same words.
    """
    keyboard = Keyboard(key, holder)
    for line in step.lines:
        keyboard.line(*((button.text, _action(button, version)) for button in line))
    return keyboard


def _action(button: MenuButton, version: str) -> Action:
    return Take(button.takes, button.path, version) if button.takes else Show(button.path)


async def _retire(tx: Transaction[Context], seat: SeatRow, table: OpenTable, chat_id: str) -> None:
    """An older menu of this seat points to the new one and loses its buttons. Only one menu works
    at a time, and a step that a player only looked at must not read like an order.
    """
    opened_at = table.phase.opened_at - BEFORE_IT_OPENS if table.phase is not None else tx.now()
    for row in await tx.work.outbox.list_last_of_seat(seat.id, (MENU,)):
        if (
            row.address != chat_id or row.created_at < opened_at
        ):  # an older one was closed with its phase
            continue
        message_id = await shown_or_withheld(tx.work, row)
        if message_id is None:
            continue
        words = f"<i>{escape(button_words('menu_below'))}</i>"
        await put_message(tx, ChatPlace.of(row, message_id), words, f"retired:{row.id}")


async def close_menus(
    tx: Transaction[Context],
    table: OpenTable,
    shown: Sequence[OutboxRow],
    turn: int,
) -> None:
    """The open phase is closed: its menus say so, and have no buttons any more. `turn` is the one
    that comes, 0: the same continues; `shown` is what was written to chats in the phase.
    """
    turn_word = table.kind.pages.turn_word
    words = f"<i>{escape(button_words('closed', turn=turn, turn_word=turn_word))}</i>"
    live = {row.seat_id: row for row in shown if row.kind == MENU}
    for row in live.values():
        message_id = message_of(row)
        if message_id is None:
            await tx.work.outbox.withhold(row.id, SUPERSEDED)
            continue
        await put_message(tx, ChatPlace.of(row, message_id), words, f"closed:{row.id}")


def with_entries(
    context: Context, letter: NewLetter, asked: Asked, *, letters: int = 0, reminds: bool = False
) -> NewLetter:
    """A question of the open phase with the ways into the menu below it, and a tap on what happened
    before. `letters`: how much press came in the phase before; a letter that `reminds` offers what
    would be done anyway, as long as nothing stands.
    """
    seat, state, standing, kind = asked.seat, asked.state, asked.standing, asked.table.kind
    holder, menu, rules = holder_of(seat, asked.phase.number), kind.menu, kind.ruleset
    if holder is None:
        return letter
    keyboard = Keyboard(context.key, holder)
    if menu is not None:
        legal = tuple(rules.legal(state, seat.number))
        entries = menu.entries(rules.view(state, seat.number), legal, standing)
        for line in _in_lines(entries):
            keyboard.line(*((button.text, _entry(button)) for button in line))
    if (
        reminds
        and not standing.orders
        and (orders := rules.defaults(state, seat.number, Standing()))
    ):
        label = _default_label(menu, rules.view(state, seat.number)) or button_words("let_default")
        keyboard.line(
            (
                label,
                Say(
                    "\n".join(rules.format_order(state, order) for order in orders),
                    serial=NOTHING_STANDS,
                    orders=True,
                ),
            )
        )
    happened = (button_words("happened"), Say("what happened", again=True))
    read = (
        ((button_words("letters", count=letters), Say("press list", again=True)),)
        if letters
        else ()
    )
    if read:
        keyboard.line(happened)
    keyboard.line(*(read or (happened,)), (button_words("help"), Say("help", again=True)))
    return keyboard.below(letter)


def _entry(button: MenuButton) -> Action:
    """A way into the menu; where it ends at once, the words themselves."""
    return Say(button.takes, orders=True) if button.takes else Show(button.path, is_new=True)


def _default_label(menu: object, view: Any) -> str:
    return menu.default_label(view) if isinstance(menu, NamesDefault) else ""


def _in_lines(buttons: Sequence[MenuButton]) -> list[Sequence[MenuButton]]:
    return [
        buttons[at : at + ENTRIES_IN_A_LINE] for at in range(0, len(buttons), ENTRIES_IN_A_LINE)
    ]


async def retire_keyboard(
    tx: Transaction[Context], chat_id: str, message_id: int, key: str
) -> None:
    """Take the buttons from a message whose time is over."""
    await put_message(tx, ChatPlace(chat_id, message_id), "", f"gone:{key}")
