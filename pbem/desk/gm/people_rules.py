"""What a table says about its people: changed by its game master at any time, told to everybody."""

from collections.abc import Iterator

import msgspec

from pbem.desk.envelope.addressing import letter_to
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.mandate import By, Refused, check_not_done, find_game, log_command
from pbem.desk.people.masters import read_around
from pbem.desk.people.watchers import Watcher, read_watchers
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import OpenTable, Settings, encode_settings, load_table, page_table
from pbem.grammar.people_rules import Changes, changed_rules, format_people_rules


def with_people(settings: Settings, changes: Changes) -> Settings:
    """The settings with what is said about the table's people."""
    return msgspec.structs.replace(settings, people=changed_rules(settings.people, changes))


async def set_people(services: Desk, slug: str, changes: Changes, by: By) -> str:
    """Change the table's rules about its people, and tell everybody; what was said, in words. Where
    nobody may look on any more, whoever did is told and does so no longer.
    """
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        if game.status in ("over", "ended"):
            raise Refused("over", f"{game.title} has ended")
        table = await load_table(tx.work, services.games, game)
        changed = with_people(table.settings, changes)
        if changed == table.settings:
            raise Refused("no-change", "it is already so; nobody was told")
        said = format_people_rules(changes)
        entry = await log_command(tx, by, "game people", {"options": said}, game_id=game.id)
        around = await read_around(tx.work, services.policy, game.id)
        watching = [one for one in await read_watchers(tx.work, table, around) if not one.away]
        await tx.work.games.set_settings(game.id, encode_settings(changed))
        table = await load_table(
            tx.work,
            services.games,
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
            lambda facts, reader: services.pages.people.rules_changed(
                facts, reader, lines, by.name
            ),
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
    facts = page_table(table, context.policy, context.clock.now())
    for watcher in watching:
        page = context.pages.people.observers_off(facts, watcher.reader(""), by.name)
        to = watcher.recipient(context.key, table.game)
        yield letter_to(context, to, page, "observers-off", f"observers-off:{entry}:{to.own}")


async def read_rules(tx: Transaction[Context], slug: str) -> str:
    """Everything a table says about its people, as clauses."""
    table = await load_table(tx.work, tx.services.games, await find_game(tx.work, slug))
    return format_people_rules(msgspec.structs.asdict(table.settings.people))
