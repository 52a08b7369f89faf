"""A provider on loopback, and a configuration that fits it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from pbem.config import (
    ArchiveSection,
    Config,
    GmSection,
    ImapSection,
    OAuthSection,
    ServiceSection,
    SmtpSection,
)
from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail

HOST = "house.example"
ORDERS = f"orders@{HOST}"
PASSWORD = "secret"

Configured = Callable[..., Config]


@pytest.fixture
def clock() -> FastClock:
    return FastClock()


@pytest.fixture
async def mail(clock: FastClock) -> AsyncIterator[EmbeddedMail]:
    async with EmbeddedMail(clock, host=HOST) as embedded:
        await embedded.add_account(ORDERS, PASSWORD)
        yield embedded


@pytest.fixture
def configured(mail: EmbeddedMail, tmp_path: Path) -> Configured:
    """The right configuration, with some of it changed: `configured(imap={"port": 1})`."""

    def make(**changes: dict[str, Any]) -> Config:
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        login = {
            "host": "127.0.0.1",
            "tls": "none",
            "user": ORDERS,
            "password": SecretStr(PASSWORD),
        }
        service = {"data_dir": tmp_path / "data", "address": ORDERS, "authserv_id": HOST}
        return Config.model_construct(
            service=ServiceSection(**{**service, **changes.get("service", {})}),
            imap=ImapSection(**{**login, "port": imap.port, **changes.get("imap", {})}),
            smtp=SmtpSection(**{**login, "port": smtp.port, **changes.get("smtp", {})}),
            gm=GmSection(**{"addresses": (f"gm@{HOST}",), **changes.get("gm", {})}),
            oauth=OAuthSection(**changes.get("oauth", {})),
            archive=ArchiveSection(**changes.get("archive", {})),
        )

    return make
