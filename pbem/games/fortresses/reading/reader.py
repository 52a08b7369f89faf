"""Reads the orders of Fortresses as people write them (FW-11): one pass of lexemes and sentences,
runs of pieces that come to orders, and the engine's judgement.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.acts import act_of
from engine.fortresses.checks import Part, check, stored_lines
from engine.fortresses.orders import parse_order
from engine.fortresses.state import State
from engine.fortresses.table import Table
from engine.fortresses.table_commands import judge_command
from engine.ruleset import Checked, Problem, Standing
from pbem.games.fortresses.reading import compounds, forms, rows
from pbem.games.fortresses.reading.coverage import coverage_of
from pbem.games.fortresses.reading.entries import OrderEntry
from pbem.games.fortresses.reading.kinds import DIALECT, UNITS
from pbem.games.fortresses.reading.lexer import lexemes_here
from pbem.games.fortresses.reading.message import Message
from pbem.games.fortresses.reading.pointers import pointed
from pbem.games.fortresses.reading.position import Position
from pbem.games.fortresses.reading.senses import with_arrows
from pbem.games.fortresses.reading.words import closest
from pbem.grammar.house.commands import Resign
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said, Word
from pbem.grammar.kit.answers import LONGEST, LineAnswer
from pbem.grammar.kit.editor import edited
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Reading
from pbem.grammar.kit.repetition import restating
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.sheet import Sheet
from pbem.grammar.people import Draw
from pbem.reading.offers import Offering

_OPENS = frozenset({"VIA", "WITH", "BOTH"})
"""Behind these a sentence continues in the next line."""
_OWN = (Draw, Resign)
"""Words of the house that are orders in a worked case (FW-9.3, FW-9.4)."""
_ENDS = (o.Draw, o.Concede, o.Resign, o.ClaimWin)
CONFIRM = "confirm-ending"


class Check(Protocol):
    """The engine's judgement on the orders of a message (`engine.fortresses.checks`)."""

    def __call__(
        self,
        state: State,
        player: int,
        standing: Standing[o.Order],
        orders: Sequence[o.Order],
        *,
        unread: Collection[Part] = (),
    ) -> Checked[o.Order]: ...


_CHECK: Check = restating(check, stored_lines)


@dataclass(frozen=True, slots=True)
class FortressesReader:
    """The order reader of the game; `check` is the engine's. With `suggests` it looks for what may
    be meant, asks for a confirmation of what may end the game, and leaves the words of the house to
    it.
    """

    check: Check = _CHECK
    suggests: bool = True

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        people = people_of(state, player)
        return edited(
            Sheet(
                standing,
                stored_lines(state, standing.orders),
                tell=o.format_order,
                lex=lambda text: lexemes_here(*_plainly(text), people, state.year)[0],
                read=partial(self._read, state, player),
                check=partial(self.check, state, player),
                cancel=lambda i: o.Cancel(0 if i is None else i + 1),
                parts=UNITS | {"NUM"},
                parse=parse_order,
                no_line="out-of-range",
            ),
            said,
        )

    def _read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """The same of what edits nothing."""
        text = said.text
        plain = normalise(text[:LONGEST])
        own = tuple(
            one.span
            for one in said.statements
            if isinstance(one, Word) and isinstance(one.command, _OWN) and not self.suggests
        )
        said = said.without(own)
        left = with_arrows(blanked(plain.text, said.taken(plain)))
        position = Position(state, standing.orders)
        people = people_of(state, player)
        kingdoms: frozenset[str] = frozenset(position.table.kingdoms_of(player))
        read, slips = lexemes_here(left, plain, people, state.year, kingdoms)
        lexemes = pointed(read, position)
        message = Message(plain, left, position=position, me=player)
        sentences = sentences_of(plain, lexemes, DIALECT.verbs, DIALECT.flags, _OPENS)
        cut = message.hear_all(sentences) or len(text) > LONGEST
        entries = message.ledger.entries
        asks = self.suggests and said.answers is None  # `yes` has been asked
        return LineAnswer[o.Order](
            plain,
            standing,
            partial(self._check, state, player, _unread(entries)),
            o.format_order,
            _ask_back(entries, state, player) if asks else {},
            coverage_of(player, lambda text: lexemes_here(*_plainly(text), people, state.year)[0]),
            sentences,
            lambda order: act_of(order) is not None,
            whole=self._whole(plain, lexemes, state, player),
        ).reading(
            said,
            entries,
            code="not-understood" if message.order_like else "no-order",
            corrected=message.ledger.corrected,
            slips=tuple(dict.fromkeys(slips)) if entries else (),
            cut=cut,
            own=own,
        )

    def _whole(
        self,
        plain: Plain,
        lexemes: Sequence[Lexeme],
        state: State,
        player: int,
    ) -> Offering[o.Order] | None:
        """What is offered where something was not taken."""
        if not self.suggests:
            return None
        return Offering(
            plain,
            compounds.mended(lexemes),
            forms.TONGUE,
            lambda: tuple(rows.space(state, player)),
            parse_order,
            forms.joined,
            lambda order: isinstance(order, forms.NEVER) or forms.is_senseless(order),
        )

    def _check(
        self,
        state: State,
        player: int,
        unread: frozenset[Part],
        standing: Standing[o.Order],
        orders: Sequence[o.Order],
    ) -> Checked[o.Order]:
        """The engine's judgement; a worked case knows no warnings (FF-5)."""
        checked = self.check(state, player, standing, orders, unread=unread)
        told = (one for one in checked.problems if self.suggests or not one.warning)
        return replace(checked, problems=tuple(map(_with_names, told)))


READER = FortressesReader()
"""The reader of the registry."""
read_case = partial(read_orders, FortressesReader(suggests=False).read)
"""A message of a worked case: nothing is suggested."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name and colour."""
    return People(
        tuple(Person(seat.number, seat.name, seat.colour, seat.colour) for seat in state.players),
        me,
    )


def _unread(entries: Sequence[OrderEntry]) -> frozenset[Part]:
    """Which lines of the message, those for now or those for later, became no order."""
    return frozenset("later" if entry.kept else "now" for entry in entries if not entry.stands)


def _plainly(text: str) -> tuple[str, Plain]:
    plain = normalise(text)
    return with_arrows(plain.text), plain


def _ask_back(
    entries: Sequence[OrderEntry], state: State, player: int
) -> dict[int, o.Order | None]:
    """What may end the game is not taken from words alone; the command by the entry it is of
    (FW-9.3 to FW-9.5, FW-9.8), if the house has no words for it.
    """
    endings: dict[int, o.Order | None] = {}
    for i, entry in enumerate(entries):
        order = entry.order
        if isinstance(order, _ENDS) and judge_command(Table(state), player, order) is None:
            endings[i] = order if not isinstance(order, o.Draw | o.Resign) else None
            entry.order = Problem(CONFIRM, facts={"order": o.format_order(order)})
    return endings


def _with_names(problem: Problem) -> Problem:
    """An unknown place with the zones whose names are most like it."""
    if problem.code != "unknown-zone":
        return problem
    near = closest(str(problem.facts.get("zone", "")).lower())
    facts = {**problem.facts, "near": near}
    return Problem(problem.code, problem.rules, facts, problem.warning, problem.order)
