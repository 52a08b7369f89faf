"""A game master's mails: what is done, what is asked back, and that nothing is done twice."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.desk.commanding import PLAYERS
from tests.desk.harness import GM, Desk, address_of, open_desk, text_of
from tests.desk.looks import kinds_to
from tests.desk.mastery import command, detail_of, flat, gm_last, gm_letters, log_of, outcomes
from tests.played import GAMES, PLAYED


async def deadline(desk: Desk) -> datetime:
    async with desk.services.database.read() as work:
        return (await work.phases.list_running())[0].deadline


async def phase_number(desk: Desk) -> int:
    async with desk.services.database.read() as work:
        return (await work.games.list_by_status())[0].phase_number


async def test_a_deadline_is_extended_by_mail_and_the_answer_tells_the_old_and_the_new_one(
    desk: Desk,
) -> None:
    await desk.open_game()
    before = await deadline(desk)
    answer = flat(await command(desk, "extend by 24h"))
    assert await deadline(desk) == before + timedelta(hours=24)
    assert "The deadline of Heron, phase 1, is now" in answer
    assert "UTC" in answer
    assert "Status of Heron".upper() in answer
    assert "The deadline has moved" in str(desk.last("Anna", "deadline")["Subject"])
    assert await log_of(desk) == ["game extend"]


async def test_the_same_mail_under_another_uid_extends_once_and_is_answered_once(
    desk: Desk,
) -> None:
    await desk.open_game()
    before = await deadline(desk)
    base = gm_last(desk)
    await command(desk, "extend by 24h", answering=base, message_id="<one@gm.example>")
    count = len(gm_letters(desk))
    await command(
        desk,
        "extend by 24h",
        answering=base,
        message_id="<one@gm.example>",
        headers=[("X-Copy", "1")],
    )
    assert await deadline(desk) == before + timedelta(hours=24)
    assert len(gm_letters(desk)) == count
    await command(desk, "extend by 24h", answering=base, message_id="<two@gm.example>")
    assert await deadline(desk) == before + timedelta(hours=48)


async def test_every_line_is_answered_and_a_bad_one_keeps_no_good_one_from_being_done(
    desk: Desk,
) -> None:
    await desk.open_game()
    answer = flat(
        await command(desk, "Hi,\nexend by 24h\npause swan\nunlock Anne\nextend by 2h\nThanks")
    )
    assert 'Did you mean "extend"' in answer
    assert "You run no game swan" in answer
    assert 'Heron has no player Anne. Did you mean "Anna"?' in answer
    assert "The deadline of Heron, phase 1, is now" in answer
    assert "[Heron] Done in part" in str(gm_last(desk)["Subject"])
    assert await log_of(desk) == ["game extend"]


async def test_f105_a_new_game_that_cannot_be_read_is_shown_in_the_form_of_its_own_kind(
    desk: Desk,
) -> None:
    await desk.open_game()
    for game in GAMES:
        answer = flat(await command(desk, f"new game Crane: {game}, 2 players, orders gladly"))
        assert f"new game NAME: {game}, " in answer, game


async def test_closing_is_asked_back_by_a_fresh_mail_and_done_by_its_yes_alone(desk: Desk) -> None:
    await desk.open_game()
    other, count = gm_last(desk), len(gm_letters(desk))
    await command(desk, "close now")
    question = gm_last(desk, "Please confirm")
    assert len(gm_letters(desk)) == count + 1, "F-33: the question alone"
    assert "Phase 1 of Heron (bids, turn 1) closes now" in flat(text_of(question))
    assert await phase_number(desk) == 1
    await command(desk, "yes", answering=other)  # of another letter: no command
    assert await phase_number(desk) == 1
    done = flat(await command(desk, "yes", answering=question))
    assert "Phase 1 of Heron closes now" in done
    assert len([mail for mail in gm_letters(desk) if mail["Subject"] == "[Heron] Done"]) == 1
    assert await kinds_to(desk, "closed-early") == sorted(address_of(name) for name in PLAYERS), (
        "F-33: none to who commanded"
    )
    desk.clock.forward(seconds=1)
    await desk.work()
    assert await phase_number(desk) == 2
    assert await log_of(desk) == ["gm asked", "game close"]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("no", "refused"),
        ("perhaps tomorrow", "unclear"),
        ("yes, but only if Ben is late", "unclear"),
    ],
)
async def test_anything_but_a_plain_yes_does_nothing(desk: Desk, answer: str, outcome: str) -> None:
    await desk.open_game()
    await command(desk, "close phase 1")
    assert "NOTHING DONE" in await command(desk, answer, answering=gm_last(desk, "Please confirm"))
    assert await phase_number(desk) == 1
    assert (await outcomes(desk))[-1] == f"handled:gm-confirmation-{outcome}"


async def test_a_yes_counts_for_a_day_and_once(desk: Desk) -> None:
    await desk.open_game()
    await command(desk, "extend by 5 days")
    await command(desk, "shorten by 24h")
    question = gm_last(desk, "Please confirm")
    desk.clock.forward(hours=24)
    assert "That question is closed" in flat(await command(desk, "yes", answering=question))
    await command(desk, "shorten by 1h")
    again = gm_last(desk, "Please confirm")
    await command(desk, "yes", answering=again)
    moved = await deadline(desk)
    await command(desk, "yes", answering=again)
    assert await deadline(desk) == moved
    assert await log_of(desk) == ["game extend", "gm asked", "gm asked", "game extend"]


async def test_a_newer_dangerous_mail_takes_the_place_of_the_one_that_waits(desk: Desk) -> None:
    await desk.open_game()
    base = gm_last(desk)
    await command(desk, "close phase 1")
    first = gm_last(desk, "Please confirm")
    await command(desk, "shorten by 1h", answering=base)
    second = gm_last(desk, "Please confirm")
    assert "That question is closed" in flat(await command(desk, "yes", answering=first))
    assert await phase_number(desk) == 1
    await command(desk, "yes", answering=second)
    assert (await log_of(desk))[-1] == "game extend"


async def test_a_phase_that_is_over_by_the_yes_is_left_alone_and_said_so(desk: Desk) -> None:
    await desk.open_game()
    await command(desk, "close now\nunlock Anna\nextend by 1h")
    question = gm_last(desk, "Please confirm")
    assert "extend by 1h" in text_of(question), "what comes after a dangerous line waits with it"
    for name in ("Anna", "Bartek", "Chloé"):
        await desk.write(name, "bid 1\nfinal")
    assert await phase_number(desk) == 2
    told = flat(await command(desk, "yes", answering=question))
    assert (
        told.count("We skipped this: phase 1 of Heron, which our question named, has closed") == 3
    )
    assert await log_of(desk) == ["gm asked"]


async def test_a_table_is_opened_filled_and_started_by_mail(desk: Desk) -> None:
    await desk.open_game(slug="swan")
    opened = flat(
        await command(
            desk,
            f"new game Heron: {PLAYED}, 2 to 4 players, grand or normal by vote, orders 48h, zone Europe/Oslo",
        )
    )
    assert "Heron is open. Players join by writing" in opened
    assert "vote: version no players yet" in opened
    invited = flat(await command(desk, "heron: invite Anna anna@x.example, Ben ben@x.example"))
    assert "Anna has a seat in Heron" in invited
    assert "Ben has a seat in Heron" in invited
    assert "0 of 4 seats taken, 2 invitations not answered, at least 2 needed" in invited
    started = flat(await command(desk, "start heron"))
    assert "Heron has begun with 2 players" in started
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
    assert game is not None
    assert game.status == "running"
    assert (await detail_of(desk, "game new"))["slug"] == "heron"


async def test_questions_are_answered_in_the_same_letter(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.open_game(players=2, slug="swan", names=("Cara", "Dora"))
    text = await command(desk, "status heron\ngames\nhelp")
    assert "STATUS OF HERON" in text
    assert "missing Bid" in flat(text)
    assert "YOUR GAMES" in text
    assert "WHAT A GAME MASTER CAN WRITE" in text
    assert await log_of(desk) == []


async def test_a_note_is_answered_with_the_words_that_its_letter_tells(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: may I have a day more?")
    note = gm_last(desk, "note from Anna")
    assert "answer 1: ..." in flat(text_of(note))
    assert "note 1 Anna: may I have a day more?" in flat(await command(desk, "status"))
    assert "You answered note 1 of Anna" in flat(
        await command(desk, "answer 1: Yes.\n\nTill Monday.", answering=note)
    )
    assert "Till Monday." in text_of(desk.letters("Anna")[-1])
    assert "note 1" not in flat(await command(desk, "status"))


async def test_the_times_a_game_master_writes_are_in_their_own_zone(desk: Desk) -> None:
    await desk.open_game()
    assert "We show your times in Asia/Tokyo" in flat(await command(desk, "my time zone is Tokyo"))
    before = await deadline(desk)
    local = (before + timedelta(hours=9 + 5)).strftime("%Y-%m-%d %H:%M")
    await command(desk, f"extend to {local}")
    assert await deadline(desk) == before + timedelta(hours=5)


async def test_a_mail_without_new_words_is_told_so(desk: Desk) -> None:
    await desk.open_game()
    assert "had nothing new" in flat(await command(desk, "> quoted\n")).lower()


async def test_letters_to_game_masters_carry_their_code_in_three_places(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: hello")
    mail = gm_last(desk, "note")
    token = str(mail["Reply-To"]).partition("+")[2].partition("@")[0]
    assert token.startswith("g")
    assert token in str(mail["Message-ID"])
    assert f"Code {token}" in flat(text_of(mail))
    assert str(mail["To"]).rpartition("<")[2].rstrip(">") == GM


class Killed(BaseException):
    """The process ends here."""


class Deadly:
    """Ends the process at a step, once."""

    def __init__(self) -> None:
        self.step = ""

    def reached(self, step: str) -> None:
        if step == self.step:
            self.step = ""
            raise Killed(step)


async def test_a_process_that_ends_between_a_command_and_its_answer_does_it_once_and_answers_once(
    tmp_path: Path,
) -> None:
    steps = Deadly()
    async with open_desk(tmp_path, steps=steps) as desk:
        await desk.open_game()
        base = gm_last(desk)
        for number, step in enumerate(
            (
                *("gm.extend.written", "gm.command.kept", "receive.commanded", "receive.written"),
                "receive.kept",
            ),
            start=1,
        ):
            before, count = await deadline(desk), len(gm_letters(desk))
            steps.step = step
            with pytest.raises(Killed):
                await command(
                    desk,
                    "extend by 1h\nclose swan",
                    answering=base,
                    message_id=f"<kill.{number}@gm.example>",
                )
            await desk.work()
            assert await deadline(desk) == before + timedelta(hours=1), step
            told = [flat(text_of(mail)) for mail in gm_letters(desk)[count:]]
            answers = [text for text in told if "Done in part".upper() in text]
            assert len(answers) == 1, step
            assert "The deadline of Heron, phase 1, is now" in answers[0]
        for number, step in enumerate(("gm.asked.written", "gm.asked.kept", "receive.commanded")):
            count = len(gm_letters(desk))
            steps.step = step
            with pytest.raises(Killed):
                await command(
                    desk, "close now", answering=base, message_id=f"<ask.{number}@gm.example>"
                )
            await desk.work()
            subjects = [str(mail["Subject"]) for mail in gm_letters(desk)[count:]]
            assert subjects == ["[Heron] Please confirm"], step
        steps.step = "gm.close.written"
        question = gm_last(desk, "Please confirm")
        with pytest.raises(Killed):
            await command(desk, "yes", answering=question)
        await desk.work()
        assert (await log_of(desk)).count("game close") == 1


async def test_f33_several_notes_are_dismissed_at_once(desk: Desk) -> None:
    await desk.open_game()
    for text in ("GM: one?", "GM: two?", "GM: three?"):
        await desk.write("Anna", text)
    answer = flat(await command(desk, "dismiss 1, 3"))
    assert "Done" in str(gm_last(desk)["Subject"])
    assert "dismiss 1" in answer
    assert "dismiss 3" in answer
    async with desk.services.database.read() as work:
        states = [
            note.state
            for note in (
                await work.notes.find(1),
                await work.notes.find(2),
                await work.notes.find(3),
            )
            if note is not None
        ]
    assert states == ["answered", "passed", "answered"]


async def test_f33_what_was_done_is_told_beside_what_is_asked_back(desk: Desk) -> None:
    await desk.open_game(2)
    await command(desk, "announce: hi\nclose")
    subjects = [str(mail["Subject"]) for mail in gm_letters(desk)]
    assert "[Heron] Done; one thing needs your yes" in subjects
