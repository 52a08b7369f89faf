"""Words about people are taken out of a message that is about something else."""

from pbem.grammar.house.commands import AnyCommand, HallOfFame, Letter, Profile
from pbem.grammar.splitting import split_words
from tests.rows import each_row

WORDS = (Profile, HallOfFame)


@each_row(
    ("line", "command"),
    [
        ("profile", Profile()),
        ("Please, my profile!", Profile()),
        ("profile of Chloé", Profile("Chloé")),
        ("Profile: Ben", Profile("Ben")),
        ("show me the hall of fame, please", HallOfFame()),
        ("halloffame", HallOfFame()),
        ("Top!", HallOfFame()),
        ("profil", Profile()),
    ],
)
def test_a_line_is_taken_as_it_is_read_at_every_table(line: str, command: AnyCommand) -> None:
    assert split_words(f"name Bea\n{line}\ncolour green", WORDS) == (
        (command,),
        "name Bea\ncolour green",
    )


@each_row(
    "text",
    [
        *("", "colour green", "my profile is none of your business, is it?", "> profile"),
        *("GM: my\nprofile\nplease", "to Ben: I am in\nhall of fame", "status"),
        "profile" + " x" * 200,
    ],
)
def test_everything_else_stays_as_it_was(text: str) -> None:
    assert split_words(text, WORDS) == ((), text)


def test_behind_the_blank_line_that_ends_a_note_words_count_again() -> None:
    assert split_words("GM: hello\nprofile\n\nprofile", WORDS) == (
        (Profile(),),
        "GM: hello\nprofile\n",
    )


def test_of_a_letter_that_goes_nowhere_the_first_line_is_taken_out() -> None:
    assert split_words("an Ben: hallo\nname Bea\n\ncolour green", (Letter,)) == (
        (Letter("an Ben: hallo\nname Bea\n\ncolour green"),),
        "name Bea\n\ncolour green",
    )
