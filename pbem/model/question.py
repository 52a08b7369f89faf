"""What a language model is asked, and who may be asked."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

NONE = "NONE"


class Question(Struct, frozen=True):
    """One message that was not read to its end.

    `orders` are all that its writer may order, `view` is what they see of the game, as JSON;
    `taken` are the orders that were read already.
    """

    orders: Sequence[str]
    player: str
    view: str
    taken: Sequence[str]
    message: str

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "\n\n".join(
            (
                "ORDERS\n" + "\n".join(self.orders),
                f"PLAYER\n{self.player}",
                f"WHAT THE PLAYER SEES\n{self.view}",
                "TAKEN\n" + ("\n".join(self.taken) or NONE),
                f"MESSAGE\n{self.message}",
            )
        )


class NoAnswer(Exception):
    """There is none; it says why, in words of our own."""


class Model(Protocol):
    """Somebody who may know what a message means."""

    async def propose(self, question: Question) -> Sequence[str]:
        """Orders, if they know any. NoAnswer where they say nothing in time that can be read."""
