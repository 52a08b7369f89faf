"""`docs/games/realm-master/cases.md` names every key, event and canonical text there is."""

import re
from pathlib import Path
from typing import get_args

from engine.realm_master.event_kinds import AnyFacts
from engine.realm_master.positions import position_words
from engine.realm_master.state import STEPS
from engine.realm_master.wording import parse_order

TEXT = (Path(__file__).parents[3] / "docs" / "games" / "realm-master" / "cases.md").read_text(
    encoding="utf-8"
)


def test_every_key_of_a_position_is_described() -> None:
    keys = (
        *position_words.POSITION_KEYS,
        *position_words.PLAYER_KEYS,
        *position_words.TURN_KEYS,
        *position_words.LOOT_KEYS,
    )
    assert [
        key for key in (*keys, *position_words.STAGES, *STEPS) if not re.search(rf"\b{key}\b", TEXT)
    ] == []


def test_every_kind_of_event_is_listed() -> None:
    listed = re.findall(r"`([a-z-]+)`", TEXT.partition("## Kinds of events")[2])
    assert {str(kind.__struct_config__.tag) for kind in get_args(AnyFacts)} == set(listed)


def test_the_canonical_texts_shown_are_canonical() -> None:
    shown = re.findall(
        r"`([A-Z][^`]+)`", TEXT.partition("## Canonical texts")[2].partition("Conditions:")[0]
    )
    shown = [text for text in shown if "..." not in text and text not in ("Mertle", "RM-")]
    assert len(shown) > 25
    for text in shown:
        parse_order(text)
