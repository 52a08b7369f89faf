"""F-99: calendar entries that hold no more are cancelled by the letters that go out anyway."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from icalendar import Calendar

from pbem.desk import gm
from pbem.desk.gm.seats import eject, remove
from tests.desk.commanding import GRETA, to_orders
from tests.desk.harness import Desk, parse
from tests.desk.lobby.test_resigning import resign
from tests.desk.looks import after, phase_of, status_of

PLAYERS = ("Anna", "Bartek", "Chloé")
OTTO = "otto@elsewhere.example"


def calendars(mail: EmailMessage) -> list[tuple[str, Any]]:
    """The method and the one entry of each calendar file; the part says the same method."""
    found: list[tuple[str, Any]] = []
    for part in mail.walk():
        if part.get_content_type() == "text/calendar":
            ics = part.get_payload(decode=True)
            assert isinstance(ics, bytes)
            calendar: Any = Calendar.from_ical(ics)
            assert calendar["method"] == part.get_param("method")
            (entry,) = calendar.walk("VEVENT")
            found.append((str(calendar["method"]), entry))
    return found


def cancelled(mail: EmailMessage) -> list[Any]:
    return [entry for method, entry in calendars(mail) if method == "CANCEL"]


def published(mail: EmailMessage) -> Any:
    (entry,) = [entry for method, entry in calendars(mail) if method == "PUBLISH"]
    return entry


def kept(mails: Iterable[EmailMessage], now: datetime) -> list[datetime]:
    """The deadlines to come in the calendar of a reader whose program follows RFC 5546: of an entry
    the greater SEQUENCE holds, and of equal ones the later DTSTAMP.
    """
    entries: dict[str, Any] = {}
    for mail in mails:
        for _method, entry in calendars(mail):
            known = entries.get(entry["uid"])
            if known is None or _rank(known) <= _rank(entry):
                entries[entry["uid"]] = entry
    deadlines = [
        entry.decoded("dtstart") for entry in entries.values() if entry["status"] == "CONFIRMED"
    ]
    return sorted(deadline for deadline in deadlines if deadline > now)


def _rank(entry: Any) -> tuple[int, datetime]:
    return int(entry["sequence"]), entry.decoded("dtstamp")


async def again(desk: Desk) -> EmailMessage:
    """The question that is sent once more."""
    question = desk.turn_mail("Anna")
    await desk.write("Anna", "resend", answering=question)
    return next(
        mail
        for mail in reversed(desk.letters("Anna"))
        if mail["Subject"] == question["Subject"] and mail is not question
    )


async def all_done(desk: Desk) -> None:
    for name in PLAYERS:
        await desk.write(name, "bid 3. final")


async def test_f99_an_early_close_cancels_the_entry_with_the_next_question(desk: Desk) -> None:
    await desk.open_game()
    before = {name: published(desk.turn_mail(name)) for name in PLAYERS}
    told = {name: len(desk.letters(name)) for name in PLAYERS}
    await all_done(desk)
    phase = await phase_of(desk)
    assert phase.number == 2
    for name in PLAYERS:
        question = desk.turn_mail(name)
        (entry,) = cancelled(question)
        assert (entry["uid"], entry["status"]) == (before[name]["uid"], "CANCELLED")
        assert entry["sequence"] == before[name]["sequence"] + 1
        assert entry["organizer"] == "mailto:" + desk.services.policy.address
        assert published(question)["uid"] != entry["uid"]
        assert kept(desk.letters(name), desk.clock.now()) == [phase.deadline]
        assert len(desk.letters(name)) == told[name] + 2, "a receipt, and the question"


async def test_f99_an_entry_that_came_to_its_deadline_is_not_cancelled(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    assert cancelled(desk.turn_mail("Anna")) == []


async def test_f99_after_a_moved_deadline_the_cancellation_counts_on(desk: Desk) -> None:
    await desk.open_game()
    first = await phase_of(desk)
    await gm.extend(desk.services, "heron", after(first, hours=6), GRETA)
    await all_done(desk)
    (entry,) = cancelled(desk.turn_mail("Anna"))
    assert entry["sequence"] == 2
    assert entry.decoded("dtstart") == after(first, hours=6)


async def test_f99_a_phase_that_the_game_master_closes_is_cancelled_once(desk: Desk) -> None:
    await desk.open_game()
    await gm.close_now(desk.services, "heron", 1, GRETA)
    desk.clock.forward(seconds=1)
    await desk.work()
    assert await status_of(desk) == ("running", 2, 0)
    assert len(cancelled(desk.last("Anna", "closed this phase early"))) == 1
    assert cancelled(desk.turn_mail("Anna")) == []
    assert kept(desk.letters("Anna"), desk.clock.now()) == [(await phase_of(desk)).deadline]


async def test_f99_a_roll_back_cancels_what_it_undoes(desk: Desk) -> None:
    await to_orders(desk)
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    for name in PLAYERS:
        assert kept(desk.letters(name), desk.clock.now()) == [(await phase_of(desk)).deadline]


async def test_f99_a_game_that_is_broken_off_leaves_no_entry(desk: Desk) -> None:
    await to_orders(desk)
    await gm.end(desk.services, "heron", GRETA, "too few are left")
    await desk.work()
    for name in PLAYERS:
        assert len(cancelled(desk.letters(name)[-1])) == 1
        assert kept(desk.letters(name), desk.clock.now()) == []


async def test_f99_a_game_that_ends_before_its_deadline_leaves_no_entry(desk: Desk) -> None:
    await to_orders(desk)
    await gm.apply_act(desk.services, "heron", {"act": "agree", "winners": [1]}, GRETA)
    await desk.work()
    assert (await status_of(desk))[0] == "over"
    for name in PLAYERS:
        assert len(cancelled(desk.letters(name)[-1])) == 1
        assert kept(desk.letters(name), desk.clock.now()) == []


async def test_f99_who_leaves_the_game_by_an_act_is_asked_no_more(desk: Desk) -> None:
    await to_orders(desk)
    deadline = (await phase_of(desk)).deadline
    await remove(desk.services, "heron", "Anna", "", GRETA)
    await desk.work()
    assert [kept(desk.letters(name), desk.clock.now()) for name in PLAYERS] == [
        [],
        [deadline],
        [deadline],
    ]


async def test_f99_a_clock_that_stands_still_cancels_and_asks_anew_when_it_goes_on(
    desk: Desk,
) -> None:
    await to_orders(desk)
    await gm.pause(desk.services, "heron", GRETA)
    await desk.work()
    assert kept(desk.letters("Anna"), desk.clock.now()) == []
    desk.clock.forward(hours=2)
    await gm.resume(desk.services, "heron", GRETA)
    await desk.work()
    assert kept(desk.letters("Anna"), desk.clock.now()) == [(await phase_of(desk)).deadline]


async def test_f99_who_is_replaced_loses_the_entry_and_the_newcomer_has_it(desk: Desk) -> None:
    await to_orders(desk)
    deadline = (await phase_of(desk)).deadline
    await gm.replace(desk.services, "heron", "Anna", None, OTTO, GRETA)
    await desk.work()
    assert kept(desk.letters("Anna"), desk.clock.now()) == []
    assert kept(map(parse, desk.postbox.to(OTTO)), desk.clock.now()) == [deadline]
    assert kept(desk.letters("Bartek"), desk.clock.now()) == [deadline]
    await gm.extend(desk.services, "heron", deadline + timedelta(hours=6), GRETA)
    await desk.work()
    for mails in (map(parse, desk.postbox.to(OTTO)), desk.letters("Bartek")):
        assert kept(mails, desk.clock.now()) == [deadline + timedelta(hours=6)]


async def test_f99_who_resigns_or_is_put_out_loses_the_entry(desk: Desk) -> None:
    await desk.open_game()
    await resign(desk, "Anna")
    await eject(desk.services, "heron", "Bartek", "", GRETA)
    await desk.work()
    assert [kept(desk.letters(name), desk.clock.now()) for name in PLAYERS] == [
        [],
        [],
        [(await phase_of(desk)).deadline],
    ]


async def test_f99_an_old_question_that_is_sent_again_brings_no_entry_back(desk: Desk) -> None:
    await desk.open_game()
    assert len(calendars(await again(desk))) == 1, "the entry of a question that is open"
    await gm.end(desk.services, "heron", GRETA, "too few are left")
    await desk.work()
    assert calendars(await again(desk)) == []
    assert kept(desk.letters("Anna"), desk.clock.now()) == []


async def test_f99_a_substitute_and_whose_seat_it_is_have_the_entry_in_turn(desk: Desk) -> None:
    await desk.open_game()
    until = "until 17 November 9:00"
    await desk.write("Anna", f"Wanda wanda@players.example plays for me {until}")
    await desk.write(
        "Wanda", "yes", answering=desk.last("Wanda", "Will you play for Anna"), dmarc=None
    )
    deadline, now = (await phase_of(desk)).deadline, desk.clock.now()
    assert kept(desk.letters("Anna"), now) == []
    assert kept(desk.letters("Wanda"), now) == [deadline]
    await desk.write("Anna", "I am back", answering=desk.last("Anna", "plays for you"))
    assert kept(desk.letters("Wanda"), now) == []
    assert kept(desk.letters("Anna"), now) == [deadline]
