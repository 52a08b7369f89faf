"""Comparing a record with its own replay: what was changed, where the file departs from the replay,
and what the replay has instead.

Two checks are made. The digests and seals say which part has changed since the record was made, and
need no rules. The replay computes the outcome of the seed, the orders and the acts, which no forger
of seals can get round. After a departure the comparison follows the replay, and sums up what
differs only because of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, takewhile, zip_longest
from typing import Any, Literal

import msgspec

from engine.chance import Draw, commitment
from pbem.record.course import compare_course
from pbem.record.difference import Code, Difference, shown
from pbem.record.record import Ending, Phase, Record
from pbem.record.replay import Played, Rules, replay, story_of
from pbem.record.seals import (
    COMMITMENT,
    commitment_digest,
    digest,
    header_items,
    orders_digest,
    phase_seal,
    start_seal,
    state_digest,
)

MOST_OF_A_KIND = 3
"""The most single differences of a list in a report; the others are counted."""

_GOES_ON: tuple[Ending, ...] = ("close", "act", "roll back")
"""Endings behind which another phase, or the game's end, has to stand."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result. `departed` is the first phase that the replay plays otherwise (None: no phase).

    `after` are later phases that differ because of it. `ruleset_version` is that of the rules at
    hand: where it is not the record's own, states cannot be compared, and events are compared as
    these rules understand them.
    """

    differences: tuple[Difference, ...]
    departed: int | None
    after: tuple[int, ...]
    played: tuple[Played, ...]
    ruleset_version: str
    is_same_version: bool

    @property
    def is_as_played(self) -> bool:
        return not self.differences


def compare(record: Record, rules: Rules) -> Comparison:
    """Play the record again and compare. For a record of a game that these rules are of."""
    played = tuple(replay(story_of(record), rules, judging=True))
    looking = _Looking(record, rules)
    differences: list[Difference] = []
    after: list[int] = []
    departed: int | None = None
    for phase in played:
        sealed = list(looking.changed(phase.number))
        departures = list(looking.departures(phase))
        if departures and departed is not None and not looking.is_fresh(phase):
            after.append(phase.number)
            departures = []
        elif departures and departed is None:
            departed = phase.number
        found = [*sealed, *departures]
        differences += (
            [*looking.taken_out(phase, sealed, departures), *found]
            if found
            else looking.seal(phase.number)
        )
    reached = played[-1].number
    for place in range(
        reached + 1, len(record.phases) + 1
    ):  # what cannot be played any more can still be looked at
        differences += list(looking.changed(place)) or looking.seal(place)
    return Comparison(
        tuple(differences),
        departed,
        tuple(after),
        played,
        rules.ruleset.version,
        rules.ruleset.version == record.ruleset_version,
    )


class _Looking:
    """Looks at one place of a record after the other."""

    def __init__(self, record: Record, rules: Rules) -> None:
        self._record = record
        self._rules = rules.ruleset
        self._out_of_order = False
        self._same_version = rules.ruleset.version == record.ruleset_version

    # ---------------------------------------------------------------------------- digests and seals
    def changed(self, place: int) -> Iterator[Difference]:
        """Single items that do not go with their digests."""
        if place == 0:
            yield from self._changed_header()
            return
        phase = self._phase(place)
        if phase is None:
            return
        if phase.number != place:
            if self._out_of_order:
                return  # told of the first one
            self._out_of_order = True
            before = f"after phase {place - 1}" if place > 1 else "first"
            yield Difference(
                place,
                "cut",
                f"{before} comes phase {phase.number}; this one is missing, or they were put in"
                " another order",
            )
            return
        yield from compare_course(self._record, phase)
        for orders in phase.orders:
            if orders.digest != orders_digest(phase.number, orders.player, orders.orders):
                yield Difference(
                    place,
                    "changed",
                    self._orders_of(orders.player),
                    "; ".join(orders.orders) or "none",
                )

    def _changed_header(self) -> Iterator[Difference]:
        record = self._record
        if commitment(record.seed_bytes) != record.commitment:
            yield Difference(
                0, "seed", "the seed", record.commitment, commitment(record.seed_bytes)
            )
        yield from self._changed_commitment()
        items = dict(header_items(record.title, record.options, record.players, record.votes))
        for name, value in items.items():
            if name not in record.digests:
                yield Difference(0, "extra", name, shown(msgspec.to_builtins(value)))
            elif record.digests[name] != digest(name, value):
                yield Difference(0, "changed", name, shown(msgspec.to_builtins(value)))
        for name in record.digests:
            if name not in items and name != COMMITMENT:
                yield Difference(0, "missing", name)

    def _changed_commitment(self) -> Iterator[Difference]:
        """Another commitment than the one the record was made with, and the seed where it was put
        in to go with that. Records that were made before there was a digest of it have none.
        """
        record = self._record
        if COMMITMENT not in record.digests or record.digests[COMMITMENT] == commitment_digest(
            record.commitment
        ):
            return
        yield Difference(0, "changed", COMMITMENT, record.commitment)
        if commitment(record.seed_bytes) == record.commitment:
            yield Difference(0, "changed", "the seed", record.seed)

    def seal(self, place: int) -> list[Difference]:
        """The seal of a place in which nothing else was found."""
        record = self._record
        if place == 0:
            return (
                []
                if record.start.seal == start_seal(record)
                else [Difference(0, "seal", "the start")]
            )
        phase = self._phase(place)
        before = (
            record.start.seal
            if place == 1
            else record.phases[min(place, len(record.phases)) - 2].seal
        )
        if phase is None or phase.number != place or phase.seal == phase_seal(before, phase):
            return []
        return [Difference(place, "seal", "something in it (its seal, or one before it)")]

    def taken_out(
        self, played: Played, sealed: Sequence[Difference], departures: Sequence[Difference]
    ) -> list[Difference]:
        """An act that was taken out of a place: the seal is broken, no item was changed, and events
        stand there that nothing makes.
        """
        phase = self._phase(played.number)
        if (
            phase is None
            or phase.number != played.number
            or not self.seal(played.number)
            or sealed
            or played.stuck
        ):
            return []
        rows = list(_aligned(phase.events, played.events))
        at = next((at for at, row in enumerate(rows) if row[0] == "extra"), len(rows))
        block = list(takewhile(lambda row: row[0] == "extra", rows[at:]))
        gone = any(
            found.code == "missing" and found.what.startswith("the orders") for found in departures
        )
        follows = rows[at + len(block)][0] if at + len(block) < len(rows) else "same"
        if (
            not block
            or (follows != "same" and (gone or len(phase.events) <= len(played.events)))
            or (gone and at)
        ):
            return []  # an event that was changed, or that follows from orders that were taken out
        said = "; ".join(shown(told) for _, told, _ in block[:MOST_OF_A_KIND])
        return [
            Difference(
                played.number,
                "act",
                "an act is missing, or an event was put in; what no act there makes",
                said,
            )
        ]

    # ----------------------------------------------------------------------------------- the replay
    def is_fresh(self, played: Played) -> bool:
        """Whether this phase opens as the record says it does: then what differs in it is no
        consequence of what differed before.
        """
        phase = self._phase(played.number)
        return (
            phase is not None and self._same_version and phase.state == state_digest(played.state)
        )

    def departures(self, played: Played) -> Iterator[Difference]:
        """Where the record says something else than the replay makes of it."""
        phase = self._phase(played.number)
        if played.number == 0:
            yield from self._draws(0, self._record.start.draws, played.draws)
            if not played.stuck:
                yield from self._events(0, self._record.start.events, played.events)
        elif phase is not None and phase.number == played.number:
            yield from self._phase_departures(phase, played)
        if played.stuck:
            yield Difference(played.number, "stuck", played.stuck)

    def _phase_departures(self, phase: Phase, played: Played) -> Iterator[Difference]:
        number = phase.number
        for what, said, made in (
            ("what was asked", phase.kind, played.kind),
            ("the turn", phase.turn, played.turn),
        ):
            if said != made:
                yield Difference(number, "differs", what, str(said), str(made))
        yield from self._state(number, "the state it opened with", phase.state, played.state)
        yield from self._place(number, "when it opened", phase.place, played.place)
        yield from self._acts(phase, played)
        yield from self._orders(phase, played)
        yield from self._draws(number, phase.draws, played.draws)
        if played.stuck:
            return
        yield from self._ending(phase, played)
        yield from self._events(number, phase.events, played.events)

    def _state(self, number: int, what: str, said: str, made: bytes) -> Iterator[Difference]:
        if self._same_version and said != state_digest(made):
            yield Difference(number, "differs", what, f"the digest {said}", state_digest(made))

    def _place(self, number: int, when: str, said: int, made: int) -> Iterator[Difference]:
        if said != made:
            yield Difference(number, "differs", f"the draws made {when}", str(said), str(made))

    def _acts(self, phase: Phase, played: Played) -> Iterator[Difference]:
        for index, (act, made) in enumerate(zip(phase.acts, played.acts, strict=False)):
            what = f"act {index} ({act.act.get('act')})"
            yield from self._state(phase.number, f"the state after {what}", act.state, made.state)
            yield from self._place(phase.number, f"after {what}", act.place, made.place)
        if not played.stuck and len(phase.acts) > len(played.acts):
            index = len(played.acts)
            what = f"act {index}, after the one that ended the phase,"
            yield Difference(phase.number, "extra", what, shown(phase.acts[index].act))

    def _orders(self, phase: Phase, played: Played) -> Iterator[Difference]:
        number = phase.number
        for refused in played.refused:
            code: Code = "refused" if refused.code else "unreadable"
            yield Difference(
                number, code, self._orders_of(refused.player), repr(refused.order), refused.code
            )
        if played.orders is None:
            if not played.stuck and phase.orders:
                first = phase.orders[0]
                said = "; ".join(first.orders)
                yield Difference(number, "extra", self._orders_of(first.player), said)
            return
        given = {orders.player for orders in phase.orders}
        for player in played.asked:
            if player not in given:
                yield Difference(number, "missing", self._orders_of(player))
        refused_players = {refused.player for refused in played.refused}
        for orders in phase.orders:
            made = played.orders.get(orders.player, ())
            if orders.orders != made and orders.player not in refused_players:
                texts = ("; ".join(orders.orders), "; ".join(made))
                yield Difference(number, "differs", self._orders_of(orders.player), *texts)

    def _ending(self, phase: Phase, played: Played) -> Iterator[Difference]:
        number, ended = phase.number, phase.ended
        is_last = number == len(self._record.phases)
        if is_last and ended in (("roll back",) if ended == played.ended else _GOES_ON):
            cut = (
                f"the record ends with its {ended}, and what came of that is missing: it is cut off"
            )
            yield Difference(number, "cut", cut)
        elif ended != played.ended:
            yield Difference(number, "differs", "how it ended", ended, played.ended)

    def _draws(
        self, number: int, said: Sequence[Draw], made: Sequence[Draw]
    ) -> Iterator[Difference]:
        pairs = (pair for pair in zip_longest(said, made) if pair[0] != pair[1])
        return _few(number, "draws", "others", (_draw(number, *pair) for pair in pairs))

    def _events(
        self, number: int, said: Sequence[Mapping[str, Any]], made: Sequence[bytes]
    ) -> Iterator[Difference]:
        if len(said) != len(made):
            counts = (str(len(said)), str(len(made)))
            yield Difference(number, "differs", "the number of events", *counts)
            yield from _few(number, "events", "otherwise", self._uneven(number, said, made))
            return
        uneven = (
            self._event(number, index, told, raw)
            for index, (told, raw) in enumerate(zip(said, made, strict=False))
            if not self._is_same_event(told, raw)
        )
        yield from _few(number, "events", "otherwise", uneven)

    def _event(self, number: int, index: int, told: Mapping[str, Any], raw: bytes) -> Difference:
        made = msgspec.json.decode(raw)
        path, one, other = next(_parts_that_differ(told, made), ("", told, made))
        kind = self._rules.decode_event(raw).kind
        what = f"event {index} ({kind}){f', {path}' if path else ''}"
        return Difference(number, "differs", what, shown(one), shown(other))

    def _uneven(
        self, number: int, said: Sequence[Mapping[str, Any]], made: Sequence[bytes]
    ) -> Iterator[Difference]:
        """Events that stand in one of two lists alone: what only moves up or down is no
        difference.
        """
        for tag, event, index in _aligned(said, made) if self._same_version else ():
            what = f"event {index} ({_kind_of(event)})"
            if tag == "extra":
                yield Difference(number, "extra", what, shown(event))
            elif tag == "lacking":
                yield Difference(number, "missing", what)

    def _is_same_event(self, told: Mapping[str, Any], raw: bytes) -> bool:
        if told == msgspec.json.decode(raw):
            return True
        if self._same_version:
            return False
        try:
            return self._rules.decode_event(msgspec.json.encode(told)) == self._rules.decode_event(
                raw
            )
        except ValueError:
            return False

    # ---------------------------------------------------------------------------------------- names
    def _phase(self, place: int) -> Phase | None:
        return self._record.phases[place - 1] if 0 < place <= len(self._record.phases) else None

    def _orders_of(self, player: int) -> str:
        return f"the orders of {self._record.name_of(player)}"


def _few(
    number: int, of: str, others: str, differences: Iterator[Difference]
) -> Iterator[Difference]:
    """The first few of many; the others are counted."""
    yield from islice(differences, MOST_OF_A_KIND)
    further = sum(1 for _ in differences)
    if further:
        said = f"{further} {others}"
        yield Difference(number, "differs", f"further {of}", said, "something else")


def _draw(number: int, told: Draw | None, drawn: Draw | None) -> Difference:
    """Two draws of which one may be missing."""
    if told is None:
        assert drawn is not None  # noqa: S101 - one of the two is there
        what = f"draw {drawn.place} ({drawn.label}: {shown(drawn.result)})"
        return Difference(number, "missing", what)
    what = f"draw {told.place} ({told.label})"
    if drawn is None:
        return Difference(number, "extra", what, shown(told.result))
    if (told.place, told.label) != (drawn.place, drawn.label):
        made = f"draw {drawn.place} ({drawn.label})"
        return Difference(number, "differs", what, f"a {what}", made)
    if told.of != drawn.of and told.result == drawn.result:
        source = f"{what}, what it was drawn from"
        return Difference(number, "differs", source, shown(told.of), shown(drawn.of))
    if isinstance(told.result, tuple) and isinstance(drawn.result, tuple):
        for index, pair in enumerate(zip(told.result, drawn.result, strict=False), start=1):
            if pair[0] != pair[1]:
                one = f"{what}, number {index} of {len(drawn.result)}"
                return Difference(number, "differs", one, *pair)
    return Difference(number, "differs", what, shown(told.result), shown(drawn.result))


Tag = Literal["same", "extra", "lacking"]


def _aligned(
    said: Sequence[Mapping[str, Any]], made: Sequence[bytes]
) -> Iterator[tuple[Tag, Mapping[str, Any], int]]:
    """Two lists of events side by side: each event with its place in the list it stands in, `extra`
    ones of the record, `lacking` ones of the replay.
    """
    told = [msgspec.json.encode(event, order="sorted") for event in said]
    came = [msgspec.json.encode(msgspec.json.decode(raw), order="sorted") for raw in made]
    for code, i1, i2, j1, j2 in SequenceMatcher(None, told, came, autojunk=False).get_opcodes():
        for index in range(i1, i2):
            yield "same" if code == "equal" else "extra", said[index], index
        if code != "equal":
            for index in range(j1, j2):
                yield "lacking", msgspec.json.decode(made[index]), index


def _kind_of(event: Mapping[str, Any]) -> str:
    """The kind that a stranger's event says it is of."""
    facts = event.get("facts")
    return str(facts.get("kind", "")) if isinstance(facts, Mapping) else ""


def _parts_that_differ(
    one: object, other: object, path: str = ""
) -> Iterator[tuple[str, object, object]]:
    """The innermost members that differ, with the way to them."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys([*one, *other]):
            yield from _parts_that_differ(
                one.get(key), other.get(key), f"{path}.{key}" if path else str(key)
            )
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True), start=1):
            yield from _parts_that_differ(left, right, f"{path} {index}")
    elif one != other:
        yield path, one, other
