"""Three whole mails of a turn."""

from engine.protectors import events as e
from engine.protectors import orders as o
from engine.ruleset import Event, Standing
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.sample import receipt_facts, table, view
from tests.pages.sample import reader

TERM = e.Term
WINNER = e.Side(
    1,
    "defender",
    1,
    2,
    (
        TERM("units", 2, "PR-7.6"),
        TERM("golden-march", 1, "PR-6.6"),
        TERM("support", 1, "PR-6.9", 2, 3, units=2, rain=1),
    ),
    4,
    0,
)
LOSER = e.Side(
    3, "attacker", 4, 2, (TERM("units", 2, "PR-7.6"), TERM("fortify", 1, "PR-6.4")), 3, 2
)
TIE = e.BattleFought(
    7,
    "march",
    e.Side(5, "attacker", 3, 1, (TERM("units", 1, "PR-7.6"),), 1, 1),
    e.Side(7, "defender", 5, 2, (TERM("units", 2, "PR-7.6"), TERM("work", -1, "PR-6.14")), 1, 2),
    True,
    0,
)
HAPPENED = (
    Event(
        e.OrdersRevealed(
            (
                (1, (o.March(2, 1, 2, golden=True),)),
                (3, (o.Fortify(3),)),
                (5, (o.March(1, 6, 7),)),
                (7, (o.Work(7),)),
            ),
            (5,),
        ),
        ("PR-1.8", "PR-7.1"),
    ),
    Event(e.MarchMade(1, 1, 2, 2, 2, golden=True, delayed=False), ("PR-6.5",)),
    Event(
        e.BattleFought(2, "march", WINNER, LOSER, False, 2),
        ("PR-6.6", "PR-4.10", "PR-6.4", "PR-7.7"),
    ),
    Event(TIE, ("PR-6.14", "PR-7.8")),
    Event(e.ProvinceTaken(2, 1, 3, burnt=False), ("PR-8.3",)),
    Event(e.PlayerEliminated(3, (1,), "captured", ((1, 20),), 21), ("PR-8.4",)),
    Event(
        e.RealmProduced(
            1, (e.ProvinceIncome(1, 100, "level"), e.ProvinceIncome(2, 50, "level")), 150
        ),
        ("PR-8.5",),
        (1,),
    ),
    Event(e.TurnBegan(6), ("PR-2.1",)),
    Event(
        e.BidsRevealed(
            ((1, 40, 40, 40), (2, 30, 30, 30), (4, 9, 9, 9), (5, 5, 60, 5), (7, 0, -1, 0)),
            rebid=False,
        ),
        ("PR-3.1", "PR-3.6"),
    ),
    Event(e.RankingSet((1, 2, 4, 5, 7), (2, 1, 1, 1)), ("PR-3.8",)),
    Event(e.CardRevealed("event", "Deep Snow", 0, 1, 0, 6, 10), ("PR-4.2", "PR-4.9")),
    Event(
        e.CardRevealed("dragons", "The Misty Mountains Cold", 0, 1, 0, 7, 10), ("PR-4.2", "PR-4.8")
    ),
    Event(e.CardRevealed("sea", "Ferry!", 0, 1, 0, 8, 10), ("PR-4.2", "PR-4.17")),
    Event(e.WindowOpened("orders", (1, 2, 4, 5, 7), 72), ("PR-2.2",)),
)
PUBLIC = tuple(event for event in HAPPENED if event.is_for(None))
MAILS = {
    "turn": lambda: PAGES.turn(table(), reader(), view(), HAPPENED, Standing()),
    "receipt": lambda: PAGES.receipt(table(), reader(), view(), receipt_facts()),
    "bulletin": lambda: PAGES.bulletin(table(code=""), view(None), PUBLIC),
}
