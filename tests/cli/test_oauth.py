"""`pbem oauth`, as an operator types it, against a scripted provider (F-37)."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.mail.oauth import REDIRECT, read_refresh_token
from tests.cli.operator import CONFIG, Operator
from tests.mail.io.scripted import TokenServer

DEVICE = (
    200,
    {
        "device_code": "d",
        "user_code": "ABCD-EFGH",
        "verification_uri": "https://login.example/device",
        "expires_in": 600,
        "interval": 0,
    },
)
GRANTED = (200, {"access_token": "a", "expires_in": 3600, "refresh_token": "fresh"})


@contextmanager
def provider(*answers: tuple[int, object]) -> Iterator[TokenServer]:
    """In a thread of its own: a command has its own loop."""
    server, up, down = TokenServer(list(answers)), threading.Event(), threading.Event()

    async def run() -> None:
        async with server.open():
            up.set()
            await asyncio.to_thread(down.wait)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    up.wait()
    try:
        yield server
    finally:
        down.set()
        thread.join()


def at(folder: Path, name: str, server: TokenServer) -> Operator:
    text = f'provider = "{name}"\nclient_id = "pbem"\ndevice_url = "{server.url("device")}"\ntoken_url = "{server.url("token")}"\n'
    return Operator.at(folder, f'{CONFIG}\n[imap]\nuser = "orders@house.example"\n[oauth]\n{text}')


def test_f37_the_device_flow_at_microsoft(tmp_path: Path) -> None:
    with provider(DEVICE, (400, {"error": "authorization_pending"}), GRANTED) as server:
        said = at(tmp_path, "microsoft", server).types("oauth", "microsoft")
    assert said.status == 0, said.err
    assert "https://login.example/device" in said.out
    assert "ABCD-EFGH" in said.out
    assert "fresh" not in said.out
    assert read_refresh_token(tmp_path / "data" / "oauth-token") == "fresh"
    assert "outlook.office.com/IMAP.AccessAsUser.All" in server.asked[0][1]["scope"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("access_denied", "the login was refused"),
        ("expired_token", "begin again"),
        ("odd", "did not work"),
    ],
)
def test_f37_a_denied_login_is_told_and_keeps_nothing(
    tmp_path: Path, code: str, words: str
) -> None:
    with provider(DEVICE, (400, {"error": code})) as server:
        said = at(tmp_path, "microsoft", server).types("oauth", "microsoft")
    assert (said.status, words in said.err) == (1, True)
    assert not (tmp_path / "data" / "oauth-token").exists()


def test_f37_the_browser_flow_at_google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", bytes)
    with provider(GRANTED) as server:
        operator = at(tmp_path, "google", server)
        state = "A" * 43
        said = operator.types(
            "oauth", "google", typed=f"{REDIRECT}/?state={state}&code=4/x&scope=s\n"
        )
    assert said.status == 0, said.err
    page = re.search(r"https:\S+", said.out)
    assert page is not None
    assert parse_qs(urlsplit(page[0]).query)["scope"] == ["https://mail.google.com/"]
    assert read_refresh_token(tmp_path / "data" / "oauth-token") == "fresh"


def test_a_provider_that_is_not_configured_is_refused(tmp_path: Path) -> None:
    said = Operator.at(tmp_path).types("oauth", "google")
    assert (said.status, "oauth.client_id" in said.err) == (4, True)
