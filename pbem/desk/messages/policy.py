"""Who is heard about what: the policy of intake as a table, read from above.

Who wrote, and of which table, is judged in the transaction that the answer is written in. A rule
says which messages a line is about; its handler answers, or says None, and the next line has its
turn.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from pbem.desk.authentication.addresses import ask_whose
from pbem.desk.authentication.confirmations import ask_to_confirm
from pbem.desk.authentication.kept import is_waiting
from pbem.desk.authentication.questions import settle_confirmation
from pbem.desk.authentication.verdicts import (
    Confirming,
    Facts,
    Known,
    Master,
    PerhapsMaster,
    Proven,
    Stranger,
    Unproven,
    Verdict,
    Watching,
    WhichGame,
    confirmed_seat,
    judge,
    key_prefix_of,
    proven_person,
    read_facts,
)
from pbem.desk.envelope.message import MAIL, TELEGRAM, Disposal, Handled, Message, message_of_mail
from pbem.desk.gm_commands import (
    ask_master,
    commands_of,
    is_about_oneself,
    is_bare_yes,
    take_answer_of_master,
)
from pbem.desk.letters.bounces import take_bounce
from pbem.desk.lobby import ask_joiner, wants_to_join
from pbem.desk.lobby.join_questions import answer_stranger
from pbem.desk.messages.conversation import Conversation, Visitor, begin_conversation
from pbem.desk.messages.inquiries import answer_known, answer_person
from pbem.desk.messages.mishaps import FROM_A_LIST, answer_too_big, tell_of_list, tell_unreadable
from pbem.desk.messages.opening import Opened, rules_of
from pbem.desk.messages.players import take_message
from pbem.desk.messages.table_names import NotTheirs, keep_spoken_of, name_game, tell_not_theirs
from pbem.desk.messages.which_game import ask_which
from pbem.desk.people.observers import answer_watcher, may_watch
from pbem.desk.people.public_requests import take_wishes, wishes_here
from pbem.desk.ports import Services, Transaction
from pbem.desk.updates.take import is_plain, is_said_privately, take_update, welcome_back
from pbem.grammar.people import Back
from pbem.mail.inbound.reader import read_mail

COPIES_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class Judged:
    """A message that was judged: by its `writer` (None: the envelope alone decides), from `facts`,
    or by what came with it.
    """

    talk: Conversation[Verdict | NotTheirs | None]
    opened: Opened
    facts: Facts | None = None

    @property
    def mail(self) -> Message:
        return self.talk.mail


async def judge_message(tx: Transaction[Services], opened: Opened) -> Judged:
    """Who wrote, and of which table; what a chat is told by it is kept."""
    row, mail = opened.row, opened.mail
    is_told_by_envelope = (
        opened.bounce is not None
        or (opened.update is not None and not is_said_privately(opened.update))
        or mail.automatic is not None
        or mail.sender is None
    )
    if is_told_by_envelope:
        await welcome_back(tx, opened.update)
        return Judged(begin_conversation(tx, row, mail, None, None), opened)
    facts = await read_facts(tx.work, mail, row)
    if facts.owner is not None and facts.owner[1].state == "suspended":
        await welcome_back(tx, opened.update)
        facts = await read_facts(tx.work, mail, row)
    judged = judge(mail, facts, tx.services.key)
    verdict, mail = await name_game(tx.work, tx.services.games, row, mail, facts, judged)
    if isinstance(verdict, Proven) and verdict.is_named:
        await keep_spoken_of(tx.work, verdict.seat, row.received_at)
    person = verdict.person if isinstance(verdict, _PEOPLE) else None
    return Judged(begin_conversation(tx, row, mail, verdict, person), opened, facts)


async def handle_by_policy(judged: Judged) -> Disposal:
    """What the first line of the policy says that is about this message and has an answer."""
    for line in [line for line in POLICY if line.applies(judged)]:
        if (disposal := await line.handle(judged)) is not None:
            return disposal
    raise LookupError(f"the policy has no line for {type(judged.talk.writer).__name__}")


V = TypeVar("V")
Rule = Callable[[Judged], bool]
Handler = Callable[[Judged], Awaitable[Disposal | None]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the policy."""

    applies: Rule
    handle: Handler


def _anywhere(judged: Judged) -> bool:
    return True


def _in_chat(judged: Judged) -> bool:
    return judged.mail.channel == TELEGRAM


def _by_mail(judged: Judged) -> bool:
    return judged.mail.channel == MAIL


def _is_proven(judged: Judged) -> bool:
    return isinstance(judged.talk.writer, Proven)


def _unreadable(judged: Judged) -> bool:
    return judged.mail.refused is not None


def _is_plain(judged: Judged) -> bool:
    """Words, and nothing that only a chat has besides."""
    return judged.opened.update is None or is_plain(judged.opened.update)


def _plain_yes_in_chat(judged: Judged) -> bool:
    return _in_chat(judged) and not judged.mail.is_edit and is_bare_yes(judged.mail.text)


def _is_wisher(judged: Judged) -> bool:
    """The person who answers a question of ours, or commands, wishes for nothing besides."""
    return isinstance(judged.talk.writer, _WISHER) and judged.mail.refused is None


def _from(
    kind: type[V],
    handle: Callable[[Conversation[V]], Awaitable[Disposal | None]],
    *,
    where: Rule = _anywhere,
) -> Line:
    """A line of the policy for writers of a kind."""

    def applies(judged: Judged) -> bool:
        return isinstance(judged.talk.writer, kind) and where(judged)

    async def answer(judged: Judged) -> Disposal | None:
        writer = judged.talk.writer
        if not isinstance(writer, kind):
            return None
        person = writer.person if isinstance(writer, _PEOPLE) else None
        return await handle(judged.talk.by(writer, person))

    return Line(applies, answer)


async def _take_bounce(judged: Judged) -> Disposal | None:
    bounce, talk = judged.opened.bounce, judged.talk
    if bounce is None:
        return None
    outcome = await take_bounce(talk, bounce, judged.mail)
    return Handled(outcome, ignored=True)


async def _take_update(judged: Judged) -> Disposal | None:
    update, talk = judged.opened.update, judged.talk
    return await take_update(talk, update) if update is not None else None


async def _ignore_automatic(judged: Judged) -> Disposal | None:
    if judged.mail.automatic == FROM_A_LIST:
        told = await tell_of_list(judged.talk)
        if told is not None:
            return told
    return Handled(f"automatic:{judged.mail.automatic}", ignored=True)


async def _ignore_nobody(judged: Judged) -> Disposal | None:
    return Handled(f"refused:{judged.mail.refused or 'no-sender'}", ignored=True)


async def _ignore_copy(judged: Judged) -> Disposal | None:
    """A player's mail that was handled before under the same Message-ID and says the same: sent or
    delivered twice.

    Not by the ID alone: somebody else may have used it first, and some programs give every mail the
    same. Without an ID the date stands in its place, which the sender's signature covers too.
    """
    talk, mail, by = judged.talk, judged.mail, judged.talk.writer
    message_id = talk.row.message_key.partition("|")[0]
    if judged.facts is None or not judged.facts.may_copy or not isinstance(by, Proven):
        return None
    if not message_id and mail.dated is None:
        return None
    seat, begins, inbox = by.seat, key_prefix_of(talk.row), talk.work.inbox
    for earlier in await inbox.list_earlier(MAIL, begins, talk.row.id, COPIES_LOOKED_AT):
        if earlier.seat_id != seat.id or is_waiting(earlier):
            continue
        raw = await inbox.read_raw(earlier.id)
        if raw is None:
            continue
        read = await talk.services.apart.run(read_mail, raw, rules_of(talk.services.policy))
        known = message_of_mail(read)
        if known.text == mail.text and (message_id or known.dated == mail.dated):
            return Handled.at(seat, "copy", ignored=True)
    return None


async def _ask_joiner(judged: Judged) -> Disposal | None:
    """A join code; on any line of what somebody writes who can have written of nothing else."""
    talk = judged.talk
    anywhere = isinstance(talk.writer, Stranger | Known)
    wishes = wants_to_join(talk.mail, anywhere=anywhere)
    if not wishes:
        return None
    person = await proven_person(talk.work, talk.writer)
    return await ask_joiner(talk.by(Visitor(person, person is not None), person), wishes)


async def _hear_wishes(judged: Judged) -> Disposal | None:
    """A message that holds nothing but wishes about watching, taking over and the like."""
    talk = judged.talk
    wishes = wishes_here(talk.mail)
    if not wishes:
        return None
    about, proven = None, True
    match talk.writer:
        case Proven(seat=seat):
            if any(isinstance(wish, Back) for wish in wishes):
                return None  # they are back at the table where they sit as well
            own = seat.person_id
            person = await talk.work.people.find(own)
            proven = person is not None
        case WhichGame(person=known) | Known(person=known):
            person = known
        case Watching(person=known, game_id=game_id):
            person, about = known, game_id
        case _:
            person = await talk.work.people.find_by_address(talk.mail.channel, talk.address)
            proven = False
    return await take_wishes(talk.by(Visitor(person, proven, about), person), wishes)


async def _answer_known_in_chat(talk: Conversation[Known]) -> Disposal | None:
    """In a chat the person who writes is told at least that it had no effect."""
    known = await answer_known(talk)
    return await answer_stranger(talk) if known.ignored else known


async def _answer_about_oneself(talk: Conversation[Master]) -> Disposal | None:
    if not await talk.services.apart.run(is_about_oneself, talk.mail.text):
        return None
    await answer_person(talk)
    return Handled("answered")


async def _take_commands(talk: Conversation[Master]) -> Disposal | None:
    return commands_of(talk.row, talk.mail, talk.writer)


async def _ignore_stranger(talk: Conversation[Stranger]) -> Disposal | None:
    return Handled(f"stranger:{talk.writer.reason}", ignored=True)


async def _answer_watcher(talk: Conversation[Watching]) -> Disposal | None:
    """Somebody answers a letter to observers of a table."""
    person, game_id = talk.writer.person, talk.writer.game_id
    game = await talk.work.games.find(game_id)
    if (
        game is None
        or talk.mail.refused is not None
        or not await may_watch(talk.work, game, person)
    ):
        return Handled("watching-no-more", ignored=True, game_id=game_id)
    answered, rest = await answer_person(talk)
    if answered and not rest.strip():
        return Handled("answered", game_id=game_id)
    return await answer_watcher(talk, game)


async def _take_confirmed(talk: Conversation[Unproven]) -> Disposal | None:
    """The registered player has confirmed this very message."""
    seat = await confirmed_seat(talk.work, talk.row, talk.writer)
    return await take_message(talk, Proven(seat, talk.writer.phase)) if seat is not None else None


async def _ask_to_confirm(talk: Conversation[Unproven]) -> Disposal | None:
    return await ask_whose(talk) or await ask_to_confirm(talk)


async def _take_player(judged: Judged) -> Disposal | None:
    proven, owner = judged.talk.writer, judged.facts.owner if judged.facts is not None else None
    return await take_message(judged.talk, proven, owner) if isinstance(proven, Proven) else None


_PEOPLE = (WhichGame, Known, Watching, Master, PerhapsMaster)
_WISHER = (Proven, Unproven, WhichGame, Known, Watching, PerhapsMaster, Stranger)

POLICY: tuple[Line, ...] = (
    Line(lambda judged: judged.opened.bounce is not None, _take_bounce),
    Line(lambda judged: not _is_plain(judged), _take_update),
    Line(lambda judged: judged.mail.automatic is not None, _ignore_automatic),
    Line(lambda judged: judged.mail.sender is None, _ignore_nobody),
    _from(NotTheirs, tell_not_theirs),
    Line(lambda judged: _by_mail(judged) and _is_proven(judged), _ignore_copy),
    Line(_is_wisher, _ask_joiner),
    Line(_is_wisher, _hear_wishes),
    _from(Stranger, answer_stranger, where=_in_chat),
    _from(Known, _answer_known_in_chat, where=_in_chat),
    _from(Proven, answer_too_big, where=_unreadable),
    _from(Master, tell_unreadable, where=_unreadable),
    _from(PerhapsMaster, tell_unreadable, where=_unreadable),
    _from(WhichGame, tell_unreadable, where=_unreadable),
    _from(Known, tell_unreadable, where=_unreadable),
    _from(Master, _answer_about_oneself),
    _from(Master, take_answer_of_master, where=_plain_yes_in_chat),
    _from(Master, _take_commands),
    _from(PerhapsMaster, ask_master),
    _from(Stranger, _ignore_stranger),
    _from(Known, answer_known),
    _from(Watching, _answer_watcher),
    _from(Confirming, settle_confirmation),
    _from(Unproven, _take_confirmed),
    _from(Unproven, _ask_to_confirm),
    _from(WhichGame, ask_which),
    Line(_is_proven, _take_player),
)
