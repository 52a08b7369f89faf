"""Somebody with a phone follows the link of a mail, stops the bot after a while, continues by mail,
and comes back.
"""

from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from icalendar import Calendar
from icalendar import Event as Entry

from engine.chance import Chance
from engine.ruleset import Seat
from pbem.demo.cast import whole_cast
from pbem.demo.clock import FastClock
from pbem.demo.mind import Mind
from pbem.demo.phones import Habits, OpenPhase, Phone
from pbem.demo.stage import play_of
from pbem.demo.switchboard import Switchboard
from pbem.demo.telegram import TelegramStandIn
from pbem.demo.telegram.calls import Call
from pbem.demo.writing import write_chat
from pbem.play import Seen
from tests.played import GAME

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
WINDOW = timedelta(days=3)


def letter(at: datetime, text: str, *, asks: bool) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"], message["Subject"], message["Message-ID"] = (
        "orders@realm.example",
        "[Heron] Your orders",
        "<1@realm.example>",
    )
    message["Date"] = format_datetime(at)
    message.set_content(text)
    if asks:
        calendar, entry = Calendar(), Entry()
        entry.add("dtstart", at + WINDOW)
        calendar.add_component(entry)
        message.add_attachment(
            calendar.to_ical(), maintype="text", subtype="calendar", filename="deadline.ics"
        )
    return message.as_bytes()


def begun() -> Any:
    """The first position that matters, nobody having ordered anything before."""
    rules, chance = GAME.ruleset, Chance(bytes(range(32)))
    seats = [Seat(number, name, GAME.colours[number]) for number, name in enumerate(NAMES, start=1)]
    state = rules.setup({}, seats, chance).state
    while rules.phase(state).kind not in play_of(GAME).main_stages:
        state = rules.adjudicate(state, {}, chance).state
    return state


async def test_whoever_stops_the_bot_goes_on_by_mail_and_comes_back() -> None:
    clock, state = FastClock(), begun()
    rules, phase = GAME.ruleset, 1

    async def look(number: int) -> Seen:
        return Seen(
            number,
            rules.view(state, number),
            tuple(rules.legal(state, number)),
            names=dict(enumerate(NAMES, start=1)),
        )

    async def ask() -> OpenPhase:
        return OpenPhase(phase, clock.now() + WINDOW)

    async with TelegramStandIn(clock) as standin:
        board = Switchboard(standin, "Heron")
        mind = Mind(whole_cast()[1], 1, 3, play_of(GAME), look, None, write_chat)
        phone = Phone(mind, board, ask, Habits(blocks_at=1, unblocks_at=2))
        user = board.user("Bartek")

        def is_stopped() -> bool:
            return user._chat.bot == "blocked"

        async def pass_time() -> None:
            """To whatever is meant to be done next."""
            at = phone.next_at()
            assert at is not None
            clock.advance_to(max(clock.now(), at))
            await phone.act(clock.now())

        await phone.read(
            letter(
                clock.now(),
                "Play by https://t.me/realm_bot?start=GdmGM-S-HPHcnjnbxXH8xQ too.",
                asks=True,
            ),
            clock.now(),
        )
        assert phone.take_due(clock.now() + WINDOW) == [], "answered where the link leads"
        await pass_time()
        assert [shown.text for shown in user.chat] == ["/start GdmGM-S-HPHcnjnbxXH8xQ"]
        await standin._result(
            standin.token,
            Call("sendMessage", {"chat_id": str(user.chat_id), "text": "This chat is yours"}),
        )
        assert phone.has_news
        await phone.look(clock.now())
        while not is_stopped():
            await pass_time()
        said = [shown for shown in user.chat if not shown.is_by_bot]
        assert len(said) >= 2, "the orders were written before"
        assert [note.words for note in board.log.notes[user.chat_id]] == [
            "Bartek stopped the bot and continues by mail"
        ]
        phase = 2
        await phone.read(letter(clock.now(), "Your orders, please.", asks=True), clock.now())
        (answer,) = phone.take_due(clock.now() + WINDOW)
        assert answer.recipient == "orders@realm.example"
        while is_stopped():
            await pass_time()
        assert user.chat[-1].text == "/status"
        assert mind.asked == 2, "one question of each phase"
