"""Replaying a game from its seed, votes, orders and acts: every state and event must come out byte for byte as it was kept.

A phase ends by its close, by an act, or by a roll back; whichever it was is told by the acts that were kept. A seat's orders count as its
newest version tells them: where the seat changed hands, a version without orders begins the new tenure.
"""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from engine.chance import Chance, commitment
from engine.ruleset import Event, Outcome
from pbem.desk.acts import is_another_phase
from pbem.desk.gm import Refused
from pbem.desk.gm.acting import GM
from pbem.desk.gm.history import RESHUFFLE, ROLL_BACK, RollBackAct
from pbem.desk.ports import Parts
from pbem.desk.table import OpenTable, as_told, encode_events, load_table
from pbem.store.events import ActRow
from pbem.store.orders import OrdersRow
from pbem.store.states import StateRow
from pbem.store.work import Work


class Votes(msgspec.Struct, frozen=True, tag_field="act", tag="votes"):
    """The votes before the start, as they are kept among the acts of phase 0: the arguments of `Ruleset.settle_votes`."""

    questions: tuple[str, ...]
    votes: tuple[dict[str, str], ...]


class _Stuck(Exception):
    """What was kept cannot be replayed any further; the last difference says why."""


async def verify_game(parts: Parts, slug: str) -> list[str]:
    """What differs between the replay and what was kept, a line each; empty when all is as it should be.

    The seed is secret until the game is over, so that only the service itself can replay a running game.
    """
    async with parts.database.read() as work:
        game = await work.games.find_by_slug(slug)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.phase_number == 0:
            raise Refused("not-running", f"{slug} has not begun")
        table = await load_table(work, parts.games, game)
        seed = bytes.fromhex(await work.games.read_seed(game.id))
        replay = _Replay(work, table, seed)
        if commitment(seed) != game.commitment:
            replay.differences.append("the seed is not the one that was committed to")
        with contextlib.suppress(_Stuck):
            await replay.play()
    return replay.differences


class _Replay:
    """A game played again. `opened` are the states that phases opened with, by number; `events` those of the phase at hand, `ahead` those
    that belong to the next one already.
    """

    def __init__(self, work: Work, table: OpenTable, seed: bytes) -> None:
        self.differences: list[str] = []
        self._work = work
        self._table = table
        self._rules = table.kind.ruleset
        self._seed = seed
        self._place = 0
        self._state: Any = None
        self._opened: dict[int, Any] = {}
        self._events: list[Event] = []
        self._ahead: list[Event] = []

    async def play(self) -> None:
        last = self._table.game.phase_number
        await self._start()
        for number in range(1, last + 1):
            ended = await self._play_acts(number)
            if number < last and not ended:
                await self._close(number)
            await self._compare_events(number)
        if self._place != self._table.game.chance_place:
            self.differences.append(f"{self._place} draws were made in all, {self._table.game.chance_place} were kept")

    async def _start(self) -> None:
        options: dict[str, object] = msgspec.json.decode(self._table.game.options)
        chance = Chance(self._seed)
        seats = [as_told(seat) for seat in self._table.seats]
        try:
            for row in await self._work.acts.list_of_phase(self._table.game.id, 0):
                votes = msgspec.json.decode(row.body, type=Votes)
                ballot = self._rules.settle_votes(votes.questions, votes.votes, chance)
                options |= ballot.options
                self._events += ballot.events
            outcome: Outcome[Any] = self._rules.setup(options, seats, chance)
        except (ValueError, msgspec.MsgspecError) as error:
            self._stop(f"the start cannot be replayed: {error}")
        self._took(outcome, chance)
        await self._compare_events(0)
        await self._open(1)

    async def _play_acts(self, number: int) -> bool:
        """Play the acts of a phase again; whether one of them has ended it."""
        kept = {row.ordinal: row for row in await self._work.states.list_of_phase(self._table.game.id, number)}
        rows = await self._work.acts.list_of_phase(self._table.game.id, number)
        for row in rows:
            told = _decode_act(row)
            if told is None:
                self._stop(f"phase {number}: act {row.ordinal} cannot be read")
            if told.get("act") == ROLL_BACK:
                await self._roll_back(number, row)
                return True
            before, chance = self._rules.phase(self._state), Chance(self._seed, self._place)
            try:
                outcome = self._rules.act(self._state, GM if row.actor == GM else int(row.actor), told, chance)
            except ValueError as error:
                self._stop(f"phase {number}: act {row.ordinal} ({told.get('act')}) cannot be replayed: {error}")
            self._took(outcome, chance)
            if is_another_phase(before, self._rules.phase(self._state)):
                await self._open(number + 1)
                return True
            self._compare_state(kept.pop(row.ordinal + 1, None), f"phase {number}, after act {row.ordinal} ({told.get('act')})")
        for ordinal in sorted(ordinal for ordinal in kept if ordinal > 0):
            self.differences.append(f"phase {number}: a state after act {ordinal - 1} was kept, and there was no such act")
        return False

    async def _roll_back(self, number: int, row: ActRow) -> None:
        """The next phase opens as an earlier one did; what a reshuffle tells belongs to it already."""
        try:
            told = msgspec.json.decode(row.body, type=RollBackAct)
            outcome: Outcome[Any] = Outcome(self._opened[told.to], ())
            chance = Chance(self._seed, self._place)
            if told.reshuffle:
                outcome = self._rules.act(outcome.state, GM, RESHUFFLE, chance)
        except (ValueError, LookupError, msgspec.MsgspecError) as error:
            self._stop(f"phase {number}: the roll back cannot be replayed: {error}")
        self._took(Outcome(outcome.state, ()), chance)
        self._ahead += outcome.events
        await self._open(number + 1)

    async def _close(self, number: int) -> None:
        chance = Chance(self._seed, self._place)
        try:
            outcome = self._rules.adjudicate(self._state, await self._orders(number), chance)
        except ValueError as error:
            self._stop(f"phase {number}: its close cannot be replayed: {error}")
        self._took(outcome, chance)
        await self._open(number + 1)

    async def _orders(self, number: int) -> Mapping[int, Sequence[Any]]:
        """What counted at the close of a phase, by player."""
        rows = {row.seat_id: row for row in await self._work.orders.latest(self._table.game.id, number)}
        active, orders = set(self._rules.active(self._state)), {}
        for seat in self._table.seats:
            history = await self._work.orders.history(seat.id, number)
            self._check_unlocked(history, number, seat.name)
            row = rows.get(seat.id)
            if row is None or seat.number not in active or row.tenure < max(version.tenure for version in history):
                continue
            try:
                given = self._rules.decode_orders(row.orders.encode())
            except (ValueError, msgspec.MsgspecError):
                self.differences.append(f"phase {number}: version {row.version} of {seat.name} holds no orders that can be read")
                continue
            if given:
                orders[seat.number] = given
        return orders

    def _check_unlocked(self, history: Sequence[OrdersRow], number: int, name: str) -> None:
        """A game master's version of orders only makes them open again: it says what the one before it said."""
        for before, row in zip((None, *history), history, strict=False):
            if row.source == GM and (before is None or (before.orders, before.tenure) != (row.orders, row.tenure)):
                self.differences.append(f"phase {number}: version {row.version} of {name} was unlocked, and says something else")

    def _took(self, outcome: Outcome[Any], chance: Chance) -> None:
        self._state, self._place = outcome.state, chance.place
        self._events += outcome.events

    async def _open(self, number: int) -> None:
        """The state that a phase opens with."""
        self._opened[number] = self._state
        kept = await self._work.states.list_of_phase(self._table.game.id, number)
        self._compare_state(kept[0] if kept and kept[0].ordinal == 0 else None, f"phase {number}")

    def _compare_state(self, kept: StateRow | None, where: str) -> None:
        if kept is None or kept.body != self._rules.encode_state(self._state):
            self.differences.append(f"{where}: the state differs")
        if kept is not None and kept.chance_place != self._place:
            self.differences.append(f"{where}: {self._place} draws were made, {kept.chance_place} were kept")

    async def _compare_events(self, number: int) -> None:
        """The events that a phase made: at its opening (a reshuffle), by its acts, at its close."""
        made, self._events = encode_events(self._table.kind, self._events), self._ahead
        self._ahead = []
        rows = await self._work.events.list_of_phase(self._table.game.id, number)
        where = f"phase {number}" if number else "the start"
        if len(rows) != len(made):
            self.differences.append(f"{where}: {len(made)} events come out, {len(rows)} were kept")
        for row, event in zip(rows, made, strict=False):
            if (row.kind, row.body, row.audience, row.rules) != (event.kind, event.body, event.audience, event.rules):
                self.differences.append(f"{where}: event {row.ordinal} ({row.kind}) differs")

    def _stop(self, difference: str) -> NoReturn:
        self.differences.append(difference)
        raise _Stuck


def _decode_act(row: ActRow) -> dict[str, object] | None:
    try:
        return msgspec.json.decode(row.body, type=dict[str, object])
    except msgspec.MsgspecError:
        return None
