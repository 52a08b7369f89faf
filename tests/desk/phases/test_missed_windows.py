"""Players from whom nothing comes: after so many windows in a row the table's rule is done,
once.
"""

from datetime import timedelta

import pytest

from pbem.desk import gm
from pbem.desk.gm.seats import set_defaults
from tests.desk.commanding import refused
from tests.desk.gm_chat import bind, give_chats, says
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import code_of, flat, to_gm
from tests.desk.mastery import command, gm_last
from tests.desk.visitors import BY, deadline_of, look_on, plays, set_rules, subjects


async def all_but_anna(desk: Desk, *, final: bool = False) -> None:
    """A window in which nothing comes from Anna, closed at its deadline."""
    for name, words in (("Bartek", "bid 1"), ("Chloé", "bid 2")):
        await desk.write(name, words + ("\nfinal" if final else ""))
    await desk.everybody_passes()


async def nobody_writes(desk: Desk, windows: int) -> None:
    for _ in range(windows):
        await desk.everybody_passes()


def told_gm(desk: Desk, word: str) -> int:
    return sum(word in str(mail["Subject"]) for mail in to_gm(desk))


async def test_the_game_master_is_asked_once_with_words_that_work(desk: Desk) -> None:
    await desk.open_game()
    await set_rules(desk, nmr_count=2, nmr_then="gm")
    await desk.everybody_passes()
    assert told_gm(desk, "does not answer") == 0
    await desk.everybody_passes()
    assert told_gm(desk, "Anna does not answer") == 1
    letter = gm_last(desk, "Anna does not answer")
    assert "2 phases in a row" in flat(letter)
    assert "heron: defaults Anna" in text_of(letter)
    await desk.everybody_passes()
    assert told_gm(desk, "Anna does not answer") == 1, "the third in a row is no second pair"
    answer = await command(desk, "heron: defaults Anna", answering=letter)
    assert "nobody waits for it until its player writes again" in " ".join(answer.split())
    assert "Nobody waits for Anna now" in " ".join(subjects(desk, "Bartek"))


async def test_windows_that_were_answered_end_the_row_and_a_newcomer_has_none(desk: Desk) -> None:
    await desk.open_game()
    await set_rules(desk, nmr_count=2)
    await desk.everybody_passes()
    await desk.write("Anna", "hold P1")
    await gm.replace(desk.services, "heron", "Bartek", "Wanda", address_of("Wanda"), BY)
    await desk.work()
    await desk.everybody_passes()
    assert told_gm(desk, "Anna does not answer") == 0
    assert told_gm(desk, "Bartek does not answer") == 0
    assert told_gm(desk, "Chloé does not answer") == 1


@pytest.mark.parametrize("channel", ["mail", "telegram"])
async def test_the_seat_goes_on_by_defaults_and_is_awake_after_the_close_that_its_next_order_came_before(
    desk: Desk, channel: str
) -> None:
    give_chats(desk)
    await desk.open_game()
    await bind(desk, address_of("Anna"), 11)
    await set_rules(desk, nmr_count=1, nmr_then="defaults")
    await all_but_anna(desk, final=True)
    assert "Nobody waits for Anna now" in " ".join(subjects(desk, "Anna"))
    deadline = await deadline_of(desk)
    for name in ("Bartek", "Chloé"):
        await desk.write(name, "hold\nfinal")
    assert await deadline_of(desk) != deadline, "the phase has closed though nothing came from Anna"
    before = sum("Anna plays again" in subject for subject in subjects(desk, "Bartek"))
    letters = len(desk.letters("Bartek"))
    for text in ("buy nothing", "that is no order at all P1"):
        await (
            says(desk, 11, text) if channel == "telegram" else desk.write("Anna", text, token=False)
        )
    assert len(desk.letters("Bartek")) == letters, (
        "nobody learns from it who has ordered before the close"
    )
    await desk.everybody_passes()
    assert sum("Anna plays again" in subject for subject in subjects(desk, "Bartek")) == before + 1
    await desk.everybody_passes()
    assert sum("Anna plays again" in subject for subject in subjects(desk, "Bartek")) == before + 1


async def test_those_on_the_list_are_asked_one_after_another_a_day_each_and_then_the_game_master(
    desk: Desk,
) -> None:
    await desk.open_game()
    await set_rules(desk, nmr_count=1, nmr_then="substitute", observers=True)
    await look_on(desk, "Wanda", "Wilma")
    for name in ("Wanda", "Wilma"):
        await desk.write(
            name, "I can substitute in heron", answering=desk.letters(name)[1], dmarc=None
        )
        assert "You are on the list of substitutes" in subjects(desk, name)[-1]
    await all_but_anna(desk)
    asked = "Will you play for Anna"
    assert asked in " ".join(subjects(desk, "Wanda"))
    assert asked not in " ".join(subjects(desk, "Wilma"))
    await desk.write("Wanda", "no", answering=desk.last("Wanda", asked), dmarc=None)
    assert asked in " ".join(subjects(desk, "Wilma"))
    assert told_gm(desk, "Anna does not answer") == 0
    desk.clock.instant += timedelta(hours=24.1)
    await desk.work()
    assert told_gm(desk, "Anna does not answer") == 1
    assert "nobody on the list of substitutes has said yes" in flat(
        gm_last(desk, "Anna does not answer")
    )
    await desk.write("Wilma", "yes", answering=desk.last("Wilma", asked), dmarc=None)
    assert await plays(desk, "Anna") == address_of("Anna"), "too late"


async def test_whoever_says_yes_has_the_seat_for_good_unless_its_player_has_written_meanwhile(
    desk: Desk,
) -> None:
    await desk.open_game()
    await set_rules(desk, nmr_count=1, nmr_then="substitute")
    await look_on(desk, "Wanda")
    await desk.write("Wanda", "I can substitute", answering=desk.letters("Wanda")[1], dmarc=None)
    await all_but_anna(desk)
    question = desk.last("Wanda", "Will you play for Anna")
    await desk.write("Anna", "hold P1")
    await desk.write("Wanda", "yes", answering=question, dmarc=None)
    assert await plays(desk, "Anna") == address_of("Anna")
    assert "The seat has a player" in " ".join(subjects(desk, "Wanda"))
    await nobody_writes(desk, 2)
    again = desk.last("Wanda", "Will you play for")
    await desk.write("Wanda", "yes", answering=again, dmarc=None)
    assert address_of("Wanda") in [await plays(desk, name) for name in ("Anna", "Bartek", "Chloé")]


async def test_a_game_master_may_let_a_seat_go_on_by_defaults_and_wait_for_it_again(
    desk: Desk,
) -> None:
    await desk.open_game()
    await set_defaults(desk.services, "heron", "Anna", BY)
    assert await refused(set_defaults(desk.services, "heron", "Anna", BY)) == "no-change"
    await set_defaults(desk.services, "heron", "Anna", BY, off=True)
    await desk.work()
    assert "Everybody waits for Anna again" in " ".join(subjects(desk, "Bartek"))
    assert await refused(set_defaults(desk.services, "heron", "Anna", BY, off=True)) == "no-change"
    log = flat(await desk.write("Bartek", "log"))
    assert "left to the defaults; seat Anna" in log
    assert await code_of(desk)
    await set_defaults(desk.services, "heron", "Anna", BY)
    await desk.everybody_passes()
    await desk.write("Anna", "hold P1")
    await gm.roll_back(desk.services, "heron", 1, BY)
    await desk.work()
    assert "Anna plays again" not in " ".join(subjects(desk, "Bartek")), "no window was closed"
    assert await refused(set_defaults(desk.services, "heron", "Anna", BY)) == "no-change"
