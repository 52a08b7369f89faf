"""The bot: whether its token is one, whose it is, and whether Telegram can call us where it is told
to.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from pbem.config import Config, ConfigError
from pbem.doctor.findings import found
from pbem.doctor.settings import others_read
from pbem.findings import Finding
from pbem.servers import line_of
from pbem.telegram.connection import Connection
from pbem.telegram.ports import TelegramTrouble
from pbem.telegram.sender import TelegramSender


def check_secrets(config: Config) -> Iterator[Finding]:
    """The files that hold the token and the webhook's secret. Nothing where no bot is
    configured.
    """
    section = config.telegram
    if not section.is_on:
        return
    try:
        section.secret()
        section.hook_secret()
    except ConfigError as error:
        yield found("no-token", error=error)
        return
    for path in (section.token_file, section.webhook_secret_file):
        if path is not None and others_read(path):
            yield found("token-seen", file=path)


async def check_bot(config: Config) -> Finding | None:
    """Ask Telegram who we are; None where no bot is configured."""
    try:
        line = line_of(config.telegram)
    except ConfigError:
        return None  # the token's own finding has told it
    if line is None:
        return None
    try:
        async with Connection(line.settings) as connection:
            me = await TelegramSender(connection).me()
    except TelegramTrouble as error:
        code = "bot-unknown" if "nauthorized" in str(error) else "bot-unreached"
        return found(code, url=config.telegram.api_url, error=error)
    if line.webhook is None:
        return found("bot-polls", name=me.username)
    return found("bot-called", name=me.username, host=urlsplit(line.webhook.url).netloc)
