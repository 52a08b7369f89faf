"""What a demonstration shows while it runs: a live panel on a terminal, plain lines otherwise; and
what it says at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pbem.demo.gallery.counts import Counts
from pbem.demo.gallery.proving import Proof
from pbem.demo.stage import Moment
from pbem.pages.news import Lead
from pbem.play import Play, counted

_SHOWN = 9


@dataclass(frozen=True, slots=True)
class Report:
    """One step of progress: the game as it stands, mails so far, and its latest news."""

    moment: Moment
    mails_in: int
    mails_out: int
    news: Sequence[Lead]


class Progress:
    """Told of every phase; used as a block. Prints a line a phase."""

    def __init__(self, console: Console, play: Play) -> None:
        self._console = console
        self._play = play

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing to clear."""

    def tell(self, report: Report) -> None:
        moment = report.moment
        where = f"{self._play.turn_word} {moment.turn:<2} {self._play.phase_words(moment.kind):<18}"
        told = " ".join(lead.sentence for lead in report.news)
        line = f"{where} mails in {report.mails_in:<4} out {report.mails_out:<5} {told}"
        self._console.print(line.rstrip(), markup=False, highlight=False, soft_wrap=True)


class LiveProgress(Progress):
    """A panel that is drawn again with every phase: who leads, how near the Dragon is, what
    happened lately.
    """

    def __init__(self, console: Console, play: Play, title: str) -> None:
        super().__init__(console, play)
        self._title = title
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._lines: list[Text] = []

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._live.stop()

    def tell(self, report: Report) -> None:
        told = [
            Text(f"  {lead.headline}", no_wrap=True, overflow="ellipsis") for lead in report.news
        ]
        self._lines = [*self._lines, *told][-_SHOWN:]
        self._live.update(self._panel(report), refresh=True)

    def _panel(self, report: Report) -> Panel:
        moment, view, play = report.moment, report.moment.view, self._play
        what, where = play.danger_words(view)
        facts = Table.grid(padding=(0, 3))
        facts.add_row(
            Text.assemble(
                (f"{play.turn_word.capitalize()} ", "dim"), (str(moment.turn), "bold yellow")
            ),
            Text.assemble(("asks for ", "dim"), (play.phase_words(moment.kind), "bold")),
            Text.assemble(
                (str(report.mails_in), "bold"),
                (" mails in  ", "dim"),
                (str(report.mails_out), "bold"),
                (" out", "dim"),
            ),
            Text.assemble((f"{what} ", "dim"), (where, "bold red")),
        )
        ranking = Text(
            "  ".join(play.ranking_words(view)), style="cyan", no_wrap=True, overflow="ellipsis"
        )
        title = Text(f"Heron · {self._title}", style="bold yellow")
        return Panel(
            Group(facts, ranking, Text(""), *self._lines), title=title, border_style="yellow"
        )


def progress_on(console: Console, play: Play, title: str) -> Progress:
    """The live panel on a terminal, plain lines otherwise."""
    return (
        LiveProgress(console, play, title)
        if console.is_terminal and not console.is_dumb_terminal
        else Progress(console, play)
    )


def outcome_words(moment: Moment, play: Play) -> str:
    """How it ended, or how it stands."""
    return (
        play.outcome(moment.view)
        if moment.over
        else f"Stopped after {play.turn_word} {moment.turn - 1}: {play.standing(moment.view)}."
    )


def proof_lines(proof: Proof) -> tuple[str, ...]:
    """The result of checking the game."""
    if proof.differences:
        return (
            f"{proof.filename}: the replay differs from the game.",
            *proof.differences,
        )
    return (
        (
            f"{proof.filename} replayed: all {proof.draws} draws, every state and every event are"
            " the same."
        ),
    )


def print_end(
    console: Console,
    play: Play,
    moment: Moment,
    counts: Counts,
    seconds: float,
    places: tuple[Path, Path] | None,
    proof: Proof | None = None,
) -> None:
    """Winner, counts, whether the game comes out the same again, time, and where to look."""
    console.print()
    console.print(Text(outcome_words(moment, play), style="bold yellow"), soft_wrap=True)
    turns, phases = counted(counts.turns, play.turn_word), counted(counts.phases, "phase")
    lines = [
        f"{', '.join((turns, phases, *(figure.words for figure in counts.figures)))}.",
        f"{counts.mails_in} mails in, {counts.mails_out} out.",
    ]
    if counts.messages_out:
        lines.append(
            f"{counts.updates_in} Telegram updates in, {counts.messages_out} messages out,"
            f" {counts.violations} of them too fast."
        )
    lines.append(
        f"What came in: {counts.orders} with orders, {counts.questions} with questions or"
        f" notes, {counts.late} too late, {counts.refused} refused, {counts.copies} sent twice,"
        f" {counts.automatic} automatic, {counts.strangers} by strangers, {counts.bounces} bounced,"
        f" {counts.shunted} in quarantine."
    )
    lines += proof_lines(proof) if proof is not None else ()
    lines.append(f"{seconds:.1f} seconds.")
    if places is not None:
        site, gallery = places
        lines += [f"How the post went: {gallery}", f"The game, to open in a browser: {site}"]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
