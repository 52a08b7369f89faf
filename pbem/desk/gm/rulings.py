"""What a game asks of its game master (`Ruleset.ruling_requests`), and what they correct in it. A
question is written once to those who run the table and play no part in it, and answered in a few
words.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.ruleset import Event, Outcome, RulingRequest
from pbem.desk.chat.buttons import Command, Holder, Keyboard, in_lines
from pbem.desk.chat.menus import Asked
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.recipients import Enclosed
from pbem.desk.gm.acts import GM, Acting, Plan, do_act
from pbem.desk.gm.people import check_text
from pbem.desk.hours import HOUR, hours_open, opened_at, state_at, view_at
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.post import Post, Seats, at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.letters.results import turn_page
from pbem.desk.mandate import By, Refused, check_neutral, find_game
from pbem.desk.phases.acts import do_one
from pbem.desk.phases.standings import read_standings
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import OpenTable, load_table, page_table
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from pbem.pages.announcements import Corrected
from pbem.pages.gm import WaitingStatus
from pbem.pages.page import AsksMaster, Page, Reader, Table
from pbem.store.repositories.phases import parse_label
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
        raise Refused("no-request", f"nothing in {table.game.title} waits for your word")
    standings = await read_standings(work, table)
    try:
        return read(table.state, standings, what)
    except Unread:
        if table.kind.ruleset.ruling_requests(table.state, standings):
            raise
        raise Refused(
            "no-request",
            f"nothing in {table.game.title} waits for your word now: it went as the mail"
            " that asked you said; `correct WHAT because REASON` corrects what it can",
        ) from None


async def rule(services: Services, slug: str, what: str, by: By) -> int:
    """Rule on what waits for it, now; the number of the open phase. The table is told what the
    rules let everybody know, and whom it concerns alone what is theirs.
    """
    async with services.read() as tx:
        table = await load_table(tx, await find_game(tx.work, slug))
        check_neutral(table, by.person_id)
        ruling = await read_ruling(tx.work, table, what)

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
    async with services.write() as tx:
        game = await tx.work.games.find(game_id)
        if game is None or game.status != "running":
            return
        table = await load_table(tx, game)
        pages = table.kind.pages
        standings = await read_standings(tx.work, table)
        if table.phase is None or not isinstance(pages, AsksMaster):
            return
        requests = table.kind.ruleset.ruling_requests(state_at(table, now), standings)
        if not requests:
            return
        post = await read_post(tx, table)
        phases = await tx.work.phases.list_of_game(game_id)
        again = (p.number for p in phases if parse_label(p).rolled_back_to is not None)
        began = max(again, default=0)
        for request in requests:
            key = f"{KIND}:{game_id}:{began}:{request.key}"  # after a roll back it is asked again
            letters = _letters(post, pages, request, key)
            await post.send(tx.work, letters)
        services.steps.reached("rulings.asked")
    await ask_for_delivery(services, now)


async def list_waiting(tx: Transaction[Context], table: OpenTable) -> tuple[WaitingStatus, ...]:
    """What waits for the word of a game master who does not play here."""
    pages, now = table.kind.pages, tx.now()
    if not isinstance(pages, AsksMaster) or table.phase is None or table.game.status != "running":
        return ()
    standings = await read_standings(tx.work, table)
    found = []
    for request in table.kind.ruleset.ruling_requests(state_at(table, now), standings):
        page, until = _page(tx.services, table, pages, request, now)
        title = page.subject.removeprefix(f"[{table.game.title}] ")
        found.append(WaitingStatus(title, until, request.answers))
    return tuple(found)


def _page(
    context: Context, table: OpenTable, pages: AsksMaster, request: RulingRequest, now: datetime
) -> tuple[Page, datetime]:
    """The question, and until when the answer counts."""
    facts, view = page_table(table, context, now=now), view_at(table, None, now)
    assert table.phase is not None  # noqa: S101 - the callers have looked
    until = table.phase.deadline
    if request.hours:
        until = opened_at(table.phase) + (hours_open(table, now) + request.hours) * HOUR
    return pages.ruling_request(facts, view, request, until), until


def _letters(
    post: Post, pages: AsksMaster, request: RulingRequest, key: str
) -> Iterator[NewLetter]:
    """The question to every game master but those who play at the table: it may quote an order."""
    playing = {person.id for _, person, _ in post.people.seated}
    page, _ = _page(post.context, post.table, pages, request, post.now)
    game = post.table.game
    for master in post.people.gms:
        if master.person_id in playing:
            continue
        holder = Holder(master.person_id, game.id, phase_number=game.phase_number)
        keyboard = Keyboard(post.context.key, holder)
        buttons = [
            (answer, Command(f"{game.slug}: {answer}", request.key)) for answer in request.answers
        ]
        for line in in_lines(buttons, WIDTH):
            keyboard.line(*line)
        _reader, to = post.master(master)
        letter = post.letter(to, page, KIND, f"{key}:{to.own}")
        yield keyboard.below(letter) if request.answers else letter


CORRECT = "game correct"
UNSAID = "unsaid"
"""What of the log's detail no player reads."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a correction would come to: its one spelling, what the public would be told, and the
    table as it would lie.
    """

    correction: Correction
    told: tuple[str, ...]
    outcome: Outcome[Any]

    @property
    def is_secret(self) -> bool:
        """Whether a part of it is for some players alone."""
        return any(event.audience is not None for event in self.outcome.events)


def foresee(table: OpenTable, what: str) -> Foreseen:
    """What a correction would change on the table as it stands; nothing is done. To a game master
    nothing is told by it that the public does not know: what somebody holds is no less secret for
    being corrected (PR-1.9).

    Refused, in the words of the rules, if it cannot be; the grammar's Unread if it says nothing
    that can be.
    """
    if table.phase is None or table.game.status not in ("running", "paused"):
        raise Refused("not-running", f"{table.game.title} has no open phase")
    rules, correction = table.kind.ruleset, table.kind.read_correction(table.state, what)
    try:
        outcome: Outcome[Any] = rules.act(
            table.state, GM, correction.act, Chance(bytes(SEED_BYTES))
        )
    except ValueError as error:
        raise Refused("impossible-act", str(error)) from error
    foreseen = Foreseen(correction, told_to(table, outcome, None), outcome)
    if outcome.state == table.state and not foreseen.is_secret and not correction.is_said:
        raise Refused("as-it-is", f"{correction.text!r} is already so")
    return foreseen


def told_to(table: OpenTable, outcome: Outcome[Any], player: int | None) -> tuple[str, ...]:
    """What a player (None: the public) is told of a correction, a sentence each."""
    events: list[Event] = [event for event in outcome.events if event.is_for(player)]
    return tuple(
        table.kind.pages.corrections(table.kind.ruleset.view(outcome.state, player), events)
    )


async def foresee_at(services: Desk, slug: str, what: str) -> Foreseen:
    """The same for a table by its name."""
    async with services.read() as tx:
        table = await load_table(tx, await find_game(tx.work, slug))
    return foresee(table, what)


async def correct(services: Services, slug: str, what: str, reason: str, by: By) -> int:
    """Set something right, now; the number of the open phase. The act is kept with its reason,
    logged, and told to everybody with the reason, who did it and the board as it lies now; what is
    secret of it to whom it concerns alone. The log holds it for everybody: what was asked for,
    except what is secret of that, and what the public was told. Who is asked now and was not before
    gets the question.
    """
    reason = check_text(reason)

    def plan(table: OpenTable) -> Plan:
        foreseen = foresee(table, what)

        async def tell(_tx: object, acting: Acting, entry: int) -> Iterable[NewLetter]:
            return _correction_letters(services, acting, foreseen, reason, by, entry)

        asked = {UNSAID if foreseen.is_secret else "what": foreseen.correction.text}
        detail = asked | {"told": foreseen.told, "reason": reason}
        act = dict(foreseen.correction.act) | {"reason": reason}
        return Plan(act, CORRECT, detail, "correct", tell, tells_all=True)

    return await do_act(services, slug, plan, by)


def _correction_letters(
    context: Context, acting: Acting, foreseen: Foreseen, reason: str, by: By, entry: int
) -> Iterator[NewLetter]:
    table, post, outcome = acting.table, acting.post, foreseen.outcome

    def told(facts: Table, reader: Reader) -> Corrected:
        return Corrected(told_to(table, outcome, reader.number), reason, by.name)

    enclosed = Enclosed(shows_board=acting.has_picture)
    yield from post.to(at_table(), told, "corrected", f"corrected:{entry}", enclosed)
    phase, asked = table.phase, table.kind.ruleset.phase(outcome.state).asked
    if phase is None:
        return
    for reader, to in post.seats(Seats(asked, but=phase.asked)):
        seat = to.seat
        page = turn_page(post, Asked(table, outcome.state, phase, seat), reader, outcome.events)
        calendar = phase_calendar(context.policy, table.game, phase, post.now, page)
        key = f"turn:{table.game.id}:{phase.number}:{seat.id}:{seat.tenure}:corrected:{entry}"
        yield post.letter(to, page, "turn", key, Enclosed(calendar=calendar))
