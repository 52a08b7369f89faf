"""Tables, views and events by hand, for the tests of the pages."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from engine.protectors import ability_events as a
from engine.protectors import events as e
from engine.protectors import orders as o
from engine.protectors.colours import COLOURS
from engine.protectors.event_kinds import AnyFacts
from engine.protectors.lands import generate_land
from engine.protectors.state import Attack, DeckName, Options, Played, Player, Province, State
from engine.protectors.view import TableView
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Problem, Standing
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.page import ReceiptFacts, ReceiptItem, Table
from tests.pages import sample
from tests.pages.sample import NAMES, NOW


def table(**changes: object) -> Table:
    return sample.table(**({"game_title": PAGES.title} | changes))


def played(*cards: str) -> tuple[Played, ...]:
    sea = ("Seafarers!", "Ferry!", "Crab Infestation!", "Plague!", "Pirates!")
    end = ("The End is Nigh!", "Time's Up!")
    dragons = ("There be Dragons!", "The Misty Mountains Cold", "Bloodlust!")

    def deck(card: str) -> DeckName:
        return (
            "sea"
            if card in sea
            else "end"
            if card in end
            else "dragons"
            if card in dragons
            else "event"
        )

    return tuple(Played(deck(card), card) for card in cards)


def heron(**changes: object) -> State:
    """Turn 6 of seven players, as in the look of the house: Emil and Fenna are out, P4 is burnt."""
    players = tuple(
        Player(
            number=i,
            name=name,
            colour=COLOURS[i - 1],
            realm=132 if i == 1 else 41,
            vp=3 if i == 1 else 1,
            start=i,
            fell_to=(1,) if name == "Emil" else (0,) if name == "Fenna" else (),
            fell_in=5 if name == "Emil" else 4 if name == "Fenna" else None,
        )
        for i, name in enumerate(NAMES, start=1)
    )
    board = (
        Province(),
        Province(owner=1, units=3, level=2),
        Province(owner=1, units=2),
        Province(owner=2, units=2, level=1),
        Province(burnt=True),
        Province(owner=4, units=2, level=3),
        Province(owner=5, units=2, level=1),
        Province(owner=7, units=2),
    )
    state = State(
        options=Options(),
        land=generate_land(7, 7),
        starting_players=7,
        players=players,
        board=board,
        ranking=(1, 2, 4, 5, 7),
        turn=6,
        stage="orders",
        dpl=8,
        in_play=played("Deep Snow", "The Misty Mountains Cold", "Ferry!"),
    )
    return msgspec.structs.replace(state, **changes)


def view(player: int | None = 1, **changes: object) -> TableView:
    return view_of(heron(**changes), player)


def crowd(names: Sequence[str], **changes: object) -> State:
    """A first turn with these players."""
    players = tuple(
        Player(i, name, COLOURS[i - 1], start=i) for i, name in enumerate(names, start=1)
    )
    count = len(names)
    state = State(
        options=Options(),
        land=generate_land(count, count),
        starting_players=count,
        players=players,
        board=(Province(), *(Province(owner=i, units=1) for i in range(1, count + 1))),
        ranking=tuple(range(1, count + 1)),
        stage="orders",
        in_play=played("Calms of Summer", "The Misty Mountains Cold"),
    )
    return msgspec.structs.replace(state, **changes)


ATTACK = Attack(during="reveal", dpl=11, deck="event", cause="threshold")


def _battle(stage: str = "march", *, tie: bool = False, left: int = 2) -> e.BattleFought:
    support = e.Term("support", 1, "PR-6.9", player=2, province=3, units=2, rain=1)
    gold = e.Term("golden-support", 3, "PR-6.12", player=1, province=1, units=2, bonus=1)
    winner = e.Side(
        1,
        "attacker",
        1,
        2,
        (e.Term("units", 2, "PR-7.6"), e.Term("golden-march", 1, "PR-6.6"), support),
        4,
        1 if tie else 0,
    )
    terms = (
        e.Term("units", 2, "PR-7.6"),
        e.Term("work", -1, "PR-6.14"),
        e.Term("fortify", 1, "PR-6.4"),
        e.Term("snow", -1, "PR-4.9"),
        gold,
    )
    loser = e.Side(3, "defender", 3, 2, terms, 4 if tie else 3, 2)
    # a stage told by name
    return e.BattleFought(2, stage, winner, loser, tie, left)  # type: ignore[arg-type]


def _shares(*, won: bool) -> tuple[e.Share, ...]:
    pledge = e.Pledge(1, 2, -1, 1 if won else 2)
    rest = {"reward": 150, "bonus": 30, "vp": 5, "fate": "champion"} if won else {}
    fallen = {"burnt": (5,), "realm_lost": 41, "fate": "no-quarter"} if not won else {}
    return (
        e.Share(
            1,
            1,
            (pledge, e.Pledge(2, 2, 0, 0)),
            (e.Term("units", 3, "PR-9.2"), e.Term("fire", 2, "PR-11.1")),
            5,
            2,
            True,
            3,
            **rest,  # type: ignore[arg-type]
        ),
        e.Share(4, 3, (), (), 0, 1, False, 0, **fallen),  # type: ignore[arg-type]
    )


def _magisters_alone() -> tuple[e.Share, ...]:
    whole = (e.Term("fire", 13, "PR-11.1", 1, units=9), e.Term("island", 1, "PR-12.5", 1, 0))
    return (
        e.Share(
            1, 1, (e.Pledge(1, 1, 0, 1),), (e.Term("units", 1, "PR-9.2"), *whole), 15, 1, True, 14
        ),
        e.Share(5, 3, (), whole[:1], 13, 1, True, 12),
    )


EVERY_KIND: tuple[AnyFacts, ...] = (
    e.GameSetUp(((1, 1), (2, 2)), 7),
    e.GameSetUp(((1, 1), (2, 2)), 7, (("A", (1, 3)), ("B", (2, 4))), island=True),
    e.OptionVoted("version", "grand", (("grand", 2), ("normal", 2)), by_coin=True),
    e.BidsRevealed(
        ((1, 17, 17, 17), (2, 12, 40, 12), (4, 0, -1, 0), (5, 32, 17, 17), (7, 27, 40, 12)),
        rebid=False,
    ),
    e.BidsRevealed(((1, 3, 3, 3),), rebid=True),
    e.TieAsked((1, 2), 1),
    e.TieDrawn((1, 2), "chance"),
    e.TieDrawn((1, 2), "ranking"),
    e.RankingSet((1, 2, 4), (1, 1, 1)),
    e.RankingChanged((2, 1), (1, 1), "champion"),
    e.RankingChanged((2, 1), (1, 1), "dropped"),
    e.RankingChanged((), (), "eliminated"),
    e.TurnBegan(6),
    e.CardRevealed("event", "Power Overwhelming", 250, 2, 7, 9, 10),
    e.CardRevealed("sea", "Ferry!", 0, 1, 0, 8, 10),
    e.CardStayed("event", "Deep Snow", 0, 8),
    e.CardStayed("event", "Power Overwhelming", 7, 8),
    e.DeckRenewed("event", "black-swan"),
    e.DeckRenewed("dragons", "empty"),
    e.DeckRenewed("sea", "game-master"),
    e.CardsLocked(("Deep Snow", "Ferry!")),
    e.CardsLocked(()),
    e.PlagueStruck(((1, 1), (3, 2))),
    e.PlagueStruck(()),
    e.WindowOpened("orders", (1, 2), 72),
    e.OrdersMissed(2, "orders", (o.Fortify(3, golden=True),)),
    e.OrdersMissed(2, "dragon", ()),
    e.OrdersMissed(2, "bidding", ()),
    e.OrdersRevealed(((1, (o.March(2, 2, 3, golden=True), o.Fortify(1))), (2, ())), (3,)),
    e.MoneySent(1, 2, 30),
    e.CostPaid(1, "ferry", 1, 25),
    e.CostPaid(1, "palantir", 0, 15),
    e.CostPaid(1, "ashes", 1, 15),
    e.OrderFailed(1, o.March(2, 2, 5), "cannot-pay"),
    e.OrderFailed(1, o.Support(2, 3, 2), "units-lost"),
    e.OrderFailed(1, o.Fortify(2), "not-in-force"),
    e.OrderFailed(1, o.March(2, 2, 3), "no-battle"),
    e.OrderFailed(1, o.Work(2), "plank"),
    e.OrderFailed(1, o.Work(2), "all-committed"),
    e.OrderFailed(1, o.Hide(), "cannot-pay"),
    e.OrderFailed(1, o.UseBank(), "not-in-force"),
    e.PlankWalked(2, 3, -1),
    e.PlankWalked(2, None, 0),
    e.SnitchesRevealed(((1, 2), (2, 0)), 1, (2,), ((2, 25),), None),
    e.SnitchesRevealed(((1, 2), (2, 1)), 2, (), ((1, 50), (2, 50)), None),
    e.SnitchesRevealed(((1, 2), (4, 2)), 1, (2,), (), 2),
    e.SnitchesRevealed(((1, 0), (2, 0)), 0, (), (), None),
    e.MarchMade(1, 2, 3, 2, 1, golden=True, delayed=True),
    e.MarchMade(1, 2, 0, 2, 1, golden=True, delayed=False, sea="ferry", crusade=True),
    e.MarchMade(1, 2, 3, 2, 0, golden=False, delayed=False),
    e.MarchMade(1, 2, 5, 2, 2, golden=False, delayed=False, sea="ferry"),
    e.MarchMade(1, 2, 5, 2, 2, golden=False, delayed=False, sea="seafarers"),
    e.SupportCut(2, 3, (1,)),
    _battle(),
    _battle("delayed", tie=True, left=0),
    e.UnitsOverLimit(3, 2, 1, 3),
    e.ProvinceTaken(2, 1, 3, burnt=False),
    e.ProvinceTaken(4, 2, None, burnt=True),
    e.PlayerEliminated(3, (1, 2), "captured", ((1, 20), (2, 0)), 21),
    e.PlayerEliminated(3, (0,), "no-quarter", (), 41, (5, 6)),
    e.PlayerEliminated(3, (0,), "no-green", (), 41, (5,)),
    e.PlayerEliminated(3, (0,), "strike", (), 41),
    e.RealmProduced(1, (e.ProvinceIncome(1, 100, "level"), e.ProvinceIncome(1, 50, "work")), 150),
    e.RealmProduced(1, (), 0),
    e.WorkDone(1, 1, golden=True),
    e.WorkDone(1, 1, golden=False),
    e.PiratesPaid(2, 50, 41),
    e.PiratesPaid(2, 25, 25),
    e.CapitolNamed(1, 1, (2,)),
    e.LevelRaised(1, 1, 3, 25),
    e.UnitsBought(1, ((1, 1), (2, 2)), 225, by_default=True),
    e.UnitsBought(2, (), 0, by_default=False),
    e.PurchaseCut(1, 2, 2, 1, "cannot-afford"),
    e.PurchaseCut(1, 2, 2, 0, "supply-limit"),
    e.DragonCame(11, 10, "threshold", 1, "Wurm", ((1, 2), (2, 1))),
    e.DragonCame(14, 10, "card", 2, "Dragon", ((1, 2),)),
    e.DragonCame(14, 10, "staying-card", 1, "Worldeater", ((1, 4),)),
    e.DragonAttacked(4, 5, True, "Wyrmling", False, _shares(won=True), 1, 0, 10),
    e.DragonAttacked(11, 5, False, "Wurm", False, _shares(won=False), None, 6, 8),
    e.DragonAttacked(11, 14, True, "Wurm", False, _magisters_alone(), None, 0, 10, hidden=(2, 4)),
    a.FactionsSettled(((1, "Kalu'Ak"), (2, "Iron Light")), ()),
    a.FactionsSettled(((1, "Kalu'Ak"), (2, "Iron Light")), (2,)),
    a.FactionsSettled(((1, "Kalu'Ak"), (2, "Iron Light")), (1, 2)),
    a.AnswersShown(((1, (o.Commit(2, 1), o.Burn(2))), (2, ()))),
    a.AnswersShown(()),
    *(
        a.AbilityUsed(1, use, 35, 1)
        for use in ("fire", "nothing", "king", "faith", "bank", "ash-reading")
    ),
    a.GuardHired(1, 50),
    a.CardSeen(1, "event", "Flood!"),
    a.CardSeen(1, "end", None),
    a.CardMoved(1, "event", "Flood!", "bottom"),
    a.CardMoved(1, "dragons", "Bloodlust!", "removed"),
    *(
        a.KingFought(2, 1, 3, 2, 1, units, snow, 3, guards, won, tie, left)
        for units, snow, guards, won, tie, left in (
            (1, False, False, True, False, 1),
            (3, True, True, True, True, 0),
            (2, False, False, False, True, 1),
            (3, False, True, False, False, 3),
        )
    ),
    a.KingPaid(1, 133, 66),
    a.PlayerSaved(1, (1, 2), guarded=False),
    a.PlayerSaved(1, (1,), guarded=True),
    a.IslandChanged(1, None),
    a.IslandChanged(2, 1, ("Crusade",)),
    a.IslandChanged(None, 1, ("Crusade",)),
    a.GiftChosen(1, "Nothing to see here", refreshed=True, by_chance=False),
    a.GiftChosen(1, "Crusade", refreshed=False, by_chance=False),
    a.GiftChosen(1, "Crusade", refreshed=False, by_chance=True),
    *(
        a.MoneyLent(1, 2, asked, granted, used)
        for asked, granted, used in ((40, 40, 40), (40, 30, 30), (40, 40, 0))
    ),
    a.Corrected("units", 3, None, 1, 2),
    *(
        a.Corrected("owner", 3, None, before, after)
        for before, after in ((2, 1), (2, None), (None, 3))
    ),
    a.Corrected("money", None, 1, None, None),
    a.Corrected("money", None, 1, 132, 90),
    a.Corrected("dpl", None, None, 8, 9),
    a.Corrected("card", None, None, "Flood!", "Deep Snow"),
    a.Corrected("restored", None, 3, None, 5),
    e.GameWon("last-standing", (1,), (), 2500, 1, 2),
    e.GameWon("dragon", (), (), 0, 5, 4),
    e.GameWon("times-up", (1, 3), (), 2500, 1, 1, (("A", 14, 9, 132, 1), ("B", 14, 7, 41, 2))),
    e.GameWon(
        "times-up", (1,), ((1, 3, 9, 0, 12, 7, 132, 1), (2, 1, 5, 0, 6, 2, 41, 2)), 2500, 1, 1
    ),
)
"""At least one of every kind, and of every way it can be worded."""


def happened(*facts: AnyFacts) -> tuple[Event, ...]:
    return tuple(Event(fact, ("PR-7.7", "PR-6.6")) for fact in (facts or EVERY_KIND))


STANDING: Standing[o.Order] = Standing((o.March(2, 2, 3, golden=True),))
GOOD = ReceiptItem(1, "golden march 2 from p2 to p3", None, ("Golden March! 2 from P2 to P3",))
FORTIFIED = ReceiptItem(1, "fortify P1", None, ("Fortify! P1",))
BAD = (
    ReceiptItem(
        2,
        "fortfy P1",
        (0, 6),
        (),
        (Problem("not-understood", ("PR-6.19",), {"word": "fortfy", "nearest": "fortify"}),),
        "Fortify! P1",
    ),
    ReceiptItem(
        3,
        "send 200 to Mei",
        (5, 8),
        (),
        (Problem("cannot-afford", ("PR-6.19", "PR-6.16"), {"cost": 200, "held": 132}),),
        "Send 132 to Mei",
    ),
)


def receipt_facts(*items: ReceiptItem, **changes: object) -> ReceiptFacts:
    """A message of which the first line was taken."""
    values: dict[str, object] = {
        "items": items or (GOOD, *BAD),
        "standing": GOOD.texts,
        "standing_orders": STANDING.orders,
        "final": False,
        "version": 1,
        "received_at": NOW + timedelta(hours=3, minutes=12),
        "offered": ((1, "Fortify! P1"), (2, "Send 132 to Mei")),
    }
    return ReceiptFacts(**(values | changes))  # type: ignore[arg-type]  # values of many kinds
