"""The servers of a configuration, for mails and chats: how they are reached, by which certificates
they are known, and what logs in there.
"""

from dataclasses import replace
from urllib.parse import urlsplit

from pbem.config import Config, ImapSection, SmtpSection, TelegramSection
from pbem.mail.imap_commands import ImapSettings
from pbem.mail.oauth import PROVIDERS, AccessTokens, OAuthSettings
from pbem.mail.smtp import SmtpSettings
from pbem.telegram.settings import Line, TelegramSettings, WebhookSettings


def oauth_settings(config: Config) -> OAuthSettings:
    """The account at the provider of the configuration, whose own addresses go before those we
    know.
    """
    oauth = config.oauth
    known = PROVIDERS[oauth.provider]
    addresses = {
        name: getattr(oauth, name) or getattr(known, name)
        for name in ("device_url", "browser_url", "token_url", "scope")
    }
    provider = replace(
        known,
        **{name: address.replace("{tenant}", oauth.tenant) for name, address in addresses.items()},
    )
    return OAuthSettings(
        provider=provider,
        client_id=oauth.client_id,
        client_secret=oauth.secret(),
        token_file=config.token_file(),
    )


def tokens_of(config: Config, section: ImapSection | SmtpSection) -> AccessTokens | None:
    """What logs in where there is no password."""
    return AccessTokens(oauth_settings(config)) if config.logs_in_by_oauth(section) else None


def imap_settings(config: Config) -> ImapSettings:
    imap = config.imap
    return ImapSettings(
        host=imap.host,
        port=imap.port,
        tls="tls" if imap.tls == "implicit" else imap.tls,
        user=imap.user,
        password=imap.secret(),
        mailbox=imap.mailbox,
        poll_seconds=imap.poll_seconds,
        trusted=imap.trusted(),
        tokens=tokens_of(config, imap),
    )


def smtp_settings(config: Config) -> SmtpSettings:
    smtp = config.smtp
    return SmtpSettings(
        host=smtp.host,
        port=smtp.port,
        tls="tls" if smtp.tls == "implicit" else smtp.tls,
        user=smtp.user or None,
        password=smtp.secret() or None,
        trusted=smtp.trusted(),
        tokens=tokens_of(config, smtp),
    )


def line_of(section: TelegramSection) -> Line | None:
    """What the configuration says; None: there is no bot. ConfigError if a secret cannot be
    read.
    """
    if not section.is_on:
        return None
    settings = TelegramSettings(
        token=section.secret(), api_url=section.api_url, poll_seconds=section.poll_seconds
    )
    if section.mode == "polling":
        return Line(settings)
    hook = WebhookSettings(
        url=section.webhook_url,
        secret=section.hook_secret(),
        host=section.webhook_host,
        port=section.webhook_port,
        path=urlsplit(section.webhook_url).path or "/",
    )
    return Line(settings, hook)
