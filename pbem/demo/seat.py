"""`pbem try`: one seat for a person of flesh and blood. What is typed goes out as a real mail, what
comes back is shown.
"""

import asyncio
import hashlib
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

from rich.console import Console

from pbem.demo.agenda import Planned, Writer
from pbem.demo.cast import sender_of, style_of_mail, whole_cast
from pbem.demo.progress import outcome_words
from pbem.demo.received import Received
from pbem.demo.stage import Playbill, Stage, open_stage, play_of, start_table
from pbem.demo.styles import compose_answer
from pbem.play import Person
from pbem.registry import load_games

YOU = Person(
    name="Robin",
    address="robin@home.example",
    zone="Europe/Berlin",
    programs=("mutt",),
    layout="lines",
    talk=0.0,
    boldness=0.5,
    ambition=0.5,
    loyalty=0.5,
)
PROMPT = (
    "Your answer (an empty line sends it; `send nothing` lets the deadline pass; `quit` leaves):"
)
NOTHING = "send nothing"
AGAIN = "Anything to change? (an empty line continues)"


class LeftError(Exception):
    """The newcomer has left the table: `quit`, or the end of the input."""


class Newcomer(Writer):
    """The seat's side of the mails: keeps what came until it is shown, and the answer until it is
    posted.
    """

    def __init__(self, person: Person) -> None:
        super().__init__(sender_of(person))
        self.person = person
        self.unshown: list[Received] = []
        self.question: Received | None = None

    async def read(self, raw: bytes, now: datetime) -> None:
        letter = Received(raw)
        self.unshown.append(letter)
        if letter.sort == "question":
            self.question = letter

    def answer(self, letter: Received, text: str, at: datetime) -> None:
        """Mean to send this at that moment."""
        raw = compose_answer(
            style_of_mail(self.person, 0), self.sender, text, letter, at, self.next_id()
        )
        self.planned.append(Planned(at, letter.reply_to, raw))


class Terminal:
    """Shows mails and reads answers; pictures go into a folder."""

    def __init__(self, console: Console, typed: TextIO, folder: Path) -> None:
        self._console = console
        self._typed = typed
        self._folder = folder

    def say(self, text: str = "") -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def show(self, letter: Received) -> None:
        """The mail's plain text, and where its board lies; coats of arms are left out."""
        self._console.rule(style="yellow")
        self.say(
            f"From:    {letter.from_name} <{letter.from_address}>\nSubject: {letter.subject}\n"
        )
        self.say(letter.text.rstrip())
        for cid, png in letter.pictures.items():
            if cid.startswith("arms-"):
                continue
            path = self._folder / f"board-{hashlib.sha256(png).hexdigest()[:12]}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png)
            self.say(f"\nThe board: {path}")
        self._console.rule(style="yellow")

    async def ask(self, prompt: str) -> str:
        """Lines up to an empty one or a single dot. LeftError at `quit` or the end of the input."""
        self.say(prompt)
        lines: list[str] = []
        while True:
            line = await asyncio.to_thread(self._typed.readline)
            words = line.strip()
            if words.casefold() in ("quit", "exit") and not lines:
                raise LeftError
            if not line and not lines:
                raise LeftError
            if words in ("", "."):
                return "\n".join(lines)
            lines.append(line.rstrip("\r\n"))


async def play_seat(
    console: Console, typed: TextIO, *, played: Playbill, seed: int, out: Path
) -> None:
    """Play until the game is over or the newcomer leaves, with as many others as are usual in that
    game.
    """
    others = play_of(load_games()[played.ruleset]).usual_players - 1
    newcomer, terminal = Newcomer(YOU), Terminal(console, typed, out)
    with tempfile.TemporaryDirectory(prefix="pbem-try-") as folder:
        async with open_stage(
            whole_cast()[:others], played, seed, Path(folder), guest=(YOU, newcomer)
        ) as stage:
            await stage.pace.rest()
            terminal.say(f"You are {YOU.name}. You play with {others} others, all by mail.")
            await start_table(stage)
            await stage.pace.rest()
            try:
                await _sit(stage, newcomer, terminal)
            except LeftError:
                terminal.say("You leave the game. Thank you for playing.")


async def _sit(stage: Stage, newcomer: Newcomer, terminal: Terminal) -> None:
    """Mail by mail, to the end."""
    while True:
        over = (await stage.moment()).over
        _show_new(newcomer, terminal, whole=over or newcomer.question is None)
        if over:
            terminal.say(outcome_words(await stage.moment(), stage.play))
            return
        if newcomer.question is not None:
            await _converse(stage, newcomer, terminal)
        else:
            await stage.pace.step()


async def _converse(stage: Stage, newcomer: Newcomer, terminal: Terminal) -> None:
    """Answers to one question, each with its receipt, until the newcomer is content or the phase is
    over.
    """
    question = newcomer.question
    if question is None:
        return
    text = await terminal.ask(PROMPT)
    while not text:
        text = await terminal.ask("Nothing typed. " + PROMPT)
    answered = question
    while text and " ".join(text.casefold().split()) != NOTHING:
        newcomer.answer(answered, text, stage.clock.now() + timedelta(minutes=1))
        while (at := newcomer.next_at()) is not None:
            await stage.pace.step(limit=at)
        answers = [letter for letter in newcomer.unshown if letter.sort == "answer"]
        if newcomer.question is not question:
            return  # everybody was final, and the next question is here
        _show_new(newcomer, terminal, whole=False)
        answered = answers[-1] if answers else question
        text = await terminal.ask(AGAIN)
    newcomer.question = None


def _show_new(newcomer: Newcomer, terminal: Terminal, *, whole: bool) -> None:
    """Questions and answers as they came; of other mails the subject, unless there is nothing
    else.
    """
    for letter in newcomer.unshown:
        if whole or letter.sort != "news":
            terminal.show(letter)
        else:
            terminal.say(f"(There is also: {letter.subject})")
    newcomer.unshown.clear()
