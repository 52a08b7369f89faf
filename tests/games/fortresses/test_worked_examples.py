"""The pictures, orders and dice of the worked examples are those of the cases they are told from."""

import re
from pathlib import Path

from tests.games.fortresses.engine.playing import CASES, load

DOCS = Path(__file__).parents[3] / "docs" / "games" / "fortresses"
PAGE = (DOCS / "worked-examples.md").read_text("utf-8")
EXAMPLES = load(CASES / "worked-examples.yaml")
PARTS = PAGE.split("\n## ")[1:]


def test_every_example_has_its_title_its_picture_and_the_orders_of_its_case() -> None:
    assert len(PARTS) == len(EXAMPLES) >= 6
    for part, case in zip(PARTS, EXAMPLES, strict=True):
        picture = f"pictures/{case['id'].lower()}.png"
        assert re.findall(r'src="([^"]+)"', part) == [picture]
        assert (DOCS / picture).read_bytes().startswith(b"\x89PNG")
        shown = re.findall(r"^    (.+)$", part, re.MULTILINE)
        (said,) = case["orders"].values()
        assert shown == said.splitlines()


def test_the_dice_of_every_example_are_those_of_its_case() -> None:
    for part, case in zip(PARTS, EXAMPLES, strict=True):
        rows = [row.split("|") for row in part.splitlines() if row.startswith("| ")][1:]
        rolled = [int(die) for row in rows for at in (2, 4) for die in re.findall(r"\d+", row[at])]
        assert rolled == case["chance"], case["id"]
        for row in rows:
            for die, bold in re.findall(r"(?:(?<=\*\*)|\b)(\d+)(\*\*)?", row[2] + row[4]):
                assert (int(die) >= 6) == bool(bold), (case["id"], die)


def test_every_rule_that_an_example_links_to_is_in_the_guide() -> None:
    guide = (DOCS / "rules.md").read_text("utf-8")
    linked = set(re.findall(r"\[(FW-[\d.]+)\]\(rules\.md#\1\)", PAGE))
    assert len(linked) > 20
    for anchor in linked:
        assert f'id="{anchor}"' in guide, anchor
