"""The rules guide: one source for `rule PR-7.8` and for docs/games/protectors/rules.md."""

import re
from pathlib import Path

import pytest

from engine.protectors.cards import all_cards
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.kit.rules import find_rule, guide, normal_id, sections
from tests.games.protectors.pages.sample import table
from tests.pages.sample import reader

DOCS = Path(__file__).parents[4] / "docs" / "games" / "protectors" / "rules.md"
COUNTS = {
    1: 12,
    2: 4,
    3: 11,
    4: 23,
    5: 5,
    6: 19,
    7: 11,
    8: 11,
    9: 17,
    10: 5,
    11: 8,
    12: 6,
    13: 4,
    14: 4,
    15: 2,
}


def test_the_guide_in_the_docs_is_the_one_the_mails_quote() -> None:
    assert DOCS.read_text(encoding="utf-8") == guide(BOOK)


def test_every_rule_has_an_entry_and_an_anchor() -> None:
    for section in sections(BOOK):
        numbers = {int(rule.id.removeprefix(f"PR-{section.number}.")) for rule in section.rules}
        assert numbers == set(range(1, COUNTS[section.number] + 1))
    assert set(re.findall(r'<a id="(PR-[\d.]+)"></a>\n### \1 ', guide(BOOK))) == {
        rule.id for section in sections(BOOK) for rule in section.rules
    }


def test_every_rule_a_card_applies_is_in_the_guide() -> None:
    known = {rule.id for section in sections(BOOK) for rule in section.rules}
    assert {rule for card in all_cards().values() for rule in card.rules} <= known


def test_entries_are_whole_sentences() -> None:
    for section in sections(BOOK):
        for rule in section.rules:
            for paragraph in (*rule.text, *rule.example):
                assert paragraph.endswith((".", ".)")), (rule.id, paragraph)


@pytest.mark.parametrize("text", ["PR-7.8", "pr-7.8", "7.8", " PR 7.8 ", "pr7,8"])
def test_a_rule_is_found_by_its_number_however_it_is_written(text: str) -> None:
    assert normal_id(text, BOOK) == "PR-7.8"
    assert find_rule(text, BOOK).id == "PR-7.8"


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("PR-7.99", "PR-7.11"), ("PR-99.1", "PR-15.1"), ("flood", "PR-4.15"), ("", "PR-1.1")],
)
def test_an_unknown_rule_is_answered_with_the_nearest(text: str, nearest: str) -> None:
    if text:
        assert find_rule(text, BOOK).id == nearest
    assert find_rule(text, BOOK).text


def test_the_answer_says_when_it_is_not_the_rule_that_was_asked_for() -> None:
    exact, near = PAGES.rule(table(), reader(), "7.8"), PAGES.rule(table(), reader(), "PR-7.99")
    assert "There is no rule" not in exact.text
    assert 'There is no rule "PR-7.99"; this is the nearest.' in near.text
    assert "PR-7.8" in exact.subject
    assert "Highmagisters" in PAGES.rule(table(), reader(), "11.1").text
