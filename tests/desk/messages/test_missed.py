"""F-99: a mail that came before an early close and is read after it is told when it came."""

from pbem.desk import gm
from tests.desk.commanding import GRETA
from tests.desk.harness import GM, Desk, parse, text_of
from tests.desk.looks import kinds_to, status_of


def flat(mail: object) -> str:
    return " ".join(text_of(mail).split())  # type: ignore[arg-type]


def to_master(desk: Desk) -> str:
    return flat(parse(desk.postbox.to(GM)[-1]))


async def all_done(desk: Desk) -> None:
    for name in ("Anna", "Bartek", "Chloé"):
        await desk.write(name, "bid 3. final")


async def test_f99_who_wrote_before_an_early_close_hears_when_and_the_game_master_once(
    desk: Desk,
) -> None:
    await desk.open_game()
    question = desk.turn_mail("Anna")
    came = desk.clock.now()
    desk.clock.forward(minutes=2)
    await all_done(desk)
    assert (await status_of(desk))[1] == 2
    desk.clock.forward(minutes=3)
    told = flat(await desk.write("Anna", "bid 9", answering=question, received_at=came))
    closed = f"{came.minute + 2:02}"
    assert "Your mail came on" in told
    assert f"({came:%H:%M} UTC)" in told
    assert f"({came:%H}:{closed} UTC)" in told
    assert "before its deadline, because everybody was done" in told
    assert "we did not take its orders" in told
    assert "We have told the game master" in told
    assert "Open now: " in told
    assert await kinds_to(desk, "gm-missed") == [GM]
    assert "Orders of Anna came on" in to_master(desk)
    assert "because everybody was done" in to_master(desk)
    assert "9" not in to_master(desk).partition("Anna")[2].partition("came")[0]
    await desk.write("Anna", "bid 8", token=False, received_at=came)
    assert "Your mail came on" in flat(desk.letters("Anna")[-1]), "without a code, too"
    assert await kinds_to(desk, "gm-missed") == [GM], "once a phase"


async def test_f99_a_mail_that_came_after_the_close_hears_that_the_phase_has_closed(
    desk: Desk,
) -> None:
    await desk.open_game()
    question = desk.turn_mail("Anna")
    await all_done(desk)
    desk.clock.forward(minutes=3)
    told = flat(await desk.write("Anna", "bid 9", answering=question))
    assert "answers a phase that has closed" in told
    assert await kinds_to(desk, "gm-missed") == []


async def test_f99_no_reason_is_made_up_where_the_game_master_closed_the_phase(desk: Desk) -> None:
    await desk.open_game()
    question, came = desk.turn_mail("Anna"), desk.clock.now()
    desk.clock.forward(minutes=2)
    await gm.close_now(desk.services, "heron", 1, GRETA)
    desk.clock.forward(seconds=2)
    await desk.work()
    told = flat(await desk.write("Anna", "bid 9", answering=question, received_at=came))
    assert "Your mail came on" in told
    assert "everybody was done" not in told


async def test_f99_it_is_told_as_well_where_the_close_was_the_end(desk: Desk) -> None:
    await desk.open_game()
    question, came = desk.turn_mail("Anna"), desk.clock.now()
    desk.clock.forward(minutes=2)
    act = {"act": "agree", "winners": [1]}
    await gm.apply_act(desk.services, "heron", act, GRETA)
    await desk.work()
    told = flat(await desk.write("Anna", "bid 9", answering=question, received_at=came))
    assert "Your mail came on" in told
    assert "Heron has ended" in told
    assert await kinds_to(desk, "gm-missed") == [GM]
