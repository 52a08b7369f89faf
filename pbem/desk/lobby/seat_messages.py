"""What a seated player may write before the start: several lines a mail, in any order, and one
receipt that shows how the seat stands.
"""

import asyncio
from dataclasses import dataclass, field

from pbem.desk.envelope.message import Handled
from pbem.desk.envelope.recipients import SeatAt, seat_token
from pbem.desk.lobby.barred import give_back
from pbem.desk.lobby.choices import Chosen, choose
from pbem.desk.lobby.rows import (
    LobbyRows,
    keep_wishes,
    lobby_for,
    name_of_colour,
    read_lobby_rows,
    words_of,
)
from pbem.desk.lobby.seats import (
    check_colour,
    check_name,
    free_seat,
    look_after_arrival,
    look_after_vote,
    take_side,
)
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.inquiries import INQUIRIES, answer_inquiries
from pbem.desk.messages.notes import LEAVING, answer_leaving, ask_if_order, is_repeated, pass_note
from pbem.desk.table import OpenTable, page_reader, page_table
from pbem.grammar import seat_wishes as said
from pbem.grammar.called import skeleton
from pbem.grammar.house import commands as c
from pbem.grammar.lobby import LobbyReading, Trouble, read_lobby
from pbem.pages.lobby import SeatLeft, SeatReceipt
from pbem.pages.lobby_view import Change, Done, Refusal
from pbem.pages.notice import notice_page
from pbem.pages.notices import WordsCut
from pbem.store.repositories.seats import SeatRow

RULES_A_MESSAGE = 3
LATER = (c.ShowMap, c.Orders, c.History)
"""Table words that have an answer once the game has begun."""
TOLD = (c.Status, c.Players, c.Help, c.HelpOrders, c.Rule)
"""Those that the receipt itself answers."""


@dataclass(slots=True)
class Doings:
    """What became of a message so far."""

    changes: list[Change] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    voted: bool = False
    accepted: bool = False
    leaves: bool = False
    declines: bool = False
    helps: bool = False


async def take_lobby_message(
    talk: Conversation[Player], text: str, *, joining: bool = False, accepts: bool = False
) -> Handled:
    """Do what the lines say and answer with one receipt. The game is locked by the caller.

    `accepts`: to have written at all is a yes to an invitation that is open.
    """
    services, game_id = talk.services, talk.table.game.id
    rows = await read_lobby_rows(talk, game_id)
    signed_as = (talk.seat.name, talk.mail.sender_name) if joining else ()
    reading = await services.apart.run(
        read_lobby, text, words_of(rows), joining=joining, signed_as=signed_as
    )
    if not reading.said and reading.note == text.strip():
        if await answer_leaving(talk, text):
            return Handled(LEAVING, game_id=game_id, seat_id=talk.seat.id)
        if await ask_if_order(talk, text, is_begun=False):
            return Handled("asked-if-order", game_id=game_id, seat_id=talk.seat.id)
        if reading.note and await is_repeated(talk, reading.note):
            return Handled("note-repeated", game_id=game_id, seat_id=talk.seat.id)
    doings = Doings()
    for piece in reading.said:
        if isinstance(piece, Trouble):
            doings.refusals.append(Refusal(piece.code, piece.written, piece.options))
        else:
            await _do(talk, rows, piece, doings)
    if reading.note is not None:
        await pass_note(talk, reading.note)
    if doings.leaves:
        return await _leave(talk, rows, declined=doings.declines)
    if talk.seat.id in rows.unanswered and (accepts or doings.accepted):
        barred = await give_back(talk, rows)
        if barred is not None:
            return barred
        await _accept(talk)
        doings.changes.insert(0, Change("accepted"))
    if doings.voted:
        await look_after_vote(talk, await read_lobby_rows(talk, game_id))
    await _answer_rules(talk, reading)
    await _send_receipt(talk, doings, reading)
    outcome = (
        "lobby"
        if doings.changes or doings.refusals or reading.said
        else "note"
        if reading.note is not None
        else "answered"
    )
    return Handled(outcome, game_id=game_id, seat_id=talk.seat.id)


async def _do(
    talk: Conversation[Player], rows: LobbyRows, wish: said.SeatWish, doings: Doings
) -> None:
    work, seat = talk.work, talk.seat
    match wish:
        case said.Name() | said.Colour() | said.Colours() | said.Zone():
            await _dress(talk, rows, wish, doings)
        case said.Team() | said.Mate() | said.Place() | said.Faction():
            await _choose(talk, wish, doings)
        case said.Vote(question=question, answer=answer):
            await work.votes.put(seat.id, question, answer, talk.now())
            doings.voted = True
            doings.changes = [
                change
                for change in doings.changes
                if (change.what, change.about) != ("vote", question)
            ]
            doings.changes.append(Change("vote", answer, question))
        case said.Accept():
            doings.accepted = True
        case said.Decline():
            if seat.id in rows.unanswered:
                doings.leaves = doings.declines = True
            else:
                doings.refusals.append(Refusal("nothing-to-decline", "no"))
        case said.Leave():
            doings.leaves = True
            doings.declines |= seat.id in rows.unanswered
        case said.Show(command=command) if (
            type(command) in INQUIRIES
        ):  # within a line: of its own it is answered before
            await answer_inquiries(talk, [command], f".{len(doings.changes)}within")
        case said.Show(command=command):
            doings.helps |= isinstance(command, c.Help)
            if isinstance(command, LATER):
                doings.refusals.append(Refusal("not-yet", c.word_of(command)))
            elif not isinstance(command, TOLD):
                doings.refusals.append(Refusal("own-line", c.word_of(command)))


async def _dress(
    talk: Conversation[Player],
    rows: LobbyRows,
    wish: said.Name | said.Colour | said.Colours | said.Zone,
    doings: Doings,
) -> None:
    """What somebody is called, wears, and tells the time by."""
    work, seat = talk.work, talk.seat
    match wish:
        case said.Name(name=name) if rows.table.hides_names:
            doings.refusals.append(Refusal("names-hidden", name[:60]))
        case said.Name(name=name):
            checked = check_name(rows.table, name, seat)
            if isinstance(checked, str) and await work.seats.rename(
                seat.id, checked, name_key=skeleton(checked)
            ):
                doings.changes.append(Change("name", checked))
            else:
                doings.refusals.append(
                    checked if isinstance(checked, Refusal) else Refusal("name-taken", checked)
                )
        case said.Colour(colour=colour):
            checked = check_colour(rows.table, colour, seat)
            if isinstance(checked, str) and await work.seats.recolour(seat.id, checked):
                doings.changes.append(Change("colour", checked))
                if rows.table.hides_names:
                    named = name_of_colour(checked)
                    await work.seats.rename(seat.id, named, name_key=skeleton(named))
            else:
                doings.refusals.append(
                    checked if isinstance(checked, Refusal) else Refusal("colour-taken", checked)
                )
        case said.Colours(colours=colours):
            if seat.person_id is not None:
                await keep_wishes(work, seat.person_id, talk.table.game.id, colours)
                doings.changes.append(Change("wishes", ", then ".join(colours)))
        case said.Zone(zone=zone):
            if seat.person_id is not None and await work.people.set_time_zone(seat.person_id, zone):
                doings.changes.append(Change("zone", zone))


async def _choose(talk: Conversation[Player], wish: said.Side, doings: Doings) -> None:
    """A team, a place in it, or a faction; each wish of a message is judged by what the one
    before it has changed.
    """
    game_id = talk.table.game.id
    rows = await read_lobby_rows(talk, game_id)
    seat = _seat_now(rows.table, talk.seat)
    chosen = choose(rows, seat, Chosen.of(seat), wish)
    if isinstance(chosen, Refusal):
        doings.refusals.append(chosen)
        return
    await take_side(talk, game_id, seat, chosen)
    match wish:
        case said.Faction():
            doings.changes.append(Change("faction", chosen.faction or ""))
        case said.Place():
            doings.changes.append(Change("place", str(chosen.place or "")))
        case _:
            doings.changes.append(Change("team", chosen.team or ""))
    if chosen.asked is not None:
        doings.changes.append(
            Change("asked", chosen.team or "", rows.table.seat(chosen.asked).name)
        )


async def _accept(talk: Conversation[Player]) -> None:
    """The seat that was kept is taken."""
    work, seat = talk.work, talk.seat
    invitation = (
        await work.invitations.find_of_person(talk.table.game.id, seat.person_id)
        if seat.person_id is not None
        else None
    )
    if invitation is not None and await work.invitations.mark_answered(invitation.id, talk.now()):
        fresh = await work.seats.find(seat.id)
        await look_after_arrival(
            talk,
            talk.table.game.id,
            fresh or seat,
            is_new=False,
            was_invited=True,
        )


async def _leave(talk: Conversation[Player], rows: LobbyRows, *, declined: bool) -> Handled:
    """The seat is given back at once: it can be taken again as long as the table is open."""
    seat, game = talk.seat, talk.table.game
    if await free_seat(talk, rows, seat, declined=declined):
        await talk.send(talk.farewell(SeatLeft(game.join_code or ""), "left"))
    return Handled.at(seat, "declined" if declined else "left")


async def _answer_rules(talk: Conversation[Player], reading: LobbyReading) -> None:
    """Answer with the rules that were asked for."""
    asked = [
        wish.command.id
        for wish in reading.wishes
        if isinstance(wish, said.Show) and isinstance(wish.command, c.Rule)
    ]
    for index, rule in enumerate(asked[:RULES_A_MESSAGE]):
        page = await asyncio.to_thread(
            talk.table.kind.pages.rule, talk.page_table(), talk.reader, rule
        )
        await talk.answer(page, "answer", f".{index}")
    if cut := tuple(f"rule {rule}" for rule in asked[RULES_A_MESSAGE:]):
        await talk.answer(WordsCut(cut, RULES_A_MESSAGE), "notice", ".cut")


async def _send_receipt(talk: Conversation[Player], doings: Doings, reading: LobbyReading) -> None:
    work, services, now = talk.work, talk.services, talk.now()
    rows = await read_lobby_rows(talk, talk.table.game.id)
    seat = _seat_now(rows.table, talk.seat)
    person = await work.people.find(seat.person_id)
    reader = page_reader(seat, person, services.policy.zone)
    facts = page_table(rows.table, services, code=seat_token(services.key, seat, 0))
    done = Done(
        tuple(doings.changes),
        tuple(doings.refusals),
        reading.note or "",
        cut=reading.cut,
        helps=doings.helps,
    )
    page = notice_page(SeatReceipt(lobby_for(rows, seat, now), done), facts, reader)
    to = SeatAt(rows.game, seat, 0, talk.address)
    await talk.say(page, talk.letter(page, "receipt", talk.dedupe_key("receipt"), to=to))


def _seat_now(table: OpenTable, seat: SeatRow) -> SeatRow:
    return next((row for row in table.seats if row.id == seat.id), seat)
