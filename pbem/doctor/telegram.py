"""The bot: whether its token is one, whose it is, and whether Telegram can call us where it is told
to.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from pbem.config import Config, ConfigError
from pbem.doctor.findings import Finding, broken, ok, warning
from pbem.doctor.settings import others_read
from pbem.telegram.connection import Connection
from pbem.telegram.ports import TelegramTrouble
from pbem.telegram.sender import TelegramSender
from pbem.telegram_service import Line, line_of

NAME = "Telegram"


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
        yield broken(
            f"{NAME} token",
            str(error),
            "let the service's user read that file, or ask @BotFather for a token",
        )
        return
    for path in (section.token_file, section.webhook_secret_file):
        if path is not None and others_read(path):
            yield warning(
                f"{NAME} token", f"everybody on this machine can read {path}", f"chmod 600 {path}"
            )


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
        mend = (
            "check telegram.token; @BotFather shows it, and gives a new one"
            if "nauthorized" in str(error)
            else "check this machine's network"
        )
        return broken(NAME, f"{config.telegram.api_url} does not know this bot: {error}", mend)
    return ok(NAME, f"the token is that of @{me.username}{_called(line)}")


def _called(line: Line) -> str:
    return (
        f"; Telegram calls {urlsplit(line.webhook.url).netloc}"
        if line.webhook is not None
        else "; the service polls for updates"
    )
