"""Who is heard about what: the policy of intake as a table, read from above.

Who wrote, and of which table, is judged in the transaction that the answer is written in. A rule
says which messages a line is about; its handler answers, or says None, and the next line has its
turn.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from pbem.desk.authentication.aliases import ask_whose
from pbem.desk.authentication.confirming import ask_to_confirm
from pbem.desk.authentication.facts import confirmed_seat, key_prefix_of, proven_person, read_facts
from pbem.desk.authentication.judging import (
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
    judge,
)
from pbem.desk.authentication.kept import is_waiting
from pbem.desk.authentication.questions import settle_confirmation
from pbem.desk.envelope.handling import Commanding, Forgetting, Handled, NotYet
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message, message_of_mail
from pbem.desk.envelope.opened import Opened, rules_of
from pbem.desk.gm_commands import (
    ask_master,
    commands_of,
    is_about_telegram,
    is_bare_yes,
    take_answer_of_master,
)
from pbem.desk.letters.bounces import take_bounce
from pbem.desk.lobby import ask_joiner, wants_to_join
from pbem.desk.lobby.strangers import answer_stranger
from pbem.desk.messages.inquiries import answer_known, answer_person
from pbem.desk.messages.lists import FROM_A_LIST, tell_of_list
from pbem.desk.messages.naming import NotTheirs, keep_spoken_of, name_game, tell_not_theirs
from pbem.desk.messages.players import take_message
from pbem.desk.messages.unreadable import answer_too_big, tell_unreadable
from pbem.desk.messages.which_game import ask_which
from pbem.desk.people.observing import answer_watcher, may_watch
from pbem.desk.people.public_requests import Caller, take_wishes, wishes_here
from pbem.desk.ports import Services, Transaction
from pbem.desk.updates.take import is_plain, is_said_privately, take_update, welcome_back
from pbem.grammar.people import Back
from pbem.mail.inbound.reading import read_mail
from pbem.store.repositories.people import Owner
from pbem.store.repositories.post.inbox import InboxRow

COPIES_LOOKED_AT = 100

Disposal = Handled | NotYet | Commanding | Forgetting


@dataclass(frozen=True, slots=True)
class Heard(Transaction[Services]):
    """A message, and what its handler works with. `verdict` says who wrote; None where the envelope
    alone decides. `facts` are what that was judged by.
    """

    opened: Opened
    mail: Message
    verdict: Verdict | NotTheirs | None
    facts: Facts | None = None

    @property
    def owner(self) -> Owner | None:
        """Whose address it came from."""
        return self.facts.owner if self.facts is not None else None

    @property
    def row(self) -> InboxRow:
        return self.opened.row


async def judge_message(tx: Transaction[Services], opened: Opened) -> Heard:
    """Who wrote, and of which table; what a chat is told by it is kept."""
    mail = opened.mail
    is_told_by_envelope = (
        opened.bounce is not None
        or (opened.update is not None and not is_said_privately(opened.update))
        or mail.automatic is not None
        or mail.sender is None
    )
    if is_told_by_envelope:
        await welcome_back(tx, opened.update)
        return Heard(tx.work, tx.services, opened, mail, None)
    facts = await read_facts(tx.work, mail, opened.row)
    if facts.owner is not None and facts.owner[1].state == "suspended":
        await welcome_back(tx, opened.update)
        facts = await read_facts(tx.work, mail, opened.row)
    judged = judge(mail, facts, tx.services.key)
    verdict, mail = await name_game(tx.work, tx.services.games, opened.row, mail, facts, judged)
    if isinstance(verdict, Proven) and verdict.is_named:
        await keep_spoken_of(tx.work, verdict.seat, opened.row.received_at)
    return Heard(tx.work, tx.services, opened, mail, verdict, facts)


async def handle_by_policy(heard: Heard) -> Disposal:
    """What the first line of the policy says that is about this message and has an answer."""
    for line in [line for line in POLICY if line.applies(heard)]:
        if (disposal := await line.handle(heard)) is not None:
            return disposal
    raise LookupError(f"the policy has no line for {type(heard.verdict).__name__}")


V = TypeVar("V")
Rule = Callable[[Heard], bool]
Handler = Callable[[Heard], Awaitable[Disposal | None]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the policy."""

    applies: Rule
    handle: Handler


def _anywhere(heard: Heard) -> bool:
    return True


def _in_chat(heard: Heard) -> bool:
    return heard.mail.channel == TELEGRAM


def _by_mail(heard: Heard) -> bool:
    return heard.mail.channel == MAIL


def _unreadable(heard: Heard) -> bool:
    return heard.mail.refused is not None


def _readable(heard: Heard) -> bool:
    return heard.mail.refused is None


def _is_plain(heard: Heard) -> bool:
    """Words, and nothing that only a chat has beside them."""
    return heard.opened.update is None or is_plain(heard.opened.update)


def _plain_yes_in_chat(heard: Heard) -> bool:
    return _in_chat(heard) and not heard.mail.is_edit and is_bare_yes(heard.mail.text)


def _from(
    kind: type[V],
    handle: Callable[[Heard, V], Awaitable[Disposal | None]],
    *,
    where: Rule = _anywhere,
) -> Line:
    """A line of the policy for writers of a kind."""

    def applies(heard: Heard) -> bool:
        return isinstance(heard.verdict, kind) and where(heard)

    async def answer(heard: Heard) -> Disposal | None:
        verdict = heard.verdict
        return await handle(heard, verdict) if isinstance(verdict, kind) else None

    return Line(applies, answer)


async def _take_bounce(heard: Heard) -> Disposal | None:
    bounce = heard.opened.bounce
    if bounce is None:
        return None
    return Handled(await take_bounce(heard.work, heard.services, bounce, heard.mail), ignored=True)


async def _take_update(heard: Heard) -> Disposal | None:
    update = heard.opened.update
    return await take_update(heard, heard.row, update) if update is not None else None


async def _ignore_automatic(heard: Heard) -> Disposal | None:
    if heard.mail.automatic == FROM_A_LIST:
        told = await tell_of_list(heard, heard.mail)
        if told is not None:
            return told
    return Handled(f"automatic:{heard.mail.automatic}", ignored=True)


async def _ignore_nobody(heard: Heard) -> Disposal | None:
    return Handled(f"refused:{heard.mail.refused or 'no-sender'}", ignored=True)


async def _tell_not_theirs(heard: Heard, by: NotTheirs) -> Disposal | None:
    return await tell_not_theirs(heard, heard.row, heard.mail, by)


async def _ignore_copy(heard: Heard, by: Proven) -> Disposal | None:
    """A player's mail that was handled before under the same Message-ID and says the same: sent or
    delivered twice.

    Not by the ID alone: somebody else may have used it first, and some programs give every mail the
    same. Without an ID the date stands in its place, which the sender's signature covers too.
    """
    work, services, mail = heard.work, heard.services, heard.mail
    message_id = heard.row.message_key.partition("|")[0]
    if heard.facts is None or not heard.facts.may_copy or (not message_id and mail.dated is None):
        return None
    seat, begins = by.seat, key_prefix_of(heard.row)
    for earlier in await work.inbox.list_earlier(MAIL, begins, heard.row.id, COPIES_LOOKED_AT):
        if earlier.seat_id != seat.id or is_waiting(earlier):
            continue
        raw = await work.inbox.read_raw(earlier.id)
        if raw is None:
            continue
        read = await services.apart.run(read_mail, raw, rules_of(services.policy))
        known = message_of_mail(read)
        if known.text == mail.text and (message_id or known.dated == mail.dated):
            return Handled("copy", ignored=True, game_id=seat.game_id, seat_id=seat.id)
    return None


async def _ask_joiner(heard: Heard) -> Disposal | None:
    """A join code; on any line of what somebody writes who can have written of nothing else."""
    anywhere = isinstance(heard.verdict, Stranger | Known)
    wishes = wants_to_join(heard.mail, anywhere=anywhere)
    if not wishes:
        return None
    person = await proven_person(heard.work, heard.verdict)
    return await ask_joiner(heard, heard.row, heard.mail, wishes, person)


async def _hear_wishes(heard: Heard) -> Disposal | None:
    """A message that holds nothing but wishes about looking on, taking over and the like."""
    wishes = wishes_here(heard.mail)
    if not wishes:
        return None
    about, proven = None, True
    match heard.verdict:
        case Proven(seat=seat):
            if any(isinstance(wish, Back) for wish in wishes):
                return None  # they are back at the table where they sit as well
            own = seat.person_id
            person = await heard.work.people.find(own) if own is not None else None
            proven = person is not None
        case WhichGame(person=known) | Known(person=known):
            person = known
        case Watching(person=known, game_id=game_id):
            person, about = known, game_id
        case _:
            mail = heard.mail
            person = await heard.work.people.find_by_address(mail.channel, mail.sender or "")
            proven = False
    caller = Caller(
        heard.work, heard.services, heard.row, heard.mail, person, proven=proven, about=about
    )
    return await take_wishes(caller, wishes)


async def _answer_known_in_chat(heard: Heard, by: Known) -> Disposal | None:
    """In a chat whoever writes is told at least that nothing of it is taken."""
    known = await _answer_known(heard, by)
    return await _answer_stranger(heard, by) if known.ignored else known


async def _answer_stranger(heard: Heard, by: Stranger | Known) -> Disposal:
    person = by.person if isinstance(by, Known) else None
    return await answer_stranger(heard, heard.row, heard.mail, person)


async def _answer_too_big(heard: Heard, by: Proven) -> Disposal | None:
    return await answer_too_big(heard, heard.row, heard.mail, by)


async def _tell_unreadable(heard: Heard, by: object) -> Disposal:
    await tell_unreadable(heard, heard.row, heard.mail)
    return Handled(f"unreadable:{heard.mail.refused}", ignored=True)


async def _answer_about_telegram(heard: Heard, by: Master) -> Disposal | None:
    if not await heard.services.apart.run(is_about_telegram, heard.mail.text):
        return None
    await answer_person(heard, heard.row, heard.mail, by.person)
    return Handled("answered")


async def _answer_waiting(heard: Heard, by: Master) -> Disposal | None:
    """A plain yes or no in a chat answers the question that waits there."""
    return await take_answer_of_master(heard, heard.mail)


async def _take_commands(heard: Heard, by: Master) -> Disposal | None:
    return commands_of(heard.row, heard.mail, by)


async def _ask_master(heard: Heard, by: PerhapsMaster) -> Disposal | None:
    return await ask_master(heard, heard.row, heard.mail, by)


async def _ignore_stranger(heard: Heard, by: Stranger) -> Disposal | None:
    return Handled(f"stranger:{by.reason}", ignored=True)


async def _answer_known(heard: Heard, by: Known) -> Handled:
    person = by.person
    return await answer_known(heard, heard.row, heard.mail, person)


async def _answer_watcher(heard: Heard, by: Watching) -> Disposal | None:
    """Somebody answers a letter to observers of a table."""
    work, mail = heard.work, heard.mail
    person, game_id = by.person, by.game_id
    game = await work.games.find(game_id)
    if game is None or mail.refused is not None or not await may_watch(work, game, person):
        return Handled("watching-no-more", ignored=True, game_id=game_id)
    answered, rest = await answer_person(heard, heard.row, mail, person)
    if answered and not rest.strip():
        return Handled("answered", game_id=game_id)
    return await answer_watcher(heard, heard.row, mail, person, game)


async def _settle_confirmation(heard: Heard, by: Confirming) -> Disposal | None:
    claim = by.claim
    return await settle_confirmation(heard, heard.row, heard.mail, claim)


async def _take_confirmed(heard: Heard, by: Unproven) -> Disposal | None:
    """The registered player has confirmed this very message."""
    seat = await confirmed_seat(heard.work, heard.row, by)
    if seat is None:
        return None
    return await _take_player(heard, Proven(seat, by.phase))


async def _ask_to_confirm(heard: Heard, by: Unproven) -> Disposal | None:
    asked = await ask_whose(heard, heard.row, heard.mail, by)
    if asked is not None:
        return asked
    return await ask_to_confirm(heard, heard.row, heard.mail, by)


async def _ask_which(heard: Heard, by: WhichGame) -> Disposal | None:
    return await ask_which(heard, heard.row, heard.mail, by)


async def _take_player(heard: Heard, by: Proven) -> Disposal | None:
    return await take_message(heard, heard.row, heard.mail, by, heard.owner)


_WISHER = (Proven, Unproven, WhichGame, Known, Watching, PerhapsMaster, Stranger)
"""Whoever answers a question of ours, or commands, wishes for nothing beside it."""

POLICY: tuple[Line, ...] = (
    Line(lambda heard: heard.opened.bounce is not None, _take_bounce),
    Line(lambda heard: not _is_plain(heard), _take_update),
    Line(lambda heard: heard.mail.automatic is not None, _ignore_automatic),
    Line(lambda heard: heard.mail.sender is None, _ignore_nobody),
    _from(NotTheirs, _tell_not_theirs),
    _from(Proven, _ignore_copy, where=_by_mail),
    Line(lambda heard: isinstance(heard.verdict, _WISHER) and _readable(heard), _ask_joiner),
    Line(lambda heard: isinstance(heard.verdict, _WISHER) and _readable(heard), _hear_wishes),
    _from(Stranger, _answer_stranger, where=_in_chat),
    _from(Known, _answer_known_in_chat, where=_in_chat),
    _from(Proven, _answer_too_big, where=_unreadable),
    _from(Master, _tell_unreadable, where=_unreadable),
    _from(PerhapsMaster, _tell_unreadable, where=_unreadable),
    _from(WhichGame, _tell_unreadable, where=_unreadable),
    _from(Known, _tell_unreadable, where=_unreadable),
    _from(Master, _answer_about_telegram),
    _from(Master, _answer_waiting, where=_plain_yes_in_chat),
    _from(Master, _take_commands),
    _from(PerhapsMaster, _ask_master),
    _from(Stranger, _ignore_stranger),
    _from(Known, _answer_known),
    _from(Watching, _answer_watcher),
    _from(Confirming, _settle_confirmation),
    _from(Unproven, _take_confirmed),
    _from(Unproven, _ask_to_confirm),
    _from(WhichGame, _ask_which),
    _from(Proven, _take_player),
)
