"""Questions and answers to an address that has no seat yet: what is wanted so far, what a plain yes
would give, and what somebody is told who knows no code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from pbem.desk.authentication.kept import is_long, shown
from pbem.desk.envelope.message import TELEGRAM, Handled
from pbem.desk.envelope.recipients import Recipient, question_token
from pbem.desk.letters.post import Addressee
from pbem.desk.lobby.choices import Chosen, choose
from pbem.desk.lobby.herald import vacant_seats
from pbem.desk.lobby.rows import LobbyRows, lobby_for, name_of_colour
from pbem.desk.lobby.seats import check_colour, check_name, propose_colour, propose_name
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table, page_table
from pbem.grammar import seat_wishes as said
from pbem.grammar.lobby import LobbyReading, Trouble
from pbem.pages.chat import NoSuchCode, NoTable, StrangerGreeted
from pbem.pages.lobby import AskJoiner, NotJoined
from pbem.pages.lobby_view import Change, Proposal, Refusal
from pbem.pages.notice import Notice, notice_page
from pbem.pages.page import Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow

PURPOSE = "join"
"""Of the confirmations that a wish to join waits under."""

WAITS = timedelta(days=3)
ASKED_A_DAY = 3
ASKED_AGAIN_A_DAY = 10
ANSWERED_A_DAY = 5
ASK, ASK_AGAIN, ANSWER, GUESSED = "join-confirm", "join-again", "join-answer", "guessed"


class Wanted(msgspec.Struct, frozen=True):
    """What somebody who wants to join has asked for so far; `proposed` is what a plain yes was said
    to give.
    """

    name: str | None = None
    colour: str | None = None
    colours: tuple[str, ...] = ()
    zone: str | None = None
    votes: dict[str, str] = {}
    note: str | None = None
    side: Chosen = Chosen()
    proposed: tuple[str, str] | None = None
    note_lost: bool = False


@dataclass(frozen=True, slots=True)
class Joiner:
    """Somebody at the door of a table that has not begun; `known` is whose address it is, proven or
    not.
    """

    rows: LobbyRows
    known: PersonRow | None

    def handled(
        self, outcome: str, *, ignored: bool = False, seat_id: int | None = None
    ) -> Handled:
        return Handled(outcome, ignored=ignored, game_id=self.rows.game.id, seat_id=seat_id)


def hear(rows: LobbyRows, wanted: Wanted, reading: LobbyReading) -> tuple[Wanted, list[Refusal]]:
    """Add to what is wanted; what cannot be is refused, and the rest is kept."""
    refusals = [
        Refusal(piece.code, piece.written, piece.options)
        for piece in reading.said
        if isinstance(piece, Trouble)
    ]
    for wish in reading.wishes:
        match wish:
            case said.Name(name=name):
                named = check_name(rows.table, name)
                if isinstance(named, Refusal):
                    refusals.append(named)
                else:
                    wanted = msgspec.structs.replace(wanted, name=named)
            case said.Colour(colour=colour):
                worn = check_colour(rows.table, colour)
                if isinstance(worn, Refusal):
                    refusals.append(worn)
                else:
                    wanted = msgspec.structs.replace(wanted, colour=worn)
            case said.Colours(colours=colours):
                wanted = msgspec.structs.replace(wanted, colours=colours)
            case said.Zone(zone=zone):
                wanted = msgspec.structs.replace(wanted, zone=zone)
            case said.Team() | said.Mate() | said.Place() | said.Faction():
                side = choose(rows, None, wanted.side, wish)
                if isinstance(side, Refusal):
                    refusals.append(side)
                else:
                    wanted = msgspec.structs.replace(wanted, side=side)
            case said.Vote(question=question, answer=answer):
                wanted = msgspec.structs.replace(wanted, votes=wanted.votes | {question: answer})
            case _:
                continue
    if reading.note is not None:
        note = shown(reading.note)  # a yes frees only what its letter shows in full
        wanted = msgspec.structs.replace(
            wanted, note=None if is_long(note) else note, note_lost=is_long(note)
        )
    return wanted, refusals


def drop_taken(rows: LobbyRows, wanted: Wanted) -> tuple[Wanted, list[Refusal]]:
    """What was wanted and free when it was asked for, and is somebody else's by now."""
    refusals = []
    if wanted.name is not None and isinstance(
        named := check_name(rows.table, wanted.name), Refusal
    ):
        wanted = msgspec.structs.replace(wanted, name=None)
        refusals.append(named)
    if wanted.colour is not None and isinstance(
        worn := check_colour(rows.table, wanted.colour), Refusal
    ):
        wanted = msgspec.structs.replace(wanted, colour=None)
        refusals.append(worn)
    return wanted, refusals


def without(wanted: Wanted, refusal: Refusal) -> Wanted:
    """What is left to want when a name or colour has just been taken by somebody else."""
    match refusal.code:
        case "colour-taken":
            return msgspec.structs.replace(wanted, colour=None)
        case "name-taken":
            return msgspec.structs.replace(wanted, name=None)
    return wanted


def settle_on(talk: Conversation[Joiner], wanted: Wanted) -> tuple[str, str]:
    """The name and the colour that a plain yes gives now: as wanted, else as proposed before, else
    what is free.
    """
    table = talk.writer.rows.table
    before = wanted.proposed or ("", "")
    sayings = (
        before[0],
        talk.writer.known.name if talk.writer.known is not None else "",
        talk.mail.sender_name,
    )
    name = wanted.name or propose_name(table, sayings, talk.address)
    free = before[1] if isinstance(check_colour(table, before[1]), str) else propose_colour(table)
    return name, wanted.colour or free or ""


async def ask(talk: Conversation[Joiner], wanted: Wanted, refusals: Sequence[Refusal]) -> Handled:
    """Open a question at the address, in place of one that waits there; a few a day."""
    if await talk.has_had(talk.mail.channel, talk.address, ASK, most=ASKED_A_DAY):
        return talk.writer.handled("join-asked-too-often", ignored=True)
    wanted = msgspec.structs.replace(wanted, proposed=settle_on(talk, wanted))
    about, game_id = (talk.row.id,), talk.writer.rows.game.id
    pending = await talk.wait_for_answer(
        PURPOSE, talk.address, WAITS, wanted, inbox_ids=about, game_id=game_id
    )
    await _send_question(talk, pending, wanted, refusals, ASK)
    return talk.writer.handled("join-asked")


async def ask_further(
    talk: Conversation[Joiner], pending: PendingRow, wanted: Wanted, refusals: Sequence[Refusal]
) -> Handled:
    """The question stays open, with what was understood kept, and says what could not be done."""
    if await talk.has_had(talk.mail.channel, talk.address, ASK_AGAIN, most=ASKED_AGAIN_A_DAY):
        return talk.writer.handled("join-asked-too-often", ignored=True)
    wanted = msgspec.structs.replace(wanted, proposed=settle_on(talk, wanted))
    await talk.work.pending.put_detail(pending.id, msgspec.json.encode(wanted).decode())
    await _send_question(talk, pending, wanted, refusals, ASK_AGAIN)
    return talk.writer.handled("join-asked-again")


async def _send_question(
    talk: Conversation[Joiner],
    pending: PendingRow,
    wanted: Wanted,
    refusals: Sequence[Refusal],
    kind: str,
) -> None:
    services, rows, known, now = talk.services, talk.writer.rows, talk.writer.known, talk.now()
    token = question_token(services.key, pending.id)
    name, colour = settle_on(talk, wanted)
    name = name_of_colour(colour) if rows.table.hides_names else name
    zone = wanted.zone or (known.time_zone if known is not None else rows.settings.zone)
    wishes = tuple(_wishes(rows, wanted))
    page = notice_page(
        AskJoiner(
            lobby_for(rows, None, now),
            Proposal(name, colour, zone, wishes, wanted.note or "", note_lost=wanted.note_lost),
            refusals,
        ),
        page_table(rows.table, services, code=token),
        Reader(None, name, zone),
    )
    person_id = known.id if known is not None else None
    to = Recipient(talk.address, name, person_id, rows.game, token)
    await talk.send(talk.letter(page, kind, f"{kind}:{pending.id}:{talk.row.id}", to=to))


def _wishes(rows: LobbyRows, wanted: Wanted) -> list[Change]:
    """What a yes does besides giving the seat."""
    side = wanted.side
    wishes = [Change("vote", answer, question) for question, answer in wanted.votes.items()]
    if wanted.colours:
        wishes.append(Change("wishes", ", then ".join(wanted.colours)))
    if side.asked is not None:
        wishes.append(Change("asked", side.team or "", rows.table.seat(side.asked).name))
    elif side.team:
        wishes.append(Change("team", side.team))
    if side.place:
        wishes.append(Change("place", str(side.place)))
    if side.faction:
        wishes.append(Change("faction", side.faction))
    return wishes


async def refuse(talk: Conversation[Joiner], why: str) -> Handled:
    """Say to somebody who knows a right code why nobody can be seated."""
    if not await talk.has_had(talk.mail.channel, talk.address, ANSWER, most=ANSWERED_A_DAY):
        table = talk.writer.rows.table
        facts = page_table(table, talk.services)
        reader = Reader(None, talk.mail.sender_name or talk.address, facts.zone)
        vacant = (
            [seat.name for seat in vacant_seats(table)]
            if why == "begun" and table.settings.people.takeovers != "off"
            else []
        )
        page = notice_page(NotJoined(why, vacant, table.game.join_code or ""), facts, reader)
        to = Recipient(address=talk.address, name="", game=table.game)
        await talk.send(talk.letter(page, ANSWER, talk.dedupe_key(ANSWER), to=to))
    return talk.writer.handled("join-refused")


async def tell_wrong_code(talk: Conversation[object]) -> Handled:
    """To somebody we know beyond doubt: there is no table of that code."""
    if not await talk.has_had(talk.mail.channel, talk.address, ANSWER, most=ANSWERED_A_DAY):
        facts = house_table(talk.services)
        page = notice_page(
            NotJoined("unknown-code"), facts, Reader(None, talk.reader.name, facts.zone)
        )
        await talk.answer(page, ANSWER)
    return Handled("join-wrong-code")


async def tell_guessed(talk: Conversation[object]) -> Handled:
    """After too many wrong codes no other is looked at for a while: somebody we know, or who writes
    in a chat, is told so once an hour.
    """
    had = await talk.has_had(talk.mail.channel, talk.address, GUESSED, within=timedelta(hours=1))
    if (talk.person_id is not None or talk.mail.is_vouched) and not had:
        facts = house_table(talk.services)
        reader = Reader(None, talk.reader.name, facts.zone)
        await talk.answer(notice_page(NotJoined("guessed"), facts, reader), GUESSED)
    return Handled("guessed-too-often", ignored=True)


async def is_answered_enough(talk: Conversation[object]) -> bool:
    """Whether that address got as many answers today as it will."""
    return await talk.has_had(talk.mail.channel, talk.address, ANSWER, most=ANSWERED_A_DAY)


STRANGER = "stranger"
A_DAY = timedelta(days=1)
STRANGERS_A_DAY = 5


async def answer_stranger(talk: Conversation[object]) -> Handled:
    """How one joins, or how a chat becomes a player's."""
    is_known, chat_id = talk.person_id is not None, talk.address
    outcome = "stranger:no-seat" if is_known else "stranger:unknown-sender"
    if await is_stranger_answered_enough(talk, chat_id):
        return Handled(outcome, ignored=True)
    await _tell(talk, NoTable() if is_known else StrangerGreeted(games_of(talk.services)))
    return Handled(outcome, ignored=True)


async def _tell(talk: Conversation[object], told: Notice) -> None:
    to = Recipient(talk.address, talk.reader.name, talk.person_id)
    who = Addressee(talk.services, to, talk.reader, talk.page_table())
    reply_to = talk.mail.chat_message_id
    await talk.send(who.note(told, str(talk.row.id), kind=STRANGER, reply_to=reply_to))


def games_of(context: Context) -> list[tuple[str, str]]:
    """The games that are run here, each with a line about it."""
    return [(kind.pages.title, kind.pages.about) for kind in context.games.values()]


async def is_stranger_answered_enough(tx: Transaction[Context], chat_id: str) -> bool:
    """Whether that chat got as many answers today as somebody unknown ever will."""
    return await tx.has_had(TELEGRAM, chat_id, STRANGER, most=STRANGERS_A_DAY)


async def tell_no_such_code(talk: Conversation[object], what: str) -> Handled:
    """A code that opens nothing, of somebody unknown: they are told that, a few times a day, and
    not what would.
    """
    if talk.mail.is_vouched and not await is_stranger_answered_enough(talk, talk.address):
        await _tell(talk, NoSuchCode())
    return Handled(f"{what}-wrong-code", ignored=True)
