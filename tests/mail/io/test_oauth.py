"""Logging in by OAuth, against a scripted provider and servers that look at what is shown to them
(F-37).
"""

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.mail.imap_commands import ImapConnection, ImapSettings
from pbem.mail.oauth import (
    PROVIDERS,
    REDIRECT,
    AccessTokens,
    OAuthError,
    OAuthSettings,
    Provider,
    await_device,
    begin_browser_flow,
    begin_device_flow,
    end_browser_flow,
    read_refresh_token,
    write_refresh_token,
)
from pbem.mail.ports import Deferred, ImapError, OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound, SmtpSettings
from tests.mail.io.scripted import TokenServer, XoauthServers

USER = "orders@house.example"
MAIL = OutboundMail(USER, "anna@players.example", b"Subject: x\r\n\r\nx\r\n")
PENDING = (400, {"error": "authorization_pending"})
BEGUN = (
    200,
    {
        "device_code": "dev",
        "user_code": "ABCD-EFGH",
        "verification_uri": "https://login.example/device",
        "expires_in": 900,
    },
)


def granted(access: str, seconds: float = 3600, **more: object) -> tuple[int, dict[str, object]]:
    return 200, {"access_token": access, "expires_in": seconds, "token_type": "Bearer", **more}


def settings(server: TokenServer, folder: Path) -> OAuthSettings:
    provider = Provider(
        token_url=server.url("token"),
        scope="mail",
        flow="device",
        device_url=server.url("device"),
        browser_url="https://login.example/auth",
    )
    return OAuthSettings(
        provider=provider, client_id="pbem", client_secret="hush", token_file=folder / "token"
    )


@pytest.fixture
async def server() -> AsyncIterator[TokenServer]:
    async with TokenServer([]).open() as opened:
        yield opened


@pytest.fixture
def account(server: TokenServer, tmp_path: Path) -> OAuthSettings:
    write_refresh_token(tmp_path / "token", "first")
    return settings(server, tmp_path)


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Sleep:
    """Time that passes by itself."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


async def test_f37_a_token_is_renewed_before_its_end_and_not_earlier(
    server: TokenServer, account: OAuthSettings
) -> None:
    server.answers += [granted("a"), granted("b")]
    seconds = Seconds()
    tokens = AccessTokens(account, seconds=seconds)
    assert set(await asyncio.gather(tokens.get(), tokens.get())) == {"a"}
    seconds.now = 3299
    assert await tokens.get() == "a"
    seconds.now = 3300
    assert await tokens.get() == "b"
    asked = {
        "grant_type": "refresh_token",
        "refresh_token": "first",
        "client_id": "pbem",
        "client_secret": "hush",
    }
    assert server.asked == [("token", asked), ("token", asked)]


async def test_f37_a_rotated_refresh_token_takes_the_place_of_the_old_one_at_once(
    server: TokenServer, account: OAuthSettings
) -> None:
    server.answers += [
        granted("a", 0, refresh_token="second"),
        granted("b", 0),
        granted("c", 0, refresh_token="third"),
    ]
    ours, theirs = AccessTokens(account), AccessTokens(account)  # as of two processes
    await ours.get()
    assert read_refresh_token(account.token_file) == "second"
    assert stat.S_IMODE(account.token_file.stat().st_mode) == 0o600
    await asyncio.gather(theirs.get(), ours.get())
    assert [form["refresh_token"] for _, form in server.asked] == ["first", "second", "second"]
    assert read_refresh_token(account.token_file) == "third"
    assert [file.name for file in account.token_file.parent.iterdir()] == ["token"]


async def test_f37_a_new_login_counts_without_a_restart_and_a_dead_one_is_told(
    server: TokenServer, account: OAuthSettings
) -> None:
    dead = (
        400,
        {
            "error": "invalid_grant",
            "error_description": "Token has been expired or revoked.\nTrace",
        },
    )
    server.answers += [dead, granted("a")]
    tokens = AccessTokens(account)
    with pytest.raises(
        OAuthError, match=r"invalid_grant: Token has been expired or revoked\.$"
    ) as told:
        await tokens.get()
    assert told.value.is_dead
    write_refresh_token(account.token_file, "again")
    assert await tokens.get() == "a"
    assert server.asked[-1][1]["refresh_token"] == "again"


@pytest.mark.parametrize(
    "answer",
    [
        None,
        (503, b"busy"),
        (200, b"<html>"),
        (200, []),
        (200, {}),
        (200, {"access_token": 7}),
        (200, b"[" * 90_000),
    ],
)
async def test_what_is_no_answer_is_told_and_tried_again(
    server: TokenServer, account: OAuthSettings, answer: tuple[int, object] | None
) -> None:
    server.answers += [answer, granted("a")]
    tokens = AccessTokens(account)
    with pytest.raises(OAuthError) as told:
        await tokens.get()
    assert not told.value.is_dead
    assert "first" not in str(told.value)
    assert "hush" not in str(told.value)
    assert await tokens.get() == "a"


@pytest.mark.parametrize("content", [None, "", "two words", "ñ"])
async def test_without_a_refresh_token_nobody_is_asked(
    server: TokenServer, account: OAuthSettings, content: str | None
) -> None:
    account.token_file.unlink()
    if content is not None:
        account.token_file.write_text(content)
    with pytest.raises(OAuthError, match="refresh token") as told:
        await AccessTokens(account).get()
    assert (told.value.code, server.asked) == ("no-token", [])


async def test_f37_the_device_flow_waits_as_it_is_told_till_somebody_has_typed_the_code(
    server: TokenServer, account: OAuthSettings
) -> None:
    slow = (400, {"error": "slow_down"})
    server.answers += [BEGUN, PENDING, slow, None, PENDING, granted("a", refresh_token="fresh")]
    code = await begin_device_flow(account)
    assert (code.user_code, code.url, code.interval) == (
        "ABCD-EFGH",
        "https://login.example/device",
        5,
    )
    sleep = Sleep()
    assert await await_device(account, code, sleep) == "fresh"
    assert sleep.slept == [5, 5, 10, 20, 20]
    assert server.asked[0] == ("device", {"client_id": "pbem", "scope": "mail"})
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    assert server.asked[1] == (
        "token",
        {"grant_type": grant, "device_code": "dev", "client_id": "pbem", "client_secret": "hush"},
    )


@pytest.mark.parametrize("code", ["access_denied", "expired_token", "invalid_client"])
async def test_f37_the_device_flow_ends_when_it_is_denied_or_over(
    server: TokenServer, account: OAuthSettings, code: str
) -> None:
    server.answers += [BEGUN, PENDING, (400, {"error": code})]
    begun = await begin_device_flow(account)
    with pytest.raises(OAuthError) as told:
        await await_device(account, begun, Sleep())
    assert told.value.code == code


async def test_f37_nobody_waits_longer_than_a_code_is_good(
    server: TokenServer, account: OAuthSettings
) -> None:
    status, answer = BEGUN
    server.answers += [(status, answer | {"expires_in": 60}), *[PENDING] * 12]
    begun = await begin_device_flow(account)
    with pytest.raises(OAuthError, match="in time"):
        await await_device(account, begun, Sleep())
    assert server.answers == []


async def test_f37_by_a_browser_the_address_it_ended_at_is_brought_back(
    server: TokenServer, account: OAuthSettings
) -> None:
    server.answers += [granted("a", refresh_token="fresh")]
    login = begin_browser_flow(account, USER, bytes)
    query = parse_qs(urlsplit(login.url).query)
    assert (query["login_hint"], query["access_type"], query["code_challenge_method"]) == (
        [USER],
        ["offline"],
        ["S256"],
    )
    for wrong in (
        "",
        "https://evil.example/",
        f"{REDIRECT}/?code=c",
        f"{REDIRECT}/?code=c&state=other",
    ):
        with pytest.raises(OAuthError, match="not the address"):
            await end_browser_flow(account, login, wrong)
    with pytest.raises(OAuthError, match="access_denied"):
        await end_browser_flow(
            account, login, f"{REDIRECT}/?error=access_denied&state={login.state}"
        )
    assert (
        await end_browser_flow(
            account, login, f" {REDIRECT}/?state={query['state'][0]}&code=4%2Fx \n"
        )
        == "fresh"
    )
    (_, form) = server.asked[0]
    assert (form["code"], form["code_verifier"], form["redirect_uri"]) == (
        "4/x",
        login.verifier,
        REDIRECT,
    )


def test_what_the_providers_are_asked_for() -> None:
    """Google lets no program read mail that logs in by a typed code."""
    assert {name: provider.flow for name, provider in PROVIDERS.items()} == {
        "google": "browser",
        "microsoft": "device",
    }
    assert "offline_access" in PROVIDERS["microsoft"].scope


async def test_f37_both_servers_are_shown_the_account_and_the_token(
    server: TokenServer, account: OAuthSettings
) -> None:
    server.answers += [granted("good"), granted("good")]
    async with XoauthServers(USER, {"good"}).open() as servers:
        smtp = SmtpSettings(
            host="127.0.0.1",
            port=servers.smtp_port,
            tls="none",
            user=USER,
            tokens=AccessTokens(account),
        )
        async with SmtpOutbound(smtp) as outbound:
            assert isinstance(await outbound.send(MAIL), Sent)
        connection = ImapConnection(imap_of(servers, AccessTokens(account)))
        assert (await connection.open()).uidvalidity == 1
        await connection.close()
        assert servers.shown == ["good", "good"]


def imap_of(servers: XoauthServers, tokens: AccessTokens) -> ImapSettings:
    return ImapSettings(
        host="127.0.0.1",
        port=servers.imap_port,
        tls="none",
        user=USER,
        password="",
        tokens=tokens,
        timeout_seconds=5,
    )


async def test_f37_a_token_that_a_server_refuses_is_asked_for_anew(
    server: TokenServer, account: OAuthSettings
) -> None:
    """Both say why in a challenge that wants an answer; a client that gives none would hang."""
    server.answers += [granted("stale"), granted("good"), granted("stale"), granted("good")]
    async with XoauthServers(USER, {"good"}).open() as servers:
        smtp = SmtpSettings(
            host="127.0.0.1",
            port=servers.smtp_port,
            tls="none",
            user=USER,
            tokens=AccessTokens(account),
        )
        async with SmtpOutbound(smtp) as outbound:
            assert await outbound.send(MAIL) == Deferred(535, "5.7.8 no such token")
            assert isinstance(await outbound.send(MAIL), Sent)
        settings = imap_of(servers, AccessTokens(account))
        for is_good in (False, True):
            connection = ImapConnection(settings)
            with nullcontext() if is_good else pytest.raises(ImapError, match="AUTHENTICATE: NO"):
                await connection.open()
            await connection.close()
        assert servers.shown == ["stale", "good", "stale", "good"]


async def test_f37_with_a_dead_refresh_token_letters_wait_and_the_mailbox_says_why(
    server: TokenServer, account: OAuthSettings
) -> None:
    server.answers += [(400, {"error": "invalid_grant"}), (400, {"error": "invalid_grant"})]
    async with XoauthServers(USER, set()).open() as servers:
        smtp = SmtpSettings(
            host="127.0.0.1",
            port=servers.smtp_port,
            tls="none",
            user=USER,
            tokens=AccessTokens(account),
        )
        async with SmtpOutbound(smtp) as outbound:
            answer = await outbound.send(MAIL)
        assert isinstance(answer, Deferred)
        assert "invalid_grant" in answer.text
        connection = ImapConnection(imap_of(servers, AccessTokens(account)))
        with pytest.raises(ImapError, match=r"OAuth: .*invalid_grant"):
            await connection.open()
        await connection.close()
        assert servers.shown == []


async def test_a_token_that_cannot_be_kept_is_used_all_the_same(
    server: TokenServer, account: OAuthSettings
) -> None:
    """Its folder is gone when the successor comes; the process knows it."""
    folder = account.token_file.parent / "held"
    folder.mkdir()
    moved = replace(account, token_file=folder / "token")
    write_refresh_token(moved.token_file, "first")
    server.answers += [granted("a", 0, refresh_token="second"), granted("b", 0)]
    blocked = folder / f".token.{os.getpid()}.part"
    blocked.mkdir()
    tokens = AccessTokens(moved)
    assert await tokens.get() == "a"
    assert read_refresh_token(moved.token_file) == "first"
    blocked.rmdir()
    assert await tokens.get() == "b"
    assert server.asked[-1][1]["refresh_token"] == "second"
    assert read_refresh_token(moved.token_file) == "second"
