"""The matrix sees: with any one defence taken away it tells of mails that were believed."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.desk.authentication.verdicts import Facts, Verdict, judge
from pbem.desk.envelope.message import Message
from pbem.desk.messages import opening as desk_opening
from pbem.desk.messages import policy
from pbem.mail.inbound import reader
from pbem.mail.inbound.message import InboundMail
from pbem.mail.inbound.reader import read_mail
from pbem.mail.tokens import TokenClaim, make_token, parse_token, proves
from tests.desk.harness import KEY
from tests.hostile.matrix import send_family
from tests.hostile.world import World

Judge = Callable[[Message, Facts, bytes], Verdict]


def any_address(mail: Message, facts: Facts, key: bytes) -> Verdict:
    """The token alone suffices."""
    own = frozenset({mail.sender}) if mail.sender is not None else frozenset()
    return judge(
        mail, dataclasses.replace(facts, addresses_of=dict.fromkeys(facts.claimed_seats, own)), key
    )


def no_dmarc(mail: Message, facts: Facts, key: bytes) -> Verdict:
    """What the server found out is not looked at."""
    return judge(dataclasses.replace(mail, trust="unknown"), facts, key)


def no_tenure(mail: Message, facts: Facts, key: bytes) -> Verdict:
    """A token of an earlier tenure counts, and whoever sat there once keeps their addresses."""

    def renewed(claim: TokenClaim) -> TokenClaim:
        seat = facts.claimed_seats.get(claim.seat)
        if seat is None or not any(proves(claim, key, tenure) for tenure in range(seat.tenure)):
            return claim
        return (
            parse_token(make_token(KEY, claim.purpose, claim.seat, seat.tenure, claim.phase))
            or claim
        )

    addresses = {
        seat: own | ({mail.sender} if mail.sender else set())
        for seat, own in facts.addresses_of.items()
    }
    tokens = tuple(renewed(claim) for claim in mail.tokens)
    stale = tokens != mail.tokens
    return judge(
        dataclasses.replace(mail, tokens=tokens),
        dataclasses.replace(facts, addresses_of=addresses) if stale else facts,
        key,
    )


def to_anybody(mail: Message, facts: Facts, key: bytes) -> Verdict:
    """Whom a mail was written to is not looked at."""
    return judge(dataclasses.replace(mail, addressed=True), facts, key)


@pytest.mark.long(
    held_by="tests/hostile/test_hostile.py (the defences as they are),"
    " tests/desk/authentication (each by itself)"
)
@pytest.mark.parametrize(
    ("careless", "family"),
    [
        (any_address, "tokens of others"),
        (no_dmarc, "senders plainly forged"),
        (no_tenure, "tokens of others"),
        (to_anybody, "mails passed on"),
    ],
)
async def test_without_a_defence_mails_are_believed(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, careless: Judge, family: str
) -> None:
    monkeypatch.setattr(policy, "judge", careless)
    assert (
        await send_family(
            world, family, tmp_path / "siege", most=None if careless is no_tenure else 80
        )
    ).accepted


@pytest.mark.long(
    held_by="tests/hostile/test_hostile.py (the defences as they are),"
    " tests/mail/reading (what is cut)"
)
async def test_without_the_cut_of_quotes_hidden_orders_are_taken(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "new_text", lambda text: text.replace(">", ""))
    assert (await send_family(world, "hidden orders", tmp_path / "siege")).accepted


@pytest.mark.long(held_by="tests/hostile/test_hostile.py (no mail of a family is believed)")
async def test_without_an_eye_for_machines_their_answers_are_taken(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trusting(raw: bytes, rules: reader.ReadingRules, *, oversize: bool = False) -> InboundMail:
        return dataclasses.replace(read_mail(raw, rules, oversize=oversize), automatic=None)

    monkeypatch.setattr(desk_opening, "read_mail", trusting)
    assert (await send_family(world, "automatic answers", tmp_path / "siege", most=12)).accepted
