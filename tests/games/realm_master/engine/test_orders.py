"""Every order has one canonical text, which reads back to it; conditions answer as they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from engine.realm_master.cards import TOKENS, all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.wording import format_order, parse_order
from tests.rows import each_row

NUMBERS = st.integers(0, 40)
BOUND = st.sampled_from(c.BOUNDS)
LANDS = st.sampled_from(tuple(all_lands()))
HEROES = st.sampled_from(tuple(all_heroes()))
CARDS = st.sampled_from(tuple(all_buy_cards()))
FACES = st.sampled_from(c.FACES)
FIXED = st.sampled_from(("-", "b", "s", "c", "h"))
QUESTION = st.one_of(
    st.builds(c.Amount, st.sampled_from(c.OWN), BOUND, NUMBERS),
    st.builds(c.DiceShown, FACES, BOUND, NUMBERS),
    st.builds(c.OnLand, LANDS, st.sampled_from(TOKENS), BOUND, NUMBERS),
    st.builds(c.AttackedBy, HEROES, st.booleans()),
    st.builds(c.CardIs, st.sampled_from(tuple(all_turn_cards())), st.booleans()),
    st.builds(c.LoneHalf, st.booleans()),
)
WHEN = st.lists(st.lists(QUESTION, min_size=1, max_size=3).map(tuple), max_size=2).map(tuple)
ALWAYS = st.booleans()


def some(
    entries: st.SearchStrategy[object], least: int = 1
) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(entries, min_size=least, max_size=4).map(tuple)


def choices(*words: str) -> st.SearchStrategy[tuple[object, ...]]:
    return some(st.builds(o.Choice, st.sampled_from(words), WHEN))


ORDERS = st.one_of(
    st.builds(o.PickHero, some(HEROES)),
    st.builds(
        o.Reroll,
        some(
            st.builds(
                o.DieRule, st.sampled_from((*c.FACES, "lone", "1", "5")), st.booleans(), WHEN
            ),
            0,
        ),
        st.sampled_from(("blanks", "keep", "reroll")),
        st.booleans(),
        ALWAYS,
    ),
    st.builds(
        o.Faces,
        some(
            st.builds(
                o.FaceRule,
                st.one_of(FIXED, st.just(o.FIVE)),
                st.one_of(st.none(), st.integers(1, 5)),
                WHEN,
            ),
            0,
        ),
        ALWAYS,
    ),
    st.builds(o.Choose, st.just("attack"), choices("yes", "no"), ALWAYS),
    st.builds(o.Choose, st.just("smoke"), choices("yes", "no"), ALWAYS),
    st.builds(o.Choose, st.just("hit"), choices("stay", "leave"), ALWAYS),
    st.builds(o.Choose, st.just("ultimatum"), choices("leave", "lose"), ALWAYS),
    st.builds(o.AttackOne, HEROES),
    st.builds(o.PayTribute, some(st.tuples(st.sampled_from(TOKENS), LANDS)), ALWAYS),
    st.builds(o.Enter, choices(*all_lands(), o.BEST, o.CHEAPEST, o.NOWHERE), ALWAYS),
    st.builds(o.Realm, choices(*all_lands(), o.BEST, o.CHEAPEST, "stay", "leave"), ALWAYS),
    st.builds(
        o.Buy,
        some(st.builds(o.Wish, CARDS, st.booleans(), WHEN), 0),
        st.booleans(),
        NUMBERS,
        ALWAYS,
    ),
    st.builds(o.Play, CARDS, hero=HEROES, early=st.booleans(), when=WHEN, always=ALWAYS),
    st.builds(o.Play, CARDS, land=LANDS, early=st.booleans(), when=WHEN, always=ALWAYS),
    st.builds(
        o.Play,
        CARDS,
        die=st.sampled_from((*c.FACES, "1", "5")),
        face=FACES,
        when=WHEN,
        always=ALWAYS,
    ),
    st.builds(o.Play, CARDS, early=st.booleans(), when=WHEN, always=ALWAYS),
    st.builds(o.Play, CARDS, hero=HEROES, now=st.just(True)),
    st.builds(
        o.Reveal,
        st.integers(1, 9),
        st.one_of(st.none(), NUMBERS),
        some(CARDS, 0),
        st.one_of(st.none(), CARDS),
        WHEN,
        ALWAYS,
    ),
    st.builds(o.Life, NUMBERS, WHEN, ALWAYS),
    st.builds(o.Life, NUMBERS, now=st.just(True)),
    st.builds(o.Loot, some(CARDS), ALWAYS),
    st.builds(o.Drop, st.one_of(st.none(), st.sampled_from(tuple(o.KEY_WORDS)))),
    st.builds(o.Auto, st.booleans()),
    st.builds(o.PlaceCard, st.one_of(st.none(), CARDS)),
    st.builds(o.BuyNow, CARDS),
    st.builds(o.Objection, NUMBERS, st.just("what of the R?")),
    st.sampled_from((o.Wait(), o.GoOn(), o.RevealNow(), o.Concede())),
)


@given(ORDERS)
def test_the_canonical_text_of_an_order_reads_back_to_it(order: o.Order) -> None:
    assert parse_order(format_order(order)) == order


@each_row(
    "text",
    [
        *("", "Fly away", "Enter: Rivendell", "Enter: Jerum if dragons come", "Buy: Excalibur"),
        *("Reroll: reroll spots", "Hero: hobbit", "Attack only the hobbit", "Life: many"),
        *("Life: 03", "Reroll:  as usual", "Forget nothing", "Play: nothing at all 7"),
        *("Play: Cutpurse on the hobbit", "When hit: stay if card T99"),
        "When hit: stay if attacked by the hobbit",
        *("Play Healing Draught on nothing for sword now", "Tribute: stones to Jerum"),
        *("When hit: stay if banners in Rivendell at least 1", "Loot: "),
    ],
)
def test_what_is_no_canonical_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_order(text)


def sight(**told: object) -> c.Sight:
    base: dict[str, object] = {
        "hearts": 5,
        "gold": 2,
        "banners": 1,
        "heroes": 4,
        "card": "T04",
        "lands": {"JER": {"hearts": 1, "gold": 0, "banners": 2}},
        "dice": ("b", "s", "s"),
        "damage": 3,
        "attacker": "elf",
    }
    return c.Sight(**{**base, **told})  # type: ignore[arg-type]  # told by name


@each_row(
    ("text", "holds"),
    [
        ("hearts below 5", False),
        ("hearts below 6", True),
        ("hearts at least 5", True),
        ("hearts exactly 5", True),
        ("gold exactly 3", False),
        ("banners at least 1", True),
        ("heroes exactly 4", True),
        ("damage at least 4", False),
        ("sword dice at least 2", True),
        ("banners in Jerum at least 2", True),
        ("gold in Jerum below 1", True),
        ("gold in Mertle below 1", True),
        ("attacked by the elf", True),
        ("not attacked by the elf", False),
        ("card T04", True),
        ("card not T04", False),
        ("a lone half banner", True),
        ("no lone half banner", False),
        ("hearts below 5 or gold at least 2", True),
        ("hearts exactly 5 and gold at least 3", False),
    ],
)
def test_a_condition_answers_for_the_moment(text: str, holds: bool) -> None:
    assert c.holds(c.parse_when(text), sight()) is holds
    assert c.format_when(c.parse_when(text)) == f" if {text}"


def test_a_condition_about_nothing_of_the_game_is_found() -> None:
    assert c.faults_of(((c.OnLand("XXX", "gold", "below", 1),),)) == "XXX"
    assert c.faults_of(((c.AttackedBy("hobbit"),),)) == "hobbit"
    assert c.faults_of(((c.CardIs("T99"),),)) == "T99"
    assert c.faults_of(((),)) == "nothing"
    assert c.faults_of(()) is None
    assert (c.land_name("XXX"), c.card_name("X1")) == ("XXX", "X1")


def test_an_order_of_another_kind_has_no_text() -> None:
    with pytest.raises(ValueError, match="no text"):
        format_order("Attack: yes")  # type: ignore[arg-type]  # not an order at all
