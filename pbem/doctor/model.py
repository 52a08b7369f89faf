"""The language model: whether its key is kept well, and whether its server answers in time."""

from collections.abc import Iterator
from contextlib import aclosing
from urllib.parse import urlsplit

from pbem.config import Config, ConfigError
from pbem.doctor.findings import found
from pbem.doctor.settings import others_read
from pbem.findings import Finding
from pbem.language_model import model_of
from pbem.model.question import NoAnswer, Question

TRIED = Question(("Wave to Anna", "Wave to Emil"), "Fenna", "{}", (), "I wave to Anna, please.")
"""A message of nobody."""


def check_key(config: Config) -> Iterator[Finding]:
    """The key, and the file that holds it. Nothing where no model is configured."""
    section = config.reading
    if not section.is_on:
        return
    try:
        section.secret()
    except ConfigError as error:
        yield found("no-key", error=error)
        return
    if section.key_file is not None and others_read(section.key_file):
        yield found("key-seen", file=section.key_file)


async def check_model(config: Config) -> Finding | None:
    """Ask it about a message of nobody; None where no model is configured."""
    section = config.reading
    if not section.is_on:
        return None
    host = urlsplit(section.url).netloc
    try:
        async with aclosing(model_of(section)) as model:
            said = await model.propose(TRIED)
    except ConfigError:
        return None  # the key's own finding has told it
    except NoAnswer as error:
        return found("model-silent", host=host, error=error)
    code = "model" if said == TRIED.orders[:1] else "model-weak"
    return found(code, model=section.model, host=host)
