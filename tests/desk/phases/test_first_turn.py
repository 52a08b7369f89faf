"""A player who has never answered: the game waits once, asks, and then stands still until somebody
takes the seat. Nobody else loses anything.
"""

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.desk.gm.deadlines import close_now, pause, resume
from pbem.desk.gm.history import end
from pbem.desk.gm.seats import Wanted, substitute
from pbem.desk.phases.sweep import next_due_at, sweep
from pbem.grammar.people_rules import OF_NEW_TABLES
from tests.desk.commanding import logged, refused
from tests.desk.harness import Desk, address_of, open_desk, parse
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.looks import phase_of, status_of
from tests.desk.mastery import command, gm_last
from tests.desk.timekeeping import set_settings, texts
from tests.desk.visitors import BY, flat, plays

LENGTH = timedelta(hours=24)


async def open_waiting(desk: Desk) -> None:
    """A game of three that waits for those who never answer; two have ordered."""
    await desk.open_game(3)
    await set_settings(desk, people=OF_NEW_TABLES)
    await desk.write("Bartek", "bid 4")
    await desk.write("Chloé", "bid 5. final")


async def test_the_game_waits_once_then_asks_and_then_the_seat_opens(desk: Desk) -> None:
    await open_waiting(desk)
    first = await phase_of(desk)
    await desk.everybody_passes()
    once = await phase_of(desk)
    assert (once.number, once.deadline) == (1, first.deadline + LENGTH)
    assert "the game waits for you" in texts(desk, "Anna", "for your first answer")[0]
    told = texts(desk, "Bartek", "deadline has moved")[0]
    assert "A player has not answered the first turn, so we wait once" in told
    assert "Anna" not in told.partition("Answer with")[0], "nobody learns for whom"
    await desk.everybody_passes()
    twice = await phase_of(desk)
    assert (twice.number, twice.deadline) == (1, once.deadline + LENGTH)
    asked = flat(gm_last(desk, "Anna has not answered yet"))
    for words in ("replace Anna with NAME", "heron: close now", "heron: defaults Anna"):
        assert words in asked
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("paused", 1)
    assert await plays(desk, "Anna") == ""
    assert "You no longer have a seat" in str(desk.letters("Anna")[-1]["Subject"])
    assert "No answer came to the first turn" in flat(desk.letters("Anna")[-1])
    assert not texts(desk, "Bartek", "seat of Anna is empty"), "one letter tells it all"
    opened = texts(desk, "Bartek", "clock is stopped")[0]
    assert "You keep your seat, and your orders count" in opened
    code = opened.partition("take over ")[2].split()[0]

    await desk.write("Wanda", f"take over {code}", token=False, dmarc=None)
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    again = await phase_of(desk)
    assert (await status_of(desk))[0] == "running"
    assert again.deadline >= desk.clock.now() + LENGTH, "everybody has the whole time again"
    assert "started the clock again" in texts(desk, "Chloé", "The game continues")[0]
    await desk.write("Wanda", "bid 1. final")
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2
    bulletin = texts(desk, "Bartek", "orders due")[-1]
    assert "5" in bulletin, "what was ordered before the waits stands"


async def test_a_team_mates_answer_is_none_of_ones_own(desk: Desk) -> None:
    await desk.open_game(4, teams=2)
    await set_settings(desk, people=OF_NEW_TABLES)
    for name in ("Bartek", "Chloé", "Dmytro"):
        await desk.write(name, "bid 4. final")
    for _ in range(2):
        await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 1)
    mate, other = (texts(desk, name, "deadline has moved")[0] for name in ("Bartek", "Chloé"))
    for told in (mate, other):
        assert "A player has not answered" in told
        assert "Anna" not in told.partition("Answer with")[0], "nor does a team-mate learn for whom"
    assert "Anna has not answered yet" in str(gm_last(desk, "not answered")["Subject"])
    await desk.write("Anna", "press to team: I am here")
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 2)


async def test_a_seat_with_a_substitute_is_never_opened(desk: Desk) -> None:
    await open_waiting(desk)
    until = desk.clock.now() + 5 * LENGTH
    await substitute(desk.services, "heron", "Anna", Wanted(address_of("Wanda"), until), BY)
    await desk.work()
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 2)


@pytest.mark.parametrize("words", ["GM: I need a day more", "bid 2", "status"])
async def test_a_word_from_the_player_ends_the_waiting(desk: Desk, words: str) -> None:
    await open_waiting(desk)
    await desk.everybody_passes()
    await desk.write("Anna", words)
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 2)


async def test_what_comes_in_the_minute_before_the_phase_opens_counts(desk: Desk) -> None:
    desk.clock.forward(seconds=20)
    await open_waiting(desk)
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    assert game.started_at is not None
    assert game.started_at < (await phase_of(desk)).opened_at, "phases open at whole minutes"
    await desk.write("Anna", "to Bartek: hello", received_at=game.started_at + timedelta(seconds=1))
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("running", 2)


async def test_a_holiday_notice_is_no_answer(desk: Desk) -> None:
    await open_waiting(desk)
    notice = (("Auto-Submitted", "auto-replied"),)
    await desk.write("Anna", "I am on holiday.", headers=notice)
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 1


async def test_the_game_master_may_play_on_or_replace_the_player(desk: Desk) -> None:
    await open_waiting(desk)
    await desk.everybody_passes()
    assert await close_now(desk.services, "heron", 1, BY)
    desk.clock.forward(seconds=2)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 3, "the game has waited for her"


async def test_a_new_player_who_is_silent_too_is_waited_for_as_well(desk: Desk) -> None:
    await open_waiting(desk)
    for _ in range(2):
        await desk.everybody_passes()
    letter = gm_last(desk, "Anna has not answered yet")
    await command(desk, "replace Anna with Wanda wanda@players.example", answering=letter)
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    for _ in range(2):
        await desk.everybody_passes()
        assert (await status_of(desk))[:2] == ("running", 1)
    await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("paused", 1)


async def test_who_can_substitute_is_asked_for_the_seat(desk: Desk) -> None:
    await open_waiting(desk)
    await desk.open_game(2, slug="egret", names=("Dora", "Emil"))
    await desk.write("Dora", "I can substitute")
    for _ in range(2):
        heron = await phase_of(desk)
        desk.clock.instant = heron.deadline + timedelta(seconds=2)
        await desk.work()
    asked = desk.last("Dora", "Anna")
    await desk.write("Dora", "yes", answering=asked)
    assert await plays(desk, "Anna") == address_of("Dora")


async def test_players_vote_on_playing_without(desk: Desk) -> None:
    await open_waiting(desk)
    for _ in range(3):
        await desk.everybody_passes()
    await desk.write("Bartek", "vote resume")
    await desk.write("Chloé", "vote yes")
    await desk.work()
    assert (await status_of(desk))[0] == "running"
    desk.clock.forward(hours=1)
    await desk.work()
    assert (await status_of(desk))[1] == 2


async def open_seat(desk: Desk) -> str:
    """The seat of Anna, who never answered, is open; the code that takes it."""
    await open_waiting(desk)
    for _ in range(3):
        await desk.everybody_passes()
    opened = texts(desk, "Bartek", "clock is stopped")[0]
    return opened.partition("take over ")[2].split()[0]


async def run_on_to(desk: Desk, instant: datetime) -> None:
    desk.clock.instant = instant
    await sweep(desk.services)
    await desk.work()


async def test_a_seat_that_nobody_takes_is_told_of_once_more_and_then_the_game_ends(
    desk: Desk,
) -> None:
    code = await open_seat(desk)
    until = desk.clock.now() + timedelta(days=desk.services.policy.open_days)
    assert "we end the game" in flat(gm_last(desk, "A seat is open"))
    assert await next_due_at(desk.services) == until - timedelta(days=3)
    await run_on_to(desk, until - timedelta(days=3, minutes=1))
    assert not texts(desk, "Bartek", "still open")
    await run_on_to(desk, until - timedelta(days=3))
    await run_on_to(desk, until - timedelta(days=2))
    for reminded in (texts(desk, "Bartek", "still open"), texts(desk, "Chloé", "still open")):
        assert len(reminded) == 1
        assert f"take over {code}" in reminded[0]
    assert "resume" in flat(gm_last(desk, "still open"))
    assert (await status_of(desk))[0] == "paused"
    await run_on_to(desk, until)
    assert (await status_of(desk))[0] == "ended"
    await run_on_to(desk, until + timedelta(days=30))
    for name in ("Bartek", "Chloé"):
        (told,) = texts(desk, name, "broken off")
        assert "A seat stayed open: nobody took it" in told
    assert "broken off" in str(gm_last(desk, "broken off")["Subject"])
    assert await next_due_at(desk.services) is None


async def test_a_seat_that_is_taken_or_a_clock_that_a_person_stops_ends_no_game(
    desk: Desk,
) -> None:
    code = await open_seat(desk)
    await desk.write("Wanda", f"take over {code}", token=False, dmarc=None)
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    await pause(desk.services, "heron", BY)
    desk.clock.forward(days=60)
    await desk.work()
    assert (await status_of(desk))[0] == "paused"
    assert not texts(desk, "Bartek", "still open")


async def test_a_game_stopped_before_this_rule_was_kept_goes_on_standing(desk: Desk) -> None:
    await open_waiting(desk)
    await pause(desk.services, "heron", BY)
    async with desk.services.database.write() as work:
        assert await work.games.set_expiry(1, desk.clock.now())
    await desk.work()
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    assert (game.status, game.expires_at) == ("paused", None)


async def test_an_open_seat_with_the_date_of_its_lobby_ends_no_game(desk: Desk) -> None:
    await open_seat(desk)
    async with desk.services.database.write() as work:
        assert await work.games.set_expiry(1, desk.clock.now() - timedelta(days=1))
    await desk.work()
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    assert (game.status, game.expires_at) == ("paused", None)


async def test_who_comes_at_the_very_moment_keeps_the_game(desk: Desk) -> None:
    await open_seat(desk)
    async with desk.services.database.read() as work:
        seen = await work.games.find(1)
    await resume(desk.services, "heron", BY)
    ended = end(desk.services, "heron", BY, only_as=seen)
    assert await refused(ended) == "conflict"


async def test_a_table_that_plays_on_does_not_wait(desk: Desk) -> None:
    await desk.open_game(3)
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2


LABELS = ("first.written", "first.kept", "close.written", "receive.written")


async def play(desk: Desk, steps: DiesAt) -> tuple[object, ...]:
    """Anna never answers, and Wanda takes the seat; the process ends once at each step."""
    await open_waiting(desk)
    steps.armed = True
    for _ in range(3):
        desk.clock.instant = (await phase_of(desk)).deadline + timedelta(seconds=2)
        for _ in range(2):
            with suppress(Ended):
                await desk.work()
    code = texts(desk, "Bartek", "clock is stopped")[0].partition("take over ")[2].split()[0]
    with suppress(Ended):
        await desk.write("Wanda", f"take over {code}", token=False, dmarc=None, work=False)
    for _ in range(2):
        with suppress(Ended):
            await desk.work()
    answered = desk.letters("Wanda")[-1]
    with suppress(Ended):
        await desk.write("Wanda", "yes", answering=answered, dmarc=None, work=False)
    for _ in range(2):
        with suppress(Ended):
            await desk.work()
    letters = Counter(
        (mail.recipient, str(parse(mail.raw)["Message-ID"])) for mail in desk.postbox.mails
    )
    return await phase_of(desk), await status_of(desk), letters, await logged(desk)


@pytest.mark.long(held_by="tests/desk/whole/test_twice.py (every job done again)")
async def test_wherever_the_process_ends_the_same_comes_of_it(tmp_path: Path) -> None:
    outcomes: dict[str, tuple[object, ...]] = {}
    for label in ("", *LABELS):
        folder = tmp_path / (label or "whole")
        folder.mkdir()
        steps = DiesAt(label)
        async with open_desk(folder, steps=steps) as desk:
            outcomes[label] = await play(desk, steps)
        assert outcomes[label] == outcomes[""], label
    letters = outcomes[""][2]
    assert isinstance(letters, Counter)
    assert max(letters.values()) == 1
