"""Messages that prove too little: a yes frees what its own letter quoted in full, and nothing else;
and nobody is met with silence.
"""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.desk import gm
from tests.desk.dates import NOON
from tests.desk.harness import GM, Desk, address_of, parse, text_of
from tests.desk.lobbies import code_of, flat, knock, lobby, names_of, votes_of
from tests.desk.looks import kinds_to
from tests.desk.rawmail import ANNA, orders_of, outcome, subject_of, table

OWN = "anna@players.example"


async def fresh(desk: Desk, text: str, dmarc: str | None = None) -> EmailMessage:
    """A mail in Anna's name without a code, which anybody can have written; the newest letter to
    her.
    """
    letter = await desk.write("Anna", text, token=False, dmarc=dmarc)
    assert letter is not None
    return letter


def questions(desk: Desk) -> list[EmailMessage]:
    return [mail for mail in desk.letters("Anna") if "Did you write" in str(mail["Subject"])]


# --------------------------------------------------------------------------------- what a yes frees
async def test_f1_a_forged_mail_never_rides_on_the_yes_to_another(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        asking = await fresh(desk, "bid 10")
        second = await fresh(desk, "bid 0, final")
        assert second is not asking
        assert "bid 10" in flat(second)
        assert "bid 0, final" in flat(second)
        await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 10",)
        await desk.write("Anna", "no", answering=second, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 10",)


async def test_f1_of_several_messages_those_that_are_named_count(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await fresh(desk, "bid 10")
        asking = await fresh(desk, "bid 0, final")
        for unclear in ("yes 3", "yes, but not the second", "yes\nnot 2", "perhaps"):
            await desk.write("Anna", unclear, answering=asking, dmarc=None)
            assert await outcome(desk) == "ignored:confirmation-unclear"
        assert await kinds_to(desk, "confirm-unclear") == 3 * ANNA, (
            "which is said three times a day"
        )
        await desk.write("Anna", "Yes 1, please", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 10",)
        await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 10",), "what was left out is thrown away"


async def test_f1_only_what_can_be_freed_is_numbered_and_a_second_yes_is_not_answered(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        await fresh(desk, "bid 10")
        await fresh(desk, "bid 7\n" + "and so on " * 200)
        asking = await fresh(desk, "bid 3")
        await desk.write("Anna", "Yes 2, please", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 3",)
        before = len(desk.postbox.mails)
        await desk.write("Anna", "yes 2", answering=asking, dmarc=None)
        assert len(desk.postbox.mails) == before


async def test_f1_a_yes_that_says_more_is_asked_about_and_nothing_beside_it_is_lost(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        asking = await fresh(desk, "bid 10")
        for more in ("yes, final", "yes\nbid 7", "yes\n\npress to Bartek: hello"):
            await desk.write("Anna", more, answering=asking, dmarc=None)
            assert await outcome(desk) == "ignored:confirmation-unclear", more
            assert await orders_of(desk, "Anna") == ()
        assert "neither a plain yes nor a plain no" in flat(desk.letters("Anna")[-1])
        await desk.write(
            "Anna",
            "Yes, thanks!\n\nAnna Nowak\nHead of Sales\n+48 123 456 789",
            answering=asking,
            dmarc=None,
        )
        assert await orders_of(desk, "Anna") == ("Bid 10",)


async def test_f1_a_second_yes_handles_nothing_twice(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        first = await fresh(desk, "bid 10")
        second = await fresh(desk, "bid 11")
        await desk.write("Anna", "yes", answering=first, dmarc=None)
        await desk.write("Anna", "bid 12")
        await desk.write("Anna", "yes", answering=second, dmarc=None)
        async with desk.services.database.read() as work:
            assert [row.canonical for row in await work.orders.history(1)] == [
                ("Bid 10",),
                ("Bid 12",),
                ("Bid 11",),
            ]
        await desk.write("Anna", "yes", answering=first, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 11",)


@pytest.mark.parametrize("filling", ["\n" * 300, " " * 900, "\n\u2800" * 60, "\n\u200b" * 60])
async def test_f1_nothing_is_hidden_below_or_beside_what_is_quoted(
    tmp_path: Path, filling: str
) -> None:
    async with table(tmp_path) as desk:
        asking = await fresh(desk, f"bid 0{filling} final")
        lines = [line.strip() for line in text_of(asking).splitlines()]
        at = next(number for number, line in enumerate(lines) if line.startswith("bid 0"))
        assert any("final" in line for line in lines[at : at + 4])


@pytest.mark.parametrize(
    "text", ["bid 0\n" + "I think about it. " * 60 + "\nfinal", "bid 0\n" + "x\n" * 50 + "final"]
)
async def test_f1_a_message_too_long_to_be_quoted_in_full_is_freed_by_no_yes(
    tmp_path: Path, text: str
) -> None:
    async with table(tmp_path) as desk:
        told = await fresh(desk, text)
        assert "did not take" in subject_of(told)
        assert "too long" in flat(told)
        assert "as an answer to any mail of the game" in flat(told)
        asking = await fresh(desk, "bid 4")
        await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_f1_neither_another_address_nor_a_failed_check_can_be_confirmed(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        eve = address_of("Bartek")  # of an address that nobody has here Anna is asked (F-98)
        await desk.write("Anna", "bid 0, final", sender=eve)
        assert eve in flat(desk.letters("Anna")[-1])
        await desk.write("Anna", "bid 0, final", dmarc="fail")
        await fresh(desk, "press to Bartek: I surrender", dmarc="fail")
        assert not questions(desk)
        assert [subject_of(mail) for mail in desk.letters("Anna")[-3:]] == [
            "[Heron] We did not take a message in your name"
        ] * 3
        for told in desk.letters("Anna")[-3:]:
            await desk.write("Anna", "yes", answering=told, dmarc=None)
        assert await orders_of(desk, "Anna") == ()
        assert not [mail for mail in desk.letters("Bartek") if "surrender" in text_of(mail)]


async def test_f1_a_question_of_earlier_days_that_quoted_nothing_in_full_frees_nothing(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        asking = await fresh(desk, "bid 10")
        async with desk.services.database.write() as work:
            await work.pending.put_detail(1, '{"quotes":["bid 10"]}')
        told = await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ()
        assert "we did not take this" in flat(told)


async def test_f1_a_game_master_confirms_what_the_letter_shows_whole(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await desk.write(
            "GM", "heron: announce: " + "word " * 400, token=False, dmarc=None, sender=GM
        )
        told = desk.postbox.to(GM)[-1]
        assert b"too long" in told
        assert await kinds_to(desk, "gm-confirm-unproven") == []


async def test_f1_a_yes_to_join_does_what_its_own_letter_says_and_nothing_that_came_later(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        code = await code_of(desk)
        first = await knock(desk, "Anna", f"join {code} as Bea, vote grand")
        assert "vote on" in flat(first)
        forged = await knock(
            desk,
            "Anna",
            f"join {code} as Fool, vote normal\n\nGreta, you are the worst game master of all.",
        )
        assert "you are the worst game master" in flat(forged)
        await desk.write("Anna", "yes", answering=first, dmarc=None)
        assert [name for name, _ in await names_of(desk)] == ["Bea"]
        assert (await votes_of(desk))[-1][1] == "grand"
        assert not [raw for raw in desk.postbox.to(GM) if b"worst" in raw]


async def test_f1_somebody_elses_wish_for_an_address_is_freed_by_no_other_letter(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        await desk.write("Anna", "my address is also both@work.example")
        await desk.write("Bartek", "my address is also both@work.example")
        first, second = (parse(raw) for raw in desk.postbox.to("both@work.example"))
        await desk.write("Anna", "yes", answering=first, sender="both@work.example", dmarc=None)
        async with desk.services.database.read() as work:
            assert await work.people.find_address("mail", "both@work.example") is None
        await desk.write("Anna", "yes", answering=second, sender="both@work.example", dmarc=None)
        async with desk.services.database.read() as work:
            person = await work.people.find_by_address("mail", "both@work.example")
        assert person is not None
        assert person.name == "Bartek"


# ----------------------------------------------------------------------------- nobody meets silence
async def test_f5_questions_that_were_confirmed_do_not_count(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        for number in range(1, 7):
            asking = await fresh(desk, f"bid {number}")
            await desk.write("Anna", "yes", answering=asking, dmarc=None)
            assert await orders_of(desk, "Anna") == (f"Bid {number}",)


async def test_f5_forged_mails_do_not_use_up_what_is_kept_for_the_seats_own_code(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        for number in range(6):
            await fresh(desk, f"bid {number}")
        assert len(questions(desk)) == 3
        await desk.write(
            "Anna",
            "bid 9",
            headers=[("Resent-From", "x@elsewhere.example")],
            sender="anna@work.example",
        )
        assert "anna@work.example" in flat(desk.letters("Anna")[-1])


async def test_f5_over_the_cap_a_letter_a_day_says_so_and_its_answer_is_proof(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        for number in range(6):
            told = await fresh(desk, f"bid {number}")
        assert await kinds_to(desk, "confirm-capped") == ANNA
        assert "More messages came in your name" in subject_of(told)
        await desk.write("Anna", "bid 8", answering=told, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 8",)
        await gm.extend(desk.services, "heron", NOON + timedelta(hours=72), gm.By("test"))
        desk.clock.forward(hours=25)
        await fresh(desk, "bid 7")
        assert "these 7" in subject_of(questions(desk)[-1]), (
            "all that waits is told of in the next question"
        )


async def test_f5_after_an_answer_what_came_meanwhile_is_asked(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        for number in range(1, 5):
            await fresh(desk, f"bid {number}")
        await desk.write("Anna", "yes", answering=questions(desk)[-1], dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 3",)
        asking = questions(desk)[-1]
        assert "bid 4" in flat(asking)
        await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 4",)


async def test_f5_a_player_of_several_tables_is_asked_which_one(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await desk.open_game(slug="egret")
        asking = await fresh(desk, "bid 4")
        assert "Did you write this?" in subject_of(asking)
        assert "egret" in text_of(asking)
        await desk.write("Anna", "yes", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == (), "a yes that names no table"
        await desk.write("Anna", "yes, heron", answering=asking, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 4",)
        named = await fresh(desk, "heron: bid 5")
        await desk.write("Anna", "yes", answering=named, dmarc=None)
        assert await orders_of(desk, "Anna") == ("Bid 5",)
