"""F-98: a player writes with their code from another name of their mailbox, and the registered one is
asked; nobody else gains a seat by that.
"""

from pathlib import Path

import pytest

from tests.desk.authentication.test_addresses import addresses_of
from tests.desk.harness import GM, Desk, address_of, parse, text_of
from tests.desk.rawmail import orders_of, outcome, subject_of, table

ALIAS = "anna+games@players.example"
EVE = "eve@elsewhere.example"


def asked(desk: Desk) -> list[str]:
    return [subject_of(mail) for mail in desk.letters("Anna") if "yours?" in subject_of(mail)]


@pytest.mark.parametrize("answers_from", [ALIAS, address_of("Anna")])
async def test_f98_a_yes_to_the_registered_address_binds_the_other(
    tmp_path: Path, answers_from: str
) -> None:
    """She cannot send from the address that was invited: the yes counts from either."""
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        await desk.write("Anna", "bid 4", answering=turn, sender=ALIAS, dmarc=None)
        assert await outcome(desk) == "handled:unproven:other-address"
        assert await orders_of(desk, "Anna") == ()
        question = desk.letters("Anna")[-1]
        assert ALIAS in subject_of(question)
        assert "bid 4" in text_of(question)
        assert not desk.postbox.to(ALIAS), "nothing is written to an address nobody vouches for"
        await desk.write("Anna", "bid 5", answering=turn, sender=ALIAS, dmarc=None)
        assert len(asked(desk)) == 1
        await desk.write("Anna", "yes", answering=question, sender=answers_from, dmarc=None)
        await desk.work()
        assert await addresses_of(desk) == [address_of("Anna"), ALIAS]
        assert await orders_of(desk, "Anna") == ("Bid 5",), "what waited counts, in its order"
        await desk.write("Anna", "bid 6", answering=turn, sender=ALIAS)
        assert await orders_of(desk, "Anna") == ("Bid 6",)
        assert any("Another address" in subject_of(mail) for mail in desk.letters("Anna"))


async def test_f98_nobody_else_gains_a_seat_by_it(tmp_path: Path) -> None:
    """Eve has the code, out of a mail that was passed on; she has no letter to Anna."""
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        await desk.write("Anna", "bid 0", answering=turn, sender=EVE)
        question = desk.letters("Anna")[-1]
        assert EVE in subject_of(question)
        for sender, dmarc, words in (
            (EVE, "fail", "yes"),
            ("mallory@elsewhere.example", "pass", "yes"),
            (address_of("Bartek"), "pass", "yes"),
            (address_of("Anna"), "pass", "I am away until Monday. Yes, I will answer then."),
        ):
            await desk.write("Anna", words, answering=question, sender=sender, dmarc=dmarc)
        await desk.write("Anna", "yes", answering=turn, sender=EVE)
        assert await addresses_of(desk) == [address_of("Anna")]
        await desk.write("Anna", "no", answering=question)
        await desk.write("Anna", "yes", answering=question)
        assert await addresses_of(desk) == [address_of("Anna")]
        assert await orders_of(desk, "Anna") == ()
        assert not desk.postbox.to(EVE)


async def test_f98_an_address_of_somebody_here_is_not_asked_about(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        await desk.write("Anna", "bid 0", answering=turn, sender=address_of("Bartek"))
        assert not asked(desk)
        await desk.write("Anna", "bid 0", answering=turn, sender=ALIAS, dmarc="fail")
        assert not asked(desk), "what our mail server calls forged asks nothing"


async def test_f98_questions_come_to_an_end(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        for number in range(6):
            sender = f"eve{number}@elsewhere.example"
            await desk.write("Anna", "bid 0", answering=turn, sender=sender)
        assert len(asked(desk)) == 3


async def test_f98_the_game_master_is_told_where_nobody_answers(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await desk.write("Anna", "bid 4", answering=desk.turn_mail("Anna"), sender=ALIAS)
        before = len(desk.postbox.to(GM))
        desk.clock.forward(days=3, minutes=1)
        await desk.work()
        told = [parse(raw) for raw in desk.postbox.to(GM)[before:]]
        [letter] = [mail for mail in told if "another address" in subject_of(mail)]
        assert ALIAS in text_of(letter)
        assert address_of("Anna") in text_of(letter)
