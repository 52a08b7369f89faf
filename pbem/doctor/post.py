"""The way of a mail: out by SMTP, in by IMAP, and once all the way round to ourselves."""

import asyncio
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import aiosmtplib

from pbem.clock import Clock
from pbem.config import Config, Tls
from pbem.doctor.findings import Finding, broken, ok, warning
from pbem.doctor.mailbox import (
    Found,
    ProbingConnection,
    Trouble,
    distrust_behind,
    distrust_of,
    find_mails,
    knock,
)
from pbem.mail.composer import envelope
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.inbound.message import Headers, parse_head
from pbem.mail.inbound.senders import read_dmarc
from pbem.mail.letter import Letter
from pbem.mail.oauth import OAuthError
from pbem.mail.ports import Delivery, ImapError, OutboundMail, Sent
from pbem.mail.smtp import SmtpSettings, new_client

KNOCK_SECONDS = 15.0
AFTER_THE_FIRST_SECONDS = 20.0
LOOK_SECONDS = 3.0
SLACK = timedelta(seconds=2)
CLOCK_DOUBTFUL, CLOCK_WRONG = timedelta(seconds=5), timedelta(seconds=60)
PROBE = "doctor-"
"""The detail of a probe's address begins with it; it is no token."""

_SERV_ID = re.compile(r"[A-Za-z0-9._-]+")
_MEND: dict[Trouble, str] = {
    "unknown-host": "check the spelling of {section}.host, and this machine's name service",
    "refused": "check {section}.host and {section}.port; a firewall may be in the way",
    "silent": "check {section}.host and {section}.port; a firewall may swallow the connection",
    "untrusted": (
        "if the server is yours, set {section}.ca_file to its certificate or its authority's; if"
        " not, stop: another machine may be listening in between"
    ),
    "other-name": "set {section}.host to a name in the certificate",
    "over": "the server needs a new certificate; if it has one, set this machine's clock",
    "no-tls": (
        'the server does not begin with TLS at this port: set {section}.tls = "starttls", or the'
        " port for TLS ({tls_port})"
    ),
    "unreachable": "check the network of this machine",
}


_OAUTH_MEND = (
    "the server refuses the provider's token: check that {section}.user is the account that logged"
    " in, and that {section} is switched on for it"
)


class Sends(Protocol):
    """Takes a mail to the server."""

    async def send(self, mail: OutboundMail) -> Delivery: ...


async def _reach(
    section: str, host: str, port: int, tls: Tls, tls_port: int, trusted: ssl.SSLContext | None
) -> Finding | None:
    trouble = await knock(host, port, tls, KNOCK_SECONDS, trusted)
    if trouble is None:
        return None
    kind, words = trouble
    return broken(
        section.upper(),
        f"cannot use {host}:{port}: {words}",
        _MEND[kind].format(section=section, tls_port=tls_port),
    )


async def check_smtp(config: Config, settings: SmtpSettings) -> Finding:
    """Whether we may log in and send under our own name, and without one (as to game masters)."""
    name, where = "SMTP", f"{settings.host}:{settings.port}"
    unreached = await _reach(
        "smtp", settings.host, settings.port, config.smtp.tls, 465, settings.trusted
    )
    if unreached is not None:
        return unreached
    client = new_client(settings, KNOCK_SECONDS)
    try:
        await client.connect()
        refused = await _refused_senders(client, config.service.address)
        await client.quit()
    except aiosmtplib.SMTPAuthenticationError as error:
        return broken(
            name,
            f"{where} does not let {settings.user} in: {error.code} {_first_line(error.message)}",
            (
                _OAUTH_MEND.format(section="smtp")
                if settings.tokens
                else "check smtp.user and the password; many providers need an app password"
            ),
        )
    except OAuthError as error:
        return broken(name, f"OAuth: {error}", oauth_mend(config, error))
    except aiosmtplib.SMTPResponseException as error:
        return broken(
            name,
            f"{where} answers {error.code} {_first_line(error.message)}",
            "check smtp.host, smtp.port and smtp.user",
        )
    except (aiosmtplib.SMTPException, OSError) as error:
        distrust = distrust_behind(error)
        if distrust is not None:
            return _untrusted("smtp", where, distrust)
        mend = 'check smtp.tls: "implicit" (port 465), "starttls" (587) or "none"'
        return broken(
            name, f"{where} cannot be used: {_first_line(str(error) or type(error).__name__)}", mend
        )
    finally:
        client.close()
    if config.service.address in refused:
        return broken(
            name,
            f"{where} lets us in but takes no mail from {config.service.address}",
            "set service.address to an address this login may send as",
        )
    if refused:
        mend = (
            "letters to game masters and confirmations have none, so that they never bounce back;"
            " ask your provider"
        )
        return warning(name, f"{where} takes no mail with an empty envelope sender", mend)
    login = f"as {settings.user}" if settings.user else "without a login"
    return ok(name, f"{where} lets us in {login} and takes mail from {config.service.address}")


async def _refused_senders(client: aiosmtplib.SMTP, address: str) -> set[str]:
    refused = set()
    for sender in (address, ""):
        try:
            await client.mail(sender)
        except aiosmtplib.SMTPSenderRefused:
            refused.add(sender)
        await client.rset()
    return refused


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]


async def check_imap(
    config: Config, settings: ImapSettings
) -> tuple[list[Finding], ProbingConnection | None]:
    """Log in and open the mailbox; the open connection for what comes next, if there is one."""
    name, where = "IMAP", f"{settings.host}:{settings.port}"
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
    findings = [
        ok(name, f"{where} lets us in as {settings.user}, and {settings.mailbox} can be read")
    ]
    if not connection.has("IDLE"):
        findings.append(
            warning(
                "IMAP IDLE",
                "the server does not announce new mail; the service asks every"
                f" {settings.poll_seconds:.0f} s",
                "nothing to do, or choose another provider",
            )
        )
    if not connection.has("UIDPLUS"):
        findings.append(
            warning(
                "IMAP UIDPLUS",
                "the server cannot remove a single mail; our test mails stay, marked as deleted",
                "nothing to do; a mail program can remove them",
            )
        )
    return findings, connection


def _imap_trouble(config: Config, where: str, error: ImapError) -> Finding:
    distrust = distrust_behind(error)
    if distrust is not None:
        return _untrusted("imap", where, distrust)
    mend = (
        oauth_mend(config, error.__cause__)
        if isinstance(error.__cause__, OAuthError)
        else _imap_mend(str(error))
    )
    return broken("IMAP", f"{where}: {_first_line(str(error))}", mend)


def _untrusted(section: str, where: str, distrust: ssl.SSLCertVerificationError) -> Finding:
    mend = _MEND[distrust_of(distrust)].format(section=section)
    return broken(section.upper(), f"cannot use {where}: {distrust.verify_message}", mend)


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


def _imap_mend(said: str) -> str:
    if said.startswith("AUTHENTICATE"):
        return _OAUTH_MEND.format(section="imap")
    if said.startswith("LOGIN"):
        return (
            "check imap.user and the password; many providers need an app password, and IMAP"
            " switched on"
        )
    if said.startswith("SELECT"):
        return "check imap.mailbox; folders are named as the server lists them"
    if "STARTTLS" in said:
        return 'check imap.tls: "implicit" (port 993), "starttls" (143) or "none"'
    return "check imap.host, imap.port and imap.tls"


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
    outbound: Sends,
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
        return [
            broken(
                "mail to ourselves",
                f"the server refuses {address}: {refused[0][1]}",
                "the mailbox must receive mail to service.address",
            )
        ]
    try:
        gone = await _wait(
            connection, word, clock, sent_at, wait_seconds, both=len(addresses) - len(refused) == 2
        )
    except ImapError as error:
        return [
            broken(
                "mail to ourselves",
                f"could not read the mailbox while waiting: {_first_line(str(error))}",
                "try again",
            )
        ]
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
    name = "mail to ourselves"
    if gone.first is None:
        came = (
            "a delivery report came back instead"
            if gone.report is not None
            else f"nothing came within {wait_seconds:.0f} s"
        )
        yield broken(
            name,
            f"the server took a mail to {address}, but it did not arrive: {came}",
            "make sure that it reaches imap.mailbox, not another folder or spam; --wait gives slow"
            " servers more time",
        )
        return
    yield (
        ok(name, f"a mail to {address} arrives")
        if gone.plain is not None
        else warning(
            name,
            f"only the mail to {address.replace('@', '+...@')} arrived in time",
            "try again with a longer --wait",
        )
    )
    if config.service.subaddressing:
        yield _judge_detail(gone, address, refused)
    yield _judge_results(config, gone.first)
    yield _judge_clock(gone)


def _judge_detail(gone: Round, address: str, refused: str | None) -> Finding:
    name, detailed = "subaddressing", address.replace("@", "+CODE@")
    if gone.detailed is not None:
        return ok(name, f"a mail to {detailed} arrives too")
    why = (
        f"is refused: {refused}"
        if refused
        else "came back"
        if gone.report is not None
        else "did not arrive"
    )
    return broken(
        name,
        f"a mail to {detailed} {why}",
        "set service.subaddressing = false (the code then travels in the Message-ID), or teach the"
        " server (postfix: recipient_delimiter)",
    )


def _judge_results(config: Config, mail: Found) -> Finding:
    name, wanted = "Authentication-Results", config.service.authserv_id
    head = parse_head(mail.raw)
    headers = Headers(head) if head is not None else None
    fields = headers.all("authentication-results") if headers is not None else []
    if not fields or headers is None:
        if wanted is None:
            return ok(
                name, "the server writes none, at least to itself, and the service expects none"
            )
        return warning(
            name,
            f"our test mail has no header by {wanted}",
            "the server may write none on its own mail; look at a mail from elsewhere",
        )
    match = _SERV_ID.search(fields[0])
    top = match[0] if match else ""
    if wanted is None:
        return warning(
            name,
            f"the server writes them as {top}, which the service does not trust yet",
            f'set service.authserv_id = "{top}" if {top} is your own mail server',
        )
    if top.lower() != wanted.lower():
        return broken(
            name,
            f"the topmost one is by {top}, not by {wanted}",
            f'set service.authserv_id = "{top}" if {top} is your own mail server',
        )
    verdict = read_dmarc(headers, wanted, config.service.address)
    if verdict == "fail":
        return warning(
            name,
            "our own mail fails DMARC: others may take our mails for forged",
            "correct SPF, DKIM and DMARC of the domain",
        )
    return ok(name, f"{top} writes them; of our own mail it says DMARC {verdict}")


def _judge_clock(gone: Round) -> Finding:
    name, mail = "clock", gone.first
    received = mail.received_at if mail is not None else gone.seen_at
    early, late = gone.sent_at - SLACK - received, received - gone.seen_at - SLACK
    off = max(early, late)
    if off <= timedelta(0):
        return ok(name, "this machine and the mail server agree")
    words = (
        f"the mail server's clock is {off.total_seconds():.0f} s"
        f" {'behind' if early > late else 'ahead of'} this machine's"
    )
    mend = (
        "set this machine's clock (chrony, systemd-timesyncd); deadlines follow the mail server's"
    )
    if off > CLOCK_WRONG:
        return broken(name, words, mend)
    return warning(name, words, mend) if off > CLOCK_DOUBTFUL else ok(name, words)
