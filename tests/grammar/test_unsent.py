"""Words for others that are no press are told from those for the game master."""

from pbem.grammar.addressees import Member, Roll
from pbem.grammar.press import Press, split_press
from pbem.grammar.unsent import find_for_others
from tests.rows import each_row

NAMES = ("Anna", "Bartek", "Chloé Müller", "J.R.", "Nora", "Mary and Tom")
ROLL = Roll(tuple(Member(number, name) for number, name in enumerate(NAMES, 1)), 1)


@each_row(
    ("text", "whom", "said"),
    [
        ("Bartek: shall we?", (2,), "shall we?"),
        ("Hey Bartek - shall we gang up on Chloé?", (2,), "shall we gang up on Chloé?"),
        ("Chloé: nice move", (3,), "nice move"),
        ("tell Bartek that I accept his offer", (2,), "I accept his offer"),
        ("message Bartek: hi", (2,), "hi"),
        ("write to Bartek: hello", (2,), "hello"),
        ("@all good luck", (), "good luck"),
        ("dear Bartek and Chloé, shall we?", (2, 3), "shall we?"),
        ("J.R.: hello", (4,), "hello"),
        ("Mary and Tom: hi", (6,), "hi"),
        ("let Bartek know that I agree", (2,), "I agree"),
        (
            "To: Bartek\nSubject: alliance\n\nLet us ally.",
            (2,),
            "Subject: alliance\n\nLet us ally.",
        ),
    ],
)
def test_what_opens_with_a_name_of_the_table_has_one_press_to_copy(
    text: str, whom: tuple[int, ...], said: str
) -> None:
    found = find_for_others(text, ROLL)
    assert found is not None
    (piece,) = split_press(found.as_press, ROLL).pieces
    assert isinstance(piece, Press)
    assert (piece.to.players, piece.text) == (whom, said)


@each_row(
    "text",
    [
        *("No, I won't", "Anna: a note to myself", "Greta: when do we go on?"),
        *("I'd like to see Bartek's profile", "Bartek's army is big", "Bartek", "tell me more"),
        "thanks to Bartek and all the others",
    ],
)
def test_what_is_about_others_is_not_for_them(text: str) -> None:
    assert find_for_others(text, ROLL) is None
