"""The language model of a configuration: how it is reached, and how often it may be asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pbem.config import ReadingSection
from pbem.desk.ports import Proposing
from pbem.model.chat import ChatModel, ModelSettings


def model_settings(section: ReadingSection) -> ModelSettings:
    """What the configuration says of it. ConfigError if its key cannot be read."""
    return ModelSettings(
        url=section.url, model=section.model, key=section.secret(), seconds=section.seconds
    )


@asynccontextmanager
async def open_proposing(section: ReadingSection) -> AsyncIterator[Proposing]:
    """The model, if there is one, until the block ends. ConfigError if its key cannot be read."""
    if not section.is_on:
        yield Proposing()
        return
    async with ChatModel(model_settings(section)) as model:
        yield Proposing(model, section.requests_a_day)
