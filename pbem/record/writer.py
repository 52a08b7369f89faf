"""Making a record of a game that was played again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.chance import commitment
from pbem.record.course import course_of
from pbem.record.record import FORMAT, VERSION, Act, Ending, Orders, Phase, Player, Record, Start
from pbem.record.replay import Played, Story
from pbem.record.seals import (
    COMMITMENT,
    act_digest,
    commitment_digest,
    header_digests,
    orders_digest,
    sealed,
    state_digest,
)


@dataclass(frozen=True, slots=True)
class Title:
    """What a record says of the game apart from its story. `commitment` is the one published at the
    start.
    """

    ruleset: str
    ruleset_version: str
    title: str
    commitment: str = ""


def write_record(title: Title, story: Story, played: Sequence[Played]) -> Record:
    """The record of a game, from its story and the replay of that. ValueError if it cannot be
    played to its end.
    """
    if played[-1].stuck:
        raise ValueError(played[-1].stuck)
    players = tuple(
        Player(seat.number, seat.name, seat.colour, seat.team, seat.place, seat.faction)
        for seat in story.seats
    )
    start, *phases = played
    committed = title.commitment or commitment(story.seed)
    return sealed(
        Record(
            format=FORMAT,
            version=VERSION,
            ruleset=title.ruleset,
            ruleset_version=title.ruleset_version,
            title=title.title,
            seed=story.seed.hex(),
            commitment=committed,
            options=dict(story.options),
            players=players,
            votes=story.votes,
            digests=header_digests(title.title, story.options, players, story.votes)
            | {COMMITMENT: commitment_digest(committed)},
            start=Start(start.draws, _events(start.events), ""),
            phases=tuple(_phase(phase, phase.ended) for phase in phases),
        )
    )


def _phase(played: Played, ended: Ending) -> Phase:
    number = played.number
    return Phase(
        number=number,
        kind=played.kind,
        turn=played.turn,
        state=state_digest(played.state),
        place=played.place,
        course=course_of(
            [(act.actor, act.act) for act in played.acts], played.to, reshuffle=played.reshuffle
        ),
        acts=tuple(
            Act(
                act.actor,
                dict(act.act),
                act.place,
                state_digest(act.state),
                act_digest(number, index, act.actor, act.act),
            )
            for index, act in enumerate(played.acts)
        ),
        ended=ended,
        to=played.to,
        reshuffle=played.reshuffle,
        orders=_orders(number, played),
        draws=played.draws,
        events=_events(played.events),
        seal="",
    )


def _orders(number: int, played: Played) -> tuple[Orders, ...]:
    """What counted, by player; who was asked and gave none stands there with none."""
    if played.orders is None:
        return ()
    given: Mapping[int, tuple[str, ...]] = dict.fromkeys(
        sorted({*played.asked, *played.orders}), ()
    ) | dict(played.orders)
    return tuple(
        Orders(player, texts, orders_digest(number, player, texts))
        for player, texts in given.items()
    )


def _events(raw: Sequence[bytes]) -> tuple[dict[str, Any], ...]:
    return tuple(msgspec.json.decode(event, type=dict[str, Any]) for event in raw)
