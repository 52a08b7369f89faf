"""The rules guide: one source for `rule SS-6.4` and for docs/games/sovereigns/rules.md."""

from pathlib import Path

from pbem.pages.kit.rules import Book, guide

DOCS = Path(__file__).parents[3] / "docs" / "games" / "sovereigns" / "rules.md"
BOOK = Book("pbem.games.sovereigns", "SS")


def test_the_guide_in_the_docs_is_the_one_the_mails_quote() -> None:
    assert DOCS.read_text("utf-8") == guide(BOOK)
