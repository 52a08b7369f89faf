"""The configuration: secrets that can be read, and by nobody else; game masters who are told;
addresses that make sense.
"""

import os
import stat
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from pbem.config import Config, ConfigError, ImapSection, SmtpSection
from pbem.doctor.findings import found
from pbem.findings import Finding

FEWEST_ZONES = 400


def check_settings(config: Config, file: Path | None) -> Iterator[Finding]:
    """Everything that can be seen in the configuration itself and the files it names."""
    yield _file(config, file)
    for section in (config.imap, config.smtp):
        yield _password(config, section)
        yield from _certificate(section)
    yield _data_directory(config.service.data_dir)
    if config.archive.folder is not None:
        yield _archive_folder(config.archive.folder)
    yield _address(config)
    yield _game_masters(config)


def _file(config: Config, file: Path | None) -> Finding:
    if file is None:
        return found("from-environment")
    secrets = (
        config.imap.password,
        config.smtp.password,
        config.oauth.client_secret,
        config.telegram.token,
        config.telegram.webhook_secret,
    )
    holds_secret = any(secret.get_secret_value() for secret in secrets)
    is_seen = holds_secret and others_read(file)
    return found("secret-in-file" if is_seen else "from-file", file=file)


def _password(config: Config, section: ImapSection | SmtpSection) -> Finding:
    name = section.section
    try:
        secret = section.secret()
    except ConfigError as error:
        return found("no-password", section=name, error=error)
    if section.password_file is not None and others_read(section.password_file):
        return found("password-seen", section=name, file=section.password_file)
    if config.logs_in_by_oauth(section):
        return _token(config, name)
    if section.password_file is not None and not secret:
        return found("password-empty", section=name, file=section.password_file)
    if section.user and not secret:
        return found("user-alone", section=name, user=section.user)
    return found("password" if secret else "no-login", section=name)


def _token(config: Config, section: str) -> Finding:
    file = config.token_file()
    if not file.exists():
        return found("oauth-new", section=section, file=file, provider=config.oauth.provider)
    if others_read(file):
        return found("password-seen", section=section, file=file)
    if not (os.access(file, os.R_OK) and os.access(file.parent, os.W_OK | os.X_OK)):
        return found("oauth-fixed", section=section, file=file)
    return found("oauth", section=section)


def _certificate(section: ImapSection | SmtpSection) -> Iterator[Finding]:
    """Nothing to tell where the system's certificates count."""
    try:
        if section.trusted() is not None:
            yield found("certificate", section=section.section, file=section.ca_file)
    except ConfigError as error:
        yield found("no-certificate", section=section.section, error=error)


def _data_directory(folder: Path) -> Finding:
    if not folder.exists():
        return found("data-to-come" if _can_be_made(folder) else "data-missing", folder=folder)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return found("data-shut", folder=folder)
    open_files = [
        path
        for path in sorted(folder.iterdir())
        if path.name.startswith("pbem.sqlite") and others_read(path)
    ]
    if open_files:
        return found("data-open", files=" ".join(map(str, open_files)))
    return found("data", folder=folder)


def _can_be_made(folder: Path) -> bool:
    above = next(parent for parent in folder.absolute().parents if parent.exists())
    return os.access(above, os.W_OK | os.X_OK)


def others_read(path: Path) -> bool:
    """Whether everybody on this machine may read a file."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # who cannot look at it cannot tell: reading it is another check
        return False


def _archive_folder(folder: Path) -> Finding:
    """Whether archives can be written there, and read by a web server."""
    if not folder.exists():
        code = "archive-to-come" if _can_be_made(folder) else "archive-missing"
    elif not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        code = "archive-shut"
    else:
        code = "archive" if folder.stat().st_mode & stat.S_IXOTH else "archive-unseen"
    return found(code, folder=folder)


def _address(config: Config) -> Finding:
    address = config.service.address
    host = address.partition("@")[2]
    if "address" not in config.service.model_fields_set:
        return found("no-address")
    if "." not in host:
        return found("local-address", address=address)
    if any(
        section.tls == "none" and not _is_near(section.host)
        for section in (config.imap, config.smtp)
    ):
        return found("clear-password")
    return found("address", address=address)


def _is_near(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _game_masters(config: Config) -> Finding:
    addresses = config.gm.addresses
    if not addresses:
        return found("no-masters")
    if config.service.address in addresses:
        return found("own-master", address=config.service.address)
    return found("masters", count=len(addresses))


def check_zones(config: Config, now: datetime) -> Finding:
    """The time zone data: there, and knowing the zone of the games."""
    known = len(available_timezones())
    if known < FEWEST_ZONES:
        return found("few-zones", known=known)
    zone = config.service.zone
    here = now.astimezone(ZoneInfo(zone))
    return found("zones", known=known, version=version("tzdata"), zone=zone, here=here)
