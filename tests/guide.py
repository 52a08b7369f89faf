"""`make guide`: writes the table of words in docs/players.md from `told.words`."""

from pathlib import Path

from pbem.grammar.house.told import HEADING, guide_table

GUIDE = Path(__file__).parents[1] / "docs" / "players.md"


def with_table(text: str) -> str:
    """The guide with its table as it must be."""
    start = text.index(HEADING)
    return text[:start] + guide_table() + text[text.index("\n\n", start) + 1 :]


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text("utf-8")), "utf-8")
