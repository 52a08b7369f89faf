"""The whole examination, in the order in which to fix things."""

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from pbem.clock import Clock
from pbem.config import Config, ConfigError
from pbem.doctor.findings import found
from pbem.doctor.machine import check_boards, check_database, check_games, check_python
from pbem.doctor.model import check_key, check_model
from pbem.doctor.post import check_imap, check_round_trip, check_smtp
from pbem.doctor.settings import check_settings, check_zones
from pbem.doctor.telegram import check_bot, check_secrets
from pbem.findings import Finding, Grade
from pbem.mail.smtp import SmtpOutbound
from pbem.servers import imap_settings, smtp_settings

WORD_BYTES = 8


async def examine(
    config: Config, file: Path | None, clock: Clock, *, mail: bool, wait_seconds: float
) -> AsyncIterator[Finding]:
    """Look at everything, telling each finding as it comes. Without `mail` nothing goes over the
    network but to a database's server.
    """
    for finding in check_settings(config, file):
        yield finding
    for finding in check_secrets(config):
        yield finding
    for finding in check_key(config):
        yield finding
    yield check_zones(config, clock.now())
    yield check_python()
    for finding in await check_database(config.database_url(), clock.now()):
        yield finding
    for finding in check_games(config.games.enabled):
        yield finding
    yield await check_boards()
    if not mail:
        yield found("unchecked")
        return
    async for finding in _examine_mail(config, clock, wait_seconds):
        yield finding
    bot = await check_bot(config)
    if bot is not None:
        yield bot
    model = await check_model(config)
    if model is not None:
        yield model


async def _examine_mail(
    config: Config, clock: Clock, wait_seconds: float
) -> AsyncIterator[Finding]:
    try:
        imap, smtp = imap_settings(config), smtp_settings(config)
    except ConfigError:
        return  # the password's own finding has told it
    sending = await check_smtp(config, smtp)
    yield sending
    findings, connection = await check_imap(config, imap)
    for finding in findings:
        yield finding
    if connection is None:
        return
    try:
        if sending.grade is not Grade.BROKEN:
            async with SmtpOutbound(smtp) as outbound:
                for finding in await check_round_trip(
                    config, connection, outbound, clock, secrets.token_hex(WORD_BYTES), wait_seconds
                ):
                    yield finding
    finally:
        await connection.close()
