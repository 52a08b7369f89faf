"""What people choose for themselves, and what comes of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.desk.letters.routes import format_quiet, parse_quiet, quiet_until
from pbem.grammar.people_rules import PeopleRules
from tests.desk.gm_chat import bind, give_chats, says, seen, works
from tests.desk.harness import Desk, address_of, open_desk, text_of
from tests.desk.lobbies import join, lobby
from tests.desk.mastery import command
from tests.desk.timekeeping import set_settings
from tests.rows import each_row

ANNA = 100
MINUTES = st.integers(0, 1439)


def flat(text: str) -> str:
    return " ".join(text.split())


async def kept(desk: Desk, name: str = "Anna") -> dict[str, str]:
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of(name))
        assert person is not None
        return {row.name: row.value for row in await work.preferences.list_of([person.id])}


async def test_everything_that_can_be_chosen_is_shown_with_its_words(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(players=2)
        text = flat(text_of(await desk.write("Anna", "settings")))
        assert "turn mails by mail" in text
        assert "quiet hours none" in text
        assert "We reach you only by mail" in text
        for word in (
            *("reminders by telegram", "no bulletins", "quiet 22-7", "digest daily", "mute Ben"),
            "my time zone is Europe/Oslo",
        ):
            assert word in text


async def test_who_has_one_channel_is_told_that_there_is_only_one(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(players=2)
        text = flat(
            text_of(await desk.write("Anna", "turns by telegram\nno turns\nno bulletins\nbid 3"))
        )
        assert "receipt" not in text.lower()[:40]
        answers = [flat(text_of(mail)) for mail in desk.letters("Anna")[-2:]]
        (told,) = [text for text in answers if "turns by telegram" in text]
        assert '"turns by telegram": we reach you only by mail, so we changed nothing' in told
        assert '"no turns": we cannot leave that out' in told
        assert '"no bulletins": this holds from now on' in told
        assert await kept(desk) == {"route.bulletins": "off"}


async def test_what_is_chosen_counts_for_the_letters_that_follow_on_both_channels(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        await bind(desk, address_of("Anna"), ANNA)
        await says(desk, ANNA, "everything by mail")
        assert "this holds from now on" in seen(chats, ANNA)[-1]
        before = len(chats.chats[ANNA])
        await command(desk, "announce: hello")
        await works(desk)
        assert len(chats.chats[ANNA]) == before
        await desk.write("Anna", "news by telegram\nreminders both")
        mails = len(desk.letters("Anna"))
        await command(desk, "announce: hello again")
        await works(desk)
        assert "hello again" in seen(chats, ANNA)[-1]
        assert len(desk.letters("Anna")) == mails
        assert (await kept(desk))["route.turns"] == "mail"


async def test_a_choice_is_kept_before_a_game_begins_too(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        letter = await desk.write("Anna", "quiet 22-7", answering=desk.letters("Anna")[-1])
        assert "quiet hours 22:00-07:00" in flat(text_of(letter))
        assert await kept(desk) == {"quiet": "1320-420"}


async def test_what_can_wait_comes_at_the_end_of_the_quiet_hours_and_the_rest_without_a_sound(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        await bind(desk, address_of("Anna"), ANNA)
        await desk.write("Anna", "my time zone is UTC\nquiet 11-20\neverything both")
        mails = len(desk.letters("Anna"))
        await command(desk, "announce: it is noon")
        await works(desk)
        assert len(desk.letters("Anna")) == mails
        assert not any("it is noon" in text for text in seen(chats, ANNA))
        await says(desk, ANNA, "status")
        assert "Heron" in seen(chats, ANNA)[-1]
        desk.clock.forward(hours=8)
        await works(desk)
        assert len(desk.letters("Anna")) == mails + 1
        assert "it is noon" in seen(chats, ANNA)[-1]


WAITED = ("quokka", "wombat", "numbat")


@pytest.mark.parametrize(
    ("choice", "waits"), [("quiet off", 0), ("quiet 22-7", 0), ("quiet 11-14", 2)]
)
async def test_other_quiet_hours_let_go_at_once_of_what_has_waited_for_the_old_ones(
    tmp_path: Path, choice: str, waits: int
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        await bind(desk, address_of("Anna"), ANNA)
        await desk.write("Anna", "my time zone is UTC\nquiet 11-20\npress by telegram")
        for word in WAITED[:2]:
            await desk.write("Bartek", f"to Anna: {word}")
        await works(desk)
        assert not any(WAITED[0] in text for text in seen(chats, ANNA))
        await desk.write("Anna", choice)
        await desk.write("Bartek", f"to Anna: {WAITED[2]}")
        await works(desk)
        assert any(WAITED[0] in text for text in seen(chats, ANNA)) is (waits == 0)
        desk.clock.forward(hours=waits)
        await works(desk)
        told = [
            text
            for text in seen(chats, ANNA)
            if "Bartek" in text and any(word in text for word in WAITED)
        ]
        assert [next(word for word in WAITED if word in text) for text in told] == list(WAITED)


async def test_nothing_waits_beyond_the_deadline_of_its_table(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        await bind(desk, address_of("Anna"), ANNA)
        await desk.write("Anna", "my time zone is UTC\nquiet 11-20\nreminders by telegram")
        async with desk.services.database.read() as work:
            (phase,) = await work.phases.list_running()
        desk.clock.instant = phase.deadline - timedelta(hours=4) + timedelta(seconds=1)
        await works(desk)
        reminder = chats.chats[ANNA][-1]
        assert desk.clock.now() < phase.deadline
        assert reminder.silent is (11 <= desk.clock.now().hour < 20)


async def test_a_letter_that_is_held_stops_no_other_of_the_same_chat(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        await bind(desk, address_of("Anna"), ANNA)
        await desk.write("Anna", "my time zone is UTC\nquiet 11-20\nnews by telegram")
        await command(desk, "announce: later")
        await says(desk, ANNA, "settings")
        assert "Your settings" in seen(chats, ANNA)[-1]


async def test_others_see_the_hours_of_those_who_show_them(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "my time zone is Asia/Tokyo\nquiet 22-7\nshow my hours")
    assert "others see your hours yes" in flat(text_of(await desk.write("Anna", "settings")))
    told = flat(text_of(await desk.write("Bartek", "status")))
    assert "Anna is there from 07:00 to 22:00 (Asia/Tokyo, where it is now" in told
    assert "Bartek is there" not in told
    await set_settings(desk, people=PeopleRules(hidden_names=True))
    assert "Tokyo" not in text_of(await desk.write("Bartek", "status"))
    await set_settings(desk, people=PeopleRules())
    await desk.write("Anna", "hide my hours")
    assert "Tokyo" not in text_of(await desk.write("Bartek", "status"))


@given(MINUTES, MINUTES)
def test_quiet_hours_are_read_back_as_they_are_kept(since: int, until: int) -> None:
    assert parse_quiet(format_quiet(since, until)) == (since, until)


@given(st.sampled_from(sorted(available_timezones())), MINUTES, MINUTES, st.integers(0, 525_600))
def test_quiet_hours_end_within_a_day_at_an_hour_that_is_not_quiet(
    zone: str, since: int, until: int, minutes: int
) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    end = quiet_until(format_quiet(since, until), zone, now)
    assert end is None or now < end <= now + timedelta(hours=26)


@each_row(
    ("hour", "end"),
    [
        (21, None),
        (22, "2026-11-23T06:00"),
        (23, "2026-11-23T06:00"),
        (2, "2026-11-22T06:00"),
        (6, None),
        (12, None),
    ],
)
def test_quiet_hours_go_over_midnight(hour: int, end: str | None) -> None:
    now = datetime(2026, 11, 22, hour, tzinfo=UTC)
    found = quiet_until(format_quiet(1320, 360), "UTC", now)
    assert found == (datetime.fromisoformat(end).replace(tzinfo=UTC) if end is not None else None)
