"""What the usual pages are made of: what a game says of itself, and the values, titles and lines
that follow from it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from engine.ruleset import Event, Problem, Standing
from engine.usual import WhichTurn
from pbem.pages.archive import Area, Chip, Close, Plot, held
from pbem.pages.dates import moment
from pbem.pages.kit import rules as rulebook
from pbem.pages.kit.arms import Arms, arms_of
from pbem.pages.kit.narrator import Narrator, Past, Told, marked, narrator_of
from pbem.pages.kit.receipt_lines import Gap, Reason, Sorted, sort_lines
from pbem.pages.news import (
    MOST_SENTENCE,
    OVER,
    SMALL,
    Lead,
    News,
    clause,
    lead_of,
    opening_of,
    ordered,
    own_headline,
)
from pbem.pages.page import (
    Page,
    PastPhase,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    SuppositionFacts,
    Table,
    locale_of,
)
from pbem.pages.rendering import Line, Twin, clean_line, has_macro, is_template, page, phrase, twin

Values = dict[str, object]
NEWS_FIRST = frozenset({"turn", "reminder"})
"""Pages whose subject begins with what concerns the reader; the name of the game stands behind."""


class UsualPlayer(Protocol):
    """A player as a view has them."""

    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def colour(self) -> str: ...


class UsualView(Protocol):
    """What the usual pages must find in a view; `stage` is the kind of the open phase, `over` at
    the end.
    """

    @property
    def stage(self) -> str: ...
    @property
    def turn(self) -> int: ...
    @property
    def asked(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def players(self) -> Sequence[UsualPlayer]: ...


@dataclass(frozen=True, slots=True)
class Cast:
    """The names of the players, and who reads (`you`: 0 for the public). A value: lines are kept by
    it.
    """

    names: tuple[str, ...]
    you: int = 0

    def name(self, player: int) -> str:
        return self.names[player - 1]

    def people(self, players: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.name, players))

    def parties(self, players: Iterable[int]) -> tuple[str, ...]:
        """What the narrator of a game calls them."""
        return self.people(players)


class UsualParts(ABC):
    """Stateless. To be said by every game: what has no value here, `format_order` and `fate`."""

    title: str
    about: str
    """What it is and for how many, in a few words, for somebody who has never heard of it."""
    package: str
    """Whose templates are asked first."""
    book: rulebook.Book
    turn_word = "turn"
    in_turns: frozenset[str] = frozenset()
    """Kinds of phases in which one player after another acts. The news of their closes may wait for
    a player's digest.
    """
    """What one run through the game's phases is called: a turn, a round."""
    secrecy = "Nobody else sees what you send before it is closed."
    """What a receipt says about secrecy."""
    order_word = "line"
    """What a line of a message is called: a line, an order."""
    final_word = "final"
    """What a player writes when the orders are settled."""
    phrases: Sequence[tuple[str, str]] = ()
    """What can be ordered and what it means, for the page of help."""
    not_read = frozenset(
        {"not-understood", "no-order", "loose-question", "unused", "asked-first", "partly-read"}
        | {"which-line", "no-such-line"}
    )
    """Codes of what could not be read; all others were read and are not possible."""
    set_right = frozenset({"corrected", "ruling"})
    """Kinds of events of what a game master sets right."""
    counted = "point"
    """What `standing` counts."""
    told_apart = frozenset[str]()
    """Kinds of news that a letter tells in a part of its own."""
    in_figures = frozenset[str]()
    """Kinds of events that a letter does not tell in words, since a player's figures show them."""

    # ----------------------------------------------------------------------- what a game says of it
    def numbered(self, view: Any, orders: Sequence[Any], texts: Sequence[str]) -> tuple[str, ...]:
        """What stands, with the numbers by which words edit it."""
        return tuple(f"{number}. {text}" for number, text in enumerate(texts, start=1))

    @abstractmethod
    def format_order(self, view: Any, order: Any) -> str:
        """The canonical text of an order."""

    def spoken(self, view: Any, text: str) -> str:
        """An order in plain words, which are read as the same order."""
        return text

    @abstractmethod
    def fate(self, view: Any, player: Any) -> str:
        """What became of a player, or how they stand."""

    def ranked(self, view: Any) -> Sequence[Any]:
        """The players, the most successful first."""
        return sorted(view.players, key=lambda player: player.number not in view.winners)

    def answers(self, view: Any) -> Sequence[tuple[str, str]]:
        """What can be answered just now, each as it can be sent, with what it means."""
        return ()

    def ask(self, view: Any, name: str) -> str:
        """The question of the open phase, as the title of a page."""
        return f"{name}, your {self.phase_name(view.stage)}, please"

    def news(self, view: Any, events: Sequence[Event], you: int | None = None) -> Sequence[News]:
        """What of these events is worth telling, in the order in which it happened. To `you`, a
        player, what concerns them is told as theirs (`you lose P5 to Dmytro`). Usually the lines
        themselves, all of the same weight.
        """
        told = (line.body.text for line in self._lines(events, self._cast(view, you)))
        return tuple(News("line", SMALL, clause(text), text) for text in told)

    def when(self, view: Any, events: Sequence[Event]) -> str:
        """The turn that these events are about, for a headline; "" where it goes without. Usually
        the one that the news names (`News.turn`), else the open one.
        """
        told = max((one.turn for one in self.news(view, events)), default=0)
        return f"{self.turn_word.capitalize()} {told}" if told else self._where(view)

    def quiet(self, view: Any) -> str:
        """The headline of a close of which nothing is told, as a clause."""
        return f"a quiet {self.turn_word.lower()}"

    def areas(self, view: Any) -> Sequence[Area]:
        """All places on the board that can be held, in the order of the board; none in a game
        without any.
        """
        return ()

    def chips(self, view: Any) -> Sequence[Chip]:
        """The players as an archive shows them below the board, in the order of their numbers."""
        return tuple(Chip(player.number, ()) for player in view.players)

    def sides(self, view: Any) -> Sequence[tuple[str, tuple[int, ...]]]:
        """Those who play together, each side with its name and its players; none where everybody
        plays alone.
        """
        return ()

    def standing(self, view: Any) -> Mapping[int, int]:
        """How much each player has of what decides the game, as far as the public knows; usually
        nothing is counted. Of those who play together it is added up.
        """
        return {}

    def signs(self) -> Sequence[tuple[str, str]]:
        """The signs of the board, each with what it means."""
        own = self._own("archive")
        told = phrase(own, "signs") if is_template(own) and has_macro(own, "signs") else ""
        rows = (one.partition(": ") for one in told.split("|") if one)
        return tuple((sign, meaning) for sign, _, meaning in rows)

    def ordered(self, view: Any, events: Sequence[Event]) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Orders that these events made public, as their canonical texts, by player."""
        return ()

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        """What the course of a game looks like, the plot that tells most first; `closes` are all
        that count, the start first.
        """
        areas = [self.areas(close.view) for close in closes]
        return (held("Who held what", areas),) if any(areas) else ()

    def welcomed(self, view: Any, cast: Any, events: Sequence[Event]) -> Values:
        """What a welcome tells besides; `events` are those of the set-up."""
        return {}

    def chances(self, view: Any) -> Values:
        """What the letter of a turn tells besides of what may be done."""
        return {}

    def odds(self, view: Any, item: ReceiptItem, standing: Sequence[Any]) -> Sequence[str]:
        """What a receipt says to a line besides its note; `standing` are all orders that stand."""
        return ()

    def gaps(self, view: Any, cast: Any, orders: Sequence[Any]) -> Sequence[Gap]:
        """What these orders of the reader leave open."""
        return ()

    def silence(self, view: Any, cast: Any, url: str) -> Twin:
        """What happens to a reader who sends nothing, as the end of a sentence."""
        return twin(self._own("words"), "silence", view, url)

    def sorted_lines(self, view: Any, cast: Any, facts: ReceiptFacts) -> Sorted:
        """The lines of a message as its receipt shows them."""
        return sort_lines(facts, lambda problem: self._reason(problem, cast), self.not_read)

    def received(self, view: Any, cast: Any, facts: ReceiptFacts, values: Values) -> Values:
        """What a receipt tells besides."""
        return {}

    def ended(self, view: Any, cast: Any, events: Sequence[Event]) -> Values:
        """What the last page tells besides, its `title` too."""
        return {"title": self.outcome(view).rstrip(".")}

    def helped(self, view: Any, cast: Any) -> Values:
        """What the page of help tells besides."""
        answers = self.answers(view)
        return {
            "phrases": self.phrases,
            "example": answers[0][:1] if answers else (),
            "example_rule": rulebook.sections(self.book)[0].rules[0].id,
            "asked": self._asks(view, cast),
        }

    def account(self, view: Any, cast: Any, question: Any, past: Sequence[PhaseEvents]) -> Values:
        """What the answer to `why` tells, its `title` too; the usual one tells a turn."""
        last = max((phase.turn for phase in past if phase.events), default=0)
        turn = question.turn or last if isinstance(question, WhichTurn) else 0
        about = [phase for phase in past if phase.turn == turn]
        unclear = question.code if isinstance(question, Problem) else ""
        if not unclear and not any(phase.events for phase in about):
            unclear = "no-such-turn"
        asked = question.facts.get("words", "") if isinstance(question, Problem) else ""
        told = [event for phase in about for event in phase.events if not unclear]
        return {
            "title": f"Why: {self.turn_word} {turn}" if not unclear else "Why?",
            "lines": self._lines(told, cast),
            "unclear": unclear,
            "asked_words": asked,
            "turns": last,
            "undone": [phase for phase in about if phase.is_undone],
        }

    def supposed(self, view: Any, cast: Any, facts: SuppositionFacts) -> Values:
        """What a supposition comes to; the usual one is that nothing can be supposed."""
        return {"facts": facts}

    def seen(self, events: Sequence[Event], cast: Any) -> Sequence[object]:
        """What of the decks is known after a roll back."""
        return ()

    # ---------------------------------------------------------------------------------------- parts
    def phase_name(self, kind: str) -> str:
        """What a phase of this kind asks for, in plain words; `start` is the beginning, before
        any.
        """
        usual = {"start": "the start", "over": "the end"}
        return usual.get(kind) or phrase(self._own("words"), "phase", kind)

    def step_name(self, close: Close) -> str:
        """What a close was of, as an archive calls it."""
        return self.phase_name(close.kind)

    def outcome(self, view: Any) -> str:
        """Who won and how, or how it stands: a sentence of plain text."""
        if view.stage != "over":
            return f"Nobody has won yet: {self._where(view).lower()}."
        names = self._cast(view, None).people(view.winners)
        if not names:
            return "Nobody wins."
        return f"{names[0]} wins." if len(names) == 1 else f"{_join(names)} share the victory."

    def coats_of(self, view: Any, player: int) -> Sequence[Arms]:
        """The arms of a player, wherever there are any: on the board, in mails, chats and archives.
        More than one where somebody plays several sides; the first stands for the player where
        there is room for one. Usually those of the colour that was dealt.
        """
        return tuple(arms_of(one.colour) for one in view.players if one.number == player)

    def values(self, view: Any, reader: Reader) -> Values:
        """What templates of the game's own need besides the usual values."""
        return {}

    def _values(
        self,
        table: Table,
        reader: Reader,
        view: Any,
        standing: Standing[Any] | None = None,
        events: Sequence[Event] = (),
    ) -> Values:
        cast = self._cast(view, reader.number)
        coats = {player.number: self.coats_of(view, player.number) for player in view.players}
        zone, language = reader.zone, locale_of(table, reader)
        is_over = view.stage == "over"
        values: Values = {
            "table": table,
            "reader": reader,
            "view": view,
            "c": cast,
            "own": self._own("words"),
            "turn_word": self.turn_word,
            "where": self._where(view),
            "title": "" if is_over else self.ask(view, reader.name),
            "asks": self._asks(view, cast),
            "asked": reader.number in view.asked,
            "you": reader.number is not None,
            "due": (
                moment(table.deadline, table.now, zone, language)
                if table.deadline is not None
                else None
            ),
            "when": moment(table.now, table.now, zone, language),
            "stored": tuple(
                self.spoken(view, self.format_order(view, order))
                for order in (standing or Standing[Any]()).orders
            ),
            "answers": self.answers(view) if reader.number in view.asked else (),
            "lines": self._lines(events, cast),
            "for_you": self._lines(self.told_alone(events), cast),
            **self._told(view, events, reader.number),
            "alt": phrase(self._own("words"), "brief", view, cast),
            "outcome": self.outcome(view),
            **self._left_open(table, reader, view, cast, standing),
            "coats": coats,
            "arms_words": " and ".join(arms.said for arms in coats.get(reader.number or 0, ())),
            "short_rules": tuple(
                (section.title, section.intro, tuple(rule.id for rule in section.rules[:2]))
                for section in rulebook.sections(self.book)
            ),
            **self.values(view, reader),
        }
        return values | {"due_words": self._due(values)}

    def _page(
        self,
        name: str,
        table: Table,
        subject: str,
        values: Values,
        *,
        chat: str = "",
        caption: bool = False,
    ) -> Page:
        template = self._template(name)
        words = (
            chat if chat.startswith("telegram/") else self._template(chat or f"chat_{name}", name)
        )
        if name in NEWS_FIRST:
            turn = self.turn_number(values["view"])
            subject = f"{subject} [{table.title}{f' {turn}' if turn else ''}]"
        else:
            subject = f"[{table.title}] {subject}"
        in_chat = words if table.in_chat else None
        return page(template, subject, values, chat=in_chat, caption=caption)

    def _titled(
        self, name: str, table: Table, values: Values, *, chat: str = "", caption: bool = False
    ) -> Page:
        subject = self._words(name, values)
        return self._page(name, table, subject, values, chat=chat, caption=caption)

    def _words(self, name: str, values: Values) -> str:
        """A subject or a title: in the game's own words where it has some."""
        own = self._own("subjects")
        is_own = is_template(own) and has_macro(own, name)
        return phrase(own if is_own else "game/subjects.j2", name, values)

    def _template(self, *names: str) -> str:
        """The first of these that exists, the game's own before a usual one."""
        found = [f"{folder}/{name}.j2" for name in names for folder in (self.package, "game")]
        return next(path for path in found if is_template(path))

    def _own(self, name: str) -> str:
        return f"{self.package}/{name}.j2"

    def _reason(self, problem: Problem, cast: Any) -> Reason:
        macro = problem.code.replace("-", "_")
        for template in (self._own("problems"), "game/problems.j2"):
            if has_macro(template, macro):
                return Reason(twin(template, macro, problem.facts, cast), problem.rules)
        return Reason(twin("game/problems.j2", "other", problem.facts, cast), problem.rules)

    def _of_question(self, problem: Problem, cast: Any) -> Reason:
        """The same of a question: what there is to say of odds comes before other words."""
        template, macro = self._own("odds"), problem.code.replace("-", "_")
        if not has_macro(template, macro):
            return self._reason(problem, cast)
        return Reason(twin(template, macro, problem.facts, cast), problem.rules)

    def _noted(self, view: Any, item: ReceiptItem, standing: Sequence[Any]) -> ReceiptItem:
        told = filter(None, (item.note, *self.odds(view, item, standing)))
        return replace(item, note=" ".join(told) or None)

    def _lines(self, events: Sequence[Event], cast: Any) -> tuple[Line, ...]:
        found = (_line(event, cast, self._own("events")) for event in events)
        return tuple(line for line in found if line.body.text)

    def _past(
        self, phases: Sequence[PastPhase]
    ) -> tuple[tuple[int, str, tuple[str, ...], bool], ...]:
        """The past for a page, the latest first."""
        return tuple(
            (past.turn, self.phase_name(past.phase), past.lines, past.is_undone)
            for past in reversed(phases)
        )

    def _cast(self, view: Any, you: int | None) -> Cast:
        return Cast(tuple(clean_line(player.name) for player in view.players), you or 0)

    def _asks(self, view: Any, cast: Any) -> str:
        """What is asked, and of whom."""
        if view.stage == "over":
            return "The game is over"
        everybody = len(view.asked) == len(view.players)
        what = self.phase_name(view.stage)
        whom = "everybody" if everybody else _join(cast.people(view.asked))
        return f"{what[:1].upper()}{what[1:]} asked of {whom}"

    def turn_number(self, view: Any) -> int:
        """The number of the turn that a view is of, 0 before the first."""
        return int(view.turn)

    def _where(self, view: Any) -> str:
        return "The end" if view.stage == "over" else f"{self.turn_word.capitalize()} {view.turn}"

    def _due(self, values: Mapping[str, Any]) -> str:
        due, name = values["due"], self.phase_name(values["view"].stage)
        return f"{name} due {due.bare}" if due is not None else f"{name} due"

    def corrections(self, view: Any, events: Sequence[Event]) -> Sequence[str]:
        """What a game master sets right, a sentence of plain text each; `events` are those that the
        view's reader may know.
        """
        told = (event for event in events if event.kind in self.set_right)
        return tuple(self.describe_event(event, view) for event in told)

    def describe_event(self, event: Event, view: Any) -> str:
        """One line of plain text, for live progress, history and logs."""
        told = "".join(line.body.text for line in self._lines((event,), self._cast(view, None)))
        return told.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")

    def describe_events(self, events: Sequence[Event], view: Any) -> Sequence[str]:
        """The same of all events of a close that have words."""
        return tuple(filter(None, (self.describe_event(event, view) for event in events)))

    def lead(self, view: Any, events: Sequence[Event]) -> Lead:
        """The news in a headline, with the turn it is about, and a sentence; the same for
        everybody.
        """
        kinds = {event.kind for event in events}
        if view.stage == "over":
            return self._lead_of_end(view, events)
        if "game-set-up" in kinds or "seats" in kinds:
            return Lead("The game begins", f"{self.title} begins.")
        if kinds and kinds <= self.set_right:
            told = " ".join(self.corrections(view, events))
            headline = f"{self._where(view)}: set right by the game master"
            return Lead(headline, told[:MOST_SENTENCE])
        return lead_of(self.news(view, events), self.when(view, events), self.quiet(view))

    def _lead_of_end(self, view: Any, events: Sequence[Event]) -> Lead:
        """Who won; a game that counts points says by how many."""
        outcome = self.outcome(view)
        return lead_of((News("end", OVER, outcome.rstrip("."), outcome),), "", "")

    def turning_points(
        self, closes: Sequence[Close], seed: str, you: int | None = None
    ) -> Sequence[Told]:
        """What decided the game, told as cause, act and consequence. `closes` are all that count,
        the start first; `seed` chooses the words; `you` is the player to whom it is told.
        """
        narrator, past = self._narrated(closes, seed, you)
        return narrator.tell(past)

    def recounted(self, closes: Sequence[Close], seed: str) -> Mapping[int, str]:
        """A paragraph a turn; the rest as in `turning_points`."""
        narrator, past = self._narrated(closes, seed)
        return narrator.recount(past)

    def _narrated(
        self, closes: Sequence[Close], seed: str, you: int | None = None
    ) -> tuple[Narrator, Past]:
        own = self._own("narrator")
        casts = [marked(self._cast(close.view, None), you) for close in closes]
        return narrator_of(self, closes, own if is_template(own) else "", seed, casts, you)

    def lasting(self, closes: Sequence[Close]) -> Sequence[Close]:
        """The same closes; those of which something was taken back later, within the game, have
        only the events that still count.
        """
        return closes

    def told_alone(self, events: Sequence[Event]) -> Sequence[Event]:
        """What the letter of a turn tells in a line, since nobody else tells it: what the reader
        alone may know, and what a game master set right.
        """
        return [
            event
            for event in events
            if event.kind in self.set_right
            or (event.audience is not None and event.kind not in self.in_figures)
        ]

    def _left_open(
        self, table: Table, reader: Reader, view: Any, cast: Any, standing: Standing[Any] | None
    ) -> Values:
        """What is missing of a reader who is asked, and what happens if nothing comes."""
        is_asked = reader.number is not None and reader.number in view.asked
        return {
            "gaps": self._gaps(reader, view, cast, standing or Standing[Any]()),
            "silence": self.silence(view, cast, table.rules_url) if is_asked else None,
        }

    def _gaps(
        self, reader: Reader, view: Any, cast: Any, standing: Standing[Any]
    ) -> tuple[Gap, ...]:
        """Of final orders, and of a reader who is not asked, nothing is missing."""
        if reader.number is None or reader.number not in view.asked or standing.final:
            return ()
        return tuple(self.gaps(view, cast, standing.orders))

    def _told(self, view: Any, events: Sequence[Event], you: int | None) -> Values:
        """The news as pages tell them: `lead` (None: there are none), then `own_news` of the
        reader and `news` of the others, the greatest first, sentences of plain text; `headline` is
        what a subject begins with, the reader's own or the greatest.
        """
        found = ordered(self.news(view, events, you)) if events else []
        told = [one for one in found if one.kind not in self.told_apart]
        own = tuple(
            dict.fromkeys(one.told for one in told if you is not None and you in one.players)
        )
        others = tuple(dict.fromkeys(one.told for one in told if one.told not in own))
        lead = self.lead(view, events) if events else None
        first = lead.first if lead is not None else ""
        return {
            "lead": lead,
            "headline": own_headline(told, you or 0) or f"{first[:1].upper()}{first[1:]}",
            "own_news": own,
            "news": others,
            "first_news": opening_of(own or others[:1]),
        }


@lru_cache(maxsize=4096)
def _line(event: Event, cast: Cast, template: str) -> Line:
    macro = event.kind.replace("-", "_")
    return Line("", twin(template, macro, event.facts, cast), event.rules)


def _join(words: Sequence[str]) -> str:
    *others, last = words or ("Nobody",)
    return f"{', '.join(others)} and {last}" if others else last
