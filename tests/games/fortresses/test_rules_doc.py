"""The rules guide: one source for `rule FW-7.8` and for docs/games/fortresses/rules.md."""

from pathlib import Path

from pbem.games.fortresses.pages.cast import BOOK
from pbem.pages.kit.rules import guide, sections
from tests.games.fortresses.engine.test_coverage_of_rules import COUNTS

DOCS = Path(__file__).parents[3] / "docs" / "games" / "fortresses" / "rules.md"


def test_the_guide_in_the_docs_is_the_one_the_mails_quote() -> None:
    assert DOCS.read_text("utf-8") == guide(BOOK)


def test_every_rule_has_an_entry_of_whole_sentences() -> None:
    assert [len(section.rules) for section in sections(BOOK)] == list(COUNTS.values())
    for section in sections(BOOK):
        for rule in section.rules:
            assert rule.text, rule.id
            for paragraph in (*rule.text, *rule.example):
                assert paragraph.endswith((".", ".)", "`")), (rule.id, paragraph)
