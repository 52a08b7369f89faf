"""How a bot is reached. These are values alone: a house without a bot does not load the library."""

import re
from dataclasses import dataclass, field

_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """Who we are and how to reach Telegram.

    A long poll lasts `poll_seconds` at most; after trouble we wait `back_off_seconds`, and twice as
    long each time, up to the most.
    """

    token: str = field(repr=False)
    api_url: str = "https://api.telegram.org"
    timeout_seconds: float = 20.0
    picture_timeout_seconds: float = 60.0
    poll_seconds: int = 50
    back_off_seconds: float = 1.0
    max_back_off_seconds: float = 60.0
    connections: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """Where Telegram calls (`url`, HTTPS, its path is ours) and where we listen, as a rule behind a
    proxy that ends TLS.

    `check_seconds` is how often we ask Telegram what it still holds, and `drain_seconds` how often
    while somebody waits for it to hold nothing. Who has called hangs up or is hung up on: after
    `idle_seconds` without the whole head of a request, `body_seconds` after it without the whole
    body. ValueError unless `secret` is 16 to 256 of A-Z, a-z, 0-9, `_` and `-`.
    """

    url: str
    secret: str = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 8443
    path: str = "/telegram"
    check_seconds: float = 60.0
    drain_seconds: float = 0.5
    idle_seconds: float = 60.0
    body_seconds: float = 20.0

    def __post_init__(self) -> None:
        if not _SECRET.fullmatch(self.secret):
            raise ValueError("the secret of a webhook is 16 to 256 of A-Z, a-z, 0-9, _ and -")
        if not self.path.startswith("/"):
            raise ValueError("the path of a webhook begins with a slash")


@dataclass(frozen=True, slots=True)
class Line:
    """How a bot is reached; with `webhook` Telegram calls us."""

    settings: TelegramSettings
    webhook: WebhookSettings | None = None
