"""`make guide`: writes the tables of words in docs/players.md (from `told.words`), in
docs/game-masters.md (from `gm.words`) and in docs/adding-a-game.md (from `kit.words`).
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from pbem.grammar.gm.spelling import HEADING as GM_HEADING
from pbem.grammar.gm.spelling import handbook_table
from pbem.grammar.house.told import HEADING, guide_table
from pbem.grammar.kit.vocabulary import parse_words
from pbem.registry import default_game, load_games

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = DOCS / "players.md"
HANDBOOK = DOCS / "game-masters.md"
AUTHORS = DOCS / "adding-a-game.md"
KIT_HEADING = "| kind | among its words |\n|---|---|\n"
NOT_SHOWN = frozenset({"FILLER", "PROSE", "WORD", "FAREWELL", "TURN", "ASKING", "STATEMENT"})
"""Kinds of which no author has to think, or which the page tells in a sentence."""
MOST_SHOWN = 7


def kit_table() -> str:
    """The kinds of words that the kit has, those that most grammars use first."""
    kit = files("pbem.grammar.kit")
    spelt = re.findall(r'^([A-Z]+): "', (kit / "kit.lark").read_text("utf-8"), re.MULTILINE)
    kinds: dict[str, list[str]] = {}
    for kind, words in parse_words(kit / "kit.words"):
        if kind.isalpha() and kind not in NOT_SHOWN:
            kinds.setdefault(kind, []).extend(word for word in words if word.count(" ") < 2)
    rows = sorted(kinds.items(), key=lambda row: row[0] not in spelt)
    return KIT_HEADING + "".join(
        f"| `{kind}` | {', '.join(words[:MOST_SHOWN])} |\n" for kind, words in rows if words
    )


TABLES: Mapping[Path, tuple[str, str]] = {
    GUIDE: (HEADING, guide_table()),
    HANDBOOK: (GM_HEADING, handbook_table(default_game(load_games()).ruleset.id)),
    AUTHORS: (KIT_HEADING, kit_table()),
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
