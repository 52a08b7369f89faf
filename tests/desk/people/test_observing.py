"""Looking on at a table: the public's view, and nothing else, ever."""

from pathlib import Path

from pbem.desk.press.words import set_press
from pbem.grammar.people_rules import PeopleRules
from pbem.grammar.press_rules import PressChange
from tests.desk.harness import Desk, address_of, open_desk, text_of
from tests.desk.lobbies import code_of, game_of
from tests.desk.mastery import gm_letters
from tests.desk.visitors import BY, flat, look_on, person_of, set_rules, subjects


async def test_an_observer_is_asked_gets_bulletins_alone_and_stops(desk: Desk) -> None:
    await desk.open_game()
    await desk.write(
        "Wanda", f"Hello,\nI'd like to watch {await code_of(desk)}", token=False, dmarc=None
    )
    assert "Do you want to watch" in subjects(desk, "Wanda")[-1]
    assert len(subjects(desk, "Wanda")) == 1
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert "You are watching" in subjects(desk, "Wanda")[-1]
    await desk.write("Anna", "bid 17")
    await desk.everybody_passes()
    got = desk.letters("Wanda")[2:]
    assert [
        (mail["List-Id"] is None and "bids" in str(mail["Subject"]).lower())
        or "Turn" in str(mail["Subject"])
        for mail in got
    ] == [True]
    assert text_of(got[0]) == text_of(gm_letters(desk)[-1])
    answered = await desk.write("Wanda", "status", answering=got[0], dmarc=None)
    told = flat(answered)
    assert "For observers of Heron" in told
    assert "what you have" not in told.lower()
    assert "asked of you" not in told, "nothing is ever asked of who looks on"
    assert "My orders" not in told
    await desk.write("Wanda", "stop observing", answering=got[0], dmarc=None)
    assert "You no longer watch" in subjects(desk, "Wanda")[-1]
    before = len(subjects(desk, "Wanda"))
    await desk.everybody_passes()
    await desk.write("Wanda", "status", answering=got[0], dmarc=None)
    assert len(subjects(desk, "Wanda")) == before


async def test_no_secret_word_of_a_player_ever_reaches_an_observer(desk: Desk) -> None:
    await desk.open_game()
    await look_on(desk, "Wanda")
    await desk.write("Anna", "bid 17\nGM: the xylophone is out of tune")
    await desk.write("Bartek", "bid 23. final")
    for word in (
        *("status", "map", "history", "players", "orders", "what if I bid 3", "resend"),
        "observers",
    ):
        await desk.write("Wanda", word, answering=desk.letters("Wanda")[1], dmarc=None)
    everything = " ".join(text_of(mail) for mail in desk.letters("Wanda"))
    assert "xylophone" not in everything
    assert "17" not in everything.replace("17 November", "").replace("17:", "")
    assert "23" not in everything.replace("23 November", "").replace("23:", "")


async def test_an_observer_is_told_which_words_were_too_many(desk: Desk) -> None:
    await desk.open_game()
    await look_on(desk, "Wanda")
    letter = desk.letters("Wanda")[1]
    await desk.write("Wanda", "status\nmap\nhistory\nrule PR-7.8", answering=letter, dmarc=None)
    told = [flat(mail) for mail in desk.letters("Wanda")]
    assert any("at most 3 things. We left this out: rule PR-7.8" in text for text in told)


async def test_whoever_does_not_know_the_code_learns_nothing(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Eve", "observe heron", token=False, dmarc="pass")
    await desk.write("Eve", "observe heron-bbbbbb", token=False, dmarc=None)
    await desk.write("Eve", "take over a seat in heron", token=False, dmarc="pass")
    assert subjects(desk, "Eve") == []


async def test_a_table_may_want_no_observers_and_a_player_is_none(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", f"observe {await code_of(desk)}")
    assert "You play in Heron yourself" in flat(desk.letters("Anna")[-1])
    await look_on(desk, "Wanda")
    await set_rules(desk, observers=False)
    await look_on(desk, "Wilma")
    assert "has no observers" in flat(desk.letters("Wilma")[-1])
    before = len(subjects(desk, "Wanda"))
    await desk.everybody_passes()
    assert len(subjects(desk, "Wanda")) == before


async def test_the_table_learns_how_many_look_on_or_who_as_it_says(desk: Desk) -> None:
    await desk.open_game()
    await look_on(desk, "Wanda", "Wilma")
    assert "Heron has 2 observers" in flat(await desk.write("Anna", "who is watching?"))
    await set_rules(desk, observers_shown="names")
    assert "Wanda and Wilma" in flat(await desk.write("Anna", "observers"))
    assert PeopleRules().observers


async def test_an_observer_who_becomes_a_player_observes_no_more(tmp_path: Path) -> None:
    from pbem.desk import gm

    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await look_on(desk, "Wanda")
        await gm.replace(desk.services, "heron", "Anna", "Wanda", address_of("Wanda"), BY)
        await desk.work()
        async with desk.services.database.read() as work:
            assert await work.observers.list_of_game((await game_of(desk)).id) == []
            assert await person_of(desk, "Wanda") in {
                seat.person_id for seat in await work.seats.list_of_game(1)
            }


async def test_f68_who_looks_on_may_say_by_mail_what_they_are_called(desk: Desk) -> None:
    await desk.open_game()
    await desk.write(
        "Olga", f"observe {await code_of(desk)} as Olga Petrova", token=False, dmarc=None
    )
    await desk.write("Olga", "yes", answering=desk.letters("Olga")[-1], dmarc=None)
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of("Olga"))
    assert person is not None
    assert person.name == "Olga Petrova"


async def test_f68_somebody_on_vacation_hears_of_away_and_a_public_table_offers_no_private_press(
    desk: Desk,
) -> None:
    await desk.open_game()
    for text in ("I will be on vacation next week", "Hi, I'm going on holiday tomorrow."):
        assert "away" in text_of(await desk.write("Anna", text)), text
    await set_press(desk.services, "heron", PressChange(mode="public"), BY)
    told = text_of(await desk.write("Anna", "press"))
    assert "press to all: ..." in told
    assert "press to Bartek" not in told
