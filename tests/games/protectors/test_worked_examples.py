"""The pictures and sums of the worked examples are those of the cases they are told from."""

import re
from pathlib import Path

import yaml

DOCS = Path(__file__).parents[3] / "docs" / "games" / "protectors"
CASES = Path(__file__).parent / "cases" / "worked-examples.yaml"


def test_every_example_has_its_picture_and_quotes_the_orders_of_its_case() -> None:
    page = (DOCS / "worked-examples.md").read_text(encoding="utf-8")
    cases = [
        case for case in yaml.load_all(CASES.read_text(encoding="utf-8"), yaml.CSafeLoader) if case
    ]
    pictures = re.findall(r'src="(pictures/[^"]+)"', page)
    assert pictures == [f"pictures/{case['id'].lower()}.png" for case in cases]
    for picture in pictures:
        assert (DOCS / picture).read_bytes().startswith(b"\x89PNG")
    for text in re.findall(r"\| `([^`]+)` \|", page):
        assert any(text in case["orders"].values() for case in cases), text


def test_every_rule_that_an_example_links_to_is_in_the_guide() -> None:
    page, guide = (
        (DOCS / name).read_text(encoding="utf-8") for name in ("worked-examples.md", "rules.md")
    )
    for anchor in re.findall(r"rules\.md#(PR-[\d.]+)", page):
        assert f'id="{anchor}"' in guide, anchor
