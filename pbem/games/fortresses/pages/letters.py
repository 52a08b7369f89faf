"""The pages of Fortresses: the usual ones with the words of `templates/fortresses/`, and battles
told die by die.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import count, zip_longest

from engine.fortresses import orders as o
from engine.fortresses.atlas import alliance_of, cost_of
from engine.fortresses.event_kinds import ChancesTold, LineRefused
from engine.fortresses.odds import Odds
from engine.fortresses.orders import parse_order
from engine.fortresses.questions import Question
from engine.fortresses.state import Player
from engine.fortresses.stored_lines import merge
from engine.fortresses.view import TableView
from engine.ruleset import Event, Problem, Standing
from pbem.games.fortresses.coats import COATS
from pbem.games.fortresses.pages import facts
from pbem.games.fortresses.pages.archive import (
    areas_of,
    chips_of,
    kingdoms_of,
    ordered_of,
    plots_of,
    sides_of,
    standing_of,
)
from pbem.games.fortresses.pages.battles import tales
from pbem.games.fortresses.pages.cast import BOOK, Cast, cast_of
from pbem.games.fortresses.pages.events import event_line, is_on_board, lines_of
from pbem.games.fortresses.pages.news import news_of, year_of
from pbem.games.fortresses.pages.odds import example, odds_line, rows_of
from pbem.games.fortresses.pages.why import why_values
from pbem.pages.archive import Area, Chip, Close, Plot
from pbem.pages.kit.arms import Arms
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.kit.supposing import question_values
from pbem.pages.kit.usual import UsualPages, Values
from pbem.pages.news import MOST_HEADLINE, MOST_SENTENCE, Lead, News
from pbem.pages.page import PhaseEvents, Reader, ReceiptItem, SuppositionFacts, Table
from pbem.pages.rendering import Line, phrase

WORDS = "fortresses/words.j2"
FACTS = frozenset({"turn-skipped", "flew-home", "corrected", "ruling"})
"""Kinds that the letter of a turn tells in a line, since they are no news."""
UNITS = re.compile(r"\b\d+[LKWGD](?: \d+[LKWGD])*\b")
"""Units in an order: `2L 1K`."""
DYING = re.compile(r"(?<=Lose )[LKWGD](?: then [LKWGD])*\b")
"""What dies first in an order: `L then K`."""
MOST_BOXES = 240
"""Dice of a letter that are drawn as boxes; more of them would make it too heavy."""


class FortressesPages(UsualPages):
    """What differs from the usual pages."""

    title = "Fortresses"
    about = (
        "two alliances of two kingdoms fight over Europe until one of them holds all four"
        " Fortresses, for 2 to 4 players"
    )
    turn_word = "Year"
    in_turns = frozenset({"attack", "battle", "reinforce"})
    final_word = "done"
    package = "fortresses"
    book = BOOK
    secrecy = "Nobody else sees your orders before their phase closes."
    phrases = (
        ("Attack Syria with 2L 1K from Egypt", "2 Legions and a Knight; words do as well"),
        ("Send everything from FRA into SAX", "all units there that can go"),
        ("Ship in AEG carries 1L from CRE to EGY", "a landing, one unit for each Galleon"),
        ("Lose legions first in Syria", "who dies first; without a place, in every battle"),
        ("Keep a conqueror in Syria", "the last land unit dies only after the others"),
        ("Retreat dragons when outnumbered", "also: never, after 2 rounds, at first loss"),
        ("Battle order: Black Sea, Syria", "Seas come before Lands in any case"),
        ("Interactive in Kiev", "we ask you after each round of that battle"),
        ("Always: lose knights first", "the instruction holds in all your turns"),
        ("Then: buy 3L in Normandy", "sent with the attacks, for Reinforce"),
        ("Buy 2L 1W in Normandy", "new units, while the gold lasts"),
        ("Buy 1G in ECH from England", "a Galleon, with the room of that Land"),
        ("Move 2L from England to Scotland", "in Reinforce; also: fly, ride, carry"),
        ("Done", "closes the phase; also: no attacks, buy nothing"),
        ("Cancel 2", "takes your line 2 back; also: cancel all"),
        ("Odds of taking Syria with 2L 1K", "the exact chances; orders nothing"),
        ("Concede", "also: take command, claim the win"),
    )

    def numbered(
        self, view: TableView, orders: Sequence[o.Order], texts: Sequence[str]
    ) -> tuple[str, ...]:
        """Behind the lines that are held; what takes one of those back has no number."""
        cancels = [order for order in orders if isinstance(order, o.Cancel)]
        numbers = count(len(merge(view.held, cancels)[0]) + 1)
        return tuple(
            text if order is None or isinstance(order, o.Cancel) else f"{next(numbers)}. {text}"
            for order, text in zip_longest(orders, texts)
        )

    def format_order(self, view: TableView, order: o.Order) -> str:
        return o.format_order(order)

    def spoken(self, view: TableView, text: str) -> str:
        cast = cast_of(view, None)
        said = UNITS.sub(lambda codes: cast.units(codes[0]), text).replace("; ", " and ")
        said = DYING.sub(lambda codes: cast.kinds(codes[0]), said)
        return said.replace("\N{NO-BREAK SPACE}", " ")

    def fate(self, view: TableView, player: Player) -> str:
        return phrase(WORDS, "fate", view, player)

    def ranked(self, view: TableView) -> Sequence[Player]:
        """The winners first, then by their alliance's Fortresses and their own Lands."""
        held = dict(view.fortresses)

        def place(player: Player) -> tuple[bool, int, int]:
            own = [realm for realm in view.kingdoms if realm.player == player.number]
            strong = max((held[alliance_of(realm.kingdom)] for realm in own), default=-1)
            return player.number in view.winners, strong, sum(realm.lands for realm in own)

        return sorted(view.players, key=place, reverse=True)

    def ask(self, view: TableView, name: str) -> str:
        return phrase(WORDS, "ask", view, name)

    def answers(self, view: TableView) -> Sequence[tuple[str, str]]:
        return tuple((self.spoken(view, text), what) for text, what in self._answers(view))

    def _answers(self, view: TableView) -> Sequence[tuple[str, str]]:
        if not view.asked:
            return ()
        match view.stage:
            case "attack":
                landing = facts.landing(view)
                orders = (*facts.examples(view), *((landing,) if landing is not None else ()))
                told = ((order, odds_line(view, order)) for order in orders)
                return (
                    *(
                        (o.format_order(order), phrase(WORDS, "attack_answer", odds))
                        for order, odds in told
                    ),
                    ("No attacks", phrase(WORDS, "done_answer", view)),
                )
            case "battle":
                return tuple(
                    (
                        ". ".join(map(o.format_order, answer)),
                        phrase(
                            WORDS,
                            "battle_answer",
                            answer,
                            facts.percent_after(view, answer),
                            cast_of(view, None),
                        ),
                    )
                    for answer in facts.battle_answers(view)
                )
        buy = facts.purchase(view)
        bought = (
            ()
            if buy is None
            else ((o.format_order(buy), phrase(WORDS, "buy_answer", view, cost_of(buy.units))),)
        )
        return (*bought, ("Buy nothing. Done", phrase(WORDS, "done_answer", view)))

    def outcome(self, view: TableView) -> str:
        if view.stage != "over":
            return super().outcome(view)
        return phrase(WORDS, "outcome", view, cast_of(view, None))

    def odds(
        self, view: TableView, item: ReceiptItem, standing: Sequence[o.Order]
    ) -> Sequence[str]:
        """The chances of each attack."""
        attacks = (parse_order(text) for text in item.texts if text.startswith("Attack "))
        told = filter(None, (odds_line(view, order) for order in attacks))
        return [phrase(WORDS, "attack_answer", one) for one in told]

    def gaps(self, view: TableView, cast: Cast, orders: Sequence[o.Order]) -> Sequence[Gap]:
        return tuple(
            Gap(
                phrase(WORDS, "gap", one.name, one.told, cast),
                phrase(WORDS, "gap_effect", one.name, one.told, cast),
                one.line,
            )
            for one in facts.open_of(view, orders)
        )

    def supposed(self, view: TableView, cast: Cast, facts: SuppositionFacts) -> Values:
        chances = [event for event in facts.events if isinstance(event.facts, ChancesTold)]
        others = [event for event in facts.events if event not in chances]
        return question_values(facts, lambda problem: self._of_question(problem, cast)) | {
            "chances": chances,
            "rows_of": lambda event: rows_of(event, cast),
            "lines": self._lines(others, cast),
            "example": f"what if {example(view, 'I attack {} with {} from {}')}?",
            "odds_example": example(view, "odds of taking {} with {}"),
        }

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

    def describe_event(self, event: Event, view: TableView) -> str:
        text = event_line(event, cast_of(view, None)).body.text
        return text.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")

    # -------------------------------------------------------------------------------------- archive
    def coats_of(self, view: TableView, player: int) -> Sequence[Arms]:
        """Those of the kingdoms that somebody has."""
        return tuple(COATS[kingdom] for kingdom in kingdoms_of(view, player))

    def areas(self, view: TableView) -> Sequence[Area]:
        return areas_of(view)

    def sides(self, view: TableView) -> Sequence[tuple[str, tuple[int, ...]]]:
        return sides_of(view)

    def chips(self, view: TableView) -> Sequence[Chip]:
        return chips_of(view)

    def ordered(
        self, view: TableView, events: Sequence[Event]
    ) -> Sequence[tuple[int, tuple[str, ...]]]:
        return ordered_of(view, events)

    def standing(self, view: TableView) -> Mapping[int, int]:
        return standing_of(view)

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        return plots_of(closes)

    # ---------------------------------------------------------------------------------------- parts
    def values(self, view: TableView, reader: Reader) -> Values:
        is_asked = reader.number in view.asked
        movable = facts.movable(view) if is_asked and view.stage == "reinforce" else ()
        targets, also = facts.shown_targets(view) if is_asked else ((), ())
        return {
            "targets": targets,
            "also": also,
            "rooms": facts.like_rooms(view) if is_asked else (),
            "movable": ", ".join(f"{name} {units}" for name, units in movable),
            "held": (
                tuple(self.spoken(view, o.format_order(one)) for one in view.held)
                if is_asked
                else ()
            ),
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
        told = tales(events)
        cast = self._cast(view, reader.number)
        return values | {
            "tales": told,
            "boxes": sum(tale.dice for tale in told) <= MOST_BOXES,
            "others": lines_of([one for one in events if not is_on_board(one)], cast, ()),
            "fought": [tale for tale in told if any(fought.attack for fought in tale.rounds)],
            "facts": lines_of([event for event in events if event.kind in FACTS], cast, ()),
            "refused": lines_of(self._refused(events, reader), cast, ()),
        }

    @staticmethod
    def _refused(events: Sequence[Event], reader: Reader) -> list[Event]:
        """The reader's own lines that could not be carried out."""
        found = ((event, event.facts) for event in events)
        return [
            event
            for event, told in found
            if isinstance(told, LineRefused) and told.player == reader.number
        ]

    def lead(self, view: TableView, events: Sequence[Event]) -> Lead:
        """A reader who gets the start and the first turns at once reads about the turns."""
        is_played = any(event.kind == "orders" for event in events)
        told = [event for event in events if event.kind != "seats"] if is_played else events
        return super().lead(view, told)

    def news(
        self, view: TableView, events: Sequence[Event], you: int | None = None
    ) -> Sequence[News]:
        return news_of(view, events, cast_of(view, you))

    def when(self, view: TableView, events: Sequence[Event]) -> str:
        return f"{self.turn_word} {year_of(view, events)}"

    def _lead_of_end(self, view: TableView, events: Sequence[Event]) -> Lead:
        cast = cast_of(view, None)
        told = (phrase(WORDS, macro, view, cast) for macro in ("outcome", "outcome_short"))
        headline = next((text for text in told if len(text) <= MOST_HEADLINE + 1), "The end")
        told = (phrase(WORDS, "outcome_told", view, cast, names) for names in (True, False))
        sentence = next((text for text in told if len(text) <= MOST_SENTENCE), headline)
        return Lead(headline.rstrip("."), sentence)

    def _lines(self, events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
        return lines_of(events, cast, tales(events))

    def _cast(self, view: TableView, you: int | None) -> Cast:
        return cast_of(view, you)

    def _asks(self, view: TableView, cast: Cast) -> str:
        return phrase(WORDS, "asks", view, cast)


PAGES = FortressesPages()
