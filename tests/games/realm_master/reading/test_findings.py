"""What was found in the reading of plans, each over its family, and must not be found again. The
numbers are those of the findings (F-n).
"""

import pytest

from tests.games.realm_master.reading.test_word_by_word import read
from tests.rows import each_row

ASKED = ["not-understood"]
PLANS = ("attack", "enter Jerum", "buy Iron Shield", "reroll blanks", "R's are swords")
TAKEN_BACK = (
    *("Actually don't.", "Actually no.", "Forget it.", "Forget that.", "Never mind."),
    *("Scratch that!", "just joking", "Just kidding.", "I take that back.", "I changed my mind."),
    *("On second thought, no.", "No.", "Don't do it.", "Maybe not.", "these are not my orders yet"),
    *("This is only a draft.", "I am not sure yet.", "Please ignore.", "Doch nicht."),
    *("Lieber nicht.", "Vergiss es!", "Laisse tomber.", "Non.", "Olvídalo.", "Mejor no."),
    *("Lascia stare.", "Esquece.", "Laat maar.", "Toch niet.", "Jednak nie.", "Glöm det."),
)
CONDITIONS = (
    *("si Ben reste", "quand Ben part", "sauf si Ben reste", "wenn Ben bleibt", "falls Ben geht"),
    *("außer Ben bleibt", "cuando Ben salga", "a menos que Ben salga", "se Ben resta"),
    *("quando Ben va via", "tranne se Ben resta", "se Ben ficar", "a não ser que Ben fique"),
    *("als Ben blijft", "tenzij Ben blijft", "jeśli Ben zostanie", "chyba że Ben zostanie"),
    *("om Ben stannar", "utom om Ben stannar", "hvis Ben blir"),
)


@pytest.mark.parametrize("joined", ["{}. {}", "{}\n{}", "{}\n\n{}", "{}; {}"])
@pytest.mark.parametrize(
    "more",
    [
        *("Crawl into Jerum.", "Drink something.", "Spend two gold on the Shield dealer."),
        *("Strike Chloé and then hide.", "Go wherever the banners are.", "Pay somebody a tribute."),
    ],
)
def test_f3_an_order_that_is_not_read_is_told(more: str, joined: str) -> None:
    stands, codes = read("round", "Anna", joined.format("R's are swords", more))
    assert codes
    assert stands in ([], ["R: sword"])


@each_row("said", TAKEN_BACK)
@each_row("joined", ["{}. {}", "{}\n{}", "{}\n\n{}"])
def test_f20_what_is_taken_back_in_a_sentence_of_its_own_does_not_stand(
    said: str, joined: str
) -> None:
    for plan in PLANS:
        assert read("round", "Anna", joined.format(plan, said)) == ([], ASKED), plan


@each_row(
    ("text", "means"),
    [
        ("Enter Jerum. No wait, enter Arub.", ["Enter: Arub"]),
        ("Enter Jerum. No, Arub.", ["Enter: Arub"]),
        ("Enter Jerum. Sorry, Arub.", ["Enter: Arub"]),
        ("Enter Jerum, I mean Arub.", ["Enter: Arub"]),
        ("Enter Jerum. Nein, Arub.", ["Enter: Arub"]),
        ("Enter Jerum. Anzi, Arub.", ["Enter: Arub"]),
        ("trade 2 gold for life. Make that 3.", ["Life: 3"]),
        ("trade 2 gold for life, no, 3", ["Life: 3"]),
        ("Attack. Actually don't attack.", ["Attack: no"]),
        ("attack. Forget it. Attack.", ["Attack: yes"]),
        ("buy Iron Shield. Buy Whetted Blade instead.", ["Buy: Whetted Blade"]),
    ],
)
def test_f20_a_correction_is_read_as_it_is_meant(text: str, means: list[str]) -> None:
    assert read("round", "Anna", text) == (means, [])


@pytest.mark.parametrize(
    ("text", "means", "codes"),
    [
        ("Attack. Enter Jerum. Wait, Arub.", ["Attack: yes", "Enter: Arub"], []),
        ("attack, enter Jerum. On second thought stay out.", ["Attack: yes", "Enter: nothing"], []),
        ("Attack. Enter Jerum. Forget the attack.", ["Enter: Jerum"], ASKED),
        ("Attack. Enter Jerum. Scratch Jerum.", ["Attack: yes"], ASKED),
        ("Attack. Reroll blanks and coins. No, hearts.", ["Attack: yes"], ASKED),
    ],
)
def test_f21_a_correction_replaces_what_it_names_and_nothing_else(
    text: str, means: list[str], codes: list[str]
) -> None:
    assert read("round", "Anna", text) == (means, codes)


@each_row("condition", CONDITIONS)
@each_row("order", ["{1}, {0}", "{0}, {1}", "{0} {1}", "{1} {0}", "{0}. {1}."])
def test_f22_a_condition_in_any_language_is_never_left_out(condition: str, order: str) -> None:
    for plan in ("attack", "enter Jerum"):
        stands, codes = read("round", "Anna", order.format(plan, condition.capitalize()))
        assert stands == [], (plan, condition)
        assert codes


@each_row(
    "text",
    [
        *("enter Jerum, apart from Arub", "reroll coins, save for two", "attack everybody but Ben"),
        *("reroll blanks. And the other one too.", "Enter Jerum. The other one is fine too: Arub."),
        *("trade 2 gold for life. 3!", "reroll | blanks ... Enter\nJerum | Arub"),
    ],
)
def test_f23_references_and_exceptions_are_read_or_asked_about(text: str) -> None:
    assert read("round", "Anna", text)[1]


@pytest.mark.parametrize(
    "text",
    [
        "enter Jerum else Arub, but only with 7\nhearts or more",
        "reroll blanks and any lone half banner, attack, enter Jerum else Arub,\nbuy Iron Shield",
    ],
)
def test_f24_a_wrapped_line_loses_nothing(text: str) -> None:
    assert read("round", "Anna", text) == read("round", "Anna", text.replace("\n", " "))
    assert read("round", "Anna", text)[0]


@each_row(
    ("where", "text", "means", "codes"),
    [
        ("round Anna", "buy Iron Shield; then reveal one",
         ["Buy: Iron Shield", "Reveal: up to 1"], []),  # F-92 (RM-6.1)
        ("round Anna", "buy Iron Shield, then reveal one",
         ["Buy: Iron Shield", "Reveal: up to 1"], []),
        ("round Anna", "buy Iron Shield first, reveal one",
         ["Buy: Iron Shield", "Reveal: up to 1"], []),
        ("round Anna", "enter Jerum, then attack", [], ASKED),
        ("last Anna", "buy Iron Shield; then reveal one",
         ["Buy Iron Shield now", "Reveal a card now"], []),
        ("round Ben", "leave, go to Jerum", [], ASKED),
        ("round Ben", "leave; go to Jerum", [], ASKED),
        ("round Ben", "leave. Enter Jerum.", [], ASKED),
        ("round Ben", "attack, then leave", ["Attack: yes", "In the Realm: leave"], []),
        ("round Ben", "attack. Then leave.", ["Attack: yes", "In the Realm: leave"], []),
        ("round Anna", "attack, then leave", [], ASKED),
        ("round Anna", "attack; then leave", [], ASKED),
        ("round Ben", "move to Arub or leave", [], ASKED),
        ("round Ben", "stay and leave", [], ASKED),
        ("ultimatum Ben", "leave", ["Ultimatum: leave"], []),
        ("ultimatum Ben", "Leave, please!", ["Ultimatum: leave"], []),
        ("ultimatum Ben", "laeve", ["Ultimatum: leave"], []),
        (
            "heroes Anna",
            "I'd like the elf, else the barbarian, else the wizard",  # THIRD-34
            ["Hero: elf, barbarian, wizard"],
            [],
        ),
        ("heroes Anna", "1. elf\n2. wizard", ["Hero: elf, wizard"], []),
        ("heroes Anna", "1) elf 2) wizard 3) dwarf", ["Hero: elf, wizard, dwarf"], []),
        ("heroes Anna", "elf\nwizard", ["Hero: elf, wizard"], []),
        ("round Anna", "Rs swords", ["R: sword"], []),
        ("round Anna", "Quick one: attack", ["Attack: yes"], []),
        ("round Anna", "attack, bitte", ["Attack: yes"], []),
        ("round Anna", "attack, of course", ["Attack: yes"], []),
        ("round Anna", "1) attack 2) enter Jerum", ["Attack: yes", "Enter: Jerum"], []),
        ("reroll Anna", "reroll dice 2 and 4", ["Reroll: reroll die 2, reroll die 4"], []),
    ],
)  # fmt: skip
def test_f25_sequences_leaving_lists_and_harmless_words(
    where: str, text: str, means: list[str], codes: list[str]
) -> None:
    phase, who = where.split()
    assert read(phase, who, text) == (means, codes)


@each_row(
    "text",
    [
        *("instead of attacking, enter Jerum", "rather than attack, enter Jerum"),
        *("Ben wrote:\nattack\nenter Jerum", "My plan for last round was:\nattack"),
        *("For example:\nattack", "attack. Enter Jerum. No, only attack."),
        *("attack. Enter Jerum. Only the first.", "always reroll coins. Only this round."),
        *("reveal one. Sorry, two.", "attack if I have 3 swords. No condition."),
        *("attack. Cancel all.", "When hit, leave. Or should I?"),
    ],
)
def test_f20_f23_what_is_said_of_other_sentences_is_asked_about(text: str) -> None:
    stands, codes = read("round", "Anna", text)
    assert codes
    assert not [order for order in stands if order != "Forget everything"]


@pytest.mark.parametrize("head", ["attack", "enter", "realm", "smoke pot"])
def test_a_heading_of_a_plan_with_nothing_behind_it_is_asked(head: str) -> None:
    """RM-10.1: of a form that is half filled in nothing is guessed, and the rest stands."""
    stands, codes = read("round", "Anna", f"reroll: blanks\n{head}:")
    assert stands == ["Reroll: reroll blanks"]
    assert list(codes) == ASKED


@pytest.mark.parametrize(
    "text",
    [
        "Last turn he said: attack, whatever happens.",
        "Last turn he said: never leave, whatever happens.",
    ],
)
def test_words_that_say_nothing_after_reported_words_break_no_reader(text: str) -> None:
    """What somebody once said is asked about, also where its sentence ends in `whatever happens`."""
    assert read("round", "Anna", text) == ([], ASKED)
