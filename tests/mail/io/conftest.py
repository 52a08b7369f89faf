"""The fixtures of the mail room's tests."""

from collections.abc import AsyncIterator

import pytest

from pbem.demo.servers import EmbeddedMail
from tests.mail.io.support import (
    ADDRESS,
    DovecotProvider,
    EmbeddedProvider,
    HandClock,
    Provider,
    Shelf,
)
from tests.servers.dovecot import running_dovecot


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(params=["embedded", pytest.param("dovecot", marks=pytest.mark.servers)])
async def provider(request: pytest.FixtureRequest) -> AsyncIterator[Provider]:
    if request.param == "embedded":
        server_clock = HandClock()
        async with EmbeddedMail(server_clock) as mail:
            await mail.add_account(ADDRESS, 'a password with "quotes" and \\ in it')
            yield EmbeddedProvider(mail, server_clock)
    else:
        with running_dovecot({ADDRESS: 'a password with "quotes" and \\ in it'}) as dovecot:
            yield DovecotProvider(dovecot)
            await dovecot.hang_up()


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()
