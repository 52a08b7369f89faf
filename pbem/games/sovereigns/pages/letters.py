"""The pages of States & Sovereigns: the usual ones with the words of `templates/sovereigns/`, a
private sheet, and the season told as a chronicle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from msgspec import structs

from engine.ruleset import Event, Problem, RulingRequest, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.events import (
    OfferMade,
    RulingGiven,
    Traded,
    TradeFailed,
    WindowOpened,
    number_of_offer,
)
from engine.sovereigns.questions import Odds, Question
from engine.sovereigns.state import SEASONS, Points
from engine.sovereigns.view import RulerView, TableView
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages import facts
from pbem.games.sovereigns.pages.archive import (
    areas_of,
    chips_of,
    lasting,
    ordered_in,
    plots_of,
    standing_of,
)
from pbem.games.sovereigns.pages.cast import BOOK, Cast, cast_of, order_text
from pbem.games.sovereigns.pages.chances import chances, examples, year_rows
from pbem.games.sovereigns.pages.chronicle import render_chronicle
from pbem.games.sovereigns.pages.events import briefs, lines_of_letter
from pbem.games.sovereigns.pages.news import news_of
from pbem.games.sovereigns.pages.odds import odds_line, supposed_values
from pbem.games.sovereigns.pages.seasons import seasons_of
from pbem.games.sovereigns.pages.why import why_values
from pbem.pages.archive import Area, Chip, Close, Plot
from pbem.pages.dates import moment
from pbem.pages.kit.receipt_lines import Gap, Reason
from pbem.pages.kit.supposing import question_values
from pbem.pages.kit.usual import UsualPages, Values
from pbem.pages.news import OVER, Lead, News, lead_of
from pbem.pages.page import (
    Page,
    PastPhase,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    SuppositionFacts,
    Table,
)
from pbem.pages.rendering import Line, phrase

WORDS = "sovereigns/words.j2"
SPOKEN = "sovereigns/spoken.j2"
RULING = "sovereigns/ruling_words.j2"
NAMES = (
    "Aldermark",
    "Borland",
    "Cyrene",
    "Dunmore",
    "Eskerland",
    "Fairhaven",
    "Galloway",
    "Highmoor",
    "Ivelle",
    "Jorvik",
    "Kestria",
    "Lorne",
)
"""Of kingdoms, for the examples of each seat: two of the same name cannot be."""
_RULES_OF = {
    "used-up": ("SS-7.7", "SS-11.5", "SS-10.3"),
    "warn-trade": ("SS-5.7",),
}
"""Rules that the words of a code speak of, where it is of several orders."""


class SovereignsPages(UsualPages):
    """What differs from the usual pages."""

    title = "States & Sovereigns"
    about = (
        "kingdoms without a map: gather Resources, Military and Harmony, trade, discover, attack,"
        " and be the last ruler standing, for 2 to 12 players"
    )
    turn_word = "Year"
    order_word = "order"
    set_right = frozenset({"corrected", "ruled", "technology-changed"})
    package = "sovereigns"
    book = BOOK
    secrecy = "Nobody else sees your orders before they are carried out."
    phrases = (
        ("Split 4/3/2, Aldermark", "4 Resources, 3 Military, 2 Harmony, and the name"),
        ("Harmony: 3 dice", "public support; also: all but 1, rule by fear"),
        ("Every year: Harmony: all but 1", "kept for all years; also: Every season: ..."),
        ("Research 3, steel, +1 on Military rolls", "a discovery with what it becomes"),
        ("Raise military by one with 4 resources", "or harmony"),
        ("Attack Borland with 3, burn the hospital", "also: spare buildings"),
        ("Attack Borland with 3, else expedition 2", "if the first is not possible"),
        ("Send spies (1) into Borland", "also: rob, preach in, foment revolt in"),
        ("Security with 2 military", "also: found a faith, contact the supernatural"),
        ("Research with 2 resources and deplete 1", "an expended Resource is used once more"),
        ("Expedition with 2 military, boon", "uses a boon that you have"),
        ("Build the hospital", "if a technology allows it"),
        ("Offer Cyrene 2 military for 1 resource", "until the year ends; also: for keeps"),
        ("Accept offer 3", "also: decline, withdraw"),
        ("Propose steel, +1 on Military rolls", "what an open discovery becomes"),
        ('Try: 3R against Borland "dig a canal"', "anything else; the game master may rule"),
        ("Object to action 14: that cannot be", "the game master decides"),
        ("I claim victory", "all other rulers vote"),
        ("Vote yes on Borland", "or no"),
        ("Pass", "no action this season; also: done, cancel all"),
        ("Abdicate", "your kingdom falls at the next close"),
    )

    def format_order(self, view: TableView, order: o.Order) -> str:
        return order_text(view, order)

    def spoken(self, view: TableView, text: str) -> str:
        return "\n".join(_spoken(view, line) for line in text.splitlines())

    def fate(self, view: TableView, player: RulerView) -> str:
        return phrase(WORDS, "fate", view, view.kingdom(player.number), cast_of(view, None))

    def ranked(self, view: TableView) -> Sequence[RulerView]:
        """The winners first, then the living by what they have, then the fallen, the last to fall
        before the others (SS-11.8).
        """

        def place(player: RulerView) -> tuple[bool, bool, int, int, int, int]:
            one = view.kingdom(player.number)
            total = one.total
            won = player.number in view.winners
            return won, one.alive, one.fell, sum(_three(total)), total.H, total.R

        return sorted(view.players, key=place, reverse=True)

    def ask(self, view: TableView, name: str) -> str:
        you = view.you.number if view.you is not None else None
        return phrase(WORDS, "ask", view, name, cast_of(view, you))

    def answers(self, view: TableView) -> Sequence[tuple[str, str]]:
        if view.you is None:
            return ()
        told: list[tuple[o.Order, str]] = []
        redo = facts.redo_of(view)
        if redo:
            return (("Redo: pass", phrase(WORDS, "pass_again", redo)),)
        if view.stage == "setup":
            name = NAMES[view.kingdom(view.you.number).seat - 1]  # another for each to copy
            splits = (o.Split(4, 3, 2, name), o.Split(3, 2, 4, name))
            told = [(split, phrase(WORDS, "split_answer", split)) for split in splits]
        elif view.stage == "year-start":
            total = view.kingdom(view.you.number).total.H
            if total < 1:
                return (("Harmony: 0", phrase(WORDS, "doomed_answer", view.you.free.M)),)
            for points in dict.fromkeys((total, total - 1)):
                if points > 0:
                    way = o.Year((o.Way(points=points),))
                    told.append((way, self._chance(view, way)))
            told.append((o.Year((o.Way(fear=True),)), phrase(WORDS, "fear_answer")))
        elif view.stage == "season":
            for order in examples(view):
                told.append((order, self._chance(view, order)))
            told.append((o.Pass(), phrase(WORDS, "pass_answer")))
        cast = cast_of(view, None)
        return tuple((phrase(SPOKEN, "order", order, cast), what) for order, what in told)

    def _chance(self, view: TableView, order: o.Order) -> str:
        return phrase(WORDS, "answer", order, odds_line(view, order), cast_of(view, None))

    def outcome(self, view: TableView) -> str:
        return phrase(WORDS, "outcome", view, cast_of(view, None))

    def chances(self, view: TableView) -> Values:
        return {"chances": chances(view), "year_rows": year_rows(view)}

    def news(
        self, view: TableView, events: Sequence[Event], you: int | None = None
    ) -> Sequence[News]:
        return news_of(events, cast_of(view, you))

    def when(self, view: TableView, events: Sequence[Event]) -> str:
        """The season that was closed, not the one that is asked about; of what happens between two
        closes the open one.
        """
        if not any(isinstance(event.facts, WindowOpened) for event in events):
            return self._where(view)
        before = SEASONS.index(view.season) - 1 if view.stage == "season" else -1
        return phrase(WORDS, "closed", view, SEASONS[before] if before >= 0 else "")

    def step_name(self, close: Close) -> str:
        """The season by its name."""
        if close.kind != "season":
            return super().step_name(close)
        view = close.view
        season = view.season
        if view.stage == "season":
            season = SEASONS[SEASONS.index(season) - 1]
        return phrase(WORDS, "season_closed", season)

    def quiet(self, view: TableView) -> str:
        return phrase(WORDS, "quiet", view)

    def _lead_of_end(self, view: TableView, events: Sequence[Event]) -> Lead:
        """By how many points, where the points decide (SS-11.8)."""
        best, *others = (view.kingdom(player.number) for player in self.ranked(view))
        second = next((one for one in others if one.alive), None)
        points, more = (0 if one is None else sum(_three(one.total)) for one in (best, second))
        rival = second.number if second is not None else 0
        headline = phrase(WORDS, "won", view, cast_of(view, None), points, points - more, rival)
        return lead_of((News("won", OVER, headline, self.outcome(view)),), "", "")

    def gaps(self, view: TableView, cast: Cast, orders: Sequence[o.Order]) -> Sequence[Gap]:
        """The answer to the question, unless it was given in advance."""
        own, kind = view.you, view.stage
        wanted = {"setup": o.Split, "year-start": o.Year, "season": o.Do | o.Pass}.get(kind)
        if own is None or wanted is None or any(isinstance(one, wanted) for one in orders):
            return ()
        ahead = (own.every_year or own.year_order) if kind == "year-start" else own.every_season
        if kind != "setup" and ahead is not None:
            return ()
        return (Gap(phrase(WORDS, "missing", kind), line=self.answers(view)[-1][0]),)

    def ruling_request(
        self, table: Table, view: TableView, request: RulingRequest, until: datetime
    ) -> Page:
        """One question to the game master, what is done without an answer, and the answers."""
        reader = Reader(None, table.gm_name, table.zone, table.locale)
        title = phrase(RULING, "title", request, cast_of(view, None))
        values = self._values(table, reader, view)
        values |= {"title": title, "request": request, "f": request.facts}
        values["until"] = moment(until, table.now, table.zone, table.locale)
        return self._page("ruling", table, title, values)

    def chronicle(self, view: TableView, past: Sequence[PhaseEvents]) -> str:
        return render_chronicle(self.outcome(view), self.players(view), view, past)

    def areas(self, view: TableView) -> Sequence[Area]:
        return areas_of(view)

    def chips(self, view: TableView) -> Sequence[Chip]:
        return chips_of(view)

    def ordered(
        self, view: TableView, events: Sequence[Event]
    ) -> Sequence[tuple[int, tuple[str, ...]]]:
        return ordered_in(view, events)

    def standing(self, view: TableView) -> Mapping[int, int]:
        return standing_of(view)

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        return plots_of(closes)

    def lasting(self, closes: Sequence[Close]) -> Sequence[Close]:
        return lasting(closes)

    def happened(
        self, table: Table, reader: Reader, view: TableView, events: Sequence[Event]
    ) -> Page:
        """An open offer appears once, with the possible answers."""
        values = self._values(table, reader, view, events=events)
        known = {offer.id for offer in view.you.offers} if view.you is not None else set()
        again = _traded_again(events)
        rest = [
            event
            for event in events
            if not (
                isinstance(event.facts, OfferMade)
                and (
                    event.facts.id in again
                    or (
                        event.facts.target == reader.number
                        and number_of_offer(event.facts, reader.number) in known
                    )
                )
            )
        ]
        news = self.news(view, rest or events, reader.number)
        title = lead_of(news, "", phrase(WORDS, "nothing_new")).headline
        values |= {"title": title, "again": bool(again), "ruled": _ruled_on(view, events)}
        lines = self._lines(rest, self._cast(view, reader.number))
        return self._page("happened", table, title, values | {"lines": lines})

    def receipt(self, table: Table, reader: Reader, view: TableView, facts: ReceiptFacts) -> Page:
        items = tuple(replace(item, problems=_of_trades(item)) for item in facts.items)
        return super().receipt(table, reader, view, replace(facts, items=items))

    def odds(
        self, view: TableView, item: ReceiptItem, standing: Sequence[o.Order]
    ) -> Sequence[str]:
        """The chances of each roll, and what a kingdom without a name is called."""
        orders = [order for text in item.texts if (order := _read(view, text)) is not None]
        found = [odds_line(view, order, standing) for order in orders]
        told = [f"Chance: {odds}." for odds in found if odds]
        if view.you is not None and any(
            isinstance(one, o.Split) and not one.name for one in orders
        ):
            told.append(phrase(WORDS, "unnamed", view.kingdom(view.you.number).seat))
        return told

    def ended(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        return {"title": self.lead(view, events).headline}

    def supposed(self, view: TableView, cast: Cast, facts: SuppositionFacts) -> Values:
        told = question_values(facts, lambda problem: self._of_question(problem, cast))
        return told | supposed_values(view, cast, facts.events)

    def account(
        self,
        view: TableView,
        cast: Cast,
        question: Question | Odds | Problem,
        past: Sequence[PhaseEvents],
    ) -> Values:
        return why_values(
            view, cast, question, past, lambda problem: self._of_question(problem, cast)
        )

    # ---------------------------------------------------------------------------------------- parts
    def values(self, view: TableView, reader: Reader) -> Values:
        return {
            "ballots": facts.ballots(view),
            "redo": facts.redo_of(view),
            "discoveries": facts.open_discoveries(view),
        }

    def _values(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        standing: Standing[o.Order] | None = None,
        events: Sequence[Event] = (),
    ) -> Values:
        values = super()._values(table, reader, view, standing, events)
        values["briefs"] = briefs(events, self._cast(view, reader.number))
        values["ask"] = phrase(WORDS, "short_ask", view, self._cast(view, reader.number))
        if view.asked and view.stage == "over":  # a redo is asked alone
            values["title"] = self.ask(view, reader.name)
        return values

    def _reason(self, problem: Problem, cast: Cast) -> Reason:
        """A warning leaves the order standing, and some say so in words of their own; there are
        two things to confirm.
        """
        if problem.warning and problem.code in _WARNED_OF:
            problem = structs.replace(problem, code=f"warn-{problem.code}")
        elif problem.code == "confirm" and "SS-11.9" in problem.rules:
            problem = structs.replace(problem, code="confirm-abdicate")
        rules = tuple(rule for rule in problem.rules if "." in rule)  # a section is no rule
        rules = _RULES_OF.get(problem.code, rules)
        return super()._reason(structs.replace(problem, rules=rules), cast)

    def _lines(self, events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
        return lines_of_letter(events, cast)

    def _cast(self, view: TableView, you: int | None) -> Cast:
        return cast_of(view, you)

    def _asks(self, view: TableView, cast: Cast) -> str:
        return phrase(WORDS, "asks", view, cast)

    def _where(self, view: TableView) -> str:
        return "The end" if view.stage == "over" else phrase(WORDS, "where", view)

    def _due(self, values: Mapping[str, Any]) -> str:
        due, view = values["due"], values["view"]
        if values["redo"]:  # has hours of its own (SS-12.6)
            return phrase(WORDS, "due_again")
        told = phrase(WORDS, "due", view)
        return f"{told} {due.bare}" if due is not None else told

    def _past(
        self, phases: Sequence[PastPhase]
    ) -> tuple[tuple[int, str, tuple[str, ...], bool], ...]:
        """With the names of the seasons, which come in turn after the start of their year."""
        seasons = seasons_of((past.phase, past.is_undone) for past in phases)
        named = zip(phases, seasons, strict=True)
        return super()._past(
            [
                replace(past, phase=season if past.phase == "season" and season else past.phase)
                for past, season in named
            ]
        )


def _three(points: Points) -> tuple[int, int, int]:
    return points.R, points.M, points.H


def _traded_again(events: Sequence[Event]) -> frozenset[int]:
    """Offers that were made and carried out within one letter: nobody accepts so soon, so a redo
    must have repeated them (SS-10.5).
    """
    ended = {e.facts.id for e in events if isinstance(e.facts, Traded | TradeFailed)}
    return frozenset(e.facts.id for e in events if isinstance(e.facts, OfferMade)) & ended


def _ruled_on(view: TableView, events: Sequence[Event]) -> str:
    """The order that a ruling among these events is for (SS-8.3); empty if there is none."""
    if view.you is None or not any(isinstance(event.facts, RulingGiven) for event in events):
        return ""
    return "".join(order_text(view, ruling.order) for ruling in view.you.rulings[-1:])


def _of_trades(item: ReceiptItem) -> tuple[Problem, ...]:
    """Of an acceptance a warning tells that the trade fails whole (SS-5.7)."""
    if not any(text.startswith("Accept ") for text in item.texts):
        return item.problems
    return tuple(
        structs.replace(problem, code=_FAILS[problem.code]) if problem.warning else problem
        for problem in item.problems
    )


_WARNED_OF = ("not-enough", "no-building", "confirm", "min-one")
"""Codes of refusals that say something else as warnings."""
_FAILS = {"not-enough": "warn-trade", "already-owned": "warn-trade-owned"}


def _spoken(view: TableView, text: str) -> str:
    """An order in the words of the examples, where these say all of it."""
    order = _read(view, text)
    match order:
        case o.Do((way,), None):
            said = o.Action(
                way.kind,
                way.attribute,
                way.points or 0,
                way.depleted,
                way.target,
                way.raises,
                way.proposal,
            )
            is_whole = way == said and way.kind != "Try" and not _has_origin(way.proposal)
        case o.Propose(proposal):
            is_whole = not _has_origin(proposal)
        case o.Year((way,), None):
            is_whole = way in (o.Way(points=way.points or 0), o.Way(fear=True))
        case _:
            is_whole = isinstance(order, o.Build | o.Split)
    return phrase(SPOKEN, "order", order, cast_of(view, None)) if is_whole else text


def _has_origin(proposal: o.Proposal | None) -> bool:
    return proposal is not None and bool(proposal.origin)


def _read(view: TableView, text: str) -> o.Order | None:
    """A canonical text; None for what the house says in words of its own."""
    names: Any = view
    try:
        return parse_order(names, text)
    except ValueError:
        return None


PAGES = SovereignsPages()
