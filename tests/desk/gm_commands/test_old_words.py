"""The old judges' words of game masters: what each does at the table, and what it does not."""

from datetime import timedelta

from tests.desk.commanding import seats_of
from tests.desk.harness import GM, Desk, address_of, text_of
from tests.desk.mastery import command, confirmed, detail_of, flat, gm_last, log_of


async def deadline(desk: Desk) -> object:
    async with desk.services.database.read() as work:
        return (await work.phases.list_running())[0].deadline


async def test_a_deadline_is_set_later_at_once_and_earlier_only_when_it_is_confirmed(
    desk: Desk,
) -> None:
    await desk.open_game(players=2)
    before = await deadline(desk)
    later = (desk.clock.now() + timedelta(days=6)).strftime("%Y-%m-%d %H:%M")
    assert "The deadline of Heron" in flat(await command(desk, f"SET DEADLINE {later} UTC"))
    moved = await deadline(desk)
    assert moved != before
    sooner = (desk.clock.now() + timedelta(days=2)).strftime("%Y-%m-%d %H:%M")
    await command(desk, f"SET DEADLINE {sooner} UTC")
    assert await deadline(desk) == moved
    assert "is now" in flat(await command(desk, "yes", answering=gm_last(desk, "Please confirm")))
    assert await deadline(desk) == desk.clock.now() + timedelta(days=2)
    assert [word for word in await log_of(desk) if word != "gm asked"] == [
        "game extend",
        "game extend",
    ]


async def test_a_process_that_names_a_phase_is_ignored_when_that_is_no_longer_the_phase(
    desk: Desk,
) -> None:
    await desk.open_game(players=2)
    assert "Phase 2 of Heron is not open" in flat(await command(desk, "PROCESS 2"))
    assert "Phase 1 of Heron closes now" in await confirmed(desk, "PROCESS 1")
    assert (await log_of(desk)).count("game close") == 1


async def test_an_ejected_player_loses_the_seat_and_everybody_is_told(desk: Desk) -> None:
    await desk.open_game(players=3)
    await desk.write("Bartek", "bid 7")
    assert "is empty" in await confirmed(desk, "EJECT Bartek: no word for three turns")
    seat = (await seats_of(desk))["Bartek"]
    assert (seat.status, seat.person_id) == ("left", None)
    assert await detail_of(desk, "game eject") == {
        "seat": "Bartek",
        "tenure": seat.tenure,
        "reason": "no word for three turns",
    }
    for name in ("Anna", "Chloé"):
        assert "no word for three turns" in text_of(desk.last(name, "is empty"))
    assert "no longer have a seat" in str(desk.last("Bartek", "no longer have a seat")["Subject"])
    count = len(desk.letters("Bartek"))
    await desk.write("Bartek", "bid 9")
    assert len(desk.letters("Bartek")) == count
    assert "is already empty" in flat(await command(desk, "eject Bartek"))


async def test_of_one_seat_alone_is_seen_in_a_mail(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.write("Anna", "bid 7")
    assert "one seat a mail" in flat(await command(desk, "BECOME Anna\nBECOME Bartek"))
    text = flat(await command(desk, "yes", answering=gm_last(desk, "Please confirm")))
    assert "These are the orders of Anna now" in text
    assert "Bartek" not in text.partition("STATUS OF HERON")[0]


async def test_a_prediction_is_logged_and_told_and_changes_nothing(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.write("Anna", "bid 7")
    before = await deadline(desk)
    text = await confirmed(desk, "PREDICT")
    assert "if the phase closed now" in text
    assert "Chance may fall differently" in text
    assert await deadline(desk) == before
    assert (await log_of(desk)).count("game predict") == 1
    for name in ("Anna", "Bartek"):
        assert "looked ahead" in str(desk.last(name, "looked ahead")["Subject"])
        assert "bid" not in text_of(desk.last(name, "looked ahead")).lower()
    async with desk.services.database.read() as work:
        (game,) = await work.games.list_by_status()
    assert game.phase_number == 1


async def test_a_game_master_who_plays_foresees_nothing(desk: Desk) -> None:
    await desk.open_game(players=2)
    async with desk.services.database.write() as work:
        person = await work.people.find_by_address("mail", GM)
        assert person is not None
        seat = (await work.seats.list_of_game(1))[1]
        await work.seats.replace_person(seat.id, seat.tenure, person.id, desk.clock.now())
    assert "you play at heron" in flat(await command(desk, "predict")).lower()
    assert "game predict" not in await log_of(desk)


async def test_whoever_is_promoted_runs_that_table_and_no_other(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.open_game(players=2, slug="swan", names=("Cara", "Dora"))
    assert "may run Heron too" in await confirmed(
        desk, "PROMOTE Frank frank@players.example to heron"
    )
    letter = desk.last("Frank", "You may run games")
    text = flat(
        await command(
            desk,
            "games",
            answering=letter,
            sender=address_of("Frank"),
            address=address_of("Frank"),
        )
    )
    assert "heron" in text
    assert "swan" not in text
