"""Replacing a player, unlocking, striking, announcing, answering a note, looking at orders: who is
told what, and who is not.
"""

import re
from email.message import EmailMessage

import msgspec
import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.table import decode_settings, encode_settings
from pbem.desk.upkeep.records import verify_game
from pbem.store import tables
from tests.desk.commanding import (
    EVERYBODY,
    GRETA,
    PLAYERS,
    acts_of,
    logged,
    refused,
    seats_of,
    state_of,
    to_orders,
)
from tests.desk.harness import GM, NAMES, Desk, parse, text_of
from tests.desk.looks import calendar_of, kinds_to, phase_of, status_of
from tests.played import PLAYED

OTTO = "otto@elsewhere.example"


async def written_by(desk: Desk, address: str, answering: EmailMessage, text: str) -> int:
    """How many letters somebody gets for writing this, from an address of their own."""
    before = len(desk.postbox.to(address))
    await desk.write("Anna", text, answering=answering, sender=f"Otto <{address}>")
    return len(desk.postbox.to(address)) - before


# ------------------------------------------------------------------------------------------ replace
async def test_a_newcomer_gets_the_game_so_far_and_the_question_and_plays_on(desk: Desk) -> None:
    await to_orders(desk)
    old = desk.turn_mail("Anna")
    await desk.write("Anna", "Work P1")
    assert (
        await gm.replace(desk.services, "heron", "anna", "Otto", OTTO, GRETA, zone="Asia/Tokyo")
        == 1
    )
    await desk.work()
    welcome, question = (parse(raw) for raw in desk.postbox.to(OTTO))
    text = text_of(welcome)
    assert "you play Anna now" in str(welcome["Subject"])
    for told in ("THE GAME IN TEN LINES", "WHAT HAS HAPPENED SO FAR", "Bids:", "Asia/Tokyo"):
        assert told in text
    assert "Work P1" not in text + text_of(question), "what was ordered before is nobody's any more"
    assert "SEQUENCE:0" in calendar_of(question)
    assert await kinds_to(desk, "unseated") == ["anna@players.example"]
    assert await kinds_to(desk, "replaced") == sorted([*EVERYBODY[1:3], GM])
    assert "Otto" in text_of(desk.last("Bartek", "new player"))
    seat = (await seats_of(desk))["Anna"]
    assert (seat.tenure, seat.status) == (2, "active")

    quiet = len(desk.letters("Anna"))
    for mail in (old, None):
        await desk.write("Anna", "Work P1", answering=mail, token=mail is not None)
    assert len(desk.letters("Anna")) == quiet, "told once, and not answered any more"
    assert await written_by(desk, OTTO, question, "Fortify P1. final") == 1
    async with desk.services.database.read() as work:
        rows = await work.orders.latest(1, 2)
        assert [(row.tenure, row.canonical, row.final) for row in rows] == [
            (2, ("Fortify! P1",), True)
        ]


async def test_what_the_former_player_ordered_does_not_count_at_the_close_and_a_replay_agrees(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 40. final")
    await gm.replace(desk.services, "heron", "1", None, OTTO, GRETA)
    await desk.everybody_passes()
    assert (await state_of(desk, 2)).players[0].realm == 50
    assert await verify_game(desk.services, "heron") == []
    await gm.replace(desk.services, "heron", "Anna", None, "ada@elsewhere.example", GRETA)
    assert await verify_game(desk.services, "heron") == [], "at the very instant of the close"


async def test_a_player_who_resigned_can_be_replaced(desk: Desk) -> None:
    await to_orders(desk)
    async with desk.services.database.write() as work:
        assert await work.seats.replace_person(1, 1, None, desk.clock.now())
        assert await work.seats.change_status(1, "active", "left")
    await gm.replace(desk.services, "heron", "Anna", None, OTTO, GRETA)
    await desk.work()
    seat = (await seats_of(desk))["Anna"]
    assert (seat.tenure, seat.status) == (3, "active")
    assert len(desk.postbox.to(OTTO)) == 2
    assert await kinds_to(desk, "unseated") == []


async def test_a_seat_whose_player_resigned_and_that_was_eliminated_takes_nobody(
    desk: Desk,
) -> None:
    await to_orders(desk, 4)
    async with desk.services.database.write() as work:
        assert await work.seats.replace_person(4, 1, None, desk.clock.now())
        assert await work.seats.change_status(4, "active", "left")
    await gm.strike(desk.services, "heron", "Dmytro", "showed orders", GRETA)
    assert (
        await refused(gm.replace(desk.services, "heron", "Dmytro", None, OTTO, GRETA))
        == "eliminated"
    )


async def test_a_known_person_takes_a_seat_under_its_name_and_nobody_has_two(desk: Desk) -> None:
    await to_orders(desk)
    await desk.open_game(2, slug="egret", names=("Dmytro", "Emil"))
    await gm.replace(desk.services, "heron", "Anna", None, "dmytro@players.example", GRETA)
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", "dmytro@players.example")
        assert person is not None
        assert person.name == "Dmytro"
        assert [seat.name for seat in await work.seats.list_of_person(person.id)] == [
            "Anna",
            "Dmytro",
        ]
    for address, code in (
        ("bartek@players.example", "already-seated"),
        ("orders@house.example", "bad-address"),
        ("nowhere", "bad-address"),
    ):
        assert (
            await refused(gm.replace(desk.services, "heron", "Anna", None, address, GRETA)) == code
        )
    assert (
        await refused(gm.replace(desk.services, "heron", "Zoë", None, OTTO, GRETA))
        == "unknown-seat"
    )
    assert (
        await refused(gm.replace(desk.services, "heron", "Anna", "P4", OTTO, GRETA)) == "bad-name"
    )
    assert (
        await refused(
            gm.replace(desk.services, "heron", "Anna", None, OTTO, GRETA, zone="Europe/Atlantis")
        )
        == "bad-zone"
    )


async def test_a_player_who_is_out_or_a_game_that_has_not_begun_takes_no_newcomer(
    desk: Desk,
) -> None:
    await gm.open_table(desk.services, gm.NewTable("egret", "Egret", PLAYED, {}, "UTC"), GRETA)
    assert (
        await refused(gm.replace(desk.services, "egret", "1", None, OTTO, GRETA)) == "not-running"
    )
    await to_orders(desk, 4)
    await gm.strike(desk.services, "heron", "Dmytro", "showed orders", GRETA)
    assert (
        await refused(gm.replace(desk.services, "heron", "Dmytro", None, OTTO, GRETA))
        == "eliminated"
    )


# ------------------------------------------------------------------------------------------- unlock
async def test_unlocked_orders_stand_and_can_be_changed_and_everybody_is_told(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 9. final")
    assert "final" in text_of(await desk.write("Anna", "bid 1")).lower()
    await gm.unlock(desk.services, "heron", "Anna", GRETA)
    await desk.work()
    assert await kinds_to(desk, "unlocked") == EVERYBODY
    assert not any(
        "9" in text_of(desk.last(name, "unlocked")).split("Code")[0] for name in ("Bartek", "Chloé")
    )
    assert "Bid 2" in text_of(await desk.write("Anna", "bid 2"))
    async with desk.services.database.read() as work:
        versions = [
            (row.source, row.canonical, row.final) for row in await work.orders.history(1, 1)
        ]
    assert versions[-2:] == [("gm", ("Bid 9",), False), ("mail", ("Bid 2",), False)]
    assert await refused(gm.unlock(desk.services, "heron", "Anna", GRETA)) == "not-final"
    assert await refused(gm.unlock(desk.services, "heron", "Bartek", GRETA)) == "not-final"
    assert ("game unlock", {"seat": "Anna", "phase": 1}, True) in await logged(desk)


async def test_nothing_is_unlocked_after_the_deadline(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 9. final")
    desk.clock.instant = (await phase_of(desk)).deadline
    desk.clock.forward(seconds=1)
    assert await refused(gm.unlock(desk.services, "heron", "Anna", GRETA)) == "too-late"


# ------------------------------------------------------------------------------------------- strike
async def test_a_strike_takes_the_seat_at_once_and_leaves_what_the_others_ordered(
    desk: Desk,
) -> None:
    await to_orders(desk, 4)
    await desk.write("Bartek", "Work P2")
    phase = await phase_of(desk)
    await gm.strike(desk.services, "heron", "Dmytro", "sent a picture of the orders around", GRETA)
    await desk.work()
    after = await phase_of(desk)
    assert (after.number, after.deadline, after.asked) == (2, phase.deadline, (1, 2, 3))
    assert (await seats_of(desk))["Dmytro"].status == "eliminated"
    assert [
        (row.phase_number, row.ordinal, row.actor, msgspec.json.decode(row.body))
        for row in await acts_of(desk)
    ] == [(2, 0, "gm", {"act": "strike", "player": 4})]
    for name in NAMES[:4]:
        assert "sent a picture of the orders around" in text_of(desk.last(name, "strike"))
        bulletin = desk.letters(name)[-1]
        assert "secret orders were shown to others" in " ".join(text_of(bulletin).split())
        assert any(part.get_content_maintype() == "image" for part in bulletin.walk())
    assert len(await kinds_to(desk, "strike")) == 5
    async with desk.services.database.read() as work:
        assert [row.canonical for row in await work.orders.latest(1, 2)] == [("Work, work! P2",)]
    assert (
        await refused(gm.strike(desk.services, "heron", "Dmytro", "again", GRETA)) == "eliminated"
    )
    assert await refused(gm.strike(desk.services, "heron", "Anna", "  ", GRETA)) == "no-text"
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_the_third_strike_over_all_games_is_told_to_the_game_master(desk: Desk) -> None:
    for number, slug in enumerate(("heron", "egret", "ibis"), start=1):
        await desk.open_game(4, slug=slug)
        await gm.strike(desk.services, slug, "Anna", "told everybody", GRETA)
        await desk.work()
        assert len(await kinds_to(desk, "third-strike")) == (number == 3)
    told = next(
        mail for mail in map(parse, desk.postbox.to(GM)) if "Three strikes" in str(mail["Subject"])
    )
    assert "Heron, Egret and Ibis" in " ".join(text_of(told).split())


async def test_a_roll_back_brings_the_player_back_and_leaves_the_strike_until_it_is_pardoned(
    desk: Desk,
) -> None:
    await desk.open_game(4)
    await gm.strike(desk.services, "heron", "Anna", "told everybody", GRETA)
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    assert (await seats_of(desk))["Anna"].status == "active", "back at the table"
    person = (await seats_of(desk))["Anna"].person_id
    assert person is not None
    async with desk.services.database.read() as work:
        assert await work.strikes.count_standing(person) == 1
    assert await gm.pardon(desk.services, "heron", "anna", "it was Bartek", GRETA) == 0
    await desk.work()
    assert len(await kinds_to(desk, "pardon")) == 5
    told = text_of(desk.last("Bartek", "no longer has the strike"))
    assert "it was Bartek" in told
    assert "Greta takes back the strike" in " ".join(told.split())
    assert ("game pardon", {"seat": "Anna", "reason": "it was Bartek"}, True) in await logged(desk)
    assert await refused(gm.pardon(desk.services, "heron", "Anna", "again", GRETA)) == "no-strike"
    assert await refused(gm.pardon(desk.services, "heron", "Anna", " ", GRETA)) == "no-text"
    assert await verify_game(desk.services, "heron") == []


async def test_a_strike_against_a_seat_that_stands_empty_is_nobodys(desk: Desk) -> None:
    await to_orders(desk, 4)
    async with desk.services.database.write() as work:
        assert await work.seats.replace_person(4, 1, None, desk.clock.now())
        assert await work.seats.change_status(4, "active", "left")
    await gm.strike(desk.services, "heron", "Dmytro", "told everybody", GRETA)
    async with desk.services.database.read() as work:
        assert await work.strikes.newest_standing([4]) is None
    assert (
        await refused(gm.pardon(desk.services, "heron", "Dmytro", "nobody did", GRETA))
        == "no-strike"
    )


async def strike_out(desk: Desk, name: str = "Anna") -> None:
    """Three games, and a strike in each."""
    for slug in ("heron", "egret", "ibis"):
        await desk.open_game(4, slug=slug)
        await gm.strike(desk.services, slug, name, "told everybody", GRETA)
    await desk.work()


async def test_whoever_has_three_strikes_is_neither_invited_nor_seated_by_a_game_master(
    desk: Desk,
) -> None:
    await strike_out(desk)
    anna = "anna@players.example"
    await gm.open_table(desk.services, gm.NewTable("crane", "Crane", PLAYED, {}, "UTC"), GRETA)
    assert await refused(gm.invite(desk.services, "crane", "Anna", anna, GRETA)) == "barred"
    await desk.open_game(3, slug="stork", names=("Emil", "Fenna", "Mei"))
    assert await refused(gm.replace(desk.services, "stork", "Emil", None, anna, GRETA)) == "barred"
    assert (await seats_of(desk))["Anna"].status == "eliminated"
    await gm.pardon(desk.services, "egret", "Anna", "it was somebody else", GRETA)
    await gm.invite(desk.services, "crane", "Anna", anna, GRETA)
    await gm.replace(desk.services, "stork", "Emil", None, anna, GRETA)


# ----------------------------------------------------------------------------- words to the players
async def test_an_announcement_reaches_everybody_and_the_game_masters(desk: Desk) -> None:
    await desk.open_game()
    await gm.announce(
        desk.services, "heron", "The deadline of Friday\nis a holiday in <Riga>.", GRETA
    )
    await gm.announce(desk.services, "heron", "And so is Monday.", GRETA)
    await desk.work()
    assert await kinds_to(desk, "announcement") == sorted(EVERYBODY * 2)
    assert "is a holiday in <Riga>." in text_of(desk.letters("Anna")[-2])
    assert await refused(gm.announce(desk.services, "heron", " \n ", GRETA)) == "no-text"
    assert await refused(gm.announce(desk.services, "heron", "x" * 4001, GRETA)) == "too-long"


async def test_a_note_is_answered_to_its_writer_alone_and_the_log_keeps_no_words(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: may I bid xylophones?")
    await gm.answer_note(desk.services, 1, "No marimbas either.", GRETA)
    await desk.work()
    assert await kinds_to(desk, "note-answer") == ["anna@players.example"]
    text = text_of(desk.letters("Anna")[-1])
    assert "may I bid xylophones?" in text
    assert "No marimbas either." in text
    log = await logged(desk)
    assert log[-1] == ("note answer", {"note": 1}, False)
    assert "marimba" not in str(log)
    for name in ("Bartek", "Chloé"):
        assert not any(re.search("xylophone|marimba", text_of(mail)) for mail in desk.letters(name))
    assert await refused(gm.answer_note(desk.services, 1, "twice", GRETA)) == "already-answered"
    assert await refused(gm.answer_note(desk.services, 9, "nobody", GRETA)) == "unknown-note"


async def test_a_note_of_somebody_who_left_is_not_answered_to_the_newcomer(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: between you and me")
    desk.clock.forward(minutes=1)
    await gm.replace(desk.services, "heron", "Anna", None, OTTO, GRETA)
    assert await refused(gm.answer_note(desk.services, 1, "I see", GRETA)) == "writer-gone"
    async with desk.services.database.read() as work:
        assert [note.id for note in await work.notes.list_by_state("passed")] == [1]


# --------------------------------------------------------------------------------------------- look
async def test_every_look_is_written_down_and_told_to_everybody_and_shows_nothing_in_either(
    desk: Desk,
) -> None:
    await desk.open_game()
    assert await gm.look(desk.services, "heron", "Anna", GRETA) == ()
    await desk.write("Anna", "bid 37")
    assert await gm.look(desk.services, "heron", "Anna", GRETA) == ("Bid 37",)
    await desk.work()
    assert await kinds_to(desk, "looked") == sorted(EVERYBODY * 2)
    told = text_of(desk.last("Bartek", "looked"))
    assert "Greta has looked at the orders of Anna" in " ".join(told.split())
    assert "37" not in told.split("Code")[0]
    assert [entry for entry in await logged(desk) if entry[0] == "game look"] == [
        ("game look", {"seat": "Anna", "phase": 1}, True)
    ] * 2


async def test_a_game_master_who_plays_sees_no_secrets_unless_the_table_allows_it(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 37")
    seat = (await seats_of(desk))["Bartek"]
    bartek = gm.By("Bartek", seat.person_id)
    assert await refused(gm.look(desk.services, "heron", "Anna", bartek)) == "plays-here"
    assert await kinds_to(desk, "looked") == []
    async with desk.services.database.write() as work:
        game = await work.games.find(1)
        assert game is not None
        await work.games.set_settings(
            1, encode_settings(msgspec.structs.replace(decode_settings(game), secrets=True))
        )
    assert await gm.look(desk.services, "heron", "Anna", bartek) == ("Bid 37",)


@pytest.mark.parametrize("number", [1, 2])
async def test_no_letter_to_the_table_tells_what_stands(desk: Desk, number: int) -> None:
    """Whatever the game master does at an open phase, secret orders stay with those who gave
    them.
    """
    await desk.open_game(4)
    await desk.write("Anna", "bid 43. final")
    quiet = len(desk.postbox.mails)
    await gm.unlock(desk.services, "heron", "Anna", GRETA)
    await gm.look(desk.services, "heron", "Anna", GRETA)
    await gm.pause(desk.services, "heron", GRETA)
    await gm.strike(desk.services, "heron", "Dmytro", "told", GRETA)
    await gm.replace(
        desk.services, "heron", "Bartek" if number == 1 else "Anna", "Otto", OTTO, GRETA
    )
    await gm.resume(desk.services, "heron", GRETA)
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    for mail in desk.postbox.mails[quiet:]:
        assert not re.search(r"\b43\b", text_of(parse(mail.raw))), mail.recipient
    async with desk.services.database.read() as work:
        told = await work.connection.execute(sa.select(tables.gm_log.c.detail))
        assert not any(re.search(r"\b43\b", str(detail)) for detail in told.scalars())


async def test_the_table_is_named_after_the_players_that_began(desk: Desk) -> None:
    await to_orders(desk)
    await gm.replace(desk.services, "heron", "Anna", "Otto", OTTO, GRETA)
    await desk.everybody_passes()
    assert tuple(await seats_of(desk)) == PLAYERS
    assert [player.name for player in (await state_of(desk, 3)).players] == list(PLAYERS)
    assert (await status_of(desk))[:2] == ("running", 3)
    assert "Anna" in text_of(await desk.write("Bartek", "status"))
