"""Setting a table right: units, an owner, money, a card. Foreseen before it is done, told to
everybody with its reason, and replayed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.ruleset import Event, Outcome
from pbem.desk.chat.menus import Asked
from pbem.desk.envelope.addressing import Enclosed
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.acting import GM, Acting, Plan, do_act
from pbem.desk.gm.people import check_text
from pbem.desk.letters.calendars import phase_calendar
from pbem.desk.letters.post import Seats, at_table
from pbem.desk.letters.results import turn_page
from pbem.desk.mandate import By, Refused, find_game
from pbem.desk.ports import Context, Desk, Services
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.kit.reading import Correction
from pbem.pages.page import Page, Reader, Table

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
    async with services.database.read() as work:
        table = await load_table(work, services.games, await find_game(work, slug))
    return foresee(table, what)


async def correct(services: Services, slug: str, what: str, reason: str, by: By) -> int:
    """Set something right, now; the number of the open phase. The act is kept with its reason,
    logged, and told to everybody with the reason, who did it and the board as it lies now; what is
    secret of it to whom it concerns alone. The log holds it for everybody: what was asked for, but
    for what is secret of that, and what the public was told. Who is asked now and was not before
    gets the question.
    """
    reason = check_text(reason)

    def plan(table: OpenTable) -> Plan:
        foreseen = foresee(table, what)

        async def tell(_work: Any, acting: Acting, entry: int) -> Iterable[NewLetter]:
            return _letters(services, acting, foreseen, reason, by, entry)

        asked = {UNSAID if foreseen.is_secret else "what": foreseen.correction.text}
        detail = asked | {"told": foreseen.told, "reason": reason}
        act = dict(foreseen.correction.act) | {"reason": reason}
        return Plan(act, CORRECT, detail, "correct", tell, tells_all=True)

    return await do_act(services, slug, plan, by)


def _letters(
    context: Context, acting: Acting, foreseen: Foreseen, reason: str, by: By, entry: int
) -> Iterator[NewLetter]:
    table, post, outcome = acting.table, acting.post, foreseen.outcome

    def page_for(facts: Table, reader: Reader) -> Page:
        return context.pages.announcements.corrected(
            facts, reader, told_to(table, outcome, reader.number), reason, by.name
        )

    enclosed = Enclosed(shows_board=acting.has_picture)
    yield from post.to(at_table(), page_for, "corrected", f"corrected:{entry}", enclosed)
    phase, asked = table.phase, table.kind.ruleset.phase(outcome.state).asked
    if phase is None:
        return
    for reader, to in post.seats(Seats(asked, but=phase.asked)):
        seat = to.seat
        page = turn_page(post, Asked(table, outcome.state, phase, seat), reader, outcome.events)
        calendar = (
            phase_calendar(context.policy, table.game, phase, post.now, page)
            if table.game.status == "running"
            else None
        )
        key = f"turn:{table.game.id}:{phase.number}:{seat.id}:{seat.tenure}:corrected:{entry}"
        yield post.letter(to, page, "turn", key, Enclosed(calendar=calendar))
