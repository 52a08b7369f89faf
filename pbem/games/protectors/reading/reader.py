"""Reads the orders of Protectors of the Realm as people write them (rules, section 15): one pass of
lexemes, sentences and clauses, the rings, the ledger, the position's judgement.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from engine.protectors import orders as o
from engine.protectors.acts import act_of
from engine.protectors.checking.messages import check
from engine.protectors.colours import SYMBOLS
from engine.protectors.orders import parse_order
from engine.protectors.state import State
from engine.ruleset import Checked, Problem, Standing
from pbem.games.protectors.reading import forms
from pbem.games.protectors.reading.composition import Composer
from pbem.games.protectors.reading.coverage import coverage_in
from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, UNFLAGGED
from pbem.games.protectors.reading.here import lexemes_here
from pbem.games.protectors.reading.items import item_of, names_of, swallowed_in, with_ways_on
from pbem.games.protectors.reading.ledger import OrderLedger
from pbem.games.protectors.reading.message import Message
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.revision import Corrector
from pbem.games.protectors.reading.settled import about, leaves_last, settled_by
from pbem.games.protectors.reading.weights import Check, Weighed, weigh
from pbem.games.protectors.reading.wording import as_offered
from pbem.grammar.house.commands import WhatIf
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.answers import without_clashes
from pbem.grammar.kit.coverage import Came
from pbem.grammar.kit.editor import edited
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Item, Propose, Reading
from pbem.grammar.kit.repetition import restating
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.sheet import Sheet
from pbem.grammar.kit.wholly import Wholly, is_open
from pbem.reading.offers import Offering

LONGEST = 20_000
_LEGEND = re.compile(r"(?<![\w!])[*+^#~]\s?=\s?[a-z]")
"""`P7 W*, P8 F* (*=gold)`: a sign that turns orders elsewhere in the message."""
_PARTS = frozenset({"NUM", "UNITS", "GOLD", "DELAY"})
"""What words may say of a part of an order."""
MOST_CLAUSES = 400
"""Clauses of a message that are read; `Reading.cut` tells when there were more."""


@dataclass(frozen=True, slots=True)
class PartRead:
    """The result of a part of a message; `heard` are the places (of the folded text) with a
    result.
    """

    items: tuple[Item, ...]
    checked: Checked[o.Order] | None
    heard: tuple[tuple[int, int], ...]


_CHECK: Check = restating(check)


@dataclass(frozen=True, slots=True)
class ProtectorsReader:
    """The order reader of the game; `check` is the engine's."""

    check: Check = _CHECK

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text, {seat.name: seat.number for seat in state.players})

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        people = people_of(state, player)
        position = Position(state, player, people, standing)
        return edited(
            Sheet(
                standing,
                standing.orders,
                tell=partial(o.format_order, names=names_of(position)),
                lex=lambda text: lexemes_here(normalise(text).text, position),
                read=partial(self._read, state, player, people),
                check=partial(self.check, state, player),
                cancel=partial(_cancel, standing.orders),
                parts=_PARTS,
                subject=_province_of,
                parse=partial(self.read_canonical, state),
            ),
            said,
        )

    def _read(
        self,
        state: State,
        player: int,
        people: People,
        standing: Standing[o.Order],
        said: Said,
    ) -> Reading:
        """The same of what edits nothing."""
        text = said.text
        plain = normalise(text[:LONGEST])
        loose = said.questions(plain)
        position = Position(state, player, people, standing)
        coverage = coverage_in(position)
        left = blanked(plain.text, said.taken(plain))
        message = self._message(plain, left, position)
        swallowed = swallowed_in(plain, said, position)
        message.ledger.open = message.cut or len(text) > LONGEST or bool(loose) or bool(swallowed)
        found, checked = weigh(message.ledger, position, self.check)
        closes = checked is not None and checked.standing.final and not standing.final
        if closes and [*coverage.left_over(message.sentences, _came(found, position))]:
            message = self._message(plain, left, position)
            message.ledger.open = True
            found, checked = weigh(message.ledger, position, self.check)
        talk = bool(found) and all(weighed.entry.aside for weighed in found)
        if talk and not said.is_heard:
            found = []
        names = names_of(position)
        items = tuple(item_of(plain, weighed, names) for weighed in found)
        covered: tuple[Item, ...] = ()
        if items or said.is_heard:
            came = _came(found, position)
            covered = coverage.cover(
                plain, message.sentences, came, items, lambda x: act_of(x) is not None
            )
        if covered[: len(items)] != items:
            orders = [order for item in covered for order in item.orders]
            checked = self.check(state, player, standing, orders) if orders else None
        items = covered + swallowed
        beside = message.silent if said.has(WhatIf) else []
        items += tuple(
            Item(quote=plain.quote(start, end), problems=(Problem("beside-question"),))
            for start, end in beside
        )
        items += tuple(
            Item(quote=plain.quote(start, end).strip(), problems=(Problem("loose-question"),))
            for start, end in loose
        )
        note = None
        if not items and not said.is_heard:
            whole = text.strip()
            code = "not-understood" if message.order_like and not talk else "no-order"
            items = (Item(quote=whole[:200], problems=(Problem(code),)),)
            note = whole or None if code == "no-order" else None  # it may be a secret order
        after = checked.standing if checked is not None else standing
        items = without_clashes(items, partial(self.check, state, player, after))
        asks = any(item.suggestion is not None for item in items)
        if is_open(items) and not (message.lost or asks):
            items = self._offered(message, found, items, position, after, said.propose)
        return Reading(
            items=with_ways_on(items, position, after),
            checked=checked,
            note=note,
            corrected=message.ledger.corrected,
            slips=tuple(dict.fromkeys(message.slips)),
            cut=message.cut or len(text) > LONGEST,
        )

    def read_part(
        self,
        state: State,
        player: int,
        standing: Standing[o.Order],
        people: People,
        plain: Plain,
        text: str,
    ) -> PartRead:
        """Read what a player is supposed to order: `text` is the folded text of `plain` with
        everything else blanked, `people.me` who supposes it. A bare order word means all
        provinces; nothing is suggested.
        """
        position = Position(state, player, people, standing)
        ledger = self._message(plain, text, position).ledger
        for entry in ledger.entries:
            slots = entry.slots
            if slots.kind in IN_PLACE and slots.filled() == {"verb"}:
                slots.quantity = Lexeme("ALL", "all", slots.end, slots.end)
        found, checked = weigh(ledger, position, self.check)
        names = names_of(position)
        return PartRead(
            tuple(item_of(plain, weighed, names) for weighed in found),
            checked,
            tuple((weighed.entry.slots.start, weighed.entry.slots.end) for weighed in found),
        )

    def _offered(
        self,
        message: Message,
        found: Sequence[Weighed],
        items: tuple[Item, ...],
        position: Position,
        after: Standing[o.Order],
        propose: Propose | None,
    ) -> tuple[Item, ...]:
        """The items with one offer for all that was not taken, if its meaning is clear."""
        plain, lexemes = message.plain, as_offered(message.lexemes, position)
        sentences = sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags, heads=UNFLAGGED)
        names = names_of(position)
        settled = settled_by(position)
        offering = Offering(
            plain,
            lexemes,
            forms.tongue(position),
            lambda: tuple(forms.space(position)),
            partial(self.read_canonical, position.state),
            never=lambda order: (
                isinstance(order, forms.NEVER)
                or about(order) in settled
                or leaves_last(order, position)
            ),
        )
        places = [(one.entry.slots.start, one.entry.slots.end) for one in found]
        whole = Wholly(plain, sentences, offering, partial(o.format_order, names=names), propose)
        check = partial(self.check, position.state, position.player, after)
        return tuple(whole.offered(items, places, check))

    def _taken_of(self, position: Position, text: str) -> tuple[o.Order, ...]:
        """The orders that stand of words alone."""
        ledger = self._message(normalise(text), text, position).ledger
        found, _ = weigh(ledger, position, self.check)
        return tuple(order for weighed in found for order in weighed.standing)

    def _message(self, plain: Plain, text: str, position: Position) -> Message:
        lexemes = lexemes_here(text, position)
        ledger = OrderLedger()
        corrector = Corrector(ledger)
        message = Message(plain, position, ledger, corrector, Composer(position, ledger, corrector))
        message.lexemes = lexemes
        message.lost = _LEGEND.search(text) is not None
        clauses = 0
        for number, sentence in enumerate(
            sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags, heads=UNFLAGGED)
        ):
            clauses += len(sentence.clauses)
            if clauses > MOST_CLAUSES:
                message.cut = True
                break
            message.sentence(sentence, number)
        if message.pending:
            corrector.alone(message.pending)
        if message.lost:
            ledger.ask_all()
        if ledger.entries:
            message.slips += [plain.quote(x.start, x.end) for x in lexemes if x.slip]
        return message


READER = ProtectorsReader()
"""The reader of the registry."""
read_case = partial(read_orders, READER.read)
"""A message of a worked case, words of the house among its orders."""


def _cancel(orders: Sequence[o.Order], place: int | None) -> o.Order | None:
    """The order that takes a line back, which is of a province, or all of them."""
    province = None if place is None else o.ordered_province(orders[place])
    return o.Cancel(province) if place is None or province is not None else None


def _province_of(order: o.Order) -> str:
    province = o.ordered_province(order) or getattr(order, "province", None)
    return "" if province is None else o.format_province(province)


def _came(found: Sequence[Weighed], position: Position) -> list[Came]:
    names = names_of(position)
    return [
        Came(
            weighed.entry.slots.start,
            weighed.entry.slots.end,
            tuple(o.format_order(order, names) for order in weighed.standing),
            is_told=bool(weighed.problems),
            is_unread=bool(weighed.problems) and not weighed.orders,
        )
        for weighed in found
    ]


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name, colour and symbol."""
    return People(
        tuple(
            Person(seat.number, seat.name, seat.colour, SYMBOLS.get(seat.colour, seat.colour))
            for seat in state.players
        ),
        me,
    )
