"""Order words of a letter or two, and the letter that somebody signs with (F-3)."""

from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.play.positions import landed
from tests.rows import each_row


@each_row(
    ("text", "means"),
    [
        ("P1: w, P2: f", ["Work, work! P1", "Fortify! P2"]),
        ("march 2 from P2 to P3 G", ["Golden March! 2 from P2 to P3"]),
        ("march 2 from P2 to P3 - G", ["March! 2 from P2 to P3"]),
        ("march 2 from P2 to P3. G.", ["March! 2 from P2 to P3"]),
        ("march 2 from P2 to P3\n-G", ["March! 2 from P2 to P3"]),
        ("P1 w\nD", ["Work, work! P1"]),
    ],
)
def test_a_short_word_is_one_where_its_long_one_would_stand(text: str, means: list[str]) -> None:
    position = landed(("Anna", "Bartek", "Chloé", "Dmytro"), "orders")
    reading = read_alone(READER.read, position, 1, Standing(), text)
    assert [said for item in reading.items for said in item.texts] == means
