"""Lanes of intake: players first, then confirmations, then strangers within a budget; and what a
close waits for.
"""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.desk.envelope.message import (
    CONFIRMATIONS,
    MAIL,
    PLAYERS,
    STRANGERS,
    STRANGERS_HOLD,
    Budget,
)
from pbem.desk.letters.deliver import deliver
from pbem.desk.messages.intake import mail_lanes, store_updates
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.sweep import sweep
from pbem.store.repositories.post.inbox import InboxRow, NewMessage
from pbem.store.tables import addresses, inbox
from pbem.telegram.ports import StoredUpdate
from tests.desk.dates import NOON
from tests.desk.harness import GM, Desk, address_of, open_desk, parse, text_of
from tests.desk.looks import kinds_to

SPAM = b"From: Eve <eve@elsewhere.example>\r\nTo: orders@house.example\r\nSubject: hello\r\n\r\nbuy now\r\n"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        yield desk


async def flood(desk: Desk, count: int, *, senders: int = 1) -> int:
    """So many stored mails of strangers; the id of the first."""
    now = desk.clock.now()
    row = {
        "channel": MAIL,
        "raw": SPAM,
        "received_at": now,
        "stored_at": now,
        "state": "new",
        "attempts": 0,
        "facts": "{}",
        "lane": STRANGERS,
    }
    rows = [
        row
        | {"message_key": f"spam {number}", "sender": f"?eve{number % senders}@elsewhere.example"}
        for number in range(count)
    ]
    async with desk.services.database.write() as work:
        await work.connection.execute(inbox.insert(), rows)
        return (await work.inbox.next_new(1, bound=None))[0].id


async def waiting(desk: Desk) -> list[InboxRow]:
    async with desk.services.database.read() as work:
        return await work.inbox.next_new(5000)


async def states(desk: Desk) -> dict[str, int]:
    async with desk.services.database.read() as work:
        return await work.inbox.count_by_state()


async def test_f14_a_player_is_handled_before_two_thousand_mails_of_a_stranger_stored_before(
    desk: Desk,
) -> None:
    """F-14: 2,000 mails of a stranger made a player wait for two minutes."""
    first = await flood(desk, 2000)
    await desk.write("Anna", "bid 7", work=False)
    await receive(desk.services, first)
    assert await states(desk) == {"handled": 1, "ignored": 1, "new": 1999}, (
        "the player's, and only then the stranger's that was asked for"
    )
    await receive(desk.services, first)
    assert (await states(desk))["new"] == 1999, "what is done already asks for nobody else's"
    async with desk.services.database.read() as work:
        (receipt,) = await work.outbox.due_ids(desk.clock.now(), 9)
    await deliver(desk.services, receipt)
    assert "Bid 7" in text_of(desk.letters("Anna")[-1])


@pytest.mark.parametrize(("senders", "handled"), [(1, 20), (100, 60)])
async def test_f14_strangers_have_a_budget_a_minute_and_nothing_over_it_is_lost(
    desk: Desk, senders: int, handled: int
) -> None:
    await flood(desk, 200, senders=senders)
    for minute in (1, 2, 3):
        await desk.work()
        assert await states(desk) == {"ignored": handled * minute, "new": 200 - handled * minute}
        await desk.work()
        assert (await states(desk))["ignored"] == handled * minute
        desk.clock.forward(minutes=1)


async def test_f14_a_player_with_a_name_of_the_flood_is_not_held_by_its_budget(desk: Desk) -> None:
    desk.services.intake.strangers.spend(desk.clock.now(), address_of("Anna"))
    for _ in range(60):
        desk.services.intake.strangers.spend(desk.clock.now(), address_of("Anna"))
    await desk.write("Anna", "bid 7")
    assert "Bid 7" in text_of(desk.letters("Anna")[-1])


@pytest.mark.parametrize(
    ("token", "dmarc", "sender", "lane", "key"),
    [
        (True, None, None, PLAYERS, "anna@players.example"),
        (True, "pass", None, PLAYERS, "anna@players.example"),
        (False, "pass", None, PLAYERS, "anna@players.example"),
        (False, None, None, CONFIRMATIONS, "?anna@players.example"),
        (True, "fail", None, CONFIRMATIONS, "?anna@players.example"),
        (True, None, "anna@work.example", CONFIRMATIONS, "anna@work.example"),
        (False, "pass", "eve@elsewhere.example", STRANGERS, "eve@elsewhere.example"),
        (False, None, "eve@elsewhere.example", STRANGERS, "?eve@elsewhere.example"),
        (False, None, "not, an address", STRANGERS, ""),
    ],
)
async def test_f14_the_lane_is_judged_from_the_head_of_a_mail(
    desk: Desk, token: bool, dmarc: str | None, sender: str | None, lane: int, key: str
) -> None:
    await desk.write("Anna", "bid 10", token=token, dmarc=dmarc, sender=sender, work=False)
    (row,) = await waiting(desk)
    assert (row.lane, row.sender) == (lane, key)
    await desk.work()
    assert await waiting(desk) == []
    async with desk.services.database.read() as work:
        settled = await work.inbox.find(row.id)
    assert settled is not None
    assert settled.sender == "", "who wrote is kept as long as a message waits"


async def test_f14_a_forged_flood_in_a_players_name_falls_back_behind_confirmations(
    desk: Desk,
) -> None:
    for _ in range(22):
        await desk.write("Anna", "bid 0", token=False, dmarc=None, work=False)
    await desk.write("Anna", "bid 7", work=False)
    rows = await waiting(desk)
    assert [row.lane for row in rows] == [PLAYERS] + 20 * [CONFIRMATIONS] + 2 * [STRANGERS]
    assert rows[0].sender == address_of("Anna")


async def test_f14_what_one_hand_wrote_keeps_its_order_whatever_the_lanes(desk: Desk) -> None:
    """A yes (to be confirmed) and a correction (proven), in this order: the yes goes first."""
    await desk.write("Anna", "bid 5", token=False, dmarc=None)
    question = desk.last("Anna", "did you write")
    await desk.write("Bartek", "bid 1", work=False)
    await desk.write("Anna", "yes", answering=question, dmarc=None, work=False)
    before = await waiting(desk)
    assert [row.lane for row in before] == [PLAYERS, CONFIRMATIONS]
    await desk.write("Anna", "bid 9", answering=desk.turn_mail("Anna"), dmarc=None, work=False)
    assert [(row.id, row.lane) for row in await waiting(desk)] == [
        (row.id, PLAYERS) for row in before
    ] + [(before[-1].id + 1, PLAYERS)]
    await desk.work()
    async with desk.services.database.read() as work:
        seat = (await work.seats.list_of_game(1))[0]
        versions = await work.orders.history(seat.id, 1)
    assert [row.canonical[0] for row in versions] == ["Bid 5", "Bid 9"]


async def test_f14_a_flood_of_strangers_holds_up_a_close_for_a_minute_and_no_longer(
    desk: Desk,
) -> None:
    async with desk.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    desk.clock.instant = phase.deadline - timedelta(minutes=1)
    await flood(desk, 500)
    desk.clock.instant = phase.deadline + timedelta(seconds=10)
    await desk.work()
    assert await number(desk) == 1, "it waits a little: somebody may become known meanwhile"
    desk.clock.instant = phase.deadline + timedelta(seconds=62)
    await desk.work()
    assert await number(desk) == 2
    assert (await states(desk))["new"] > 400, (
        "what strangers wrote is not lost, and is handled later"
    )


async def test_f14_a_close_waits_for_every_message_of_a_player_behind_a_flood(desk: Desk) -> None:
    async with desk.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    desk.clock.instant = phase.deadline - timedelta(minutes=1)
    await flood(desk, 100)
    await desk.write("Anna", "bid 7", work=False)
    desk.clock.instant = phase.deadline + timedelta(minutes=5)
    await desk.work()
    async with desk.services.database.read() as work:
        seat = (await work.seats.list_of_game(1))[0]
        assert len(await work.orders.history(seat.id, 1)) == 1
    assert await number(desk) == 2


async def test_f14_whoever_became_known_while_they_waited_is_a_stranger_no_more(desk: Desk) -> None:
    async with desk.services.database.write() as work:
        for number_ in range(2):
            await work.inbox.add_once(
                NewMessage(
                    channel=MAIL,
                    message_key=f"early {number_}",
                    raw=SPAM,
                    received_at=desk.clock.now(),
                    stored_at=desk.clock.now(),
                    lane=STRANGERS,
                    sender=f"guest{number_}@players.example",
                )
            )
        person = await work.people.add(
            name="Guest", locale="", time_zone="UTC", created_at=desk.clock.now()
        )
        await work.people.add_address(person, MAIL, "guest1@players.example", "confirmed")
    await sweep(desk.services)
    assert [(row.sender, row.lane) for row in await waiting(desk)] == [
        ("guest1@players.example", PLAYERS),
        ("guest0@players.example", STRANGERS),
    ]
    async with desk.services.database.write() as work:
        await work.people.add_address(person, MAIL, "guest0@players.example", "confirmed")
        (phase,) = await work.phases.list_running()
    desk.clock.instant = phase.deadline + STRANGERS_HOLD + timedelta(seconds=2)
    await receive(desk.services, (await waiting(desk))[0].id)
    await close_phase(desk.services, 1, 1)
    assert await number(desk) == 1, "nor does a close leave them behind that no sweep has seen"


def test_a_budget_is_for_each_and_in_sum_and_comes_back_with_time() -> None:
    budget, now = Budget(each=2, in_sum=3), NOON
    assert budget.exhausted(now) == frozenset()
    budget.spend(now, "a")
    budget.spend(now, "a")
    assert budget.exhausted(now) == frozenset({"a"})
    budget.spend(now, "b")
    assert budget.exhausted(now) is None
    assert budget.exhausted(now + timedelta(minutes=1)) == frozenset()


async def number(desk: Desk) -> int:
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    return game.phase_number


async def test_f14_the_heads_on_the_server_are_judged_as_the_mails_will_be(desk: Desk) -> None:
    await desk.write("Anna", "bid 5", answering=desk.turn_mail("Anna"), work=False)
    async with desk.services.database.read() as work:
        (row,) = await work.inbox.next_new(10)
        raw = await work.inbox.read_raw(row.id) or b""
    head = raw[: raw.index(b"bid 5")]
    forged = SPAM.replace(b"eve@elsewhere", b"anna@players")
    lanes = mail_lanes(desk.services)
    assert (row.lane, lanes.bound) == (PLAYERS, STRANGERS)
    assert await lanes.judge([SPAM, forged, head, SPAM]) == [
        (STRANGERS, "?eve@elsewhere.example"),
        (CONFIRMATIONS, "?anna@players.example"),
        (PLAYERS, row.sender),
        (STRANGERS, "?eve@elsewhere.example"),
    ]


async def test_f14_a_code_counts_for_a_lane_where_it_will_prove_something(desk: Desk) -> None:
    """From an address that is confirmed, in the seat's or the master's own time, behind others."""
    anna = address_of("Anna")
    codes = {anna: desk.turn_mail("Anna"), GM: parse(desk.postbox.to(GM)[-1])}
    forged = f"orders+o2-1-{'a' * 26}@house.example"
    heads = [
        f"From: {who}\r\nTo: {forged}, {mail['Reply-To']}\r\n\r\n".encode()
        for who, mail in codes.items()
    ]
    judge, people = mail_lanes(desk.services).judge, addresses.update()
    assert await judge(heads) == [(PLAYERS, anna), (PLAYERS, GM)]
    async with desk.services.database.write() as work:
        await work.connection.execute(people.values(state="unconfirmed"))
    assert await judge(heads) == [(CONFIRMATIONS, anna), (CONFIRMATIONS, GM)]
    async with desk.services.database.write() as work:
        await work.connection.execute(people.values(state="confirmed"))
        (seat, *_), (master, *_) = await work.seats.list_of_game(1), await work.masters.list_all()
        for tenure, person in ((0, None), (1, seat.person_id)):
            await work.seats.replace_person(seat.id, seat.tenure + tenure, person, NOON)
        await work.masters.renew(master.person_id)
    assert await judge(heads) == [(CONFIRMATIONS, f"?{anna}"), (CONFIRMATIONS, f"?{GM}")]


async def test_f14_a_mailbox_full_of_strangers_holds_up_a_close_for_a_minute_and_tells_nobody(
    desk: Desk,
) -> None:
    """The mailbox is read but for a flood: a drain returns a minute before now."""
    async with desk.services.database.read() as work:
        (phase,) = await work.phases.list_running()
    desk.mailbox.behind = STRANGERS_HOLD
    for seconds, expected in ((10, 1), (50, 1), (62, 2)):
        desk.clock.instant = phase.deadline + timedelta(seconds=seconds)
        await desk.work()
        assert await number(desk) == expected
        assert await kinds_to(desk, "held") == []


async def test_f14_a_hundred_updates_of_an_answer_are_one_transaction(desk: Desk) -> None:
    """F-14: 600 chat updates of a stranger made a player wait for 45 s."""
    commits: list[object] = []
    sa.event.listen(desk.services.database.writer.sync_engine, "commit", commits.append)
    stranger = {"id": 7, "first_name": "Eve"}

    def update(number: int) -> StoredUpdate:
        said = {
            "message_id": number,
            "date": 0,
            "chat": {"id": 7, "type": "private"},
            "from": stranger,
            "text": "hello",
        }
        return StoredUpdate(
            number, json.dumps({"update_id": number, "message": said}).encode(), desk.clock.now()
        )

    bent = StoredUpdate(50, b'{"update_id":50,"message":nil}', desk.clock.now())
    updates = [bent if number == 50 else update(number) for number in range(1, 101)]
    await store_updates(desk.services, updates)
    assert len(commits) == 1
    await store_updates(desk.services, updates[90:])
    assert [(row.lane, row.message_key.partition("|")[0]) for row in await waiting(desk)] == [
        (STRANGERS, str(number)) for number in range(1, 101)
    ]


async def test_an_update_counts_from_when_it_was_said_never_later_and_a_number_may_come_again(
    desk: Desk,
) -> None:
    now = desk.clock.now().replace(microsecond=0)
    for hours in (-1, 1):
        said = {
            "message_id": 1,
            "date": int((now + timedelta(hours=hours)).timestamp()),
            "chat": {"id": 7, "type": "private"},
            "from": {"id": 7, "first_name": "Eve"},
            "text": "hello",
        }
        raw = json.dumps({"update_id": 1, "message": said}).encode()
        await store_updates(desk.services, [StoredUpdate(1, raw, now)])
    assert [row.received_at for row in await waiting(desk)] == [now - timedelta(hours=1), now]
