"""Questions about the past: what is asked, what is unclear, and that none of it is read as an
order.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors.questions import TOPICS, Question
from engine.protectors.state import Province
from engine.protectors.view_of import view_of
from engine.ruleset import Problem
from pbem.games.protectors.reading.questions import parse_question
from pbem.grammar.house.commands import Rule, Why
from tests.games.protectors.pages.sample import heron, view
from tests.games.protectors.reading.positions import read, texts
from tests.rings import at_length
from tests.rows import each_row


def asked(text: str, player: int | None = 1) -> Question | Problem:
    return parse_question(view(player), player, text)


@each_row(
    ("text", "question"),
    [
        ("P6", Question("province", 6)),
        ("6?", Question("province", 6)),
        ("did I lose P6 in turn 4", Question("province", 6, 1, 4)),
        ("P6 in Runde 4", Question("province", 6, turn=4)),
        ("did P6 fall?", Question("province", 6)),
        ("was P6 decided", Question("province", 6)),
        ("P6 turn 4", Question("province", 6, turn=4)),
        ("province #3, in the fourth turn", Question("province", 3, turn=4)),
        ("did P6 fall in the third turn", Question("province", 6, turn=3)),
        ("turn two", Question("battles", turn=2)),
        ("did Emil lose P3 last turn", Question("province", 3, 3, 5)),
        ("is P4 burnt", Question("province", 4)),
        ("did I take P3 from P2", Question("province", 3, 1)),
        ("did I lose P1 although I fortified", Question("province", 1, 1)),
        ("did I lose", Question("battles", None, 1)),
        ("did I lose a unit", Question("battles", None, 1)),
        ("turn 1", Question("battles", turn=1)),
        ("did Bartek drop", Question("ranking", None, 2)),
        ("was I dropped", Question("ranking", None, 1)),
        ("no VP", Question("end")),
        ("dragon", Question("dragon")),
        ("the dragon attack", Question("dragon")),
        ("did the Dragon attack in turn 3?", Question("dragon", turn=3)),
        ("ranking", Question("ranking")),
        ("am I third", Question("ranking", None, 1)),
        ("is blue last", Question("ranking", None, 2)),
        ("no golden orders", Question("ranking")),
        ("bid", Question("bid")),
        ("did Bartek's bid win the tie", Question("bid", None, 2)),
        ("did my order fail", Question("orders", None, 1)),
        ("was my march cut", Question("orders", None, 1, order="march")),
        ("did my support from P1 in P2 fail", Question("orders", 2, 1, order="support")),
        ("did Chloé's march fail", Question("orders", None, 4, order="march")),
        ("were my support and my work nothing", Question("orders", None, 1)),
        ("did Anna put the card at the bottom", Question("cards", None, 1)),
        ("was Anna put at the bottom of the ranking", Question("ranking", None, 1)),
        ("does Dmytro hold 90", Question("money", None, 5)),
        ("do I have 90 $Realm", Question("money", None, 1)),
        ("does Bartek hold P3", Question("province", 3, 2)),
        ("Emil lost", Question("elimination", None, 3)),
        ("Golden orders", Question("ranking")),
        ("units lost", Question("battles")),
        ("is my realm 45", Question("money", None, 1)),
        ("production", Question("money")),
        ("money", Question("money")),
        ("is Mei's money 30", Question("money", None, 7)),
        ("was I eliminated", Question("elimination", None, 1)),
        ("is Fenna out?", Question("elimination", None, 6)),
        ("did the pirates take my money", Question("pirates", None, 1)),
        ("Power Overwhelming", Question("cards")),
        ("did the Mountain King come", Question("abilities")),
        ("did the game end", Question("end")),
        ("player 2 ranking", Question("ranking", None, 2)),
    ],
)
def test_what_is_asked(text: str, question: Question) -> None:
    assert asked(text) == question


@each_row(
    ("text", "code"),
    [
        ("", "not-understood"),
        ("is the banana bent", "not-understood"),
        ("P99", "unknown-province"),
        ("P0", "unknown-province"),
        ("the Island", "unknown-province"),
        ("P1 and P2", "several-provinces"),
        ("did Zed lose P3", "unknown-player"),
        ("Zoe lost", "unknown-player"),
        ("zoe lost", "unknown-player"),
        ("Zoe is out", "unknown-player"),
        ("player 22 ranking", "unknown-player"),
        ("dragon turn 0", "no-such-turn"),
        ("bid, fortify P1", "order-in-question"),
        ("dragon and march 1 from P1 to P2", "order-in-question"),
    ],
)
def test_what_is_unclear(text: str, code: str) -> None:
    problem = asked(text)
    assert isinstance(problem, Problem)
    assert problem.code == code
    assert problem.facts["asked"] == text


def test_a_prefix_of_several_names_is_asked_back() -> None:
    seen = view()
    renamed = tuple(
        type(p)(
            **{f: getattr(p, f) for f in p.__struct_fields__}
            | {"name": {2: "Milo"}.get(p.number, p.name)}
        )
        for p in seen.players
    )
    crowd = type(seen)(
        **{f: getattr(seen, f) for f in seen.__struct_fields__} | {"players": renamed}
    )
    problem = parse_question(crowd, 1, "did M lose P3")
    assert not isinstance(problem, Problem), "a single letter is nobody's name"
    problem = parse_question(crowd, 1, "did Mi lose P3")
    assert problem == Question("province", 3, 2)


def test_the_public_asks_about_nobody() -> None:
    assert asked("did I lose P6", None) == Question("province", 6)


def test_the_island_can_be_asked_about_where_there_is_one() -> None:
    state = heron()
    seen = view_of(heron(board=(Province(owner=1, units=1), *state.board[1:])), 1)
    assert parse_question(seen, 1, "did I lose the Island") == Question("province", 0, 1)


WORDS = (
    *("P6", "turn 4", "dragon", "I", "Anna", "lose", "the Island", "player 9", "#", "why", "money"),
    *("bid", "from", "t", "\N{RIGHT SINGLE QUOTATION MARK}s"),
)


@settings(max_examples=at_length(33, 100))
@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)),
    st.sampled_from([None, 1, 3]),
)
def test_whatever_is_written_is_a_question_that_can_be_answered_or_a_problem(
    text: str, player: int | None
) -> None:
    found = asked(text, player)
    if isinstance(found, Question):
        assert found.topic in TOPICS
        assert found.province is None or 1 <= found.province <= 7
        assert found.player is None or 1 <= found.player <= 7
        assert found.turn is None or found.turn >= 1


# ------------------------------------------------------------------------------------- in a message
@each_row(
    ("line", "words"),
    [
        ("why P6", "P6"),
        ("Why did I lose P6 in Turn 4?", "did I lose P6 in Turn 4"),
        ("please, why ranking", "ranking"),
        ("how come P6 fell", "P6 fell"),
        ("how was P1 decided", "was P1 decided"),
        ("explain P6 turn 4", "P6 turn 4"),
        ("explain why I lost P3", "I lost P3"),
        ("explain the dragon attack", "the dragon attack"),
        ("tell me why my march was cut", "my march was cut"),
        ("/why bid", "bid"),
        ("why did Ben march 2 from P3 to P2", "did Ben march 2 from P3 to P2"),
        ("why", ""),
        ("warum P6", "P6"),
        ("Wieso habe ich P6 in Runde 4 verloren?", "habe ich P6 in Runde 4 verloren"),
        ("weshalb: P3", "P3"),
    ],
)
def test_a_line_that_asks_is_a_command_and_no_order(line: str, words: str) -> None:
    reading = read(line)
    assert reading.commands == (Why(words),)
    assert not reading.items


@each_row(
    "line",
    [
        *("why not march 1 from P1 to P2?", "why don't you support me"),
        *("warum nicht? Anna fragt schon", "how do I march", "how was your weekend"),
        *("why? because P2 must stand", "GM: why so?"),
    ],
)
def test_other_questions_are_left_to_whom_they_are_meant_for(line: str) -> None:
    assert read(line).commands == ()


@pytest.mark.parametrize("line", ["explain PR-7.8", "explain 7.8"])
def test_a_rule_is_explained_as_a_rule(line: str) -> None:
    assert [*map(type, read(line).commands)] == [Rule]


def test_what_stands_behind_a_question_on_its_line_is_read_on() -> None:
    reading = read("why P6? fortify P1\nwork P2")
    assert reading.commands == (Why("P6"),)
    assert texts(reading) == ["Fortify! P1", "Work, work! P2"]
