"""Orders of every kind of a game, made at random from its forms."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from engine.forms import Forms


def orders_of(forms: Forms[Any], values: Mapping[str, st.SearchStrategy[Any]]) -> Any:
    """Orders of each kind; `values` are what a slot of a type holds."""
    return st.one_of(
        *(
            st.builds(
                kind,
                **{
                    name: st.booleans() if name in template.flags else values[type_]
                    for name, type_ in template.slots.items()
                },
            )
            for kind, template in forms.templates.items()
        )
    )
