"""The stream of chance: replayable, committed to, unbiased, and told beforehand where a case wants
it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance, Draw, ScriptEntry, ScriptMismatchError, commitment
from tests.rows import each_row

SEED = bytes(range(32))


def test_the_commitment_is_the_plain_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@given(st.binary(min_size=1, max_size=40), st.integers(0, 50))
def test_the_same_seed_and_place_give_the_same_draws(seed: bytes, place: int) -> None:
    def draws(stream: Chance) -> list[Draw]:
        stream.coin("a")
        stream.choice("b", ("x", "y", "z"))
        stream.die("c", 6)
        stream.shuffle("d", ("1", "2", "3", "4"))
        return stream.draws

    first, second = Chance(seed, place), Chance(seed, place)
    assert draws(first) == draws(second)
    assert first.place == place + 4
    resumed = Chance(seed, place + 3)
    resumed.shuffle("d", ("1", "2", "3", "4"))
    assert resumed.draws == first.draws[3:], "a replay may begin anywhere"


def test_another_label_or_place_is_another_draw() -> None:
    shuffles = {
        Chance(SEED, place).shuffle(label, tuple("abcdefgh"))
        for place in range(4)
        for label in ("event", "sea")
    }
    assert len(shuffles) == 8


def test_draws_favour_nobody() -> None:
    # 6000 draws each: every count within six standard deviations of its share. The stream is fixed,
    # so this never wavers.
    stream = Chance(SEED)
    coins = Counter(stream.coin("coin") for _ in range(6000))
    assert all(abs(count - 3000) < 6 * 39 for count in coins.values())
    dice = Counter(stream.die("die", 6) for _ in range(6000))
    assert set(dice) == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 1000) < 6 * 29 for count in dice.values())
    orders = Counter(stream.shuffle("deck", ("a", "b", "c")) for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 6 * 29 for count in orders.values())
    assert {stream.choice("who", ("Ann", "Ben")) for _ in range(50)} == {"Ann", "Ben"}


def test_words_past_the_last_whole_multiple_are_thrown_away() -> None:
    # Under a bound just over 2**63 half of all words are refused: some draw needs a second block.
    bound = (1 << 63) + 1
    assert all(1 <= Chance(SEED, place).die("wide", bound) <= bound for place in range(200))


def test_what_is_told_beforehand_falls_in_order_and_then_the_stream_goes_on() -> None:
    script: list[ScriptEntry] = ["tails", 3, "Ben", ("b", "a")]
    stream = Chance(SEED, script=script)
    assert stream.coin("coin") is False
    assert stream.unused == (3, "Ben", ("b", "a"))
    assert stream.die("die", 6) == 3
    assert stream.choice("who", ("Ann", "Ben")) == "Ben"
    assert stream.shuffle("deck", ("a", "b")) == ("b", "a")
    assert stream.coin("coin") == Chance(SEED, 4).coin("coin")
    assert [draw.result for draw in stream.draws][:4] == ["tails", 3, "Ben", ("b", "a")]


@each_row(
    ("told", "use"),
    [
        (3, lambda stream: stream.coin("coin")),
        ("Cid", lambda stream: stream.choice("who", ("Ann", "Ben"))),
        (7, lambda stream: stream.die("die", 6)),
        ("heads", lambda stream: stream.die("die", 6)),
        (("a", "a"), lambda stream: stream.shuffle("deck", ("a", "b"))),
        (1, lambda stream: stream.shuffle("deck", ("a", "b"))),
        (2, lambda stream: stream.choice("who", ("Ann", "Ben"))),
    ],
)
def test_what_is_told_must_fit_the_draw(told: ScriptEntry, use: Callable[[Chance], object]) -> None:
    with pytest.raises(ScriptMismatchError):
        use(Chance(SEED, script=[told]))
