"""Answers to why, each with everything it can hold."""

from functools import partial

from engine.protectors import ability_events as a
from engine.protectors import events as e
from engine.protectors import orders as o
from engine.protectors.questions import Question
from engine.ruleset import Event, Problem
from pbem.pages.page import Page, PhaseEvents
from tests.games.protectors.pages.test_why import ask, past_of

TERM = e.Term
DEFENDER = e.Side(
    3, "defender", 3, 2, (TERM("units", 2, "PR-7.6"), TERM("work", -1, "PR-6.14")), 1, 2
)
ATTACKER = e.Side(
    1,
    "attacker",
    1,
    2,
    (
        TERM("units", 2, "PR-7.6"),
        TERM("golden-march", 1, "PR-6.6"),
        TERM("support", 1, "PR-6.9", 2, 1, units=2, rain=1),
    ),
    4,
    0,
)
ORDERS = e.OrdersRevealed(
    (
        (1, (o.March(3, 2, 3, golden=True), o.Fortify(1))),
        (2, (o.Support(1, 3, 1),)),
        (3, (o.Work(3),)),
        (4, (o.Support(3, 3, 5),)),
    ),
    (6,),
)
SHARES = (
    e.Share(
        1,
        1,
        (e.Pledge(1, 2, -1, 1), e.Pledge(2, 3, 0, 1)),
        (
            TERM("units", 2, "PR-9.2", 1, 1, 2),
            TERM("work", -1, "PR-9.2", 1, 1),
            TERM("units", 3, "PR-9.2", 1, 2, 3),
        ),
        4,
        2,
        True,
        2,
        150,
        30,
        4,
        fate="champion",
    ),
    e.Share(
        2,
        2,
        (e.Pledge(3, 2, 0, 1),),
        (TERM("units", 2, "PR-9.2", 2, 3, 2),),
        2,
        1,
        True,
        1,
        100,
        15,
        1,
    ),
    e.Share(4, 3, (), (), 0, 1, False, -1),
)
TURN = (
    Event(ORDERS, ("PR-1.8", "PR-7.1")),
    Event(e.MarchMade(1, 2, 3, 3, 2, golden=True, delayed=False), ("PR-6.5", "PR-6.6")),
    Event(e.SupportCut(4, 5, (1,)), ("PR-6.10",)),
    Event(
        e.BattleFought(3, "march", ATTACKER, DEFENDER, False, 2),
        ("PR-7.3", "PR-7.4", "PR-7.7", "PR-6.9", "PR-4.10"),
    ),
    Event(e.ProvinceTaken(3, 1, 3, burnt=False), ("PR-8.3",)),
    Event(e.PlayerEliminated(3, (1,), "captured", ((1, 20),), 21), ("PR-8.4",)),
    Event(e.RankingChanged((1, 2, 4), (1, 1, 1), "eliminated"), ("PR-8.4", "PR-3.8")),
    Event(
        e.RealmProduced(
            1, (e.ProvinceIncome(1, 100, "level"), e.ProvinceIncome(1, 50, "work")), 150
        ),
        ("PR-8.5", "PR-6.14"),
        (1,),
    ),
    Event(
        e.SnitchesRevealed(((1, 2), (2, 0), (4, 2)), 1, (2,), ((2, 25),), None),
        ("PR-10.1", "PR-10.2"),
    ),
    Event(a.AbilityUsed(1, "faith", 7), ("PR-11.6", "PR-11.8")),
    Event(e.UnitsBought(1, ((2, 1),), 75, by_default=False), ("PR-8.7",)),
    Event(e.TurnBegan(6), ("PR-2.1",)),
    Event(
        e.BidsRevealed(((1, 40, 40, 40), (2, 27, 40, 12), (4, 0, -1, 0)), rebid=False), ("PR-3.1",)
    ),
    Event(e.RankingSet((1, 2, 4), (1, 1, 1)), ("PR-3.1", "PR-3.8")),
    Event(e.CardRevealed("event", "Deep Snow", 250, 2, 0, 3, 12), ("PR-4.2", "PR-4.5", "PR-4.9")),
    Event(
        e.CardRevealed("dragons", "There be Dragons!", 250, 2, 0, 5, 12),
        ("PR-4.2", "PR-4.5", "PR-4.23"),
    ),
    Event(
        e.DragonCame(5, 12, "card", 1, "Wurm", ((1, 2), (2, 1), (4, 1))),
        ("PR-9.1", "PR-9.4", "PR-9.17", "PR-4.23", "PR-4.6"),
    ),
    Event(e.DragonAttacked(5, 6, True, "Wurm", False, SHARES, 1, 0, 12), ("PR-9.3",)),
    Event(
        e.GameWon(
            "times-up", (1,), ((1, 4, 9, 0, 13, 7, 132, 1), (2, 1, 5, 0, 6, 2, 41, 2)), 2500, 1, 0
        ),
        ("PR-14.3", "PR-14.4"),
    ),
)
ASKED: dict[str, Question | Problem] = {
    "why-province": Question("province", 3, turn=5),
    "why-battles": Question("battles", player=1),
    "why-orders": Question("orders", player=1),
    "why-bid": Question("bid"),
    "why-ranking": Question("ranking", player=1),
    "why-dragon": Question("dragon"),
    "why-cards": Question("cards"),
    "why-money": Question("money", turn=5),
    "why-pirates": Question("pirates"),
    "why-elimination": Question("elimination", player=3),
    "why-abilities": Question("abilities"),
    "why-end": Question("end"),
    "why-nothing": Question("province", 7),
    "why-unclear": Problem(
        "ambiguous-player",
        facts={"asked": "did M lose P3", "written": "M", "candidates": ("Mei", "Milo")},
    ),
}


def answer_to(name: str) -> Page:
    start = PhaseEvents(
        0, 0, "start", (Event(e.GameSetUp(((1, 1), (2, 2), (3, 3), (4, 5)), 7), ("PR-1.2",)),)
    )
    return ask(
        ASKED[name], (start, *past_of(*TURN, turn=5, kind="consolidation")), starting_players=4
    )


MAILS = {name: partial(answer_to, name) for name in ASKED}
