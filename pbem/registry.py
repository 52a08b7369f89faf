"""The games this house runs: found by the entry-point group `pbem.games` of whatever is installed,
and narrowed by the configuration.

A game that cannot be run is left out and named, and never stops the others.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from traceback import walk_tb
from typing import Literal

import structlog

from pbem.game import CONTRACT_VERSION, Game, Games, format_contract

GROUP = "pbem.games"
Fault = Literal[
    "no-such-game",
    "same-id",
    "not-loaded",
    "no-game",
    "other-id",
    "other-contract",
    "not-reading",
]

_log = structlog.get_logger("games")


@dataclass(frozen=True, slots=True)
class Listed:
    """A game that is installed, or that the configuration names: `game` if it runs, else the
    `fault` with its details.

    `distribution` and `version` are those of the package it came with; empty if no such package is
    installed.
    """

    id: str
    distribution: str
    version: str
    game: Game | None
    fault: Fault | None = None
    detail: str = ""


_WORDS: Mapping[Fault, str] = {
    "no-such-game": "the configuration names it, but it is not installed",
    "same-id": "several installed packages have a game with this id",
    "not-loaded": "loading it failed",
    "no-game": "its entry point is not a game",
    "other-id": "its rules have another id",
    "other-contract": "it was written for another version of the contract",
    "not-reading": "it cannot read a message",
}


def format_fault(one: Listed) -> str:
    """Why a game does not run, in a line. KeyError for one that does."""
    if one.fault is None:
        raise KeyError(one.id)
    return f"{_WORDS[one.fault]}{f': {one.detail}' if one.detail else ''}"


def list_games(
    enabled: Sequence[str] = (),
    entries: Iterable[EntryPoint] | None = None,
    *,
    tried: bool = False,
) -> tuple[Listed, ...]:
    """All games there are, or those of these ids, in the order of their list; last come those that
    do not run. `tried`: each game has to read a message first, with its words and its grammar.
    """
    found = sorted(
        entry_points(group=GROUP) if entries is None else entries, key=lambda entry: entry.name
    )
    counts = Counter(entry.name for entry in found)
    with _nothing_collected():
        listed = [
            _load(entry, is_single=counts[entry.name] == 1, tried=tried)
            for entry in found
            if not enabled or entry.name in enabled
        ]
    listed += [
        Listed(name, "", "", None, "no-such-game")
        for name in dict.fromkeys(enabled)
        if name not in counts
    ]
    return tuple(
        sorted(
            listed, key=lambda one: (one.game is None, one.game.place if one.game else 0, one.id)
        )
    )


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """What is loaded stays: looking through it again and again for what could go costs a tenth of
    the time that loading takes, and more.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _load(entry: EntryPoint, *, is_single: bool, tried: bool) -> Listed:
    distribution, version = (
        (entry.dist.name, entry.dist.version) if entry.dist is not None else ("", "")
    )

    def left_out(fault: Fault, detail: str = "") -> Listed:
        return Listed(entry.name, distribution, version, None, fault, detail)

    if not is_single:
        return left_out("same-id")
    try:
        game = entry.load()
    # whatever is wrong with a game, the others run
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return left_out("not-loaded", _tell(error, entry))
    if not isinstance(game, Game):
        return left_out("no-game", entry.value)
    if game.contract_version != CONTRACT_VERSION:
        return left_out("other-contract", format_contract(game.contract_version))
    if game.ruleset.id != entry.name:
        return left_out("other-id", game.ruleset.id)
    if tried:
        try:
            game.load_readers()
        except Exception as error:  # noqa: BLE001
            return left_out("not-reading", _tell(error, entry))
    return Listed(entry.name, distribution, version, game)


def _tell(error: BaseException, entry: EntryPoint) -> str:
    return format_error(error, (entry.module.rpartition(".")[0] or entry.module,))


def format_error(error: BaseException, packages: Sequence[str]) -> str:
    """An error, with the last line of a game's own code or templates that led to it; `packages` are
    those of the game.
    """
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        name, file = str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
        is_own = any(name == package or name.startswith(f"{package}.") for package in packages)
        if is_own or file.endswith(".j2"):
            place = f" ({file}:{line})"
    return f"{type(error).__name__}: {error}{place}"


def load_games(enabled: Sequence[str] = (), *, tried: bool = False) -> Games:
    """The games that run, all or those of these ids; the log names those that are left out.
    `tried`: as for `list_games`; a service asks for it before it serves, so that no message waits
    for a reader to load.
    """
    return _load_games(tuple(enabled), tried)


@cache
def _load_games(enabled: tuple[str, ...], tried: bool) -> Games:
    listed = list_games(enabled, tried=tried)
    for one in listed:
        if one.fault is not None:
            _log.error(
                "game-left-out",
                game=one.id,
                fault=one.fault,
                distribution=one.distribution,
                detail=one.detail,
            )
    return {one.id: one.game for one in listed if one.game is not None}


def default_game(games: Games) -> Game:
    """The game that is played where nobody says which. LookupError if there is none."""
    for game in games.values():
        return game
    raise LookupError("no game is installed")
