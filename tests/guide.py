"""`make guide`: writes the tables of words in docs/players.md (from `told.words`) and in
docs/game-masters.md (from `gm.words`).
"""

from collections.abc import Mapping
from pathlib import Path

from pbem.grammar.gm.spelling import HEADING as GM_HEADING
from pbem.grammar.gm.spelling import handbook_table
from pbem.grammar.house.told import HEADING, guide_table
from pbem.registry import default_game, load_games

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = DOCS / "players.md"
HANDBOOK = DOCS / "game-masters.md"
TABLES: Mapping[Path, tuple[str, str]] = {
    GUIDE: (HEADING, guide_table()),
    HANDBOOK: (GM_HEADING, handbook_table(default_game(load_games()).ruleset.id)),
}


def with_table(page: Path) -> str:
    """The page with its table as it must be."""
    text = page.read_text("utf-8")
    heading, table = TABLES[page]
    start = text.index(heading)
    return text[:start] + table + text[text.index("\n\n", start) + 1 :]


if __name__ == "__main__":
    for page in TABLES:
        page.write_text(with_table(page), "utf-8")
