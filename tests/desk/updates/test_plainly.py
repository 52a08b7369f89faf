"""What a chat is told in words that fit it: while the clock stands still, to what is no text,
before everybody's eyes.
"""

from pathlib import Path

import pytest

from pbem.desk import gm
from tests.desk.chatting import GROUP, ChatDesk, labels, open_chat_desk
from tests.desk.harness import parse, text_of
from tests.desk.lobbies import code_of, open_lobby
from tests.desk.mastery import flat
from tests.desk.updates.test_tables import bound_group
from tests.played import GAMES, spoken

ANNA, EVE = 11, 66


@pytest.mark.parametrize("ruleset", GAMES)
async def test_f36_a_receipt_says_that_the_game_is_paused(tmp_path: Path, ruleset: str) -> None:
    async with open_chat_desk(tmp_path, ruleset=ruleset) as there:
        await there.link("Anna", ANNA)
        await gm.pause(there.desk.services, "heron", gm.By("test"))
        words = spoken(ruleset).answer
        await there.says(ANNA, words)
        assert "The game is paused: the clock stands still." in flat(there.last(ANNA).text)
        mail = await there.desk.write("Anna", words)
        assert "The game is paused: the clock stands still." in flat(text_of(mail))


async def test_f36_orders_are_not_met_with_silence_while_it_is_asked_which_table(
    there: ChatDesk,
) -> None:
    await there.desk.open_game(2, slug="wolf")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bid 9")
    assert "Which game do you mean?" in there.last(ANNA).text
    count = len(there.box.to(ANNA))
    await there.says(ANNA, "/orders")
    assert len(there.box.to(ANNA)) == count + 1
    assert "Which game do you mean?" in there.last(ANNA).text
    await there.taps(ANNA, there.last(ANNA), "Heron")
    assert "Bid" in "".join(labels(there.last(ANNA)))


@pytest.mark.parametrize(
    "content",
    [
        {"voice": {"file_id": "x"}},
        {"sticker": {"file_id": "x"}},
        {"document": {"file_id": "x"}},
        {"location": {"latitude": 1, "longitude": 2}},
        {"photo": [{"file_id": "x"}]},
        {"dice": {"value": 6}},
    ],
    ids=lambda content: next(iter(content)),
)
async def test_f64_what_is_no_text_is_answered_with_that_and_nothing_of_quotes(
    there: ChatDesk, content: dict[str, object]
) -> None:
    await there.link("Anna", ANNA)
    message = there._message(ANNA, "", ANNA, 100_050, None)
    del message["text"]
    await there.bring("message", message | content)
    assert "I read only text" in there.last(ANNA).text
    assert "quote" not in there.last(ANNA).text


async def test_f63_a_group_has_the_table_s_time_and_its_own_answers(there: ChatDesk) -> None:
    await there.desk.everybody_passes()
    await there.settle()
    await bound_group(there)
    await ask(there, "/status")
    assert "your time" not in there.last(GROUP).text
    assert "in the time of Europe/" in there.last(GROUP).text
    await ask(there, "/map")
    assert there.last(GROUP).picture is not None
    await ask(there, "/who")
    assert "Anna" in there.last(GROUP).text
    assert "Bartek" in there.last(GROUP).text
    await ask(there, "/help")
    assert "/status" in there.last(GROUP).text
    assert labels(there.last(GROUP)) == ["Write to me in private"]
    await ask(there, "/orders")
    assert "In private, please" in there.last(GROUP).text


async def ask(there: ChatDesk, word: str) -> None:
    count = len(there.box.to(GROUP))
    await there.says(EVE, word, where=GROUP)
    assert len(there.box.to(GROUP)) == count + 1


async def test_f62_the_first_mail_address_of_somebody_with_a_chat_alone(tmp_path: Path) -> None:
    """What they are told of it holds: where letters go, how it is undone, and what counts."""
    async with open_chat_desk(tmp_path, players=0) as there:
        await open_lobby(there.desk)
        for user in (ANNA, 12):
            await there.says(user, f"/start join_{await code_of(there.desk)}")
        await gm.start(there.desk.services, "heron", gm.By("test"))
        await there.settle()
        await there.says(ANNA, "my addresses")
        assert "your chat with the bot on Telegram" in there.last(ANNA).text
        await there.says(ANNA, "my address is also anna@work.example")
        assert "we ask there" in there.last(ANNA).text
        (question,) = [parse(raw) for raw in there.desk.postbox.to("anna@work.example")]
        await there.desk.write("Anna", "yes", answering=question, sender="anna@work.example")
        await there.settle()
        letter = flat(text_of(parse(there.desk.postbox.to("anna@work.example")[-1])))
        assert "go where they went before" not in letter
        assert "go there too, and to your chat" in letter
        assert "write in your chat with the bot" in letter
        assert "anna@work.example is yours too" in there.last(ANNA).text
        await there.says(ANNA, "forget address anna@work.example")
        assert "it is no longer yours" in there.last(ANNA).text


async def test_f62_addresses_are_told_in_a_chat_that_is_not_the_only_way(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "my addresses")
    assert "anna@players.example" in there.last(ANNA).text


async def test_f71_settings_absence_mute_and_zone_have_buttons(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/settings")
    settings = there.last(ANNA)
    assert {
        *("Mute Bartek", "Time zone", "I am away", "Quiet from 22 to 7", "No bulletins"),
        "Press once a day",
    } <= set(labels(settings))
    for label, told in (
        ("Quiet from 22 to 7", "22:00-07:00"),
        ("No bulletins", "not at all"),
        ("Mute Bartek", "Bartek"),
        ("Press once a day", "daily"),
    ):
        await there.taps(ANNA, settings, label)
        await there.says(ANNA, "/settings")
        assert told in flat(there.last(ANNA).text), label
    await there.taps(ANNA, settings, "Mute nobody")
    await there.says(ANNA, "/settings")
    assert "muted" not in there.last(ANNA).text.lower()
    await there.taps(ANNA, settings, "Time zone")
    await there.taps(ANNA, there.last(ANNA), "Asia/Tokyo")
    await there.says(ANNA, "/timezone")
    assert "Your time zone is Asia/Tokyo" in there.last(ANNA).text
    await there.taps(ANNA, settings, "I am away")
    await there.taps(ANNA, there.last(ANNA), "For a week")
    assert "You are away" in there.last(ANNA).text
    await there.desk.everybody_passes()
    await there.settle()
    await there.taps(ANNA, settings, "No quiet hours")  # in whatever phase
    await there.says(ANNA, "/absence")
    await there.taps(ANNA, there.last(ANNA), "I am back")
    assert "You are back" in there.last(ANNA).text


async def test_f71_a_button_of_settings_is_for_its_owner_alone(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", 12)
    await there.says(ANNA, "/settings")
    data = there.last(ANNA).buttons[0][0].data or ""
    assert "not yours" in (await there.forges(12, data)).text


async def test_f71_a_stranger_is_told_what_the_games_are(there: ChatDesk) -> None:
    await there.says(EVE, "/start")
    told = there.last(EVE).text
    assert all(f"{game.title}: {game.pages.about}." in told for game in GAMES.values())
    assert "/join CODE" in told
