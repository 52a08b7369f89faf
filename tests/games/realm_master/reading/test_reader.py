"""The order language of Realm-Master: never a crash, never a guess, canonical texts as they are,
the scenarios in the rules' own words.
"""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as replace_struct

from engine.realm_master import orders as o
from engine.realm_master.conditions import ALWAYS, AttackedBy, holds, parse_when
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.cases.document import CaseError
from pbem.cases.runner import Prepared, load_cases, run_case
from pbem.games.realm_master.reading.reader import LONGEST, READER
from pbem.games.realm_master.reading.when import negate
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.house.commands import word_of
from pbem.grammar.house.reading import read_alone
from pbem.registry import load_games
from tests.games.realm_master.engine.playing import new_game, table
from tests.games.realm_master.engine.test_orders import ORDERS, WHEN, sight
from tests.rings import at_length
from tests.rows import each_row

PLAYERS = {
    "Anna": {
        "hero": "elf",
        "hgb": "7/9/0",
        "cards": ["B08", "B09", "B10", "B11", "B13", "B16", "B17"],
        "plan": ["Attack: no"],
    },
    "Ben": {"hero": "barbarian", "hgb": "7/0/0", "at": "SAL"},
    "Ben Two": {"hero": "wizard", "hgb": "7/0/0"},
}
STATE = table(PLAYERS, row=["B01", "B02", "B12"], card="T08")
TURN = {"player": "Anna", "rolled": "sRc--", "faces": "sscbb"}
LIVE = {"mode": "interactive"}
WORDS = sorted(
    {word for phrases in vocabulary().phrases.values() for words, _ in phrases for word in words}
)

SCENARIOS = {
    "RM-W01": {
        "P1": "reroll blanks and half banners; R sword; attack; enter Arub",
        "P2": "leave if below 4",
    },
    "RM-W02": {"P1": "no reroll; attack; stay"},
    "RM-W03": {"P1": "no reroll; attack", "P2": "always stay"},
    "RM-W04": {"P1": "no reroll; attack", "P2": "always stay"},
    "RM-W05": {"P1": "no reroll; enter Mertle"},
    "RM-W06": {"P1": "no reroll; enter Mertle"},
    "RM-W07": {"P1": "no reroll; attack; stay out", "P2": "always stay"},
    "RM-W08": {"P1": "no reroll; attack; leave"},
    "RM-W09": {"P1": "no reroll; attack; stay"},
    "RM-W10": {"P1": "no reroll; attack; stay"},
    "RM-W11": {"P1": "no reroll; buy Golden Touch"},
    "RM-W12": {"P1": "no reroll"},
    "RM-W13": {"P1": "no reroll; R complete five"},
    "RM-W14": {"P1": "no reroll; attack; stay out", "P2": "always stay"},
    "RM-W15": {"P1": "no reroll; attack"},
    "RM-W16": {
        "P1": "tribute banner to Mertle, gold to Kurull",
        "P2": "tribute banner to Mertle, gold to Mertle",
    },
    "RM-W20": {
        "P1": "no reroll; R sword; attack; enter Arub",
        "P2": "always stay",
        "P3": "leave if below 4",
    },
    "RM-W21": {"P1": "no reroll; attack; enter Arub", "P2": "always stay", "P3": "leave"},
    "RM-W22": {"P1": "no reroll; attack; enter Saltmere; loot Iron Shield"},
    "RM-W23": {"P1": "I'd rather bleed"},
    "RM-W24": {"P1": "no reroll; trade 3 gold for life"},
    "RM-W25": {
        "P1": "no reroll; reveal one, take it if 3 or less, else cover Iron Shield",
        "P2": "no reroll; buy Minted Honour if it appears",
    },
    "RM-W28": {"P1": "no reroll; enter Jerum else Arub"},
    "RM-W29": {"P1": "no reroll; don't attack; enter Arub"},
    "RM-W30": {"P1": "no reroll; enter Saltmere"},
    "RM-W31": {"P1": "keep hearts if below 5; R coin"},
    "RM-W32": {"P1": "no reroll; attack; stay"},
}
"""The orders of section 13 in its own words."""


def _scenarios() -> list[Prepared]:
    file = Path(__file__).parents[1] / "cases" / "scenarios.yaml"
    return [found for found in load_cases([file], load_games()) if not isinstance(found, CaseError)]


@pytest.mark.parametrize(
    "prepared",
    [found for found in _scenarios() if found.case.id in SCENARIOS],
    ids=lambda found: found.case.id,
)
def test_the_scenarios_of_the_rules_in_their_own_words(prepared: Prepared) -> None:
    from dataclasses import replace

    steps = (
        replace(prepared.case.steps[0], orders=SCENARIOS[prepared.case.id]),
        *prepared.case.steps[1:],
    )
    ran = run_case(replace(prepared, case=replace(prepared.case, steps=steps)))
    assert (ran.broken, [str(found) for found in ran.differences], ran.reached[0].refused) == (
        None,
        [],
        {},
    )


def read(text: str, player: int = 1) -> tuple[list[str], list[str]]:
    """What stands of a text, and the codes of what does not."""
    reading = read_alone(READER.read, STATE, player, Standing(), text)
    accepted = reading.checked.accepted if reading.checked is not None else ()
    return [format_order(order) for order in accepted], [
        problem.code for item in reading.items for problem in item.problems
    ]


@given(ORDERS)
@settings(max_examples=at_length(26, 80))
def test_a_canonical_text_is_read_as_what_it_is(order: o.Order) -> None:
    """Whatever the engine then says to it."""
    text = format_order(order)
    assert READER.read_canonical(STATE, text) == order
    reading = read_alone(READER.read, STATE, 1, Standing(), text)
    found = [one for item in reading.items for one in item.orders]
    refused = [
        problem for item in reading.items for problem in item.problems if not problem.warning
    ]
    assert found == [order] or (refused and not found) or reading.commands


def test_every_plain_order_offered_is_read_from_its_text() -> None:
    for state in (
        STATE,
        new_game(),
        table(PLAYERS, options=LIVE, phase="enter", turn=TURN),
        table(PLAYERS, options=LIVE, phase="faces", turn=TURN),
    ):
        for order in REALM_MASTER.legal(state, 1):
            reading = read_alone(READER.read, state, 1, Standing(), format_order(order))
            if order == o.Concede():
                assert reading.items[0].suggestion is not None
            elif not reading.commands:
                assert reading.checked is not None
                assert reading.checked.accepted == (order,)


@example("-")
@given(
    st.one_of(
        st.text(max_size=120),
        st.lists(
            st.sampled_from([*WORDS, ",", ";", ".", "?", "7", "3", "Anna", "Ben Two"]), max_size=14
        ).map(" ".join),
    )
)
@settings(max_examples=at_length(33, 100))
def test_nothing_that_anybody_writes_raises(text: str) -> None:
    for state in (STATE, table(PLAYERS, options=LIVE, phase="place", revealed="B19", turn=TURN)):
        for player in (1, 2):
            reading = read_alone(READER.read, state, player, Standing(), text)
            for item in reading.items:
                assert item.quote in text or not item.quote
                assert item.caret is None or 0 <= item.caret[0] <= item.caret[1] <= len(item.quote)
                for order in item.orders:
                    assert READER.read_canonical(state, format_order(order)) == order


@given(WHEN, st.integers(0, 9), st.integers(0, 4), st.sampled_from(["elf", "dwarf"]))
@settings(max_examples=at_length(26, 80))
def test_unless_is_the_opposite_of_if(
    when: tuple[tuple[AttackedBy, ...], ...], hearts: int, gold: int, attacker: str
) -> None:
    now = sight(hearts=hearts, gold=gold, attacker=attacker)
    if when != ALWAYS:
        assert holds(negate(when), now) != holds(when, now)


def test_the_opposite_of_exactly_is_less_or_more() -> None:
    assert negate(parse_when("gold exactly 3")) == parse_when("gold below 3 or gold at least 4")


def test_a_sentence_that_is_not_certain_takes_nothing_else_with_it() -> None:
    assert read("Attack.\nLeave if dragons come.\nEnter Arub.") == (
        ["Attack: yes", "Enter: Arub"],
        ["condition-unknown"],
    )


def test_what_is_wrong_is_pointed_at() -> None:
    item = read_alone(READER.read, STATE, 1, Standing(), "Enter Rivendell at once").items[0]
    assert item.caret is not None
    assert item.quote[slice(*item.caret)] == "Rivendell"


def test_a_card_that_is_not_on_offer_may_be_wished_for() -> None:
    reading = read_alone(READER.read, STATE, 1, Standing(), "Buy the Phoenix Feather")
    assert reading.items[0].suggestion is not None
    assert reading.items[0].suggestion.text == "Buy: hope for Phoenix Feather"


def test_something_like_an_order_is_offered_and_never_taken() -> None:
    reading = read_alone(READER.read, STATE, 1, Standing(), "Atack the whole world yes")
    assert reading.checked is None
    assert reading.items[0].problems[0].code == "not-understood"


def test_players_mean_their_heroes() -> None:
    assert read("Play Cutpurse on Ben Two") == (["Play: Cutpurse on the wizard"], [])
    assert read("Bolt of Fire") == ([], ["not-understood"])
    assert read("Attack Ben") == ([], ["no-single-target"])


def test_an_objection_keeps_its_words() -> None:
    done = read_alone(
        READER.read, STATE, 1, Standing(), "I object to turn 3 because: The R; was a Sword."
    )
    assert done.items[0].problems[0].code == "no-such-turn"


def test_the_table_words_stay_table_words() -> None:
    reading = read_alone(READER.read, STATE, 1, Standing(), "status\nAttack")
    assert [*map(word_of, reading.commands)] == ["status"]
    assert reading.checked is not None
    assert reading.checked.accepted == (o.Choose("attack", (o.Choice("yes"),)),)


def test_leave_alone_is_the_order_of_a_hero_in_the_realm_and_else_a_table_word() -> None:
    live = table(PLAYERS, options=LIVE, phase="hit", hit={"Ben": 1}, turn=TURN)
    told = {
        (STATE, 2, "leave"): (["When hit: leave", "In the Realm: leave"], []),
        (STATE, 2, "Attack.\nI leave!"): (
            ["Attack: yes", "When hit: leave", "In the Realm: leave"],
            [],
        ),
        (STATE, 1, "leave"): ([], ["leave"]),
        (STATE, 2, "leave the table"): ([], ["leave"]),
        (live, 2, "leave"): (["When hit: leave"], []),
        (live, 2, "quit"): ([], ["leave"]),
        (live, 2, "leave\nleave the game"): (["When hit: leave"], ["leave"]),
    }
    for (state, player, text), meant in told.items():
        reading = read_alone(READER.read, state, player, Standing(), text)
        accepted = reading.checked.accepted if reading.checked is not None else ()
        assert (
            [format_order(order) for order in accepted],
            [*map(word_of, reading.commands)],
        ) == meant


def test_a_message_too_long_is_read_as_far_as_it_goes() -> None:
    assert read_alone(READER.read, STATE, 1, Standing(), "Attack\n" + "x" * LONGEST).cut
    assert read_alone(READER.read, STATE, 1, Standing(), "Attack; " * 300).cut


def test_only_what_may_be_asked_of_the_last_plan_is_repeated() -> None:
    assert read("same as last time") == ([], ["no-last-plan"])
    again = replace_struct(
        STATE,
        players=(
            replace_struct(
                STATE.players[0],
                plan=replace_struct(STATE.players[0].plan, last=STATE.players[0].plan.lines),
            ),
            *STATE.players[1:],
        ),
    )
    reading = read_alone(READER.read, again, 1, Standing(), "same as last time")
    assert reading.checked is not None
    assert [format_order(order) for order in reading.checked.accepted] == ["Attack: no"]


@pytest.mark.parametrize(
    "text",
    [
        "Same as last time. Enter Arub.",
        "same as last time, but enter Arub",
        "Enter Arub\nsame as last time",
    ],
)
def test_what_is_said_beside_the_last_plan_takes_the_place_of_its_line(text: str) -> None:
    state = table(
        {
            **PLAYERS,
            "Anna": {"hero": "elf", "hgb": "7/9/0", "last": ["Attack: no", "Enter: Saltmere"]},
        }
    )
    reading = read_alone(READER.read, state, 1, Standing(), text)
    assert reading.checked is not None
    assert sorted(format_order(order) for order in reading.checked.accepted) == [
        "Attack: no",
        "Enter: Arub",
    ]
    assert [problem for item in reading.items for problem in item.problems] == []


@each_row(
    ("text", "means"),
    [
        ("concede for good", ["Concede"]),
        ("auto off", ["Auto off"]),
        ("don't buy anything", ["Forget Buy"]),
        ("buy nothing", ["Forget Buy"]),
        ("don't leave", ["When hit: stay"]),
        ("use the smoke pot if damage is at least 3", ["Smoke Pot: yes if damage at least 3, no"]),
        ("don't use the smoke pot", ["Smoke Pot: no"]),
        ("attack, but only with 3 swords", ["Attack: yes if sword dice at least 3, no"]),
        ("enter Arub if no banners in Saltmere", ["Enter: Arub if banners in Saltmere below 1"]),
        ("enter Arub if fewer than 5 living heroes", ["Enter: Arub if heroes below 5"]),
        ("enter Arub if at most 3 gold", ["Enter: Arub if gold below 4"]),
        ("enter Arub if more than 3 gold", ["Enter: Arub if gold at least 4"]),
        ("enter Arub if exactly 3 gold", ["Enter: Arub if gold exactly 3"]),
        ("enter Arub if 3 gold or less", ["Enter: Arub if gold below 4"]),
        ("enter the cheapest land, otherwise nothing", ["Enter: the cheapest land, nothing"]),
        ("stay if not hit by the wizard", ["When hit: stay if not attacked by the wizard"]),
        ("attack if card T04", ["Attack: yes if card T04, no"]),
        ("buy 2 hearts", ["Life: 2"]),
        ("golden touch", []),
        ("use the golden touch on Saltmere", ["Play: Golden Touch on Saltmere"]),
        ("reroll R and blanks", ["Reroll: reroll Rs, reroll blanks"]),
        ("only reroll blanks", ["Reroll: reroll blanks, keep the rest"]),
        ("reroll the rest", ["Reroll: reroll the rest"]),
        ("reroll nothing", ["Reroll: keep the rest"]),
        ("don't reroll swords", ["Reroll: keep swords"]),
        (
            "reveal one, take it if it costs less than 4, else cover Minted Honour",
            ["Reveal: up to 1, at most 3 gold, cover Minted Honour"],
        ),
        ("reveal one and take it", ["Reveal: up to 1, at most 99 gold"]),
        ("reveal one, take it if it costs at most 3", ["Reveal: up to 1, at most 3 gold"]),
        ("keep everything except blanks", ["Reroll: reroll blanks, keep the rest"]),
        ("keep only swords and hearts", ["Reroll: keep swords, keep hearts, reroll the rest"]),
        ("keep nothing", ["Reroll: reroll the rest"]),
        ("second reroll: keep swords", []),
        (
            "leave, unless gold in Saltmere is at least 2",
            ["In the Realm: leave if gold in Saltmere below 2, stay"],
        ),
        ("enter Arub, but not if hearts below 4", ["Enter: Arub if hearts at least 4"]),
        ("enter Arub, not if hearts below 4", ["Enter: Arub if hearts at least 4"]),
        ("attack, but not if below 4 hearts", ["Attack: yes if hearts at least 4, no"]),
        ("stay, but not if the elf hits me", ["When hit: stay if not attacked by the elf, leave"]),
        ("don't keep hearts", ["Reroll: reroll hearts"]),
        ("keep everything but hearts", ["Reroll: reroll hearts, keep the rest"]),
        ("keep swords but not hearts", []),
        ("attack: no", ["Attack: no"]),
        ("ATTACK: NO", ["Attack: no"]),
        ("attack = yes", ["Attack: yes"]),
        ("attack, no", []),
        ("attack - no", []),
        ("hit: stay", ["When hit: stay"]),
        ("realm: leave", ["In the Realm: leave"]),
        ("enter: arub else Saltmere", ["Enter: Arub, Saltmere"]),
        ("life: 2", ["Life: 2"]),
        (
            "Ultimatum: leave if hearts below 6, else lose",
            ["Ultimatum: leave if hearts below 6, lose"],
        ),
        ("reroll everything but not R", []),
        ("reveal a card, take it for at most 3 gold", ["Reveal: up to 1, at most 3 gold"]),
        ("reveal 2, buy at 3 or less", ["Reveal: up to 2, at most 3 gold"]),
        ("reveal a card for at most 3 gold", []),
        ("pay 1 gold to turn a card, take it", ["Reveal: up to 1, at most 99 gold"]),
        ("reroll blanks but not half banners", []),
        ("don't buy the blade", []),
        ("buy the blade, not the shield", ["Buy: Whetted Blade"]),
        ("stay unless damage is 3 or more", ["When hit: stay if damage below 3, leave"]),
        (
            "stay when hit, but only with 5 hearts or more",
            ["When hit: stay if hearts at least 5, leave"],
        ),
        ("ultimatum: bleed unless hearts below 6", ["Ultimatum: lose if hearts at least 6, leave"]),
        (
            "move to Arub, else Saltmere, else leave",
            ["In the Realm: move to Arub, move to Saltmere, leave"],
        ),
        ("when hit, stay if 3 swords", ["When hit: stay if sword dice at least 3"]),
        ("don't attack if fewer than 2 swords", ["Attack: no if sword dice below 2, yes"]),
        ("attack if T08", ["Attack: yes if card T08, no"]),
        ("attack if not T08", ["Attack: yes if card not T08, no"]),
        ("enter Arub if 2 hearts in Saltmere", ["Enter: Arub if hearts in Saltmere at least 2"]),
        ("R is a heart, else a coin", ["R: heart, coin"]),
        ("play the charm on 3 for a sword", ["Play: Charm of Turning on die 3 for sword"]),
        ("keep 3 gold", ["Buy: keep 3 gold"]),
        ("attack, if I have 2 swords", ["Attack: yes if sword dice at least 2, no"]),
        ("trade 2 gold for life if below 5 hearts", ["Life: 2 if hearts below 5"]),
    ],
)
def test_other_ways_to_say_it(text: str, means: list[str]) -> None:
    assert read(text)[0] == means


@each_row(
    "text",
    [
        *("attack if", "attack if if", "attack if T99", "attack if 3 swords in Arub"),
        *("attack if -3 hearts", "attack if not 3 hearts", "attack if no below 3 hearts"),
        *("auto on if below 3", "same as last time swords", "if below 5, attack if 3 swords"),
        *("keep swords coins except blanks, reroll the rest", "enter Iron Shield"),
        *("attack unless below 5, then enter", "don't bleed", "buy Iron Shield Arub"),
        *("play the horn on Iron Shield", "play the charm on swords blanks hearts", "tribute Arub"),
        *("tribute swords to Iron Shield", "tribute gold to Arub, hearts"),
        *("pick the squire if below 3", "keep only", "reroll all except", "R", "R sword coin"),
        *("seven R as sword", "keep 7", "enter", "don't enter Arub", "stay leave", "move"),
        *("don't move to Arub", "tribute", "tribute gold", "tribute gold to Arub if below 3"),
        *("trade for life", "loot", "loot Arub", "cover Iron Shield", "take it"),
        *("reveal Iron Shield", "reveal one, take it if sunny"),
        *("reveal one, take it if it costs 3", "if below 5", "if below 5, if below 3, attack"),
        *("attack Arub", "don't reveal a card", "forget Arub", "lone", "reroll lone"),
        *("play Iron Shield and Whetted Blade", "ultimatum: move to Arub"),
        "enter Arub, but only with 7 hearts, but only with 3 gold",
        *("attack unless the moon is full", "stay in Jerum and Arub"),
        *("enter Arub if 3 hearts gold", "elf if below 3", "attack if hit by"),
    ],
)
def test_what_is_not_certain_is_not_read(text: str) -> None:
    stands, codes = read(text)
    assert stands == []
    assert codes, text
