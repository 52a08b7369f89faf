"""Each section of docs/changing.md about the house does what it says."""

from pathlib import Path

import pytest

from tests.changes import make_change

MOST_FILES = {"Change one sentence of a letter": 2, "Add a GM command": 3}
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
}
"""What is so after the change of a section."""


@pytest.mark.parametrize("section", CHECKS)
def test_a_change_is_made_as_its_section_says(section: str, tmp_path: Path) -> None:
    make_change(section, MOST_FILES[section], tmp_path, CHECKS[section])
