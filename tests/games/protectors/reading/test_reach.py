"""What was found about the reach of words over a message, each with its whole family (F-3, F-20 to
F-24). Anna holds P1 with 2 units and P2 with 3.
"""

import pytest

from tests.games.protectors.reading.positions import codes, read, table, texts
from tests.rows import each_row

TAKEN_BACK = """
Actually don't.|Forget it.|Forget about that.|Just joking.|Only joking!|lol jk|Nah, forget it.|No don't.
These are not my orders yet.|I haven't made up my mind.|Don't do it.|Nope, changed my mind.|Leave it.
I take it back.|On reflection, no.|Oh, never mind.|That was a joke.|That's not an order.
I will confirm tomorrow.|To be confirmed.|Or maybe not.|Not yet though.|I'd better not.
Disregard.|Wrong province.|The other way round.|Undo.|That would be stupid.|As if!|This is only a draft.
"""
CONDITIONS = """
falls May angreift, fortify P1|fortify P1, wenn May kommt|fortify P1 si May attaque|fortify P1, se May attacca
indien May aanvalt: fortify P1|fortify P1 pokud May zautoci|если May атакует, fortify P1
jeśli May zaatakuje, fortify P1|om May anfaller, fortify P1|hvis May kommer, fortify P1
jos May hyökkää, fortify P1|quando May chegar, fortify P1|sauf P2, fortify everywhere|ne pas fortify P1
excepto P2, fortify everywhere|nicht fortify P1|vielleicht fortify P1|a menos que May venga, fortify P1
If May attacks\\nfortify P1|Should May attack, fortify P1|fortify P1 unless May is nice|fortify P1 or work
fortify P1, otherwise work P2|fortify P1. Only if May attacks.|work P1 barring an attack, then rest
In caso di attacco, fortify P1|gdy May zaatakuje, fortify P1|kun May hyökkää, fortify P1
"""


def _each(family: str) -> list[str]:
    return [
        text.replace("\\n", "\n") for text in family.strip().replace("\n", "|").split("|") if text
    ]


@each_row("words", _each(TAKEN_BACK))
def test_f20_what_takes_an_order_back_leaves_none_standing(words: str) -> None:
    reading = read(f"Fortify P1. {words}")
    assert (texts(reading), codes(reading)) == ([], {"not-understood"})


@each_row(
    ("text", "meant"),
    [
        ("fortify all. Wait, P1 works", ["Fortify! P2", "Work, work! P1"]),
        ("fortify all, no wait, P1 works", ["Fortify! P2", "Work, work! P1"]),
        ("work everywhere. On second thought P1 fortifies", ["Work, work! P2", "Fortify! P1"]),
        ("fortify P1 P2. Wait, P1 works.", ["Fortify! P2", "Work, work! P1"]),
        ("fortify P1 and P2. Wait, P1 works.", ["Fortify! P2", "Work, work! P1"]),
        (
            "fortify all. Sorry, send 10 to May",
            ["Fortify! P1", "Fortify! P2", "Send 10 to May"],
        ),
    ],
)
def test_f21_a_correction_replaces_what_it_names_alone(text: str, meant: list[str]) -> None:
    reading = read(text)
    assert (sorted(texts(reading)), codes(reading)) == (sorted(meant), set())


@each_row(
    ("phase", "text"),
    [
        ("consolidation", "bid 20. Or 25."),
        ("consolidation", "bid 20. Not 20, 25."),
        ("consolidation", "bid 20. That's too much."),
        ("consolidation", "bid 20. Five more."),
        ("dragon", "2 from P2. Or lights off."),
        ("dragon", "2 from P2 (sac 1). No sac."),
    ],
)
def test_f23_another_number_or_another_choice_is_asked_about(phase: str, text: str) -> None:
    state = table(phase)
    assert texts(read(text, state=state), state) == []


@each_row(
    "words",
    [
        *("Hope you are well!", "Sorry for the late mail, I was ill.", "Good luck to everyone!"),
        *("No hard feelings, May.", "Better late than never.", "Correct me if I am wrong."),
        *("That is all.", "See you on Monday.", "Bonne chance!"),
    ],
)
def test_f29_small_talk_beside_an_order_is_not_reported(words: str) -> None:
    reading = read(f"P1 works. {words}")
    assert (texts(reading), codes(reading)) == (["Work, work! P1"], set())


@each_row("text", _each(CONDITIONS))
def test_f22_a_condition_in_any_language_binds_its_sentence(text: str) -> None:
    reading = read(text)
    assert (texts(reading), codes(reading)) == ([], {"not-understood"})


@each_row(
    ("text", "meant", "problems"),
    [
        (
            "march 1 from P2 to P3 and from there one more to P4",
            [],
            {"not-understood"},
        ),
        ("march 1 from P2 to P3 and back", [], {"not-understood"}),
        ("march 2 from P2 to P3. One is enough.", [], {"not-understood"}),
        ("march 2 from P2 to P3. From P1 of course.", [], {"not-understood"}),
        ("march 2 from P2 to P3. That one is delayed.", ["Delayed March! 2 from P2 to P3"], set()),
        ("send 10 to May and the same to Mark", ["Send 10 to May"], {"not-understood"}),
        ("fortify all, P1 excluded", [], {"not-understood"}),
        (
            "work everywhere apart from P1, which fortifies",
            ["Fortify! P1", "Work, work! P2"],
            set(),
        ),
        ("fortify all, with the exception of P1", ["Fortify! P2"], set()),
        ("march 2 from P2 to P3, no: 1", ["March! 1 from P2 to P3"], set()),
        ("march 2 from P2 to P3. No: 1", ["March! 1 from P2 to P3"], set()),
        ("P1 ... fortify\nP2 ... work", ["Fortify! P1", "Work, work! P2"], set()),
        ("P1.... Fortify\nP2 .... Work", ["Fortify! P1", "Work, work! P2"], set()),
    ],
)
def test_f23_references_exceptions_numbers_and_tables(
    text: str, meant: list[str], problems: set[str]
) -> None:
    reading = read(text)
    assert (sorted(texts(reading)), codes(reading)) == (sorted(meant), problems)


@pytest.mark.parametrize(
    ("text", "meant", "problems"),
    [
        ("march 1 from\nP1 to P2", ["March! 1 from P1 to P2"], set()),
        ("march 1 from P1 to P\n2", [], {"not-understood"}),
        ("P1 works. send twenty-\nfive to May", ["Work, work! P1", "Send 25 to May"], set()),
        (
            "Dear all, for this turn I have decided that I would like to fortify P1 and\nwork P2",
            ["Fortify! P1", "Work, work! P2"],
            set(),
        ),
    ],
)
def test_f24_a_wrapped_line_is_read_joined_or_asked_about(
    text: str, meant: list[str], problems: set[str]
) -> None:
    reading = read(text)
    assert (sorted(texts(reading)), codes(reading)) == (sorted(meant), problems)


@each_row(
    "words",
    [
        *("March my unit to the next province.", "Move my men to the east.", "Retreat from there."),
        *("Send money to May.", "Support May.", "Go north."),
    ],
)
def test_f3_a_sentence_that_begins_as_an_order_is_never_dropped(words: str) -> None:
    reading = read(f"fortify P1. {words}")
    assert (texts(reading), codes(reading)) == (["Fortify! P1"], {"not-understood"})
