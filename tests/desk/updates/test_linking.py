"""Linking a Telegram account to a player: bound by a one-time link from the mails, by the numeric
id, and undone again (threats 16, 33).
"""

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.envelope.message import CONFIRMATIONS, STRANGERS, TELEGRAM
from pbem.desk.people.masters import list_masters
from tests.desk.chatting import ChatDesk, address_states, code_in, open_chat_desk
from tests.desk.gm_chat import says
from tests.desk.harness import ADDRESS, GM, parse, text_of
from tests.played import PLAYED

ANNA, BEN, EVE, GRETA = 11, 12, 66, 77


async def test_a_link_from_the_mail_binds_the_account_and_both_channels_are_told(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    assert await address_states(there) == {str(ANNA): "Anna"}
    assert "This chat is yours" in there.last(ANNA).text
    assert "Heron" in there.last(ANNA).text
    told = there.desk.last("Anna", "Telegram account is yours")
    assert "Phone11" in text_of(told)
    await there.says(ANNA, "bid 7")
    assert "Bid 7" in there.last(ANNA).text
    await there.desk.write("Anna", "unlink telegram", answering=told, dmarc=None)
    await there.settle()
    assert await address_states(there) == {}
    assert "unlinked" in there.last(ANNA).text
    await there.says(ANNA, "bid 8")
    assert "Nobody here knows you" in there.last(ANNA).text


async def test_the_chat_in_which_it_is_asked_for_is_told_once_that_it_is_unlinked(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    count = len(there.box.to(ANNA))
    await there.says(ANNA, "/stop")
    assert ["unlinked" in posted.text for posted in there.box.to(ANNA)[count:]] == [True]


async def test_f14_whoever_follows_a_link_is_no_stranger_nor_with_what_they_write_next(
    there: ChatDesk,
) -> None:
    code, desk = code_in(text_of(there.desk.turn_mail("Bartek"))), there.desk
    for text in (f"/start {code}", "bid 7"):
        await says(desk, BEN, text, work=False)
    await says(desk, EVE, "bid 7", work=False)
    async with desk.services.database.read() as work:
        lanes = [row.lane for row in await work.inbox.next_new(9)]
    assert lanes == [CONFIRMATIONS, CONFIRMATIONS, STRANGERS]


async def test_the_turn_mail_of_who_does_not_play_by_telegram_has_a_link_that_works(
    there: ChatDesk,
) -> None:
    turn = text_of(there.desk.turn_mail("Bartek"))
    assert "https://t.me/realm_bot?start=" in turn
    await there.says(BEN, f"/start {code_in(turn)}")
    assert await address_states(there) == {str(BEN): "Bartek"}
    await there.desk.everybody_passes()
    await there.settle()
    assert "t.me" not in text_of(there.desk.turn_mail("Bartek"))
    assert "t.me" in text_of(there.desk.turn_mail("Anna"))


async def test_a_link_works_once_for_two_days_and_for_nobody_who_is_known_already(
    there: ChatDesk,
) -> None:
    code = code_in(text_of(await there.desk.write("Anna", "telegram")))
    await there.says(EVE, "/start AAAAAAAAAAAAAAAAAAAAAA")
    assert "do not know it" in there.last(EVE).text
    await there.says(ANNA, f"/start {code}")
    await there.says(EVE, f"/start {code}")
    assert "has been used" in there.last(EVE).text
    await there.says(ANNA, f"/start {code}")
    assert "already yours" in there.last(ANNA).text
    other = code_in(text_of(await there.desk.write("Bartek", "telegram")))
    await there.says(ANNA, f"/start {other}")
    assert "belongs to another player" in there.last(ANNA).text
    there.desk.clock.forward(hours=49)
    await there.says(BEN, f"/start {other}")
    assert "too old" in there.last(BEN).text
    assert await address_states(there) == {str(ANNA): "Anna"}


async def test_another_link_is_worthless_once_one_was_followed(there: ChatDesk) -> None:
    codes = [code_in(text_of(await there.desk.write("Anna", "telegram")))]
    there.desk.clock.forward(minutes=1)
    codes.append(code_in(text_of(await there.desk.write("Anna", "telegram"))))
    assert len(set(codes)) == 2
    await there.says(ANNA, f"/start {codes[1]}")
    await there.says(EVE, f"/start {codes[0]}")
    assert await address_states(there) == {str(ANNA): "Anna"}


async def test_a_link_goes_to_a_mail_address_and_never_to_a_chat(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/telegram")
    assert "t.me" not in there.last(ANNA).text
    assert "already linked" in there.last(ANNA).text


async def test_a_forged_mail_gets_no_link(there: ChatDesk) -> None:
    mail = await there.desk.write("Anna", "telegram", token=False, dmarc=None)
    assert "t.me" not in text_of(mail)


async def test_a_game_without_a_bot_says_so(there: ChatDesk) -> None:
    async with there.desk.services.database.write() as work:
        await work.marks.remove("telegram-bot")
    told = text_of(await there.desk.write("Anna", "link telegram"))
    assert ("no bot" in told, "cannot reach it now" in " ".join(told.split())) == (True, True)


async def test_who_blocks_the_bot_gets_everything_by_mail_until_they_write_again(
    there: ChatDesk,
) -> None:
    await there.link("Anna", ANNA)
    await there.joins(ANNA, ("member", "kicked"), chat=ANNA)
    count = len(there.box.to(ANNA))
    await there.desk.everybody_passes()
    await there.settle()
    assert len(there.box.to(ANNA)) == count
    await there.joins(ANNA, ("kicked", "member"), chat=ANNA)
    await there.says(ANNA, "status")
    assert len(there.box.to(ANNA)) == count + 1


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        (
            "forwarded",
            {"forward_origin": {"type": "hidden_user", "sender_user_name": "Anna", "date": 0}},
        ),
        ("an old forward", {"forward_date": 5}),
        ("for a channel", {"sender_chat": {"id": -100, "type": "channel", "title": "x"}}),
        ("by an inline bot", {"via_bot": {"id": 9, "is_bot": True, "first_name": "b"}}),
        ("of a business account", {"business_connection_id": "x"}),
        ("by a bot", {"from": {"id": ANNA, "is_bot": True, "first_name": "Anna"}}),
        ("of nobody", {"from": None}),
        ("in another's chat", {"chat": {"id": BEN, "type": "private"}}),
        ("in a channel", {"chat": {"id": -100, "type": "channel", "title": "x"}}),
        (
            "under another id",
            {
                "from": {"id": EVE, "is_bot": False, "first_name": "Anna", "username": "anna"},
                "chat": {"id": EVE, "type": "private"},
            },
        ),
    ],
)
async def test_orders_in_somebody_elses_name_are_never_taken(
    there: ChatDesk, what: str, fields: dict[str, Any]
) -> None:
    await there.link("Anna", ANNA)
    async with there.desk.services.database.read() as work:
        (seat, *_) = await work.seats.list_of_game(1)
    await there.says(ANNA, "bid 9", **fields)
    async with there.desk.services.database.read() as work:
        assert await work.orders.newest(seat.id, 1) is None, what
        assert [row.state for row in await work.inbox.list_by_state("shunted")] == []


async def test_a_stranger_gets_a_few_short_answers_a_day_and_nothing_else(there: ChatDesk) -> None:
    for code in ("join heron-bbbbbb", "observe heron-bbbbbb", "take over heron-bbbbbb"):
        await there.says(EVE, code)
        assert "We do not know that code" in there.last(EVE).text
    for _ in range(3):
        await there.says(EVE, "march 3 from P1 to P2")
    await there.says(EVE, "take over heron-bbbbbb")
    assert len(there.box.to(EVE)) == 5
    there.desk.clock.forward(hours=25)
    await there.says(EVE, "hello?")
    assert len(there.box.to(EVE)) == 6
    async with there.desk.services.database.read() as work:
        assert await work.people.find_by_address(TELEGRAM, str(EVE)) is None


async def test_a_game_master_links_their_account_with_the_same_word(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        new = gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta")
        await gm.open_table(there.desk.services, new, gm.By("test"))
        async with there.desk.services.database.read() as work:
            (master,) = await list_masters(work, there.desk.services.policy)
        token = master.token_by(there.desk.services.key)
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = (
            GM,
            f"orders+{token}@house.example",
            "<1@house.example>",
        )
        mail.set_content("link telegram")
        await there.desk.bring(mail.as_bytes(policy=SMTP))
        await there.settle()
        answer = parse(there.desk.postbox.to(GM)[-1])
        await there.says(GRETA, f"/start {code_in(text_of(answer))}")
        await there.says(GRETA, "/bind")
        assert "/bind " in there.last(GRETA).text
        assert "Write your commands here" in next(
            posted.text for posted in there.box.to(GRETA) if "This chat is yours" in posted.text
        )


async def test_a_game_master_undoes_a_stolen_link_in_answer_to_the_letter_that_tells_of_it(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        await _write_as_master(there, "telegram", to=ADDRESS)
        offered = parse(there.desk.postbox.to(GM)[-1])
        await there.says(EVE, f"/start {code_in(text_of(offered))}")
        assert await address_states(there) == {str(EVE): ""}
        told = parse(there.desk.postbox.to(GM)[-1])
        assert "A Telegram account is yours now" in str(told["Subject"])
        await _write_as_master(there, "unlink telegram", to=str(told["Reply-To"]))
        assert await address_states(there) == {}
        assert "Telegram is unlinked" in str(parse(there.desk.postbox.to(GM)[-1])["Subject"])


async def test_a_mail_without_a_code_asks_a_game_master_how_their_account_stands_and_unlinks_nothing(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        await _write_as_master(there, "telegram", to=ADDRESS)
        await there.says(GRETA, f"/start {code_in(text_of(parse(there.desk.postbox.to(GM)[-1])))}")
        await _write_as_master(there, "unlink telegram", to=ADDRESS)
        asked = parse(there.desk.postbox.to(GM)[-1])
        assert await address_states(there) == {str(GRETA): ""}
        assert "know your Telegram account" in text_of(asked)
        await _write_as_master(there, "unlink telegram", to=str(asked["Reply-To"]))
        assert await address_states(there) == {}


async def test_the_words_about_telegram_of_somebody_unproven_are_told_to_a_game_master_three_times_a_day(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        for _ in range(5):
            await _write_as_master(there, "telegram", to=ADDRESS)
        assert len(there.desk.postbox.to(GM)) == 3


async def _write_as_master(there: ChatDesk, text: str, *, to: str) -> None:
    there.desk.sent += 1
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = GM, to, f"<{there.desk.sent}@gm.example>"
    mail.set_content(text)
    await there.desk.bring(mail.as_bytes(policy=SMTP))
    await there.settle()
