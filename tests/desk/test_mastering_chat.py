"""A game master's words in a chat: the same as by mail, proven by the bound account, and asked back on the other channel."""

from pathlib import Path

from pbem.telegram.ports import ChatRefused
from tests.desk.gm_chat import bind, give_chats, says, seen, works
from tests.desk.harness import GM, Desk, address_of, open_desk, text_of
from tests.desk.mastery import command, flat, gm_last, gm_letters, log_of, outcomes

GRETA = 900


async def master_in_a_chat(desk: Desk) -> None:
    await desk.open_game(players=2)
    await bind(desk, GM, GRETA)


async def test_what_a_game_master_writes_in_a_chat_is_done_and_answered_there(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        mails = len(gm_letters(desk))
        await says(desk, GRETA, "extend by 24h")
        assert any("The deadline of Heron, phase 1, is now" in text for text in seen(chats, GRETA))
        assert await log_of(desk) == ["game extend"]
        assert all("Done" not in str(mail["Subject"]) for mail in gm_letters(desk)[mails:])


async def test_who_is_not_bound_to_a_game_master_commands_nothing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, 666, "extend by 24h")
        await bind(desk, address_of("Anna"), 100)
        await says(desk, 100, "gm extend by 24h")
        assert await log_of(desk) == []
        assert "Heron, phase 1, is now" not in " ".join(seen(chats, 666) + seen(chats, 100))


async def test_a_dangerous_word_from_a_chat_is_asked_back_by_mail(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, GRETA, "close now")
        assert "A mail of its own, with the subject [Heron] Shall this be done?" in seen(chats, GRETA)[-1]
        question = gm_last(desk, "Shall this")
        await says(desk, GRETA, "yes")
        assert "game close" not in await log_of(desk)
        await command(desk, "yes", answering=question)
        await works(desk)
        assert "game close" in await log_of(desk)


async def test_a_dangerous_word_by_mail_is_asked_back_in_the_chat(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        text = flat(await command(desk, "close now"))
        await works(desk)
        assert "A message in your chat asks you whether it shall be" in text
        asked = chats.chats[GRETA][-1]
        assert "Shall this be done?" in asked.text
        assert "Code" not in asked.text
        assert [[button.text for button in line] for line in asked.buttons] == [["Yes, do it", "No"]]
        await says(desk, GRETA, "yes", answering=asked)
        assert "game close" in await log_of(desk)


async def test_a_game_master_without_another_channel_is_asked_on_the_same(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        async with desk.parts.database.write() as work:
            await work.people.suspend_address("mail", GM, "550 no such user", desk.clock.now())
        await says(desk, GRETA, "close now")
        assert any("Shall this be done?" in text for text in seen(chats, GRETA))
        await says(desk, GRETA, "no")
        assert "game close" not in await log_of(desk)
        assert "said no" in seen(chats, GRETA)[-1]


async def test_a_newer_question_takes_the_place_of_one_that_waits_on_the_other_channel(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, GRETA, "close now")
        old = gm_last(desk, "Shall this")
        await command(desk, "end: nobody plays", answering=gm_letters(desk)[0])
        await works(desk)
        assert "ends for good" in seen(chats, GRETA)[-1]
        assert "That question is over" in flat(await command(desk, "yes", answering=old))
        assert not {"game close", "game end"} & set(await log_of(desk))


async def test_a_game_master_who_plays_says_gm_before_commands(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        async with desk.parts.database.write() as work:
            anna = await work.people.find_by_address("mail", address_of("Anna"))
            assert anna is not None
            await work.masters.add_once(anna.id, desk.clock.now())
        await bind(desk, address_of("Anna"), 100)
        await says(desk, 100, "bid 3")
        await says(desk, 100, "gm games")
        texts = seen(chats, 100)
        assert any("YOUR TABLES" in text.upper() for text in texts)
        assert "handled:orders" in await outcomes(desk)
        await says(desk, 100, "help", answering=chats.chats[100][-1])
        assert "What a game master can write" in seen(chats, 100)[-1]


async def test_the_answer_to_a_question_from_the_chat_comes_by_mail_where_the_chat_is_closed(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await command(desk, "close now", work=False)

        chats.answers[GRETA] = ChatRefused(403, "bot was blocked", about="chat")
        await works(desk)
        question = gm_last(desk, "Shall this")
        assert "Code" in text_of(question)
        await command(desk, "yes", answering=question)
        assert "game close" in await log_of(desk)
