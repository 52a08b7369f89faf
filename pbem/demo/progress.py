"""What a demonstration shows while it runs: a live panel on a terminal, plain lines otherwise; and what it says at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engine.protectors.view import TableView
from pbem.demo.counts import Counts
from pbem.demo.proving import Proof
from pbem.demo.stage import Moment
from pbem.pages.gallery import Happening, headline
from pbem.pages.protectors_gallery import outcome_of, standing_of

_PHASES = {
    "bidding": "bids", "rebid": "bids again", "orders": "orders", "dragon": "Dragon Attack", "consolidation": "buying and bidding",
    "bank": "the Bank", "over": "the end",
}  # fmt: skip
_SHOWN = 9


@dataclass(frozen=True, slots=True)
class Report:
    """One step of progress: the table as it stands, mails so far, and what has just happened."""

    moment: Moment
    mails_in: int
    mails_out: int
    news: Sequence[Happening]


class Progress(Protocol):
    """Told of every phase; used as a block."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def tell(self, report: Report) -> None: ...


def phase_words(kind: str) -> str:
    return _PHASES.get(kind, kind)


class PlainProgress:
    """A line a phase."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Nothing to clear."""

    def tell(self, report: Report) -> None:
        moment = report.moment
        where = f"turn {moment.turn:<2} {phase_words(moment.kind):<18}"
        line = f"{where} mails in {report.mails_in:<4} out {report.mails_out:<5} {headline(report.news)}"
        self._console.print(line.rstrip(), markup=False, highlight=False, soft_wrap=True)


class LiveProgress:
    """A panel that is drawn anew with every phase: who leads, how near the Dragon is, what happened lately."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._lines: list[Text] = []

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._live.stop()

    def tell(self, report: Report) -> None:
        words = headline(report.news)
        if words:
            self._lines = [*self._lines, Text(f"  {report.news[-1].turn:>2}  {words}", no_wrap=True, overflow="ellipsis")][-_SHOWN:]
        self._live.update(self._panel(report), refresh=True)

    def _panel(self, report: Report) -> Panel:
        moment, view = report.moment, report.moment.view
        facts = Table.grid(padding=(0, 3))
        facts.add_row(
            Text.assemble(("Turn ", "dim"), (str(moment.turn), "bold yellow")),
            Text.assemble(("asks for ", "dim"), (phase_words(moment.kind), "bold")),
            Text.assemble((str(report.mails_in), "bold"), (" mails in  ", "dim"), (str(report.mails_out), "bold"), (" out", "dim")),
            Text.assemble(("Dragon ", "dim"), (f"{view.dpl} of {view.threshold}", "bold red")),
        )
        ranking = Text("  ".join(_standing(view, number) for number in view.ranking), style="cyan", no_wrap=True, overflow="ellipsis")
        title = Text("Heron · Protectors of the Realm by e-mail", style="bold yellow")
        return Panel(Group(facts, ranking, Text(""), *self._lines), title=title, border_style="yellow")


def _standing(view: TableView, number: int) -> str:
    player = view.player(number)
    return f"{player.name} {len(player.provinces)}/{player.units}/{player.vp}"


def progress_on(console: Console) -> Progress:
    """The live panel on a terminal, plain lines otherwise."""
    return LiveProgress(console) if console.is_terminal and not console.is_dumb_terminal else PlainProgress(console)


def outcome_words(moment: Moment) -> str:
    """How it ended, or how it stands."""
    return outcome_of(moment.view) if moment.over else f"Stopped after turn {moment.turn - 1}: {standing_of(moment.view)}."


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def proof_lines(proof: Proof) -> tuple[str, ...]:
    """What came of checking the game."""
    if proof.differences:
        return (f"{proof.filename}: the game does not come out as it was played.", *proof.differences)
    return (f"{proof.filename}, played again: all {proof.draws} draws, every state and every event come out as they were told.",)


def print_end(
    console: Console, moment: Moment, counts: Counts, seconds: float, gallery: Path | None, proof: Proof | None = None
) -> None:  # fmt: skip
    """Winner, counts, whether the game comes out the same again, time, and where to look."""
    console.print()
    console.print(Text(outcome_words(moment), style="bold yellow"), soft_wrap=True)
    console.print(
        f"{_many(counts.turns, 'turn')}, {_many(counts.phases, 'phase')}, {_many(counts.dragon_attacks, 'Dragon Attack')} "
        f"({counts.dragon_defeats} beaten), {_many(counts.eliminations, 'elimination')}.",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    console.print(f"{counts.mails_in} mails in, {counts.mails_out} out.", markup=False, highlight=False)
    console.print(
        f"Of those that came in: {counts.orders} with orders, {counts.questions} with questions or notes, {counts.late} too late, "
        f"{counts.refused} refused, {counts.copies} sent twice, {counts.automatic} automatic, {counts.strangers} by strangers, "
        f"{counts.bounces} bounced, {counts.shunted} shunted.",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if proof is not None:
        for line in proof_lines(proof):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{seconds:.1f} seconds.", markup=False, highlight=False)
    if gallery is not None:
        console.print(f"The gallery: {gallery}", markup=False, highlight=False, soft_wrap=True)
