"""The way of a mail: out by SMTP, in by IMAP, and once all the way round to ourselves."""

import asyncio
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import aiosmtplib

from pbem.clock import Clock
from pbem.config import Config, Tls
from pbem.desk.ports import Outbound
from pbem.doctor.findings import found
from pbem.doctor.mailbox import (
    Found,
    ProbingConnection,
    Trouble,
    distrust_behind,
    distrust_of,
    find_mails,
    knock,
)
from pbem.findings import Finding
from pbem.mail.composer import envelope
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.inbound.message import Headers, parse_head
from pbem.mail.inbound.senders import read_dmarc
from pbem.mail.letter import Letter
from pbem.mail.oauth import OAuthError
from pbem.mail.ports import ImapError, OutboundMail, Sent
from pbem.mail.smtp import SmtpSettings, new_client

KNOCK_SECONDS = 15.0
AFTER_THE_FIRST_SECONDS = 20.0
LOOK_SECONDS = 3.0
SLACK = timedelta(seconds=2)
CLOCK_DOUBTFUL, CLOCK_WRONG = timedelta(seconds=5), timedelta(seconds=60)
PROBE = "doctor-"
"""The detail of a probe's address begins with it; it is no token."""

_SERV_ID = re.compile(r"[A-Za-z0-9._-]+")


async def _reach(
    section: str, host: str, port: int, tls: Tls, tls_port: int, trusted: ssl.SSLContext | None
) -> Finding | None:
    trouble = await knock(host, port, tls, KNOCK_SECONDS, trusted)
    if trouble is None:
        return None
    kind, said = trouble
    return _unusable(kind, section, f"{host}:{port}", said, tls_port)


def _unusable(kind: Trouble, section: str, where: str, said: str, tls_port: int = 0) -> Finding:
    server = section.upper()
    return found(kind, server=server, section=section, where=where, said=said, tls_port=tls_port)


async def check_smtp(config: Config, settings: SmtpSettings) -> Finding:
    """Whether we may log in and send under our own name, and without one (as to game masters)."""
    where, address = f"{settings.host}:{settings.port}", config.service.address
    unreached = await _reach(
        "smtp", settings.host, settings.port, config.smtp.tls, 465, settings.trusted
    )
    if unreached is not None:
        return unreached
    client = new_client(settings, KNOCK_SECONDS)
    try:
        await client.connect()
        refused = await _refused_senders(client, address)
        await client.quit()
    except aiosmtplib.SMTPAuthenticationError as error:
        code = "smtp-token" if settings.tokens else "smtp-login"
        return found(code, where=where, user=settings.user, said=_answer(error))
    except OAuthError as error:
        return found("smtp-oauth", error=error, mend=oauth_mend(config, error))
    except aiosmtplib.SMTPResponseException as error:
        return found("smtp-answer", where=where, said=_answer(error))
    except (aiosmtplib.SMTPException, OSError) as error:
        distrust = distrust_behind(error)
        if distrust is not None:
            return _unusable(distrust_of(distrust), "smtp", where, distrust.verify_message)
        said = _first_line(str(error) or type(error).__name__)
        return found("smtp-unusable", where=where, said=said)
    finally:
        client.close()
    if address in refused:
        return found("smtp-sender", where=where, address=address)
    if refused:
        return found("smtp-no-empty-sender", where=where)
    login = f"as {settings.user}" if settings.user else "without a login"
    return found("smtp", where=where, login=login, address=address)


async def _refused_senders(client: aiosmtplib.SMTP, address: str) -> set[str]:
    refused = set()
    for sender in (address, ""):
        try:
            await client.mail(sender)
        except aiosmtplib.SMTPSenderRefused:
            refused.add(sender)
        await client.rset()
    return refused


def _answer(error: aiosmtplib.SMTPResponseException) -> str:
    return f"{error.code} {_first_line(error.message)}"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]


async def check_imap(
    config: Config, settings: ImapSettings
) -> tuple[list[Finding], ProbingConnection | None]:
    """Log in and open the mailbox; the open connection for what comes next, if there is one."""
    where = f"{settings.host}:{settings.port}"
    unreached = await _reach(
        "imap", settings.host, settings.port, config.imap.tls, 993, settings.trusted
    )
    if unreached is not None:
        return [unreached], None
    connection = ProbingConnection(settings)
    try:
        await connection.open()
    except ImapError as error:
        await connection.close()
        return [_imap_trouble(config, where, error)], None
    findings = [found("imap", where=where, user=settings.user, mailbox=settings.mailbox)]
    if not connection.has("IDLE"):
        findings.append(found("no-idle", seconds=settings.poll_seconds))
    if not connection.has("UIDPLUS"):
        findings.append(found("no-uidplus"))
    return findings, connection


def _imap_trouble(config: Config, where: str, error: ImapError) -> Finding:
    distrust = distrust_behind(error)
    if distrust is not None:
        return _unusable(distrust_of(distrust), "imap", where, distrust.verify_message)
    said = _first_line(str(error))
    if isinstance(error.__cause__, OAuthError):
        return found("imap-oauth", where=where, said=said, mend=oauth_mend(config, error.__cause__))
    return found(_imap_trouble_code(str(error)), where=where, said=said)


def oauth_mend(config: Config, error: OAuthError) -> str:
    """What to do when there is no access token to log in with."""
    again = f"log in again: pbem oauth {config.oauth.provider}"
    if error.code == "no-token":
        return f"log in: pbem oauth {config.oauth.provider}"
    if error.is_dead:
        return (
            f"the refresh token is dead (too old, withdrawn, or its password was changed); {again}"
        )
    if error.code == "temporarily-unreachable":
        return "check the network of this machine; the service tries again by itself"
    if error.code in ("invalid_client", "unauthorized_client"):
        return "check oauth.client_id and oauth.client_secret_file at the provider"
    return again


def _imap_trouble_code(said: str) -> str:
    by_command = {"AUTHENTICATE": "imap-token", "LOGIN": "imap-login", "SELECT": "imap-mailbox"}
    otherwise = "imap-tls" if "STARTTLS" in said else "imap-other"
    return next((by_command[word] for word in by_command if said.startswith(word)), otherwise)


@dataclass(frozen=True, slots=True)
class Round:
    """What became of the probes: each as it was found, `report` what came back instead."""

    sent_at: datetime
    seen_at: datetime
    plain: Found | None = None
    detailed: Found | None = None
    report: Found | None = None

    @property
    def first(self) -> Found | None:
        return self.plain or self.detailed


async def check_round_trip(
    config: Config,
    connection: ProbingConnection,
    outbound: Outbound,
    clock: Clock,
    word: str,
    wait_seconds: float,
) -> list[Finding]:
    """Write to ourselves, with and without a detail in the address, wait for both, and take them
    away again.

    `word` is one that occurs nowhere else. The running service takes the probes for its own mails
    come back, and ignores them.
    """
    address, sent_at = config.service.address, clock.now()
    local, _, host = address.partition("@")
    addresses = [address] + [f"{local}+{PROBE}{word}@{host}"] * config.service.subaddressing
    refused = []
    for recipient in addresses:
        answer = await outbound.send(_probe(config, recipient, word, sent_at))
        if not isinstance(answer, Sent):
            refused.append((recipient, f"{answer.code or 'no answer'} {_first_line(answer.text)}"))
    if any(recipient == address for recipient, _said in refused):
        return [found("round-refused", address=address, said=refused[0][1])]
    try:
        gone = await _wait(
            connection, word, clock, sent_at, wait_seconds, both=len(addresses) - len(refused) == 2
        )
    except ImapError as error:
        return [found("round-unread", said=_first_line(str(error)))]
    said = refused[0][1] if refused else None
    return list(_judge(config, gone, word, said, wait_seconds))


def _probe(config: Config, recipient: str, word: str, at: datetime) -> OutboundMail:
    address = config.service.address
    return envelope(
        Letter(
            from_name=config.service.name,
            from_address=address,
            to_name="",
            to_address=recipient,
            subject=f"pbem doctor: probe {word}",
            text=(
                f"The post office writes to itself to see whether its mail arrives ({word}). It"
                " removes this mail again.\n"
            ),
            message_id=(
                f"<{PROBE}{word}.{'detail' if '+' in recipient else 'plain'}"
                f"@{config.service.address.partition('@')[2]}>"
            ),
            date=at,
            envelope_from=address,
            auto_submitted="auto-generated",
            extra=((LOOP_HEADER, address.partition("@")[2]),),
        )
    )


async def _wait(
    connection: ProbingConnection,
    word: str,
    clock: Clock,
    sent_at: datetime,
    wait_seconds: float,
    *,
    both: bool,
) -> Round:
    """Look until everything has come, or the time is up; whatever was found is removed."""
    loop = asyncio.get_running_loop()
    until, never = loop.time() + wait_seconds, asyncio.Event()
    found: dict[str, Found] = {}
    while True:
        for mail in await find_mails(connection, word):
            kind = _kind_of(mail.raw, word)
            if kind not in found and not found:
                until = min(until, loop.time() + AFTER_THE_FIRST_SECONDS)
            found[kind] = mail
            await connection.remove(mail.uid)
        left = until - loop.time()
        if (
            left <= 0
            or "report" in found
            or ("plain" in found and ("detailed" in found or not both))
        ):
            return Round(
                sent_at, clock.now(), found.get("plain"), found.get("detailed"), found.get("report")
            )
        await connection.wait(min(left, LOOK_SECONDS), never)


def _kind_of(raw: bytes, word: str) -> str:
    head = parse_head(raw)
    message_ids = Headers(head).message_ids("message-id") if head is not None else ()
    if not message_ids or not message_ids[0].startswith(f"<{PROBE}{word}."):
        return "report"
    return "detailed" if message_ids[0].startswith(f"<{PROBE}{word}.detail@") else "plain"


def _judge(
    config: Config, gone: Round, word: str, refused: str | None, wait_seconds: float
) -> Iterator[Finding]:
    address = config.service.address
    if gone.first is None:
        came = (
            "a delivery report came back instead"
            if gone.report is not None
            else f"nothing came within {wait_seconds:.0f} s"
        )
        yield found("round-lost", address=address, came=came)
        return
    code = "round" if gone.plain is not None else "round-detail-alone"
    yield found(code, address=address, detailed=address.replace("@", "+...@"))
    if config.service.subaddressing:
        yield _judge_detail(gone, address, refused)
    yield _judge_results(config, gone.first)
    yield _judge_clock(gone)


def _judge_detail(gone: Round, address: str, refused: str | None) -> Finding:
    detailed = address.replace("@", "+CODE@")
    if gone.detailed is not None:
        return found("detail", detailed=detailed)
    why = (
        f"is refused: {refused}"
        if refused
        else "came back"
        if gone.report is not None
        else "did not arrive"
    )
    return found("detail-lost", detailed=detailed, why=why)


def _judge_results(config: Config, mail: Found) -> Finding:
    wanted = config.service.authserv_id
    head = parse_head(mail.raw)
    headers = Headers(head) if head is not None else None
    fields = headers.all("authentication-results") if headers is not None else []
    if not fields or headers is None:
        return found("no-results" if wanted is None else "results-missing", wanted=wanted)
    match = _SERV_ID.search(fields[0])
    top = match[0] if match else ""
    if wanted is None:
        return found("results-unset", top=top)
    if top.lower() != wanted.lower():
        return found("results-other", top=top, wanted=wanted)
    verdict = read_dmarc(headers, wanted, config.service.address)
    return found("results-fail" if verdict == "fail" else "results", top=top, verdict=verdict)


def _judge_clock(gone: Round) -> Finding:
    received = gone.first.received_at if gone.first is not None else gone.seen_at
    early, late = gone.sent_at - SLACK - received, received - gone.seen_at - SLACK
    off = max(early, late)
    if off <= timedelta(0):
        return found("clock")
    is_doubtful = off > CLOCK_DOUBTFUL
    code = "clock-wrong" if off > CLOCK_WRONG else "clock-doubtful" if is_doubtful else "clock-off"
    way = "behind" if early > late else "ahead of"
    return found(code, seconds=off.total_seconds(), way=way)
