"""What takes back what was said, denies it in passing, or speaks of it below a condition; and a bare
yes or no at an open question.
"""

import pytest

from tests.games.realm_master.reading.test_word_by_word import read
from tests.rows import each_row

ASKED = ["not-understood"]
TAKEN_BACK = (
    *("Forget what I just said.", "Forget what I said earlier.", "Please forget the stuff above."),
    *("Ignore everything I wrote.", "You may forget about all that."),
    *("Please disregard everything.", "Vergiss was ich gesagt habe.", "Vergesst das Obige."),
    *("Ignorier das bitte.", "War nicht so gemeint.", "Oublie ce que j'ai dit.", "Ignorez ça."),
    *("Olvida lo que dije.", "No hagas caso.", "Dimentica quello che ho detto.", "Come non detto."),
    *("Esqueça tudo.", "Vergeet wat ik zei.", "Negeer dit.", "Zignoruj to.", "Zapomnij o tym."),
    *("Glöm vad jag sa.", "Bortse från det.", "I regret that.", "I'll confirm tonight."),
    *("Hold on.", "Oops, wrong window."),
)


@each_row("said", TAKEN_BACK)
@each_row("joined", ["{} {}", "{}\n{}", "{}\n\n{}"])
def test_what_is_taken_back_in_more_words_is_asked_about(said: str, joined: str) -> None:
    assert read("round", "Anna", joined.format("Attack. Enter Jerum.", said)) == ([], ASKED)


@each_row(
    "text",
    [
        *("I am certainly not leaving Jerum", "I'm surely not staying"),
        *("Should Chloé stay, attack", "He shouted: attack", "Last time: attack"),
        *("trade 2 gold for life, better 3", "stop rerolling blanks", "leave the dice"),
        *("If Chloé leaves.\nattack", "When Chloé leaves\nattack"),
        "Only if Chloé leaves:\n- attack\n- reroll blanks",
    ],
)
def test_what_is_no_order_is_asked_about(text: str) -> None:
    stands, codes = read("round", "Ben", text)
    assert stands == []
    assert codes


@pytest.mark.parametrize("more", ["One more.", "Double that.", "Make it double."])
def test_a_number_that_is_amended_is_asked_about(more: str) -> None:
    assert read("round", "Anna", f"trade 2 gold for life. {more}")[1]


@each_row(
    ("where", "text", "means"),
    [
        ("attack Anna", "yes", ["Attack: yes"]),
        ("attack Anna", "Yes!", ["Attack: yes"]),
        ("attack Anna", "no", ["Attack: no"]),
        ("attack Anna", "no?", []),
        ("attack Anna", "yes, no", []),
        ("attack Anna", "yes 2", []),
        ("smoke Ben", "yes", ["Smoke Pot: yes"]),
        ("smoke Ben", "no.", ["Smoke Pot: no"]),
        ("hit Ben", "yes", []),
        ("round Anna", "yes", []),
    ],
)
def test_a_bare_yes_or_no_answers_the_open_question(
    where: str, text: str, means: list[str]
) -> None:
    phase, who = where.split()
    assert read(phase, who, text)[0] == means


@each_row(
    ("where", "text", "means"),
    [
        ("heroes Anna", "1 | elf\n2 | dwarf", ["Hero: elf, dwarf"]),
        ("heroes Anna", "Elf please, or the dwarf.\n\nBest regards\nGudrun", ["Hero: elf, dwarf"]),
        ("heroes Anna", "the elf, and if she's taken, the dwarf", ["Hero: elf, dwarf"]),
        ("round Anna", "Ben wrote:\n> attack\nenter Jerum", ["Enter: Jerum"]),
        ("round Anna", "enter Jerum, un abrazo", ["Enter: Jerum"]),
        ("round Anna", "enter Jerum\n--\nRodrigo\nTel. +351 21 555 0199", ["Enter: Jerum"]),
        ("smoke Ben", "use the Smoke Pot. No, sorry, don't use it.", ["Smoke Pot: no"]),
        ("reroll Anna", "blanks", ["Reroll: reroll blanks"]),
    ],
)
def test_small_talk_and_lists_do_not_keep_an_order_from_being_read(
    where: str, text: str, means: list[str]
) -> None:
    phase, who = where.split()
    assert read(phase, who, text) == (means, [])


@pytest.mark.parametrize("doubt", ["perhaps", "wenn Ben geht", "nicht", "if Ben agrees", "zork"])
@pytest.mark.parametrize("corrected", ["enter Jerum... no wait, Arub", "enter Kurul, sorry, Arub"])
def test_what_turns_a_correction_is_not_lost(corrected: str, doubt: str) -> None:
    """A doubt behind the right word counts for that, too (F-3)."""
    stands, codes = read("round", "Anna", f"{corrected}, {doubt}")
    assert (stands, "not-understood" in codes or "condition-unknown" in codes) == ([], True)
