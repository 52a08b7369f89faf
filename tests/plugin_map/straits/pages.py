"""The pages of Straits: the usual ones, with the words of `templates/`."""

from collections.abc import Iterator, Sequence

from engine.ruleset import Event, Facts, Standing
from pbem.pages.archive import Area, Chip, Close, Plot, held
from pbem.pages.kit.receipt_lines import Gap
from pbem.pages.kit.rules import Book
from pbem.pages.kit.usual import Cast, UsualPages
from pbem.pages.kit.usual_menu import MapMenu
from pbem.pages.news import BATTLE, OUT, OVER, SMALL, TAKEN, News, clause
from pbem.pages.rendering import phrase
from straits.rules import RULES
from straits.state import (
    MAP,
    PORTS,
    Carried,
    Dislodged,
    GameOver,
    Mustered,
    Order,
    Player,
    PlayerLeft,
    PortTaken,
    State,
)

WORDS = "straits/words.j2"


class StraitsPages(UsualPages):
    """What differs from the usual pages."""

    title = "Straits"
    about = "armies and fleets of three powers round an inner sea, all ordered at once"
    turn_word = "year"
    order_word = "order"
    package = "straits"
    book = Book("straits", "ST")
    secrecy = "Nobody else sees your orders before they are carried out."
    counted = "port"
    phrases = (
        (
            "Alder to Kestrel Moor",
            "your unit goes there; also: A Alder - KES, move Alder to Kestrel",
        ),
        ("Mid Deep to Long Neck/wc", "a fleet says which coast; also: Long Neck west coast"),
        ("Alder supports Birkholt", "it helps the unit there to hold, whose ever it is"),
        ("Alder supports Glimm to Kestrel Moor", "it helps that unit to get there"),
        ("Alder holds", "your unit stays: the same as no order for it"),
        ("Retreat Hythe to Mid Deep", "after a defeat; or Disband Hythe"),
        ("Build fleet in Alder", "in an empty port of your home, after a year that you won"),
    )

    def format_order(self, view: State, order: Order) -> str:
        return RULES.forms.format(order)

    def answers(self, view: State) -> Sequence[tuple[str, str]]:
        legal = [*RULES.legal(view, view.you or 0)]
        return [(self.format_order(view, one), "For example.") for one in legal[1:2] or legal]

    def gaps(self, view: State, cast: Cast, orders: Sequence[Order]) -> Sequence[Gap]:
        lacking = RULES.lacking(view, cast.you, Standing(tuple(orders))) if cast.you else ()
        line = f"{lacking[0]} holds" if lacking and view.stage == "orders" else ""
        return [Gap(phrase(WORDS, "gap", lacking), line=line)] if lacking else []

    def ranked(self, view: State) -> Sequence[Player]:
        return sorted(
            view.players,
            key=lambda one: (one.number in view.winners, not one.gone, len(view.held(one.number))),
            reverse=True,
        )

    def fate(self, view: State, player: Player) -> str:
        return phrase(WORDS, "fate", view, player)

    def when(self, view: State, events: Sequence[Event]) -> str:
        """The year of the orders: the view may be in the next one already."""
        told = [one.facts.year for one in events if isinstance(one.facts, Carried | Mustered)]
        return f"Year {max(told)}" if told else super().when(view, events)

    def news(self, view: State, events: Sequence[Event], you: int | None = None) -> Sequence[News]:
        cast = self._cast(view, you)
        return [news for event in events for news in self._news_of(event.facts, cast, view)]

    def _news_of(self, facts: Facts, cast: Cast, view: State) -> Iterator[News]:
        match facts:
            case PortTaken(player=player, place=place, was=was):
                told = phrase(WORDS, "takes", facts, cast)
                both = (player, was) if was else (player,)
                area = MAP.place(place).area
                yield News(
                    "taken", TAKEN, clause(told), told, players=both, area=area, mark="taken"
                )
            case Dislodged(player=player, place=place, by=by):
                told = phrase(WORDS, "beaten", facts, cast)
                area = MAP.place(place).area
                yield News("beaten", BATTLE, clause(told), told, players=(by, player), area=area)
            case Mustered(player=player):
                told = phrase(WORDS, "musters", facts, cast)
                yield News("muster", SMALL, clause(told), told, players=(player,))
            case PlayerLeft(player=player):
                told = phrase(WORDS, "leaves", facts, cast)
                yield News("left", OUT, clause(told), told, players=(player,), mark="out")
            case GameOver(winners=winners):
                outcome = self.outcome(view)
                yield News("over", OVER, clause(outcome), outcome, players=winners, mark="end")

    def areas(self, view: State) -> Sequence[Area]:
        holders = dict(view.ports)
        return [
            Area(place.area, name, holders.get(name), phrase(WORDS, "lies", view, name))
            for name, place in MAP.places.items()
        ]

    def plots(self, closes: Sequence[Close]) -> Sequence[Plot]:
        """Who held which port; nobody holds anything else."""
        ports = [[one for one in self.areas(close.view) if one.name in PORTS] for close in closes]
        return (held("Who held which port", ports),)

    def chips(self, view: State) -> Sequence[Chip]:
        return [
            Chip(one.number, (("ports", str(len(view.held(one.number)))),), is_out=one.gone)
            for one in view.players
        ]

    def ordered(
        self, view: State, events: Sequence[Event]
    ) -> Sequence[tuple[int, tuple[str, ...]]]:
        carried = [event.facts for event in events if isinstance(event.facts, Carried)]
        return [
            (one.number, tuple(told.text for told in carried if told.player == one.number))
            for one in view.players
        ]


PAGES = StraitsPages()
MENU = MapMenu(PAGES, "Orders...", told=MAP)
