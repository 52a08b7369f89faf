"""The pages of Protectors of the Realm: what each mail is made of. The words are in
`templates/protectors/`.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.protectors.events import CardRevealed, DeckRenewed, GameWon, OptionVoted, TurnBegan
from engine.protectors.orders import Order
from engine.protectors.questions import Question
from engine.protectors.view import PlayerView, TableView
from engine.ruleset import Event, Problem, Standing
from pbem.games.protectors.pages.abilities import (
    abilities_of,
    chooses_faction,
    factions_to_choose,
    shown_to_bank,
)
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.cast import Cast, cast_of
from pbem.games.protectors.pages.defaults import default_of, missing_of
from pbem.games.protectors.pages.events import (
    chapters,
    corrections,
    describe,
    digest,
    revealed_orders,
)
from pbem.games.protectors.pages.examples import examples
from pbem.games.protectors.pages.facts import brackets, is_ranked, me, own_rows, pieces
from pbem.games.protectors.pages.gallery import fate_of, outcome_of, ranked
from pbem.games.protectors.pages.news import news_of
from pbem.games.protectors.pages.receipt import sort_items, standing_sum
from pbem.games.protectors.pages.supposing import supposition_values
from pbem.games.protectors.pages.why import why_values
from pbem.pages.dates import moment
from pbem.pages.kit.arms import arms_of
from pbem.pages.kit.receipt_lines import Sorted
from pbem.pages.kit.usual import UsualPages, Values
from pbem.pages.news import News
from pbem.pages.notice import seen
from pbem.pages.page import (
    Page,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    SuppositionFacts,
    Table,
    locale_of,
)
from pbem.pages.rendering import Line, chat_words, page, phrase, twin

SUBJECTS = "protectors/subjects.j2"


class ProtectorsPages(UsualPages):
    """What differs from the usual pages."""

    title = "Protectors of the Realm"
    about = "secret orders, battles, a Dragon, for 2 to 16 players"
    package = "protectors"
    book = BOOK

    def phase_name(self, kind: str) -> str:
        return phrase(SUBJECTS, "phase_words", kind)

    def format_order(self, view: TableView, order: Order) -> str:
        return cast_of(view, None).order(order)

    def fate(self, view: TableView, player: PlayerView) -> str:
        return fate_of(view, player)

    def ranked(self, view: TableView) -> Sequence[PlayerView]:
        return ranked(view)

    def welcomed(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        seat = me(view) if view.you is not None else None
        players = tuple(
            (
                player.number,
                cast.name(player.number),
                arms_of(player.colour),
                cast.place(player.start) if player.start else "",
                player.faction or "",
                cast.team_of(player.number) or "",
            )
            for player in view.players
        )
        votes = [event for event in events if isinstance(event.facts, OptionVoted)]
        return {
            "start": "" if seat is None else cast.place(seat.start),
            "players": players,
            "examples": self._examples(view, cast),
            "votes": digest(votes, cast),
        }

    def turn(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        events: Sequence[Event],
        standing: Standing[Order],
    ) -> Page:
        cast = cast_of(view, reader.number)
        values = self._values(table, reader, view, standing, events)
        seat = me(view)
        rivals = next((tie for tie in view.ties if seat.number in tie), ())
        values |= {
            "examples": () if standing.final else self._examples(view, cast),
            "own_words": self.own_words(view),
            "past_turn": (
                view.turn if view.stage == "dragon" else _turn_of(events, view)
            ),  # the Dragon is told behind the turn's bids
            "rivals": cast.people(number for number in rivals if number != seat.number),
            "factions": factions_to_choose(view),
            "shown": shown_to_bank(view, cast),
        }
        return self._titled("turn", table, values, caption=True)

    def happened(
        self, table: Table, reader: Reader, view: TableView, events: Sequence[Event]
    ) -> Page:
        cast = cast_of(view, reader.number)
        title = self.lead(view, events).headline
        values = self._values(table, reader, view, events=events) | {"title": title}
        values["shown"] = shown_to_bank(view, cast) if view.you is not None else ()
        values["revealed"] = revealed_orders(events, cast)
        return self._page("happened", table, title, values)

    def sorted_lines(self, view: TableView, cast: Cast, facts: ReceiptFacts) -> Sorted:
        return sort_items(view, cast, facts)

    def received(self, view: TableView, cast: Cast, facts: ReceiptFacts, values: Values) -> Values:
        missing = missing_of(view, cast, facts.standing_orders)
        is_locked = facts.final and bool(values["refused"])
        return {
            "mood": "final" if is_locked and values["mood"] == "nothing" else values["mood"],
            "in_all": standing_sum(view, cast, facts.standing_orders),
            "is_locked": is_locked,
            "missing": missing,
            "open": missing_of(view, cast, facts.standing_orders, whole=True),
            "has_missing": (
                bool(twin("protectors/missing.j2", "any", missing).text) and not facts.final
            ),
        }

    def bulletin(self, table: Table, view: TableView, events: Sequence[Event]) -> Page:
        told = super().bulletin(table, view, events)
        revealed = revealed_orders(events, cast_of(view, None))
        if not revealed:
            return told
        orders = chat_words(
            "protectors/chat_revealed.j2", told.subject, {"revealed": revealed}
        )  # where both do not fit, these come below
        return replace(told, chat=f"{told.chat}\n\n{orders}")

    def ended(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        won = next((event for event in reversed(events) if isinstance(event.facts, GameWon)), None)
        facts = won.facts if won is not None and isinstance(won.facts, GameWon) else None
        winners = cast.people(view.winners)
        drawn = cast.people(tuple(sorted(view.ranking))) if view.ended_by == "draw" else ()
        island = view.island is not None
        return {
            "title": phrase(SUBJECTS, "ending", winners, cast.team(view.winners), drawn),
            "how": view.ended_by,
            "winners": winners,
            "drawn": drawn,
            "prize": facts.prize if facts is not None else 0,
            "teams": facts.teams if facts is not None else (),
            "scores": _scores(facts, cast, island=island) if facts is not None else (),
            "island": island,
            "end_rules": won.rules if won is not None else (),
        }

    def seen(self, events: Sequence[Event], cast: Cast) -> Sequence[object]:
        """The cards that come again in the order in which they came: of each deck those up to its
        first shuffle.
        """
        cards: dict[str, list[str]] = {}
        shuffled: set[str] = set()
        for event in events:
            match event.facts:
                case DeckRenewed(deck=deck):
                    shuffled.add(deck)
                case CardRevealed(deck=deck, card=card) if deck not in shuffled:
                    cards.setdefault(deck, []).append(card)
        return tuple((cast.deck(deck), tuple(names)) for deck, names in cards.items())

    def helped(self, view: TableView, cast: Cast) -> Values:
        shown = self._examples(view, cast_of(view, cast.you))
        return {
            "examples": shown,
            "example": shown[0].texts if shown else (),
            "asked": phrase("protectors/phrases.j2", "next_question", view),
            "supposes": True,
        }

    def why(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        question: Question | Problem,
        past: Sequence[PhaseEvents],
    ) -> Page:
        template, answer = why_values(view, cast_of(view, reader.number), question, past)
        values: Values = {"table": table, "reader": reader, "view": view}
        return page(template, f"[{table.title}] {answer['title']}", values | answer)

    def supposition(
        self, table: Table, reader: Reader, view: TableView, facts: SuppositionFacts
    ) -> Page:
        after: TableView = facts.after if facts.after is not None else view
        values = self._values(table, reader, after) | supposition_values(
            view, after, cast_of(view, reader.number), facts
        )
        values["before_view"] = view
        return self._titled("supposition", table, values)

    def outcome(self, view: TableView) -> str:
        return outcome_of(view)

    def corrections(self, view: TableView, events: Sequence[Event]) -> Sequence[str]:
        return corrections(
            events, view, cast_of(view, view.you.number if view.you is not None else None)
        )

    def describe_event(self, event: Event, view: TableView) -> str:
        return describe(event, cast_of(view, view.you.number if view.you is not None else None))

    def own_words(self, view: TableView) -> str:
        """An order of this position in a player's own words; empty when there is none to give."""
        return phrase("protectors/subjects.j2", "own_words", view, cast_of(view, None))

    # ---------------------------------------------------------------------------------------- parts
    def _values(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        standing: Standing[Order] | None = None,
        events: Sequence[Event] = (),
    ) -> Values:
        """What nearly every page shows."""
        cast, sent = cast_of(view, reader.number), standing or Standing[Order]()
        own, shared = view.you is not None, pieces(view, cast, table.rules_url)
        coat = arms_of(me(view).colour) if own else None
        lines = digest(events, cast)
        return {
            "table": table,
            "reader": reader,
            "view": view,
            "c": cast,
            "you": view.you,
            "asked": view.you is not None and view.you.number in view.asked,
            "due": seen(table.deadline, table, reader),
            "when": moment(table.now, table.now, reader.zone, locale_of(table, reader)),
            "alt": shared.alt,
            "piece": shared,
            "ranked": is_ranked(view),
            "mine": own_rows(view, cast) if own else (),
            "self_row": me(view) if own else None,
            "own_abilities": abilities_of(view, cast) if own else None,
            "arms_words": f"{coat.colour} {coat.symbol}" if coat is not None else "",
            "chooses": chooses_faction(view),
            "minimum": me(view).minimum if own else 0,
            "has_units": own and any(row.units for row in own_rows(view, cast)),
            "default": default_of(view, cast) if own else None,
            "stored": cast.orders(sent.orders),
            "is_final": sent.final,
            "missing": missing_of(view, cast, sent.orders) if own else None,
            "examples": () if sent.orders else self._examples(view, cast),
            "lines": lines,
            "headlines": lines,
            "chapters": chapters(events, cast),
            "brackets": brackets(view, cast),
            **self._told(view, events, reader.number),
        }

    @staticmethod
    def _examples(view: TableView, cast: Cast) -> tuple["_Shown", ...]:
        if view.you is None or view.you.number not in view.asked:
            return ()
        return tuple(
            _Shown(example.texts(cast), example.why(cast)) for example in examples(view, cast)
        )

    def _lines(self, events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
        return digest(events, cast)

    def news(
        self, view: TableView, events: Sequence[Event], you: int | None = None
    ) -> Sequence[News]:
        return news_of(events, cast_of(view, you))

    def when(self, view: TableView, events: Sequence[Event]) -> str:
        return f"Turn {_turn_of(events, view)}"

    def _cast(self, view: TableView, you: int | None) -> Cast:
        return cast_of(view, you)


class _Shown:
    """An example ready to be shown."""

    __slots__ = ("texts", "why")

    def __init__(self, texts: tuple[str, ...], why: object) -> None:
        self.texts = texts
        self.why = why


def _turn_of(events: Sequence[Event], view: TableView) -> int:
    """The turn a bulletin is about: the one in which its events began."""
    for index, event in enumerate(events):
        if isinstance(event.facts, TurnBegan):
            return event.facts.turn if index == 0 else max(1, event.facts.turn - 1)
    return view.turn


def _scores(facts: GameWon, cast: Cast, *, island: bool) -> tuple[tuple[object, ...], ...]:
    rows = []
    for place, (player, tokens, land, isle, total, units, realm, _rank) in enumerate(
        facts.scores, start=1
    ):
        middle = (land, isle) if island else (land,)
        rows.append((place, cast.name(player), tokens, *middle, total, units, realm))
    return tuple(rows)


PAGES = ProtectorsPages()
