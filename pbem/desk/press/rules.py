"""What press a table allows: as pages tell it, and as its game master changes it."""

import msgspec

from pbem.desk.gm.playable import check_press
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import By, Refused, check_not_done, find_game, log_command
from pbem.desk.ports import Desk
from pbem.desk.table import OpenTable, encode_settings, load_table
from pbem.grammar.press_rules import PressChange, PressRules, apply_change, format_press_rules
from pbem.pages.page import GamePages
from pbem.pages.press import PressRulesChanged, RulesFacts


def rules_facts(table: OpenTable) -> RulesFacts:
    """The rules of a table."""
    return facts_of(table.settings.press, table.kind.pages)


def facts_of(rules: PressRules, pages: GamePages) -> RulesFacts:
    """As pages tell it, in the words of the game for its phases."""
    closed_in = tuple(map(pages.phase_name, rules.closed_in))
    return RulesFacts(
        rules.mode,
        rules.grey,
        closed_in,
        rules.eliminated,
        rules.observers,
        rules.after_end,
        rules.gm_reads,
        rules.groups,
    )


async def set_press(services: Desk, slug: str, change: PressChange, by: By) -> str:
    """Change what press a table allows, and tell everybody; the rules as they now are, in words.
    Press that waits is told as it was.
    """
    now = services.clock.now()
    async with services.write() as tx:
        await check_not_done(tx.work, by)
        game = await tx.work.games.lock((await find_game(tx.work, slug)).id)
        if game is None:
            raise Refused("unknown-game", f"there is no game {slug!r}")
        table = await load_table(tx, game)
        rules = apply_change(table.settings.press, change)
        check_press(rules, table.kind.ruleset.windows)
        if rules == table.settings.press:
            raise Refused("no-change", "press is so already; nobody was told anything")
        entry = await log_command(
            tx, by, "game press", {"press": format_press_rules(change)}, game_id=game.id
        )
        await tx.work.games.set_settings(
            game.id, encode_settings(msgspec.structs.replace(table.settings, press=rules))
        )
        post = await read_post(tx, table, now)
        await post.tell(
            tx.work,
            at_table(commander=by.person_id),
            PressRulesChanged(facts_of(rules, table.kind.pages), by.name),
            "press-rules",
            f"press-rules:{entry}",
        )
        services.steps.reached("gm.press.written")
    await ask_for_delivery(services, now)
    return format_press_rules(rules)
