"""What people write around their orders, and with letters wrong, is offered without it; and what
may mean something is not passed over.
"""

import pytest

from tests.games.realm_master.reading.test_doc import NAMES
from tests.games.realm_master.reading.test_shorthand import offered, rows
from tests.games.realm_master.reading.test_word_by_word import read
from tests.rows import each_row

OFFERED = """
round | rerol blnaks, R is a swrod | Reroll: reroll blanks & R: sword
round | entr teh cheepest lnad adn dont atack | Enter: the cheapest land & Attack: no
round | R is haert, go to Jreum | R: heart & Enter: Jerum
round | Jerum is full of hearts and I am thin, so enter Arub. | Enter: Arub
round | Anna hits for one extra out there, hence attack. | Attack: yes
round | Jerum still has two banners, which is why I go there. | Enter: Jerum
round | 4 gold isn't enough for much, so stay out of the Realm. | Enter: nothing
round | Reroll hearts, seven of them is plenty. | Reroll: reroll hearts
round | reroll blanks, it's been a long week with no sleep | Reroll: reroll blanks
round | enter Jerum for the banners | Enter: Jerum
round | attack to drive Ben out | Attack: yes
round | reroll the blanks to get more swords | Reroll: reroll blanks
round | reroll blanks, ok? | Reroll: reroll blanks
round | Attack, and enter Jerum merrily. On second thoughts not Jerum, Arub. | Attack: yes & Enter: Arub
round | attack, hmm, no, better not attack this time | Attack: no
round | i've 4 gold and a dream. Reroll blanks merrily (i promised Ben) | Reroll: reroll blanks
round | Ben holds Arub, he has one gold. Gladly attack, Dora would never forgive me. | Attack: yes
round | enter Jerum with a smile | Enter: Jerum
round | between coffees ☕ stay out of the realm, yawning greetings | Enter: nothing
round | I'm pale as a ghost at 7 hearts, merrily enter Jerum | Enter: Jerum
round | Ben is fond of his gold, so Cutpurse on him | Play: Cutpurse on the barbarian
round | attack if 3 swords enter Jerum | Attack: yes if sword dice at least 3, no & Enter: Jerum
round | enter Jerum gladly. Then rather Arub. | Enter: Arub
"""


@each_row(("phase", "text", "orders"), rows(OFFERED))
def test_orders_are_offered_without_what_stands_around_them(
    phase: str, text: str, orders: str
) -> None:
    assert offered(phase, text) == [orders.split(" & ")]


@each_row(
    "text",
    [
        *("attack if the mood is good, so maybe enter Jerum", "if Ben stays I am happy, so attack"),
        *("attack, otherwise sit tight"),
        *("attack, the dwarf gets a kick as well if he wakes up", "enter Jerum to stay or not"),
        *("attack, so Ben said", "Ben attacks, so does Anna", "attack? my sword is blunt, so no"),
        *("Ben and Dora have gold, so Cutpurse on him", "You should hear this: merrily attack"),
        *("My target is Jerum. Attack merrily.", "Gladly attack. Hm, rather keep the banner."),
    ],
)
def test_what_may_mean_something_is_not_passed_over(text: str) -> None:
    assert offered("round", text) == []


TAKEN = """
round | if anybody strikes me I stay | When hit: stay
round | whenever another hero is attacking me, I leave if below 4 hearts | When hit: leave if hearts below 4
round | enter Jerum if my purse allows it | Enter: Jerum
round | enter Mertle as long as there's enough gold | Enter: Mertle
round | Ben is sitting there with ten hearts. Reroll blanks. | Reroll: reroll blanks
round | I have exactly four gold and Ben has a strong arm. Attack. | Attack: yes
round | I am entering Jerum | Enter: Jerum
round | The R must to be sword. | R: sword
round | attack, but only if I am having 3 swords or more | Attack: yes if sword dice at least 3, no
round | My new plan is attack, and always enter the cheapest land | Attack: yes & Enter: the cheapest land (always)
round | attack/nno | Attack: no
round | First reroll = coins | Reroll: reroll coins
round | reroll all the blanks that I get | Reroll: reroll blanks
round | enter Jerum if >4g | Enter: Jerum if gold at least 5
round | attack. Nothing else this round. | Attack: yes
round | buy one Iron Shield | Buy: Iron Shield
round | leave unless I have 7+ hearts | When hit: leave if hearts below 7, stay
round | Should the Iron Shield turn up, buy it. Attack, gotta run | Buy: hope for Iron Shield & Attack: yes
round, tribute | banner goes Jerum, coin goes Arub | Tribute: banners to Jerum, gold to Arub
round, tribute | I am giving the banner to Jerum and the gold also to Jerum only. | Tribute: banners to Jerum, gold to Jerum
"""


@each_row(("phase", "text", "orders"), rows(TAKEN))
def test_families_of_words_are_read(phase: str, text: str, orders: str) -> None:
    assert read(phase, NAMES[0], text.replace("/n", "\n"))[0] == orders.split(" & ")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Attack if Ben has attacked before me this round.",
            "If Ben attacked last round, attack.",
        ),
        *("Attack unless Anna told me not to.", "I stay out if Ben was hit last round."),
    ],
)
def test_an_order_that_hangs_on_what_somebody_did_is_asked_about(text: str) -> None:
    """Once the first was silent, and the second was done."""
    stands, problems = read("round", NAMES[0], text)
    assert stands == []
    assert problems == ["condition-unknown"]


@pytest.mark.parametrize("text", ["reroll blanks or coins", "keep swords or hearts"])
def test_a_choice_of_dice_is_asked_about(text: str) -> None:
    assert read("round", NAMES[0], text) == ([], ["not-understood"])


def test_dice_that_are_denied_with_or_are_all_kept() -> None:
    assert read("round", NAMES[0], "don't reroll hearts or swords")[0] == [
        "Reroll: keep hearts, keep swords"
    ]


@each_row(
    "frame",
    [
        *("Same as last time, only {}", "Do exactly what I did in the last round, only {}"),
        *("Last round's plan again, but {}", "Everything as it was, except {}"),
        *("my old plan once more, but {}", "the same things as last turn, except {}"),
    ],
)
def test_a_plan_is_repeated_but_for_one_line(frame: str) -> None:
    """What was never planned before has nothing to repeat; the one line is read beside it."""
    last = read("round", NAMES[0], "same as last time, but don't attack")
    assert read("round", NAMES[0], frame.format("don't attack")) == last


@pytest.mark.parametrize("text", ["ignore this: attack", "In the future:/n- attack"])
def test_what_its_heading_puts_off_does_not_stand(text: str) -> None:
    assert read("round", NAMES[0], text.replace("/n", "\n"))[0] == []


def test_a_choice_of_cards_is_no_list() -> None:
    """A list buys both, where there is gold for both."""
    assert offered("round", "buy Iron Shield, else Golden Touch") == []
