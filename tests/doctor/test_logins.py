"""Servers with certificates of their own, and logins by OAuth: what the doctor says, and whether
its hint is right (F-37).
"""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from pbem.config import Config, ConfigError
from pbem.doctor.post import check_imap, check_smtp
from pbem.doctor.settings import check_settings
from pbem.findings import Finding, Grade
from pbem.mail.oauth import write_refresh_token
from pbem.servers import imap_settings, smtp_settings
from tests.doctor.conftest import ORDERS, Configured
from tests.mail.io.scripted import TokenServer, XoauthServers
from tests.servers.dovecot import make_certificate


@asynccontextmanager
async def behind_tls(
    folder: Path, talk: str, names: str
) -> AsyncIterator[tuple[XoauthServers, Path]]:
    """Servers with a self-signed certificate, from the first byte ("implicit") or after
    STARTTLS.
    """
    certificate, key = make_certificate(folder, names)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with XoauthServers(ORDERS, {"good"}).open(
        context, starttls=talk == "starttls"
    ) as servers:
        yield servers, certificate


async def both(config: Config) -> list[Finding]:
    findings, connection = await check_imap(config, imap_settings(config))
    if connection is not None:
        await connection.close()
    return [findings[0], await check_smtp(config, smtp_settings(config))]


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
async def test_f37_a_certificate_of_ones_own_is_told_and_the_hint_mends_it(
    configured: Configured, tmp_path: Path, tls: str
) -> None:
    for trusted, names in (
        (False, "DNS:localhost"),
        (True, "DNS:localhost"),
        (True, "DNS:elsewhere.example"),
    ):
        async with behind_tls(tmp_path, tls, names) as (servers, certificate):
            login = {
                "host": "localhost",
                "tls": tls,
                "password": SecretStr("pw"),
                "ca_file": certificate if trusted else None,
            }
            config = configured(
                imap={**login, "port": servers.imap_port}, smtp={**login, "port": servers.smtp_port}
            )
            for finding, section in zip(await both(config), ("imap", "smtp"), strict=True):
                if not trusted:
                    assert (finding.grade, f"set {section}.ca_file" in finding.mend) == (
                        Grade.BROKEN,
                        True,
                    ), finding
                elif "elsewhere" in names:
                    assert f"set {section}.host to a name in the certificate" in finding.mend, (
                        finding
                    )
                else:
                    assert "certificate" not in finding.words + finding.mend, finding


def test_f37_a_certificate_file_that_is_none_is_told(
    configured: Configured, tmp_path: Path
) -> None:
    for content in (None, "no certificate"):
        if content is not None:
            (tmp_path / "ca.pem").write_text(content)
        config = configured(smtp={"ca_file": tmp_path / "ca.pem"})
        with pytest.raises(ConfigError, match=r"smtp\.ca_file"):
            smtp_settings(config)
        found = {finding.check: finding for finding in check_settings(config, None)}
        assert found["smtp certificate"].grade is Grade.BROKEN
        assert "imap certificate" not in found


@pytest.mark.parametrize(
    ("answers", "grade", "mend"),
    [
        ([(200, {"access_token": "good", "expires_in": 3600})] * 2, Grade.OK, ""),
        ([(400, {"error": "invalid_grant"})] * 2, Grade.BROKEN, "the refresh token is dead"),
        ([(401, {"error": "invalid_client"})] * 2, Grade.BROKEN, "oauth.client_id"),
        ([None] * 2, Grade.BROKEN, "network"),
        (
            [(200, {"access_token": "bad", "expires_in": 3600})] * 2,
            Grade.BROKEN,
            "is the account that logged in",
        ),
    ],
)
async def test_f37_a_login_by_oauth_is_looked_at_and_a_dead_token_told_in_words(
    configured: Configured,
    tmp_path: Path,
    answers: list[tuple[int, object] | None],
    grade: Grade,
    mend: str,
) -> None:
    async with (
        XoauthServers(ORDERS, {"good"}).open() as servers,
        TokenServer(list(answers)).open() as provider,
    ):
        login = {"password": SecretStr("")}
        oauth = {
            "provider": "microsoft",
            "client_id": "pbem",
            "token_url": provider.url("token"),
            "token_file": tmp_path / "token",
        }
        config = configured(
            imap={**login, "port": servers.imap_port},
            smtp={**login, "port": servers.smtp_port},
            oauth=oauth,
        )
        missing = [
            finding
            for finding in check_settings(config, None)
            if finding.check.endswith("password")
        ]
        assert [(finding.grade, "pbem oauth microsoft" in finding.mend) for finding in missing] == [
            (Grade.BROKEN, True)
        ] * 2
        write_refresh_token(tmp_path / "token", "refresh")
        assert {
            finding.grade
            for finding in check_settings(config, None)
            if finding.check.endswith("password")
        } == {Grade.OK}
        for finding in await both(config):
            assert (finding.grade, mend in finding.mend) == (grade, True), finding


def test_f105_an_empty_password_file_is_told_as_what_it_is(
    configured: Configured, tmp_path: Path
) -> None:
    file = tmp_path / "imap-password"
    file.write_text("\n")
    file.chmod(0o600)
    config = configured(imap={"user": "orders", "password": SecretStr(""), "password_file": file})
    (found,) = [one for one in check_settings(config, None) if one.check == "imap password"]
    assert (found.grade, f"{file} is empty" in found.words) == (Grade.BROKEN, True)
    assert "set imap.password_file" not in found.mend
