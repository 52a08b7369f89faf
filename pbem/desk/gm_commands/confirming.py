"""Confirmations: a fresh letter to the game master says what will happen, and only the yes to that
very letter does it.

It goes another way than the command came, if there is one: to the chat for a mail, to the mail
address for words in a chat. One question waits at a time for a game master. A newer one of a proven
mail takes the place of the waiting one; a mail without a code does not take the place of a proven
one's question, and asks a few times a day at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

import msgspec

from pbem.desk.authentication.kept import is_long, shown
from pbem.desk.authentication.verdicts import PerhapsMaster
from pbem.desk.chat.buttons import Consent, Holder, Keyboard
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel, Commanding, Handled
from pbem.desk.envelope.recipients import MasterAddress, Recipient, question_token
from pbem.desk.gm import By
from pbem.desk.gm_commands.answering import would_be
from pbem.desk.gm_commands.kind import Item
from pbem.desk.gm_commands.places import (
    Places,
    answer_about_telegram,
    is_about_telegram,
    place_of,
    place_to_ask,
    read_places,
)
from pbem.desk.gm_commands.planning import cause_of, read_plan
from pbem.desk.gm_commands.rights import name_of, read_rights
from pbem.desk.letters.post import Addressee, facts_around, master_at
from pbem.desk.letters.queue import queue_letter
from pbem.desk.mandate import log_command
from pbem.desk.messages.conversation import Conversation, OfPerson
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.grammar.consent import parse_sure_consent
from pbem.grammar.gm.commands import word_of
from pbem.pages.gm import ConfirmationAsked, NotConfirmed, Why, consent_labels
from pbem.pages.page import Table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work

PURPOSE = "gm"
"""Of the confirmations that dangerous commands, and commands without a code, wait under."""

WAITS = timedelta(days=1)
ASKED = "gm-confirm"
ASKED_UNPROVEN = "gm-confirm-unproven"
UNPROVEN_A_DAY = 3
TOLD = "gm-not-confirmed"
TOLD_A_DAY = 10


class Waiting(msgspec.Struct, frozen=True):
    """What waits under a confirmation: commands as they were understood when they were written.
    `cause` is the request's.
    """

    person_id: int
    cause: str
    proven: bool
    items: tuple[Item, ...]


def decode_waiting(detail: str) -> Waiting:
    return msgspec.json.decode(detail, type=Waiting)


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of the question; `where` is the channel on which the question waits."""

    outcome: Literal["asked", "waiting", "too-often", "unreachable"]
    where: Channel = MAIL


async def ask_back(
    talk: Conversation[OfPerson], items: Sequence[Item], *, cause: str, proven: bool
) -> Asked:
    """Let commands wait and ask the game master, once however often the message that gave them
    arrives.

    What is not proven is asked by mail alone: its sender must not learn of other ways.
    """
    now, person = talk.now(), talk.writer.person
    places = await read_places(talk.work, talk.services.policy, person)
    where = place_to_ask(places, talk.mail.channel) if proven else MAIL if MAIL in places else None
    if where is None:
        return Asked("unreachable")
    master = places[where]
    if await talk.work.log.find_by_cause(f"{cause}:asked") is not None:
        waiting = await _find_waiting(talk, places)
        return Asked("asked", channel_of(waiting.address) if waiting is not None else where)
    kind = ASKED if proven else ASKED_UNPROVEN
    open_one = await _find_waiting(talk, places)
    if not proven:
        if await talk.has_had(MAIL, master.address, kind, most=UNPROVEN_A_DAY, within=WAITS):
            return Asked("too-often")
        if open_one is not None and decode_waiting(open_one.detail).proven:
            await _tell_not_confirmed(talk, master, "waiting", f"waiting:{open_one.id}")
            return Asked("waiting")
    if open_one is not None:
        await talk.work.pending.settle(open_one.id, "expired", now)
    waiting_items = Waiting(person.id, cause, proven, tuple(items))
    game = await _one_game(talk.work, items)
    game_id = game.id if game is not None else None
    pending = await talk.wait_for_answer(
        PURPOSE, master.address, WAITS, waiting_items, inbox_ids=(talk.row.id,), game_id=game_id
    )
    by = By(name_of(person), person.id, f"{cause}:asked")
    words = [f"{item.command.table}: {word_of(item.command)}" for item in items]
    await log_command(
        talk,
        by,
        "gm asked",
        {"commands": words, "proven": proven},
        game_id=pending.game_id,
        public=False,
    )
    await queue_letter(talk, await _question(talk, where, master, pending, waiting_items, game))
    return Asked("asked", where)


async def find_question(tx: Transaction[Context], person: PersonRow) -> PendingRow | None:
    """The question that waits for this game master's yes, wherever it was asked."""
    return await _find_waiting(tx, await read_places(tx.work, tx.services.policy, person))


async def _find_waiting(tx: Transaction[Context], places: Places) -> PendingRow | None:
    now = tx.now()
    for master in places.values():
        found = await tx.work.pending.find_waiting(PURPOSE, master.address, now)
        if found is not None:
            return found
    return None


def channel_of(address: str) -> Channel:
    """The channel that an address is of."""
    return MAIL if "@" in address else TELEGRAM


async def _one_game(work: Work, items: Sequence[Item]) -> GameRow | None:
    """The table, if all of it is about one."""
    slugs = {item.command.table for item in items}
    return await work.games.find_by_slug(slugs.pop()) if len(slugs) == 1 else None


async def _question(
    tx: Transaction[Context],
    where: Channel,
    master: MasterAddress,
    pending: PendingRow,
    waiting: Waiting,
    game: GameRow | None,
) -> NewLetter:
    token = question_token(tx.services.key, pending.id)
    table = await _table_facts(tx, game)
    name = master.name or table.gm_name or tx.services.policy.name
    results = [await would_be(tx, item) for item in waiting.items]
    to = Recipient(master.address, name, master.person_id, game, token)
    told = ConfirmationAsked(results, pending.expires_at, proven=waiting.proven)
    kind = ASKED if waiting.proven else ASKED_UNPROVEN
    who = Addressee(tx.services, to, master.reader(name, token), table)
    letter = who.letter(told, kind, f"gm-confirm:{pending.id}")
    if where == MAIL:
        return letter
    keyboard = Keyboard(
        tx.services.key, Holder(master.person_id, game.id if game is not None else None)
    )
    yes, no = consent_labels()
    keyboard.line((yes, Consent(pending.id, True)), (no, Consent(pending.id, False)))
    return msgspec.structs.replace(letter, only=TELEGRAM, buttons=keyboard.rows, taps=keyboard.taps)


async def question_subject(tx: Transaction[Context], items: Sequence[Item]) -> str:
    """The subject of the mail that asks about these commands."""
    return ConfirmationAsked.subject(await _table_facts(tx, await _one_game(tx.work, items)))


async def waiting_subject(tx: Transaction[Context], person: PersonRow) -> str:
    """The subject of the letter that waits for this game master's yes; "" when none does."""
    pending = await find_question(tx, person)
    return (
        await question_subject(tx, decode_waiting(pending.detail).items)
        if pending is not None
        else ""
    )


async def _table_facts(tx: Transaction[Context], game: GameRow | None) -> Table:
    return facts_around(tx.services, await load_table(tx, game) if game is not None else None)


async def ask_master(talk: Conversation[PerhapsMaster]) -> Handled:
    """Perhaps a game master wrote: nothing is done, not even answered, before a fresh mail to their
    own address is.
    """
    if await talk.services.apart.run(is_about_telegram, talk.mail.text):
        return await answer_about_telegram(talk)
    rights = await read_rights(talk, talk.writer.person, None)
    if rights is None:
        return Handled("gm-unproven", ignored=True)
    plan = await read_plan(talk, rights, talk.mail.text, talk.mail.sender_name)
    if not plan.items:
        return Handled("gm-unproven:nothing-to-do", ignored=True)
    if (
        any(not _is_whole(item) for item in plan.items)
        or is_long(shown(talk.mail.text))
        or talk.mail.trust == "fail"
    ):
        await _tell_of_mail(talk, "long", f"long:{talk.mail.digest[:16]}")
        return Handled("gm-unproven:unconfirmable", ignored=True)
    asked = await ask_back(
        talk,
        plan.items,
        cause=cause_of(talk.writer.person, talk.mail, talk.row.id),
        proven=False,
    )
    if asked.outcome == "too-often":
        await _tell_of_mail(
            talk,
            "too-often",
            f"too-often:{talk.now():%Y-%m-%d}",
        )
    return Handled(f"gm-unproven:{asked.outcome}", ignored=asked.outcome != "asked")


def _is_whole(item: Item) -> bool:
    """Whether a question shows all of what a command says: a yes frees nothing that its letter does
    not quote in full.
    """
    return not item.quote.endswith("…") and item.quote.count("\n\n\n") == 0


async def _tell_of_mail(talk: Conversation[OfPerson], why: Why, key: str) -> None:
    """To the game master's own address: a mail in their name was not looked at, or cannot be
    confirmed. Once for each key.
    """
    person = talk.writer.person
    places = await read_places(talk.work, talk.services.policy, person)
    if MAIL in places:
        await _tell_not_confirmed(talk, places[MAIL], why, f"{key}:{person.id}")


async def settle_command(talk: Conversation[object], pending: PendingRow) -> Handled | Commanding:
    """The game master answers the question: with that mail's own code, or in the chat that was
    asked.
    """
    now, waiting = talk.now(), decode_waiting(pending.detail)
    person = await talk.work.people.find(waiting.person_id)
    places = (
        await read_places(talk.work, talk.services.policy, person) if person is not None else {}
    )
    if person is None or not places:
        return Handled("gm-unproven", ignored=True)
    master = place_of(places, talk.mail, person)
    if pending.done_at is not None or pending.expires_at <= now:
        await _tell_not_confirmed(talk, master, "over", f"over:{pending.id}")
        return Handled("gm-confirmation-over", game_id=pending.game_id)
    answer = parse_sure_consent(talk.mail.text)
    if answer is None:
        await _tell_not_confirmed(
            talk, master, "unclear", f"unclear:{pending.id}:{talk.mail.digest[:16]}"
        )
        return Handled("gm-confirmation-unclear", game_id=pending.game_id)
    if not answer:
        await talk.work.pending.settle(pending.id, "refused", now)
        await _tell_not_confirmed(talk, master, "no", f"no:{pending.id}")
        return Handled("gm-confirmation-refused", game_id=pending.game_id)
    return Commanding(
        person,
        pending.game_id,
        pending.detail,
        waiting.cause,
        confirmed=True,
        pending_id=pending.id,
    )


async def _tell_not_confirmed(
    talk: Conversation[object], master: MasterAddress, why: Why, key: str
) -> None:
    """A short letter back; a few a day at most. What somebody else may have written is answered to
    the own address, without its thread.
    """
    if await talk.has_had(talk.mail.channel, master.address, TOLD, most=TOLD_A_DAY, within=WAITS):
        return
    told, who = NotConfirmed(why), master_at(talk.services, master)
    await queue_letter(talk, who.letter(told, TOLD, f"{TOLD}:{key}", Answering.to(talk.mail)))
