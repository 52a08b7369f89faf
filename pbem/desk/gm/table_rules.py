"""A table's rules: about its people and its time, which its game master changes at any time, and
before it begins its options. Everybody is told.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Literal

import msgspec

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.command import commanded
from pbem.desk.gm.playable import check_days, check_numbers, check_suppositions, check_votes
from pbem.desk.letters.post import Addressee, at_table, read_post
from pbem.desk.letters.queue import queue_letters
from pbem.desk.letters.table_people import Watcher, read_watchers
from pbem.desk.lobby.rows import read_lobby_rows
from pbem.desk.lobby.seats import look_after_change, look_after_vote
from pbem.desk.mandate import By, Refused, check_not_begun, find_game, lock_game
from pbem.desk.people.masters import read_around
from pbem.desk.phases.clock import clock_facts
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import (
    OpenTable,
    Settings,
    decode_settings,
    encode_settings,
    hours_of,
    load_table,
    page_table,
)
from pbem.desk.windows import check_hours
from pbem.game import Game
from pbem.grammar.clock_rules import (
    MOST_ABSENCE_DAYS,
    MOST_GRACE_HOURS,
    MOST_GRACES,
    ClockChange,
    format_clock_rules,
)
from pbem.grammar.people_rules import Changes, changed_rules, format_people_rules
from pbem.pages.people import ObserversOff, PeopleRulesChanged
from pbem.pages.time import ClockChanged

OFF_THE_VOTE = "off the vote"
"""The key of the log under which stands which questions an option has settled."""


def with_people(settings: Settings, changes: Changes) -> Settings:
    """The settings with what is said about the table's people."""
    return msgspec.structs.replace(settings, people=changed_rules(settings.people, changes))


async def _lock_running_table(tx: Transaction[Context], slug: str) -> OpenTable:
    """The table of a game that has not ended. Refused for any other."""
    game = await lock_game(tx.work, slug)
    if game.status in ("over", "ended"):
        raise Refused("over", f"{game.title} has ended")
    return await load_table(tx, game)


async def set_people(services: Desk, slug: str, changes: Changes, by: By) -> str:
    """Change the table's rules about its people, and tell everybody; what was said, in words. Where
    nobody may watch any longer, everybody who did is told, and no longer does.
    """
    now = services.clock.now()
    async with commanded(services, by, "gm.people.written") as tx:
        table = await _lock_running_table(tx, slug)
        game = table.game
        changed = with_people(table.settings, changes)
        if changed == table.settings:
            raise Refused("no-change", "it is already so; nobody was told")
        if changed.people.hidden_names != table.settings.people.hidden_names:
            raise Refused(
                "names-hidden",
                "whether names are hidden is set when the game is opened, and stays so until its"
                " end",
            )
        said = format_people_rules(changes)
        entry = await tx.log("game people", {"options": said}, game.id)
        around = await read_around(tx.work, services.policy, game.id)
        watching = [one for one in await read_watchers(tx.work, table, around) if not one.away]
        await tx.work.games.set_settings(game.id, encode_settings(changed))
        table = await load_table(
            tx,
            msgspec.structs.replace(game, settings=encode_settings(changed)),
        )
        letters: list[NewLetter] = []
        if not changed.people.observers:
            letters += _to_observers(services, table, watching, by, entry)
            for row in await tx.work.observers.list_of_game(game.id):
                await tx.work.observers.end(game.id, row.person_id, now)
        lines = said.split(", ")
        post = await read_post(tx, table)
        letters += post.to(
            at_table(commander=by.person_id),
            PeopleRulesChanged(lines, by.name),
            "people-rules",
            f"people-rules:{entry}",
        )
        await queue_letters(tx.work, letters, now)
    return said


def _to_observers(
    context: Context, table: OpenTable, watching: list[Watcher], by: By, entry: int
) -> Iterator[NewLetter]:
    facts = page_table(table, context)
    for watcher in watching:
        to = watcher.recipient(context.key, table.game)
        who = Addressee(context, to, watcher.reader(""), facts)
        yield who.letter(ObserversOff(by.name), "observers-off", f"observers-off:{entry}:{to.own}")


async def read_rules(tx: Transaction[Context], slug: str) -> str:
    """Everything a table says about its people, as clauses."""
    table = await load_table(tx, await find_game(tx.work, slug))
    return format_people_rules(msgspec.structs.asdict(table.settings.people))


MIN_HOURS, MAX_HOURS = 0.05, 60 * 24.0


def with_clock(settings: Settings, change: ClockChange, windows: Collection[str]) -> Settings:
    """The settings with what is said about the table's time. Refused for what cannot be."""
    _check(change, windows)
    said = {
        name: value
        for name in (
            "clock",
            "days",
            "quiet",
            "absence_days",
            "graces",
            "grace_hours",
            "tells_names",
            "settled_hours",
        )
        if (value := getattr(change, name)) is not None
    }
    if change.votes is not None:
        said["extensions"] = "vote" if change.votes else "gm"
    if change.hours:
        said["hours"] = {**settings.hours, **change.hours}
    changed = msgspec.structs.replace(settings, **said)
    if changed.settled_hours and not changed.early_close:
        raise Refused("bad-options", "the phases of this game never close before their deadline")
    try:
        check_hours(hours_of(changed))
    except ValueError as error:
        raise Refused("bad-options", str(error)) from error
    return changed


def _check(change: ClockChange, windows: Collection[str]) -> None:
    for kind, length in change.hours.items():
        if kind not in windows:
            raise Refused(
                "bad-options", f"there is no window {kind!r}; there are {', '.join(windows)}"
            )
        if not MIN_HOURS <= length <= MAX_HOURS:
            raise Refused(
                "bad-options",
                f"{kind}: a window lasts {MIN_HOURS} to {MAX_HOURS} hours, not {length}",
            )
    if change.absence_days is not None and not 0 <= change.absence_days <= MOST_ABSENCE_DAYS:
        raise Refused(
            "bad-options",
            f"a deadline moves by 0 to {MOST_ABSENCE_DAYS} days for an absence, not"
            f" {change.absence_days}",
        )
    if change.graces is not None and not 0 <= change.graces <= MOST_GRACES:
        raise Refused(
            "bad-options",
            f"a late player is waited for 0 to {MOST_GRACES} times, not {change.graces}",
        )
    if change.settled_hours and not 1 <= change.settled_hours <= MOST_GRACE_HOURS:
        raise Refused(
            "bad-options",
            f"a phase whose orders are all there stays open for 1 to {MOST_GRACE_HOURS} hours, not"
            f" {change.settled_hours:g}",
        )
    if change.grace_hours is not None and not 1 <= change.grace_hours <= MOST_GRACE_HOURS:
        raise Refused(
            "bad-options",
            f"a late player is waited for 1 to {MOST_GRACE_HOURS} hours, not"
            f" {change.grace_hours:g}",
        )


async def set_clock(services: Desk, slug: str, change: ClockChange, by: By) -> str:
    """Change how a table's deadlines are set, and tell everybody; what was said, in words. The open
    deadline stays where it is.
    """
    async with commanded(services, by, "gm.clock.written") as tx:
        table = await _lock_running_table(tx, slug)
        game = table.game
        changed = with_clock(table.settings, change, table.kind.ruleset.windows)
        if changed == table.settings:
            raise Refused("no-change", "it is already so; nobody was told")
        said = format_clock_rules(change)
        entry = await tx.log("game clock", {"clock": said}, game.id)
        await tx.work.games.set_settings(game.id, encode_settings(changed))
        table = await load_table(
            tx,
            msgspec.structs.replace(game, settings=encode_settings(changed)),
        )
        clock = clock_facts(table)
        await tx.tell(table, ClockChanged(clock, by.name), "clock", f"clock:{entry}")
    return said


async def change_options(
    services: Desk, slug: str, options: dict[str, Any], by: By
) -> tuple[str, ...]:
    """Change what a table is played with, before it starts. What is settled so is voted on no
    longer: those questions come back.
    """
    async with commanded(services, by) as tx:
        game = await find_game(tx.work, slug)
        check_not_begun(game)
        kind, settings = services.games[game.ruleset], decode_settings(game)
        settled = tuple(
            question for question in settings.votes if _is_settled_by(kind, question, options)
        )
        detail = options | ({OFF_THE_VOTE: settled} if settled else {})
        await tx.log("game options", detail, game.id)
        changed = msgspec.json.decode(game.options, type=dict[str, Any]) | options
        votes = tuple(question for question in settings.votes if question not in settled)
        try:
            kind.ruleset.check_options(changed)
        except ValueError as error:
            raise Refused("bad-options", str(error)) from error
        check_votes(kind, changed, votes)
        check_numbers(kind, changed, msgspec.structs.replace(settings, votes=votes))
        if not await tx.work.games.set_options(game.id, msgspec.json.encode(changed).decode()):
            raise Refused("already-started", f"{game.title} has begun or ended at the same moment")
        early_close = bool(changed.get("early_close", True))
        finality = str(changed.get("finality", "confirm"))
        kept = msgspec.structs.replace(
            settings, early_close=early_close, finality=finality, votes=votes
        )
        await tx.work.games.set_settings(game.id, encode_settings(kept))
        if settled:  # perhaps there is nothing left that a full table waits for
            await look_after_vote(tx, await read_lobby_rows(tx, game.id))
    return settled


def _is_settled_by(kind: Game, question: str, options: Mapping[str, Any]) -> bool:
    """Whether a vote on this question would override what these options say."""
    rules = kind.ruleset
    meant = [rules.options_voted({question: answer}) for answer in rules.questions[question]]
    return any(key in options for voted in meant for key in voted)


async def set_language(services: Desk, slug: str, language: str, by: By) -> None:
    """The language of dates for people who have chosen none, a BCP 47 or POSIX name; at any time,
    from the next letters on.
    """
    async with commanded(services, by) as tx:
        game = await lock_game(tx.work, slug)
        await tx.log("game language", {"language": language}, game.id)
        await tx.work.games.set_settings(
            game.id,
            encode_settings(msgspec.structs.replace(decode_settings(game), language=language)),
        )


@dataclass(frozen=True, slots=True)
class TableChanges:
    """How a table fills, votes and starts; None: as before. `open_days` counts from now."""

    least_players: int | None = None
    most_players: int | None = None
    votes: Sequence[str] | None = None
    starts: Literal["gm", "full"] | None = None
    open_days: int | None = None
    suppositions: int | None = None


async def change_table(services: Desk, slug: str, changes: TableChanges, by: By) -> None:
    """Change how a table fills, votes and starts, before it does."""
    told = asdict(changes)
    wanted = {key: value for key, value in told.items() if value is not None}
    kept = {key: value for key, value in wanted.items() if key != "open_days"}
    now = services.clock.now()
    async with commanded(services, by) as tx:
        game = await lock_game(tx.work, slug)
        check_not_begun(game)
        await tx.log("game table", wanted, game.id)
        kind = services.games[game.ruleset]
        options = msgspec.json.decode(game.options, type=dict[str, Any])
        settings = decode_settings(game)
        if changes.suppositions is not None:
            check_suppositions(changes.suppositions)
        if changes.votes is not None:
            kept["votes"] = tuple(changes.votes)
        changed = msgspec.structs.replace(settings, **kept)
        check_votes(kind, options, changed.votes)
        check_numbers(kind, options, changed)
        sitting = len(await tx.work.seats.list_of_game(game.id))
        if changed.most_players and sitting > changed.most_players:
            raise Refused("bad-options", f"{sitting} sit at {game.title} already")
        await tx.work.games.set_settings(game.id, encode_settings(changed))
        if (open_days := changes.open_days) is not None:
            await tx.work.games.set_expiry(
                game.id,
                now.replace(microsecond=0) + timedelta(days=check_days(open_days, open_days)),
            )
        await look_after_change(tx, game.id)
