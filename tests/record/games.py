"""Whole games of random players, with acts and roll backs, and their records; and somebody who
tampers with them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Seat
from pbem.record.course import course_of
from pbem.record.record import Act, Record
from pbem.record.replay import RESHUFFLE, GivenAct, GivenPhase, Rules, Story
from pbem.record.replay import replay as play
from pbem.record.seals import (
    COMMITMENT,
    act_digest,
    commitment_digest,
    header_digests,
    orders_digest,
    sealed,
)
from pbem.record.writer import Title, write_record
from tests.played import GAME, PLAYED, house_of

HOUSE = house_of(PLAYED)
RULES = Rules(GAME.ruleset, GAME.read_canonical)
DECODED = Rules(GAME.ruleset, lambda _state, order: order)
NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei", "Ömer")


def random_story(seed: int) -> Story:
    """A game to its end (or broken off), with looks at cards, strikes, reshuffles, corrections and
    roll backs; orders as orders.
    """
    rng = Random(seed)
    players = rng.choice((2, 3, 4, 6))
    key = seed.to_bytes(32, "big")
    seats = [
        Seat(number, name, GAME.colours[number])
        for number, name in enumerate(NAMES[:players], start=1)
    ]
    options = HOUSE.random_options(rng, players)
    chance = Chance(key)
    state, place = GAME.ruleset.setup(options, seats, chance).state, chance.place
    phases: list[GivenPhase] = []
    opened: dict[int, Any] = {}
    backs = 0
    while GAME.ruleset.phase(state).over is None and len(phases) < 40:
        number = len(phases) + 1
        opened[number] = state
        asked = GAME.ruleset.phase(state)
        acts: list[GivenAct] = []
        for act in _acts(state, rng):
            chance = Chance(key, place)
            state, place = (
                GAME.ruleset.act(state, act.actor, dict(act.act or {}), chance).state,
                chance.place,
            )
            acts.append(act)
            if _question(state) != (asked.kind, asked.turn, asked.over):
                break
        if _question(state) != (asked.kind, asked.turn, asked.over):
            phases.append(GivenPhase(tuple(acts)))
            continue
        if backs < 2 and number > 3 and rng.random() < 0.2:
            backs += 1
            to, reshuffle = rng.randint(1, number), rng.random() < 0.5
            state = opened[to]
            if reshuffle:
                chance = Chance(key, place)
                state, place = GAME.ruleset.act(state, "gm", RESHUFFLE, chance).state, chance.place
            phases.append(GivenPhase(tuple(acts), to=to, reshuffle=reshuffle))
            continue
        orders = HOUSE.random_orders(state, rng)
        chance = Chance(key, place)
        state, place = GAME.ruleset.adjudicate(state, orders, chance).state, chance.place
        phases.append(GivenPhase(tuple(acts), orders))
    return Story(key, options, seats, None, (*phases, GivenPhase()))


def _question(state: Any) -> tuple[object, ...]:
    phase = GAME.ruleset.phase(state)
    return phase.kind, phase.turn, phase.over


def _acts(state: Any, rng: Random) -> list[GivenAct]:
    acts: list[GivenAct] = []
    for player in state.ranking:
        looks = [
            act
            for order in GAME.ruleset.legal(state, player)
            if (act := GAME.ruleset.act_of(order)) is not None
        ]
        if looks and rng.random() < 0.3:
            acts.append(GivenAct(player, looks[0]))
            break
    if rng.random() < 0.05:
        acts.append(GivenAct("gm", RESHUFFLE))
    if rng.random() < 0.2 and (correction := HOUSE.random_correction(state, rng)) is not None:
        acts.append(GivenAct("gm", correction))
    if len(state.ranking) > 3 and rng.random() < 0.03:
        acts.append(GivenAct("gm", {"act": "strike", "player": state.ranking[-1]}))
    return acts


@cache
def recorded(seed: int) -> Record:
    """The record of a random game."""
    story = random_story(seed)
    return write_record(
        Title(PLAYED, GAME.ruleset.version, "Heron"), story, tuple(play(story, DECODED))
    )


def remade(record: Record) -> Record:
    """With every digest and seal made anew, as a thorough tamperer does it."""
    phases = tuple(
        replace(
            phase,
            orders=tuple(
                replace(one, digest=orders_digest(phase.number, one.player, one.orders))
                for one in phase.orders
            ),
            acts=tuple(
                replace(act, digest=act_digest(phase.number, index, act.actor, act.act))
                for index, act in enumerate(phase.acts)
            ),
            course=course_of(
                [(act.actor, act.act) for act in phase.acts], phase.to, reshuffle=phase.reshuffle
            ),
        )
        for phase in record.phases
    )
    digests = header_digests(record.title, record.options, record.players, record.votes)
    return sealed(
        replace(
            record,
            phases=phases,
            digests=digests | {COMMITMENT: commitment_digest(record.commitment)},
        )
    )


def with_phase(record: Record, number: int, **changes: Any) -> Record:
    phases = list(record.phases)
    phases[number - 1] = replace(phases[number - 1], **changes)
    return replace(record, phases=tuple(phases))


def swapped(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


Mutation = Callable[[Record, Random], tuple[Record, int, str] | None]
"""Somebody changes one thing: the record then, the phase it is in, and what names it; None where
there is nothing of the kind.
"""


def change_an_order(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [
        (phase, index)
        for phase in record.phases
        for index, one in enumerate(phase.orders)
        if one.orders
    ]
    if not found:
        return None
    phase, index = rng.choice(found)
    one = phase.orders[index]
    at = rng.randrange(len(one.orders))
    changed = replace(
        one, orders=swapped(one.orders, at, "Bid 997" if one.orders[at] != "Bid 997" else "Bid 996")
    )
    return (
        with_phase(record, phase.number, orders=swapped(phase.orders, index, changed)),
        phase.number,
        record.name_of(one.player),
    )


def remove_an_order(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [
        (phase, index)
        for phase in record.phases
        for index, one in enumerate(phase.orders)
        if one.orders
    ]
    if not found:
        return None
    phase, index = rng.choice(found)
    one = phase.orders[index]
    changed = replace(one, orders=one.orders[:-1])
    return (
        with_phase(record, phase.number, orders=swapped(phase.orders, index, changed)),
        phase.number,
        record.name_of(one.player),
    )


def remove_a_players_orders(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [phase for phase in record.phases if phase.orders]
    phase = rng.choice(found)
    index = rng.randrange(len(phase.orders))
    left = (*phase.orders[:index], *phase.orders[index + 1 :])
    return (
        with_phase(record, phase.number, orders=left),
        phase.number,
        record.name_of(phase.orders[index].player),
    )


def swap_two_cards(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    index = rng.randrange(len(record.start.draws))
    draw = record.start.draws[index]
    cards = list(draw.result) if isinstance(draw.result, tuple) else []
    pairs = [(a, b) for a in range(len(cards)) for b in range(a) if cards[a] != cards[b]]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    cards[a], cards[b] = cards[b], cards[a]
    start = replace(
        record.start, draws=swapped(record.start.draws, index, replace(draw, result=tuple(cards)))
    )
    return replace(record, start=start), 0, f"draw {draw.place} ({draw.label}), number {b + 1}"


def change_a_later_draw(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [phase for phase in record.phases if phase.draws]
    if not found:
        return None
    phase = rng.choice(found)
    left = phase.draws[:-1]
    return (
        with_phase(record, phase.number, draws=left),
        phase.number,
        f"draw {phase.draws[-1].place} ({phase.draws[-1].label}",
    )


def change_the_seed(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    first = "0" if record.seed[0] != "0" else "1"
    return (
        replace(record, seed=first + record.seed[1:]),
        0,
        "the seed is not the one that was committed to",
    )


def change_an_option(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    name = rng.choice(sorted(record.options))
    other = {
        "factions": "none" if record.options["factions"] != "none" else "chance",
        "teams": 3,
        "version": "grander",
        "island": None,
    }
    return replace(record, options=record.options | {name: other[name]}), 0, f"the option {name}"


def remove_an_option(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    name = rng.choice(sorted(record.options))
    return (
        replace(
            record, options={key: value for key, value in record.options.items() if key != name}
        ),
        0,
        f"the option {name} is missing",
    )


def rename_a_player(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    index = rng.randrange(len(record.players))
    players = swapped(record.players, index, replace(record.players[index], name="Zoë"))
    return replace(record, players=players), 0, f"player {index + 1}"


def change_an_act(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [phase for phase in record.phases if phase.acts]
    if not found:
        return None
    phase = rng.choice(found)
    act = replace(phase.acts[0], act={**phase.acts[0].act, "reason": "nothing at all"})
    return with_phase(record, phase.number, acts=swapped(phase.acts, 0, act)), phase.number, "act 0"


def _name_of(record: Record, index: int, act: Act) -> str:
    return f"act {index} of {'the game master' if act.actor == 'gm' else record.name_of(act.actor)} ({act.act['act']})"


def remove_an_act(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    """Any of them, as a line is taken out of the file."""
    found = [(phase, index) for phase in record.phases for index in range(len(phase.acts))]
    if not found:
        return None
    phase, index = rng.choice(found)
    left = (*phase.acts[:index], *phase.acts[index + 1 :])
    return (
        with_phase(record, phase.number, acts=left),
        phase.number,
        f"{_name_of(record, index, phase.acts[index])} is missing",
    )


def add_an_act(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    """With a digest of its own that is right for its place, at the end of a phase that was
    closed.
    """
    phase = rng.choice([phase for phase in record.phases if phase.ended == "close"])
    index, told = (
        len(phase.acts),
        {"act": "set-dpl", "dpl": rng.randint(31, 60), "reason": "nobody will see"},
    )
    act = Act("gm", told, phase.place, phase.state, act_digest(phase.number, index, "gm", told))
    changed = with_phase(record, phase.number, acts=(*phase.acts, act))
    return (
        changed,
        phase.number,
        f"{_name_of(record, index, act)} was put in after the record was made",
    )


def put_acts_in_another_order(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [phase for phase in record.phases if len(phase.acts) > 1]
    if not found:
        return None
    phase = rng.choice(found)
    return (
        with_phase(record, phase.number, acts=phase.acts[::-1]),
        phase.number,
        "the order of the acts was changed",
    )


def remove_a_roll_back(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    """The phase seems to have been closed, with nobody's orders."""
    found = [phase for phase in record.phases if phase.to is not None]
    if not found:
        return None
    phase = rng.choice(found)
    what = (
        f"the roll back to phase {phase.to}{', reshuffled' if phase.reshuffle else ''} is missing"
    )
    return (
        with_phase(record, phase.number, to=None, reshuffle=False, ended="close"),
        phase.number,
        what,
    )


def leave_a_phase_out(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    number = rng.randrange(1, len(record.phases))
    return (
        replace(record, phases=(*record.phases[: number - 1], *record.phases[number:])),
        number,
        f"comes phase {number + 1}",
    )


def cut_the_end_off(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    number = rng.randrange(1, len(record.phases))
    return replace(record, phases=record.phases[:number]), number, "it is cut off"


def change_an_event(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice([phase for phase in record.phases if phase.events])
    index = rng.randrange(len(phase.events))
    event = {**phase.events[index], "rules": ["PR-0.0"]}
    return (
        with_phase(record, phase.number, events=swapped(phase.events, index, event)),
        phase.number,
        f"event {index} (",
    )


def remove_an_event(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice([phase for phase in record.phases if phase.events])
    return (
        with_phase(record, phase.number, events=phase.events[:-1]),
        phase.number,
        "the number of events",
    )


def change_a_state(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice(record.phases)
    return (
        with_phase(record, phase.number, state="0" * 64),
        phase.number,
        "the state it opened with",
    )


def change_a_question(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice(record.phases)
    return (
        with_phase(record, phase.number, kind="tea"),
        phase.number,
        "what was asked: the record says tea",
    )


def move_the_stream(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice(record.phases)
    return (
        with_phase(record, phase.number, place=phase.place + 1),
        phase.number,
        "the draws made when it opened",
    )


def change_a_seal(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    phase = rng.choice(record.phases)
    return with_phase(record, phase.number, seal="0" * 64), phase.number, "is not as it was sealed"


def change_the_title(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    return replace(record, title="Egret"), 0, "the title"


def turn_a_roll_back_elsewhere(record: Record, rng: Random) -> tuple[Record, int, str] | None:
    found = [phase for phase in record.phases if phase.to is not None]
    if not found:
        return None
    phase = rng.choice(found)
    return (
        with_phase(record, phase.number, reshuffle=not phase.reshuffle),
        phase.number,
        f"the roll back to phase {phase.to}",
    )


MUTATIONS: Mapping[str, Mutation] = {
    mutation.__name__: mutation
    for mutation in (
        change_an_order,
        remove_an_order,
        remove_a_players_orders,
        swap_two_cards,
        change_a_later_draw,
        change_the_seed,
        change_an_option,
        remove_an_option,
        rename_a_player,
        change_an_act,
        remove_an_act,
        add_an_act,
        put_acts_in_another_order,
        remove_a_roll_back,
        leave_a_phase_out,
        cut_the_end_off,
        change_an_event,
        remove_an_event,
        change_a_state,
        change_a_question,
        move_the_stream,
        change_a_seal,
        change_the_title,
        turn_a_roll_back_elsewhere,
    )
}
