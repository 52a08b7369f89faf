"""The service's own way, watched from outside: the desk's steps, and each game's parts behind a
stop watch.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.table import Prepared, StandingClock, fresh_copy, open_services, read_table, store_orders
from bench.ticker import Held, ticking
from bench.timing import Round, Watch
from engine.ruleset import Event
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.opening import rules_of
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.ports import Painting
from pbem.game import Game, Games
from pbem.mail.inbound.reader import read_mail
from pbem.mail.ports import StoredMail

READ, ADJUDICATE, BOARD = "read game, orders, people", "adjudicate", "board (scene, SVG, PNG)"
PAGES, LETTERS, COMMIT, ASK = (
    "8 pages, text and HTML",
    "15 letters",
    "one commit (FULL)",
    "look what is due",
)
CLOSE_STEPS = (READ, ADJUDICATE, BOARD, PAGES, LETTERS, COMMIT, ASK)

STORE, PARSE, ORDERS, RECEIPT, LOOK_UP = (
    "store the raw mail (FULL)",
    "read the mail",
    "words to checked orders",
    "receipt, text and HTML",
    "who, where; letter",
)
RECEIVE_STEPS = (STORE, PARSE, ORDERS, RECEIPT, LOOK_UP, COMMIT, ASK)


class StepTimes:
    """When the desk reached each of its steps."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}

    def reached(self, step: str) -> None:
        self.at[step] = time.perf_counter()

    def between(self, first: str, last: str) -> float:
        return (self.at[last] - self.at[first]) * 1e3


class Timed:
    """Something of a game, every call of some of its methods timed under one name."""

    def __init__(self, inner: Any, watch: Watch, names: Mapping[str, str]) -> None:
        self._inner, self._watch, self._names = inner, watch, names

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        step = self._names.get(name)
        if step is None:
            return found

        def timed(*args: Any, **kwargs: Any) -> Any:
            with self._watch.step(step):
                return found(*args, **kwargs)

        return timed


class TimedPainter(Timed):
    """A painter whose boards are timed from asking to having."""

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        with self._watch.step(BOARD):
            picture: Picture = await self._inner.board(board, view, events, land, facts)
        return picture


def timed_games(games: Games, watch: Watch) -> Games:
    """The same games, watched."""
    return {key: _timed(game, watch) for key, game in games.items()}


def _timed(game: Game, watch: Watch) -> Game:
    ruleset: Any = Timed(game.ruleset, watch, {"adjudicate": ADJUDICATE})
    pages: Any = Timed(game.pages, watch, {"bulletin": PAGES, "turn": PAGES, "receipt": RECEIPT})

    def read(*args: Any) -> Any:
        with watch.step(ORDERS):
            return game.read(*args)

    return replace(game, ruleset=ruleset, pages=pages, read=read)


async def close_once(
    prepared: Prepared,
    games: Games,
    held: Held | None = None,
    begins: Callable[[], None] = lambda: None,
) -> Round:
    """Close the measured phase after the one before it, which leaves everything warm; what each
    step took. `begins` is called before the first of them.
    """
    watch, steps, clock = Watch(), StepTimes(), StandingClock(prepared.before_due_at)
    async with open_services(
        fresh_copy(prepared.before), timed_games(games, watch), clock, steps
    ) as services:
        services = replace(
            services, painting=Painting(TimedPainter(services.painting.painter, watch, {}))
        )
        await close_phase(services, prepared.game_id, prepared.phase_number - 1)
        await store_orders(services, await read_table(services), prepared.plans)
        clock.instant = prepared.due_at
        watch.steps.clear()
        async with ticking(held):
            begins()
            steps.reached("begin")
            await close_phase(services, prepared.game_id, prepared.phase_number)
            steps.reached("end")
    taken = dict(watch.steps)
    taken[READ] = steps.between("begin", "close.counted")
    taken[LETTERS] = (
        steps.between("close.counted", "close.rendered") - taken[ADJUDICATE] - taken[PAGES]
    )
    taken[COMMIT] = steps.between("close.rendered", "close.kept") - taken[BOARD]
    taken[ASK] = steps.between("close.kept", "end")
    return taken


async def receive_once(
    prepared: Prepared,
    games: Games,
    held: Held | None = None,
    begins: Callable[[], None] = lambda: None,
) -> Round:
    """Store and handle a player's mail, after another one's; what each step took."""
    watch, steps, now = Watch(), StepTimes(), prepared.opened_at
    warm, measured = (
        StoredMail(raw, now, 1, uid, oversize=False) for uid, raw in enumerate(prepared.mails, 1)
    )
    async with open_services(
        fresh_copy(prepared.file), timed_games(games, watch), StandingClock(now), steps
    ) as services:
        await store_mail(services, warm)
        await receive(services, 1)
        watch.steps.clear()
        async with ticking(held):
            begins()
            steps.reached("begin")
            await store_mail(services, measured)
            steps.reached("stored")
            await receive(services, 2)
            steps.reached("end")
        rules = rules_of(services.policy)
    with watch.step(PARSE):
        read_mail(measured.raw, rules)
    taken = dict(watch.steps)
    taken[STORE] = steps.between("begin", "stored")
    taken[COMMIT] = steps.between("receive.written", "receive.kept")
    taken[ASK] = steps.between("receive.kept", "end")
    taken[LOOK_UP] = (
        steps.between("stored", "receive.written") - taken[PARSE] - taken[ORDERS] - taken[RECEIPT]
    )
    return taken
