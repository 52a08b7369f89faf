"""Reads the orders of Realm-Master as people write them (rules, section 12): plans with conditions,
answers and deeds.

A sentence is read whole or not at all: a line of a plan that is not certain is never guessed, and
the rest of the plan stands (E14).
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import all_turn_cards
from engine.realm_master.checking.messages import check
from engine.realm_master.plans import answers, is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.wording import format_order, parse_order
from engine.ruleset import Checked, Problem, Standing
from pbem.games.realm_master.reading import forms
from pbem.games.realm_master.reading.clause_groups import without_numbers
from pbem.games.realm_master.reading.coverage import coverage_in
from pbem.games.realm_master.reading.entries import PieceEntry
from pbem.games.realm_master.reading.lexer import lexemes_in
from pbem.games.realm_master.reading.loosely import Loosely
from pbem.games.realm_master.reading.message import Message
from pbem.games.realm_master.reading.parts import FACES
from pbem.games.realm_master.reading.person import in_first_person
from pbem.games.realm_master.reading.position import Position
from pbem.games.realm_master.reading.spoken import guessing, with_pauses, without_reasons
from pbem.games.realm_master.reading.ways import with_ways_on
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.house.commands import Leave, Letter
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said, Word, Yes, lines_of, place_of
from pbem.grammar.kit.answers import without_clashes
from pbem.grammar.kit.coverage import Came
from pbem.grammar.kit.editor import edited
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Item, Propose, Reading, Suggestion
from pbem.grammar.kit.repetition import restating
from pbem.grammar.kit.sheet import Sheet
from pbem.grammar.kit.wholly import Wholly, is_open
from pbem.reading.offers import Offering

LONGEST = 20_000
SHORT = 60
"""Characters of words that surely are meant for an answer to a question that is open."""
_BLANK = re.compile(r"\n[ \t]*\n")
_POLITE = frozenset(
    "i i'll i'd i'm please pls plz now then so ok okay yes thanks thank you thx well sorry".split()
)
_NO = frozenset("no nope nah nein non nee nej nao nie nei".split())
_OWN_QUESTIONS = ("reroll", "second", "knuckle", "faces", "attack", "enter", "realm", "last")
_NAMES = frozenset({"LAND", "CARD", "HERO"})
"""Kinds of words of which one is not another."""
CONFIRM = "confirm-concede"
"""The problem of a player who gives the game up and has not confirmed it."""
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]
_CHECK: Check = restating(check)


@dataclass(frozen=True, slots=True)
class RealmMasterReader:
    """The order reader of the game; `check` is the engine's. `asks_back`: what cannot be taken back
    is asked about before it is taken.
    """

    check: Check = _CHECK
    asks_back: bool = True

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        people = people_of(state, player)
        return edited(
            Sheet(
                standing,
                standing.orders,
                tell=format_order,
                lex=partial(_lexemes_of, people, position_of(state, player)),
                read=partial(self._read, state, player, people),
                check=partial(self.check, state, player),
                names=_NAMES,
                parts=frozenset(FACES) | {"NUM"},
                parse=parse_order,
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
        position = position_of(state, player)
        own: tuple[tuple[int, int], ...] = ()
        if position.stage in ("hit", "realm", "ultimatum") or (
            state.stage == "round" and state.players[player - 1].at is not None
        ):
            own = _leaving(said)
            said = said.without(own)
        message = Message(plain, position, player, people)
        alone = partial(_taken_of, position, player, people)
        answer, taken = _answer(position, said, message)
        if answer is not None:
            own = (*own, *taken)
            entries = [PieceEntry(0, len(plain.text), [answer])]
        else:
            left = blanked(plain.text, _taken(plain, said))
            entries = message.read(without_numbers(left, ranked=position.stage == "heroes"))
        if self.asks_back and said.answers is None:
            _ask_back(entries, plain)
        entries = _without_lone_questions(entries)
        _change_last_plan(entries, position.last)
        checked = self._checked(state, player, standing, entries)
        told = [one for one in entries if one.orders or one.problems]
        items = tuple(_items(plain, told))
        if answer is None and (items or said.is_heard):
            came = [
                Came(
                    one.start,
                    one.end,
                    item.texts,
                    is_told=bool(item.problems),
                    is_unread=not one.orders and not one.asks,
                )
                for one, item in zip(told, items, strict=True)
            ]
            covered = coverage_in(position, player, people).cover(
                plain, message.sentences, came, items, partial(_is_at_once, position)
            )
            if covered[: len(items)] != items:
                orders = [order for item in covered for order in item.orders]
                checked = self.check(state, player, standing, orders) if orders else None
            items = covered
        note = None
        if not items and not (checked is not None or said.is_heard):
            whole = text.strip()
            if position.stage is not None and 0 < len(whole) <= SHORT and "?" not in whole:
                items = (Item(quote=whole, problems=(Problem("not-understood", ("RM-10.1",)),)),)
            else:
                items = (Item(quote=whole[:200], problems=(Problem("no-order"),)),)
                note = whole or None
        after = checked.standing if checked is not None else standing
        items = without_clashes(items, partial(self.check, state, player, after))
        asks = any(item.suggestion is not None for item in items)
        if self.asks_back and answer is None and is_open(items) and not asks:
            items = self._offered(message, told, items, state, after, alone, said.propose)
        return Reading(
            with_ways_on(items, state, player, people, after),
            checked=checked,
            note=note,
            cut=message.cut or len(text) > LONGEST,
            own=own,
        )

    def _offered(
        self,
        message: Message,
        told: Sequence[PieceEntry],
        items: tuple[Item, ...],
        state: State,
        after: Standing[o.Order],
        alone: Callable[[str], Collection[o.Order]],
        propose: Propose | None,
    ) -> tuple[Item, ...]:
        """The items with one offer for all that was not taken, if its meaning is clear."""
        player, plain, stage = message.player, message.plain, message.position.stage
        hero, name = message.position.heroes.get(player, ""), message.people.name_of(player)
        text = in_first_person(with_pauses(message.text, plain), hero, name, also=True)
        lexemes = lexemes_in(text, message.people, plain, stage, guessing())
        said = [without_reasons(one, message.is_order, player) for one in message.cut_of(lexemes)]
        offering = Offering(
            plain,
            forms.mended(lexemes),
            forms.TONGUE,
            lambda: tuple(forms.space(state, player)),
            parse_order,
            forms.joined,
            alone=alone,
        )
        finder = Loosely(message, offering, frozenset(pile[-1] for pile in state.row if pile))
        whole = Wholly(plain, said, finder, format_order, propose)
        places = [(entry.start, entry.end) for entry in told]
        return tuple(whole.offered(items, places, partial(self.check, state, player, after)))

    def _checked(
        self, state: State, player: int, standing: Standing[o.Order], entries: list[PieceEntry]
    ) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to where they came from."""
        sent = [(entry, i) for entry in entries for i in range(len(entry.orders))]
        if not sent:
            return None
        checked = self.check(state, player, standing, [entry.orders[i] for entry, i in sent])
        for problem in checked.problems:
            if problem.order is not None:
                entry, i = sent[problem.order]
                entry.problems.append(problem)
                if not problem.warning:
                    entry.refused.add(i)
        return checked


READER = RealmMasterReader()
"""The reader of the registry."""
read_case = partial(read_orders, RealmMasterReader(asks_back=False).read)
"""A message of a worked case: what the engine refuses is not suggested upon."""


def _items(plain: Plain, entries: Sequence[PieceEntry]) -> Iterator[Item]:
    given = 0
    for entry in entries:
        stands = _stands(entry)
        offered = _asked_back(entry) if not (stands or entry.asks) else None
        given += offered is not None
        suggestion = (
            Suggestion(given, (offered,), format_order(offered)) if offered is not None else None
        )
        start, end = plain.span(entry.start, entry.end)
        caret = None
        if entry.caret is not None:
            first, last = plain.span(entry.caret.start, entry.caret.end)
            caret = (first - start, last - start) if start <= first and last <= end else None
        yield Item(
            quote=plain.original[start:end],
            caret=caret,
            orders=tuple(stands),
            texts=tuple(map(format_order, stands)),
            problems=tuple(entry.problems),
            suggestion=suggestion,
        )


def _lexemes_of(people: People, position: Position, text: str) -> Sequence[Lexeme]:
    plain = normalise(text)
    return lexemes_in(plain.text, people, plain, position.stage)


def _stands(entry: PieceEntry) -> list[o.Order]:
    return [order for i, order in enumerate(entry.orders) if i not in entry.refused]


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name and colour."""
    return People(
        tuple(Person(seat.number, seat.name, seat.colour, seat.colour) for seat in state.players),
        me,
    )


def position_of(state: State, player: int) -> Position:
    """What this player's words are said to."""
    turn = state.turn
    own = turn is not None and turn.player == player and state.asked == (player,)
    seat = state.players[player - 1]
    card = all_turn_cards().get(state.card or "")
    heroes = {held.number: held.hero for held in state.players if held.hero is not None}
    return Position(
        state.stage if player in state.asked and state.stage != "round" else None,
        own and state.stage in _OWN_QUESTIONS,
        heroes,
        seat.plan.last,
        seat.at,
        frozenset(seat.cards),
        "".join(turn.rolled) if own and turn is not None else "",
        card.tokens if card is not None and card.effect == "tribute" else (),
        _yields(state, player),
    )


def _is_at_once(position: Position, order: o.Order) -> bool:
    """Whether the game continues with it: a deed, and what answers the open question live."""
    stage = position.stage
    return (
        is_act(order)
        or is_deed(order)
        or (stage is not None and stage != "heroes" and answers(stage, order))
    )


def _yields(state: State, player: int) -> bool:
    """Whether the card of the round that plans are sent for asks those in the Realm to leave."""
    card = all_turn_cards().get(state.card or "")
    is_inside = state.players[player - 1].at is not None
    return state.stage == "round" and is_inside and card is not None and card.effect == "ultimatum"


def _leaving(said: Said) -> tuple[tuple[int, int], ...]:
    """For a hero in the Realm `leave` alone in a line is the hero's order; `quit` and `leave the
    table` are about the seat.
    """
    return tuple(
        one.span
        for one in said.statements
        if isinstance(one, Word)
        and isinstance(one.command, Leave)
        and _is_leave(fold(said.text[slice(*one.span)]))
    )


def _answer(
    position: Position, said: Said, message: Message
) -> tuple[o.Order | None, tuple[tuple[int, int], ...]]:
    """A yes or no with nothing but talk around it as the answer to the open question, and where a
    yes of the house stands. Who waits for a yes of the house knows of it: what was offered is taken
    first.
    """
    if position.stage != "attack" and position.stage != "smoke":
        return None, ()
    plain, house = message.plain, tuple(said.house)
    yes = tuple(one for one in house if isinstance(one, Yes) and not one.numbers)
    bare = message.answers(blanked(plain.text, [place_of(plain, one) for one in yes]), _NO)
    told = re.findall(r"\w+", fold("".join(said.text[slice(*one.span)] for one in yes)))
    if len(yes) == len(house) == 1 and bare == [] and not _NO & {*told}:
        return o.Choose(position.stage, (o.Choice("yes"),)), tuple(one.span for one in yes)
    if not house and bare is not None and len(bare) == 1:
        return o.Choose(position.stage, (o.Choice("no"),)), ()
    return None, ()


def _taken(plain: Plain, said: Said) -> list[tuple[int, int]]:
    """Where the house's words stand. A letter ends where its paragraph ends: what is below are
    orders again.
    """
    places: list[tuple[int, int]] = []
    for one in said.house:
        start, end = place_of(plain, one)
        letter = isinstance(one, Word) and isinstance(one.command, Letter)
        ends = _BLANK.search(plain.text, start, end) if letter else None
        places += [(start, ends.start())] if ends is not None else lines_of(plain, one)
    return places


def _is_leave(said: str) -> bool:
    """Whether a line says nothing but `leave`, with a slip or politely."""
    words = [word for word in re.findall(r"[\w']+", said) if word not in _POLITE]
    return len(words) == 1 and "leave" in (words[0], vocabulary().without_slip(words[0]))


def _change_last_plan(entries: Sequence[PieceEntry], last: Sequence[o.Order]) -> None:
    """An order with `same as last time` replaces the line there that is about the same thing."""
    repeated = {id(order) for order in last}
    fresh = [order for entry in entries for order in entry.orders if id(order) not in repeated]
    for entry in entries:
        entry.orders = [
            order
            for order in entry.orders
            if id(order) not in repeated or not any(o.is_same_line(order, other) for other in fresh)
        ]


def _ask_back(entries: Sequence[PieceEntry], plain: Plain) -> None:
    """Ask a player who gives up to confirm, as the button does: it cannot be taken back
    (RM-7.9).
    """
    for entry in entries:
        sure = any(lexeme.kind == "CONCEDED" for lexeme in entry.lexemes)
        if o.Concede() in entry.orders and not sure:
            entry.orders = [order for order in entry.orders if order != o.Concede()]
            entry.problems.append(Problem(CONFIRM, ("RM-7.9",)))


def _without_lone_questions(entries: list[PieceEntry]) -> list[PieceEntry]:
    """A message that does nothing but ask is no order, and goes to the game master as a note."""
    return [] if all(entry.asks for entry in entries) else entries


def _asked_back(entry: PieceEntry) -> o.Order | None:
    """The orders that need a confirmation; of a card that is not on offer the wish for it (E3)."""
    if any(problem.code == CONFIRM for problem in entry.problems):
        return o.Concede()
    refused = entry.orders[min(entry.refused)] if entry.refused else None
    missing = {x.facts.get("card") for x in entry.problems if x.code == "not-on-offer"}
    if not isinstance(refused, o.Buy) or not missing:
        return None
    wishes = tuple(
        replace(wish, hoped=wish.hoped or wish.card in missing) for wish in refused.wishes
    )
    return replace(refused, wishes=wishes)


def _taken_of(position: Position, player: int, people: People, text: str) -> list[o.Order]:
    """The orders that are read of words alone."""
    plain = normalise(text)
    entries = Message(plain, position, player, people).read(plain.text)
    return [order for entry in entries for order in entry.orders]
