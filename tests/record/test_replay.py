"""Whole games, recorded and played again: nothing differs; and whatever one thing is changed is
found and named.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import commitment
from pbem.record.compare import compare
from pbem.record.difference import Difference, format_difference
from pbem.record.record import Record, format_record, parse_record
from pbem.record.replay import replay as play
from pbem.record.replay import story_of
from pbem.record.seals import COMMITMENT, sealed
from tests.record.games import (
    DECODED,
    MUTATIONS,
    RULES,
    change_a_question,
    change_a_state,
    change_an_event,
    random_story,
    recorded,
    remade,
    swap_two_cards,
    swapped,
    with_phase,
)
from tests.rings import at_length

SEEDS = st.integers(0, 11)


def lines_of(record: Record) -> list[str]:
    return [format_difference(difference) for difference in compare(record, RULES).differences]


@given(st.integers(0, 2**32))
@settings(max_examples=8)
def test_any_game_comes_out_of_its_record_as_it_was_played(seed: int) -> None:
    record = parse_record(format_record(recorded(seed)))
    assert record == recorded(seed)
    first, again = (
        list(play(random_story(seed), DECODED)),
        list(play(story_of(record), RULES, judging=True)),
    )
    assert first == again
    assert again[-1].stuck == ""
    comparison = compare(record, RULES)
    assert comparison.is_as_played
    assert (comparison.departed, comparison.after, comparison.is_same_version) == (None, (), True)


def test_the_games_have_everything_in_them_that_can_change_their_course() -> None:
    records = [recorded(seed) for seed in range(12)]
    phases = [phase for record in records for phase in record.phases]
    assert {phase.ended for phase in phases} >= {"close", "roll back", "over"}
    assert {phase.reshuffle for phase in phases} == {True, False}
    acts = {(act.act["act"], isinstance(act.actor, int)) for phase in phases for act in phase.acts}
    assert acts >= {("peek", True), ("reshuffle", False), ("set-money", False)}


@pytest.mark.parametrize("name", MUTATIONS)
@given(seed=SEEDS, dice=st.integers(0, 2**32))
@settings(max_examples=at_length(4, 8))
def test_one_thing_that_was_changed_is_found_and_named(name: str, seed: int, dice: int) -> None:
    record = recorded(seed)
    mutated = MUTATIONS[name](record, Random(dice))
    if mutated is None:
        return
    changed, place, what = mutated
    assert changed != record
    differences = compare(parse_record(format_record(changed)), RULES).differences
    here = [
        format_difference(difference) for difference in differences if difference.place == place
    ]
    assert any(what in line for line in here), (what, here)


@pytest.mark.parametrize(
    "mutation", [swap_two_cards, change_a_state, change_a_question, change_an_event]
)
@given(seed=SEEDS, dice=st.integers(0, 2**32))
@settings(max_examples=5)
def test_who_makes_every_seal_anew_is_found_by_the_replay(
    mutation: object, seed: int, dice: int
) -> None:
    assert callable(mutation)
    mutated = mutation(recorded(seed), Random(dice))
    if mutated is None:
        return
    changed, place, what = mutated
    forged = remade(changed)
    assert forged.fingerprint != recorded(seed).fingerprint
    [first, *_] = compare(forged, RULES).differences
    assert first.place == place
    assert what in format_difference(first)


def bidding(record: Record) -> tuple[Record, int]:
    """The record with another bid of the first player in the first phase, and its own digest made
    anew.
    """
    [first, *_] = record.phases
    index = next(
        index
        for index, one in enumerate(first.orders)
        if any(text.startswith("Bid ") for text in one.orders)
    )
    one = first.orders[index]
    at = next(at for at, text in enumerate(one.orders) if text.startswith("Bid "))
    other = "Bid 23" if one.orders[at] != "Bid 23" else "Bid 24"
    return with_phase(
        record,
        1,
        orders=swapped(first.orders, index, replace(one, orders=swapped(one.orders, at, other))),
    ), one.player


def test_a_changed_bid_is_named_with_its_player_and_what_the_event_says_instead() -> None:
    record, player = bidding(recorded(2))
    name = record.name_of(player)
    by_digest = lines_of(record)
    assert by_digest[0].startswith(
        f"phase 1: the orders of {name} were changed after the record was made; it says now: "
    )
    assert any(
        line.startswith("phase 1: event ") and "(bids)" in line and "the replay makes" in line
        for line in by_digest
    )
    forged = lines_of(remade(record))
    assert forged[0].startswith("phase 1: event ")
    assert not any("were changed after" in line for line in forged)


def test_an_act_taken_out_from_among_others_is_named_and_the_others_are_not() -> None:
    record, phase = next(
        (record, phase)
        for record in map(recorded, range(40))
        for phase in record.phases
        if len(phase.acts) > 1
    )
    lines = lines_of(with_phase(record, phase.number, acts=phase.acts[1:]))
    kind, who = phase.acts[0].act["act"], phase.acts[0].actor
    name = "the game master" if isinstance(who, str) else record.name_of(who)
    assert lines[0] == f"phase {phase.number}: act 0 of {name} ({kind}) is missing"
    assert not any("after the record was made" in line for line in lines)


def test_an_act_taken_out_with_every_seal_made_anew_is_found_by_what_came_of_it() -> None:
    found = [
        (record, phase)
        for record in map(recorded, range(12))
        for phase in record.phases
        for act in phase.acts
        if act.act["act"] == "set-dpl"
    ]
    record, phase = found[0]
    lines = lines_of(remade(with_phase(record, phase.number, acts=())))
    assert any(
        line.startswith(f"phase {phase.number}: event ") and "(corrected)" in line for line in lines
    ), lines


def test_what_follows_from_a_departure_is_summed_up_and_what_does_not_is_told() -> None:
    record, _ = bidding(recorded(2))
    comparison = compare(record, RULES)
    assert comparison.departed == 1
    assert comparison.after
    assert {difference.place for difference in comparison.differences} == {1}
    last = record.phases[-1]
    twice = with_phase(record, last.number - 1, seal="0" * 64)
    assert (last.number - 1) in {
        difference.place for difference in compare(twice, RULES).differences
    }


def test_a_phase_put_in_twice_is_told_once_and_not_for_every_later_one() -> None:
    record = recorded(2)
    twice = replace(record, phases=(*record.phases[:3], *record.phases[2:]))
    told = [line for line in lines_of(twice) if "comes phase" in line]
    assert told == [
        "phase 4: after phase 3 comes phase 3; this one is missing, or they were put in another order"
    ]
    assert not any("sealed" in line for line in lines_of(twice))


def test_what_is_gone_is_named_once_and_what_only_moves_up_is_no_difference() -> None:
    number, record = next(
        (p.number, r)
        for r in map(recorded, range(12))
        for p in r.phases
        if len(p.events) > 4 and p.ended == "close"
    )
    phase = record.phases[number - 1]
    events = [
        line
        for line in lines_of(with_phase(record, number, events=phase.events[1:]))
        if "event" in line
    ]
    assert len(events) == 2, events
    assert events[0].startswith(f"phase {number}: the number of events")
    assert events[1].startswith(f"phase {number}: event 0 (")
    assert events[1].endswith(" is missing")


def test_orders_that_stand_there_are_many() -> None:
    assert format_difference(Difference(2, "extra", "the orders of Anna", "Bid 5")) == (
        "phase 2: the orders of Anna stand there, and nothing of the kind comes out: Bid 5"
    )


def test_what_does_not_print_or_turns_the_writing_comes_as_its_code() -> None:
    line = format_difference(
        Difference(2, "changed", "the orders of Anna", "\u001b[31mWork P1 \u202e")
    )
    assert line.endswith("it says now: \\u001b[31mWork P1 \\u202e")


def test_a_new_seed_with_its_own_commitment_deals_another_game() -> None:
    record = recorded(3)
    seed = bytes(32)
    forged = remade(replace(record, seed=seed.hex(), commitment=commitment(seed)))
    [first, *_] = lines_of(forged)
    assert first.startswith("draw 0 (")
    assert "the replay makes" in first


def test_a_seed_and_a_commitment_that_were_changed_together_are_both_named() -> None:
    record = recorded(3)
    seed = bytes(32)
    lines = lines_of(replace(record, seed=seed.hex(), commitment=commitment(seed)))
    assert (
        lines[0]
        == f"the commitment was changed after the record was made; it says now: {commitment(seed)}"
    )
    assert lines[1] == f"the seed was changed after the record was made; it says now: {seed.hex()}"
    lines = lines_of(replace(record, commitment=commitment(seed)))
    assert lines[0].startswith("the seed is not the one that was committed to")
    assert lines[1].startswith("the commitment was changed after the record was made")


def test_a_record_without_a_digest_of_its_commitment_is_read_as_before() -> None:
    record = recorded(3)
    older = remade(record)
    older = sealed(
        replace(
            older,
            digests={name: told for name, told in older.digests.items() if name != COMMITMENT},
        )
    )
    assert lines_of(older) == []


def test_orders_that_the_rules_refuse_are_named_and_left_out() -> None:
    record = recorded(5)
    phase = next(
        phase for phase in record.phases if phase.kind == "orders" and phase.ended == "close"
    )
    one = phase.orders[0]
    orders = swapped(
        phase.orders,
        0,
        replace(one, orders=(*one.orders, "March! 99 from P1 to P2", "sing a song")),
    )
    lines = lines_of(remade(with_phase(record, phase.number, orders=orders)))
    who = f"phase {phase.number}: the orders of {record.name_of(one.player)}"
    assert any(
        line.startswith(f"{who}: the rules refuse 'March! 99 from P1 to P2' (") for line in lines
    )
    assert any(line.startswith(f"{who}: 'sing a song' is no canonical text") for line in lines)


def test_an_act_that_cannot_be_is_where_the_replay_ends() -> None:
    record, phase = next(
        (record, phase)
        for record in map(recorded, range(12))
        for phase in record.phases
        if phase.acts
    )
    impossible: tuple[dict[str, object], ...] = (
        {"act": "juggle"},
        {"act": "set-units", "province": [[]], "units": None},
        {},
    )
    for act in impossible:
        forged = remade(
            with_phase(
                record, phase.number, acts=swapped(phase.acts, 0, replace(phase.acts[0], act=act))
            )
        )
        comparison = compare(forged, RULES)
        assert comparison.played[-1].number == phase.number
        assert (
            f"phase {phase.number}: act 0 ({act.get('act')}) cannot be replayed"
            in comparison.played[-1].stuck
        )
        assert comparison.departed == phase.number


@pytest.mark.parametrize(
    "options", [{"version": 7}, {"factions": ["x"]}, {"land": {"provinces": -1}}, {"teams": "many"}]
)
def test_options_no_game_is_dealt_with_are_told(options: dict[str, object]) -> None:
    record = recorded(1)
    [line, *_] = [
        line
        for line in lines_of(remade(replace(record, options=record.options | options)))
        if "cannot be replayed" in line
    ]
    assert line.startswith("the start cannot be replayed: ")


def test_of_other_rules_draws_and_events_are_compared_and_states_are_not() -> None:
    record = recorded(4)
    older = remade(
        replace(
            record,
            ruleset_version="0",
            phases=tuple(replace(phase, state="0" * 64) for phase in record.phases),
        )
    )
    comparison = compare(older, RULES)
    assert (comparison.is_same_version, comparison.is_as_played) == (False, True)
    changed, place, what = change_an_event(older, Random(1)) or (older, 0, "")
    [difference, *_] = compare(remade(changed), RULES).differences
    assert difference.place == place
    assert what in format_difference(difference)
