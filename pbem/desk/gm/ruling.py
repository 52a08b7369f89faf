"""What a game asks of its game master (`Ruleset.ruling_requests`): each question is written once to
those who run the table and play no part in it, and answered in a few words.
"""

import dataclasses
from collections.abc import Iterator
from datetime import datetime, timedelta

from engine.chance import SEED_BYTES
from engine.ruleset import RulingRequest
from pbem.desk.chat.buttons import Command, Holder, Keyboard, in_lines
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.acting import GM, Plan, do_act
from pbem.desk.gm.correcting import told_to
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import Recipients, gm_letters, read_recipients
from pbem.desk.mandate import By, Refused, check_neutral, find_game
from pbem.desk.phases.acts import do_one
from pbem.desk.phases.close import read_standings
from pbem.desk.ports import Context, Desk, Services
from pbem.desk.table import OpenTable, load_table, page_table
from pbem.grammar.kit.reading import Correction
from pbem.pages.page import AsksMaster
from pbem.store.work import Work

RULE = "game rule"
KIND = "ruling-request"
WIDTH = 2


async def read_ruling(work: Work, table: OpenTable, what: str) -> Correction:
    """What these words rule on, as things stand. Refused where nothing waits for a ruling; the
    grammar's Unread if they say nothing that can be.
    """
    read = table.kind.read_ruling
    if read is None or table.phase is None or table.game.status not in ("running", "paused"):
        raise Refused("no-request", f"nothing at {table.game.title} waits for your word")
    return read(table.state, await read_standings(work, table), what)


async def rule(services: Services, slug: str, what: str, by: By) -> int:
    """Rule on what waits for it, now; the number of the open phase. The table is told what the
    rules let everybody know, and whom it concerns alone what is theirs.
    """
    async with services.database.read() as work:
        table = await load_table(work, services.games, await find_game(work, slug))
        check_neutral(table, by.person_id)
        ruling = await read_ruling(work, table, what)

    def plan(table: OpenTable) -> Plan:
        rules = table.kind.ruleset
        try:
            done = do_one(rules, table.state, GM, ruling.act, bytes(SEED_BYTES), 0)
        except ValueError as error:
            raise Refused("impossible-act", str(error)) from error
        detail = {"what": ruling.text, "told": told_to(table, done.outcome, None)}
        is_secret = any(event.audience is not None for event in done.outcome.events)
        return Plan(ruling.act, RULE, detail, "rule", is_secret=is_secret)

    return await do_act(services, slug, plan, by)


async def ask_masters(services: Desk, game_id: int) -> None:
    """Ask the game masters of a table whatever waits for their word, each question once."""
    now = services.clock.now()
    async with services.database.write() as work:
        game = await work.games.find(game_id)
        if game is None or game.status != "running":
            return
        table = await load_table(work, services.games, game)
        pages = table.kind.pages
        standings = await read_standings(work, table)
        if table.phase is None or not isinstance(pages, AsksMaster):
            return
        requests = table.kind.ruleset.ruling_requests(table.state, standings)
        if not requests:
            return
        desk = await read_recipients(work, services, table)
        for request in requests:
            await queue_letters(work, _letters(services, table, desk, pages, request, now), now)
        services.steps.reached("rulings.asked")
    await ask_for_delivery(services, now)


def _letters(
    context: Context,
    table: OpenTable,
    desk: Recipients,
    pages: AsksMaster,
    request: RulingRequest,
    now: datetime,
) -> Iterator[NewLetter]:
    """The question to every game master but those who play at the table: it may quote an order."""
    playing = {person.id for _, person, _ in desk.seated}
    facts, view = page_table(table, context.policy, now), table.kind.ruleset.view(table.state, None)
    until = now + timedelta(hours=request.hours)
    if not request.hours and table.phase is not None:
        until = table.phase.deadline
    page = pages.ruling_request(facts, view, request, until)
    slug = table.game.slug
    for master in desk.gms:
        if master.person_id in playing:
            continue
        holder = Holder(master.person_id, table.game.id, phase_number=table.game.phase_number)
        keyboard = Keyboard(context.key, holder)
        buttons = [
            (answer, Command(f"{slug}: {answer}", request.key)) for answer in request.answers
        ]
        for line in in_lines(buttons, WIDTH):
            keyboard.line(*line)
        for letter in gm_letters(
            context,
            table,
            dataclasses.replace(desk, gms=(master,)),
            lambda _reader: page,
            kind=KIND,
            dedupe_key=f"{KIND}:{table.game.id}:{request.key}",
        ):
            yield keyboard.below(letter) if request.answers else letter
