"""A table's rules about its people and its time: changed by its game master at any time, told to
everybody.
"""

from collections.abc import Collection, Iterator

import msgspec

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import letter_to
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery, queue_letters
from pbem.desk.mandate import By, Refused, check_not_done, find_game, log_command
from pbem.desk.people.masters import read_around
from pbem.desk.people.watchers import Watcher, read_watchers
from pbem.desk.phases.clock import clock_facts
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, Settings, encode_settings, hours_of, load_table, page_table
from pbem.desk.windows import check_hours
from pbem.grammar.clock_rules import (
    MOST_ABSENCE_DAYS,
    MOST_GRACE_HOURS,
    MOST_GRACES,
    ClockChange,
    format_clock_rules,
)
from pbem.grammar.people_rules import Changes, changed_rules, format_people_rules
from pbem.pages.notice import notice_page
from pbem.pages.people import ObserversOff, PeopleRulesChanged
from pbem.pages.time import ClockChanged


def with_people(settings: Settings, changes: Changes) -> Settings:
    """The settings with what is said about the table's people."""
    return msgspec.structs.replace(settings, people=changed_rules(settings.people, changes))


async def set_people(services: Desk, slug: str, changes: Changes, by: By) -> str:
    """Change the table's rules about its people, and tell everybody; what was said, in words. Where
    nobody may watch any longer, everybody who did is told, and no longer does.
    """
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.status in ("over", "ended"):
            raise Refused("over", f"{game.title} has ended")
        table = await load_table(tx, game)
        changed = with_people(table.settings, changes)
        if changed == table.settings:
            raise Refused("no-change", "it is already so; nobody was told")
        said = format_people_rules(changes)
        entry = await log_command(tx, by, "game people", {"options": said}, game_id=game.id)
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
        post = await read_post(tx, table, now)
        letters += post.to(
            at_table(commander=by.person_id),
            PeopleRulesChanged(lines, by.name),
            "people-rules",
            f"people-rules:{entry}",
        )
        await queue_letters(tx.work, letters, now)
        services.steps.reached("gm.people.written")
    await ask_for_delivery(services, now)
    return said


def _to_observers(
    context: Context, table: OpenTable, watching: list[Watcher], by: By, entry: int
) -> Iterator[NewLetter]:
    facts = page_table(table, context)
    for watcher in watching:
        page = notice_page(ObserversOff(by.name), facts, watcher.reader(""))
        to = watcher.recipient(context.key, table.game)
        yield letter_to(context, to, page, "observers-off", f"observers-off:{entry}:{to.own}")


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
        )
        if (value := getattr(change, name)) is not None
    }
    if change.votes is not None:
        said["extensions"] = "vote" if change.votes else "gm"
    if change.hours:
        said["hours"] = {**settings.hours, **change.hours}
    changed = msgspec.structs.replace(settings, **said)
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
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.status in ("over", "ended"):
            raise Refused("over", f"{game.title} has ended")
        table = await load_table(tx, game)
        changed = with_clock(table.settings, change, table.kind.ruleset.windows)
        if changed == table.settings:
            raise Refused("no-change", "it is already so; nobody was told")
        said = format_clock_rules(change)
        entry = await log_command(tx, by, "game clock", {"clock": said}, game_id=game.id)
        await tx.work.games.set_settings(game.id, encode_settings(changed))
        table = await load_table(
            tx,
            msgspec.structs.replace(game, settings=encode_settings(changed)),
        )
        clock = clock_facts(table)
        post = await read_post(tx, table, now)
        await post.tell(
            tx.work,
            at_table(commander=by.person_id),
            ClockChanged(clock, by.name),
            "clock",
            f"clock:{entry}",
        )
        services.steps.reached("gm.clock.written")
    await ask_for_delivery(services, now)
    return said
