"""Somebody plays for a player until a day: asked first, with a seat of their own for that time,
which goes back by itself, once.
"""

from datetime import timedelta
from pathlib import Path

from pbem.desk import gm
from pbem.desk.gm.history import end
from pbem.desk.gm.seats import Wanted, offer_seat, substitute
from pbem.desk.people.eligibility import read_reliability
from pbem.desk.phases.sweep import next_due_at
from tests.desk.chatting import labels, open_chat_desk
from tests.desk.commanding import refused
from tests.desk.gm_chat import bind, give_chats, says, seen
from tests.desk.harness import GM, Desk, address_of, text_of
from tests.desk.lobbies import code_of, game_of, to_gm, zone_of
from tests.desk.looks import kinds_to
from tests.desk.mastery import command, gm_last
from tests.desk.visitors import BY, flat, person_of, plays, seat_of, set_rules, subjects

UNTIL = "until 20 November 18:00"


async def standing_of(desk: Desk, seat: str) -> list[str]:
    """The canonical orders that stand for a seat in the open phase."""
    row = await seat_of(desk, seat)
    async with desk.services.database.read() as work:
        newest = await work.orders.newest(row.id, (await game_of(desk)).phase_number)
    return list(newest.canonical) if newest is not None and newest.tenure == row.tenure else []


async def let_wanda_play(
    desk: Desk, words: str = f"Wanda wanda@players.example plays for me {UNTIL}"
) -> None:
    await desk.write("Anna", words)
    await desk.write(
        "Wanda", "yes", answering=desk.last("Wanda", "Will you play for Anna"), dmarc=None
    )


async def pass_to(desk: Desk, days: float) -> None:
    desk.clock.instant += timedelta(days=days)
    await desk.work()


async def test_a_substitute_is_asked_plays_and_gives_the_seat_back_at_the_end_once(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 17")
    await desk.write("Anna", f"Wanda wanda@players.example plays for me {UNTIL}")
    assert "We have asked Wanda" in subjects(desk, "Anna")[-1]
    assert await plays(desk, "Anna") == address_of("Anna"), "nothing changes before the yes"
    await desk.write(
        "Wanda", "yes", answering=desk.last("Wanda", "Will you play for Anna"), dmarc=None
    )
    assert await plays(desk, "Anna") == address_of("Wanda")
    assert await standing_of(desk, "Anna") == [], (
        "what Anna had sent does not count, nor does Wanda get it"
    )
    assert "A substitute plays for Anna" in subjects(desk, "Bartek")[-1]
    assert "Wanda" not in flat(desk.letters("Bartek")[-1])
    welcome = flat(
        next(mail for mail in desk.letters("Wanda") if "you play Anna now" in str(mail["Subject"]))
    )
    assert "You play for another player" in welcome, "F-70: a substitute is told the end"
    assert "Then the seat goes back to them" in welcome
    assert "from now on it is yours" not in welcome
    assert "Wanda has your seat in Heron until" in flat(desk.last("Anna", "plays for you"))

    await desk.write("Wanda", "bid 5")
    assert await standing_of(desk, "Anna") == ["Bid 5"]
    await pass_to(desk, 6)
    assert await plays(desk, "Anna") == address_of("Anna")
    assert "Your time as a substitute is over" in subjects(desk, "Wanda")[-1]
    assert sum("Anna is back" in subject for subject in subjects(desk, "Bartek")) == 1
    before = len(subjects(desk, "Wanda"))
    await desk.write("Wanda", "bid 9", answering=desk.turn_mail("Wanda"))
    assert await standing_of(desk, "Anna") == []
    assert len(subjects(desk, "Wanda")) == before, "a code of a time that is over proves nothing"


async def test_whoever_is_away_is_told_who_plays_and_is_back_with_a_word_on_both_channels(
    desk: Desk,
) -> None:
    chats = give_chats(desk)
    await desk.open_game()
    await bind(desk, address_of("Anna"), 11)
    old = desk.turn_mail("Anna")
    await let_wanda_play(desk)
    await desk.write("Anna", "bid 17", answering=old, dmarc=None)
    told = flat(desk.last("Anna", "Wanda plays for you"))
    assert "We did not take your message: Wanda has your seat" in told
    assert await standing_of(desk, "Anna") == []
    await says(desk, 11, "bid 18")
    assert "We did not take your message: Wanda has your seat" in seen(chats, 11)[-1]
    await bind(desk, address_of("Wanda"), 12)
    await says(desk, 12, "bid 6")
    assert await standing_of(desk, "Anna") == ["Bid 6"], "what the substitute says in a chat counts"
    await says(desk, 11, "back")
    assert await plays(desk, "Anna") == address_of("Anna")
    assert await standing_of(desk, "Anna") == []
    await says(desk, 11, "bid 19")
    assert await standing_of(desk, "Anna") == ["Bid 19"]
    await pass_to(desk, 5)
    assert await plays(desk, "Anna") == address_of("Anna"), (
        "the end that was agreed does nothing any more"
    )


async def test_a_substitute_who_says_no_or_nothing_changes_nothing(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", f"Wanda wanda@players.example plays for me {UNTIL}")
    await desk.write("Wanda", "no", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert "Wanda cannot play" in subjects(desk, "Anna")[-1]
    await desk.write("Anna", f"substitute: Wilma wilma@players.example {UNTIL}")
    await pass_to(desk, 3.1)
    assert "Wilma cannot play" in " ".join(subjects(desk, "Anna"))
    await desk.write("Wilma", "yes", answering=desk.letters("Wilma")[0], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Anna")


async def test_the_seat_changes_hands_at_the_beginning_that_was_named(desk: Desk) -> None:
    await desk.open_game()
    await let_wanda_play(
        desk, "Wanda wanda@players.example plays for me from 18 November until 20 November"
    )
    assert await plays(desk, "Anna") == address_of("Anna")
    assert "Wanda will play" in subjects(desk, "Anna")[-1]
    due = await next_due_at(desk.services)
    assert due is not None
    await pass_to(desk, 2)
    assert await plays(desk, "Anna") == address_of("Wanda")
    await pass_to(desk, 3)
    assert await plays(desk, "Anna") == address_of("Anna")


async def test_a_substitute_who_resigns_or_is_ejected_gives_the_seat_back(desk: Desk) -> None:
    await desk.open_game()
    await let_wanda_play(desk)
    asked = await desk.write("Wanda", "resign")
    assert "the seat goes back to its player" in flat(asked)
    await desk.write("Wanda", "yes", answering=asked)
    assert await plays(desk, "Anna") == address_of("Anna")
    assert "Anna is back" in subjects(desk, "Bartek")[-1]
    assert not any("resigned" in subject for subject in subjects(desk, "Bartek"))
    await let_wanda_play(desk)
    asked_back = await command(desk, "eject Anna", answering=gm_last(desk))
    assert "substitute who plays for Anna" in " ".join(
        text_of(gm_last(desk, "Please confirm")).split()
    ), asked_back
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    assert await plays(desk, "Anna") == address_of("Anna")


async def test_a_game_master_asks_for_a_substitute_by_mail_and_is_told_of_the_answer(
    desk: Desk,
) -> None:
    await desk.open_game()
    await command(
        desk,
        f"heron: substitute Anna by Wanda wanda@players.example {UNTIL}",
        answering=gm_last(desk),
    )
    question = " ".join(text_of(gm_last(desk, "Please confirm")).split())
    assert "We ask Wanda (wanda@players.example) to play for Anna in Heron until" in question
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    assert "Will you play for Anna" in subjects(desk, "Wanda")[-1]
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    assert any("A substitute plays for Anna" in str(mail["Subject"]) for mail in to_gm(desk))
    log = flat(await desk.write("Bartek", "log"))
    assert "substitute found; seat Anna" in log
    assert "substitute asked for" not in log, "whom the game master asked is for the seat alone"
    assert "wanda@players.example" not in log


async def test_what_cannot_be_is_refused_to_a_game_master(desk: Desk) -> None:
    await desk.open_game()
    soon = desk.clock.now() + timedelta(days=2)

    async def ask(seat: str, address: str, *, days: float = 2) -> str:
        wanted = Wanted(address, desk.clock.now() + timedelta(days=days))
        return await refused(substitute(desk.services, "heron", seat, wanted, BY))

    assert await ask("Anna", address_of("Bartek")) == "plays-here"
    assert await ask("Anna", address_of("Anna")) == "plays-here"
    assert await ask("Anna", address_of("Wanda"), days=-1) == "bad-time"
    assert await ask("Anna", address_of("Wanda"), days=100) == "bad-time"
    assert await ask("Nobody", address_of("Wanda")) == "unknown-seat"
    await substitute(desk.services, "heron", "Anna", Wanted(address_of("Wanda"), soon), BY)
    assert await ask("Bartek", address_of("Wanda")) == "asked-already"
    await gm.replace(desk.services, "heron", "Bartek", "Wilma", address_of("Wilma"), BY)
    async with desk.services.database.write() as work:
        row = await seat_of(desk, "Bartek")
        await work.seats.replace_person(row.id, row.tenure, None, desk.clock.now())
        await work.seats.change_status(row.id, "active", "left")
    assert await ask("Bartek", address_of("Walter")) == "vacant"


async def test_what_was_sent_to_one_of_them_is_never_shown_to_the_other(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "press to Bartek: my xylophone is yours")
    await desk.write("Bartek", "press to Anna: and my marimba is yours")
    await desk.write("Anna", "bid 17\nGM: the bassoon is out of tune")
    await let_wanda_play(desk)
    for word in (
        *("resend", "history", "orders", "status", "resend all", "press", "log", "preview"),
    ):
        await desk.write("Wanda", word, answering=desk.turn_mail("Wanda"))
    await desk.write("Bartek", "press to Anna: a word about the timpani")
    everything = " ".join(text_of(mail) for mail in desk.letters("Wanda"))
    for word in ("xylophone", "marimba", "bassoon"):
        assert word not in everything
    assert "timpani" in everything, "press to the seat goes to whoever has it"
    assert "timpani" not in " ".join(text_of(mail) for mail in desk.letters("Anna"))
    await desk.write("Wanda", "bid 4\nGM: the celesta, too")
    await desk.write("Anna", "back", answering=desk.last("Anna", "plays for you"))
    for word in ("resend", "history", "orders", "status"):
        await desk.write("Anna", word)
    told = " ".join(text_of(mail) for mail in desk.letters("Anna"))
    assert "celesta" not in told
    assert "timpani" not in told
    assert "Bid 4" not in told


async def test_nobody_substitutes_who_knows_another_seat_or_answers_too_rarely(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", f"Bartek plays for me {UNTIL}")
    assert "We asked nobody" in subjects(desk, "Anna")[-1]
    await desk.write(
        "Anna", "Wanda wanda@players.example plays for me until 16 November 2026 08:00"
    )
    assert "is in the past" in flat(desk.letters("Anna")[-1])
    await gm.replace(desk.services, "heron", "Bartek", "Wilma", address_of("Wilma"), BY)
    await desk.work()
    await desk.write("Anna", f"Bartek bartek@players.example plays for me {UNTIL}")
    assert "knows its secrets" in flat(desk.letters("Anna")[-1])


async def test_whoever_replaces_a_substitute_has_the_seat_for_good(desk: Desk) -> None:
    await desk.open_game()
    await let_wanda_play(desk)
    await gm.replace(desk.services, "heron", "Anna", "Wilma", address_of("Wilma"), BY)
    await desk.work()
    assert await plays(desk, "Anna") == address_of("Wilma")
    for name in ("Anna", "Wanda"):
        assert (
            "no more letters" in flat(desk.letters(name)[-1])
            or "seat" in subjects(desk, name)[-1].lower()
        )
    await pass_to(desk, 6)
    assert await plays(desk, "Anna") == address_of("Wilma"), "the end that was agreed is off"


async def test_reliability_is_booked_to_whoever_had_the_seat_when_it_was_asked(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 1")
    await desk.everybody_passes()
    await let_wanda_play(desk, "Wanda wanda@players.example plays for me for 30 days")
    await desk.everybody_passes()
    await desk.everybody_passes()
    desk.clock.forward(minutes=1)
    await end(desk.services, "heron", BY)
    async with desk.services.database.read() as work:
        anna = await read_reliability(work, await person_of(desk, "Anna"))
        wanda = await read_reliability(work, await person_of(desk, "Wanda"))
    assert (anna.asked, anna.missed) == (1, 0)
    assert (wanda.asked, wanda.missed) == (1, 1), (
        "not the window that was half over when the seat became theirs"
    )


async def test_orders_in_time_count_though_the_service_slept_past_the_end(desk: Desk) -> None:
    await desk.open_game()
    await let_wanda_play(desk, "Wanda wanda@players.example plays for me for 3 days")
    await desk.write("Wanda", "bid 5")
    await pass_to(desk, 9)
    async with desk.services.database.read() as work:
        events = await work.events.list_of_phase(1, 1)
    assert any(
        '"amount":5' in event.body or "[1,5" in event.body or '"bid":5' in event.body
        for event in events
    ), [e.body for e in events]
    assert await plays(desk, "Anna") == address_of("Anna")


async def test_somebody_with_a_chat_alone_is_asked_there_and_says_yes_with_a_tap(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await set_rules(desk, nmr_count=1, nmr_then="substitute")
        await there.says(77, f"observe {await code_of(desk)}")
        await there.says(77, "I can substitute")
        for name, words in (("Bartek", "bid 1"), ("Chloé", "bid 2")):
            await desk.write(name, words)
        await desk.everybody_passes()
        await there.settle()
        question = next(
            posted
            for posted in reversed(there.box.to(77))
            if "Will you take the seat over" in " ".join(posted.text.split())
        )
        await there.taps(77, question, labels(question)[0])
        await there.settle()
        assert await plays(desk, "Anna") == "77"
        assert any(
            "Write your orders" in posted.text or "Anna" in posted.text
            for posted in there.box.to(77)[-2:]
        )
        await desk.write("Bartek", f"Phone77 plays for me {UNTIL}")
        assert "has or had a seat in Heron" in flat(desk.letters("Bartek")[-1])


async def test_a_game_master_looks_after_a_seat_from_the_chat(desk: Desk) -> None:
    chats = give_chats(desk)
    await desk.open_game()
    await bind(desk, GM, 1)
    await says(desk, 1, "heron: set people nmr 2 then defaults")
    assert "We tell everybody" in seen(chats, 1)[-1]
    await says(desk, 1, "heron: defaults Anna")
    assert any("nobody waits for it" in text for text in seen(chats, 1)[-3:])
    await says(desk, 1, f"heron: substitute Anna by Wanda wanda@players.example {UNTIL}")
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    await desk.write(
        "Wanda", "yes", answering=desk.last("Wanda", "Will you play for Anna"), dmarc=None
    )
    assert await plays(desk, "Anna") == address_of("Wanda")
    await says(desk, 1, "status heron")
    status = seen(chats, 1)[-1]
    assert "substitute for Anna until" in status or "for Anna until" in status
    assert "If a player misses 2 phases in a row" in status


async def test_f32_whoever_is_to_take_a_seat_is_asked_first_and_plays_only_after_a_yes(
    desk: Desk,
) -> None:
    await desk.open_game()
    await command(desk, "replace Anna with Otto otto@players.example, zone Oslo")
    asked = await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    assert "to take the seat of Anna" in " ".join(asked.split())
    assert subjects(desk, "Otto") == ["[Heron] Will you play for Anna?"], (
        "no letter of the game comes before the yes"
    )
    await desk.write("Otto", "bid 5", answering=desk.letters("Otto")[-1], dmarc=None)
    await desk.write("Anna", "bid 17")
    assert await plays(desk, "Anna") == address_of("Anna")
    assert await standing_of(desk, "Anna") == ["Bid 17"]
    await desk.write("Otto", "yes", answering=desk.letters("Otto")[0], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Otto")
    assert "Yes or no?" in subjects(desk, "Otto")[1]
    assert "you play Anna now" in subjects(desk, "Otto")[2]
    assert await kinds_to(desk, "unseated") == [address_of("Anna")]
    assert await zone_of(desk, "Otto") == "Europe/Oslo"
    assert await standing_of(desk, "Anna") == []


async def test_f32_a_no_leaves_the_seat_as_it_was_and_the_game_master_alone_is_told(
    desk: Desk,
) -> None:
    await desk.open_game()
    for answer in ("no", ""):
        await offer_seat(desk.services, "heron", "Anna", "Otto", address_of("Otto"), BY)
        await desk.work()
        before = len(desk.letters("Anna"))
        if answer:
            await desk.write("Otto", answer, answering=desk.letters("Otto")[-1], dmarc=None)
        else:
            await gm.extend(desk.services, "heron", desk.clock.now() + timedelta(days=9), BY)
            await desk.work()
            before = len(desk.letters("Anna"))
            await pass_to(desk, 3.1)
        assert await plays(desk, "Anna") == address_of("Anna")
        assert "Otto cannot play" in str(gm_last(desk)["Subject"])
        assert not [
            mail for mail in desk.letters("Anna")[before:] if "cannot play" in str(mail["Subject"])
        ]
    await offer_seat(desk.services, "heron", "Anna", "Otto", address_of("Otto"), BY)
    await desk.work()
    late = desk.letters("Otto")[-1]
    await gm.replace(desk.services, "heron", "Anna", "Wilma", address_of("Wilma"), BY)
    await desk.work()
    await desk.write("Otto", "yes", answering=late, dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wilma")
    assert "The seat has a player" in subjects(desk, "Otto")[-1]
