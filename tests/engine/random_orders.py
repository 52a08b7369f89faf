"""Orders of every kind of a game, made at random from its forms."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from hypothesis import strategies as st

from engine.forms import Form, Forms

Values = Mapping[str, st.SearchStrategy[Any]]


def orders_of(forms: Forms[Any], values: Values, kinds: Iterable[type] = ()) -> Any:
    """Orders of each kind, of all if none is named; `values` are what a slot of a type holds."""
    chosen = [form for kind in kinds or forms.by_kind for form in forms.by_kind[kind]]
    return st.one_of(*(_of(form, values) for form in chosen))


def _of(form: Form[Any], values: Values) -> st.SearchStrategy[Any]:
    template = form.template
    slots = {
        name: st.booleans() if name in template.flags else values[type_]
        for name, type_ in template.slots.items()
    }
    left_out = {name: slots.pop(name) for name in template.optional}
    return st.fixed_dictionaries(slots, optional=left_out).map(partial(_made, form.kind))


def _made(kind: type, slots: Mapping[str, Any]) -> Any:
    fields: dict[str, Any] = {}
    for name, value in slots.items():
        fields |= zip(name.split(","), value, strict=True) if "," in name else {name: value}
    return kind(**fields)
