"""The letters of a game: every page is made for every reader, at every step of a walk."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from engine.ruleset import Event, Standing
from pbem.conformance.findings import found
from pbem.conformance.sources import Sources
from pbem.conformance.walk import MOST_LEGAL, NOW, Step, Walk
from pbem.findings import Finding
from pbem.game import Game
from pbem.grammar.house.reading import read_alone
from pbem.pages.archive import Close
from pbem.pages.news import MOST_HEADLINE, MOST_SENTENCE
from pbem.pages.page import (
    Page,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    RollBack,
    StoredVersion,
    Table,
)
from pbem.registry import format_error

CODE = "4Z7Q-CODE"
MOST_SUBJECT = 120
NONSENSE = "Foo the bar, then bar the foo"
UNDEFINED = ("Undefined", "{{", "}}", "None.", "<bound method")
"""What stands on a page where a template went wrong."""


def check_sentences(sources: Sources) -> Iterator[Finding]:
    """Each kind of event and each code of a problem has its words."""
    for event in {one.name: one for one in sources.events()}.values():
        if event.name.replace("-", "_") not in sources.macros:
            yield found("no-sentence", kind=event.name, place=event.place)
    for code in {one.name: one for one in sources.codes()}.values():
        if code.name.replace("-", "_") not in sources.macros:
            yield found("no-reason", code=code.name, place=code.place)


def check_letters(sources: Sources, walks: Sequence[Walk], every: int) -> Iterator[Finding]:
    """All pages of every step whose place `every` divides, and of the last one."""
    for walk in walks:
        for place, step in enumerate(walk.steps):
            if place % every == 0 or place == len(walk.steps) - 1:
                yield from _Letters(sources, walk, step, place).check()


class _Letters:
    """The letters of one step."""

    def __init__(self, sources: Sources, walk: Walk, step: Step, place: int) -> None:
        self.sources, self.walk, self.step, self.place = sources, walk, step, place
        self.game: Game = sources.game
        self.pages, self.rules = self.game.pages, self.game.ruleset
        self.state, self.events = step.outcome.state, step.outcome.events
        self.phase = self.rules.phase(self.state)
        self.table = Table(
            title="Heron",
            slug="heron",
            game_title=self.game.title,
            now=NOW,
            deadline=NOW + timedelta(hours=self.phase.hours) if self.phase.over is None else None,
            phase_number=place + 1,
            gm_name="Greta",
            code=CODE,
            zone="Europe/Berlin",
            early_close=self.phase.early,
            finality="confirm",
            has_picture=True,
            hours=self.phase.hours,
        )

    def check(self) -> Iterator[Finding]:
        for number in (None, *range(1, self.walk.table.players + 1)):
            yield from self._news(number)
            if number in self.phase.asked:
                yield from self._suggested(number)
            for name, make in self._made_for(number):
                try:
                    page = make()
                # whatever is wrong with one page, the others are made
                except Exception as error:  # noqa: BLE001
                    told = format_error(error, self.sources.packages)
                    yield found("no-page", page=name, phase=self.phase.kind, error=told)
                    continue
                yield from self._page(name, page)

    def _page(self, name: str, page: Page) -> Iterator[Finding]:
        if not page.text.strip() or not page.html.strip():
            yield found("empty-page", page=name, phase=self.phase.kind)
        for sign in UNDEFINED:
            if sign in page.text or sign in page.subject:
                yield found("wrong-words", page=name, phase=self.phase.kind, sign=sign)
        if len(page.subject) > MOST_SUBJECT:
            yield found("long-subject", page=name, subject=page.subject, most=MOST_SUBJECT)

    def _news(self, number: int | None) -> Iterator[Finding]:
        """The news are as short as their places."""
        view = self.rules.view(self.state, number)
        events = self._visible(number)
        try:
            lead = self.pages.lead(view, events)
            news = self.pages.news(view, events, number)
        except Exception as error:  # noqa: BLE001
            told = format_error(error, self.sources.packages)
            yield found("no-page", page="news", phase=self.phase.kind, error=told)
            return
        if len(lead.headline) > MOST_HEADLINE:
            yield found("long-news", text=lead.headline, most=MOST_HEADLINE)
        for one in news:
            if len(one.told) > MOST_SENTENCE:
                yield found("long-news", text=one.told, most=MOST_SENTENCE)
            if one.told[-1:] not in ".!?…\"'":
                yield found("no-full-stop", text=one.told)

    def _suggested(self, number: int) -> Iterator[Finding]:
        """What letters and buttons suggest is the reader's own to order."""
        rules, reader = self.rules, self._reader(number)
        view = rules.view(self.state, number)
        known, standing = rules.assume(view), self._standing(number)
        for stands in (Standing[Any](), standing):
            for text in self.pages.suggested(reader, view, stands):
                reading = read_alone(self.game.read, known, number, stands, text)
                codes = [
                    one.code for item in reading.items for one in item.problems if not one.warning
                ]
                is_taken = reading.checked is not None and reading.checked.accepted
                if codes or not (is_taken or reading.commands):
                    yield self._not_own("a letter", text, codes)
        if self.game.menu is None:
            return
        legal = tuple(islice(rules.legal(self.state, number), MOST_LEGAL))
        step = self.game.menu.step(self.table, reader, view, legal, Standing(), ())
        entries = self.game.menu.entries(view, legal, Standing())
        for text in {one.takes for line in (entries, *step.lines) for one in line} - {""}:
            order = self.game.read_canonical(known, text)
            checked = rules.check(known, number, Standing(), (order,))
            if not checked.accepted:
                yield self._not_own("a button", text, [one.code for one in checked.problems])

    def _not_own(self, where: str, text: str, codes: Sequence[str]) -> Finding:
        told = ", ".join(codes) or "nothing"
        return found("not-own", where=where, phase=self.phase.kind, text=text, codes=told)

    def _reader(self, number: int) -> Reader:
        return Reader(number, self.walk.table.seats[number - 1].name, "Europe/Berlin")

    def _visible(self, number: int | None) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.is_for(number))

    def _made_for(self, number: int | None) -> Iterator[tuple[str, Callable[[], Page]]]:
        """The pages of a reader, each with its name; the public's for nobody."""
        pages, table, events = self.pages, self.table, self._visible(number)
        view = self.rules.view(self.state, number)
        if number is None:
            yield "bulletin", lambda: pages.bulletin(table, view, events)
            back = RollBack(((self.phase.turn, self.phase.kind),), events, False, False, "Greta")
            yield "rolled_back", lambda: pages.rolled_back(table, view, back)
            if self.phase.over is not None:
                yield "ending", lambda: pages.ending(table, view, events, "00" * 32, "11" * 32)
                yield "turning points", self._story
            return
        reader = self._reader(number)
        standing = Standing[Any]()
        if number in self.phase.asked:
            standing = self._standing(number)
            yield "turn", lambda: pages.turn(table, reader, view, events, Standing())
            yield "reminder", lambda: pages.reminder(table, reader, view, Standing())
            yield "receipt", lambda: self._receipt(reader, view, standing, "")
            yield "receipt", lambda: self._receipt(reader, view, Standing(), NONSENSE)
        yield "status", lambda: pages.status(table, reader, view, standing)
        texts = tuple(self.rules.format_order(self.state, one) for one in standing.orders)
        versions = (StoredVersion(1, NOW, texts),)
        yield "orders", lambda: pages.orders(table, reader, view, standing, versions)
        yield "happened", lambda: pages.happened(table, reader, view, events)
        yield "map", lambda: pages.map_page(table, reader, view)
        yield "board in words", lambda: pages.board_text(table, reader, view)
        yield "help", lambda: pages.help(table, reader, view)
        yield "takeover", lambda: pages.takeover(table, reader, view, (), "11" * 32)
        if self.place == 0:
            yield "invitation", lambda: pages.invitation(table, reader, "Greta", ("Anna",))
            yield "welcome", lambda: pages.welcome(table, reader, view, "11" * 32, events)
            yield "rule", lambda: pages.rule(table, reader, f"{self.game.book.prefix}-1.1")
        if self.game.read_question is not None:
            past = (PhaseEvents(self.place, self.phase.turn, self.phase.kind, events),)
            asked = self.game.read_question(view, number, f"last {pages.turn_word}")
            yield "why", lambda: pages.why(table, reader, view, asked, past)

    def _standing(self, number: int) -> Standing[Any]:
        """Something that may be ordered now."""
        for order in self.rules.legal(self.state, number):
            if self.rules.act_of(order) is None:
                return self.rules.check(self.state, number, Standing(), (order,)).standing
        return Standing()

    def _receipt(self, reader: Reader, view: Any, standing: Standing[Any], said: str) -> Page:
        """The answer to the orders that stand, or to words that order nothing."""
        texts = tuple(self.rules.format_order(self.state, one) for one in standing.orders)
        items = tuple(ReceiptItem(i, text, None, (text,)) for i, text in enumerate(texts, 1))
        if said and reader.number is not None:
            known = self.rules.assume(view)
            reading = read_alone(self.game.read, known, reader.number, Standing(), said)
            items = tuple(
                ReceiptItem(i, one.quote, one.caret, one.texts, one.problems)
                for i, one in enumerate(reading.items, 1)
            )
        facts = ReceiptFacts(items, texts, standing.orders, False, 1, NOW)
        return self.pages.receipt(self.table, reader, view, facts)

    def _story(self) -> Page:
        """The story of the game, as the last letter and the archive tell it."""
        closes = [
            Close(
                place,
                self.rules.phase(step.outcome.state).turn,
                self.rules.phase(step.outcome.state).kind,
                self.rules.view(step.outcome.state, None),
                tuple(event for event in step.outcome.events if event.is_for(None)),
            )
            for place, step in enumerate(self.walk.steps)
        ]
        points = [one.told for one in self.pages.turning_points(closes, "seed")]
        told = " ".join((*points, *self.pages.recounted(closes, "seed").values())) or "-"
        for close in closes:
            self.pages.areas(close.view)
            self.pages.chips(close.view)
            self.pages.ordered(close.view, close.events)
        self.pages.plots(closes)
        return Page("", told, told)
