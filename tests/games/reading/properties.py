"""What holds of the reader of any game: a word more or other is another reading or is told of, and
the work grows with the length alone.
"""

import cProfile
import pstats
import re
from collections.abc import Callable, Iterable, Sequence

from tests.rings import at_length

TURNING = (
    *("not", "unless", "perhaps", "never mind", "if Ben agrees", "just kidding", "or not"),
    *("wenn Ben geht", "vielleicht", "nicht", "sauf si Ben reste", "peut-être", "a menos que"),
    *("salvo", "forse", "talvez", "tenzij", "misschien", "chyba że", "nie", "kanske", "utom"),
    *("maybe", "next turn", "don't", "only if he agrees", "as a joke", "zork"),
)
Told = tuple[Sequence[str], Sequence[str]]


def hold_every_word(read: Callable[[str], Told], text: str) -> None:
    """Another word in its place never makes another order."""
    stands, codes = read(text)
    assert stands
    assert not codes
    for word in re.finditer(r"\w+", text):
        other = f"{text[: word.start()]}zork{text[word.end() :]}"
        told, codes = read(other)
        assert set(told) <= set(stands), other
        assert codes, other


def hold_turning(read: Callable[[str], Told], text: str, turning: Iterable[str]) -> None:
    """A turning word behind an order is never lost."""
    stands, _ = read(text)
    for more in turning:
        for form in ("{}, {}", "{} {}"):
            other = form.format(text, more)
            told, codes = read(other)
            assert set(told) <= set(stands), other
            assert codes or told != stands, other


def hold_growth(read: Callable[[str], object], sign: str) -> None:
    """F-9, F-19: in calls of functions, which no clock has a part in."""

    def calls(length: int) -> int:
        profile = cProfile.Profile()
        profile.runcall(read, sign * (length // len(sign)))
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

    longest = at_length(8_000, 20_000)
    calls(500)
    assert calls(longest) < 5 * calls(longest // 4) + 5_000
