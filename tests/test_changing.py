"""The changes of docs/changing.md, made in a copy of the tree: each section does what it says, in as
many files as it says.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "changing.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
STEP = re.compile(
    r"^In `([^`]+)`, (above|below|in place of) (`{1,2})(.+?)\3:\n\n((?:    .*\n|\n(?=    |\n))+\n?)",
    re.MULTILINE,
)
MOST_FILES = {"Change one sentence of a letter": 2, "Add a GM command": 3, "Add an order kind": 4}
CHECKS = {
    "Change one sentence of a letter": """
from datetime import UTC, datetime

from pbem.pages.announcements import Paused
from pbem.pages.notice import notice_page
from pbem.pages.page import Reader, Table

now = datetime(2026, 11, 20, tzinfo=UTC)
table = Table("Heron", "heron", "The Game of Herons", now, None, 14, "Gerda", "heron-6-k7qx", "Europe/Berlin",
              True, "confirm", False, 72)
page = notice_page(Paused("Gerda"), table, Reader(1, "Anna", "Europe/Berlin"))
for form in (page.text, page.html, page.chat):
    said = " ".join(form.split())
    assert "Your orders stay as they are, and you may change them during the pause." in said, said
    assert "keep writing" not in said, said
""",
    "Add a GM command": """
from pbem.desk.gm_commands.kinds import KINDS
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.lines import format_gm, parse_gm
from pbem.grammar.gm.spelling import handbook_table
from pbem.grammar.gm.words import WORDS

lexicon = c.Lexicon({}, frozenset({"heron"}))
thanks = c.Thank(table="heron", player="Ben", reason="he waited so long")
for line in ("thank Ben of heron: he waited so long",
             "heron: say thanks to Ben because he waited so long", format_gm(thanks)):
    assert [one.command for one in parse_gm(line, lexicon)] == [thanks], line
(unread,) = parse_gm("thank Ben", lexicon)
assert (unread.trouble.kind, unread.trouble.what) == ("missing", "reason"), unread
assert unread.trouble.form == "thank PLAYER: REASON"
assert "| `thank` | `thank Ben: he waited so long` |" in handbook_table("x")
assert c.Thank in KINDS and not WORDS["thank"].dangerous
""",
    "Add an order kind": """
import random
import re
from pathlib import Path

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units
from engine.ruleset import Seat, Standing
from pbem.games.fortresses.game import GAME
from pbem.grammar.house.reading import read_alone
from pbem.play import Seen

seats = [Seat(1, "Anna", "green"), Seat(2, "Ben", "purple")]
state = FORTRESSES.setup({}, seats, Chance(bytes(32))).state
while state.stage != "attack":
    state = FORTRESSES.adjudicate(state, {}, Chance(bytes(32))).state
(player,) = FORTRESSES.phase(state).asked
view, legal, share = FORTRESSES.view(state, player), tuple(FORTRESSES.legal(state, player)), o.Share("")
assert {share, o.Always(share)} <= {*legal}
shown = re.search("`(spread .+)` . (.+) .", Path("docs/games/fortresses/orders.md").read_text())
for written, meant in (("Please share all losses.", "Share the losses"), shown.groups(),
                       ("always: spread losses", "Always: Share the losses")):
    read = read_alone(GAME.read, state, player, Standing(), written)
    assert [*map(o.format_order, read.checked.accepted)] == [meant], (written, read)
    assert o.format_order(o.parse_order(meant)) == meant
assert Advice("Syria", [share], []).losses(Units(L=4, K=3), 3) == Units(L=2, K=1)
assert Advice("Syria", [], []).losses(Units(L=4, K=3), 3) == Units(L=3)
told = FORTRESSES.check(state, player, Standing((share,)), (o.Share("Syria"), share))
assert told.standing.orders == (o.Share("Syria"), share), told
assert GAME.menu.way_to("Share the losses", view, legal) == ("Instructions", "Share the losses")
assert GAME.play.word(Seen(player, view, legal), (share,), random.Random(1)) == ["Share the losses"]
""",
}
"""What is so after the change of a section."""


def with_block(text: str, block: str, where: str, line: str) -> str:
    """The file with the block above, below or in place of that line, indented as it is."""
    found = re.search(rf"^{re.escape(line)}(?=\W).*\n", f"{text}\n", re.MULTILINE)
    assert found is not None, line
    indent = line[: len(line) - len(line.lstrip())]
    code = re.sub(r"^    ", indent, block.rstrip("\n") + "\n", flags=re.MULTILINE)
    blank = block.count("\n") - block.rstrip("\n").count("\n") - 1
    code += "\n" * (blank if where == "above" else 0)
    start = found.end() if where == "below" else found.start()
    end = found.start() if where == "above" else found.end()
    return text[:start] + code + text[end:]


@pytest.mark.parametrize("section", CHECKS)
def test_a_change_is_made_as_its_section_says(section: str, tmp_path: Path) -> None:
    steps = STEP.findall(SECTIONS[section])
    assert 1 <= len({path for path, *_ in steps}) <= MOST_FILES[section]
    for folder in ("pbem", "engine", "templates", "docs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for path, where, ticks, line, block in steps:
        changed, found = tmp_path / path, line if ticks == "`" else line.strip()
        changed.write_text(with_block(changed.read_text("utf-8"), block, where, found), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CHECKS[section]],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
