"""The language model: whether its key is kept well, and whether its server answers in time."""

from collections.abc import Iterator
from contextlib import aclosing
from urllib.parse import urlsplit

from pbem.config import Config, ConfigError
from pbem.doctor.findings import Finding, broken, ok, warning
from pbem.doctor.settings import others_read
from pbem.language_model import model_of
from pbem.model.question import NoAnswer, Question

NAME = "language model"
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
        yield broken(f"{NAME}: key", str(error), "let the service's user read that file")
        return
    if section.key_file is not None and others_read(section.key_file):
        yield warning(
            f"{NAME}: key",
            f"everybody on this machine can read {section.key_file}",
            f"chmod 600 {section.key_file}",
        )


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
        return warning(NAME, f"{host}: {error}", "check reading.url, reading.model and reading.key")
    if said != TRIED.orders[:1]:
        words = f"{section.model} at {host} answers, but not with the order that was meant"
        return warning(NAME, words, "try a model that follows instructions better")
    return ok(NAME, f"{section.model} at {host} reads a message; players' words go there")
