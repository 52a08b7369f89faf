"""Who really wrote: the matrix of what a mail can prove."""

from dataclasses import replace

import pytest

from pbem.desk.authentication.verdicts import (
    Confirming,
    Facts,
    Known,
    Master,
    MasterFacts,
    PerhapsMaster,
    Proven,
    Stranger,
    Unproven,
    Verdict,
    Watching,
    WhichGame,
    judge,
)
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.mail.inbound.message import DmarcVerdict
from pbem.mail.tokens import Purpose, TokenClaim, make_token, parse_token
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from tests.desk.dates import NOON

KEY = b"k" * 32
ANNA = PersonRow(1, "Anna", "en", "UTC", NOON)
SEAT = SeatRow(7, 1, 1, "Anna", "red", 1, 2, NOON, "active")
OTHER = SeatRow(8, 2, 1, "Anna", "red", 1, 1, NOON, "active")
OWN = "anna@players.example"


def claim(
    purpose: Purpose = Purpose.ORDERS,
    seat: int = 7,
    tenure: int = 2,
    phase: int = 5,
    key: bytes = KEY,
) -> TokenClaim:
    found = parse_token(make_token(key, purpose, seat, tenure, phase))
    assert found is not None
    return found


def mail(sender: str | None = OWN, dmarc: DmarcVerdict = "unknown", *tokens: TokenClaim) -> Message:
    return Message(
        channel=MAIL,
        message_id="<a@b>",
        digest="",
        sender=sender,
        sender_name="",
        subject="",
        tokens=tokens,
        trust=dmarc,
        automatic=None,
        refused=None,
        text="hold",
        dated=None,
        in_reply_to=None,
        references=(),
        recipients_seen=(),
    )


def facts(person: PersonRow | None = ANNA, own: tuple[SeatRow, ...] = (SEAT,)) -> Facts:
    return Facts(
        person,
        own,
        {7: SEAT, 8: OTHER},
        {7: frozenset({OWN}), 8: frozenset({OWN})},
        frozenset({1, 2}),
    )


def test_a_true_token_from_the_own_address_is_proof() -> None:
    assert judge(mail(OWN, "unknown", claim()), facts(), KEY) == Proven(SEAT, 5)
    assert judge(mail(OWN, "pass", claim()), facts(), KEY) == Proven(SEAT, 5)


def test_a_mail_that_was_written_to_somebody_else_proves_nothing() -> None:
    passed_on = replace(mail(OWN, "pass", claim()), addressed=False)
    assert judge(passed_on, facts(), KEY) == Unproven(SEAT, "not-to-us", 5)
    assert judge(replace(mail(OWN, "pass"), addressed=False), facts(), KEY) == Unproven(
        SEAT, "no-code"
    )


def test_a_true_token_is_not_enough_from_another_address() -> None:
    assert judge(mail("ben@players.example", "pass", claim()), facts(), KEY) == Unproven(
        SEAT, "other-address", 5
    )


def test_a_trusted_dmarc_failure_takes_the_proof_away() -> None:
    assert judge(mail(OWN, "fail", claim()), facts(), KEY) == Unproven(SEAT, "dmarc-failed", 5)


@pytest.mark.parametrize("bad", [claim(tenure=1), claim(key=b"x" * 32), replace(claim(), phase=6)])
def test_a_token_of_an_earlier_tenure_or_a_forged_one_proves_nothing(bad: TokenClaim) -> None:
    assert isinstance(
        judge(mail("eve@elsewhere.example", "pass", bad), facts(person=None, own=()), KEY), Stranger
    )


def test_the_first_code_that_proves_something_decides() -> None:
    forged = claim(key=b"x" * 32)
    for codes in ((claim(), forged), (forged, claim()), (claim(), claim(seat=8, tenure=1))):
        assert judge(mail(OWN, "unknown", *codes), facts(), KEY) == Proven(SEAT, 5)


def test_a_bounce_token_never_gives_orders() -> None:
    verdict = judge(
        mail("eve@elsewhere.example", "pass", claim(Purpose.BOUNCE)),
        facts(person=None, own=()),
        KEY,
    )
    assert verdict == Stranger("unknown-sender")


def test_without_a_token_the_own_address_needs_a_trusted_pass_and_one_game() -> None:
    assert judge(mail(OWN, "pass"), facts(), KEY) == Proven(SEAT, None)
    assert judge(mail(OWN, "unknown"), facts(), KEY) == Unproven(SEAT, "no-code")
    assert judge(mail(OWN, "fail"), facts(), KEY) == Unproven(SEAT, "no-code")
    assert judge(mail(OWN, "pass"), facts(own=(SEAT, OTHER)), KEY) == WhichGame(ANNA, (SEAT, OTHER))
    assert judge(mail(OWN, "unknown"), facts(own=(SEAT, OTHER)), KEY) == Unproven(
        SEAT, "no-code", None, (SEAT, OTHER)
    )


def test_a_stranger_stays_a_stranger() -> None:
    assert judge(
        mail("eve@elsewhere.example", "pass"), facts(person=None, own=()), KEY
    ) == Stranger("unknown-sender")


def test_somebody_we_know_without_a_seat_is_known_by_a_trusted_pass_alone() -> None:
    assert judge(mail(OWN, "pass"), facts(own=()), KEY) == Known(ANNA)
    for trust in ("unknown", "fail"):
        assert judge(mail(OWN, trust), facts(own=()), KEY) == Stranger("no-seat")


def test_an_answer_to_a_confirmation_is_known_as_such() -> None:
    confirming = claim(Purpose.CONFIRM, seat=3, tenure=0, phase=0)
    assert judge(mail(OWN, "unknown", confirming), facts(), KEY) == Confirming(confirming)


AWAY = {4: (9, 3)}
"""Anna's seat at table 4, which somebody else has for her since her third tenure."""


@pytest.mark.parametrize(
    ("trust", "addressed", "own", "verdict"),
    [
        ("pass", True, True, Watching(ANNA, 4)),
        ("unknown", True, True, Watching(ANNA, 4)),
        ("fail", True, True, Stranger("no-seat")),
        ("unknown", False, True, Stranger("no-seat")),
        ("unknown", True, False, Stranger("no-seat")),
    ],
)
def test_a_code_from_before_somebody_else_had_the_seat_is_about_that_table_if_it_is_theirs(
    trust: DmarcVerdict, addressed: bool, own: bool, verdict: Verdict
) -> None:
    known = replace(facts(own=()), away=AWAY, is_own_address=own, claimed_seats={})
    letter = mail(OWN, trust, claim(seat=9, tenure=3))
    assert judge(replace(letter, addressed=addressed), known, KEY) == verdict
    later = mail(OWN, "unknown", claim(seat=9, tenure=4))
    assert judge(later, known, KEY) == Stranger("no-seat"), "a code of the one who plays now"


@pytest.mark.parametrize(
    ("trust", "addressed", "verdict"),
    [
        ("pass", True, Watching(ANNA, 4)),
        ("pass", False, Stranger("no-seat")),
        ("unknown", True, Stranger("no-seat")),
        ("fail", True, Stranger("no-seat")),
    ],
)
def test_without_a_code_somebody_whose_one_seat_is_lent_is_known_by_a_pass_alone(
    trust: DmarcVerdict, addressed: bool, verdict: Verdict
) -> None:
    known = replace(facts(own=()), away=AWAY)
    assert judge(replace(mail(OWN, trust), addressed=addressed), known, KEY) == verdict
    two = replace(known, away={**AWAY, 5: (10, 1)})
    assert judge(mail(OWN, "pass"), two, KEY) == Known(ANNA), "of which of two tables?"


@pytest.mark.parametrize(
    ("plays", "answers", "text", "commands"),
    [
        (False, False, "status", True),
        (True, False, "status", False),
        (True, True, "status", True),
        (True, False, "gm status", True),
    ],
)
def test_a_game_master_who_plays_commands_in_a_chat_where_that_is_said(
    plays: bool, answers: bool, text: str, commands: bool
) -> None:
    known = replace(facts(own=(SEAT,) if plays else ()), is_master=True, answers_master=answers)
    said = replace(mail("4711", "pass"), channel=TELEGRAM, text=text)
    verdict = judge(said, known, KEY)
    assert verdict == (Master(ANNA, None) if commands else Proven(SEAT, None))


@pytest.mark.parametrize(("trust", "asked"), [("pass", True), ("unknown", True), ("fail", False)])
def test_a_game_master_without_a_code_is_asked_by_mail_unless_the_mail_is_forged(
    trust: DmarcVerdict, asked: bool
) -> None:
    verdict = judge(mail(OWN, trust), replace(facts(own=()), is_master=True), KEY)
    assert (verdict == PerhapsMaster(ANNA)) is asked
    assert asked or verdict == Stranger("no-seat")


def master_facts() -> Facts:
    greta = MasterFacts(ANNA, 3, frozenset({OWN}))
    return replace(facts(person=None, own=()), masters={1: greta})


@pytest.mark.parametrize(
    ("sender", "trust", "addressed", "generation", "verdict"),
    [
        (OWN, "unknown", True, 3, Master(ANNA, 5)),
        (OWN, "unknown", False, 3, PerhapsMaster(ANNA)),
        (OWN, "fail", True, 3, Stranger("not-the-game-master")),
        ("eve@elsewhere.example", "pass", True, 3, Stranger("not-the-game-master")),
        (OWN, "unknown", True, 2, Stranger("unknown-sender")),
    ],
)
def test_a_game_masters_code_counts_from_their_own_address_alone(
    sender: str, trust: DmarcVerdict, addressed: bool, generation: int, verdict: Verdict
) -> None:
    letter = mail(sender, trust, claim(Purpose.GM, seat=1, tenure=generation))
    assert judge(replace(letter, addressed=addressed), master_facts(), KEY) == verdict


def test_a_game_masters_code_for_no_table_is_for_the_house() -> None:
    letter = mail(OWN, "unknown", claim(Purpose.GM, seat=1, tenure=3, phase=0))
    assert judge(letter, master_facts(), KEY) == Master(ANNA, None)


@pytest.mark.parametrize(
    ("trust", "addressed", "own", "whose", "watches"),
    [
        ("unknown", True, True, 1, True),
        ("fail", True, True, 1, False),
        ("unknown", False, True, 1, False),
        ("unknown", True, False, 1, False),
        ("unknown", True, True, 2, False),
    ],
)
def test_an_observers_code_counts_from_their_own_confirmed_address_alone(
    trust: DmarcVerdict, addressed: bool, own: bool, whose: int, watches: bool
) -> None:
    letter = mail(OWN, trust, claim(Purpose.WATCH, seat=whose, tenure=0, phase=4))
    known = replace(facts(own=()), is_own_address=own)
    verdict = judge(replace(letter, addressed=addressed), known, KEY)
    assert verdict == (Watching(ANNA, 4) if watches else Stranger("no-seat"))
    nobody = replace(facts(person=None, own=()), is_own_address=own)
    assert judge(letter, nobody, KEY) == Stranger("unknown-sender")


@pytest.mark.parametrize("purpose", [Purpose.CONFIRM, Purpose.GM, Purpose.WATCH])
def test_a_code_made_under_another_key_is_none(purpose: Purpose) -> None:
    forged = claim(purpose, seat=1, tenure=0 if purpose is not Purpose.GM else 3, key=b"x" * 32)
    known = replace(master_facts(), is_own_address=True)
    assert judge(mail(OWN, "pass", forged), known, KEY) == Stranger("unknown-sender")


def test_of_several_seats_those_of_games_that_run_are_in_question() -> None:
    known = replace(facts(own=(SEAT, OTHER)), running_games=frozenset({2}))
    assert judge(mail(OWN, "pass"), known, KEY) == Proven(OTHER, None)
    none_runs = replace(known, running_games=frozenset())
    assert judge(mail(OWN, "pass"), none_runs, KEY) == WhichGame(ANNA, (SEAT, OTHER))
