"""Confirmations, wrong phases and games, injection, loops and copies: what each sender gets, and
that nobody else gets anything.
"""

import copy
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.authentication.verdicts import Unproven, judge, read_facts
from pbem.desk.envelope import answers as limits
from pbem.desk.envelope.answers import Limit
from pbem.desk.messages.opening import open_mail, rules_of
from pbem.store import tables
from tests.desk.harness import ADDRESS, GM, Desk, address_of, open_desk, parse, text_of
from tests.desk.looks import kinds_to
from tests.desk.rawmail import ANNA, PASS, orders_of, outcome, raw_mail, send, subject_of, table
from tests.played import PLAYED


# ------------------------------------------------------------------------------------ confirmations
async def confirmation(desk: Desk) -> EmailMessage:
    await desk.write("Anna", "bid 6", token=False, dmarc=None)
    return next(
        mail for mail in desk.letters("Anna") if "Did you write this?" in str(mail["Subject"])
    )


@pytest.mark.parametrize(
    "text",
    [
        "I am away until Monday and will answer then.",
        "Thank you for your mail!",
        "Ticket 4711 was opened",
        "bid 3",
    ],
)
async def test_only_a_plain_yes_confirms_so_that_no_machine_does(tmp_path: Path, text: str) -> None:
    async with table(tmp_path) as desk:
        asking = await confirmation(desk)
        await desk.write("Anna", text, answering=asking)
        assert await orders_of(desk, "Anna") == ()
        assert await outcome(desk) == "ignored:confirmation-unclear"
        await desk.write("Anna", "Yes, that was me.", answering=asking)
        assert await orders_of(desk, "Anna") == ("Bid 6",)


async def test_a_confirmation_answered_by_somebody_else_confirms_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        asking = await confirmation(desk)
        await desk.write("Anna", "yes", answering=asking, sender="eve@elsewhere.example")
        await desk.write("Anna", "yes", answering=asking, dmarc="fail")
        assert await orders_of(desk, "Anna") == ()


async def test_a_yes_that_was_written_to_somebody_else_confirms_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        asking = await confirmation(desk)
        head = f"In-Reply-To: {asking['Message-ID']}\r\n"
        await send(
            desk, raw_mail(desk, "Anna", b"yes\r\n", head=head, to="friend@elsewhere.example")
        )
        assert await outcome(desk) == "ignored:confirmation-unproven"
        assert await orders_of(desk, "Anna") == ()
        await send(desk, raw_mail(desk, "Anna", b"yes\r\n", head=head, to=ADDRESS))
        assert await orders_of(desk, "Anna") == ("Bid 6",)


async def test_a_question_asks_for_nothing_that_was_answered_or_that_no_yes_frees(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        first = await confirmation(desk)
        await desk.write("Anna", "bid 7", token=False, dmarc="fail")
        await desk.write("Anna", "Yes, that was me.", answering=first)
        assert await orders_of(desk, "Anna") == ("Bid 6",)
        asked = text_of(await desk.write("Anna", "bid 8", token=False, dmarc=None))
        assert [bid in asked for bid in ("bid 6", "bid 7", "bid 8")] == [False, False, True]
        both = await desk.write("Anna", "bid 9", token=False, dmarc="fail")
        assert [bid in text_of(both) for bid in ("bid 8", "bid 9")] == [True, True]
        await desk.write("Anna", "yes 2", answering=both)
        assert await outcome(desk) == "ignored:confirmation-unclear", "one alone was asked about"
        await desk.write("Anna", "yes 1", answering=both)
        assert await orders_of(desk, "Anna") == ("Bid 8",)


async def test_an_address_that_is_not_confirmed_proves_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        async with desk.services.database.write() as work:
            await work.connection.execute(
                sa.update(tables.addresses)
                .where(tables.addresses.c.address == address_of("Anna"))
                .values(state="unconfirmed")
            )
        mail, _ = open_mail(raw_mail(desk, "Anna", b"bid 4\r\n"), rules_of(desk.services.policy))
        async with desk.services.database.read() as work:
            facts = await read_facts(work, mail)
        assert not facts.is_own_address
        assert isinstance(judge(mail, facts, desk.services.key), Unproven)


async def test_a_forged_code_does_not_hide_a_true_one_behind_it(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        turn = copy.deepcopy(desk.turn_mail("Anna"))
        turn.replace_header("Reply-To", ADDRESS.replace("@", f"+o2-1-{'a' * 26}@"))
        await desk.write("Anna", "bid 4", answering=turn, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_forty_unproven_mails_ask_a_few_times_and_so_does_a_day_of_refusals(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        for number in range(40):
            await desk.write(
                "Anna",
                f"bid {number}",
                token=False,
                dmarc=None,
                message_id=f"<{number}@e.example>",
                work=False,
            )
        await desk.work()
        assert await kinds_to(desk, "confirm") == ANNA * 3
        assert await kinds_to(desk, "confirm-capped") == ANNA
        async with desk.services.database.read() as work:
            pending = await work.pending.find(3)
        assert pending is not None
        assert len(pending.inbox_ids) == 20
        for _ in range(6):
            asking = next(
                mail
                for mail in reversed(desk.letters("Anna"))
                if "Did you write th" in str(mail["Subject"])
            )
            await desk.write("Anna", "no", answering=asking)
            await desk.write("Anna", "bid 1", token=False, dmarc=None)
        assert len(await kinds_to(desk, "confirm")) == 3
        assert await orders_of(desk, "Anna") == ()


# -------------------------------------------------------------------------- which phase, which game
async def test_yes_is_taken_only_by_the_receipt_that_offered(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await desk.everybody_passes()
        turn = desk.turn_mail("Anna")
        offering = await desk.write("Anna", "frotfiy P1")
        assert "Did you mean" in " ".join(text_of(offering).split())
        await desk.write("Anna", "yes", answering=turn)
        assert await orders_of(desk, "Anna", 2) == (), "an answer to another mail"
        offering = await desk.write("Anna", "frotfiy P1")
        raw = raw_mail(desk, "Anna", b"yes\r\n")
        await send(desk, raw)
        assert await orders_of(desk, "Anna", 2) == (), "an answer to no mail at all"
        offering = await desk.write("Anna", "frotfiy P1")
        await desk.write("Anna", "yes", answering=offering)
        assert await orders_of(desk, "Anna", 2) == ("Fortify! P1",)


async def test_yes_after_the_phase_is_told_what_is_open(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        receipt = await desk.write("Anna", "bid")
        await desk.everybody_passes()
        answer = await desk.write("Anna", "yes", answering=receipt)
        assert "phase has closed" in subject_of(answer)
        assert await orders_of(desk, "Anna", 2) == ()


async def test_orders_without_a_code_that_came_before_the_phase_was_opened_are_not_taken_for_it(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        early = desk.clock.now()
        await desk.everybody_passes()
        await desk.write("Anna", "Fortify P1", token=False, received_at=early)
        assert await outcome(desk) == "handled:wrong-phase"
        assert await orders_of(desk, "Anna", 2) == ()
        await desk.write("Anna", "Fortify P1", token=False)
        assert await orders_of(desk, "Anna", 2) == ("Fortify! P1",)


async def test_a_player_of_two_tables_orders_at_the_one_whose_mail_is_answered(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        heron = desk.turn_mail("Anna")
        await desk.open_game(slug="egret")
        egret = desk.turn_mail("Anna")
        await desk.write("Anna", "bid 4", answering=heron)
        await desk.write("Anna", "bid 8", answering=egret)
        assert await orders_of(desk, "Anna") == ("Bid 4",)
        answer = await desk.write("Anna", "bid 9", token=False)
        assert "Which game" in subject_of(answer)
        assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_an_eliminated_player_and_one_of_a_game_that_is_over_are_told_so(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        async with desk.services.database.write() as work:
            assert await work.seats.change_status(1, "active", "eliminated")
        answer = await desk.write("Anna", "bid 5")
        assert "out of this game" in subject_of(answer)
        assert await orders_of(desk, "Anna") == ()
    second = tmp_path / "second"
    second.mkdir()
    async with table(second) as desk:
        for _ in range(4):
            await desk.everybody_passes()
        answer = await desk.write("Chloé", "bid 5")
        assert "is over" in subject_of(answer)


# ---------------------------------------------------------------------------------------- injection
@pytest.mark.parametrize(
    "name", ["A\r\nBcc: eve@e.example", "Anna\x00", "\u202eannA", "x" * 41, "", "red", "GM", "P3"]
)
async def test_a_name_that_breaks_lines_hides_or_poses_is_refused(
    tmp_path: Path, name: str
) -> None:
    async with open_desk(tmp_path) as desk:
        await gm.open_table(
            desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), gm.By("test")
        )
        with pytest.raises(gm.Refused):
            await gm.invite(desk.services, "heron", name, "a@players.example", gm.By("test"))


@pytest.mark.parametrize("twin", ["anna", "Аnna", "Ánna", "A n n a"])
async def test_a_name_that_looks_like_another_at_the_table_is_refused(
    tmp_path: Path, twin: str
) -> None:
    async with open_desk(tmp_path) as desk:
        await gm.open_table(
            desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), gm.By("test")
        )
        await gm.invite(desk.services, "heron", "Anna", "a@players.example", gm.By("test"))
        with pytest.raises(gm.Refused):
            await gm.invite(desk.services, "heron", twin, "b@players.example", gm.By("test"))


async def test_a_title_of_two_lines_is_refused(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        with pytest.raises(gm.Refused):
            await gm.open_table(
                desk.services,
                gm.NewTable("heron", "He\r\nBcc: x@e.example", PLAYED, {}, "UTC"),
                gm.By("test"),
            )


async def test_html_in_a_name_and_in_a_note_is_text_in_every_letter(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        names: Sequence[str] = ("Bo &lt; Co", "Bartek", "Mei")  # a name with a true `<` is refused
        new = gm.NewTable("heron", "Heron", PLAYED, {}, "UTC", seed=bytes(32))
        await gm.open_table(desk.services, new, gm.By("test"))
        for number, name in enumerate(names):
            await gm.invite(
                desk.services, "heron", name, f"p{number}@players.example", gm.By("test")
            )
        await gm.start(desk.services, "heron", gm.By("test"))
        await desk.work()
        turn = [parse(raw) for raw in desk.postbox.to("p0@players.example")][-1]
        mail = f"From: p0@players.example\r\nTo: {turn['Reply-To']}\r\n\r\nGM: <script>alert(1)</script><img src=x onerror=y>\r\n"
        await send(desk, PASS.encode() + mail.encode())
        await desk.everybody_passes()
        seen = 0
        for outbound in desk.postbox.mails:
            html = parse(outbound.raw).get_body(("html",))
            assert html is not None
            text = str(html.get_content())
            seen += "Bo &amp;lt; Co" in text
            for bad in ("Bo &lt; Co", "Bo < Co", "<script>alert", "<img src=x"):
                assert bad not in text, outbound.recipient
        assert seen > 3


@pytest.mark.parametrize(
    "head",
    [
        "Message-ID: <a@b>\r\nX: y\r\n",
        "Message-ID: <a\x01b@c.example>\r\n",
        "Message-ID: <" + "x" * 850 + "@c.example>\r\n",
        "Message-ID: <ä@c.example>\r\n",
        "Message-ID: <a|b@c.example>\r\n",
        "References: " + " ".join(f"<r{n}@c.example>" for n in range(300)) + "\r\n",
        "References: <a\tb@c> <=?utf-8?q?x=0D=0ABcc:eve=40e.example?=@c>\r\n",
        "In-Reply-To: <x@c.example>\r\n\tBcc: eve@e.example\r\n",
    ],
)
async def test_ids_of_a_players_mail_cannot_put_a_line_into_ours(tmp_path: Path, head: str) -> None:
    async with table(tmp_path) as desk:
        assert await send(desk, raw_mail(desk, "Anna", b"bid 12\r\n", head=head)) == ANNA
        answer = desk.last("Anna")
        assert answer["Bcc"] is None
        assert await orders_of(desk, "Anna") == ("Bid 12",)
        for line in desk.postbox.to(ANNA[0])[-1].split(b"\r\n\r\n")[0].split(b"\r\n"):
            assert len(line) <= 998
            assert not line.lower().startswith((b"bcc", b"x:"))


# ------------------------------------------------------------------------------------ loops, copies
@pytest.mark.long(held_by="tests/hostile/test_hostile.py (machines that answer)")
async def test_a_machine_that_answers_every_letter_for_days_is_answered_less_than_ever(
    tmp_path: Path,
) -> None:
    """It shows none of the signs of a machine: fresh words, fresh IDs, an answer to everything."""
    async with table(tmp_path) as desk:
        seen, thirds, number = 0, [0, 0, 0], 0
        for day in range(9):
            while len(mine := desk.postbox.to(ANNA[0])) > seen:
                seen = len(mine)
                number += 1
                await desk.write(
                    "Anna",
                    f"We have got your mail and shall look at it soon ({number}).",
                    answering=parse(mine[-1]),
                )
                assert number < 1000, "this never ends"
                thirds[day // 3] += len(desk.postbox.to(ANNA[0])) - seen
            desk.clock.forward(hours=23)
            await desk.work()
        assert thirds[0] <= 3 * 21
        assert thirds[1] <= thirds[0]
        assert thirds[2] <= thirds[1]
        assert len(desk.postbox.to(GM)) <= 9 * 21


async def test_f15_a_machine_that_answers_letters_by_words_of_ours_is_answered_so_often_an_hour_and_the_last_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [Limit((kind,), timedelta(hours=1), 4, 4) for kind in ("answer", "notice")]
    monkeypatch.setattr(limits, "LIMITS", few)
    async with table(tmp_path) as desk:
        for hour in (1, 2):
            before = len(desk.letters("Anna"))
            for _ in range(9):
                await desk.write("Anna", "status", answering=desk.letters("Anna")[-1])
            answers = desk.letters("Anna")[before:]
            assert ["my last answer of this kind" in text_of(mail) for mail in answers] == [
                False
            ] * 3 + [True], hour
            html = answers[-1].get_body(("html",))
            assert html is not None
            assert "my last answer of this kind" in str(html.get_content())
            desk.clock.forward(hours=1, minutes=1)
        for _ in range(4):
            await desk.write("Anna", "status")
        told = await desk.write("Anna", "bid 9")
        assert await orders_of(desk, "Anna") == ("Bid 9",), "nothing that is written is lost by it"
        assert "1 order in" in subject_of(told)
        for what in ("first", "second", "third", "fourth", "fifth", "sixth"):
            await desk.write("Anna", f"GM: this is the {what} note")
        assert len(await kinds_to(desk, "gm-note")) == 4, "nor is a game master flooded"


def test_f15_every_kind_of_answer_has_a_limit_and_a_game_played_live_in_a_chat_does_not_reach_it() -> (
    None
):
    for limit in (*limits.LIMITS, limits.OTHERS):
        assert limit.mail <= 100
        assert limit.chat >= limit.mail * 4
    assert min(limit.chat for limit in limits.LIMITS if "receipt" in limit.kinds) >= 600


async def test_all_mails_brought_three_times_over_change_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        raws = [
            raw_mail(desk, "Anna", b"bid 12\r\n", head="Message-ID: <1@p.example>\r\n"),
            raw_mail(desk, "Anna", b"bid 5\r\n", head="Message-ID: <2@p.example>\r\n"),
            raw_mail(desk, "Bartek", b"bid 7\r\n", head="Message-ID: <3@p.example>\r\n"),
        ]
        for raw in raws:
            await send(desk, raw)
        before = len(desk.postbox.mails)
        await desk.bring(raws[0])
        assert desk.jobs.asked == [], "a mail that is known is not handled again"
        for _ in range(3):
            for raw in raws:
                assert await send(desk, raw) == []
        assert len(desk.postbox.mails) == before
        assert await orders_of(desk, "Anna") == ("Bid 5",)
        hopped = [b"Received: by hop.example\r\n" + raw for raw in raws[:2]]
        for raw in hopped:
            assert await send(desk, raw) == []
        assert await orders_of(desk, "Anna") == ("Bid 5",)


async def test_somebody_elses_mail_under_the_same_id_does_not_make_a_players_mail_a_copy(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        head = "Message-ID: <same@p.example>\r\n"
        await send(
            desk,
            raw_mail(
                desk, "Anna", b"bid 99\r\n", head=head, sender="From: eve@elsewhere.example\r\n"
            ),
        )
        await send(
            desk,
            raw_mail(
                desk,
                "Anna",
                b"bid 99\r\n",
                head=head,
                sender="From: eve@elsewhere.example\r\n",
                to=ADDRESS,
            ),
        )
        await send(desk, raw_mail(desk, "Anna", b"bid 4\r\n", head=head))
        assert await orders_of(desk, "Anna") == ("Bid 4",)
        await send(desk, raw_mail(desk, "Anna", b"bid 6\r\n", head=head))
        assert await orders_of(desk, "Anna") == ("Bid 6",), (
            "a program that gives every mail the same ID loses nothing"
        )


async def test_the_same_words_under_the_same_id_are_a_copy_only_of_the_players_own_proven_mail(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        head = "Message-ID: <same@p.example>\r\n"
        await send(desk, raw_mail(desk, "Bartek", b"bid 4\r\n", head=head))
        await send(desk, raw_mail(desk, "Anna", b"bid 4\r\n", head=head))
        assert await orders_of(desk, "Anna") == ("Bid 4",)
        same = "<twice@p.example>"
        await desk.write("Chloé", "bid 5", token=False, dmarc=None, message_id=same)
        assert await orders_of(desk, "Chloé") == (), "it waits for a yes"
        await desk.write("Chloé", "bid 5", message_id=same)
        assert await orders_of(desk, "Chloé") == ("Bid 5",), "sent again with proof"


@pytest.mark.parametrize("date", ["Date: Mon, 16 Nov 2026 09:0{}:00 +0000\r\n", "X-Hop: {}\r\n"])
async def test_a_player_may_come_back_to_earlier_words_in_mails_without_an_id(
    tmp_path: Path, date: str
) -> None:
    async with table(tmp_path) as desk:
        for number, words in enumerate((b"bid 4\r\n", b"bid 6\r\n", b"bid 4\r\n")):
            await send(desk, raw_mail(desk, "Anna", words, head=date.format(number)))
        assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_a_copy_to_another_player_is_warned_of(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        head = f"Cc: {address_of('Bartek')}\r\n"
        assert await send(desk, raw_mail(desk, "Anna", b"bid 12\r\n", head=head)) == ANNA
        warned = " ".join(text_of(desk.last("Anna")).lower().split())
        await send(
            desk, raw_mail(desk, "Anna", b"bid 13\r\n", head="Cc: friend@elsewhere.example\r\n")
        )
        unwarned = " ".join(text_of(desk.last("Anna")).lower().split())
        assert "your message also went to other people" in warned
        assert "also went" not in unwarned


# ---------------------------------------------------------------------------------------- strangers
async def test_f35_the_game_master_hears_once_a_day_who_knocked_and_the_stranger_nothing(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        await desk.work()
        for sender, text in (
            ("Nia <nia@far.example>", "hello, what is this? can I play?"),
            ("nia@far.example", "please?"),
            ("o@far.example", "hi"),
        ):
            await desk.write("Nia", text, token=False, sender=sender)
        assert await kinds_to(desk, "gm-knocked") == []
        desk.clock.forward(hours=24, minutes=1)
        await desk.work()
        assert await kinds_to(desk, "gm-knocked") == [GM]
        told = next(
            text_of(mail)
            for mail in map(parse, reversed(desk.postbox.to(GM)))
            if "wrote to us" in str(mail["Subject"])
        )
        assert "nia@far.example (2 mails)" in told
        assert "o@far.example" in told
        assert desk.postbox.to("nia@far.example") == desk.postbox.to("o@far.example") == []
        desk.clock.forward(hours=24, minutes=1)
        await desk.work()
        assert await kinds_to(desk, "gm-knocked") == [GM], "nobody knocked since"
