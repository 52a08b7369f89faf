"""Logging in without a password (OAuth 2.0): an access token for IMAP and SMTP, renewed by a
refresh token that lies in a file.

The refresh token is got once, by `pbem oauth`: with a code that is typed at another screen (RFC
8628), or by a browser whose last address is brought back (RFC 6749 4.1 with RFC 7636; RFC 8252
7.3). Google lets no program read mail by the first of them.
"""

import asyncio
import base64
import fcntl
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

import structlog

Flow = Literal["device", "browser"]

TIMEOUT_SECONDS = 30.0
RENEWED_BEFORE_SECONDS = 300.0
_MOST_BYTES = 64 * 1024
_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_SLOWER_BY_SECONDS = 5.0  # RFC 8628 3.5
_DEFAULT_INTERVAL_SECONDS = 5.0  # RFC 8628 3.2
REDIRECT = "http://127.0.0.1"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider is asked, and for what. `{tenant}` in an address is the organisation's name
    there.
    """

    token_url: str
    scope: str
    flow: Flow
    device_url: str = ""
    browser_url: str = ""


PROVIDERS: Mapping[str, Provider] = {
    "google": Provider(
        token_url="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
        scope="https://mail.google.com/",
        flow="browser",
        browser_url="https://accounts.google.com/o/oauth2/v2/auth",
    ),
    "microsoft": Provider(
        # an address
        token_url="https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",  # noqa: S106
        scope=(
            "offline_access https://outlook.office.com/IMAP.AccessAsUser.All"
            " https://outlook.office.com/SMTP.Send"
        ),
        flow="device",
        device_url="https://login.microsoftonline.com/{tenant}/oauth2/v2.0/devicecode",
    ),
}


class OAuthError(Exception):
    """No access token could be got; `code` is what the provider calls it, "" where it was not
    reached or not understood.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    @property
    def is_dead(self) -> bool:
        """Whether the refresh token is of no use any more: somebody has to log in again."""
        return self.code in ("invalid_grant", "no-token")


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthSettings:
    """An account at a provider, as this program is known there. The file holds the refresh token
    and nothing else.
    """

    provider: Provider
    client_id: str
    token_file: Path
    client_secret: str = field(default="", repr=False)

    @property
    def client(self) -> dict[str, str]:
        """How we name ourselves in every request."""
        return {"client_id": self.client_id} | (
            {"client_secret": self.client_secret} if self.client_secret else {}
        )


@dataclass(frozen=True, slots=True)
class _Granted:
    """A provider's answer to a request for tokens."""

    access: str = field(repr=False)
    seconds: float = 0.0
    refresh: str = field(default="", repr=False)


class AccessTokens:
    """The access token of an account: kept until shortly before its end, then renewed."""

    def __init__(
        self, settings: OAuthSettings, *, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._granted: _Granted | None = None
        self._until = 0.0
        self._unkept = ""

    async def get(self) -> str:
        """The token that counts now. Raises `OAuthError`."""
        async with self._lock:
            if self._granted is None or self._seconds() >= self._until:
                await self._renew()
            assert self._granted is not None  # noqa: S101 - it was just renewed
            return self._granted.access

    def forget(self) -> None:
        """A server did not take it: the next one is asked for again."""
        self._granted = None

    async def _renew(self) -> None:
        async with _alone_with(self._settings.token_file):
            known = self._unkept or await asyncio.to_thread(
                read_refresh_token, self._settings.token_file
            )
            form = {"grant_type": "refresh_token", "refresh_token": known, **self._settings.client}
            asked_at = self._seconds()
            granted = await _ask_for_tokens(self._settings.provider.token_url, form)
            self._granted, self._until = (
                granted,
                asked_at + max(granted.seconds - RENEWED_BEFORE_SECONDS, granted.seconds / 2),
            )
            if self._unkept or granted.refresh not in ("", known):
                await self._keep(granted.refresh or known)

    async def _keep(self, refresh: str) -> None:
        """A new refresh token, which may make the old one worthless; in memory it is good as long
        as this process lives.
        """
        try:
            await asyncio.to_thread(write_refresh_token, self._settings.token_file, refresh)
        except OSError as error:
            _log.error("oauth.token_not_kept", reason=str(error))
            self._unkept = refresh
        else:
            self._unkept = ""


@asynccontextmanager
async def _alone_with(file: Path) -> AsyncIterator[None]:
    """Hold the file against every other process: a refresh token may be good for one use, and its
    successor comes into the same place.
    """
    while True:
        try:
            handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise _no_token(file, error) from error
        try:
            await asyncio.to_thread(fcntl.flock, handle, fcntl.LOCK_EX)
            # one look
            if file.exists() and os.path.samestat(os.fstat(handle), file.stat()):  # noqa: ASYNC240
                yield
                return
        finally:
            os.close(handle)


def _no_token(file: Path, error: Exception) -> OAuthError:
    return OAuthError("no-token", f"there is no refresh token: {file} cannot be read ({error})")


def read_refresh_token(file: Path) -> str:
    """Raises `OAuthError` when there is none."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _no_token(file, error) from error
    if not token or not token.isascii() or any(character.isspace() for character in token):
        raise OAuthError("no-token", f"{file} holds no refresh token")
    return token


def write_refresh_token(file: Path, token: str) -> None:
    """At no moment is there half of one, and nobody else can read it. Raises OSError."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(handle, 0o600)  # also where it was left behind with other rights
            os.write(handle, f"{token}\n".encode("ascii"))
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(file)
        folder = os.open(file.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """What somebody types at another screen, where, and until when we continue asking."""

    user_code: str
    url: str
    device_code: str = field(repr=False)
    seconds: float
    interval: float


async def begin_device_flow(settings: OAuthSettings) -> DeviceCode:
    """Ask for a code (RFC 8628 3.1). Raises `OAuthError`."""
    form = {"client_id": settings.client_id, "scope": settings.provider.scope}
    told = await _post(settings.provider.device_url, form)
    try:
        url = told.get("verification_uri") or told["verification_url"]  # as Google writes it
        interval = float(told.get("interval", _DEFAULT_INTERVAL_SECONDS))
        return DeviceCode(
            str(told["user_code"]),
            str(url),
            str(told["device_code"]),
            float(told["expires_in"]),
            interval,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise OAuthError("", "the provider's answer holds no code") from error


async def await_device(
    settings: OAuthSettings, code: DeviceCode, sleep: Callable[[float], Awaitable[object]]
) -> str:
    """Ask until somebody has typed the code (RFC 8628 3.4); the refresh token. Raises `OAuthError`
    when it is denied or over.
    """
    form = {"grant_type": _DEVICE_GRANT, "device_code": code.device_code, **settings.client}
    waited, interval = 0.0, code.interval
    while waited < code.seconds:
        await sleep(interval)
        waited += interval
        try:
            return _refresh_of(await _ask_for_tokens(settings.provider.token_url, form))
        except OAuthError as error:
            if error.code == "slow_down":
                interval += _SLOWER_BY_SECONDS
            elif error.code == "temporarily-unreachable":
                interval *= 2  # RFC 8628 3.5
            elif error.code != "authorization_pending":
                raise
    raise OAuthError("expired_token", "nobody has typed the code in time")


@dataclass(frozen=True, slots=True)
class BrowserLogin:
    """A page that somebody opens; where it leads to in the end is brought back."""

    url: str
    state: str = field(repr=False)
    verifier: str = field(repr=False)


def begin_browser_flow(
    settings: OAuthSettings, account: str, random_bytes: Callable[[int], bytes]
) -> BrowserLogin:
    """The page to log in at (RFC 7636 4.3). It leads to an address of the very machine of the
    browser, where nothing has to listen.
    """
    state, verifier = (
        base64.urlsafe_b64encode(random_bytes(32)).decode().rstrip("=") for _ in range(2)
    )
    challenge = (
        base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    )
    query = {
        "client_id": settings.client_id,
        "redirect_uri": REDIRECT,
        "response_type": "code",
        "scope": settings.provider.scope,
        "access_type": "offline",
        "prompt": "consent",
        "login_hint": account,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return BrowserLogin(f"{settings.provider.browser_url}?{urlencode(query)}", state, verifier)


async def end_browser_flow(settings: OAuthSettings, login: BrowserLogin, brought: str) -> str:
    """The refresh token, from the address that the browser ended at. Raises `OAuthError`."""
    query = parse_qs(urlsplit(brought.strip()).query)
    if "error" in query:
        raise OAuthError(query["error"][0], f"the provider says {query['error'][0]}")
    if query.get("state") != [login.state] or len(query.get("code", [])) != 1:
        raise OAuthError(
            "", f"this is not the address that the browser ended at; it begins with {REDIRECT}/?"
        )
    form = {
        "grant_type": "authorization_code",
        "code": query["code"][0],
        "redirect_uri": REDIRECT,
        "code_verifier": login.verifier,
        **settings.client,
    }
    return _refresh_of(await _ask_for_tokens(settings.provider.token_url, form))


def _refresh_of(granted: _Granted) -> str:
    if not granted.refresh:
        raise OAuthError(
            "",
            "the provider gave no refresh token; its client has to be one for desktop or device"
            " programs",
        )
    return granted.refresh


async def _ask_for_tokens(url: str, form: Mapping[str, str]) -> _Granted:
    told = await _post(url, form)
    try:
        access, refresh = told["access_token"], told.get("refresh_token", "")
        seconds = float(told.get("expires_in", 0))
    except (KeyError, TypeError, ValueError) as error:
        raise OAuthError("", "the provider's answer holds no access token") from error
    for token in (access, refresh):
        if (
            not isinstance(token, str)
            or not token.isascii()
            or not token.isprintable()
            or " " in token
        ):
            raise OAuthError("", "the provider's answer holds a token that is none")
    return _Granted(access, seconds, refresh)


async def _post(url: str, form: Mapping[str, str]) -> dict[str, Any]:
    """A form, and the object that is answered. Raises `OAuthError` for everything else; no secret
    is in its words.
    """
    import httpx  # most mailboxes have a password, and need no tokens

    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:
            answer = await client.post(url, data=dict(form), headers={"Accept": "application/json"})
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OAuthError(
            "temporarily-unreachable",
            f"{urlsplit(url).netloc} cannot be reached: {str(error) or type(error).__name__}",
        ) from error
    try:
        told = json.loads(answer.content[:_MOST_BYTES])
    except (ValueError, RecursionError):
        told = None
    if answer.status_code >= 500:
        raise OAuthError(
            "temporarily-unreachable", f"{urlsplit(url).netloc} answers {answer.status_code}"
        )
    if not isinstance(told, dict):
        raise OAuthError(
            "", f"{urlsplit(url).netloc} answers {answer.status_code}, and nothing that can be read"
        )
    if answer.status_code != 200 or "error" in told:
        code = str(told.get("error", answer.status_code))[:100]
        said = str(told.get("error_description", "")).partition("\n")[0][:200]
        raise OAuthError(
            code, f"{urlsplit(url).netloc} says {code}" + (f": {said}" if said else "")
        )
    return told
