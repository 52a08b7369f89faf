"""What a machine wrote is known by its header, in any language; what a person wrote is not taken
for it.
"""

import pytest

from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.inbound.reader import ReadingRules, read_mail
from pbem.mail.tokens import Purpose, format_message_id, make_token
from tests.rows import each_row

RULES = ReadingRules(frozenset({"orders@realm.example"}), "realm.example", "mx.realm.example")
OWN_ID = format_message_id(make_token(b"k" * 32, Purpose.ORDERS, 1, 1, 1), "5", "realm.example")


def automatic(
    *fields: str,
    sender: str = "anna@example.org",
    subject: str = "Re: [Heron] Turn 6",
    body: str = "P1: fortify",
) -> str | None:
    head = [f"From: {sender}", "To: orders@realm.example", f"Subject: {subject}", *fields]
    return read_mail(("\r\n".join(head) + "\r\n\r\n" + body).encode(), RULES).automatic


@each_row(
    ("field", "reason"),
    [
        ("Auto-Submitted: auto-replied", "auto-submitted"),
        ("Auto-Submitted: auto-generated; type=foo", "auto-submitted"),
        ("auto-submitted: (x) auto-notified", "auto-submitted"),
        ("Return-Path: <>", "null-sender"),
        ("X-Failed-Recipients: ben@example.org", "delivery-report"),
        ("Precedence: bulk", "precedence"),
        ("Precedence: junk", "precedence"),
        ("Precedence: auto_reply", "precedence"),
        ("Precedence: list", "precedence"),
        ("List-Id: <gamers.lists.example>", "mailing-list"),
        ("List-Unsubscribe: <mailto:x@lists.example>", "mailing-list"),
        ("Mailing-List: contact gamers@lists.example", "mailing-list"),
        ("X-Autoreply: yes", "auto-reply"),
        ("X-Autorespond: x", "auto-reply"),
        ("X-Auto-Reply: yes", "auto-reply"),  # f18, and those that follow
        ("X-Apple-Action: VACATION", "auto-reply"),
        (
            "Content-Type: multipart/report; report-type=delivery-status; boundary=lost",
            "delivery-report",
        ),
        ("Content-Type: multipart/report", "delivery-report"),
        (
            "Content-Type: multipart/report; report-type=something-new; boundary=b",
            "delivery-report",
        ),
        ("Content-Type: multipart/report; report-type=feedback-report; boundary=b", "complaint"),
        (
            "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
            "read-receipt",
        ),
        ("X-POST-MessageClass: 9; Autoresponder", "auto-reply"),
        ("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", "auto-reply"),
        (f"{LOOP_HEADER}: realm.example", "own-mail"),
        (f"Message-ID: {OWN_ID}", "own-mail"),
    ],
)
def test_a_field_of_the_header_tells_the_machine(field: str, reason: str) -> None:
    assert automatic(field) == reason


@each_row(
    "field",
    [
        *("Auto-Submitted: no", "Auto-Submitted: No (a person)", "Return-Path: <anna@example.org>"),
        *("Precedence: normal", "Precedence: first-class", "X-Autoreply: no"),
        *("X-Auto-Response-Suppress: DR, RN, NRN", "X-Auto-Response-Suppress: All"),
        *("X-Auto-Response-Suppress: DR, OOF, All", "Importance: high"),
        f"In-Reply-To: {OWN_ID}",
        "Message-ID: <CAF+x.5@mail.example.org>",
    ],
)
def test_an_ordinary_field_tells_nothing(field: str) -> None:
    assert automatic(field) is None


@each_row(
    ("sender", "reason"),
    [
        ("MAILER-DAEMON@example.org", "mailer-daemon"),
        ("postmaster@example.org", "mailer-daemon"),
        ("Mail Delivery Subsystem <mailer-daemon@googlemail.example>", "mailer-daemon"),
        ("Mail Delivery System <MAILER-DAEMON>", "mailer-daemon"),
        ("MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org", "mailer-daemon"),
        ("Mail.Delivery.System@example.org", "mailer-daemon"),  # f18, and those that follow
        ("mail-delivery-subsystem@example.org", "mailer-daemon"),
        ("post_master@example.org", "mailer-daemon"),
        ("=?utf-8?q?Mail_Delivery_Subsystem?= <>", "mailer-daemon"),
        ("no-reply@example.org", "no-reply-sender"),
        ("noreply+5@example.org", "no-reply-sender"),
        ("orders@realm.example", "own-mail"),
        ("Heron <orders+abc@realm.example>", "own-mail"),
        ("Postmaster Pat <pat@example.org>", None),
        ("noreplyfan@example.org", None),
    ],
)
def test_the_sender_tells_the_machine(sender: str, reason: str | None) -> None:
    assert automatic(sender=sender) == reason


@each_row(
    "subject",
    [
        *("Automatic reply: [Heron] Turn 6", "Out of office"),
        *("Out of Office AutoReply: [Heron] Turn 6", "Out of Office Reply: [Heron] Turn 6"),
        *("=?utf-8?q?Out_of_Office_AutoReply=3A_Heron?=", "Out of Office Re: [Heron] Turn 6"),
        *("AUTO: Anna is away", "Abwesenheitsnotiz: [Heron] Turn 6"),
        *("Automatische Antwort: [Heron] Turn 6", "Abwesend: [Heron] Turn 6"),
        *("Ich bin abwesend (Re: [Heron] Turn 6)", "Réponse automatique : [Heron] Turn 6"),
        "=?utf-8?q?R=C3=A9ponse_automatique?= : [Heron] Turn 6",
        *("Respuesta automática: [Heron] Turn 6", "Risposta automatica: [Heron] Turn 6"),
        *("Fuori sede", "Resposta automática: [Heron] Turn 6"),
        *("Automatisch antwoord: [Heron] Turn 6", "Automatisk svar: [Heron] Turn 6"),
        *("Autosvar: [Heron] Turn 6", "Automaattinen vastaus: [Heron] Turn 6"),
        *("Automatyczna odpowiedź: [Heron] Turn 6", "Automatická odpověď: [Heron] Turn 6"),
        *("Automatikus válasz: [Heron] Turn 6", "Răspuns automat: [Heron] Turn 6"),
        *("Автоматический ответ: [Heron] Turn 6", "Автоматична відповідь: [Heron] Turn 6"),
        *("Αυτόματη απάντηση: [Heron] Turn 6", "Otomatik yanıt: [Heron] Turn 6"),
        *("自動応答: [Heron] Turn 6", "自动回复: [Heron] Turn 6", "자동 회신: [Heron] Turn 6"),
        *("I am away: [Heron] Turn 6", "[Heron] Out of office: Turn 6"),
    ],
)
def test_a_vacation_subject_is_known_in_many_languages(subject: str) -> None:
    assert automatic(subject=subject) == "vacation-subject"


@each_row(
    "subject",
    [
        *("[Auto-Reply] [Heron] Turn 6", "[Heron] Turn 6 (Automatic reply)"),
        *("Out-of-office: [Heron] Turn 6", "Automated reply: [Heron] Turn 6", "Automatic message"),
        *("Yahoo! Auto Response", "Autoresponder: [Heron] Turn 6", "Away: [Heron] Turn 6"),
        *("Vacation: Re: [Heron] Turn 6", "On holiday Re: [Heron] Turn 6"),
        "I'm out of the office: [Heron] Turn 6",
        "Anna Berg is out of the office (returning 12/01/2026)",
        *("Anna Berg is currently out of office.", "Anna Berg: Out of office"),
        *("Anna ist abwesend: Abwesenheitsnotiz", "Automatische Nachricht: [Heron] Turn 6"),
        *("Urlaub: [Heron] Turn 6", "Im Urlaub - Re: [Heron] Turn 6", "Absence: [Heron] Turn 6"),
        *("Message automatique", "En vacances : [Heron] Turn 6"),
        *("Mensaje automático: [Heron] Turn 6", "Vacaciones: [Heron] Turn 6"),
        *("Autorisposta: [Heron] Turn 6", "In ferie: Re: [Heron] Turn 6"),
        *("Ausência: [Heron] Turn 6", "Automatisch bericht: [Heron] Turn 6"),
        *("Op vakantie: [Heron] Turn 6", "Semester: [Heron] Turn 6", "Lomalla: [Heron] Turn 6"),
        *("Na urlopie: [Heron] Turn 6", "Automatická zpráva: [Heron] Turn 6"),
        *("Szabadságon: [Heron] Turn 6", "В отпуске: [Heron] Turn 6"),
        *("Otomatik mesaj: [Heron] Turn 6", "休暇: [Heron] Turn 6", "부재 알림: [Heron] Turn 6"),
        "外出自动回复: [Heron] Turn 6",
    ],
)
def test_f99_a_vacation_subject_is_known_however_the_machine_names_itself(subject: str) -> None:
    """F-99: ten kinds were missed."""
    assert automatic(subject=subject) == "vacation-subject"


@pytest.mark.parametrize(
    "field", ["X-Mailer: Vacation/1.2", "X-Mailer: cPanel Autoresponder", "X-Mailer: Auto Reply 3"]
)
def test_f99_a_program_that_only_answers_is_a_machine(field: str) -> None:
    assert automatic(field) == "auto-reply"


@each_row(
    "subject",
    [
        *("Away: 24/12 to 26/12", "Urlaub: 24.12. bis 26.12.", "Vacation: please extend"),
        *("I will be out of the office next week", "I'm out of the office: please extend"),
        *("Holiday orders: P1 fortify", "Ben is out of his mind: P1 fortify"),
        *("Re: Anna Berg is out of the office", "RE: [Heron] Turn 6 (automatic reply)"),
        "My orders (for the vacation)",
    ],
)
def test_f99_what_a_person_writes_about_a_holiday_is_read(subject: str) -> None:
    assert automatic(subject=subject) is None


@each_row(
    "subject",
    [
        *("Re: Automatic reply: [Heron] Turn 6", "AW: Abwesenheitsnotiz"),
        *("On vacation, please extend", "Ausente la semana que viene", "Abwesend bis Montag"),
        *("Out of officers, P1 fortify", "Automatic victory!", "Autonomy for P4", ""),
    ],
)
def test_a_subject_that_a_person_wrote_is_none(subject: str) -> None:
    assert automatic(subject=subject) is None


@each_row(
    ("content_type", "part", "reason"),
    [
        (
            "multipart/report; report-type=delivery-status; boundary=b",
            "message/delivery-status",
            "delivery-report",
        ),
        (
            "multipart/report; report-type=disposition-notification; boundary=b",
            "message/disposition-notification",
            "read-receipt",
        ),
        (
            "multipart/report; report-type=feedback-report; boundary=b",
            "message/feedback-report",
            "complaint",
        ),
        ("multipart/mixed; boundary=b", "message/delivery-status", "delivery-report"),
        ("multipart/alternative; boundary=b", "text/calendar; method=REPLY", "calendar-answer"),
        ("multipart/alternative; boundary=b", "text/calendar; method=PUBLISH", None),
        ("multipart/mixed; boundary=b", "message/rfc822", None),
    ],
)
def test_the_parts_tell_the_machine(content_type: str, part: str, reason: str | None) -> None:
    body = f"--b\r\nContent-Type: text/plain\r\n\r\nWords\r\n--b\r\nContent-Type: {part}\r\n\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    assert automatic(f"Content-Type: {content_type}", body=body) == reason


def test_a_server_that_wants_no_answers_makes_nothing_automatic_but_what_looks_so_already() -> None:
    suppressed = "X-Auto-Response-Suppress: All"
    assert automatic(suppressed, subject="Abwesend bis Montag") == "auto-reply"
    assert (
        automatic(suppressed, "In-Reply-To: <1@realm.example>", subject="Re: Abwesend bis Montag")
        is None
    )
    assert automatic(suppressed, "Auto-Submitted: auto-replied") == "auto-submitted"
    assert automatic(suppressed, subject="On the way, please extend") is None


def test_words_in_the_body_never_make_a_mail_automatic() -> None:
    assert automatic(body="Auto-Submitted: auto-replied\r\nI am out of office. P1: fortify") is None
