"""Telegram's limits, as arithmetic and kept by who follows it (threat 33)."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pbem.demo.telegram.meter import Meter
from pbem.telegram.pacing import RECORD_FOR, next_send_at

NOW = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)


def ago(*seconds: float) -> list[datetime]:
    return [NOW - timedelta(seconds=second) for second in seconds]


def wait(in_all: list[datetime], to_chat: list[datetime], *, is_group: bool = False) -> float:
    return (
        next_send_at(NOW, in_all=in_all, to_chat=to_chat, is_group=is_group) - NOW
    ).total_seconds()


def test_the_first_message_goes_at_once() -> None:
    assert wait([], []) == 0


def test_a_second_between_two_to_the_same_chat() -> None:
    assert wait(ago(0.25), ago(0.25)) == 0.75
    assert wait(ago(1), ago(1)) == 0
    assert wait(ago(0.25), []) == 0


def test_thirty_in_any_second_to_all() -> None:
    assert wait(ago(*[0.4] * 29), []) == 0
    assert (
        wait(ago(*[0.4] * 29, 0.9), []) == 0.1 or abs(wait(ago(*[0.4] * 29, 0.9), []) - 0.1) < 1e-6
    )
    assert wait(ago(*[0.4] * 30), []) == 0.6


def test_twenty_in_any_minute_to_a_group_and_not_to_a_person() -> None:
    sends = ago(*range(2, 22))
    assert wait(sends, sends, is_group=True) == 60 - 21
    assert wait(sends, sends) == 0


def test_sends_planned_for_later_count() -> None:
    assert wait([], ago(-5)) == 6


instants = st.lists(
    st.floats(-5, 70).map(lambda seconds: NOW - timedelta(seconds=seconds)), max_size=50
)


@given(instants, instants, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_the_record_does_not_matter_nor_what_is_old(
    in_all: list[datetime], to_chat: list[datetime], group: bool, chance: object
) -> None:
    answer = next_send_at(NOW, in_all=in_all, to_chat=to_chat, is_group=group)
    assert answer >= NOW
    assert next_send_at(NOW, in_all=in_all[::-1], to_chat=sorted(to_chat), is_group=group) == answer
    old = [NOW - RECORD_FOR - timedelta(seconds=n) for n in range(40)]
    assert next_send_at(NOW, in_all=in_all + old, to_chat=to_chat + old, is_group=group) == answer


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 3)), min_size=1, max_size=200))
def test_who_follows_it_violates_nothing_and_never_waits_for_nothing(
    wishes: list[tuple[int, float]],
) -> None:
    """Chats 0 and 1 are groups. Each wish is a chat and a pause before it."""
    meter, now = Meter(), NOW
    sends: list[tuple[datetime, int]] = []
    for chat, pause in wishes:
        now += timedelta(seconds=pause)
        at = next_send_at(
            now,
            in_all=[when for when, _ in sends],
            to_chat=[when for when, to in sends if to == chat],
            is_group=chat < 2,
        )
        if at > now:
            assert meter.look(at - timedelta(microseconds=1), chat, is_group=chat < 2) is not None
        assert meter.look(at, chat, is_group=chat < 2) is None
        meter.count(at, chat)
        sends.append((at, chat))
        now = at
