"""Tables, positions and events of Realm-Master by hand, for the tests of its pages."""

from datetime import timedelta
from typing import Any

from engine.realm_master import events as e
from engine.realm_master import orders as o
from engine.realm_master.cards import Tokens
from engine.realm_master.conditions import Amount
from engine.realm_master.event_kinds import AnyFacts
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view import TableView
from engine.realm_master.view_of import view_of
from engine.realm_master.wording import format_order
from engine.ruleset import Event, Problem, Standing
from pbem.pages.page import (
    PastPhase,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    RollBack,
    StoredVersion,
    Table,
)
from tests.games.realm_master.engine.playing import orders_of
from tests.games.realm_master.engine.playing import table as position
from tests.pages import sample

NOW = sample.NOW
READER = Reader(1, "Anna", "Europe/Berlin")
LANDS = {"KUR": "3/1/1", "JER": "1/1/2", "MER": "1/2/2", "ARU": "0/3/1"}
PLAYERS: dict[str, dict[str, object]] = {
    "Anna": {
        "hero": "elf",
        "hgb": "7/4/3",
        "at": "out",
        "cards": ["B08", "B10"],
        "plan": ["Reroll: reroll blanks (always)", "Attack: yes"],
    },
    "Bartek": {"hero": "barbarian", "hgb": "6/1/5", "at": "JER", "cards": ["B01"]},
    "Chloé": {"hero": "wizard", "hgb": "5/6/2", "at": "out"},
    "Dmytro": {"hero": "dwarf", "hgb": "9/0/1", "at": "out"},
}
COMMITMENT, SEED = "9f" * 32, "5a" * 32


def table(**changes: object) -> Table:
    return sample.table(
        **(
            {"game_title": "Realm-Master", "deadline": NOW + timedelta(days=2), "hours": 48}
            | changes
        )
    )


def state(**told: Any) -> State:
    """Round 4 of four players, in the window of its plans, unless told otherwise."""
    values: dict[str, Any] = {
        "round": 4,
        "card": "T01",
        "lands": LANDS,
        "row": ["B02", ["B12", "B05"], "B19"],
        "turn_deck": ["T02", "T11"],
        "turns": 12,
        "discard": ["B06"],
    }
    return position(told.pop("players", PLAYERS), **(values | told))


def live(phase: str, **told: Any) -> State:
    """A question of a turn of Anna's that is played decision by decision."""
    turn = {
        "player": "Anna",
        "inside": False,
        "rolled": "sR-bR",
        "faces": "ssbbs" if phase not in ("reroll", "second", "knuckle", "faces") else "",
    }
    turn |= told.pop("turn", {})
    return state(
        phase=phase,
        options={"mode": "interactive"},
        turn={name: value for name, value in turn.items() if value != ""},
        **told,
    )


def view(shown: State | None = None, player: int | None = 1) -> TableView:
    return view_of(shown if shown is not None else state(), player)


def happened(*facts: AnyFacts) -> tuple[Event, ...]:
    return tuple(Event(fact, ("RM-4.4", "RM-5.7")) for fact in facts)


GAIN, NONE = e.Gain(1, 2, 1), e.Gain()
TERMS = (e.Term("swords", 3, "RM-4.4"), e.Term("card", 1, "RM-T01"), e.Term("shield", -1, "RM-B01"))
ALL_TERMS = (
    e.Term("swords", 5, "RM-4.4"),
    e.Term("squire", 1, "RM-2.17"),
    e.Term("card", 2, "RM-T03"),
    e.Term("barbarian", 2, "RM-2.12"),
    e.Term("blade", 1, "RM-B02"),
    e.Term("horn", 2, "RM-B09"),
    e.Term("arub", 1, "RM-2.7"),
    e.Term("shield", -1, "RM-B01"),
)
LINE = o.Enter((o.Choice("JER", ((Amount("hearts", "at least", 7),),)), o.Choice("ARU")))
WHYS = (
    *("no-room", "land-occupied", "cannot-enter", "not-on-offer", "not-enough-gold"),
    *("no-exchange-now", "no-card-left", "not-playable", "target-wanted", "land-not-in-play"),
    *("not-your-card", "no-such-target", "too-late", "no-such-die", "not-now"),
)
EVERY_KIND: tuple[AnyFacts, ...] = (
    e.GameSetUp((3, 1, 2), ("KUR", "JER", "MER", "ARU"), ("B01", "B02", "B03"), "standing"),
    e.GameSetUp((1, 2), ("KUR", "JER", "MER", "ARU"), ("B01", "B02", "B03"), "interactive"),
    e.OptionVoted("mode", "standing", (("standing", 2), ("interactive", 2)), by_coin=True),
    e.HeroTaken(1, "elf", "choice", Tokens(8, 2, 1)),
    e.HeroTaken(2, "barbarian", "chance", Tokens(10, 1, 0)),
    e.RoundBegan(4, "T01", "Attack +1", final=False),
    e.RoundBegan(17, "T13", "Resources: dice", final=True),
    *(e.WindowOpened(stage, (1, 2), 8) for stage in REALM_MASTER.windows),
    e.OrdersMissed(2, "round", 1),
    e.OrdersMissed(2, "last", 2),
    e.ReplacementWanted(2, 3),
    e.LineUsed(1, LINE),
    *(e.LineSkipped(1, o.Buy((o.Wish("B01"),)), why) for why in WHYS),
    e.LandsFilled("T11", (("KUR", e.Gain(gold=1)), ("JER", e.Gain(gold=2)), ("MER", NONE))),
    e.LandsFilled("T11", (("KUR", NONE),)),
    e.LandsFilled("T10", ()),
    e.LandsFilled(
        "T13",
        (("KUR", e.Gain(2, 1, 1)), ("JER", NONE)),
        (("h", "h", "c", "b", "R"), ("-", "s", "s", "-", "b")),
    ),
    e.HeroesGiven("T07", ((1, e.Gain(hearts=3)), (2, NONE))),
    e.HeroesGiven("T07", ()),
    e.TributePaid(1, (("banners", "MER"), ("gold", "KUR")), (), ()),
    e.TributePaid(1, (("gold", "KUR"),), (), ("gold",)),
    e.TributePaid(2, (), ("banners", "gold"), ()),
    e.TributePaid(2, (("gold", "KUR"),), ("hearts",), ()),
    e.TributePaid(2, (), ("hearts", "gold"), ()),
    e.UltimatumMet(2, "JER", "leave", 0, 6),
    e.UltimatumMet(2, "JER", "lose", 4, 2),
    e.UltimatumMet(2, "JER", "lose", 4, 0),
    e.TurnBegan(13, 1, None, 0, 1),
    e.TurnBegan(14, 2, "JER", 1, 0),
    e.TurnBegan(15, 3, None, 0, 0),
    e.DiceRolled(13, 1, "roll", (1, 2, 3, 4, 5), ("s", "R", "-", "b", "h")),
    e.DiceRolled(13, 1, "reroll", (3,), ("s", "R", "s", "b", "h")),
    e.DiceRolled(13, 1, "second", (3, 4), ("s", "R", "s", "c", "h")),
    e.DiceRolled(13, 1, "reroll", (1, 2, 3, 4, 5), ("s", "R", "s", "c", "h")),
    e.DiceRolled(13, 1, "knuckle", (3,), ("s", "R", "s", "b", "h")),
    e.DiceResolved(13, 1, ("s", "s", "s", "b", "h"), e.Gain(hearts=1), 3, "", 0),
    e.DiceResolved(13, 1, ("c", "c", "c", "c", "c"), e.Gain(gold=6), 0, "c", 0),
    e.DiceResolved(13, 1, ("-", "-", "-", "-", "b"), e.Gain(gold=1), 0, "", 1),
    e.DiceResolved(13, 1, ("-", "-", "-", "-", "b"), NONE, 0, "", 0),
    e.CardBought(1, "B02", 5, 1, "B03", None),
    e.CardBought(1, "B12", 5, 2, None, "B05"),
    e.CardBought(1, "B12", 5, 2, None, None),
    e.CardBought(1, "B12", 1, None, None, None),
    e.CardRevealed(1, "B03"),
    e.CardCovered(1, "B03", "B02"),
    e.CardCovered(1, "B03", None),
    e.DeckRebuilt("buy", "rules", 6),
    e.DeckRebuilt("turn", "game-master", 1),
    e.CardPlayed(1, "B08", amount=3),
    e.CardPlayed(1, "B09", amount=2),
    e.CardPlayed(1, "B11", hero=2, amount=1),
    e.CardPlayed(1, "B12", amount=1),
    e.CardPlayed(1, "B13", die=3, face="s"),
    e.CardPlayed(1, "B16", hero=2, amount=2),
    e.CardPlayed(1, "B17", land="JER", amount=1),
    e.LifeBought(1, 2),
    e.AttackForgone(1, 1, "nobody"),
    e.AttackForgone(1, 2, "declined"),
    e.AttackMade(13, 1, False, 3, (e.Blow(2, "JER", TERMS, 3, 3, 3),)),
    e.AttackMade(
        13, 2, True, 5, (e.Blow(1, None, ALL_TERMS, 13, 7, 0), e.Blow(3, None, TERMS[:1], 0, 0, 5))
    ),
    e.AttackMade(13, 1, False, 3, ()),
    e.SmokeUsed(2, "JER"),
    e.ElfHonoured(1, 2),
    e.PhoenixRose(2, 3, "JER"),
    e.PhoenixRose(2, 3, None),
    e.ThornsPricked(1, 2, 4),
    e.ThornsPricked(1, 2, 0),
    e.HeroDied(
        3,
        1,
        "attack",
        "JER",
        e.Gain(0, 2, 1),
        ("B02",),
        e.Gain(0, 3, 0),
        e.Gain(0, 0, 2),
        ("B08", "B05"),
    ),
    *(e.HeroDied(3, 1, cause, None, NONE, (), NONE, NONE, ()) for cause in ("bolt", "thorns")),
    *(
        e.HeroDied(3, None, cause, "JER", NONE, (), e.Gain(0, 1, 0), NONE, ())
        for cause in ("ultimatum", "concede", "game-master")
    ),
    e.ChoiceMade(2, "JER", "stay", 3),
    e.ChoiceMade(2, "JER", "leave", 0),
    e.LandEntered(1, "MER", e.Gain(gold=4), e.Gain(banners=1), None, 1),
    e.LandEntered(1, "ARU", NONE, NONE, "JER", 0),
    e.LandEntered(1, "KUR", e.Gain(1, 1), e.Gain(hearts=2), None, 0),
    e.LandLeft(2, "JER", "turn"),
    e.LandLeft(2, "JER", "hit"),
    e.LandKept(2, "JER"),
    *(e.StayedOutside(1, cause) for cause in ("wish", "no-sword", "no-room")),
    e.Collected(1, "MER", GAIN, 0),
    e.Collected(1, "MER", NONE, 2),
    e.HeroConceded(3),
    e.GameWon((1,), "banners", ((1, 10, 7, 4, 2), (2, 5, 6, 1, 1))),
    e.GameWon((2,), "last"),
    e.GameWon((1, 2), "rounds"),
    e.GameWon((1,), "gm"),
    e.ObjectionMade(2, 12, "the shield was not counted."),
    e.RulingGiven("It was: 3 - 1 = 2."),
    *(
        e.Corrected(what, player=2, before=6, after=5, reason="a slip.")
        for what in ("hearts", "gold", "banners")
    ),
    e.Corrected("place", player=2, before="JER", after=None),
    e.Corrected("land", land="JER", tokens=GAIN),
    e.Corrected("give", player=2, card="B02"),
    e.Corrected("take", player=2, card="B01"),
    e.Corrected("row", card="B03", before="B02", after=1),
    *(
        e.Corrected("mode", before=before, after=after)
        for before, after in (("standing", "interactive"), ("interactive", "standing"))
    ),
    e.TakenBack("turn", 12, 7),
    e.TakenBack("round", 4, 0),
)
"""At least one of every kind, and of every way it can be worded."""

REST = happened(
    e.DiceResolved(11, 1, ("s", "s", "h", "b", "s"), e.Gain(hearts=1), 3, "", 0),
    e.AttackMade(11, 1, False, 3, (e.Blow(3, "JER", TERMS, 3, 3, 5),)),
    e.ChoiceMade(3, "JER", "leave", 3),
    e.LandLeft(3, "JER", "hit"),
    e.LandEntered(1, "KUR", e.Gain(gold=1), e.Gain(hearts=2), None, 0),
    e.Collected(1, "KUR", GAIN, 0),
    e.TurnBegan(12, 2, None, 0, 0),
    e.DiceRolled(12, 2, "roll", (1, 2, 3, 4, 5), ("s", "R", "-", "b", "R")),
    e.DiceResolved(12, 2, ("s", "s", "b", "b", "s"), e.Gain(banners=1), 3, "", 0),
    e.AttackMade(12, 2, False, 3, (e.Blow(1, "KUR", TERMS[:2], 4, 4, 3),)),
)
"""Played decision by decision: what Anna did last in turn 11, and Bartek's turn 12 up to his blow.
"""

ROUND: tuple[AnyFacts, ...] = (
    e.OrdersMissed(4, "round", 1),
    e.TurnBegan(9, 1, None, 0, 1),
    e.DiceRolled(9, 1, "roll", (1, 2, 3, 4, 5), ("s", "R", "-", "b", "s")),
    e.DiceRolled(9, 1, "reroll", (3,), ("s", "R", "h", "b", "s")),
    e.DiceResolved(9, 1, ("s", "s", "h", "b", "s"), e.Gain(hearts=1), 3, "", 0),
    e.CardBought(1, "B10", 3, 1, "B02", None),
    e.AttackMade(9, 1, False, 3, (e.Blow(3, "JER", TERMS, 3, 3, 5),)),
    e.ChoiceMade(3, "JER", "leave", 3),
    e.LandLeft(3, "JER", "hit"),
    e.StayedOutside(1, "wish"),
    e.TurnBegan(10, 2, None, 0, 0),
    e.DiceRolled(10, 2, "roll", (1, 2, 3, 4, 5), ("s", "s", "b", "b", "c")),
    e.DiceResolved(10, 2, ("s", "s", "b", "b", "c"), e.Gain(gold=1, banners=1), 2, "", 0),
    e.AttackForgone(2, 2, "nobody"),
    e.LandEntered(2, "JER", e.Gain(gold=2), NONE, None, 0),
    e.Collected(2, "JER", GAIN, 0),
    e.RoundBegan(4, "T01", "Attack +1", final=False),
    e.WindowOpened("round", (1, 2, 3, 4), 48),
)
PUBLIC = happened(*ROUND)
PRIVATE = (
    Event(e.LineUsed(1, orders_of("Reroll: reroll blanks (always)")[0]), ("RM-10.1",), (1,)),
    Event(
        e.LineSkipped(1, orders_of("Buy: Iron Shield")[0], "not-enough-gold"), ("RM-10.10",), (1,)
    ),
)
HAPPENED = (*PUBLIC[:10], *PRIVATE, *PUBLIC[10:])


def standing(text: str) -> Standing[o.Order]:
    return Standing(orders_of(text))


PLAN = "Enter: Kurull if hearts at least 6, Arub; R: half banner if a lone half banner, sword; Buy: Whetted Blade, keep 1 gold"


def receipt_facts(**changes: object) -> ReceiptFacts:
    orders = orders_of(PLAN)
    texts = tuple(map(format_order, orders))
    items = (
        ReceiptItem(1, "go for Kurull if I have 6 hearts or more, else Arub", None, texts[:1]),
        ReceiptItem(2, "R's are swords unless I have a half banner left", None, texts[1:2]),
        ReceiptItem(
            3,
            "buy the Whetted Blade, keep 1 gold",
            None,
            texts[2:],
            (
                Problem(
                    "not-enough-gold",
                    ("RM-6.1",),
                    {"card": "B02", "cost": 5, "gold": 4},
                    warning=True,
                ),
            ),
        ),
        ReceiptItem(
            4,
            "buy the Bolt of Fire",
            None,
            (),
            (Problem("not-on-offer", ("RM-6.1",), {"card": "B16", "row": ("B02", "B12", "B19")}),),
            "Buy: hope for Bolt of Fire",
        ),
        ReceiptItem(
            5,
            "leave if dragons come",
            (9, 16),
            (),
            (Problem("condition-unknown", ("RM-10.5",), {"word": "dragons"}),),
        ),
        ReceiptItem(
            6,
            "enter Rivendell",
            (6, 15),
            (),
            (Problem("unknown-land", ("RM-1.3",), {"word": "Rivendell"}),),
        ),
    )
    values: dict[str, Any] = {
        "items": items,
        "standing": texts,
        "standing_orders": orders,
        "final": False,
        "version": 2,
        "received_at": NOW,
        "offered": ((1, "Buy: hope for Bolt of Fire"),),
        "dropped_replaced": ("Enter: Jerum",),
    }
    return ReceiptFacts(**(values | changes))


PAST = (
    PastPhase(0, "heroes", ("Anna takes the Elf.",)),
    PastPhase(3, "round", ("Bartek enters Jerum.", "Chloé leaves Jerum."), is_undone=False),
    PastPhase(4, "round", (), is_undone=True),
)
ROLLED_BACK = RollBack(((4, "round"),), PUBLIC, reshuffled=False, was_paused=True, by="Gerda")
VERSIONS = (
    StoredVersion(1, NOW - timedelta(hours=3), ("Enter: Jerum",)),
    StoredVersion(2, NOW, tuple(map(format_order, orders_of(PLAN)))),
)
