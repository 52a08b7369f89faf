"""What a table says about its people, in a game master's clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.gm.commands import Unread
from pbem.grammar.people_rules import (
    PeopleRules,
    changed_rules,
    format_people_rules,
    parse_people_rules,
    read_people_clause,
)
from tests.rows import each_row


@each_row(
    ("text", "changes"),
    [
        ("observers off", {"observers": False}),
        ("No observers.", {"observers": False}),
        ("observers by name", {"observers": True, "observers_shown": "names"}),
        ("takeovers: first come", {"takeovers": "first"}),
        ("nmr 2 then substitute", {"nmr_count": 2, "nmr_then": "substitute"}),
        ("NMR 3", {"nmr_count": 3, "nmr_then": "gm"}),
        (
            "nmr after 2 in a row then default orders, reliability 80%",
            {"nmr_count": 2, "nmr_then": "defaults", "least_reliability": 80},
        ),
        ("first turn NMR: wait", {"first_nmr": "wait"}),
        ("names hidden until the end", {"hidden_names": True}),
        ("the names of all players are shown", {"hidden_names": False}),
        ("no first nmr", {"first_nmr": "play"}),
        ("nmr off; resignation eliminate", {"nmr_count": 0, "resigned": "eliminate"}),
        ("no draws", {"draws": "off"}),
        ("draws stay open", {"draws": "stay"}),
    ],
)
def test_clauses_are_read(text: str, changes: dict[str, object]) -> None:
    assert parse_people_rules(text) == changes


@each_row(
    "text",
    [
        *("observers perhaps", "nmr 99", "reliability 101", "resignation of mine", "tea", ""),
        "nmr 2 then tea",
    ],
)
def test_what_cannot_be_read_is_told(text: str) -> None:
    with pytest.raises(Unread):
        parse_people_rules(text)


def test_a_clause_about_something_else_is_left_to_others() -> None:
    assert read_people_clause("orders 72h") is None


rules = st.builds(
    PeopleRules,
    observers=st.booleans(),
    observers_shown=st.sampled_from(["number", "names"]),
    takeovers=st.sampled_from(["gm", "first", "off"]),
    least_reliability=st.integers(0, 100),
    nmr_count=st.integers(1, 20),
    first_nmr=st.sampled_from(["play", "wait"]),
    hidden_names=st.booleans(),
    nmr_then=st.sampled_from(["gm", "substitute", "defaults"]),
    resigned=st.sampled_from(["vacant", "gm", "eliminate"]),
    draws=st.sampled_from(["phase", "stay", "off"]),
)


@given(rules)
def test_what_was_agreed_is_read_back_from_its_clauses(wanted: PeopleRules) -> None:
    changes = {
        "observers": wanted.observers,
        "takeovers": wanted.takeovers,
        "nmr_count": wanted.nmr_count,
        "nmr_then": wanted.nmr_then,
        "first_nmr": wanted.first_nmr,
        "hidden_names": wanted.hidden_names,
        "least_reliability": wanted.least_reliability,
        "resigned": wanted.resigned,
        "draws": wanted.draws,
    }
    assert parse_people_rules(format_people_rules(changes)) == changes
    shown = {"observers": True, "observers_shown": wanted.observers_shown}
    assert parse_people_rules(format_people_rules(shown)) == shown
    assert changed_rules(PeopleRules(), changes) == PeopleRules(
        observers=wanted.observers,
        takeovers=wanted.takeovers,
        nmr_count=wanted.nmr_count,
        nmr_then=wanted.nmr_then,
        first_nmr=wanted.first_nmr,
        hidden_names=wanted.hidden_names,
        least_reliability=wanted.least_reliability,
        resigned=wanted.resigned,
        draws=wanted.draws,
    )
