"""Short mails of the post office: what they must say, each."""

from datetime import timedelta

from pbem.pages.notice import notice_page
from pbem.pages.notices import (
    CloseHeld,
    ConfirmSender,
    DeadlineChanged,
    GmBounce,
    GmNote,
    NotePassed,
    Quoted,
    WrongPhase,
)
from tests.pages.sample import NOW, reader, table


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_question_who_wrote_quotes_the_message_and_carries_the_token_it_was_given() -> None:
    page = notice_page(
        ConfirmSender([Quoted("march 2 from P1 to P2\n> quoted", NOW)], NOW),
        table(code=""),
        reader(),
        "tok-3n",
    )
    assert page.subject == "[Heron] Did you write this?"
    assert "    march 2 from P1 to P2\n    > quoted\n" in page.text
    assert "Code tok-3n" in page.text
    assert "Code\N{NO-BREAK SPACE}tok-3n" in page.html
    assert "It does not count yet." in flat(page.text)


def test_orders_for_a_closed_phase_are_told_what_is_open_and_until_when() -> None:
    text = flat(
        notice_page(WrongPhase("Consolidation", NOW + timedelta(days=1)), table(), reader()).text
    )
    assert "we did not take its orders" in text
    assert (
        "Open now: Consolidation, until Saturday 21 November, 18:00 your time (in 24 hours; 17:00 UTC)."
        in text
    )
    assert "Open now: Consolidation." in flat(
        notice_page(WrongPhase("Consolidation", None), table(), reader()).text
    )


def test_a_held_close_says_since_when_and_how_long_at_most() -> None:
    text = flat(notice_page(CloseHeld(NOW - timedelta(minutes=10), 120), table(), reader()).text)
    assert "should have closed on Friday 20 November, 17:50 (10 minutes ago; 16:50 UTC)" in text
    assert "at most 120 minutes" in text


def test_a_moved_deadline_names_the_new_one_first() -> None:
    text = flat(
        notice_page(DeadlineChanged(NOW, NOW + timedelta(days=2), "Gerda"), table(), reader()).text
    )
    assert (
        text.index("New: Sunday 22 November")
        < text.index("It was Friday 20 November")
        < text.index("Changed by Gerda")
    )


def test_a_note_reaches_the_game_master_in_full_and_its_writer_is_told() -> None:
    assert (
        "    could we have a day more?"
        in notice_page(
            GmNote("Anna", "could we have a day more?"), table(), reader(None, "Gerda")
        ).text
    )
    passed = notice_page(NotePassed("could we have a day more?"), table(), reader())
    assert "Gerda" in passed.text
    assert "    could we have a day more?" in passed.text


def test_a_very_long_note_is_cut_and_says_so() -> None:
    text = notice_page(
        GmNote("Anna", "\n".join(f"line {i}" for i in range(500))), table(), reader(None, "Gerda")
    ).text
    assert "    [...]" in text
    assert "line 400" not in text


def test_a_bounce_tells_the_game_master_who_which_address_and_what_the_server_said() -> None:
    text = flat(
        notice_page(
            GmBounce("Anna", "anna@example.org", "550 5.1.1 unknown user"),
            table(),
            reader(None, "Gerda"),
        ).text
    )
    assert "The address anna@example.org of Anna refuses our mail" in text
    assert "550 5.1.1 unknown user" in text


def test_the_question_who_wrote_invites_no_other_answer_than_yes_or_no() -> None:
    text = flat(
        notice_page(
            ConfirmSender([Quoted("march 2 from P1 to P2", NOW)], NOW), table(), reader(), "tok-3n"
        ).text
    )
    assert "help" not in text
    assert 'If you did not, answer "no", or do nothing' in text
    assert "Only the answer yes says that the message is yours." in text
