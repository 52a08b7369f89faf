"""Short mails of the post office: what they must say, each."""

from datetime import timedelta

from pbem.pages.notices import NoticePages, Quoted
from tests.pages.sample import NOW, reader, table

NOTICES = NoticePages()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_question_who_wrote_quotes_the_message_and_carries_the_token_it_was_given() -> None:
    page = NOTICES.confirm_sender(
        table(code=""), reader(), [Quoted("march 2 from P1 to P2\n> quoted", NOW)], NOW, "tok-3n"
    )
    assert page.subject == "[Heron] Did you write this?"
    assert "    march 2 from P1 to P2\n    > quoted\n" in page.text
    assert "Code tok-3n" in page.text
    assert "Code\N{NO-BREAK SPACE}tok-3n" in page.html
    assert "It does not count yet." in flat(page.text)


def test_orders_for_a_closed_phase_are_told_what_is_open_and_until_when() -> None:
    text = flat(
        NOTICES.wrong_phase(table(), reader(), "Consolidation", NOW + timedelta(days=1)).text
    )
    assert "we did not take its orders" in text
    assert (
        "Open now: Consolidation, until Saturday 21 November, 18:00 your time (in 24 hours; 17:00 UTC)."
        in text
    )
    assert "Open now: Consolidation." in flat(
        NOTICES.wrong_phase(table(), reader(), "Consolidation", None).text
    )


def test_a_held_close_says_since_when_and_how_long_at_most() -> None:
    text = flat(NOTICES.close_held(table(), reader(), NOW - timedelta(minutes=10), 120).text)
    assert "should have closed on Friday 20 November, 17:50 (10 minutes ago; 16:50 UTC)" in text
    assert "at most 120 minutes" in text


def test_a_moved_deadline_names_the_new_one_first() -> None:
    text = flat(
        NOTICES.deadline_changed(table(), reader(), NOW, NOW + timedelta(days=2), "Gerda").text
    )
    assert (
        text.index("New: Sunday 22 November")
        < text.index("It was Friday 20 November")
        < text.index("Changed by Gerda")
    )


def test_a_note_reaches_the_game_master_in_full_and_its_writer_is_told() -> None:
    assert (
        "    could we have a day more?"
        in NOTICES.gm_note(table(), reader(None, "Gerda"), "Anna", "could we have a day more?").text
    )
    passed = NOTICES.note_passed(table(), reader(), "could we have a day more?")
    assert "Gerda" in passed.text
    assert "    could we have a day more?" in passed.text


def test_a_very_long_note_is_cut_and_says_so() -> None:
    text = NOTICES.gm_note(
        table(), reader(None, "Gerda"), "Anna", "\n".join(f"line {i}" for i in range(500))
    ).text
    assert "    [...]" in text
    assert "line 400" not in text


def test_a_bounce_tells_the_game_master_who_which_address_and_what_the_server_said() -> None:
    text = flat(
        NOTICES.gm_bounce(
            table(), reader(None, "Gerda"), "Anna", "anna@example.org", "550 5.1.1 unknown user"
        ).text
    )
    assert "The address anna@example.org of Anna refuses our mail" in text
    assert "550 5.1.1 unknown user" in text


def test_the_question_who_wrote_invites_no_other_answer_than_yes_or_no() -> None:
    text = flat(
        NOTICES.confirm_sender(
            table(), reader(), [Quoted("march 2 from P1 to P2", NOW)], NOW, "tok-3n"
        ).text
    )
    assert "help" not in text
    assert 'If you did not, answer "no", or do nothing' in text
    assert "Only the answer yes says that the message is yours." in text
