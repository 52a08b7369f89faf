"""Press and orders in one message: no order reaches anybody else without its writer's word, by
mail, in a chat, in answers, of masters.
"""

from collections.abc import Iterator
from email.message import EmailMessage
from itertools import product

import pytest

from pbem.desk import gm
from pbem.grammar.kit.normalise import normalise
from tests.desk.chatting import ChatDesk
from tests.desk.gm_commands.test_playing_masters import let_run
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.mastery import command, flat, gm_letters
from tests.desk.press.test_press import allow, press_to
from tests.played import GAMES, spoken

ANNA, BARTEK = 11, 12
TALK = ("I will not attack you this turn.", "Good game,\nall of you!")
SEPARATORS = ("\n\nMy orders:\n", "\n\n", "\n", "\n\n-- \nAnna\n\n", "\n> ", " ")
OPENINGS = ("To Bartek: ", "press grey to all\n")


def copied(mail: EmailMessage | None, what: str) -> str:
    """What a letter says may be copied."""
    below = (
        text_of(mail)
        .replace("\r\n", "\n")
        .partition(what)[2]
        .partition("copy this:\n")[2]
        .lstrip("\n")
    )
    return "\n".join(line.strip() for line in below.partition("\n\n")[0].splitlines())


def mixtures(orders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for number, (separator, order) in enumerate(product(SEPARATORS, orders)):
        yield f"{OPENINGS[number % 2]}{TALK[number // 2 % 2]}{separator}{order}", order


def got_by_others(desk: Desk) -> str:
    letters = [mail for name in ("Bartek", "Chloé") for mail in press_to(desk, name)]
    notes = [mail for mail in gm_letters(desk) if "rom Anna" in str(mail["Subject"])]
    return normalise(
        "\n".join(text_of(mail).partition("\n-- \n")[0] for mail in (*letters, *notes))
    ).text


def all_said(there: ChatDesk, chat: int) -> str:
    return "\n".join(posted.text for posted in there.box.chats[chat]).casefold()


@pytest.mark.parametrize("ruleset", GAMES)
async def test_f2_orders_in_press_reach_nobody_else(desk: Desk, ruleset: str) -> None:
    await desk.open_game(ruleset=ruleset)
    await allow(desk, "grey")
    for text, order in mixtures(spoken(ruleset).asides):
        await desk.write("Anna", text)
        assert order.casefold() not in got_by_others(desk), text


async def test_f2_an_order_with_a_condition_is_held_and_talk_with_one_goes(desk: Desk) -> None:
    await desk.open_game()
    for order in ("bid 13 unless Chloé comes", "if Bartek comes, bid 13"):
        await desk.write("Anna", f"To Bartek: {order}")
        assert not press_to(desk, "Bartek"), order
    for talk in (
        "I bid 13 if you bid 12",
        "if you stay, I stay",
        "unless Chloé comes, all is well",
    ):
        await desk.write("Anna", f"To Bartek: {talk}")
        assert talk in text_of(press_to(desk, "Bartek")[-1])


async def test_f2_press_before_a_heading_of_orders_goes_and_the_orders_are_taken(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "To Bartek: I will not attack you this turn.\n\nMy orders:\nbid 13")
    assert "I will not attack you this turn." in text_of(press_to(desk, "Bartek")[0])
    assert "My orders" not in text_of(press_to(desk, "Bartek")[0])
    assert "bid 13" in text_of(desk.last("Anna")).casefold()
    told = text_of(desk.last("Anna")).partition("YOUR PRESS IS SENT")[2]
    assert "I will not attack you this turn." in told, "F-69: a receipt shows what was sent"


async def test_f2_the_writer_is_asked_and_either_answer_can_be_copied(desk: Desk) -> None:
    await desk.open_game()
    asked = await desk.write("Anna", "To Bartek: I will not attack you this turn.\nbid 13")
    assert "Orders, or press?" in str(asked["Subject"] if asked is not None else "")
    assert not press_to(desk, "Bartek")
    assert "You have no orders in." in text_of(await desk.write("Anna", "orders"))
    await desk.write("Anna", copied(asked, "as orders"), answering=asked)
    (letter,) = press_to(desk, "Bartek")
    assert "attack you this turn." in text_of(letter)
    assert "bid 13" not in text_of(letter)
    assert "Bid 13" in text_of(await desk.write("Anna", "orders"))
    asked = await desk.write("Anna", "To Bartek: shall we?\nbid 14")
    await desk.write("Anna", copied(asked, "anyway"), answering=asked)
    assert "bid 14" in text_of(press_to(desk, "Bartek")[-1])


@pytest.mark.parametrize("opening", ["reply:\n", "reply all\n", "reply: ", ""])
async def test_f2_orders_in_an_answer_that_calls_itself_one_go_nowhere(
    desk: Desk, opening: str
) -> None:
    await desk.open_game()
    await desk.write("Bartek", "press to Anna, Chloé: What do you say?")
    letter = press_to(desk, "Anna")[-1]
    asked = await desk.write("Anna", f"{opening}Thanks.\n\nbid 13", answering=letter)
    assert "Orders, or press?" in str(asked["Subject"] if asked is not None else "")
    assert "bid 13" not in got_by_others(desk)
    await desk.write("Anna", "reply all:\nThanks, bid 13 is\nENDPRESS\nbid 12", answering=letter)
    for name in ("Bartek", "Chloé"):
        assert "bid 13 is" in text_of(press_to(desk, name)[-1])
    assert "bid 12" not in got_by_others(desk)
    assert "Bid 12" in text_of(await desk.write("Anna", "orders"))


async def test_f2_orders_in_press_of_a_chat_reach_nobody_else(there: ChatDesk) -> None:
    await there.link("Anna", ANNA)
    await there.link("Bartek", BARTEK)
    await there.says(ANNA, "/press Bartek: hello you\nbid 13")
    assert "Orders, or press?" in there.last(ANNA).text
    assert "ENDPRESS" in there.last(ANNA).text
    await there.says(ANNA, "/press Bartek: hello again\n\nMy orders:\nbid 12")
    assert "hello again" in there.last(BARTEK).text
    assert "bid 1" not in all_said(there, BARTEK)
    await there.says(BARTEK, "Fine.\nbid 9", reply_to=there.last(BARTEK).message_id)
    assert "Orders, or press?" in there.last(BARTEK).text
    assert "bid 9" not in all_said(there, ANNA)


async def test_f2_a_game_master_who_plays_announces_no_orders(desk: Desk) -> None:
    await desk.open_game()
    await let_run(desk, "Bartek")
    bartek = address_of("Bartek")

    async def said(text: str) -> str:
        return flat(
            await command(desk, text, sender=f"Bartek <{bartek}>", address=bartek, token=False)
        )

    for opening in ("announce heron: ", "heron: press to Anna: ", "heron: press to all: "):
        told = await said(f"{opening}Tea is at five.\n\nbid 13")
        assert (
            "bid 13"
            not in "".join(
                text_of(mail) for mail in desk.letters("Anna") + desk.letters("Chloé")
            ).casefold()
        ), told
    await said("announce heron: Tea is at five.")
    assert "Tea is at five." in text_of(desk.letters("Anna")[-1])
    await command(desk, "announce heron: bid 13 is what some do")
    assert "bid 13" in text_of(desk.letters("Anna")[-1]), (
        "one who does not play has no orders to give away"
    )


async def test_f61_grey_press_told_in_a_digest_is_answered_by_its_number(desk: Desk) -> None:
    await desk.open_game()
    await allow(desk, "grey")
    await desk.write("Bartek", "digest daily")
    await desk.write("Chloé", "to Bartek: the first")
    await desk.write("Anna", "press grey to Bartek: the second")
    desk.clock.forward(days=1)
    await desk.work()
    digest = desk.last("Bartek", "2")
    assert "2. An unnamed player" in flat(text_of(digest))
    assert "reply 2: ..." in flat(text_of(digest))
    chloe = len(desk.letters("Chloé"))
    asked = await desk.write("Bartek", "Who are you?", answering=digest)
    assert "reply 1:" in text_of(asked)
    await desk.write("Bartek", "reply 3: nobody", answering=digest)
    asked = await desk.write("Bartek", "reply 2: Who are you?\nbid 13", answering=digest)
    assert "reply 2:" in copied(asked, "anyway")
    await desk.write("Bartek", "reply 2: Who are you?", answering=digest)
    assert "Who are you?" in text_of(press_to(desk, "Anna")[-1])
    assert "Anna" not in text_of(desk.letters("Bartek")[-1])
    assert len(desk.letters("Chloé")) == chloe
    await desk.write("Bartek", "reply 1:\nGood day!", answering=digest)
    assert "Good day!" in text_of(press_to(desk, "Chloé")[-1])


async def test_f69_grey_press_with_a_name_below_it_is_not_sent(desk: Desk) -> None:
    await desk.open_game()
    await allow(desk, "grey")
    asked = await desk.write("Anna", "press grey to all: Beware of Chloé.\nbest,\nAnna")
    assert "With your name below it?" in str(asked["Subject"] if asked is not None else "")
    assert not [mail for mail in press_to(desk, "Bartek") if "no name" in str(mail["Subject"])]
    await desk.write("Anna", copied(asked, "without your name"), answering=asked)
    letter = desk.last("Bartek", "unnamed player")
    assert "Beware of Chloé." in text_of(letter)
    assert "Anna" not in letter.as_string()
    await desk.write("Bartek", "Who is that?", answering=letter)
    before = len(desk.letters("Bartek"))
    await desk.write("Anna", "A friend.\n\nBest,\nAnna", answering=press_to(desk, "Anna")[-1])
    assert len(desk.letters("Bartek")) == before


async def test_f69_press_to_observers_where_there_are_none_is_told_so(desk: Desk) -> None:
    await desk.open_game()
    assert "nobody watches" in flat(
        text_of(await desk.write("Anna", "press to observers: hello out there"))
    )
    told = flat(text_of(await desk.write("Anna", "press to Bartek, observers: hello both")))
    assert "Sent to Bartek." in told
    assert "Nobody watches this game" in told
    assert "hello both" in told


async def test_f69_orders_after_the_end_speak_of_nothing_to_come(desk: Desk) -> None:
    await desk.open_game()
    await gm.end(desk.services, "heron", gm.By("test"))
    await desk.work()
    told = text_of(await desk.write("Anna", "orders", answering=desk.letters("Anna")[-1]))
    assert "has ended" in told
    assert "done for you" not in told


async def test_f54_a_note_of_many_lines_is_read_in_bounds(desk: Desk) -> None:
    await desk.open_game()
    before = len(gm_letters(desk))
    await desk.write("Anna", "GM: hello\n" + "\n".join(f"hello {number}" for number in range(150)))
    assert len(gm_letters(desk)) == before + 1
    asked = await desk.write(
        "Anna",
        "GM: hello\n" + "\n".join(f"hello {number}" for number in range(150)) + "\nbid 13",
    )
    assert "reads as orders" in text_of(asked), "also behind the lines that are read one by one"
    assert len(gm_letters(desk)) == before + 1
