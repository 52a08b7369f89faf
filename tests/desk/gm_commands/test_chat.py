"""A game master's words in a chat: the same as by mail, proven by the bound account, and asked back
on the other channel.
"""

from pathlib import Path

from pbem.desk.envelope.message import TELEGRAM, Commanding
from pbem.desk.gm_commands import carry_out
from pbem.desk.updates.taps import message_of_tap
from pbem.telegram.ports import ChatRefused
from pbem.telegram.updates import Tapped
from tests.desk.gm_chat import bind, edits, give_chats, says, seen, taps, works
from tests.desk.harness import GM, Desk, address_of, open_desk, text_of
from tests.desk.mastery import command, flat, gm_last, gm_letters, log_of, outcomes

GRETA = 900


async def master_in_a_chat(desk: Desk) -> None:
    await desk.open_game(players=2)
    await bind(desk, GM, GRETA)


async def test_what_a_game_master_writes_in_a_chat_is_done_and_answered_there(
    tmp_path: Path,
) -> None:
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
        assert "another mail, with the subject [Heron] Please confirm" in seen(chats, GRETA)[-1]
        question = gm_last(desk, "Please confirm")
        await says(desk, GRETA, "yes")
        assert "game close" not in await log_of(desk)
        await command(desk, "yes", answering=question)
        await works(desk)
        assert "game close" in await log_of(desk)


async def test_a_dangerous_word_by_mail_is_asked_back_in_the_chat(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        assert await command(desk, "close now") == "", (
            "F-33: the question in the chat is the one answer"
        )
        await works(desk)
        asked = chats.chats[GRETA][-1]
        assert "Please confirm" in asked.text
        assert "Code" not in asked.text
        assert [[button.text for button in line] for line in asked.buttons] == [
            ["Yes, do it", "No"]
        ]
        await edits(desk, GRETA, await says(desk, GRETA, "games"), "yes")
        assert "game close" not in await log_of(desk), "it was something else before"
        await says(desk, GRETA, "yes", answering=asked)
        assert "game close" in await log_of(desk)


async def test_a_game_master_without_another_channel_is_asked_on_the_same(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        async with desk.services.database.write() as work:
            await work.people.suspend_address("mail", GM, "550 no such user", desk.clock.now())
        await says(desk, GRETA, "close now")
        assert any("Please confirm" in text for text in seen(chats, GRETA))
        await says(desk, GRETA, "No, not now.\nGreta")
        assert "game close" not in await log_of(desk)
        assert "said no" in seen(chats, GRETA)[-1]


async def test_a_newer_question_takes_the_place_of_one_that_waits_on_the_other_channel(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, GRETA, "close now")
        old = gm_last(desk, "Please confirm")
        await command(desk, "end: nobody plays", answering=gm_letters(desk)[0])
        await works(desk)
        assert "ends for good" in seen(chats, GRETA)[-1]
        assert "That question is closed" in flat(await command(desk, "yes", answering=old))
        assert not {"game close", "game end"} & set(await log_of(desk))


async def test_a_game_master_who_plays_says_gm_before_commands(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await desk.open_game(players=2)
        async with desk.services.database.write() as work:
            anna = await work.people.find_by_address("mail", address_of("Anna"))
            assert anna is not None
            await work.masters.add_once(anna.id, desk.clock.now())
        await bind(desk, address_of("Anna"), 100)
        await says(desk, 100, "bid 3")
        await says(desk, 100, "gm games")
        texts = seen(chats, 100)
        assert any("YOUR GAMES" in text.upper() for text in texts)
        assert "handled:orders" in await outcomes(desk)
        await says(desk, 100, "help", answering=chats.chats[100][-1])
        assert "What a game master can write" in seen(chats, 100)[-1]


async def test_the_answer_to_a_question_from_the_chat_comes_by_mail_where_the_chat_is_closed(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await command(desk, "close now", work=False)

        chats.answers[GRETA] = ChatRefused(403, "bot was blocked", about="chat")
        await works(desk)
        question = gm_last(desk, "Please confirm")
        assert "Code" in text_of(question)
        await command(desk, "yes", answering=question)
        assert "game close" in await log_of(desk)


async def test_the_status_has_a_button_for_the_next_step_of_each_line_and_a_tap_is_as_good_as_the_words(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await desk.write("Anna", "GM: may I have a day more?")
        await works(desk)
        await says(desk, GRETA, "gm status")
        status = chats.chats[GRETA][-1]
        assert "heron: extend by 24h" in status.text
        assert "answer 1: ..." in status.text
        labels = [button.text for line in status.buttons for button in line]
        assert labels == ["Extend by 24 h", "Pause", "Read the notes", "Done with note 1"]
        await taps(desk, GRETA, status, "Extend by 24 h")
        assert (await log_of(desk)).count("game extend") == 1
        count = len(chats.chats[GRETA])
        await taps(desk, GRETA, status, "Extend by 24 h")
        assert (await log_of(desk)).count("game extend") == 1
        assert len(chats.chats[GRETA]) == count
        assert "tapped that already" in chats.taps[-1].text
        answer = next(
            posted
            for posted in reversed(chats.chats[GRETA])
            if "is now" in posted.text and posted.buttons
        )
        assert "letters" not in answer.text, "the deed, and not the whole table"
        await taps(desk, GRETA, answer, "Extend by 24 h")
        assert (await log_of(desk)).count("game extend") == 2


async def test_a_button_of_an_earlier_phase_does_nothing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, GRETA, "status")
        status = chats.chats[GRETA][-1]
        await desk.everybody_passes()
        await works(desk)
        for label in ("Extend by 24 h", "Pause"):
            await taps(desk, GRETA, status, label)
            assert "for an earlier phase" in chats.taps[-1].text
            assert chats.taps[-1].alert
        assert not {"game extend", "game pause"} & set(await log_of(desk))


async def test_a_button_whose_phase_closes_while_it_is_being_carried_out_does_nothing_to_the_next(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await says(desk, GRETA, "status")
        async with desk.services.database.read() as work:
            (row,) = await work.inbox.list_by_state("handled")
            person = await work.people.find_by_address(TELEGRAM, str(GRETA))
        assert person is not None
        await desk.everybody_passes()
        before = await log_of(desk)
        tapped = Tapped(
            update_id=1,
            callback_id="1",
            user_id=GRETA,
            user_name="Greta",
            chat_id=GRETA,
            chat_kind="private",
            message_id=chats.chats[GRETA][-1].message_id,
            data="code",
        )
        for number, words in enumerate(("heron: extend by 24h", "heron: pause")):
            commanding = Commanding(person, None, words, f"tap:{number}", tap="code", phase=1)
            commanded = await carry_out(
                desk.services, row, message_of_tap(tapped, words), commanding
            )
            assert "about phase 1, which is over; phase 2 is open" in " ".join(
                commanded.letters[0].draft.text.split()
            )
        assert await log_of(desk) == before


async def test_a_tap_on_a_dangerous_step_asks_back_on_the_other_channel(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        for name in ("Anna", "Bartek"):
            await desk.write(name, "bid 3")
        await works(desk)
        await says(desk, GRETA, "status")
        await taps(desk, GRETA, chats.chats[GRETA][-1], "Close now …")
        assert "game close" not in await log_of(desk)
        await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
        assert "game close" in await log_of(desk)


async def test_a_question_in_the_chat_is_answered_by_its_buttons(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await command(desk, "end: nobody plays")
        await works(desk)
        await taps(desk, GRETA, chats.chats[GRETA][-1], "Yes, do it")
        assert "game end" in await log_of(desk)


async def test_a_button_of_a_game_master_is_nothing_in_another_hand(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        chats = give_chats(desk)
        await master_in_a_chat(desk)
        await bind(desk, address_of("Anna"), 100)
        await says(desk, GRETA, "status")
        await taps(desk, 100, chats.chats[GRETA][-1], "Extend by 24 h")
        assert await log_of(desk) == []
        async with desk.services.database.write() as work:
            person = await work.people.find_by_address("mail", GM)
            assert person is not None
            await work.masters.remove(person.id)
        await taps(desk, GRETA, chats.chats[GRETA][-1], "Extend by 24 h")
        assert await log_of(desk) == []


async def test_a_game_master_who_plays_is_offered_nothing_that_tells_who_has_answered(
    tmp_path: Path,
) -> None:
    offered = []
    for orders in (False, True):
        (tmp_path / str(orders)).mkdir()
        async with open_desk(tmp_path / str(orders)) as desk:
            chats = give_chats(desk)
            await desk.open_game(players=2)
            async with desk.services.database.write() as work:
                anna = await work.people.find_by_address("mail", address_of("Anna"))
                assert anna is not None
                await work.masters.add_once(anna.id, desk.clock.now())
            await bind(desk, address_of("Anna"), 100)
            await desk.write("Anna", "bid 3")
            if orders:
                await desk.write("Bartek", "bid 3")
            await works(desk)
            await says(desk, 100, "gm status")
            offered.append(
                [button.text for line in chats.chats[100][-1].buttons for button in line]
            )
    assert offered[0] == offered[1] == ["Extend by 24 h", "Pause"]
