"""The pages of Realm-Master: what each mail is made of. The words are in
`templates/realm_master/`.
"""

from collections.abc import Mapping, Sequence

from engine.realm_master.cards import all_turn_cards
from engine.realm_master.conditions import card_name
from engine.realm_master.events import (
    CardBought,
    CardRevealed,
    DeckRebuilt,
    DiceRolled,
    OptionVoted,
    RoundBegan,
)
from engine.realm_master.orders import Order
from engine.realm_master.questions import Odds, Question
from engine.realm_master.view import HeroView, TableView
from engine.realm_master.wording import format_order
from engine.ruleset import Event, Problem, Standing
from pbem.games.realm_master.pages.answers import answers, lands_to_enter
from pbem.games.realm_master.pages.archive import areas_of, chips_of, lasting, plots_of
from pbem.games.realm_master.pages.cast import (
    BOOK,
    Cast,
    cast_of,
    deed_of,
    effect_of,
    gift_of,
    in_words,
)
from pbem.games.realm_master.pages.events import (
    chapters,
    corrections,
    describe,
    event_lines,
    turns_told,
)
from pbem.games.realm_master.pages.facts import (
    hero_choices,
    hero_rows,
    land_rows,
    me,
    own_cards,
    pieces,
    price_for,
    row_rows,
)
from pbem.games.realm_master.pages.gallery import fate_of, headline_of, outcome_of, ranked
from pbem.games.realm_master.pages.news import banners_before, news_of, own_news
from pbem.games.realm_master.pages.plan import (
    answers_among,
    earlier_words,
    gaps_of,
    line_for,
    plan_facts,
)
from pbem.games.realm_master.pages.receipt import sort_items
from pbem.games.realm_master.pages.tales import tale_lines, tales
from pbem.games.realm_master.pages.why import why_values
from pbem.pages.archive import Area, Chip, Close, Plot
from pbem.pages.dates import moment, seen
from pbem.pages.kit.receipt_lines import Gap, Sorted
from pbem.pages.kit.usual import UsualPages, Values
from pbem.pages.news import OVER, Lead, News, lead_of, opening_of
from pbem.pages.page import Page, PhaseEvents, Reader, ReceiptFacts, Table, locale_of
from pbem.pages.rendering import Line, Twin, phrase, twin

SUBJECTS = "realm_master/subjects.j2"
WORDS = "realm_master/words.j2"
NEW = 3
"""Before this round letters explain more."""


class RealmMasterPages(UsualPages):
    """What differs from the usual pages."""

    title = "Realm-Master"
    about = "heroes, dice and four lands, for 2 to 6 players"
    package = "realm_master"
    counted = "banner"
    book = BOOK
    turn_word = "round"
    in_figures = frozenset({"line-used"})

    def phase_name(self, kind: str) -> str:
        return phrase(SUBJECTS, "phase_words", kind)

    def format_order(self, view: TableView, order: Order) -> str:
        return format_order(order)

    def spoken(self, view: TableView, text: str) -> str:
        return "\n".join(map(in_words, text.splitlines()))

    def fate(self, view: TableView, player: HeroView) -> str:
        return fate_of(view, player, cast_of(view, None))

    def ranked(self, view: TableView) -> Sequence[HeroView]:
        return ranked(view)

    def welcomed(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        votes = [
            line
            for event in events
            if isinstance(event.facts, OptionVoted)
            for line in event_lines(event, cast)
        ]
        return {"votes": votes, "rows_of_heroes": hero_rows(view, cast)}

    def chances(self, view: TableView) -> Values:
        return {"choices": hero_choices()}

    def happened(
        self, table: Table, reader: Reader, view: TableView, events: Sequence[Event]
    ) -> Page:
        title = self.lead(view, events).headline
        values = self._values(table, reader, view, events=events) | {"title": title}
        return self._page("happened", table, title, values)

    def gaps(self, view: TableView, cast: Cast, orders: Sequence[Order]) -> Sequence[Gap]:
        return gaps_of(view, orders)

    def suggested(
        self, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Sequence[str]:
        found = () if standing.orders else answers(view, cast_of(view, reader.number))
        told = super().suggested(reader, view, standing)
        return (*told, *("\n".join(one.texts) for one in found))

    def silence(self, view: TableView, cast: Cast, url: str) -> Twin:
        return twin(WORDS, "silence", view, url)

    def received(self, view: TableView, cast: Cast, facts: ReceiptFacts, values: Values) -> Values:
        """Who learns of it, and what stands from earlier messages besides. An answer of live play
        that nobody else is waited for with cannot be changed any more.
        """
        told = {text for item in facts.items for text in item.texts} | set(facts.standing)
        table = values["table"]
        is_done = (
            isinstance(table, Table)
            and table.early_close
            and view.stage not in ("heroes", "round")
            and len(view.asked) == 1
            and bool(values["answer"])
            and not values["refused"]
        )
        return {
            "due": None if is_done else values["due"],
            "secrecy": phrase(WORDS, "secrecy", view, table, values["answer"]),
            "is_new": values["is_new"] or view.stage not in ("heroes", "round"),
            "in_all": (
                earlier_words(
                    plan_facts(view, Standing(tuple(facts.standing_orders))),
                    told,
                    is_new=view.round < NEW,
                )
                if view.you is not None and view.stage == "round"
                else None
            ),
        }

    def sorted_lines(self, view: TableView, cast: Cast, facts: ReceiptFacts) -> Sorted:
        return sort_items(view, cast, facts)

    def ended(self, view: TableView, cast: Cast, events: Sequence[Event]) -> Values:
        return {"title": self._lead_of_end(view, events).headline}

    def seen(self, events: Sequence[Event], cast: Cast) -> Sequence[str]:
        """The cards of the decks that come again in the order in which they came, up to the first
        shuffle.
        """
        known: list[str] = []
        for event in events:
            match event.facts:
                case DeckRebuilt():
                    break
                case RoundBegan(name=name):
                    known.append(name)
                case CardRevealed(card=card) | CardBought(drawn=str(card)):
                    known.append(card_name(card))
        return known

    def helped(self, view: TableView, cast: Cast) -> Values:
        found = answers(view, cast)
        return {
            "asked": phrase("realm_master/words.j2", "next_question", view, cast),
            "example": found[0].texts if found else (),
        }

    def account(
        self,
        view: TableView,
        cast: Cast,
        question: Question | Odds | Problem,
        past: Sequence[PhaseEvents],
    ) -> Values:
        return why_values(view, cast, question, past)

    def outcome(self, view: TableView) -> str:
        return outcome_of(view, cast_of(view, None))

    def corrections(self, view: TableView, events: Sequence[Event]) -> Sequence[str]:
        return corrections(events, cast_of(view, view.you.number if view.you is not None else None))

    def describe_event(self, event: Event, view: TableView) -> str:
        return describe(event, cast_of(view, view.you.number if view.you is not None else None))

    # ---------------------------------------------------------------------------------------- parts
    def _values(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        standing: Standing[Order] | None = None,
        events: Sequence[Event] = (),
    ) -> Values:
        """What nearly every page shows; `standing` is what the reader has sent in the open
        window.
        """
        cast = cast_of(view, reader.number)
        seat = me(view) if view.you is not None else None
        row = (
            next((row for row in hero_rows(view, cast) if row.seat == seat.seat), None)
            if seat is not None
            else None
        )
        coats = self.coats_of(view, seat.number) if seat is not None else ()
        told_turns = any(isinstance(event.facts, DiceRolled) for event in events)
        shared = pieces(view, cast, _come(view, events))
        sent = standing or Standing[Order]()
        return {
            "table": table,
            "reader": reader,
            "view": view,
            "c": cast,
            "you": view.you,
            "mine": row,
            "gift": gift_of(seat.hero) if seat is not None and seat.hero is not None else "",
            "own_cards": own_cards(view, cast) if seat is not None else (),
            "asked": seat is not None and seat.number in view.asked,
            "due": seen(table.deadline, table, reader),
            "arms_words": " and ".join(arms.said for arms in coats),
            "outcome": self.outcome(view),
            "own": WORDS,
            "where": phrase(SUBJECTS, "where", view),
            "asks": phrase(WORDS, "next_question", view, cast),
            "turn_word": self.turn_word,
            "past_round": _round_of(events, view) if told_turns else 0,
            **self._left_open(table, reader, view, cast, standing),
            "when": moment(table.now, table.now, reader.zone, locale_of(table, reader)),
            "piece": shared,
            "alt": shared.alt,
            "card_kind": all_turn_cards()[view.card].effect if view.card is not None else "",
            "is_again": (
                view.stage == "round"
                and len(view.to_come) < sum(held.alive for held in view.players)
            ),
            "card_what": effect_of(view.card) if view.card is not None else "",
            "revealed_what": deed_of(view.revealed) if view.revealed is not None else "",
            "revealed_price": (
                price_for(view, view.revealed)
                if view.revealed is not None and seat is not None
                else None
            ),
            "hero_rows": hero_rows(view, cast),
            "others": tuple(other for other in hero_rows(view, cast) if other != row),
            "land_rows": land_rows(view, cast),
            "offers": row_rows(view, cast),
            "plan": plan_facts(view, sent) if seat is not None else None,
            "by_plan": line_for(view, sent) if seat is not None else "",
            "stored": cast.orders(sent.orders),
            "answer": cast.orders(answers_among(view, sent.orders)) if seat is not None else (),
            "answers": answers(view, cast),
            "own_words": self._own_words(view, cast),
            **self._story(view, events, cast),
            "for_you": tuple(
                {
                    line.body.text: line
                    for event in self.told_alone(events)
                    for line in event_lines(event, cast)
                }.values()
            ),
            **self._told(view, events, reader.number),
        }

    def _told(self, view: TableView, events: Sequence[Event], you: int | None) -> Values:
        """A question of live play has no headline where nothing happened before it."""
        told = super()._told(view, events, you)
        own = () if you is None or not events else own_news(self.news(view, events, you), you)
        told |= {"own_news": own, "first_news": opening_of(own) or told["first_news"]}
        is_quiet = view.stage not in ("heroes", "round", "over") and not self.news(view, events)
        return {**told, "lead": None, "headline": ""} if is_quiet else told

    @staticmethod
    def _story(view: TableView, events: Sequence[Event], cast: Cast) -> Values:
        """What happened: a line a turn, and every detail in chapters."""
        found = tales(events, cast, view)
        return {
            "chapters": chapters(events, cast, view),
            "tales": found,
            "lines": tale_lines(found, cast),
            "has_dice": any(event.kind in ("turn", "dice", "resolved") for event in events),
        }

    @staticmethod
    def _own_words(view: TableView, cast: Cast) -> str:
        """A line of a plan in a player's own words, of lands they could enter; empty when there is
        none to give.
        """
        if view.you is None or view.stage != "round" or me(view).at is not None:
            return ""
        return phrase(SUBJECTS, "own_words", cast.lands(land.key for land in lands_to_enter(view)))

    def _lines(self, events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
        return tuple(line for event in events for line in event_lines(event, cast))

    def turn_number(self, view: TableView) -> int:
        return view.round

    def when(self, view: TableView, events: Sequence[Event]) -> str:
        live = view.mode == "interactive"
        return phrase(
            SUBJECTS, "when", _round_of(events, view), turns_told(events, view) if live else ()
        )

    def news(
        self, view: TableView, events: Sequence[Event], you: int | None = None
    ) -> Sequence[News]:
        held = {held.number: held.banners for held in view.players if held.alive}
        return news_of(events, cast_of(view, you), banners_before(events, held))

    def areas(self, view: TableView) -> Sequence[Area]:
        return areas_of(view)

    def chips(self, view: TableView) -> Sequence[Chip]:
        return chips_of(view)

    def standing(self, view: TableView) -> Mapping[int, int]:
        return {one.number: one.banners for one in view.players if one.alive and one.hero}

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        return plots_of(closes)

    def lasting(self, closes: Sequence[Close]) -> Sequence[Close]:
        return lasting(closes)

    def _lead_of_end(self, view: TableView, events: Sequence[Event]) -> Lead:
        headline = headline_of(view, cast_of(view, None))
        won = News("won", OVER, headline, self.outcome(view))
        return lead_of((won,), "", "")

    def _cast(self, view: TableView, you: int | None) -> Cast:
        return cast_of(view, you)


def _come(view: TableView, events: Sequence[Event]) -> frozenset[str]:
    """Cards that are new to a reader: all of them in the first round, then those that have just
    come into the row.
    """
    if view.round < 2:
        return frozenset(pile.card for pile in view.row)
    found: set[str | None] = set()
    for event in events:
        match event.facts:
            case CardBought(drawn=drawn, freed=freed):
                found |= {drawn, freed}
            case CardRevealed(card=card):
                found.add(card)
    return frozenset(card for card in found if card is not None)


def _round_of(events: Sequence[Event], view: TableView) -> int:
    """The round that events are about: the one in which they began."""
    for index, event in enumerate(events):
        if isinstance(event.facts, RoundBegan):
            return (
                event.facts.round if index == 0 or event.facts.round == 1 else event.facts.round - 1
            )
    return view.round


PAGES = RealmMasterPages()
