"""The whole check of a game, in the order in which to mend things."""

import asyncio
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from pbem.conformance import secrecy
from pbem.conformance.boards import check_boards
from pbem.conformance.findings import found
from pbem.conformance.letters import check_letters, check_sentences
from pbem.conformance.maps import check_map
from pbem.conformance.reading import check_grammar, check_growth
from pbem.conformance.rules import check_knowledge, check_leaving, check_orders, check_states
from pbem.conformance.sources import Sources
from pbem.conformance.walk import Table, Walk, walk
from pbem.demo.performance import perform
from pbem.demo.stage import Playbill, play_of
from pbem.desk.mandate import Refused
from pbem.findings import Finding
from pbem.game import Game
from pbem.pages.kit.rules import sections
from pbem.registry import format_error

SEED = 7
MOST_ALIKE = 5
"""Findings of one kind that an author reads; the others are counted."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is tried: games of each kind of table, `phases` of each, `twins` of each step, and
    of how many steps one has its letters (`letters`) and boards (`boards`) made.
    """

    games: int
    phases: int
    twins: int
    letters: int
    boards: int
    is_performed: bool = False
    """Whether a game is played by mail and chat, too."""


FAST = Pace(games=1, phases=40, twins=8, letters=4, boards=12)
WHOLE = Pace(games=3, phases=200, twins=40, letters=1, boards=3, is_performed=True)

Check = Callable[[], Iterable[Finding]]


def check_game(game: Game, pace: Pace) -> Iterator[Finding]:
    """Everything, telling each finding as it comes; a game with no fault has those alone that say
    what was looked at. Where a part fails for good, the check looks at the rest anyway.
    """
    sources = Sources(game)
    tried = _Trying(sources)
    yield from tried.part("words", lambda: check_grammar(game))
    yield from tried.part("book", lambda: check_book(sources))
    yield from tried.part("sentences", lambda: check_sentences(sources))
    walks: list[Walk] = []
    yield from tried.part("games", lambda: _play(game, pace, walks))
    if not walks:
        return
    rng = random.Random(SEED)
    yield from tried.part("states", lambda: check_states(game, walks))
    yield from tried.part("leaving", lambda: check_leaving(game, walks))
    yield from tried.part("orders", lambda: check_orders(game, walks, rng))
    yield from tried.part("reading", lambda: check_growth(game, walks[0]))
    yield from tried.part("view", lambda: check_view(game, walks, rng, pace.twins))
    yield from tried.part("assume", lambda: check_knowledge(game, walks, rng))
    yield from tried.part("letters", lambda: check_letters(sources, walks, pace.letters))
    yield from tried.part("boards", lambda: check_boards(sources, walks[:2], pace.boards))
    told = game.map
    if told is not None:
        yield from tried.part("map", lambda: check_map(game, told, walks))
    if pace.is_performed and game.play is not None:
        yield from tried.part("post", lambda: check_performance(game))


def _play(game: Game, pace: Pace, walks: list[Walk]) -> Iterator[Finding]:
    """Add the games that are played to `walks`."""
    for table, seed, is_scripted in _tables(game, pace):
        walks.append(walk(table, seed, pace.phases, is_scripted=is_scripted))
    yield from ()


@dataclass(slots=True)
class _Trying:
    """Parts of the check, each for itself: what one of them raises is a finding of it."""

    sources: Sources

    def part(self, name: str, check: Check) -> Iterator[Finding]:
        """The findings of a part, each of them once; or that it is well."""
        told: dict[Finding, None] = {}
        try:
            for finding in check():
                told.setdefault(finding)
        # whatever the game raises is told, and the other parts are looked at
        except Exception as error:  # noqa: BLE001
            code = "refused" if isinstance(error, Refused) else "raised"
            told.setdefault(
                found(code, part=name, error=format_error(error, self.sources.packages))
            )
        kept: dict[str, int] = {}
        for finding in told:
            kept[finding.mend] = kept.get(finding.mend, 0) + 1
            if kept[finding.mend] <= MOST_ALIKE:
                yield finding
        for mend, count in kept.items():
            if count > MOST_ALIKE:
                yield found("more", part=name, count=count - MOST_ALIKE, mend=mend)
        if not told:
            yield found(f"well-{name}")


def _tables(game: Game, pace: Pace) -> Iterator[tuple[Table, int, bool]]:
    """The tables that are played at: with the usual number of players, the fewest and the most;
    with each answer to what may be voted on.
    """
    rules = game.ruleset
    fewest, most = rules.players
    usual = game.play.usual_players if game.play is not None else min(4, most)
    counts = dict.fromkeys((usual, fewest, most) if pace.games > 1 else (usual, fewest))
    ways: list[Mapping[str, object]] = [{}]
    for question, answers in rules.questions.items():
        ways += [rules.options_voted({question: answer}) for answer in answers]
    for at, options in enumerate(ways):
        for players in counts if not at else (usual,):
            if not _can_play(rules, options, players):
                continue
            for seed in range(pace.games):
                table = Table(game, options, players)
                yield table, SEED + seed, True
                if not at:
                    yield table, SEED + seed, False


def _can_play(rules: Any, options: Mapping[str, object], players: int) -> bool:
    try:
        rules.check_options(options)
        rules.check_players(options, players)
    except ValueError:
        return False
    return True


def check_book(sources: Sources) -> Iterator[Finding]:
    """Every rule that the game cites is in its book."""
    known = [rule.id for section in sections(sources.game.book) for rule in section.rules]
    for cited in {one.name: one for one in sources.rules()}.values():
        if not any(one == cited.name or one.startswith(f"{cited.name}.") for one in known):
            yield found("no-rule", rule=cited.name, place=cited.place)


def check_view(
    game: Game, walks: Sequence[Walk], rng: random.Random, twins: int
) -> Iterator[Finding]:
    """No view tells what its reader cannot know."""
    for one in walks:
        for leak in secrecy.leaks_of(one, rng, twins):
            who = "the public" if leak.player is None else "a player"
            yield found(leak.kind, who=who, what=leak.what, fields=", ".join(leak.fields))


def check_performance(game: Game) -> Iterator[Finding]:
    """A whole game of the scripted players, by mail and chat: every message is handled, and the
    game comes out the same when it is played again from its record.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-check-") as folder:
        performance = asyncio.run(
            perform(
                Console(quiet=True),
                players=play_of(game).usual_players,
                played=Playbill(game.ruleset.id),
                seed=SEED,
                turns=None,
                out=Path(folder),
            )
        )
    if performance.counts.shunted:
        yield found("shunted", count=performance.counts.shunted)
    if not performance.went_well:
        yield found("other-replay")
