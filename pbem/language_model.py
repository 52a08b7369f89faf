"""Opens the language model that may say what a message means."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

from pbem.config import ReadingSection
from pbem.desk.ports import Proposing

if TYPE_CHECKING:
    from pbem.model.chat import ChatModel


def model_of(section: ReadingSection) -> "ChatModel":
    """The language model that is configured. ConfigError if its key cannot be read."""
    from pbem.model.chat import ChatModel  # few houses have one

    return ChatModel(section.url, section.model, section.secret(), section.seconds)


@asynccontextmanager
async def open_proposing(section: ReadingSection) -> AsyncIterator[Proposing]:
    """The model with its budget, if there is one, until the block ends."""
    if not section.is_on:
        yield Proposing()
        return
    async with aclosing(model_of(section)) as model:
        yield Proposing(model, section.requests_a_day)
