"""What somebody types on a phone without a large letter, and what a kingdom may be called (SS-1.3,
SS-13).
"""

from tests.games.sovereigns.reading.tables import read
from tests.rows import each_row


@each_row(
    ("text", "position", "order"),
    [
        ("split 4/3/2, aldermark", "setup", "Split 4/3/2, Aldermark"),
        ("split 4/3/2, the free cities", "setup", "Split 4/3/2, The Free Cities"),
        ("4/3/2, aldermark the great", "setup", "Split 4/3/2, Aldermark The Great"),
        ("split 4/3/2, thanks", "setup", "Split 4/3/2"),
        ("every year: harmony: all but 1", "season", "Every year: Harmony: all but 1"),
        ("every season: expedition: 1m", "season", "Every season: Expedition: 1M"),
        (
            "offer cyrene: 1r permanent against nothing",
            "season",
            "Offer Chloé: 1R permanent against nothing",
        ),
        ("propose saddle = stat-act attack", "season", "Propose saddle = STAT-ACT Attack"),
    ],
)
def test_a_canonical_text_in_small_letters_is_read(text: str, position: str, order: str) -> None:
    assert read(text, position) == ([order], ())


@each_row(
    "name",
    ["The Game Master", "Post Office", "all", "me", "Everybody", "Yes", "seat 2", "B\u043erland"],
)
def test_f56_a_kingdom_is_not_called_by_a_word_of_the_house_or_a_look_alike(name: str) -> None:
    """The points stand; only the name does not."""
    assert read(f"Split 4/3/2, {name}", "setup") == (["Split 4/3/2"], ("bad-name",))
