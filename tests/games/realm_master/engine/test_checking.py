"""What is refused, what is only warned of, and what replaces what."""

from engine.realm_master import orders as o
from engine.realm_master.conditions import AttackedBy
from engine.realm_master.ruleset import REALM_MASTER
from engine.ruleset import Standing
from tests.games.realm_master.engine.playing import new_game, orders_of, problems, table
from tests.rows import each_row

TWO = {
    "Ann": {"hero": "elf", "hgb": "7/4/0"},
    "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL"},
}
FIVE = {
    **TWO,
    "Cid": {"hgb": "8/0/0", "at": "ARU"},
    "Dan": {"hgb": "8/0/0"},
    "Eve": {"hgb": "8/0/0"},
}
LIVE = {"mode": "interactive"}


def test_a_line_takes_the_place_of_an_earlier_one_of_the_same_thing() -> None:
    state = table(TWO)
    first = REALM_MASTER.check(
        state, 1, Standing(), orders_of("Attack: no; Enter: Arub; Wait; Auto on")
    )
    assert first.standing.orders == orders_of("Attack: no; Enter: Arub; Wait; Auto on")
    assert not first.complete
    second = REALM_MASTER.check(state, 1, first.standing, orders_of("Attack: yes; Auto off; Wait"))
    assert second.replaced == orders_of("Attack: no; Auto on; Wait")
    assert second.standing.orders == orders_of("Enter: Arub; Attack: yes; Auto off; Wait")
    third = REALM_MASTER.check(state, 1, second.standing, orders_of("Forget Attack"))
    assert third.replaced == orders_of("Attack: yes")
    fourth = REALM_MASTER.check(
        state, 1, third.standing, orders_of("Forget everything; Reroll: as usual")
    )
    assert fourth.standing.orders == orders_of(
        "Auto off; Wait; Forget everything; Reroll: as usual"
    )


def test_a_plan_is_complete_when_anything_was_sent_or_all_is_left_to_the_plan() -> None:
    state = table({**TWO, "Cid": {"auto": True}})
    assert not REALM_MASTER.check(state, 1, Standing(), ()).complete
    assert REALM_MASTER.check(state, 1, Standing(), orders_of("Attack: yes")).standing.final
    assert REALM_MASTER.check(state, 3, Standing(), ()).complete
    assert not REALM_MASTER.check(state, 3, Standing(), orders_of("Wait")).complete
    assert REALM_MASTER.check(state, 1, Standing(), orders_of("Auto on")).complete
    assert REALM_MASTER.lacking(state, 1, Standing()) == ("Plan",)
    assert REALM_MASTER.lacking(state, 3, Standing()) == ()


def test_of_two_lines_in_one_message_the_first_stands() -> None:
    told = REALM_MASTER.check(table(TWO), 1, Standing(), orders_of("Attack: no; Attack: yes"))
    assert [(problem.code, problem.facts, problem.order) for problem in told.problems] == [
        ("second-order", {"stands": "Attack: no"}, 1)
    ]


@each_row(
    ("text", "codes"),
    [
        ("Hero: squire", ["not-now"]),
        ("Hero: dwarf", ["hero-taken"]),
        ("Go on", ["not-now"]),
        ("Take the revealed card", ["not-now"]),
        ("Reveal a card now", ["not-now"]),
        ("Enter: Barrows", ["land-not-in-play"]),
        ("Tribute: gold to Barrows", ["land-not-in-play"]),
        ("Play: Golden Touch on Barrows", ["land-not-in-play"]),
        ("Attack: yes if gold in Barrows at least 1", ["land-not-in-play"]),
        ("Play: Golden Touch", ["target-wanted"]),
        ("Play: Iron Shield", ["not-playable"]),
        ("Play: Cutpurse on the dwarf", ["not-your-card"]),
        ("Life: 4", ["life-max-3"]),
        ("Smoke Pot: yes (always)", []),
        ("Play: Healing Draught (always)", []),
        ("Reveal: up to 1, Healing Draught; Play: Healing Draught", []),
        ("Object to turn 3: why", ["no-such-turn"]),
        ("Second reroll: as usual", ["one-reroll"]),
        ("Concede", []),
    ],
)
def test_what_is_refused_in_the_window_of_a_round(text: str, codes: list[str]) -> None:
    assert problems(table(TWO, row=["B01", "B02", "B08"]), 1, text) == codes


def test_a_second_reroll_may_be_told_for_later_where_it_will_be_allowed() -> None:
    state = table({**TWO, "Ann": {"hero": "elf", "hgb": "7/4/0"}}, row=["B03", "B01", "B02"])
    assert problems(state, 1, "Second reroll: reroll coins") == ["one-reroll"]
    assert (
        problems(state, 1, "Buy: Gambler's Knuckle, before rolling; Second reroll: reroll coins")
        == []
    )
    assert problems(state, 1, "Second reroll: reroll coins (always)") == []


def test_what_owns_no_sense_is_refused_without_raising() -> None:
    state = table(
        {**TWO, "Ann": {"hero": "elf", "hgb": "7/4/0", "cards": ["B11", "B13", "B16"]}},
        row=["B01", "B02", "B08"],
    )
    odd: list[tuple[o.Order, str]] = [
        (o.Choose("hit", (o.Choice("dance"),)), "not-understood"),
        (o.Choose("hit", ()), "not-understood"),
        (o.Choose("hit", (o.Choice("stay", ((AttackedBy("hobbit"),),)),)), "condition-unknown"),
        (o.Reroll((o.DieRule("7", reroll=True),)), "not-understood"),
        (o.Faces((o.FaceRule("R"),)), "not-understood"),
        (o.PickHero(("hobbit",)), "not-now"),
        (o.Enter((o.Choice("Rivendell"),)), "unknown-land"),
        (o.Enter(()), "not-understood"),
        (o.PayTribute(()), "not-understood"),
        (o.Buy((o.Wish("X"),)), "not-understood"),
        (o.Play("X"), "not-understood"),
        (o.Play("B16", hero="elf"), "no-such-target"),
        (o.Play("B13", die="9", face="s"), "target-wanted"),
        (o.Reveal(times=0), "not-understood"),
        (o.Loot(()), "not-understood"),
        (o.Life(-1), "not-understood"),
        (o.Objection(1, ""), "no-such-turn"),
    ]
    for order, code in odd:
        assert [
            problem.code for problem in REALM_MASTER.check(state, 1, Standing(), [order]).problems
        ] == [code], order
    assert [
        problem.code
        for problem in REALM_MASTER.check(
            new_game(), 1, Standing(), [o.PickHero(("hobbit",))]
        ).problems
    ] == ["not-understood"]


def test_nobody_can_send_more_lines_than_any_plan_needs() -> None:
    full = Standing[o.Order](orders=tuple(o.Drop("hero") for _ in range(60)))
    assert [
        problem.code
        for problem in REALM_MASTER.check(table(TWO), 1, full, orders_of("Attack: no")).problems
    ] == ["too-many-orders"]


def test_the_dead_and_strangers_and_those_after_the_end_give_no_orders() -> None:
    state = table({**TWO, "Cid": {"alive": False}})
    assert problems(state, 3, "Attack: yes") == ["dead"]
    assert problems(state, 9, "Attack: yes") == ["dead"]
    over = table(TWO, phase="over", winner="Ann", ended_by="banners")
    assert problems(over, 1, "Attack: yes") == ["not-now"]
    assert list(REALM_MASTER.legal(over, 1)) == list(REALM_MASTER.legal(state, 3)) == []


def test_what_may_not_come_true_is_said_and_stands() -> None:
    told = REALM_MASTER.check(
        table(FIVE, row=["B19", "B02", "B08"]),
        2,
        Standing(),
        orders_of("In the Realm: move to Arub"),
    )
    assert [(problem.code, problem.warning) for problem in told.problems] == [
        ("land-occupied", True)
    ]
    assert told.accepted == orders_of("In the Realm: move to Arub")


def test_a_live_answer_must_be_possible() -> None:
    turn = {"player": "Ben", "inside": True, "rolled": "sc---", "faces": "sc---"}
    lands = {"SAL": "0/0/0", "ARU": "0/0/0", "MER": "0/0/0", "KUR": "0/0/0"}
    state = table(
        FIVE, options=LIVE, phase="realm", turn=turn, lands=lands, row=["B01", "B02", "B08"]
    )
    assert problems(state, 2, "In the Realm: move to Arub") == ["land-occupied"]
    assert problems(state, 2, "In the Realm: move to Mertle") == ["not-enough-gold"]
    assert problems(state, 2, "In the Realm: move to Kurull") == []
    assert problems(state, 2, "In the Realm: stay") == []
    assert problems(state, 1, "In the Realm: stay") == ["not-inside"]
    assert problems(state, 1, "When hit: stay (always)") == []
    assert REALM_MASTER.lacking(state, 2, Standing()) == ("In the Realm",)
    assert REALM_MASTER.lacking(state, 1, Standing()) == ()


def test_deeds_are_judged_by_the_moment() -> None:
    players = {
        "Ann": {"hero": "elf", "hgb": "7/2/0", "cards": ["B09", "B13", "B16"]},
        "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL"},
        "Cid": {"alive": False, "hero": "squire"},
    }
    turn = {"player": "Ann", "rolled": "sc---"}
    rerolling = table(players, options=LIVE, phase="reroll", turn=turn, row=["B01", "B02", "B08"])
    assert problems(rerolling, 1, "Play War Horn now") == []
    assert problems(rerolling, 1, "Play Charm of Turning on blank for sword now") == ["not-now"]
    assert problems(rerolling, 1, "Play Bolt of Fire on the squire now") == ["no-such-target"]
    assert problems(rerolling, 1, "Trade 1 gold for life now") == ["no-exchange-now"]
    assert problems(rerolling, 1, "Buy Iron Shield now; Buy Healing Draught now") == [
        "not-enough-gold"
    ]
    fixing = table(players, options=LIVE, phase="faces", turn=turn, row=["B01", "B02", "B08"])
    assert problems(fixing, 1, "Play Charm of Turning on blank for sword now") == []
    assert problems(fixing, 1, "Play Charm of Turning on die 1 for coin now") == []
    assert problems(fixing, 1, "Play Charm of Turning on heart for sword now") == ["no-such-die"]
    late = table(
        players,
        options=LIVE,
        phase="enter",
        turn={**turn, "faces": "sc---"},
        row=["B01", "B02", "B08"],
    )
    assert problems(late, 1, "Play War Horn now") == ["too-late"]
    assert [p.code for p in REALM_MASTER.check(late, 1, Standing(), [o.BuyNow("X")]).problems] == [
        "not-understood"
    ]


def test_f48_each_deed_is_judged_on_what_those_before_it_leave() -> None:
    """RM-6.1, RM-6.3, RM-8.8: gold, cards and the row, in one message and in several."""
    players = {
        "Ann": {"hero": "elf", "hgb": "5/4/0", "cards": ["B11", "B13"]},
        "Ben": {"hero": "dwarf", "hgb": "9/3/0", "at": "SAL"},
    }
    turn = {"player": "Ann", "rolled": "sc---", "faces": "sc---"}
    state = table(
        players,
        options=LIVE,
        phase="last",
        card="T08",
        turn=turn,
        row=["B01", "B02", "B08"],
        deck=["B12", "B05"],
    )
    assert problems(state, 1, "Buy Iron Shield now; Reveal a card now") == ["not-enough-gold"]
    assert problems(state, 1, "Buy Iron Shield now; Trade 1 gold for life now") == [
        "not-enough-gold"
    ]
    assert (
        problems(state, 1, "Trade 2 gold for life now; Reveal a card now; Reveal a card now") == []
    )
    assert problems(
        state,
        1,
        "Trade 2 gold for life now; Reveal a card now; Reveal a card now; Reveal a card now",
    ) == ["not-enough-gold"]
    assert problems(state, 1, "Trade 3 gold for life now; Trade 1 gold for life now") == [
        "life-max-3"
    ]
    assert problems(state, 1, "Play Cutpurse on the dwarf now; Play Cutpurse on the dwarf now") == [
        "not-your-card"
    ]
    assert (
        problems(
            state,
            1,
            "Play Cutpurse on the dwarf now; Buy Iron Shield now; Reveal a card now; Reveal a card now",
        )
        == []
    )
    assert problems(state, 1, "Buy Iron Shield now; Buy Iron Shield now") == ["not-on-offer"]
    bought = REALM_MASTER.check(state, 1, Standing(), orders_of("Buy Iron Shield now")).standing
    again = REALM_MASTER.check(state, 1, bought, orders_of("Reveal a card now"))
    assert [(problem.code, problem.facts["gold"]) for problem in again.problems] == [
        ("not-enough-gold", 0)
    ]


def test_f48_judging_deeds_looks_at_no_hidden_card() -> None:
    """Whatever comes next from the deck, the answer is the same: a bought card's place and a
    revealed card stay unknown.
    """
    players = {"Ann": {"hero": "elf", "hgb": "5/9/0"}, "Ben": {"hero": "dwarf", "hgb": "9/3/0"}}
    turn = {"player": "Ann", "rolled": "sc---", "faces": "sc---"}
    told = "Buy Iron Shield now; Reveal a card now; Buy Minted Honour now; Buy Toll Writ now"
    answers = {
        tuple(
            problems(
                table(
                    players,
                    options=LIVE,
                    phase="last",
                    turn=turn,
                    row=["B01", "B02", "B08"],
                    deck=deck,
                ),
                1,
                told,
            )
        )
        for deck in (["B12", "B06"], ["B06", "B12"], [])
    }
    assert answers == {("not-on-offer", "not-on-offer")}


def test_the_exchange_is_judged_by_what_is_left_of_it() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/2/0"}, "Ben": {"hero": "dwarf", "hgb": "9/3/0"}}
    turn = {"player": "Ann", "rolled": "cc---", "faces": "cc---", "lives": 1}
    state = table(players, options=LIVE, phase="last", card="T08", turn=turn)
    assert problems(state, 1, "Trade 2 gold for life now") == []
    assert problems(state, 1, "Trade 3 gold for life now") == ["life-max-3"]
    poor = table(
        {**players, "Ann": {"hero": "elf", "hgb": "7/1/0"}},
        options=LIVE,
        phase="last",
        card="T08",
        turn=turn,
    )
    assert problems(poor, 1, "Trade 2 gold for life now") == ["not-enough-gold"]
    hale = table(
        {**players, "Ann": {"hero": "elf", "hgb": "9/3/0"}},
        options=LIVE,
        phase="last",
        card="T08",
        turn=turn,
    )
    assert problems(hale, 1, "Trade 2 gold for life now") == ["out-of-range"]


def test_revealing_needs_gold_and_a_card() -> None:
    everything = [f"B{n:02}" for n in range(4, 21)]
    turn = {"player": "Ann", "rolled": "cc---", "faces": "cc---"}
    players = {
        "Ann": {"hero": "elf", "hgb": "7/1/0"},
        "Ben": {"hero": "dwarf", "hgb": "9/3/0", "cards": everything},
    }
    empty = table(
        players,
        options=LIVE,
        phase="last",
        turn=turn,
        row=["B01", "B02", "B03"],
        deck=[],
        discard=[],
    )
    assert problems(empty, 1, "Reveal a card now") == ["no-card-left"]
    poor = table(
        {**players, "Ann": {"hero": "elf", "hgb": "7/0/0"}},
        options=LIVE,
        phase="last",
        turn=turn,
        row=["B01", "B02", "B03"],
        deck=[],
    )
    assert problems(poor, 1, "Reveal a card now") == ["not-enough-gold"]


def test_a_revealed_card_goes_on_a_card_that_is_there() -> None:
    players = {"Ann": {"hero": "elf", "hgb": "7/9/0"}, "Ben": {"hero": "dwarf", "hgb": "9/3/0"}}
    turn = {"player": "Ann", "rolled": "cc---", "faces": "cc---"}
    state = table(
        players, options=LIVE, phase="place", turn=turn, revealed="B04", row=["B01", "B02", "B03"]
    )
    assert problems(state, 1, "Cover Iron Shield") == []
    assert problems(state, 1, "Cover Smoke Pot") == ["not-on-offer"]
    assert problems(state, 2, "Cover Iron Shield") == ["not-now"]
