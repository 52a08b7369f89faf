"""What a reader is told of the news as their own, in a subject (THIRD-15) and at the end."""

import pytest

from pbem.pages.kit.narrator import YOU, addressed
from pbem.pages.kit.usual import as_winner
from pbem.pages.news import BATTLE, OUT, TAKEN, News, own_headline


def news(weight: int, short: str, *players: int) -> News:
    return News("some", weight, short, f"{short}.", players=players)


@pytest.mark.parametrize(
    ("shorts", "told"),
    [
        (("you take P2", "you lose P3 to Mei"), "You take P2, lose P3 to Mei"),
        (("You kill Dirk", "You hit Cleo for 7"), "You kill Dirk, hit Cleo for 7"),
        (("You kill Dirk", "You hit Dirk for 7"), "You kill Dirk"),
        (("Borland falls to you", "you beat Borland"), "Borland falls to you"),
        (("Fenna hits you for 3", "You enter Kurull"), "Fenna hits you for 3, you enter Kurull"),
    ],
)
def test_two_news_read_as_one_sentence_and_name_nobody_twice(
    shorts: tuple[str, str], told: str
) -> None:
    found = [news(weight, short, 1, 2) for weight, short in zip((OUT, TAKEN), shorts, strict=True)]
    assert own_headline([*found, news(BATTLE, "Emil holds P7", 3)], 1) == told
    assert own_headline(found, 4) == ""


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            f"{YOU} took P4 from Mei. Then {YOU} was ahead.",
            "You took P4 from Mei. Then you were ahead.",
        ),
        (f"Mei fell to {YOU}, who took 2 gold.", "Mei fell to you, who took 2 gold."),
        (f"{YOU}'s Ward cost Mei 1 heart.", "Your Ward cost Mei 1 heart."),
        (
            f"The lead of {YOU} was 3. The aim of {YOU} and Mei.",
            "Your lead was 3. The aim of you and Mei.",
        ),
        ("Mei took P4.", "Mei took P4."),
    ],
)
def test_the_end_is_told_to_a_player_as_their_own(told: str, said: str) -> None:
    assert addressed(told) == said


@pytest.mark.parametrize(
    ("headline", "read"),
    [
        ("Dmytro wins with 28 points, 11 ahead of Mei", "You win with 28 points, 11 ahead of Mei"),
        ("Bartek and Dmytro win with both", "You and Bartek win with both"),
        ("Ann, Dmytro and Mei win, 65 to 39", "You, Ann and Mei win, 65 to 39"),
        ("Team A wins, 65 to 39", "You win: Team A wins, 65 to 39"),
    ],
)
def test_the_end_is_headed_for_a_winner(headline: str, read: str) -> None:
    assert as_winner(headline, "Dmytro") == read
    assert as_winner(headline, "") == headline
