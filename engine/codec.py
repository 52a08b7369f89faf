"""States, orders and events of a game as bytes (JSON), and back again: the same for every game."""

from collections.abc import Callable, Iterable, Sequence
from types import GenericAlias
from typing import Any, Generic, TypeVar

import msgspec

from engine.ruleset import Event

StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")


class Codec(Generic[StateT, OrderT]):
    """What comes back is checked: a state that breaks the rules is refused.

    `order` is the type of an order and `facts` that of what events tell, each a union of structs
    told apart by their tags; `faults_of` names whatever makes a state one that no game can come to.
    """

    def __init__(
        self,
        state: type[StateT],
        order: Any,
        facts: Any,
        faults_of: Callable[[StateT], Iterable[str]],
    ) -> None:
        stored = msgspec.defstruct(
            "StoredEvent",
            [
                ("facts", facts),
                ("rules", tuple[str, ...]),
                ("audience", tuple[int, ...] | None, None),
            ],
            frozen=True,
        )
        self._encoder = msgspec.json.Encoder()
        self._state = msgspec.json.Decoder(state)
        self._orders: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
            GenericAlias(tuple, (order, ...))
        )
        self._event: msgspec.json.Decoder[Any] = msgspec.json.Decoder(stored)
        self._faults_of = faults_of

    def encode_state(self, state: StateT) -> bytes:
        return self._encoder.encode(state)

    def decode_state(self, raw: bytes) -> StateT:
        """ValueError if the bytes are no state, or one that breaks the game's invariants (the
        message says which).
        """
        state: StateT = _decoded(self._state, raw, "state")
        fault = next(iter(self._faults_of(state)), None)
        if fault is not None:
            raise ValueError(f"an impossible state: {fault}")
        return state

    def encode_orders(self, orders: Sequence[OrderT]) -> bytes:
        return self._encoder.encode(orders)

    def decode_orders(self, raw: bytes) -> tuple[OrderT, ...]:
        """ValueError if the bytes are no orders of this game."""
        orders: tuple[OrderT, ...] = _decoded(self._orders, raw, "orders")
        return orders

    def encode_event(self, event: Event) -> bytes:
        return self._encoder.encode(event)

    def decode_event(self, raw: bytes) -> Event:
        """ValueError if the bytes are no event of this game."""
        stored = _decoded(self._event, raw, "event")
        return Event(stored.facts, stored.rules, stored.audience)


def _decoded(decoder: msgspec.json.Decoder[Any], raw: bytes, what: str) -> Any:
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise ValueError(f"no {what} of this game: {wrong}") from wrong
