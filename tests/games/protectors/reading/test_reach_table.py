"""The reach of words that speak of what was said: a table, each line with its example (F-20 to F-23)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.games.protectors.reading.positions import codes, read, texts

TABLE: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "reach.yaml").read_text("utf-8")
)
DOES = {"replace", "take back", "ask", "nothing"}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['cue']}, {row['follows']}")
def test_a_word_reaches_what_the_table_says(row: dict[str, Any]) -> None:
    reading = read(row["text"])
    assert row["does"] in DOES
    assert sorted(texts(reading)) == sorted(row["means"])
    asked = [code for code in codes(reading) if code in ("not-understood", "no-order")]
    assert bool(asked) is (row["does"] == "ask"), "what is asked is told, and nothing else is"
