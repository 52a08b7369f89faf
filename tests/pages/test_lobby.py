"""The mails about tables that have not begun: what they must say and must not."""

import dataclasses
from collections.abc import Callable
from datetime import timedelta

from pbem.mail.tokens import CODE_LINE
from pbem.pages.lobby import (
    AskJoiner,
    AskResign,
    FreeAgain,
    GmCannotStart,
    GmFull,
    GmJoined,
    GmLeft,
    GmResigned,
    GmVotingOver,
    LeaveExplained,
    NotJoined,
    PlayerResigned,
    Resigned,
    Seated,
    SeatLeft,
    SeatReceipt,
    TableExpired,
    TableExpiresSoon,
    TableFull,
    ZoneSet,
    ZoneUnclear,
)
from pbem.pages.lobby_view import Change, Done, Lobby, Proposal, Question, Refusal, SeatInLobby
from pbem.pages.notice import notice_page
from pbem.pages.page import Page
from tests.pages.sample import NOW, reader, table
from tests.rows import each_row

BALLOT = (Question("version", ("normal", "grand"), "", 2),)
FREE = ("yellow", "black", "sky", "orange", "pink")
OPEN = Lobby(
    sitting=(
        SeatInLobby(1, "Anna", "red", is_reader=True),
        SeatInLobby(2, "Bartek", "blue", has_answered=False),
        SeatInLobby(3, "Chloé", "green"),
    ),
    least=5,
    most=9,
    starts="gm",
    code="heron-k7m2qd",
    questions=BALLOT,
    free_colours=FREE,
    expires_at=NOW + timedelta(days=18),
)
FULL = dataclasses.replace(
    OPEN,
    most=3,
    least=3,
    starts="full",
    voting_until=NOW + timedelta(hours=24),
    questions=(Question("version", ("normal", "grand"), "grand", 2),),
    sitting=tuple(dataclasses.replace(seat, has_answered=True) for seat in OPEN.sitting),
)
BEFORE = table(
    deadline=None,
    phase_number=0,
    hours=0,
    has_picture=False,
    code="o1-0-abcdefghijklmnopqrstuvwxyz",
)
NOBODY = reader(None, "Gerda")
PROPOSED = Proposal("Dora", "yellow", "Europe/Berlin")
MAILS: dict[str, Callable[[], Page]] = {
    "ask-joiner": lambda: notice_page(
        AskJoiner(_without_reader(OPEN), PROPOSED),
        dataclasses.replace(BEFORE, code="c7-0-abcdefghijklmnopqrstuvwxyz"),
        reader(None, "Dora"),
    ),
    "ask-joiner-again": lambda: notice_page(
        AskJoiner(
            _without_reader(OPEN),
            PROPOSED,
            (
                Refusal("name-taken", "Аnna", ("Anna",)),
                Refusal("unknown-colour", "gren", ("colour green",)),
                Refusal(
                    "zone-abbreviation", "CET", ("time zone Europe/Berlin", "time zone Europe/Oslo")
                ),
            ),
        ),
        dataclasses.replace(BEFORE, code="c7-0-abcdefghijklmnopqrstuvwxyz"),
        reader(None, "Dora"),
    ),
    "seated": lambda: notice_page(Seated(OPEN), BEFORE, reader()),
    "lobby-receipt": lambda: notice_page(
        SeatReceipt(
            OPEN,
            Done(
                (
                    Change("colour", "red"),
                    Change("zone", "Europe/Berlin"),
                    Change("vote", "grand", "version"),
                ),
                (
                    Refusal("name-reserved", "green"),
                    Refusal("not-understood", "nmae Bea", ("name Bea",)),
                ),
                "could we begin on Monday?",
            ),
        ),
        BEFORE,
        reader(),
    ),
    "table-full": lambda: notice_page(TableFull(FULL), BEFORE, reader()),
    "left": lambda: notice_page(SeatLeft("heron-k7m2qd"), BEFORE, reader(None, "Anna")),
    "not-joined": lambda: notice_page(NotJoined("full"), BEFORE, reader(None, "Anna")),
    "free-again": lambda: notice_page(FreeAgain(OPEN, "Mei"), BEFORE, reader()),
    "expires-soon": lambda: notice_page(TableExpiresSoon(OPEN), BEFORE, reader()),
    "expired": lambda: notice_page(TableExpired(OPEN), BEFORE, reader()),
    "zone-set": lambda: notice_page(ZoneSet(), table(), reader(zone="Asia/Tokyo")),
    "zone-unclear": lambda: notice_page(
        ZoneUnclear(Refusal("zone-unknown", "Osol", ("time zone Europe/Oslo",))), table(), reader()
    ),
    "leave-explained": lambda: notice_page(LeaveExplained(), table(), reader()),
    "leave-before": lambda: notice_page(LeaveExplained(begun=False), BEFORE, reader()),
    "ask-resign": lambda: notice_page(
        AskResign(), table(), reader(), "c9-0-abcdefghijklmnopqrstuvwxyz"
    ),
    "resigned": lambda: notice_page(Resigned(), table(), reader()),
    "player-resigned": lambda: notice_page(PlayerResigned("Bartek"), table(), reader()),
    "gm-joined": lambda: notice_page(
        GmJoined(_without_reader(OPEN), "Chloé", was_invited=False), BEFORE, NOBODY
    ),
    "gm-left": lambda: notice_page(
        GmLeft(_without_reader(OPEN), "Mei", declined=True), BEFORE, NOBODY
    ),
    "gm-full": lambda: notice_page(GmFull(_without_reader(FULL)), BEFORE, NOBODY),
    "gm-voting-over": lambda: notice_page(GmVotingOver(_without_reader(FULL)), BEFORE, NOBODY),
    "gm-cannot-start": lambda: notice_page(
        GmCannotStart(
            _without_reader(FULL), "a grand game of 3 players has 6 to 52 provinces, not 5"
        ),
        BEFORE,
        NOBODY,
    ),
    "gm-resigned": lambda: notice_page(GmResigned("Bartek"), table(), NOBODY),
}


def _without_reader(lobby: Lobby) -> Lobby:
    return dataclasses.replace(
        lobby, sitting=tuple(dataclasses.replace(seat, is_reader=False) for seat in lobby.sitting)
    )


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_question_to_an_address_says_that_nothing_is_taken_and_how_to_say_more() -> None:
    text = flat(MAILS["ask-joiner"]().text)
    assert "You have no seat yet." in text
    assert "Code c7-0-" in text
    assert "yes, as Bea, black, time zone Europe/Oslo" in text


def test_nobody_sees_what_another_has_voted() -> None:
    for name in ("seated", "ask-joiner", "gm-full", "table-full"):
        page = MAILS[name]()
        assert ("you: grand" in page.text) == (name == "table-full")


@each_row(
    "code",
    [
        *("unknown-colour", "colour-taken", "name-taken", "name-too-long", "name-reserved"),
        *("name-empty", "name-unprintable", "zone-abbreviation", "zone-offset", "zone-ambiguous"),
        *("zone-unknown", "nothing-to-vote", "unknown-vote", "vote-ambiguous", "no-press"),
        *("nothing-to-decline", "not-yet", "own-line", "not-understood"),
    ],
)
def test_every_refusal_has_words_of_its_own_and_shows_markup_as_text(code: str) -> None:
    refusal = Refusal(code, "<b>x</b>", ("colour <i>green",))
    page = notice_page(SeatReceipt(OPEN, Done(refusals=(refusal,))), BEFORE, reader())
    assert "<b>x</b>" in page.text
    assert "<b>x</b>" not in page.html
    assert "<i>green" not in page.html
    if code != "not-understood":
        assert "We did not understand this" not in page.text


@each_row("name", [name for name in MAILS if not name.startswith("gm-")])
def test_the_code_of_a_letter_is_never_torn_from_its_word(name: str) -> None:
    text = MAILS[name]().text
    assert ("Code" in text) == (CODE_LINE.search(text) is not None or "heron-6-k7qx" in text)
