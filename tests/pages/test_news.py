"""What a subject tells its reader of the news (THIRD-15)."""

import pytest

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
