"""What players write for short, or in their own frame, is read; and what looks like it is not."""

import pytest

from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.reading.test_doc import NAMES, table_of
from tests.games.realm_master.reading.test_word_by_word import read
from tests.rows import each_row

SHORT = """
round | R: s | R: sword
round | R -> h | R: heart
round | R like coin | R: coin
round | Rs r swords | R: sword
round | swords for the Rs | R: sword
round | As for the R, let it be a sword. | R: sword
round | keep s+c, rr rest | Reroll: keep swords, keep coins, reroll the rest
round | keep swords n hearts, chuck the rest | Reroll: keep swords, keep hearts, reroll the rest
round | k swords+hearts rr rest | Reroll: keep swords, keep hearts, reroll the rest
round | bin the blanks and coins | Reroll: reroll blanks, reroll coins
round | the blanks are to be rolled again | Reroll: reroll blanks
round | rr blanks / R: s / att: y | Reroll: reroll blanks & R: sword & Attack: yes
round | rr: blanks ¦ R=h ¦ att n | Reroll: reroll blanks & R: heart & Attack: no
round | attack - yes/nenter - jerum | Attack: yes & Enter: Jerum
round | att: n, ent: n | Attack: no & Enter: nothing
round | 1 reroll blanks/n2 attack/n3 enter Jerum | Reroll: reroll blanks & Attack: yes & Enter: Jerum
round | att 2+ | Attack: yes if sword dice at least 2, no
round | attack w/ 3+ swords | Attack: yes if sword dice at least 3, no
round | att iff swords>=2 | Attack: yes if sword dice at least 2, no
round | if >=3 swords attack, if not dont | Attack: yes if sword dice at least 3, no
round | Should I have two swords or more, attack. | Attack: yes if sword dice at least 2, no
round | I should be much obliged if you would not attack anyone. | Attack: no
round | I wish to attack and to enter Jerum. | Attack: yes & Enter: Jerum
round | I do not wish to attack. | Attack: no
round | not going in anywhere | Enter: nothing
round | enter jerum, if not arub | Enter: Jerum, Arub
round | hit: h<4 leave, else stay | When hit: leave if hearts below 4, stay
round | if hit n under 4 hearts leave, else stay | When hit: leave if hearts below 4, stay
round | should a blow bring me below 4 hearts, I leave; otherwise I stay | When hit: leave if hearts below 4, stay
round, tribute | banner shall go to Jerum, gold to Arub | Tribute: banners to Jerum, gold to Arub
round, tribute | b > JER, g > ARU | Tribute: banners to Jerum, gold to Arub
round, second | first reroll blanks, second reroll coins | Reroll: reroll blanks & Second reroll: reroll coins
round, second | rr1 blanks, rr2 coins | Reroll: reroll blanks & Second reroll: reroll coins
reroll | 4th die again | Reroll: reroll die 4
reroll | last two | Reroll: reroll die 4, reroll die 5
reroll | the third one and the fifth | Reroll: reroll die 3, reroll die 5
"""


def rows(table: str) -> list[list[str]]:
    """Phase, text and orders; in a text `/n` is a new line, `¦` a bar."""
    lines = table.strip().splitlines()
    return [[part.strip() for part in line.split(" | ")] for line in lines]


@each_row(("phase", "text", "orders"), rows(SHORT))
def test_what_is_written_for_short_is_read_in_full(phase: str, text: str, orders: str) -> None:
    stands, _ = read(phase, NAMES[0], text.replace("/n", "\n").replace("¦", "|"))
    assert stands == orders.split(" & ")


@each_row(
    "text",
    [
        *("should I attack Jerum", "attack - no", "reroll b", "Ben attacks and enters Jerum"),
        *("should I roll 3 swords?", "R is a letter", "I would not if you would", "so 3+: yes"),
        *(
            "attack, but spare Ben",
            "off to bed, back in 5",
            "r u there?",
            "b on time, c u in Jerum",
        ),
    ],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert read("round", NAMES[0], text)[0] == []


LOOSE = """
round | jerum, else arub | Enter: Jerum, Arub
round | reroll blanks, Rs r swords, attack, then jerum | Reroll: reroll blanks & R: sword & Attack: yes & Enter: Jerum
round | cheapest land plz | Enter: the cheapest land
round | jerum only with 5+ hearts | Enter: Jerum if hearts at least 5
round | attack merrily if I have 2 swords or more | Attack: yes if sword dice at least 2, no
"""


@pytest.mark.parametrize(("phase", "text", "orders"), rows(LOOSE))
def test_a_sentence_without_its_talk_or_its_verb_is_offered(
    phase: str, text: str, orders: str
) -> None:
    assert offered(phase, text) == [orders.split(" & ")]


@each_row(
    "text",
    [
        *("jerum looks full", "attack is pointless", "zork the swords, attack", "leave a light on"),
        *("attack merrily, you two", "enter jerum gladly. Forget it.", "jerum is full of gold"),
        *(
            "see you in Jerum",
            "jerum or not",
            "shield, else we die",
            "swords for Ben, hearts for me",
        ),
        *("attack after dinner", "attack madly, unless Ben sings", "Ben gladly attacks"),
        *("hang the swords, reroll the others", "enter jerum or so, hm", "the shield costs a lot"),
    ],
)
def test_no_word_that_may_be_a_deed_a_doubt_or_of_others_is_passed_over(text: str) -> None:
    assert offered("round", text) == []


def offered(phase: str, text: str) -> list[list[str]]:
    reading = read_alone(READER.read, table_of(phase), 1, Standing(), text)
    found = [item.suggestion for item in reading.items if item.suggestion is not None]
    return [[format_order(order) for order in one.orders] for one in found]


def test_what_is_said_to_who_keeps_the_game_is_no_letter() -> None:
    """Nothing of it is lost in silence; what is said to somebody else stays a letter."""
    text = "To the {}: the banner to Jerum, the gold to Arub."
    orders = ["Tribute: banners to Jerum, gold to Arub"]
    assert read("round, tribute", NAMES[0], text.format("steward"))[0] == orders
    assert read("round, tribute", NAMES[0], text.format("duke")) == ([], [])
