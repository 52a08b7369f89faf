"""Asking back: a fresh mail to the game master's own address says what will happen, and only the yes to that very mail does it.

One question waits at a time for an address. A newer one of a proven mail takes the place of the waiting one; a mail without a code does
not take the place of a proven one's question, and asks a few times a day at most.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from pbem.desk.gm import By
from pbem.desk.gm.mandate import log_command
from pbem.desk.handling import Commanding, Handled
from pbem.desk.letters import NewLetter, letter_to_address, letter_to_master
from pbem.desk.mastering.planning import cause_of, read_plan
from pbem.desk.mastering.resolving import Item
from pbem.desk.mastering.rights import name_of, read_rights
from pbem.desk.mastering.telling import would_be
from pbem.desk.masters import MasterAddress, find_master
from pbem.desk.message import MAIL, Message
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.proof import PerhapsMaster
from pbem.desk.table import house_table, load_table, page_table
from pbem.grammar.consent import NO, YES
from pbem.grammar.gm_commands import word_of
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from pbem.pages.page import Reader, Table
from pbem.store.games import GameRow
from pbem.store.inbox import InboxRow
from pbem.store.pending import PendingRow
from pbem.store.people import PersonRow
from pbem.store.work import Work

PURPOSE = "gm"
"""Of the confirmations that dangerous commands, and commands without a code, wait under."""

WAITS = timedelta(days=1)
ASKED = "gm-confirm"
ASKED_UNPROVEN = "gm-confirm-unproven"
UNPROVEN_A_DAY = 3
TOLD = "gm-not-confirmed"
TOLD_A_DAY = 10
_POLITE = frozenset("please thanks thank you do it that go ahead so the all of them both i confirm sure".split())
_WORD = re.compile(r"[^\W\d_]+")


class Waiting(msgspec.Struct, frozen=True):
    """What waits under a confirmation: commands as they were understood when they were written. `cause` is the request's."""

    person_id: int
    cause: str
    proven: bool
    items: tuple[Item, ...]


def decode_waiting(detail: str) -> Waiting:
    return msgspec.json.decode(detail, type=Waiting)


async def ask_back(
    work: Work, parts: Parts, person: PersonRow, items: Sequence[Item], *, cause: str, proven: bool, inbox_id: int
) -> Literal["asked", "waiting", "too-often", "unreachable"]:
    """Let commands wait and ask the game master, once however often the mail that gave them arrives."""
    now = parts.clock.now()
    master = await find_master(work, parts.policy, person.id)
    if master is None:
        return "unreachable"
    if await work.log.find_by_cause(f"{cause}:asked") is not None:
        return "asked"
    kind = ASKED if proven else ASKED_UNPROVEN
    open_one = await work.pending.find_waiting(PURPOSE, master.address, now)
    if not proven:
        if await work.outbox.count_to_address_since(MAIL, master.address, (kind,), now - WAITS) >= UNPROVEN_A_DAY:
            return "too-often"
        if open_one is not None and decode_waiting(open_one.detail).proven:
            await _tell_not_confirmed(work, parts, master, "waiting", f"waiting:{open_one.id}")
            return "waiting"
    if open_one is not None:
        await work.pending.settle(open_one.id, "expired", now)
    waiting = Waiting(person.id, cause, proven, tuple(items))
    game = await _one_game(work, items)
    pending, _is_new = await work.pending.wait_under(
        purpose=PURPOSE, address=master.address, inbox_id=inbox_id, now=now, expires_at=now + WAITS,
        game_id=game.id if game is not None else None, detail=msgspec.json.encode(waiting).decode(),
    )  # fmt: skip
    by = By(name_of(person), person.id, f"{cause}:asked")
    words = [f"{item.command.table}: {word_of(item.command)}" for item in items]
    await log_command(work, parts, by, "gm asked", {"commands": words, "proven": proven}, game_id=pending.game_id, public=False)
    await queue_letter(work, await _question(work, parts, master, pending, waiting, game), now)
    return "asked"


async def _one_game(work: Work, items: Sequence[Item]) -> GameRow | None:
    """The table, if all of it is about one."""
    slugs = {item.command.table for item in items}
    return await work.games.find_by_slug(slugs.pop()) if len(slugs) == 1 else None


async def _question(
    work: Work, parts: Parts, master: MasterAddress, pending: PendingRow, waiting: Waiting, game: GameRow | None
) -> NewLetter:
    token = make_token(parts.key, Purpose.CONFIRM, pending.id, 0, 0)
    table = await _table_facts(work, parts, game)
    name = master.name or table.gm_name or parts.policy.name
    results = [await would_be(work, parts, item) for item in waiting.items]
    page = parts.gm_pages.confirm(
        table, Reader(None, name, master.zone, master.locale), results, pending.expires_at, proven=waiting.proven, code=token
    )
    return letter_to_address(
        page, kind=ASKED if waiting.proven else ASKED_UNPROVEN, dedupe_key=f"gm-confirm:{pending.id}", policy=parts.policy,
        address=master.address, to_name=name, token=token, game=game, person_id=master.person_id,
        reply_to=format_reply_address(parts.policy.address, token) if parts.policy.subaddressing else None,
    )  # fmt: skip


async def question_subject(work: Work, parts: Parts, items: Sequence[Item]) -> str:
    """The subject of the mail that asks about these commands."""
    return parts.gm_pages.confirm_subject(await _table_facts(work, parts, await _one_game(work, items)))


async def waiting_subject(work: Work, parts: Parts, person_id: int) -> str:
    """The subject of the mail that waits for this game master's yes; "" when none does."""
    master = await find_master(work, parts.policy, person_id)
    pending = await work.pending.find_waiting(PURPOSE, master.address, parts.clock.now()) if master is not None else None
    return await question_subject(work, parts, decode_waiting(pending.detail).items) if pending is not None else ""


async def _table_facts(work: Work, parts: Parts, game: GameRow | None) -> Table:
    now = parts.clock.now()
    return house_table(parts.policy, now) if game is None else page_table(await load_table(work, parts.games, game), parts.policy, now)


async def ask_master(work: Work, parts: Parts, row: InboxRow, mail: Message, verdict: PerhapsMaster) -> Handled:
    """Perhaps a game master wrote: nothing is done, not even answered, before a fresh mail to their own address is."""
    rights = await read_rights(work, parts, verdict.person, None)
    if rights is None:
        return Handled("gm-unproven", ignored=True)
    plan = await read_plan(work, parts, rights, mail.text, mail.sender_name)
    if not plan.items:
        return Handled("gm-unproven:nothing-to-do", ignored=True)
    outcome = await ask_back(
        work, parts, verdict.person, plan.items, cause=cause_of(verdict.person, mail, row.id), proven=False, inbox_id=row.id
    )
    return Handled(f"gm-unproven:{outcome}", ignored=outcome != "asked")


async def settle_command(work: Work, parts: Parts, mail: Message, pending: PendingRow) -> Handled | Commanding:
    """The game master answers the question, from the address that was asked and with that mail's own code."""
    now, waiting = parts.clock.now(), decode_waiting(pending.detail)
    person = await work.people.find(waiting.person_id)
    master = await find_master(work, parts.policy, waiting.person_id)
    if person is None or master is None:
        return Handled("gm-unproven", ignored=True)
    if pending.done_at is not None or pending.expires_at <= now:
        await _tell_not_confirmed(work, parts, master, "over", f"over:{pending.id}")
        return Handled("gm-confirmation-over", game_id=pending.game_id)
    answer = parse_yes(mail.text)
    if answer is None:
        await _tell_not_confirmed(work, parts, master, "unclear", f"unclear:{pending.id}:{mail.digest[:16]}")
        return Handled("gm-confirmation-unclear", game_id=pending.game_id)
    if not answer:
        await work.pending.settle(pending.id, "refused", now)
        await _tell_not_confirmed(work, parts, master, "no", f"no:{pending.id}")
        return Handled("gm-confirmation-refused", game_id=pending.game_id)
    return Commanding(person, pending.game_id, pending.detail, waiting.cause, confirmed=True, pending_id=pending.id)


def parse_yes(text: str) -> bool | None:
    """Whether a text is a plain yes (or begins with a no). Anything more than politeness beside the yes is unclear: None."""
    words = _WORD.findall(text.casefold())
    if not words:
        return None
    if words[0] in NO:
        return False
    first, *rest = [_WORD.findall(line) for line in text.casefold().splitlines() if _WORD.search(line)]
    is_plain = words[0] in YES and set(first) <= YES | _POLITE
    after = [word for line in rest for word in line]
    return True if is_plain and len(after) <= 4 and not NO.intersection(after) else None


async def _tell_not_confirmed(
    work: Work, parts: Parts, master: MasterAddress, why: Literal["no", "unclear", "over", "waiting"], key: str
) -> None:
    """A short mail; a few a day at most."""
    now = parts.clock.now()
    if await work.outbox.count_to_address_since(MAIL, master.address, (TOLD,), now - WAITS) >= TOLD_A_DAY:
        return
    reader = Reader(None, master.name or parts.policy.name, master.zone, master.locale)
    page = parts.gm_pages.not_confirmed(house_table(parts.policy, now), reader, why)
    letter = letter_to_master(
        page, kind=TOLD, dedupe_key=f"{TOLD}:{key}", policy=parts.policy, key=parts.key, master=master, to_name=reader.name
    )
    await queue_letter(work, letter, now)
