"""A second address: registered by its own yes, listed, forgotten; and nobody else's."""

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.gm.masters import invite_master
from pbem.desk.gm.seats import Wanted, substitute
from pbem.grammar.addresses import AddAddress, ForgetAddress, ListAddresses, parse_address_wish
from tests.desk.harness import Desk, address_of, parse, text_of
from tests.desk.lobbies import code_of
from tests.desk.rawmail import orders_of, outcome, table
from tests.played import PLAYED

WORK = "anna@work.example"


def question(desk: Desk, address: str = WORK) -> EmailMessage:
    return [parse(raw) for raw in desk.postbox.to(address)][-1]


async def addresses_of(desk: Desk, name: str = "Anna") -> list[str]:
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of(name))
        assert person is not None
        return [row.address for row in await work.people.list_addresses(person.id)]


async def test_a_second_address_counts_once_it_has_said_yes(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        answer = await desk.write("Anna", f"my address is also {WORK}\nbid 4", answering=turn)
        assert "bid" in text_of(answer).lower()
        assert await orders_of(desk, "Anna") == ("Bid 4",), "the rest of the mail is read as ever"
        await desk.write("Anna", "bid 5", answering=turn, sender=WORK)
        assert await orders_of(desk, "Anna") == ("Bid 4",), "not yet"
        await desk.write("Anna", "yes", answering=question(desk), sender=WORK)
        assert await outcome(desk) == "handled:address-added"
        assert await addresses_of(desk) == [address_of("Anna"), WORK]
        assert any("Another address" in str(mail["Subject"]) for mail in desk.letters("Anna")), (
            "the first one is told"
        )
        await desk.write("Anna", "bid 6", answering=turn, sender=WORK)
        assert await orders_of(desk, "Anna") == ("Bid 6",)
        await desk.write("Anna", "bid 7", answering=turn)
        assert await orders_of(desk, "Anna") == ("Bid 7",)


async def test_only_the_address_itself_can_say_yes(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        await desk.write("Anna", f"my address is also {WORK}")
        asked = question(desk)
        for sender, dmarc in (
            (address_of("Anna"), "pass"),
            ("eve@elsewhere.example", "pass"),
            (WORK, "fail"),
        ):
            await desk.write("Anna", "yes", answering=asked, sender=sender, dmarc=dmarc)
        await desk.write("Anna", "Tak for din mail, vi svarer snart.", answering=asked, sender=WORK)
        await desk.write("Anna", "no", answering=asked, sender=WORK)
        await desk.write("Anna", "yes", answering=asked, sender=WORK)
        assert await addresses_of(desk) == [address_of("Anna")]


async def test_nobody_takes_or_finds_out_an_address_of_somebody_else(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        before = len(desk.postbox.to(address_of("Bartek")))
        taken = text_of(await desk.write("Anna", f"my address is also {address_of('Bartek')}"))
        assert len(desk.postbox.to(address_of("Bartek"))) == before
        free = text_of(await desk.write("Anna", f"my address is also {WORK}"))
        assert taken.replace(address_of("Bartek"), WORK) == free


async def test_one_is_forgotten_but_never_the_last(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        turn = desk.turn_mail("Anna")
        assert "the last" in text_of(
            await desk.write("Anna", f"forget address {address_of('Anna')}")
        )
        await desk.write("Anna", f"my address is also {WORK}", answering=turn)
        await desk.write("Anna", "yes", answering=question(desk), sender=WORK)
        assert WORK in text_of(await desk.write("Anna", "my addresses", answering=turn))
        assert "no longer yours" in text_of(
            await desk.write("Anna", f"please forget address {WORK}.", answering=turn)
        )
        assert await addresses_of(desk) == [address_of("Anna")]
        await desk.write("Anna", "bid 8", answering=turn, sender=WORK)
        assert await orders_of(desk, "Anna") == ()


async def test_a_few_addresses_a_day_are_asked(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        for number in range(8):
            await desk.write("Anna", f"my address is also anna{number}@work.example")
        asked = [
            mail.recipient
            for mail in desk.postbox.mails
            if mail.recipient.endswith("@work.example")
        ]
        assert len(asked) == 3


async def test_a_suspended_address_does_not_stand_in_for_the_last_one(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        async with desk.services.database.write() as work:
            person = await work.people.find_by_address("mail", address_of("Anna"))
            assert person is not None
            await work.people.add_address(person.id, "mail", WORK, "suspended")
        await desk.write("Anna", f"forget address {address_of('Anna')}")
        assert address_of("Anna") in await addresses_of(desk)


async def test_whoever_has_five_addresses_is_asked_at_no_other(tmp_path: Path) -> None:
    async with table(tmp_path) as desk:
        async with desk.services.database.write() as work:
            person = await work.people.find_by_address("mail", address_of("Anna"))
            assert person is not None
            for number in range(4):
                await work.people.add_address(person.id, "mail", f"{number}@p.example", "confirmed")
        await desk.write("Anna", f"my address is also {WORK}")
        assert desk.postbox.to(WORK) == []


async def test_the_yes_of_an_address_counts_in_the_tenure_it_was_asked_for_alone(
    tmp_path: Path,
) -> None:
    async with table(tmp_path) as desk:
        await desk.write("Anna", f"my address is also {WORK}")
        async with desk.services.database.write() as work:
            seat = (await work.seats.list_of_game(1))[0]
            for tenure, person_id in ((seat.tenure, None), (seat.tenure + 1, seat.person_id)):
                now = desk.clock.now()
                assert await work.seats.replace_person(seat.id, tenure, person_id, now)
        await desk.write("Anna", "yes", answering=question(desk), sender=WORK)
        assert await addresses_of(desk) == [address_of("Anna")]


@pytest.mark.parametrize(
    "line",
    [
        *("forget addresses", "my address is anna", "march from P1 to P2"),
        *("address: x@y.example is nice", "my address is also"),
    ],
)
def test_other_lines_are_none_of_these(line: str) -> None:
    assert parse_address_wish(line) is None


def test_lines_about_addresses_are_read() -> None:
    text = "My email address is also <Anna@Work.example>.\nfortify P1\nremove my address a@b.example please\nshow my addresses"
    wishes = [parse_address_wish(line) for line in text.split("\n")]
    assert wishes == [AddAddress(WORK), None, ForgetAddress("a@b.example"), ListAddresses()]


@pytest.mark.parametrize(
    "nobody",
    [
        *("mailer-daemon@players.example", "Postmaster@players.example"),
        *("no-reply@players.example", "bounces+7@players.example", "abuse@players.example"),
        "auto-reply@players.example",
    ],
)
async def test_f111_nobody_is_invited_at_the_address_of_a_machine(
    tmp_path: Path, nobody: str
) -> None:
    """F-111: nor put on a seat, made a game master, or asked whether the address is theirs."""
    async with table(tmp_path) as desk:
        by = gm.By("test")
        wanted = Wanted(nobody, desk.clock.now() + timedelta(days=3))
        await gm.open_table(desk.services, gm.NewTable("egret", "Egret", PLAYED, {}, "UTC"), by)
        for refused in (
            gm.invite(desk.services, "egret", "Otto", nobody, by),
            gm.replace(desk.services, "heron", "Anna", "Otto", nobody, by),
            substitute(desk.services, "heron", "Anna", wanted, by),
            invite_master(desk.services, nobody, by),
        ):
            with pytest.raises(gm.Refused) as why:
                await refused
            assert why.value.code == "bad-address"
        await desk.write("Anna", f"my address is also {nobody}")
        await desk.write("Anna", f"Otto {nobody} plays for me until 20 November")
        assert desk.postbox.to(nobody.lower()) == []


@pytest.mark.parametrize(
    "own", ["orders@house.example", "orders+x@house.example", "Orders+O1-2@House.Example"]
)
async def test_f57_the_houses_own_address_is_nobodys_whatever_stands_behind_the_plus(
    tmp_path: Path, own: str
) -> None:
    async with table(tmp_path) as desk:
        by = gm.By("test")
        wanted = Wanted(own, desk.clock.now() + timedelta(days=3))
        await gm.open_table(desk.services, gm.NewTable("egret", "Egret", PLAYED, {}, "UTC"), by)
        for refused in (
            gm.invite(desk.services, "egret", "Otto", own, by),
            gm.replace(desk.services, "heron", "Anna", "Otto", own, by),
            substitute(desk.services, "heron", "Anna", wanted, by),
            invite_master(desk.services, own, by),
        ):
            with pytest.raises(gm.Refused) as why:
                await refused
            assert why.value.code == "bad-address"
        await desk.write("Anna", f"my address is also {own}")
        await desk.write("Anna", f"Otto {own} plays for me until 20 November")
        assert desk.postbox.to(own.lower()) == []
        await desk.write(
            "Otto", f"join {await code_of(desk, 'egret')}", token=False, dmarc=None, sender=own
        )
        assert await outcome(desk) == "ignored:automatic:own-mail"
