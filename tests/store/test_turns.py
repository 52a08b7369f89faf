"""Turns to write: one at a time, those who give way last, and nobody for ever (F-53)."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.store.turns import Turns


async def in_order(turns: Turns, names: str) -> str:
    """Who had a turn when, all of whom came while somebody else had one; capitals give way."""
    taken: list[str] = []

    async def take(name: str) -> None:
        async with turns.take(gives_way=name.isupper()):
            await asyncio.sleep(0)
            taken.append(name)

    async with turns.take():
        tasks = []
        for name in names:
            tasks.append(asyncio.create_task(take(name)))
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return "".join(taken)


@pytest.mark.parametrize(
    ("names", "order"),
    [
        ("abc", "abc"),
        ("AbBc", "bcAB"),
        ("ABC", "ABC"),
        ("Abcdefg", "bcdAefg"),
        ("ABcdefghij", "cdeAfghBij"),
    ],
)
async def test_f53_who_gives_way_lets_so_many_go_first_and_no_more(names: str, order: str) -> None:
    assert await in_order(Turns(most_passes=3), names) == order


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 6), st.none() | st.integers(0, 12)), max_size=12
    )
)
def test_f53_one_has_the_turn_at_a_time_and_whoever_is_called_off_holds_up_nobody(
    takers: list[tuple[bool, int, int | None]],
) -> None:
    async def run() -> None:
        turns, inside, done = Turns(most_passes=2), 0, 0

        async def take(gives_way: bool, steps: int) -> None:
            nonlocal inside, done
            async with turns.take(gives_way=gives_way):
                inside += 1
                assert inside == 1
                try:
                    for _ in range(steps):
                        await asyncio.sleep(0)
                finally:
                    inside -= 1
            done += 1

        tasks = [asyncio.create_task(take(gives_way, steps)) for gives_way, steps, _ in takers]
        for step in range(14):
            for task, (_, _, called_off) in zip(tasks, takers, strict=True):
                if called_off == step:
                    task.cancel()
            await asyncio.sleep(0)
        ended = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
        assert done == sum(not isinstance(end, BaseException) for end in ended)
        await asyncio.wait_for(take(gives_way=True, steps=0), 10)

    asyncio.run(run())


async def test_who_has_the_turn_does_not_wait_for_himself() -> None:
    turns = Turns()
    async with turns.take():
        with pytest.raises(RuntimeError):
            await turns.take().__aenter__()
    async with turns.take(gives_way=True):
        pass
