"""What several tests of the board share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def crescent() -> str:
    """A game master's map of six provinces around a bay."""
    return Path(__file__).with_name("crescent.yaml").read_text(encoding="utf-8")
