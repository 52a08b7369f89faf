"""What becomes of a player's mail, from the raw bytes to the receipt."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.desk.messages.receive import receive
from pbem.store import tables
from pbem.store.repositories.post.inbox import InboxState, NewMessage
from tests.desk.harness import GM, Desk, address_of, parse, text_of
from tests.played import PLAYED

STATES: tuple[InboxState, ...] = ("handled", "ignored", "shunted", "new")


async def orders_of(desk: Desk, name: str) -> tuple[str, ...]:
    async with desk.services.database.read() as work:
        game = (await work.games.list_by_status())[0]
        seat = next(seat for seat in await work.seats.list_of_game(game.id) if seat.name == name)
        row = await work.orders.newest(seat.id, game.phase_number)
    return row.canonical if row is not None else ()


async def outcomes(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        rows = [row for state in STATES for row in await work.inbox.list_by_state(state)]
    return [f"{row.state}:{row.outcome}" for row in sorted(rows, key=lambda row: row.id)]


async def test_an_order_in_plain_words_gets_a_receipt_in_canonical_words(desk: Desk) -> None:
    await desk.open_game()
    receipt = await desk.write("Anna", "Hi all! I bid twelve please. Thanks, Anna")
    assert "Bid 12" in text_of(receipt)
    assert await orders_of(desk, "Anna") == ("Bid 12",)


async def test_a_later_message_replaces_what_it_names(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 12")
    await desk.write("Anna", "bid 20")
    assert await orders_of(desk, "Anna") == ("Bid 20",)


async def test_everyone_final_closes_the_phase_early(desk: Desk) -> None:
    await desk.open_game()
    for name, bid in (("Anna", 3), ("Bartek", 2), ("Chloé", 1)):
        await desk.write(name, f"bid {bid}. final")
    async with desk.services.database.read() as work:
        game = (await work.games.list_by_status())[0]
    assert game.phase_number == 2
    assert any(
        "bid" in text_of(mail).lower() for mail in desk.letters("Mei") + desk.letters("Anna")
    )


async def test_what_follows_from_a_message_is_asked_for_at_once_without_the_sweep(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "bid 3. final")
    asking = await desk.write("Bartek", "bid 2. final", token=False, dmarc=None)
    await desk.write("Bartek", "yes", answering=asking, work=False)
    asked = await ids_of_new(desk)
    desk.jobs.asked.clear()
    await receive(desk.services, asked[-1])
    freed = await ids_of_new(desk)
    assert ("receive", tuple(freed)) in desk.jobs.asked
    await receive(desk.services, freed[0])
    assert ("close_phase", (1, 1)) in desk.jobs.asked


async def ids_of_new(desk: Desk) -> list[int]:
    async with desk.services.database.read() as work:
        return [row.id for row in await work.inbox.next_new(10)]


async def test_a_message_whose_bytes_were_dropped_is_laid_aside_and_the_next_one_handled(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3", work=False)
    async with desk.services.database.write() as work:
        await work.connection.execute(sa.update(tables.inbox).values(raw=None))
    await desk.write("Anna", "bid 4")
    assert await outcomes(desk) == ["ignored:bytes-dropped", "handled:orders"]
    assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_the_same_mail_twice_makes_one_receipt(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 5", message_id="<one@players.example>")
    count = len(desk.letters("Anna"))
    await desk.write(
        "Anna",
        "bid 5",
        message_id="<one@players.example>",
        answering=desk.turn_mail("Anna"),
        headers=[("X-Hop", "2")],
    )
    assert len(desk.letters("Anna")) == count
    assert (await outcomes(desk))[-1] == "ignored:copy"


async def test_a_mail_in_the_deadlines_own_second_is_in_time_and_the_next_is_late(
    desk: Desk,
) -> None:
    await desk.open_game()
    async with desk.services.database.read() as work:
        phase = (await work.phases.list_running())[0]
    desk.clock.instant = phase.deadline + timedelta(milliseconds=800)
    await desk.write("Anna", "bid 7", received_at=phase.deadline)
    assert await orders_of(desk, "Anna") == ("Bid 7",)
    late = desk.turn_mail("Bartek")
    desk.clock.instant = phase.deadline + timedelta(seconds=1)
    await desk.write("Bartek", "bid 9", answering=late, work=False)
    await desk.work()
    desk.clock.forward(seconds=2)
    await desk.work()
    assert "handled:wrong-phase" in await outcomes(desk)
    async with desk.services.database.read() as work:
        rows = await work.orders.latest(phase.game_id, phase.number)
    assert [row.canonical for row in rows] == [("Bid 7",)]


async def test_orders_with_an_earlier_phases_code_are_refused_and_words_work(desk: Desk) -> None:
    await desk.open_game()
    old = desk.turn_mail("Anna")
    await desk.everybody_passes()
    answer = await desk.write("Anna", "bid 9", answering=old)
    assert await orders_of(desk, "Anna") == ()
    assert "orders" in text_of(answer).lower()
    await desk.write("Anna", "status", answering=old)
    assert (await outcomes(desk))[-2:] == ["handled:wrong-phase", "handled:answered"]


@pytest.mark.parametrize(
    ("headers", "outcome"),
    [
        ([("Auto-Submitted", "auto-replied")], "ignored:automatic"),
        ([("Precedence", "bulk")], "ignored:automatic"),
        ([("List-Id", "<l.example>")], "ignored:automatic"),
    ],
)
async def test_automatic_mail_is_never_answered(
    desk: Desk, headers: list[tuple[str, str]], outcome: str
) -> None:
    await desk.open_game()
    count = len(desk.postbox.mails)
    is_of_list = headers[0][0] == "List-Id"  # with a code its player is told (F-99)
    await desk.write("Anna", "bid 5", headers=headers, token=not is_of_list)
    assert len(desk.postbox.mails) == count
    assert (await outcomes(desk))[-1].startswith(outcome)
    assert await orders_of(desk, "Anna") == ()


async def test_a_stranger_is_logged_and_never_answered(desk: Desk) -> None:
    await desk.open_game()
    count = len(desk.postbox.mails)
    await desk.write("Anna", "bid 5", token=False, sender="eve@elsewhere.example")
    assert len(desk.postbox.mails) == count
    assert (await outcomes(desk))[-1] == "ignored:stranger:unknown-sender"


async def test_a_forwarded_code_is_told_to_the_registered_player_who_alone_can_confirm_it(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 6", sender="anna@work.example")
    told = desk.letters("Anna")[-1]
    assert "anna@work.example" in text_of(told)
    assert desk.postbox.to("anna@work.example") == []
    await desk.write("Anna", "yes", sender="anna@work.example")
    assert await orders_of(desk, "Anna") == (), "who has the code alone cannot say yes"
    await desk.write("Anna", "no", answering=told)
    await desk.write("Anna", "yes", answering=told)
    assert await orders_of(desk, "Anna") == ()


async def test_a_refused_confirmation_throws_the_mails_away(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 6", token=False, dmarc=None)
    asking = next(mail for mail in desk.letters("Anna") if "bid 6" in text_of(mail))
    await desk.write("Anna", "no", answering=asking)
    assert await orders_of(desk, "Anna") == ()
    await desk.write("Anna", "yes", answering=asking)
    assert await orders_of(desk, "Anna") == ()


async def test_a_suggestion_is_taken_only_by_answering_its_receipt(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    rules = desk.services.games[PLAYED].ruleset
    async with desk.services.database.read() as work:
        game = (await work.games.list_by_status())[0]
        row = await work.states.find(game.id, game.phase_number)
    assert row is not None
    view: Any = rules.view(rules.decode_state(row.body), 1)
    mine = view.player(1).start
    receipt = await desk.write("Anna", f"frotfiy P{mine}")
    assert "Did you mean" in " ".join(text_of(receipt).split())
    assert await orders_of(desk, "Anna") == ()
    await desk.write("Anna", "yes", answering=receipt)
    assert await orders_of(desk, "Anna") == (f"Fortify! P{mine}",)


async def test_a_message_without_an_order_goes_to_the_game_master(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "What a lovely map, who drew it? I might be late this week.")
    passed = [parse(raw) for raw in desk.postbox.to(GM)]
    assert any("lovely map" in text_of(mail) for mail in passed)
    assert (await outcomes(desk))[-1] == "handled:note"


async def test_an_empty_mail_is_answered_and_passes_nothing_on(desk: Desk) -> None:
    await desk.open_game()
    count = len(desk.postbox.to(GM))
    await desk.write("Anna", "\n\n-- \nAnna")
    assert len(desk.postbox.to(GM)) == count
    assert (await outcomes(desk))[-1] == "handled:empty"


async def test_an_unexpected_exception_shunts_the_message_and_not_the_next(desk: Desk) -> None:
    await desk.open_game()
    async with desk.services.database.write() as work:
        bad = await work.inbox.add_once(
            NewMessage(
                channel="mail",
                message_key="|x",
                raw=b"From: a@b.example\r\n\r\nhi",
                received_at=desk.clock.now(),
                stored_at=desk.clock.now(),
                facts="[]",
            )
        )
    await desk.write("Anna", "bid 5")
    assert (await outcomes(desk)) == ["shunted:unexpected-error", "handled:orders"]
    assert bad is not None
    async with desk.services.database.write() as work:
        assert await work.inbox.requeue(bad, facts="{}")
    await desk.work()
    assert (await outcomes(desk))[0] == "ignored:stranger:unknown-sender"


async def test_a_letter_names_each_message_of_its_thread_once(desk: Desk) -> None:
    """RFC 5322 3.6.4: what an answer refers to is its parent's thread, and the parent."""
    await desk.open_game()
    first, second = await desk.write("Anna", "bid 5"), None
    if first is not None:
        second = await desk.write("Anna", "bid 6", answering=first)
    assert second is not None
    named = str(second["References"]).split()
    assert len(named) == len({*named}) >= 5
    assert named[-1] == str(second["In-Reply-To"])


async def test_every_letter_has_one_recipient_and_answers_to_a_code(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 5")
    for outbound in desk.postbox.mails:
        mail = parse(outbound.raw)
        assert [mail["To"].addresses[0].addr_spec] == [outbound.recipient]
        assert mail["Cc"] is None
        assert mail["Bcc"] is None
        assert mail["Auto-Submitted"] in ("auto-generated", "auto-replied")
    assert str(desk.turn_mail("Anna")["Reply-To"]).startswith("orders+o")
    assert desk.last("Anna")["In-Reply-To"] is not None
    assert address_of("Anna") == "anna@players.example"
