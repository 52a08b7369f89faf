"""What the parts of the bench have in common."""

from collections.abc import Mapping

Figures = Mapping[str, object]
"""Numbers by their names; None for what cannot be measured here."""


class Unmeasured(Exception):
    """It cannot be measured here; its words say why."""
