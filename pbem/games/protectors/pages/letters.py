"""The pages of Protectors of the Realm: what each mail is made of. The words are in
`templates/protectors/`.
"""

from collections.abc import Mapping, Sequence
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
from pbem.games.protectors.pages.archive import (
    areas_of,
    chips_of,
    ordered_in,
    plots_of,
    standing_of,
)
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.cast import Cast, cast_of
from pbem.games.protectors.pages.defaults import default_of, gaps_of, missing_of
from pbem.games.protectors.pages.events import (
    corrections,
    describe,
    digest,
    hoard_once,
    revealed_orders,
)
from pbem.games.protectors.pages.examples import examples, spoken
from pbem.games.protectors.pages.facts import brackets, is_ranked, me, out_rows, own_rows, pieces
from pbem.games.protectors.pages.gallery import fate_of, lead_of_end, outcome_of
from pbem.games.protectors.pages.news import news_of
from pbem.games.protectors.pages.receipt import sort_items, standing_sum
from pbem.games.protectors.pages.suppositions import supposition_values
from pbem.games.protectors.pages.why import why_values
from pbem.games.protectors.places import placed, ranked
from pbem.pages.archive import Area, Chip, Close, Plot
from pbem.pages.dates import moment, seen
from pbem.pages.kit.receipt_lines import Gap, Sorted
from pbem.pages.kit.usual import UsualPages, Values
from pbem.pages.news import Lead, News
from pbem.pages.page import (
    Page,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    SuppositionFacts,
    Table,
    locale_of,
)
from pbem.pages.rendering import Line, Twin, chat_words, page, phrase, twin

SUBJECTS = "protectors/subjects.j2"


class ProtectorsPages(UsualPages):
    """What differs from the usual pages."""

    title = "Protectors of the Realm"
    about = "secret orders, battles, a Dragon, for 2 to 16 players"
    package = "protectors"
    book = BOOK
    order_word = "order"
    told_apart = frozenset({"cards"})
    in_figures = frozenset({"production"})
    secrecy = "Nobody else sees your orders, or that you have sent any."

    def phase_name(self, kind: str) -> str:
        return phrase(SUBJECTS, "phase_words", kind)

    def format_order(self, view: TableView, order: Order) -> str:
        return cast_of(view, None).order(order)

    def spoken(self, view: TableView, text: str) -> str:
        return spoken(text)

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
                self.coats_of(view, player.number)[0],
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
            "examples": () if standing.final else values["examples"] or self._examples(view, cast),
            "own_words": self.own_words(view),
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
        return self._page("happened", table, title, values)

    def sorted_lines(self, view: TableView, cast: Cast, facts: ReceiptFacts) -> Sorted:
        return sort_items(view, cast, facts)

    def gaps(self, view: TableView, cast: Cast, orders: Sequence[Order]) -> Sequence[Gap]:
        return gaps_of(view, missing_of(view, cast, orders, whole=True))

    def suggested(
        self, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Sequence[str]:
        shown = () if standing.orders else self._examples(view, cast_of(view, reader.number))
        told = super().suggested(reader, view, standing)
        return (*told, *(" ".join(one.texts) for one in shown))

    def silence(self, view: TableView, cast: Cast, url: str) -> Twin:
        return twin("protectors/phrases.j2", "silence", view, default_of(view, cast), cast, url)

    def received(self, view: TableView, cast: Cast, facts: ReceiptFacts, values: Values) -> Values:
        has_none = bool(values["refused"]) and not facts.standing
        warnings = {
            "final_of_nothing": facts.final_of_nothing,
            "fills_up": has_none and bool(default_of(view, cast).bought),
        }
        return {
            "in_all": standing_sum(view, cast, facts.standing_orders),
            "warnings": [
                twin("protectors/phrases.j2", name, values["silence"])
                for name, is_so in warnings.items()
                if is_so
            ],
        }

    def bulletin(self, table: Table, view: TableView, events: Sequence[Event]) -> Page:
        told = super().bulletin(table, view, events)
        revealed = revealed_orders(events, cast_of(view, None))
        if not revealed or not table.in_chat:
            return told
        orders = chat_words(
            "protectors/chat_revealed.j2", told.subject, {"revealed": revealed}
        )  # where both do not fit, these come below
        return replace(told, chat=f"{told.chat}\n\n{orders}")

    def ended(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        won = next((event for event in reversed(events) if isinstance(event.facts, GameWon)), None)
        facts = won.facts if won is not None and isinstance(won.facts, GameWon) else None
        return {
            "title": lead_of_end(view).headline,
            "how": view.ended_by,
            "winners": cast.people(view.winners),
            "drawn": cast.people(sorted(view.ranking)) if view.ended_by == "draw" else (),
            "prize": facts.prize if facts is not None else 0,
            "teams": facts.teams if facts is not None else (),
            "scores": _scores(view, cast),
            "out": out_rows(view, cast),
            "island": view.island is not None,
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

    def describe_events(self, events: Sequence[Event], view: TableView) -> Sequence[str]:
        return super().describe_events(tuple(hoard_once(events)), view)

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
        coats = self.coats_of(view, me(view).number) if own else ()
        mine = own_rows(view, cast) if own else ()
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
            "mine": mine,
            "self_row": me(view) if own else None,
            "own_abilities": abilities_of(view, cast) if own else None,
            "arms_words": " and ".join(arms.said for arms in coats),
            "chooses": chooses_faction(view),
            "minimum": me(view).minimum if own else 0,
            "has_units": any(row.units for row in mine),
            "default": default_of(view, cast) if own else None,
            "stored": cast.orders(sent.orders),
            "is_final": sent.final,
            **self._left_open(table, reader, view, cast, standing),
            "where": "The end" if view.stage == "over" else f"Turn {view.turn}",
            "asks": phrase("protectors/phrases.j2", "next_question", view),
            "outcome": self.outcome(view),
            "turn_word": self.turn_word,
            "examples": (shown := () if sent.orders else self._examples(view, cast)),
            "answers": tuple((" ".join(example.texts), "") for example in shown),
            "lines": lines,
            "for_you": digest(self.told_alone(events), cast),
            "revealed": revealed_orders(events, cast),
            "past_turn": _turn_of(events, view) if events else 0,
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

    def areas(self, view: TableView) -> Sequence[Area]:
        return areas_of(view, cast_of(view, None))

    def sides(self, view: TableView) -> Sequence[tuple[str, tuple[int, ...]]]:
        return tuple((f"Team {name}", members) for name, members in view.teams)

    def chips(self, view: TableView) -> Sequence[Chip]:
        return chips_of(view)

    def ordered(
        self, view: TableView, events: Sequence[Event]
    ) -> Sequence[tuple[int, tuple[str, ...]]]:
        return ordered_in(events, cast_of(view, None))

    def standing(self, view: TableView) -> Mapping[int, int]:
        return standing_of(view)

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        return plots_of(closes, cast_of(closes[-1].view, None))

    def when(self, view: TableView, events: Sequence[Event]) -> str:
        return f"Turn {_turn_of(events, view)}"

    def _lead_of_end(self, view: TableView, events: Sequence[Event]) -> Lead:
        return lead_of_end(view)

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


def _scores(view: TableView, cast: Cast) -> tuple[tuple[object, ...], ...]:
    """The places, each with what its points are made of."""
    return tuple(
        (
            place,
            cast.name(player),
            tokens,
            land,
            *((isle,) if view.island is not None else ()),
            total,
        )
        for place, (player, tokens, land, isle, total, *_) in enumerate(placed(view), start=1)
    )


PAGES = ProtectorsPages()
