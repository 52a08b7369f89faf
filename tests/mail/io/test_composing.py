"""Letters as bytes: what a mail program finds in them, and what nobody may put into them."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbem.mail.letter
from pbem.mail import composer
from pbem.mail.composer import compose, envelope
from pbem.mail.letter import (
    AttachedFile,
    CalendarFile,
    InlineImage,
    Letter,
    LetterError,
    base64_lines,
    encode_image,
    parse_message_id,
)
from pbem.mail.ports import WireError, check_wire
from tests.mail.io.standard import build
from tests.rows import each_row

PNG = bytes(range(256)) * 700
LONG_ID = f"<{'t' * 48}.{'7' * 20}@mail.realm.example>"


def board() -> InlineImage:
    return encode_image(
        PNG,
        cid="board.7@mail.realm.example",
        filename="board.png",
        alt="P1 Anna, 3 units; P2 nobody",
    )


def badge(colour: str) -> InlineImage:
    return encode_image(
        colour.encode(), cid=f"arms-{colour}@x.example", filename=f"{colour}.png", alt=colour
    )


def letter(**changes: Any) -> Letter:
    plain: dict[str, Any] = {
        "from_name": "The Realm of Żółw",
        "from_address": "realm@mail.realm.example",
        "to_name": "Anna",
        "to_address": "anna@players.example",
        "subject": "[Heron] Turn 6: orders due Mon 23 Nov 18:00",
        "text": "ANNA, YOUR ORDERS\n\n    March! 2 from P2 to P3.\n-- \nfoot\n",
        "message_id": "<1.a@mail.realm.example>",
        "date": datetime(2026, 11, 20, 12, 0, tzinfo=UTC),
        "envelope_from": "bounces+abc@mail.realm.example",
        "auto_submitted": "auto-generated",
    }
    return Letter(**{**plain, **changes})


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def content(part: EmailMessage | None) -> str:
    """The text of a part, with the line ends of Python."""
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def shape(message: EmailMessage) -> Any:
    """The nesting of the parts."""
    if not message.is_multipart():
        return message.get_content_type()
    return (
        message.get_content_type(),
        [shape(part) for part in message.iter_parts() if isinstance(part, EmailMessage)],
    )


CALENDAR = CalendarFile("deadline.ics", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
RELATED = ("multipart/related", ["text/html", "image/png"])


@each_row(
    ("html", "image", "calendar", "expected"),
    [
        (False, False, False, "text/plain"),
        (True, False, False, ("multipart/alternative", ["text/plain", "text/html"])),
        (True, True, False, ("multipart/alternative", ["text/plain", RELATED])),
        (
            True,
            True,
            True,
            (
                "multipart/mixed",
                [("multipart/alternative", ["text/plain", RELATED]), "text/calendar"],
            ),
        ),
        (
            True,
            False,
            True,
            (
                "multipart/mixed",
                [("multipart/alternative", ["text/plain", "text/html"]), "text/calendar"],
            ),
        ),
        (False, False, True, ("multipart/mixed", ["text/plain", "text/calendar"])),
        (False, True, False, ("multipart/mixed", ["text/plain", "image/png"])),
        (False, True, True, ("multipart/mixed", ["text/plain", "image/png", "text/calendar"])),
    ],
)
def test_a_mail_has_the_layers_it_needs_and_no_more(
    html: bool, image: bool, calendar: bool, expected: Any
) -> None:
    sample = letter(
        html="<p>x</p>" if html else None,
        image=board() if image else None,
        calendars=(CALENDAR,) if calendar else (),
    )
    raw = compose(sample)
    check_wire(raw)
    assert raw == build(sample).as_bytes()
    message = read(raw)
    assert shape(message) == expected
    assert not message.defects
    assert all(not part.defects for part in message.walk())


def test_a_full_mail_reads_as_it_was_written() -> None:
    text = (
        "Chloé hält P5 – łódź.\r\n"
        + "x" * 300
        + "\n.\n..dots\nFrom P3 march all\ntrailing   \n-- \nfoot"
    )
    html = '<p>Chloé</p><img src="cid:board.7@mail.realm.example" alt="P1 Anna">'
    sample = letter(
        text=text,
        html=html,
        image=board(),
        calendars=(CALENDAR,),
        reply_to="orders+tok@mail.realm.example",
        in_reply_to=LONG_ID,
        references=(LONG_ID, "<b@x.example>", LONG_ID.replace("7", "8")),
        list_id="<heron.mail.realm.example>",
        extra=(("X-Phase", "12"), ("Precedence", "list")),
        message_id=LONG_ID.replace("7", "9"),
    )
    raw = compose(sample)
    message = read(raw)
    assert str(message["From"]) == "The Realm of Żółw <realm@mail.realm.example>"
    assert str(message["To"]) == "Anna <anna@players.example>"
    assert message["Subject"] == sample.subject
    assert message["Reply-To"] == "orders+tok@mail.realm.example"
    assert message["Message-ID"] == sample.message_id
    assert message["In-Reply-To"] == LONG_ID
    assert message["References"].split() == list(sample.references)
    assert message["Date"].datetime == sample.date
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Id"] == "<heron.mail.realm.example>"
    assert (message["X-Phase"], message["Precedence"]) == ("12", "list")
    assert len(message.get_all("To", [])) == 1
    assert message["Cc"] is None
    assert message["Bcc"] is None
    parts = {part.get_content_type(): part for part in message.walk()}
    assert content(parts["text/plain"]) == text.replace("\r\n", "\n") + "\n"
    assert content(parts["text/html"]) == html + "\n"
    assert parts["image/png"].get_content() == PNG
    assert parts["image/png"]["Content-ID"] == "<board.7@mail.realm.example>"
    assert parts["image/png"].get_content_disposition() == "inline"
    assert parts["multipart/related"].get_param("type") == "text/html"
    assert parts["text/calendar"].get_param("method") == "PUBLISH"
    assert parts["text/calendar"].get_payload(decode=True) == CALENDAR.ics
    assert parts["text/calendar"].get_filename() == "deadline.ics"
    # The IDs stand in the raw header as they are: other programs do not decode encoded words in
    # them.
    for identifier in (*sample.references, sample.message_id):
        assert identifier.encode() in raw
    assert all(
        len(line) <= 78 or line.endswith(b"@mail.realm.example>") for line in raw.split(b"\r\n")
    )


def test_the_same_letter_gives_the_same_bytes_and_the_envelope_is_its_own() -> None:
    sample = letter(html="<p>x</p>", image=board(), calendars=(CALENDAR,))
    assert compose(sample) == compose(sample)
    outgoing = envelope(sample)
    assert (outgoing.envelope_from, outgoing.recipient, outgoing.raw) == (
        sample.envelope_from,
        "anna@players.example",
        compose(sample),
    )
    assert b"bounces+abc" not in outgoing.raw


def test_a_picture_is_encoded_once_for_all_its_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = board()
    encodings: list[int] = []

    def counting(data: bytes) -> bytes:
        encodings.append(len(data))
        return base64_lines(data)

    for module in (composer, pbem.mail.letter):
        monkeypatch.setattr(module, "base64_lines", counting)
    mails = [
        compose(letter(to_address=f"p{n}@x.example", html="<p>x</p>", image=picture))
        for n in range(8)
    ]
    assert encodings == []
    assert all(picture.base64 in mail for mail in mails)


def test_who_writes_a_boundary_into_a_text_does_not_make_a_part_of_it() -> None:
    first = compose(letter(html="<p>x</p>"))
    boundary = re.search(rb'boundary="([^"]+)"', first)
    assert boundary is not None
    attack = f"--{boundary[1].decode()}\nContent-Type: text/html\n\n<b>forged</b>\n--{boundary[1].decode()}--\n"
    message = read(compose(letter(text=attack, html="<p>x</p>")))
    assert shape(message) == ("multipart/alternative", ["text/plain", "text/html"])
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    assert content(body) == attack


FIELDS = [
    *("from_name", "from_address", "to_name", "to_address", "subject", "message_id"),
    *("envelope_from", "reply_to", "in_reply_to", "list_id"),
]
BREAKS = [
    *("\r\nBcc: all@x.example", "\nX: y", "\r", "\0", "\x0b", "\x0c", "\x1c", "\x1f", "\x7f"),
    *("\x85", "\u2028", "\u2029", "\ud800"),
]


@pytest.mark.parametrize(
    "field",
    [*FIELDS, "references", "extra name", "extra value", "cid", "filename", "alt", "calendar"],
)
@given(before=st.text(max_size=8), after=st.text(max_size=8), trouble=st.sampled_from(BREAKS))
def test_no_field_takes_a_line_break_or_a_control(
    field: str, before: str, after: str, trouble: str
) -> None:
    hostile = before + trouble + after
    with pytest.raises(LetterError):
        _with(field, hostile)


def _with(field: str, hostile: str) -> object:
    match field:
        case "references":
            return letter(references=("<a@b>", hostile))
        case "extra name":
            return letter(extra=((hostile, "x"),))
        case "extra value":
            return letter(extra=(("X-Phase", hostile),))
        case "cid":
            return encode_image(b"", cid=hostile, filename="a.png", alt="")
        case "filename":
            return encode_image(b"", cid="a@b", filename=hostile, alt="")
        case "alt":
            return encode_image(b"", cid="a@b", filename="a.png", alt=hostile)
        case "calendar":
            return CalendarFile(hostile, b"")
        case _:
            return letter(**{field: hostile})


HOSTILE = st.one_of(
    st.text(max_size=120),
    st.sampled_from(
        [
            "=?utf-8?q?=0D=0ABcc:_all@x.example?=",
            "=?utf-8?b?DQpCY2M6IGFsbEB4LmV4YW1wbGU=?= =?x?q?y?=",
            'a" <evil@x.example>, "b',
            'Müller, Jörg (Graf) <evil@x.example>;:@[]\\"',
            "x" * 300,
            "ł" * 200,
            "a, b",
            " leading and trailing ",
            "👑" * 30,
            "=?",
            "?=" * 40,
        ]
    ),
)


EXPECTED_FIELDS = sorted(
    [
        *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
        *("X-Auto-Response-Suppress", "X-Note", "MIME-Version", "Content-Type"),
        "Content-Transfer-Encoding",
    ]
)


@given(from_name=HOSTILE, to_name=HOSTILE, subject=HOSTILE, value=HOSTILE)
def test_what_is_taken_makes_exactly_the_header_it_should(
    from_name: str, to_name: str, subject: str, value: str
) -> None:
    try:
        sample = letter(
            from_name=from_name, to_name=to_name, subject=subject, extra=(("X-Note", value),)
        )
    except LetterError:
        return
    raw = compose(sample)
    check_wire(raw)
    message = read(raw)
    assert sorted(message.keys()) == EXPECTED_FIELDS
    for field, name, address in (
        ("From", from_name, sample.from_address),
        ("To", to_name, sample.to_address),
    ):
        (one,) = message[field].addresses
        assert one.addr_spec == address
        assert "".join(one.display_name.split()) == "".join(name.replace("=?", "= ?").split())
    shown = subject.replace("=?", "= ?")
    assert "".join(str(message["Subject"]).split()) == "".join(shown.split())
    assert content(message) == sample.text


NAMES = st.one_of(HOSTILE, st.text(st.sampled_from("Anna Lee.,-'\"()"), max_size=80))


@given(
    from_name=NAMES,
    to_name=NAMES,
    subject=NAMES,
    text=st.text(max_size=200),
    html=st.none() | st.text(max_size=200),
    pictured=st.booleans(),
    dated=st.booleans(),
    reply_to=st.sampled_from((None, "realm+abc@mail.realm.example", f"{'r' * 64}@realm.example")),
    references=st.lists(st.sampled_from((LONG_ID, "<a@b>")), max_size=3),
    file_name=st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,70}", fullmatch=True),
)
def test_f40_what_is_written_out_is_what_the_standard_library_would_write(
    from_name: str,
    to_name: str,
    subject: str,
    text: str,
    html: str | None,
    pictured: bool,
    dated: bool,
    reply_to: str | None,
    references: list[str],
    file_name: str | None,
) -> None:
    try:
        sample = letter(
            from_name=from_name,
            to_name=to_name,
            subject=subject,
            text=text,
            html=html,
            image=board() if pictured else None,
            badges=(badge("red"), badge("sky"))[: len(references)],
            calendars=(CALENDAR,) if dated else (),
            reply_to=reply_to,
            references=tuple(references),
            list_id="<heron.realm.example>" if dated else None,
            extra=(("X-Note", subject), ("List-Unsubscribe", "<mailto:a@b.example>")),
            file=AttachedFile(file_name, text.encode()) if file_name is not None else None,
        )
    except LetterError:
        return
    assert compose(sample) == build(sample).as_bytes()


@given(st.text(max_size=400))
def test_any_text_survives(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    raw = compose(letter(text=text))
    check_wire(raw)
    payload = read(raw).get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert payload.decode().replace("\r\n", "\n") == (
        lines if lines.endswith("\n") else lines + "\n"
    )


@each_row(
    "changes",
    [
        {"to_address": "a@b.example, c@d.example"},
        {"to_address": "Anna <a@b.example>"},
        {"to_address": '"a b"@x.example'},
        {"to_address": "żółw@x.example"},
        {"to_address": "a@żółw.example"},
        {"to_address": "anna"},
        {"to_address": "@x.example"},
        {"to_address": "a" * 65 + "@x.example"},
        {"to_address": ""},
        {"reply_to": "a@b c"},
        {"envelope_from": "<a@b.example>"},
        {"message_id": "1@x"},
        {"message_id": "<a b@x>"},
        {"message_id": "<>"},
        {"message_id": f"<{'a' * 1000}@x>"},
        {"references": ("<a@b> <c@d>",)},
        {"date": datetime(2026, 1, 1)},  # noqa: DTZ001 - that is the fault
        {"auto_submitted": "no"},
        {"list_id": "Żółw <x.example>"},
        {"extra": (("Bcc", "x@y.example"),)},
        {"extra": (("cc", "x@y.example"),)},
        {"extra": (("Content-Type", "text/html"),)},
        {"extra": (("Resent-To", "x@y.example"),)},
        {"extra": (("X Phase", "1"),)},
        {"subject": "x" * 2001},
    ],
)
def test_what_is_no_plain_field_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(LetterError) as refusal:
        letter(**changes)
    assert refusal.value.field in changes


def test_dates_keep_their_zone() -> None:
    zone = timezone(timedelta(hours=-9, minutes=-30))
    assert b"Date: Fri, 20 Nov 2026 12:00:00 -0930\r\n" in compose(
        letter(date=datetime(2026, 11, 20, 12, tzinfo=zone))
    )


@each_row(
    ("text", "expected"),
    [
        ("<a@b>", "<a@b>"),
        (" <a@b>\r\n", "<a@b>"),
        ("<no-at>", "<no-at>"),
        ("a@b", None),
        ("<a@b> <c@d>", None),
        ("<ż@b>", None),
        ("", None),
    ],
)
def test_other_people_s_message_ids_are_quoted_only_when_they_can_be(
    text: str, expected: str | None
) -> None:
    assert parse_message_id(text) == expected


@given(st.text(max_size=60))
def test_a_parsed_message_id_is_always_fit_for_a_letter(text: str) -> None:
    identifier = parse_message_id(f"<{text}>")
    if identifier is not None:
        compose(letter(in_reply_to=identifier))


@each_row(
    "raw",
    [
        *(b"", b"a", b"a\r\nb", b"a\n", b"a\r", b"a\n\r\n", b"\xff\r\n", b"\0\r\n"),
        b"x" * 999 + b"\r\n",
    ],
)
def test_the_wire_check_knows_what_is_dangerous(raw: bytes) -> None:
    with pytest.raises(WireError):
        check_wire(raw)


_SAFE = re.compile(rb"(?:[\x01-\t\x0b\x0c\x0e-\x7f]{0,998}\r\n)+")
_PIECES = (b"\r\n", b"\r", b"\n", b"a", b"\x0b", b"\x0c", b"\x1c", b"\0", b"\x85", b"x" * 998)


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map(b"".join))
def test_the_wire_check_lets_pass_whole_lines_of_ascii_alone(raw: bytes) -> None:
    if _SAFE.fullmatch(raw):
        check_wire(raw)
    else:
        with pytest.raises(WireError):
            check_wire(raw)


def test_a_file_is_attached_as_it_is_behind_everything_else() -> None:
    content_bytes = '{"who": "Chloé"}\r\n'.encode() * 100
    sample = letter(
        html="<p>x</p>",
        image=board(),
        calendars=(CALENDAR,),
        file=AttachedFile("heron-record.json", content_bytes),
    )
    raw = compose(sample)
    check_wire(raw)
    *_, last = read(raw).iter_attachments()
    assert (last.get_content_type(), last.get_content_disposition(), last.get_filename()) == (
        "application/json",
        "attachment",
        "heron-record.json",
    )
    assert last.get_payload(decode=True) == content_bytes
    assert shape(read(compose(letter(file=sample.file)))) == (
        "multipart/mixed",
        ["text/plain", "application/json"],
    )


@pytest.mark.parametrize("name", ["../x.json", 'a"b.json', "a\r\nX: y", "", ".hidden"])
def test_a_file_name_that_could_break_out_of_its_header_is_refused(name: str) -> None:
    with pytest.raises(LetterError):
        AttachedFile(name, b"{}")


@each_row("length", range(55, 90))
def test_f99_a_long_first_word_of_a_subject_stays_in_the_first_line(length: int) -> None:
    """F-99: a subject was folded as an empty first line."""
    subject = f"[{'H' * length}] Turn 6: orders due"
    raw = compose(letter(subject=subject))
    first = next(line for line in raw.split(b"\r\n") if line.startswith(b"Subject:"))
    assert len(first) > len(b"Subject: ")
    assert read(raw)["subject"] == subject
