"""The players vote on its time: secret, settled once, announced in numbers with the new deadline."""

from datetime import timedelta

import pytest

from pbem.desk.jobs import Job
from pbem.desk.phases.motions import settle_motion
from pbem.desk.phases.sweep import next_due_at, sweep
from tests.desk.commanding import EVERYBODY, logged
from tests.desk.harness import Desk, text_of
from tests.desk.looks import calendar_of, kinds_to, phase_of, status_of
from tests.desk.timekeeping import motions_of, set_settings, subject_of, texts


async def voting(desk: Desk, players: int = 3) -> None:
    await desk.open_game(players)
    await set_settings(desk, extensions="vote")


async def test_more_time_is_voted_on_and_told_once_with_a_new_calendar_entry(desk: Desk) -> None:
    await voting(desk)
    phase = await phase_of(desk)
    await desk.write("Anna", "extend by 24h")
    (motion,) = await motions_of(desk)
    assert motion.closes_at == desk.clock.now() + (phase.deadline - desk.clock.now()) / 4
    question = texts(desk, "Bartek", "more time?")[0]
    assert f"vote yes {motion.id}" in question
    assert "Anna" not in question, "nobody learns who asks"
    assert "counts as your yes" in texts(desk, "Anna", "more time?")[0]
    assert (await phase_of(desk)).deadline == phase.deadline
    await desk.write("Chloé", "vote yes", answering=desk.last("Chloé", "more time?"))
    moved = await phase_of(desk)
    assert (moved.deadline, moved.ics_sequence) == (phase.deadline + timedelta(hours=24), 1)
    assert await kinds_to(desk, "deadline") == EVERYBODY
    letter = desk.last("Bartek", "by vote")
    told = " ".join(text_of(letter).split())
    assert "2 yes, 0 no, 1 said nothing; it needed 2 yes" in told
    assert not {"Anna", "Chloé"} & set(told.partition("Answer with")[0].replace(",", " ").split())
    assert "SEQUENCE:1" in calendar_of(letter)
    ((_, detail, public),) = [entry for entry in await logged(desk) if entry[0] == "vote extend"]
    assert (public, detail["yes"], detail["no"], "Anna" in str(detail)) == (True, 2, 0, False)
    await settle_motion(desk.services, motion.id)
    await desk.work()
    assert len(await kinds_to(desk, "deadline")) == len(EVERYBODY)


@pytest.mark.parametrize("word", ["no", "No."])
async def test_a_plain_answer_to_the_question_is_a_vote(desk: Desk, word: str) -> None:
    await voting(desk)
    phase = await phase_of(desk)
    await desk.write("Anna", "more time please")
    await desk.write("Bartek", word, answering=desk.last("Bartek", "more time?"))
    assert "your answer is no" in texts(desk, "Bartek", "your vote counts")[0]
    await desk.write("Chloé", word, answering=desk.last("Chloé", "more time?"))
    (motion,) = await motions_of(desk)
    assert motion.outcome == "failed", "no majority can come any more"
    assert (
        "1 yes, 2 no; it needed 2 yes. Everything stays as it was."
        in texts(desk, "Anna", "the vote has failed")[0]
    )
    assert (await phase_of(desk)).deadline == phase.deadline
    assert await kinds_to(desk, "deadline") == []


async def test_silence_abstains_and_the_sweep_ends_a_vote_exactly_once(desk: Desk) -> None:
    await voting(desk)
    await desk.write("Anna", "more time")
    (motion,) = await motions_of(desk)
    assert await next_due_at(desk.services) == motion.closes_at
    desk.clock.instant = motion.closes_at
    assert Job("settle_motion", (motion.id,)) in await sweep(desk.services)
    await desk.work(times=2)
    assert (await motions_of(desk))[0].outcome == "failed"
    assert [
        len(texts(desk, name, "the vote has failed")) for name in ("Anna", "Bartek", "Chloé")
    ] == [1, 1, 1]
    assert "no vote is open" in (await subject_of(desk, "Bartek", "vote yes")).lower(), "too late"


async def test_an_answer_may_be_changed_until_the_vote_ends(desk: Desk) -> None:
    await voting(desk, 5)
    await desk.write("Anna", "extend until tomorrow 23:30")
    await desk.write("Bartek", "vote yes 1")
    await desk.write("Bartek", "vote no 1")
    await desk.write("Chloé", "vote abstain")
    assert (await motions_of(desk))[0].outcome is None
    desk.clock.instant = (await motions_of(desk))[0].closes_at
    await desk.work()
    assert "1 yes, 1 no, 3 said nothing; it needed 3 yes" in texts(desk, "Emil", "has failed")[0]


async def test_what_is_asked_is_capped_in_a_phase_and_in_length(desk: Desk) -> None:
    await voting(desk)
    for words, said in (
        ("extend by 30 days", "at most 7 days"),
        ("extend until yesterday noon", "We cannot read"),
        ("more time", "The players vote"),
        ("more time", "already voting on that"),
    ):
        assert said in " ".join(text_of(await desk.write("Anna", words)).split()), words
    for expected in ("The players vote", "no further vote on that in this phase"):
        desk.clock.instant = (await motions_of(desk))[-1].closes_at
        await desk.work()
        assert expected in " ".join(text_of(await desk.write("Bartek", "more time")).split())
    assert len(await motions_of(desk)) == 2


async def test_shortly_before_the_deadline_there_is_no_time_for_a_vote(desk: Desk) -> None:
    await voting(desk)
    desk.clock.instant = (await phase_of(desk)).deadline - timedelta(minutes=59)
    await desk.work()
    assert "too near for a vote" in " ".join(text_of(await desk.write("Anna", "more time")).split())
    assert await motions_of(desk) == []


async def test_a_vote_about_a_phase_lapses_with_it_and_says_nothing(desk: Desk) -> None:
    await voting(desk)
    await desk.write("Anna", "more time")
    (motion,) = await motions_of(desk)
    for name in ("Anna", "Bartek", "Chloé"):
        await desk.write(name, "bid 1\nfinal")
    assert (await status_of(desk))[1] == 2
    phase = await phase_of(desk)
    desk.clock.instant = motion.closes_at
    await desk.work()
    assert (await motions_of(desk))[0].outcome == "lapsed"
    assert (await phase_of(desk)).deadline == phase.deadline
    assert texts(desk, "Anna", "vote has") == []


async def test_the_table_stops_and_starts_its_clock_by_vote(desk: Desk) -> None:
    await voting(desk, 2)
    phase = await phase_of(desk)
    assert "not stopped" in text_of(await desk.write("Anna", "vote resume"))
    await desk.write("Anna", "vote pause")
    await desk.write("Bartek", "vote yes")
    assert (await status_of(desk))[0] == "paused"
    assert "paused, by vote" in str(desk.last("Anna", "paused")["Subject"])
    assert "has already stopped" in " ".join(
        text_of(await desk.write("Anna", "vote pause")).split()
    )
    desk.clock.forward(days=3)
    await desk.work()
    assert (await status_of(desk))[:2] == ("paused", 1)
    await desk.write("Bartek", "vote resume")
    await desk.write("Anna", "vote yes")
    assert (await status_of(desk))[0] == "running"
    moved = await phase_of(desk)
    assert moved.deadline == phase.deadline + timedelta(days=3)
    assert f"SEQUENCE:{moved.ics_sequence}" in calendar_of(desk.last("Bartek", "continues"))


async def test_only_those_still_in_the_game_vote_and_where_the_game_master_decides_nobody_does(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    assert "the game master decides" in " ".join(
        text_of(await desk.write("Anna", "vote pause")).split()
    )
    assert "No vote is open" in text_of(await desk.write("Anna", "vote yes 7"))
    await set_settings(desk, extensions="vote")
    await desk.write("Anna", "more time")
    async with desk.services.database.write() as work:
        await work.connection.exec_driver_sql(
            "UPDATE seats SET status = 'eliminated' WHERE number = 2"
        )
    assert "No vote is open" in text_of(await desk.write("Bartek", "vote no"))
    desk.clock.instant = (await motions_of(desk))[0].closes_at
    await desk.work()
    assert (await motions_of(desk))[0].outcome == "passed", "the one who is left said yes"


async def test_the_number_of_a_vote_tells_nothing_of_requests_and_other_tables(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "more time")
    await set_settings(desk, extensions="vote")
    await desk.write("Anna", "vote pause")
    assert "vote yes 1 " in " ".join(text_of(desk.last("Bartek", "stop the clock")).split())
    await desk.write("Bartek", "vote yes 1")
    assert (await status_of(desk))[0] == "paused"


async def test_of_several_open_votes_the_number_says_which(desk: Desk) -> None:
    await voting(desk)
    await desk.write("Anna", "more time")
    await desk.write("Anna", "vote pause")
    assert "Which vote?" in await subject_of(desk, "Bartek", "vote yes")
    await desk.write("Bartek", "vote yes 2")
    assert (await status_of(desk))[0] == "paused"
