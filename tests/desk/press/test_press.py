"""Press through the desk: who gets it, who does not, and what becomes of what cannot be sent."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.press.words import set_press
from pbem.desk.table import decode_settings
from pbem.grammar.press_rules import PressRules, parse_press_rules
from pbem.pages.page import MARKER
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import answer, join, lobby
from tests.desk.mastery import command, flat, gm_letters
from tests.played import PLAYED

BY = gm.By("test")


def subjects(desk: Desk, name: str) -> list[str]:
    return [str(mail["Subject"]) for mail in desk.letters(name)]


def press_to(desk: Desk, name: str) -> list[EmailMessage]:
    return [
        mail
        for mail in desk.letters(name)
        if "] Press" in str(mail["Subject"]) and "how" not in str(mail["Subject"])
    ]


def whole(mail: EmailMessage | None) -> str:
    assert mail is not None
    return f"{mail['Subject']}\n{text_of(mail)}"


async def allow(desk: Desk, words: str) -> None:
    await set_press(desk.services, "heron", parse_press_rules(words), BY)
    await desk.work()


async def test_private_press_reaches_its_readers_and_nobody_else(desk: Desk) -> None:
    await desk.open_game(4)
    masters = len(gm_letters(desk))
    told = await desk.write(
        "Anna", "press to Bartek, Chloé: The quokka sleeps.\n\nmarch 2 to P3\nENDPRESS"
    )
    assert told is not None
    assert "Sent to Bartek, Chloé." in flat(text_of(told))
    assert "The quokka sleeps." in text_of(told)
    for name in ("Bartek", "Chloé"):
        (mail,) = press_to(desk, name)
        assert "Press from Anna" in str(mail["Subject"])
        assert "The quokka sleeps." in text_of(mail)
        assert "march 2 to P3" in text_of(mail)
        assert address_of("Anna") not in mail.as_string()
        assert "Anna" not in str(mail["From"])
    assert not press_to(desk, "Dmytro")
    assert len(gm_letters(desk)) == masters
    assert "quokka" not in "".join(text_of(mail) for mail in desk.letters("Dmytro"))


async def test_orders_before_press_are_taken_and_talk_of_them_is_none(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 7\n\nto Bartek: bid 12 with me")
    orders = text_of(await desk.write("Anna", "orders")).casefold()
    assert "bid 7" in orders
    assert "bid 12" not in orders
    assert "bid 12 with me" in text_of(press_to(desk, "Bartek")[0])


@pytest.mark.parametrize(
    "heading", ["to Bartk: ", "press to Zorro: ", "press to Bartek, Zorro: ", "press: "]
)
async def test_with_a_doubtful_reader_it_goes_to_nobody_and_is_no_order_and_no_note(
    desk: Desk, heading: str
) -> None:
    await desk.open_game()
    before = {name: len(desk.letters(name)) for name in ("Bartek", "Chloé")}
    masters = len(gm_letters(desk))
    told = await desk.write("Anna", f"{heading}quokka\nbid 7")
    assert told is not None
    assert "was not sent" in str(told["Subject"])
    assert {name: len(desk.letters(name)) for name in before} == before
    assert len(gm_letters(desk)) == masters
    orders = await desk.write("Anna", "orders")
    assert "bid 7" not in text_of(orders).casefold()


async def test_answers_go_back_and_reply_all_goes_to_all(desk: Desk) -> None:
    await desk.open_game(4)
    await desk.write("Anna", "press to Bartek, Chloé: Peace?")
    await desk.write("Bartek", "Gladly, why not.", answering=press_to(desk, "Bartek")[0])
    assert "Gladly" in text_of(press_to(desk, "Anna")[0])
    assert len(press_to(desk, "Chloé")) == 1
    await desk.write(
        "Bartek", "reply all\nPeace to all three.", answering=press_to(desk, "Bartek")[0]
    )
    assert "Peace to all three." in text_of(press_to(desk, "Anna")[-1])
    assert "Peace to all three." in text_of(press_to(desk, "Chloé")[-1])
    assert not press_to(desk, "Dmytro")
    await desk.write("Chloé", "yes", answering=press_to(desk, "Chloé")[-1])
    assert "yes" in text_of(press_to(desk, "Bartek")[-1])
    for word in ("status", "press", "Press.", "why P1", "why P1, P2?", "m 1 P1-P2"):
        told = await desk.write("Chloé", word, answering=press_to(desk, "Chloé")[-1])
        assert told is not None
        assert len(press_to(desk, "Bartek")) == 2, word
    await desk.write("Chloé", "reply all who is that?", answering=press_to(desk, "Chloé")[-1])
    assert "reply all who" not in text_of(press_to(desk, "Anna")[-1])
    assert "who is that?" in text_of(press_to(desk, "Anna")[-1])
    assert "who is that?" in text_of(press_to(desk, "Bartek")[-1])


@pytest.mark.parametrize(
    "text",
    [
        *("bid 7", "Sure.\n\nbid 7", "what if I bid 7?", "reply all thanks\nbid 7", "bdi 7"),
        *("Sure.\nm 1 P1-P2\nbid 7", "P1 S P2. bid 7"),
    ],
)
async def test_orders_in_an_answer_to_press_go_nowhere_and_are_asked_about(
    desk: Desk, text: str
) -> None:
    await desk.open_game()
    await desk.write("Anna", "to Bartek: What do you bid?")
    letters = len(desk.letters("Anna"))
    asked = await desk.write("Bartek", text, answering=press_to(desk, "Bartek")[0])
    assert "Orders, or press?" in str(asked["Subject"]) if asked is not None else False
    assert "press to Anna:" in text_of(asked)
    assert len(desk.letters("Anna")) == letters
    assert "bid 7" not in text_of(await desk.write("Bartek", "orders")).casefold()
    await desk.write("Bartek", "bid 7", answering=asked)
    assert "bid 7" in text_of(await desk.write("Bartek", "orders")).casefold()


async def test_words_that_answer_a_confirmation_or_drop_the_thread_go_to_nobody(desk: Desk) -> None:
    await desk.open_game()
    masters = len(gm_letters(desk))
    told = await desk.write("Anna", "to Bartek: hello")
    assert told is not None
    asked = await desk.write("Anna", "And beware of Chloé.", answering=told)
    assert "Who should read that?" in str(asked["Subject"] if asked is not None else "")
    mail = press_to(desk, "Bartek")[0]
    for header in ("In-Reply-To", "References", "Message-ID"):
        del mail[header]
    mail["Message-ID"] = "<lost@players.example>"
    asked = await desk.write("Bartek", "I never liked Chloé.", answering=mail)
    assert "Who should read that?" in str(asked["Subject"] if asked is not None else "")
    assert len(gm_letters(desk)) == masters


async def test_grey_press_never_names_its_writer_and_an_answer_finds_them(desk: Desk) -> None:
    await desk.open_game(4)
    told = await desk.write("Anna", "press grey to all: Beware!")
    assert told is not None
    assert "not sent" in str(told["Subject"])
    await allow(desk, "grey")
    await desk.write("Anna", "press grey to all: Beware of the tiger!")
    for name in ("Bartek", "Chloé", "Dmytro"):
        mail = desk.last(name, "unnamed player")
        assert "Anna" not in mail.as_string()
        assert "tiger" in text_of(mail)
    assert "Anna" not in whole(gm_letters(desk)[-1])
    await desk.write("Bartek", "Who is that?", answering=desk.last("Bartek", "unnamed player"))
    assert "Anna" not in text_of(desk.letters("Bartek")[-1])
    answer = desk.last("Anna", "Press from Bartek")
    assert "Who is that?" in text_of(answer)
    assert "in answer to grey press" in flat(text_of(answer))
    assert not [mail for mail in press_to(desk, "Chloé") if "Bartek" in str(mail["Subject"])]
    await desk.write("Anna", "A friend.", answering=answer)
    mail = desk.last("Bartek", "unnamed player")
    assert "A friend." in text_of(mail)
    assert "Anna" not in mail.as_string()
    listed = await desk.write("Bartek", "press list")
    assert listed is not None
    assert "A friend." in text_of(listed)
    assert "Anna" not in text_of(listed).replace("for Anna", "")


@pytest.mark.parametrize(
    ("rules", "text", "words"),
    [
        ("none", "to Bartek: hi", "this game has no press"),
        ("public only", "to Bartek: hi", "public"),
        ("private only", "broadcast: hi", "no public press"),
        ("team only", "to Bartek: hi", "own team"),
        ("none during bidding", "to Bartek: hi", "this phase has no press"),
        ("observers off", "press to observers: hi", "observers get no press"),
    ],
)
async def test_the_table_says_what_press_there_is(
    desk: Desk, rules: str, text: str, words: str
) -> None:
    await desk.open_game()
    await allow(desk, rules)
    assert "Press in this game" in subjects(desk, "Bartek")[-1]
    assert "Press in this game" in str(gm_letters(desk)[-1]["Subject"])
    told = await desk.write("Anna", text)
    assert told is not None
    assert words in flat(text_of(told))
    assert not press_to(desk, "Bartek")[1:]
    await desk.write("Anna", "press to GM: a word")
    assert "a word" in text_of(gm_letters(desk)[-1])


async def test_a_note_and_press_to_the_game_master_in_one_message_both_arrive(desk: Desk) -> None:
    await desk.open_game()
    await desk.write(
        "Anna", "GM: the stork\n\npress to GM: the gull\n\nand the heron\nENDPRESS\nbid 7"
    )
    told = text_of(gm_letters(desk)[-1])
    assert "the stork" in told
    assert "the gull" in told
    assert "and the heron" in told
    assert "bid 7" in text_of(await desk.write("Anna", "orders")).casefold()


async def test_the_game_master_sets_it_by_mail_and_from_the_start(desk: Desk) -> None:
    await desk.open_game()
    told = await command(
        desk,
        "set press of heron: public only, grey, none during dragon",
        answering=gm_letters(desk)[0],
    )
    assert "public only" in flat(told)
    assert "public only" in flat(text_of(desk.letters("Chloé")[-1]))
    told = await command(desk, "set press purple")
    assert "purple" in told
    told = await command(
        desk,
        f"new game Egret: {PLAYED}, 2 to 3 players, press private only, press gm reads",
        answering=gm_letters(desk)[0],
    )
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("egret")
    assert game is not None, told
    assert decode_settings(game).press == PressRules("private", gm_reads=True)


async def test_a_kind_of_phase_that_there_is_not_is_refused(desk: Desk) -> None:
    await desk.open_game()
    with pytest.raises(gm.Refused):
        await allow(desk, "none during sleep")
    with pytest.raises(gm.Refused):
        await allow(desk, "all")
    with pytest.raises(gm.Refused):
        await set_press(desk.services, "egret", parse_press_rules("none"), BY)


async def test_too_long_and_too_many_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.open_game()
    told = await desk.write("Anna", "to Bartek: " + "hello you " * 1001)
    assert "longer than 10000" in flat(text_of(told))
    monkeypatch.setattr("pbem.desk.press.pieces.PRESS_A_DAY", 2)
    told = await desk.write("Anna", "to Bartek: ahoy\nto Chloé: hullo\nto Bartek: heave ho")
    assert "Not all" in str(told["Subject"] if told is not None else "")
    assert "the most we allow" in flat(text_of(told))
    assert len(press_to(desk, "Bartek")) == 1
    desk.clock.forward(days=1, seconds=1)
    await desk.write("Anna", "to Bartek: land ho")
    assert len(press_to(desk, "Bartek")) == 2


async def test_evidence_of_own_orders_is_stopped_and_nobody_is_told(desk: Desk) -> None:
    await desk.open_game()
    receipt = await desk.write("Anna", "bid 7")
    masters, letters = len(gm_letters(desk)), len(desk.letters("Bartek"))
    body = text_of(receipt).partition("\n-- \n")[0].splitlines()
    quoted = " ".join(" ".join(body[2:]).split())[:160]
    told = await desk.write("Anna", f"to Bartek: See: {quoted}", answering=desk.turn_mail("Anna"))
    assert "PR-1.11" in text_of(told)
    code = (
        str(receipt["Reply-To"] if receipt is not None else "").partition("+")[2].partition("@")[0]
    )
    told = await desk.write("Anna", f"to Bartek: my code is {code}")
    assert "PR-1.11" in text_of(told)
    assert (len(gm_letters(desk)), len(desk.letters("Bartek"))) == (masters, letters)
    await desk.write("Anna", "to Bartek: I bid seven, believe me, and you?")
    assert len(desk.letters("Bartek")) == letters + 1
    await desk.write("Bartek", f"to Chloé: Anna says {code.upper()}.")
    assert code not in text_of(desk.letters("Chloé")[-1]).casefold()


@pytest.mark.parametrize("word", ["orders", "preview", "what if I bid 7?"])
async def test_an_answer_that_shows_own_orders_is_evidence_too(desk: Desk, word: str) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 13")
    shown = text_of(await desk.write("Anna", word)).partition(MARKER)[2].partition("\n-- \n")[0]
    read = len(desk.letters("Bartek"))
    told = await desk.write("Anna", f"press to Bartek:\n{shown}")
    assert "PR-1.11" in text_of(told)
    assert len(desk.letters("Bartek")) == read


@pytest.mark.parametrize(
    ("text", "is_sent"),
    [
        ("Look:\n* Bid 13.", False),
        ("These stand: Bid 13", False),
        ('"Bid 13" - that is my receipt', False),
        ("\u2713 Bid 13 1 is asked of you.", False),
        ("I bid 13, you?", True),
        ("Bid 13 with me!", True),
        ("How about this: Bid 13 with me!", True),
        ('Did you say "bid 13"?', True),
    ],
)
async def test_an_order_spelled_as_we_do_on_its_own_line_is_evidence(
    desk: Desk, text: str, is_sent: bool
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 13")
    await desk.write("Anna", f"press to Bartek:\n{text}")
    assert bool(press_to(desk, "Bartek")) is is_sent


async def test_what_everybody_was_told_is_no_evidence(desk: Desk) -> None:
    """The deadline stands in secret letters and public ones, in the words of the hour; rules are
    for everybody.
    """
    await desk.open_game()
    receipt = text_of(await desk.write("Anna", "bid 13"))
    due = next(line for line in receipt.splitlines() if "UTC" in line)
    for public in (
        due,
        text_of(await desk.write("Anna", "rule PR-1.11")),
        text_of(await desk.write("Anna", "rule PR-6.1")),
    ):
        await desk.write(
            "Anna",
            f"press to Bartek:\n{public.partition(MARKER)[2].partition(chr(10) + '-- ')[0] or public}\nENDPRESS",
        )
    assert len(press_to(desk, "Bartek")) == 3


async def test_a_code_of_somebody_else_is_taken_out(desk: Desk) -> None:
    await desk.open_game()
    code = str(desk.turn_mail("Chloé")["Reply-To"]).partition("+")[2].partition("@")[0]
    await desk.write("Anna", f"to Bartek: look: {code}!")
    assert code not in whole(press_to(desk, "Bartek")[0])
    assert "look: [...]!" in text_of(press_to(desk, "Bartek")[0])


async def test_attachments_and_html_are_not_sent_on(desk: Desk) -> None:
    await desk.open_game()
    base = desk.turn_mail("Anna")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = (
        f"Anna <{address_of('Anna')}>",
        str(base["Reply-To"]),
        "Re: x",
    )
    mail["Message-ID"] = "<html@players.example>"
    mail.set_content(
        "<p>to Bartek: <b>hello</b> <img src='https://spy.example/x.png'></p>", subtype="html"
    )
    mail.add_attachment(
        b"MZ secret", maintype="application", subtype="octet-stream", filename="plan.exe"
    )
    await desk.bring(mail.as_bytes())
    await desk.work()
    got = press_to(desk, "Bartek")[0]
    assert "hello" in text_of(got)
    assert "spy.example" not in got.as_string()
    assert "plan.exe" not in got.as_string()
    assert "attachment" in flat(text_of(desk.letters("Anna")[-1]))


async def test_muted_press_is_kept_and_nobody_learns_of_it(desk: Desk) -> None:
    await desk.open_game()
    await allow(desk, "grey")
    told = await desk.write("Bartek", "mute Anna")
    assert "Anna" in text_of(told)
    sent = await desk.write("Anna", "press to Bartek, Chloé: hello")
    assert "Sent to Bartek, Chloé" in flat(text_of(sent))
    assert not [mail for mail in press_to(desk, "Bartek") if "from Anna" in str(mail["Subject"])]
    assert "hello" in text_of(await desk.write("Bartek", "press list"))
    await desk.write("Anna", "press grey to Bartek: boo")
    assert "boo" in text_of(desk.last("Bartek", "unnamed player")), (
        "who is muted by name is not told apart by grey press"
    )
    await desk.write("Bartek", "mute grey")
    await desk.write("Anna", "press grey to Bartek: moo")
    assert "moo" not in text_of(desk.last("Bartek", "unnamed player"))
    await desk.write("Bartek", "unmute press")
    await desk.write("Anna", "to Bartek: back again")
    assert "back again" in text_of(desk.letters("Bartek")[-1])
    told = await desk.write("Bartek", "mute Zorro")
    assert "Nobody was muted" in str(told["Subject"] if told is not None else "")


async def test_a_bare_press_sends_nothing_and_says_how(desk: Desk) -> None:
    await desk.open_game()
    told = await desk.write("Anna", "press")
    assert "press to Bartek: ..." in text_of(told)
    assert "sends nothing" in text_of(told)
    assert not press_to(desk, "Bartek")


async def test_before_the_start_people_may_talk(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        await join(desk, "Bartek")
        await answer(desk, "Anna", "to Bartek: Shall we be a team?")
        (mail,) = press_to(desk, "Bartek")
        assert "a team" in text_of(mail)
        await desk.write("Bartek", "With pleasure.", answering=mail)
        assert "With pleasure." in text_of(press_to(desk, "Anna")[-1])
        asked = await desk.write("Bartek", "colour green", answering=mail)
        assert "Orders, or press?" in str(asked["Subject"] if asked is not None else "")
        assert "With pleasure." in text_of(await desk.write("Bartek", "press list", answering=mail))


async def test_after_the_end_people_may_talk(desk: Desk) -> None:
    await desk.open_game()
    await gm.end(desk.services, "heron", BY)
    await desk.work()
    await desk.write("Anna", "broadcast: well played", answering=desk.letters("Anna")[-1])
    assert "well played" in text_of(press_to(desk, "Bartek")[-1])
    await allow(desk, "after the end off")
    told = await desk.write("Anna", "to Bartek: psst", answering=desk.letters("Anna")[-1])
    assert "after the end of the game" in flat(text_of(told))
