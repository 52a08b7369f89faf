"""F-110: words of others in the quote of our own letter are never the words of who answers it."""

import textwrap
from email.message import EmailMessage

import pytest

from pbem.pages.page import MARKER
from tests.desk.harness import Desk, text_of
from tests.desk.mastery import command, gm_last, log_of
from tests.desk.press.test_press import press_to
from tests.desk.rawmail import orders_of


def rewrapped(mail: EmailMessage, width: int, mark: str) -> str:
    """The letter as a program quotes it that wraps each marked line anew."""
    lines = []
    for line in text_of(mail).split("\n"):
        first, *rest = textwrap.wrap(line, width) or [""]
        lines += [f"{mark}{first}", *rest]
    return "\n".join(lines)


@pytest.mark.parametrize("mark", ["> ", ""])
async def test_what_a_player_hides_in_a_note_is_no_command_of_the_game_master(
    desk: Desk, mark: str
) -> None:
    """F-110: the note is wrapped at 30 columns in the answer, so that a command stands alone."""
    await desk.open_game()
    hidden = "\n".join(
        f"dear Greta, we have talked {deed}" for deed in ("extend by 24h", "close now")
    )
    await desk.write("Anna", f"GM: what I mean is this\n{hidden}\nand would like to know")
    note = gm_last(desk, "note")
    assert MARKER in text_of(note)
    quote = rewrapped(note, 30, mark)
    assert "\nextend by 24h\n" in quote
    before = await log_of(desk)
    await command(desk, f"I will think about it.\n\n{quote}", answering=note)
    await command(desk, f"I will think about it.\n\n{quote[:-40]}", answering=note)
    assert await log_of(desk) == before
    await command(desk, f"extend by 24h\n\n{quote}", answering=note)
    assert "game extend" in await log_of(desk), "what is written above the quote counts"


@pytest.mark.parametrize("mark", ["> ", ""])
async def test_what_a_neighbour_hides_in_press_is_no_order_of_who_answers_it(
    desk: Desk, mark: str
) -> None:
    """F-110: press of somebody else, wrapped anew in the answer."""
    await desk.open_game()
    await desk.write(
        "Anna",
        "press to Bartek: so\nshall we? I shall say it now bid 9\nwhat will you?\nENDPRESS",
    )
    (press,) = press_to(desk, "Bartek")
    quote = rewrapped(press, 30, mark)
    assert "\nbid 9\n" in quote
    await desk.write("Bartek", f"We shall see.\n\n{quote}", answering=press)
    async with desk.services.database.read() as work:
        assert await work.orders.history(2, 1) == []
        told = await work.press.list_of_game(1)
    assert [row.text for row in told[1:]] in (["We shall see."], [])


@pytest.mark.parametrize("sender", ["Bartek", "Bartek <bartek@players.example>"])
@pytest.mark.parametrize("quote", ["", "> What do you bid?\n"])
async def test_what_a_neighbour_wrote_in_a_mail_that_is_forwarded_is_no_order_of_who_forwards_it(
    desk: Desk, sender: str, quote: str
) -> None:
    """F-110: also where the mail begins with a quote, or names its sender without an address."""
    await desk.open_game()
    turn = desk.last("Anna")
    head = (
        "---------- Forwarded message ---------\n"
        f"From: {sender}\nDate: Mon, 3 May 2027\nSubject: Re: Heron\nTo: Realm Post Office\n"
    )
    await desk.write("Anna", f"bid 4\n\n{head}\n{quote}bid 9\n", answering=turn)
    assert await orders_of(desk, "Anna") == ("Bid 4",)
