"""One message gets one answer: whatever it brought stands in one letter, or one message of a
chat.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.desk.envelope.answers import Answer, join_answers
from pbem.desk.envelope.letter import Draft, NewLetter
from pbem.pages.page import FOOT_MARK, MARKER, Page
from tests.desk.chatting import ChatDesk, labels, open_chat_desk
from tests.desk.harness import Desk, text_of
from tests.desk.lobbies import join, open_lobby

USER = 11


async def told_by(desk: Desk, name: str, text: str) -> list[str]:
    """The texts of the letters that a mail brings its writer."""
    count = len(desk.letters(name))
    await desk.write(name, text)
    return [text_of(mail).replace("\r\n", "\n") for mail in desk.letters(name)[count:]]


async def said_by(there: ChatDesk, text: str) -> list[str]:
    """The messages that one brings into the chat of its writer."""
    count = len(there.box.to(USER))
    await there.says(USER, text)
    return [posted.text for posted in there.box.to(USER)[count:]]


def is_one_letter(text: str) -> bool:
    """Whether it has one marker and one foot."""
    return text.startswith(MARKER) and text.count(MARKER) == 1 and text.count(FOOT_MARK) == 1


def in_order(text: str, *words: str) -> bool:
    """Whether these stand in it one behind another."""
    at = [text.find(word) for word in words]
    return -1 not in at and at == sorted(at)


async def test_orders_and_a_question_are_answered_in_one_letter(desk: Desk) -> None:
    await desk.open_game(2)
    (told,) = await told_by(desk, "Anna", "status\nbid 5")
    assert is_one_letter(told)
    assert in_order(told, "1 ORDER IN, ALL FINE", "STATUS")
    mail = desk.last("Anna")
    assert "1 order in, all fine" in str(mail["Subject"])
    html = mail.get_body(("html",))
    assert html is not None
    content = html.get_content()
    assert content.count("<html") == content.count("</html>") == content.count("<body") == 1
    assert content.count(MARKER) == 1
    assert in_order(content, "1 order in, all fine", "status")


async def test_orders_press_and_a_line_nobody_understood_are_answered_in_one_letter(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    (told,) = await told_by(desk, "Anna", "bid 5\nflurb <b>\n\nto Bartek: shall there be peace?\n")
    assert is_one_letter(told)
    assert in_order(told, "1 ORDER IN, ALL FINE", "We left this out", "YOUR PRESS IS SENT")


async def test_press_and_a_note_are_answered_in_one_letter(desk: Desk) -> None:
    await desk.open_game(2)
    (told,) = await told_by(
        desk, "Anna", "to Bartek: shall there be peace?\n\nGM: is that allowed?"
    )
    assert is_one_letter(told)
    assert told.count("YOUR PRESS IS SENT") == 1
    assert "shall there be peace?" in told
    assert "is that allowed?" in told


async def test_words_and_a_line_nobody_understood_are_answered_in_one_letter(desk: Desk) -> None:
    await desk.open_game(2)
    (told,) = await told_by(desk, "Anna", "status\nhistory\nflurb <b>")
    assert is_one_letter(told)
    assert "flurb <b>" in told
    assert in_order(told, "STATUS", "WHAT HAS HAPPENED", "WE DID NOT UNDERSTAND A PART")


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
async def test_f50_a_signature_of_two_lines_is_not_mentioned(desk: Desk, gap: str) -> None:
    await desk.open_game(2, names=("Fenna", "Ben"))
    (told,) = await told_by(
        desk, "Fenna", f"help{gap}Fenna de Vries\nAccounts, Noordzee Shipping B.V.\n"
    )
    assert is_one_letter(told)
    assert "NOT UNDERSTOOD" not in told
    assert "Noordzee" not in told


async def test_a_picture_stands_in_the_letter_with_the_receipt(desk: Desk) -> None:
    await desk.open_game(2)
    count = len(desk.letters("Anna"))
    await desk.write("Anna", "map\nbid 5")
    (mail,) = desk.letters("Anna")[count:]
    html = mail.get_body(("related", "html"))
    assert html is not None
    names = [part.get_filename() for part in mail.walk()]
    assert names.count("board.png") == 1
    assert in_order(text_of(mail), "1 ORDER IN, ALL FINE", "THE REALM")


async def test_a_second_picture_stays_apart(desk: Desk) -> None:
    await desk.open_game(2)
    count = len(desk.letters("Anna"))
    await desk.write("Anna", "resend\nmap\nbid 5")
    mails = desk.letters("Anna")[count:]
    pictures = [sum(part.get_filename() == "board.png" for part in mail.walk()) for mail in mails]
    assert set(pictures) == {1}
    assert sum("1 ORDER IN, ALL FINE" in text_of(mail) for mail in mails) == 1


async def test_the_same_words_are_answered_once(desk: Desk) -> None:
    await desk.open_game(2)
    (told,) = await told_by(desk, "Anna", "hall of fame\nhall of fame\nmap\nmap")
    assert told.count("HALL OF FAME") == 1
    assert told.count("THE REALM IN TURN 1") == 1


def framed(name: str) -> Page:
    html = f"<body>{name}</body>"
    text = f"{MARKER}\n\n{name}\n{FOOT_MARK}foot of {name}\n"
    return Page(name, text, html, f"<b>Heron · {name}</b>", (6, 6 + len(name)))


def answer(name: str, kind: str = "answer", **fields: Any) -> Answer:
    page = framed(name)
    draft = Draft("", page.subject, page.text, page.html, "", "", "auto-replied")
    letter = NewLetter(kind, "anna@players.example", draft, f"<{name}>", f"{kind}:{name}")
    return Answer(page, msgspec.structs.replace(letter, **fields), "Heron")


def test_answers_are_joined_with_what_matters_most_first() -> None:
    (joined,) = join_answers([answer("A"), answer("B", "receipt"), answer("C", "own-orders")])
    assert joined.letter.dedupe_key == "receipt:B"
    assert joined.letter.draft.text == f"{MARKER}\n\nB\n\nC\n\nA\n{FOOT_MARK}foot of B\n"
    assert joined.letter.chat == "<b>Heron · B</b>\n\n<b>C</b>\n\n<b>A</b>"
    assert joined.letter.draft.secret == "B\n\nC"
    html = joined.letter.draft.html
    assert html is not None
    assert in_order(html, "<body>B", "C", "A</body>")


@pytest.mark.parametrize(
    "apart",
    [{"chat_edits": 5}, {"address": "b@players.example"}, {"seat_id": 7, "person_id": 7}],
)
def test_what_cannot_share_a_letter_stays_apart(apart: dict[str, object]) -> None:
    joined = join_answers([answer("A", "receipt", **apart), answer("B"), answer("C")])
    assert [one.letter.dedupe_key for one in joined] == ["receipt:A", "answer:B"]


def test_of_two_pictures_each_has_its_letter() -> None:
    said = [answer("A", picture_id=1), answer("B", picture_id=2), answer("C")]
    joined = join_answers(said)
    assert [one.letter.picture_id for one in joined] == [1, 2]
    assert [one.letter.draft.text.count("C") for one in joined] == [1, 0]


def test_one_answer_is_left_as_it_is() -> None:
    alone = answer("A")
    assert join_answers([alone]) == [alone]
    assert alone.letter.draft.secret is None


async def test_in_a_chat_one_message_answers_all(there: ChatDesk) -> None:
    await there.link("Anna", USER)
    (told,) = await said_by(there, "bid 5\nstatus\nflurb <b>\n\nto Bartek: peace?")
    assert in_order(told, "1 order in", "flurb", "Your press is sent", "status")
    assert told.count("Heron") == 1
    assert "Change" in labels(there.last(USER))


async def test_in_a_chat_a_picture_stands_above_the_receipt(there: ChatDesk) -> None:
    await there.link("Anna", USER)
    (told,) = await said_by(there, "bid 5\nmap")
    assert in_order(told, "1 order in", "the realm")
    assert there.last(USER).picture is not None


async def test_a_changed_message_edits_its_receipt_and_brings_one_message_more(
    there: ChatDesk,
) -> None:
    await there.link("Anna", USER)
    first = await there.says(USER, "bid 5")
    receipt = there.last(USER)
    count = len(there.box.to(USER))
    await there.edits(USER, first, "bid 6\nstatus\nhistory", first_sent_before=10)
    changed = next(one for one in there.box.to(USER) if one.message_id == receipt.message_id)
    assert "Bid 6" in changed.text
    (other,) = there.box.to(USER)[count:]
    assert in_order(other.text, "What has happened", "status")


async def test_a_receipt_that_answers_more_is_not_replaced_but_points_below(
    there: ChatDesk,
) -> None:
    await there.link("Anna", USER)
    first = await there.says(USER, "bid 5\nstatus")
    joined = there.last(USER)
    await there.edits(USER, first, "bid 6", first_sent_before=10)
    before, after = there.box.to(USER)[-2:]
    assert before.message_id == joined.message_id
    assert "status" in before.text
    assert "Bid 5" in before.text
    assert before.text != joined.text
    assert labels(before) == []
    assert "Bid 6" in after.text
    assert "Change" in labels(after)


async def test_both_channels_get_one_answer_each_to_their_own_message(there: ChatDesk) -> None:
    await there.link("Anna", USER)
    mails, posts = len(there.desk.letters("Anna")), len(there.box.to(USER))
    await there.desk.write("Anna", "bid 5\nstatus")
    assert len(there.desk.letters("Anna")) == mails + 1
    assert len(there.box.to(USER)) == posts
    assert len(await said_by(there, "bid 6\nstatus")) == 1
    assert len(there.desk.letters("Anna")) == mails + 1


@pytest.mark.parametrize("text", ["status\nbid 5", "to Bartek: peace?\n\nstatus", "status\nGM: hi"])
async def test_a_message_handled_twice_is_answered_once(desk: Desk, text: str) -> None:
    await desk.open_game(2)
    assert len(await told_by(desk, "Anna", text)) == 1
    count = len(desk.letters("Anna"))
    async with desk.services.database.write() as work:
        assert await work.inbox.requeue(1)
    await desk.work()
    assert len(desk.letters("Anna")) == count


async def test_press_may_say_what_stood_beside_a_receipt(desk: Desk) -> None:
    await desk.open_game(3)
    words = "I shall stand by you whatever the two others may say of it"
    await told_by(desk, "Anna", f"bid 5\n\nto Bartek: {words}")
    (told,) = await told_by(desk, "Anna", f"to Chloé: {words}")
    assert "Sent to Chloé" in told


SIX = "status\nhistory\nplayers\nprofile\ndeadlines\nhall of fame"


async def test_deeds_are_done_however_many_words_stand_before_them(desk: Desk) -> None:
    await desk.open_game(2)
    told = await told_by(desk, "Anna", f"{SIX}\nbid 5\naway until Monday\nmute Bartek")
    assert len(told) == 1
    assert in_order(told[0], "1 ORDER IN, ALL FINE", "YOU ARE AWAY", "MUTED PRESS")
    assert in_order(told[0], "at most 5 things. We left this out:", "    hall of fame")
    (leaving,) = await told_by(desk, "Anna", f"{SIX}\nresign")
    assert in_order(leaving, "LEAVING A RUNNING GAME", "    resign")


async def test_a_question_that_waits_for_a_yes_is_asked_where_it_is_all_there_is_to_say(
    desk: Desk,
) -> None:
    await desk.open_game(2)
    await desk.everybody_passes()
    (told,) = await told_by(desk, "Anna", "work P1. Sorry, I resign")
    assert in_order(told, "1 ORDER IN", "LEAVING A RUNNING GAME", "    resign\n")
    (told,) = await told_by(desk, "Anna", "work P1\nforget me")
    assert in_order(told, "1 ORDER IN", "YOU WANT US TO FORGET YOU", "    forget me\n")
    (told,) = await told_by(desk, "Anna", "forget me\nresign")
    assert in_order(told, "LEAVING A RUNNING GAME", "YOU WANT US TO FORGET YOU")
    assert desk.last("Anna")["Reply-To"] == desk.turn_mail("Anna")["Reply-To"]
    (told,) = await told_by(desk, "Anna", "resign\nI resign")
    assert in_order(told, "DO YOU WANT TO GIVE UP YOUR SEAT?", "    yes\n")
    (told,) = await told_by(desk, "Anna", "forget me")
    assert in_order(told, "DO YOU WANT US TO FORGET YOU?", "    yes\n")


async def test_what_the_house_says_to_a_player_stands_below_what_the_table_says(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.everybody_passes()
    (told,) = await told_by(desk, "Anna", "stop observing\nwork P1")
    assert in_order(told, "1 ORDER IN", "YOU NO LONGER WATCH")
    (told,) = await told_by(desk, "Anna", "observe heron\nstatus")
    assert in_order(told, "STATUS", "YOU CANNOT WATCH THERE")


async def test_words_that_were_cut_are_told_at_a_table_that_has_not_begun(desk: Desk) -> None:
    await open_lobby(desk)
    await join(desk, "Anna")
    words = "profile\nhall of fame\npress\npress list\njoin\ndeadlines\nmute grey"
    letter = await desk.write("Anna", words, answering=desk.letters("Anna")[-1])
    assert in_order(text_of(letter), "MUTED PRESS", "We left this out:", "    deadlines")


async def test_what_two_answers_both_show_stands_there_once(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.everybody_passes()
    (told,) = await told_by(desk, "Anna", "work P1\nmap\nstatus")
    assert in_order(told, "1 ORDER IN", "YOUR ORDERS", "THE REALM", "RANKING", "IN FORCE")
    for title in ("YOUR ORDERS\n", "THE REALM\n", "RANKING"):
        assert told.count(f"\n{title}") == 1, title
    html = desk.last("Anna").get_body(("html",))
    assert html is not None
    assert html.get_content().count(">The realm</h2>") == 1
    assert html.get_content().count(">Ranking</h2>") == 1
    assert html.get_content().count(">Your orders</h2>") == 1


async def test_in_a_chat_what_is_too_long_for_a_caption_stands_in_one_message_behind_the_picture(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        await there.desk.open_game(3)
        await there.desk.everybody_passes()
        await there.link("Anna", USER)
        (title, told) = await said_by(there, "work P1\nmap\nstatus\nhistory")
        assert title.startswith("1 order in")
        assert "\n" not in title
        assert in_order(told, "Work, work! P1", "realm", "What has happened so far")
