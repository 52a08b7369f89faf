"""Instants in the words of their reader, on the pages of this game."""

from dataclasses import replace

from engine.ruleset import Standing
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.sample import table, view
from tests.pages.sample import reader


def test_who_has_chosen_no_language_reads_dates_in_that_of_the_table() -> None:
    german = table(locale="de")
    for page, words in (
        (PAGES.turn(german, reader(), view(), (), Standing()), "Montag, 23. November, 18:00"),
        (
            PAGES.turn(german, replace(reader(), locale="en_001"), view(), (), Standing()),
            "Monday 23 November, 18:00",
        ),
        (
            PAGES.turn(table(), replace(reader(), locale="es"), view(), (), Standing()),
            "lunes, 23 de noviembre, 18:00",
        ),
        (PAGES.bulletin(german, view(None), ()), "Montag, 23. November, 18:00"),
    ):
        assert words in " ".join(page.text.split())
        assert words in page.html
    chat = PAGES.turn(german, reader(), view(), (), Standing())
    assert "by <b>Mo., 23. Nov., 18:00</b> (in 3 days; 17:00 UTC)" in chat.chat
    assert chat.subject == "Turn 6: orders due Mo., 23. Nov. 18:00 [Heron 6]"
