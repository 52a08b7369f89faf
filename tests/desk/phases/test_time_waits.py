"""`wait`, `nowait` and `ready`: a phase closes early when everybody is final and nobody waits, and
nobody learns who does.
"""

from tests.desk.harness import Desk, text_of
from tests.desk.looks import phase_of, status_of

NAMES = ("Anna", "Bartek")


async def test_a_phase_that_somebody_wants_open_stays_open_until_its_deadline(desk: Desk) -> None:
    await desk.open_game(2)
    answer = text_of(await desk.write("Anna", "SET WAIT"))
    assert "stays open until its deadline" in answer
    before = len(desk.letters("Bartek"))
    for name in NAMES:
        await desk.write(name, "bid 1\nfinal")
    assert (await status_of(desk))[1] == 1
    assert all("wait" not in text_of(mail).lower() for mail in desk.letters("Bartek")[before:]), (
        "nobody learns that somebody waits"
    )
    await desk.write("Anna", "nowait")
    await desk.work()
    assert (await status_of(desk))[1] == 2


async def test_a_wait_is_for_one_phase_alone(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "wait")
    await desk.everybody_passes()
    assert (await phase_of(desk)).number == 2
    for name in NAMES:
        await desk.write(name, "yes", answering=await desk.write(name, "final"))
    assert (await status_of(desk))[1] == 3


async def test_ready_makes_final_what_is_all_there(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Bartek", "bid 0\nfinal")
    assert "Something is missing in this phase" in text_of(await desk.write("Anna", "ready")), (
        "without a bid"
    )
    assert (await status_of(desk))[1] == 1
    await desk.write("Anna", "wait")
    await desk.write("Anna", "bid 2\n\nready")
    assert (await status_of(desk))[1] == 2, "the bid is final, and it waits no more"


async def test_who_is_ready_already_is_told_so(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "bid 2\nfinal")
    assert "You have done everything" in text_of(await desk.write("Anna", "I'm ready"))


async def test_after_the_end_nothing_waits(desk: Desk) -> None:
    await desk.open_game(2)
    for _ in range(8):
        if (await status_of(desk))[0] != "running":
            break
        await desk.everybody_passes()
    last = desk.letters("Anna")[-1]
    for word in ("wait", "nowait", "ready"):
        assert "has ended" in text_of(await desk.write("Anna", word, answering=last))


async def test_where_phases_never_close_early_a_wait_says_so(desk: Desk) -> None:
    await desk.open_game(2, early_close=False)
    assert "always stay open until their deadline" in text_of(await desk.write("Anna", "wait"))
    assert "always close at their deadline" in text_of(await desk.write("Anna", "nowait"))
