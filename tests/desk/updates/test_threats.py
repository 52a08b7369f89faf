"""What people try on Telegram: other people's names, buttons and links, orders where everybody
reads along, and floods.

Who holds which threat:

- 16 (impersonation): `test_linking` (every kind of message that is somebody else's), and here
  names and links alone;
- 17 (forged taps): `test_taps` (orders: forged, foreign, late, doubled),
  `test_mastering_chat` (a game master's buttons), and here every button of a table in every hand;
- 18 (forged webhook): `tests/telegram/test_webhook.py`;
- 22 (orders before everybody's eyes): `test_tables` (refused in private, with the message),
  and here the other ways to say them;
- 24 (who has ordered): `test_taps`, `test_two_channels`,
  `tests/house/test_table_of_eight.py`;
- 33 (limits, 429, blocked): `test_deliver_chat`, `tests/telegram/test_pacing.py`,
  `test_sender.py`, and here floods by one and by many.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.desk.envelope import answers as limits
from pbem.desk.envelope.answers import Limit
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters import queue
from pbem.desk.messages.intake import store_update
from pbem.desk.updates import taps
from pbem.store import tables
from pbem.telegram.ports import StoredUpdate
from tests.desk.chatting import GROUP, ChatDesk, address_states, labels, open_chat_desk
from tests.desk.gm_chat import bind
from tests.desk.harness import GM, text_of
from tests.desk.lobbies import code_of
from tests.desk.mastery import gm_last
from tests.desk.timekeeping import set_settings

ANNA, BEN, EVE, GRETA = 11, 12, 66, 77
A_FEW = 5
ACTING = (
    *("orders", "ballots", "motions", "outbox", "phases", "pending", "gm_log", "seats"),
    *("addresses", "waits", "press", "notes"),
)


async def counts(there: ChatDesk) -> dict[str, int]:
    """How many rows there are of all that somebody could bring about."""
    async with there.desk.services.database.read() as work:
        return {
            name: int(
                (
                    await work.connection.execute(
                        sa.select(sa.func.count()).select_from(tables.metadata.tables[name])
                    )
                ).scalar_one()
            )
            for name in ACTING
        }


async def bid_of(there: ChatDesk, number: int) -> tuple[str, ...]:
    async with there.desk.services.database.read() as work:
        seats = await work.seats.list_of_game(1)
        newest = await work.orders.newest(seats[number - 1].id, 1)
    return newest.canonical if newest is not None else ()


async def test_a_name_is_no_proof_whoever_bears_it(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        before = await counts(there)
        words = (
            *("bid 9", "resign", "heron: bid 9", "/start my_1", "/orders", "vote yes"),
            *("extend heron by 24h", "/unlink"),
        )
        for user, text in enumerate(words, EVE):
            posing: dict[str, Any] = {
                "from": {"id": user, "is_bot": False, "first_name": "Anna", "username": "Phone11"}
            }
            await there.says(user, text, **posing)
            assert len(there.box.to(user)) == 1, text
            assert not {"heron", "bartek"} & set(there.last(user).text.casefold().split()), text
        after = await counts(there)
        assert {name for name in after if after[name] != before[name]} == {"outbox"}
        assert await address_states(there) == {str(ANNA): "Anna"}


async def test_the_code_of_a_table_that_has_begun_tells_nothing_and_seats_nobody(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        code = await code_of(there.desk)
        await there.says(EVE, f"/start join_{code}")
        assert await address_states(there) == {}
        for shown in there.box.to(EVE):
            assert "Anna" not in shown.text
            assert "Bartek" not in shown.text
        async with there.desk.services.database.read() as work:
            assert len(await work.seats.list_of_game(1)) == 2


async def buttons_of_all_kinds(there: ChatDesk) -> None:
    """Menus, suggestions, a vote, the next steps of a game master and a question of theirs."""
    for name, user in (("Anna", ANNA), ("Bartek", BEN)):
        await there.link(name, user)
        await there.says(user, "bidd 9")
        await there.says(user, "/orders")
        await there.taps(user, there.last(user), "Bid")
    await bind(there.desk, GM, GRETA)
    await set_settings(there.desk, extensions="vote")
    await there.says(ANNA, "more time")
    await there.says(GRETA, "status heron")


async def test_every_button_is_nothing_in_any_other_hand(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await buttons_of_all_kinds(there)
        async with there.desk.services.database.read() as work:
            taps = (
                await work.connection.execute(
                    sa.select(tables.taps.c.code, tables.taps.c.person_id)
                )
            ).all()
            people = {
                row.address: row.person_id
                for row in await work.people.list_addresses_of(range(1, 20))
                if row.channel == TELEGRAM
            }
        assert len({tap.person_id for tap in taps}) == 3
        before = await counts(there)
        tried = 0
        for number, (code, owner) in enumerate(taps):
            others = [user for user in (ANNA, BEN, GRETA) if people[str(user)] != owner]
            for user in (others[number % 2], EVE):
                answer = await there.forges(user, code)
                assert answer.alert, (code, user)
                tried += 1
        assert tried > 3 * A_FEW
        assert await counts(there) == before


async def test_a_button_to_vote_is_worthless_once_the_vote_is_over(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=3) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        await set_settings(there.desk, extensions="vote")
        await there.says(ANNA, "more time")
        question = next(message for message in there.box.to(BEN) if "Yes" in labels(message))
        codes = {button.text: button.data or "" for line in question.buttons for button in line}
        there.desk.clock.forward(hours=23)
        await there.settle()
        before = await counts(there)
        await there.forges(BEN, codes["Yes"], question.message_id)
        after = await counts(there)
        assert {name for name in after if after[name] != before[name]} <= {"outbox"}


def ways_to_say_it_in_a_group() -> Iterator[tuple[str, str, dict[str, Any]]]:
    place = {"id": GROUP, "type": "group", "title": "The Realm at night"}
    yield "message", "/orders@realm_bot bid 9", {}
    yield "message", "heron: bid 9", {}
    yield "message", "@realm_bot bid 9", {}
    yield "edited_message", "bid 9", {"edit_date": 2_000_000_000}
    yield "message", "bid 9", {"reply_to_message": {"message_id": 1, "chat": place, "date": 1}}
    yield (
        "message",
        "bid 9",
        {"sender_chat": place, "from": {"id": 1087968824, "is_bot": True, "first_name": "Group"}},
    )
    yield (
        "message",
        "bid 9",
        {"forward_origin": {"type": "hidden_user", "sender_user_name": "Anna", "date": 0}},
    )


async def test_orders_before_everybodys_eyes_are_never_taken_however_they_are_said(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        async with there.desk.services.database.write() as work:
            chat_id = await work.chats.put(
                TELEGRAM, str(GROUP), title="Heron", state="active", since=there.desk.clock.now()
            )
            await work.chats.belong(chat_id, 1)
        for number, (kind, text, fields) in enumerate(ways_to_say_it_in_a_group()):
            place = {"id": GROUP, "type": "group", "title": "The Realm at night"}
            message = {
                "message_id": 500 + number,
                "chat": place,
                "date": int(there.desk.clock.now().timestamp()),
                "text": text,
            }
            await there.bring(
                kind,
                message | {"from": {"id": ANNA, "is_bot": False, "first_name": "Anna"}} | fields,
            )
            assert await bid_of(there, 1) == (), text
        assert there.box.to(GROUP) == [], "nothing is said where everybody reads along"
        scolded = [message for message in there.box.to(ANNA) if "Orders only here" in message.text]
        assert 1 <= len(scolded) <= 5
        assert all("bid 9" in message.text for message in scolded)


async def test_a_player_is_told_once_a_day_that_what_is_forwarded_is_not_taken_and_a_stranger_never(
    tmp_path: Path,
) -> None:
    forwarded: dict[str, Any] = {
        "forward_origin": {"type": "hidden_user", "sender_user_name": "Anna", "date": 0}
    }
    inline: dict[str, Any] = {"via_bot": {"id": 9, "is_bot": True, "first_name": "gif"}}
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        before = len(there.box.to(ANNA))
        for fields in (forwarded, inline, forwarded):
            await there.says(ANNA, "bid 9", **fields)
            await there.says(EVE, "bid 9", **fields)
        await there.says(ANNA, "bid 9", where=GROUP, **forwarded)
        assert await bid_of(there, 1) == ()
        (told,) = there.box.to(ANNA)[before:]
        assert "I did not take that" in told.text
        assert there.box.to(EVE) == []
        there.desk.clock.forward(hours=25)
        await there.says(ANNA, "bid 9", **inline)
        assert (
            len(
                [message for message in there.box.to(ANNA) if "I did not take that" in message.text]
            )
            == 2
        )


# ------------------------------------------------------------------------------------------- floods
async def test_a_chat_that_never_stops_is_answered_so_many_times_and_its_orders_count_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIMITS", (Limit(("answer",), timedelta(hours=1), A_FEW, A_FEW),))
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.link("Bartek", BEN)
        begun = len(there.box.to(ANNA))
        for _ in range(3 * A_FEW):
            await there.says(ANNA, "status")
        assert len(there.box.to(ANNA)) == begun + A_FEW
        assert "my last answer of this kind" in there.last(ANNA).text
        await there.says(ANNA, "bid 9")
        assert await bid_of(there, 1) == ("Bid 9",)
        await there.says(BEN, "bid 5")
        assert "Bid 5" in there.last(BEN).text


async def test_taps_without_end_are_told_so_and_words_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taps, "TAPS_A_DAY", A_FEW)
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        await there.says(ANNA, "/orders")
        menu = there.last(ANNA)
        await there.taps(ANNA, menu, "Bid")
        answers = [
            await there.taps(ANNA, menu, "+1" if number % 2 else "+10")
            for number in range(2 * A_FEW)
        ]
        assert any(answer.alert for answer in answers)
        count = len(there.box.sent)
        assert (await there.taps(ANNA, menu, "+1")).alert
        assert len(there.box.sent) == count
        await there.says(ANNA, "bid 9")
        assert await bid_of(there, 1) == ("Bid 9",)


async def test_guessing_links_is_answered_a_few_times_and_never_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "NOTES_A_DAY", A_FEW)
    async with open_chat_desk(tmp_path) as there:
        for number in range(3 * A_FEW):
            await there.says(EVE, f"/start {number:022}")
        assert len(there.box.to(EVE)) <= A_FEW
        assert await address_states(there) == {}


async def test_a_group_that_never_stops_asking_still_gets_its_bulletins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "NOTES_A_DAY", A_FEW)
    async with open_chat_desk(tmp_path) as there:
        async with there.desk.services.database.write() as work:
            chat_id = await work.chats.put(
                TELEGRAM, str(GROUP), title="Heron", state="active", since=there.desk.clock.now()
            )
            await work.chats.belong(chat_id, 1)
        for _ in range(2 * A_FEW):
            await there.says(EVE, "/status", where=GROUP)
        assert len(there.box.to(GROUP)) == A_FEW
        await there.desk.everybody_passes()
        await there.settle()
        assert there.last(GROUP).picture is not None


@pytest.mark.long(held_by="tests/desk/messages/test_lanes.py (strangers have a budget)")
async def test_many_strangers_at_once_get_a_word_each_at_telegrams_pace_and_delay_no_order(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        crowd = range(1000, 1040)

        async def said(user: int, text: str) -> None:
            there.updates += 1
            place, who = (
                {"id": user, "type": "private"},
                {"id": user, "is_bot": False, "first_name": f"Phone{user}"},
            )
            date = int(there.desk.clock.now().timestamp())
            message = {
                "message_id": 9_000 + there.updates,
                "from": who,
                "chat": place,
                "date": date,
                "text": text,
            }
            raw = json.dumps({"update_id": there.updates, "message": message}).encode()
            await store_update(
                there.desk.services, StoredUpdate(there.updates, raw, there.desk.clock.now())
            )

        for user in crowd:
            await said(user, "march 3 from P1 to P2")
            await said(user, "bid 9")
            if user == 1020:
                await said(ANNA, "bid 9")
        await there.settle()
        assert await bid_of(there, 1) == ("Bid 9",)
        assert "Bid 9" in there.last(ANNA).text
        assert all(1 <= len(there.box.to(user)) <= 5 for user in crowd)
        async with there.desk.services.database.read() as work:
            sent = (
                await work.connection.execute(
                    sa.select(tables.outbox.c.sent_at).where(tables.outbox.c.channel == TELEGRAM)
                )
            ).scalars()
            moments: list[datetime] = sorted(moment for moment in sent if moment is not None)
            assert [row.trace for row in await work.inbox.list_by_state("shunted")] == []
        assert all(
            moments[number + 30] - moments[number] >= timedelta(seconds=1)
            for number in range(len(moments) - 30)
        )


async def test_f10_an_update_that_nobody_can_read_is_laid_aside_and_a_game_master_hears(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path) as there:
        await there.link("Anna", ANNA)
        there.updates += 1
        raw = b'{"update_id":%d,"message":' % there.updates + b"[" * 100_000
        await store_update(
            there.desk.services, StoredUpdate(there.updates, raw, there.desk.clock.now())
        )
        await there.says(ANNA, "bid \ud800 9")
        async with there.desk.services.database.read() as work:
            (aside,) = await work.inbox.list_by_state("shunted")
            assert await work.inbox.read_raw(aside.id) == raw
        assert "could not be handled" in text_of(gm_last(there.desk, "in quarantine"))
        assert there.last(ANNA).text
