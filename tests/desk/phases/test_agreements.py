"""Draws and concessions: unanimous, secret, void with their phase; then the game ends by an act of
its record, booked and told once.
"""

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.desk.phases.motions import settle_motion
from pbem.desk.upkeep.records import verify_game
from pbem.grammar.people_rules import PeopleRules
from tests.desk.commanding import logged, to_orders
from tests.desk.harness import GM, Desk, open_desk, parse, text_of
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.looks import kinds_to, phase_of, status_of
from tests.desk.timekeeping import motions_of, set_settings, subject_of, texts
from tests.desk.upkeep.test_records import FILE, files_of, record_in

PLAYERS = ("Anna", "Bartek", "Chloé")


async def results_of(desk: Desk) -> dict[str, tuple[int | None, bool, int, str]]:
    async with desk.services.database.read() as work:
        seats = {seat.id: seat.name for seat in await work.seats.list_of_game(1)}
        return {
            seats[row.seat_id]: (row.place, row.won, row.prize, row.how)
            for row in await work.results.list_of_game(1)
        }


async def agree_on_a_draw(desk: Desk) -> None:
    await desk.write("Anna", "propose a draw")
    await desk.write("Bartek", "SET DRAW")
    await desk.write("Chloé", "Yes", answering=desk.last("Chloé", "end the game as a draw"))


async def test_a_draw_ends_the_game_once_all_have_said_yes_and_anybody_can_check_it(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_orders(desk)
        await agree_on_a_draw(desk)
        assert (await status_of(desk))[0] == "over"
        assert await results_of(desk) == dict.fromkeys(PLAYERS, (1, False, 0, "draw"))
        for name in PLAYERS:
            endings = [mail for mail in desk.letters(name) if FILE in files_of(mail)]
            assert [str(mail["Subject"]) for mail in endings] == ["[Heron] The game is drawn"]
            assert (
                "Anna, Bartek and Chloé share the first place, and there is no prize"
                in " ".join(text_of(endings[0]).split())
            )
        assert [parse(raw)["Subject"] for raw in desk.postbox.to(GM)][
            -1
        ] == "[Heron] The game is drawn"
        assert await verify_game(desk.services, "heron") == []
        record, raw = (
            record_in(desk.last("Anna", "drawn")),
            files_of(desk.last("Anna", "drawn"))[FILE],
        )
        assert [(act.actor, act.act) for act in record.phases[1].acts] == [
            ("gm", {"act": "agree", "winners": []})
        ]
        assert record.phases[-1].ended == "over"
        assert "over" in (await subject_of(desk, "Anna", "propose a draw"))
    (tmp_path / FILE).write_bytes(raw)
    said = CliRunner().invoke(app, ["verify", str(tmp_path / FILE)])
    assert (said.exit_code, "Every draw, state and event matches" in said.stdout) == (0, True)
    (tmp_path / FILE).write_bytes(
        raw.replace(b'"winners":[]', b'"winners":[1]').replace(b'"winners": []', b'"winners": [1]')
    )
    assert CliRunner().invoke(app, ["verify", str(tmp_path / FILE)]).exit_code != 0


async def test_nobody_learns_who_asks_or_who_says_no_and_the_game_goes_on(desk: Desk) -> None:
    await desk.open_game(3)
    before = {name: len(desk.letters(name)) for name in PLAYERS}
    await desk.write("Anna", "propose a draw")
    assert texts(desk, "Bartek", "a vote")[0].count("Anna") == 0
    told_master = " ".join(text_of(parse(desk.postbox.to(GM)[-1])).split())
    assert "secret" in told_master
    assert "Anna" not in told_master
    await desk.write("Bartek", "vote no")
    (motion,) = await motions_of(desk)
    assert motion.outcome is None, "a no ends nothing: else its time would tell of it"
    assert {name: len(desk.letters(name)) - before[name] for name in PLAYERS} == {
        "Anna": 1,
        "Bartek": 2,
        "Chloé": 1,
    }
    assert motion.closes_at == (await phase_of(desk)).deadline - timedelta(minutes=1)
    desk.clock.instant = motion.closes_at
    await desk.work(times=2)
    assert (await motions_of(desk))[0].outcome == "failed"
    for name in PLAYERS:
        (told,) = texts(desk, name, "the vote has failed")
        assert "not everybody in the game has agreed" in told
        assert not {"1", "2"} & set(told.partition("Answer with")[0].split())
    ((_, detail, public),) = [entry for entry in await logged(desk) if entry[0] == "vote draw"]
    assert (detail, public) == ({"phase": 1, "outcome": "failed"}, True)
    assert (await status_of(desk))[0] == "running"


async def test_a_concession_gives_the_victory_to_one_without_the_prize(desk: Desk) -> None:
    await desk.open_game(3)
    await desk.write("Anna", "concede to Zoe")
    assert "called Zoe" in texts(desk, "Anna", "No vote on that")[-1]
    await desk.write("Anna", "concede to Anna")
    assert "The others may concede to you" in texts(desk, "Anna", "No vote on that")[-1]
    await desk.write("Bartek", "concede to Anna")
    await desk.write("Chloé", "propose a draw")
    (refused,) = texts(desk, "Chloé", "another vote is open")
    assert "concede the victory to Anna" in refused
    assert "vote yes 1" in refused
    await desk.write("Chloé", "SET CONCEDE Bartek")
    assert len(texts(desk, "Chloé", "another vote is open")) == 2
    assert len(await motions_of(desk)) == 1
    await desk.write("Anna", "Yes", answering=desk.last("Anna", "concede to Anna?"))
    await desk.write("Chloé", "I concede to anna")
    assert await results_of(desk) == {
        "Anna": (1, True, 0, "conceded"),
        "Bartek": (2, False, 0, "conceded"),
        "Chloé": (2, False, 0, "conceded"),
    }
    assert "[Heron] Anna wins with 2 points" in [
        str(mail["Subject"]) for mail in desk.letters("Bartek")
    ]
    assert await verify_game(desk.services, "heron") == []
    assert "won by agreement" in text_of(await desk.write("Anna", "profile"))


async def test_a_vote_on_the_end_is_void_when_its_phase_closes_unless_the_table_lets_it_stay(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "propose a draw")
    for name in ("Anna", "Bartek"):
        await desk.write(name, "bid 1\nfinal")
    assert (await status_of(desk))[:2] == ("running", 2)
    assert "no vote is open" in (await subject_of(desk, "Bartek", "vote yes")).lower()
    await set_settings(desk, people=PeopleRules(draws="stay"))
    await desk.write("Anna", "propose a draw")
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 3)
    await desk.write("Bartek", "vote for a draw")
    assert (await status_of(desk))[0] == "over"


async def test_a_table_may_have_no_such_votes(desk: Desk) -> None:
    await desk.open_game(2)
    await set_settings(desk, people=PeopleRules(draws="off"))
    await desk.write("Anna", "propose a draw")
    assert "runs to its end" in texts(desk, "Anna", "No vote on that")[0]
    assert await motions_of(desk) == []


async def test_whoever_leaves_no_longer_stands_in_the_way_of_an_agreement(desk: Desk) -> None:
    await desk.open_game(3)
    await desk.write("Anna", "propose a draw")
    await desk.write("Bartek", "vote yes")
    await desk.write("Chloé", "resign")
    await desk.write("Chloé", "yes", answering=desk.letters("Chloé")[-1])
    (motion,) = await motions_of(desk)
    desk.clock.instant = motion.closes_at
    await desk.work()
    assert (await status_of(desk))[0] == "over"


@pytest.mark.parametrize("label", ["receive.written", "motion.settled", "gm.agree.written"])
async def test_wherever_the_process_ends_the_game_ends_once(tmp_path: Path, label: str) -> None:
    steps = DiesAt(label)
    async with open_desk(tmp_path, steps=steps) as desk:
        await desk.open_game(2)
        await desk.write("Anna", "propose a draw")
        steps.armed = True
        with suppress(Ended):
            await desk.write("Bartek", "vote yes")
        await desk.work(times=2)
        async with desk.services.database.read() as work:
            motion = await work.motions.find(1)
        assert motion is not None
        await settle_motion(desk.services, motion.id)
        assert (motion.outcome, (await status_of(desk))[0]) == ("passed", "over")
        assert [entry[0] for entry in await logged(desk)].count("vote draw") == 1
        assert set(Counter(await kinds_to(desk, "ending")).values()) == {1}
