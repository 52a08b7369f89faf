"""Words about people are taken out of a message that is about something else."""

import pytest

from pbem.grammar.kit.reading import Command
from pbem.grammar.splitting import split_words

WORDS = frozenset({"profile", "hall of fame"})


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("profile", Command("profile")),
        ("Please, my profile!", Command("profile")),
        ("profile of Chloé", Command("profile", "chloe")),
        ("Profile: Ben", Command("profile", "ben")),
        ("show me the hall of fame, please", Command("hall of fame")),
        ("halloffame", Command("hall of fame")),
        ("Top!", Command("hall of fame")),
        ("profil", Command("profile")),
    ],
)
def test_a_line_is_taken_as_it_is_read_at_every_table(line: str, command: Command) -> None:
    assert split_words(f"name Bea\n{line}\ncolour green", WORDS) == (
        (command,),
        "name Bea\ncolour green",
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "colour green",
        "my profile is none of your business, is it?",
        "> profile",
        "GM: my\nprofile\nplease",
        "to Ben: I am in\nhall of fame",
        "status",
        "profile" + " x" * 200,
    ],
)
def test_everything_else_stays_as_it_was(text: str) -> None:
    assert split_words(text, WORDS) == ((), text)


def test_behind_the_blank_line_that_ends_a_note_words_count_again() -> None:
    assert split_words("GM: hello\nprofile\n\nprofile", WORDS) == (
        (Command("profile"),),
        "GM: hello\nprofile\n",
    )
