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
from pbem.doctor.findings import Finding, broken, ok, warning

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
        return ok("configuration", "comes only from the environment")
    secrets = (
        config.imap.password,
        config.smtp.password,
        config.oauth.client_secret,
        config.telegram.token,
        config.telegram.webhook_secret,
    )
    holds_secret = any(secret.get_secret_value() for secret in secrets)
    if holds_secret and others_read(file):
        return warning(
            "configuration",
            f"{file} holds a password and others on this machine can read it",
            f"chmod 600 {file}",
        )
    return ok("configuration", f"comes from {file}")


def _password(config: Config, section: ImapSection | SmtpSection) -> Finding:
    name = f"{section.section} password"
    try:
        secret = section.secret()
    except ConfigError as error:
        return broken(name, str(error), "let the service's user read that file, or set another")
    if section.password_file is not None and others_read(section.password_file):
        return warning(
            name,
            f"everybody on this machine can read {section.password_file}",
            f"chmod 600 {section.password_file}",
        )
    if config.logs_in_by_oauth(section):
        return _token(config, name)
    if section.user and not secret:
        return broken(
            name,
            f"there is a user {section.user!r} but no password",
            f"set {section.section}.password_file",
        )
    return ok(name, "is there" if secret else "not needed: no login")


def _token(config: Config, name: str) -> Finding:
    file = config.token_file()
    if not file.exists():
        return broken(
            name,
            f"OAuth has no token yet: {file}",
            f"log in: pbem oauth {config.oauth.provider}",
        )
    if others_read(file):
        return warning(name, f"everybody on this machine can read {file}", f"chmod 600 {file}")
    if not (os.access(file, os.R_OK) and os.access(file.parent, os.W_OK | os.X_OK)):
        return warning(
            name,
            f"the service cannot replace {file} when the provider gives a new token",
            "let the service's user write its folder",
        )
    return ok(name, "not needed: OAuth")


def _certificate(section: ImapSection | SmtpSection) -> Iterator[Finding]:
    """Nothing to tell where the system's certificates count."""
    try:
        if section.trusted() is not None:
            yield ok(
                f"{section.section} certificate",
                f"the service trusts only those in {section.ca_file}",
            )
    except ConfigError as error:
        yield broken(
            f"{section.section} certificate",
            str(error),
            "set a file with certificates in PEM form that the service may read",
        )


def _data_directory(folder: Path) -> Finding:
    name = "data directory"
    if not folder.exists():
        above = next(parent for parent in folder.parents if parent.exists())
        if os.access(above, os.W_OK | os.X_OK):
            return ok(name, f"the first start will create {folder}")
        return broken(
            name,
            f"{folder} is missing, and the service cannot create it",
            f"create it and give it to the service's user: {folder}",
        )
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return broken(
            name,
            f"the service cannot write to {folder}",
            f"give it to the service's user: {folder}",
        )
    open_files = [
        path
        for path in sorted(folder.iterdir())
        if path.name.startswith("pbem.sqlite") and others_read(path)
    ]
    if open_files:
        listed = " ".join(str(path) for path in open_files)
        return warning(
            name,
            "others on this machine can read the database, with the server's key and everybody's"
            " orders",
            f"chmod 600 {listed}",
        )
    return ok(name, f"the service can write to {folder}")


def others_read(path: Path) -> bool:
    """Whether everybody on this machine may read a file."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # who cannot look at it cannot tell: reading it is another check
        return False


def _archive_folder(folder: Path) -> Finding:
    """Whether archives can be written there, and read by a web server."""
    name = "archive folder"
    mend = f"make it and give it to the service's user: {folder}"
    if not folder.exists():
        above = next(parent for parent in folder.absolute().parents if parent.exists())
        if os.access(above, os.W_OK | os.X_OK):
            return ok(name, f"{folder} is made with the first archive")
        return broken(name, f"{folder} is not there and cannot be made", mend)
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return broken(name, f"{folder} cannot be written", mend)
    if not folder.stat().st_mode & stat.S_IXOTH:
        return warning(
            name, f"a web server of another user cannot read {folder}", f"chmod 755 {folder}"
        )
    return ok(name, f"{folder} can be written")


def _address(config: Config) -> Finding:
    name = "address"
    address = config.service.address
    host = address.partition("@")[2]
    if "address" not in config.service.model_fields_set:
        return broken(
            name,
            "service.address is not set",
            "set service.address to the address of your mailbox",
        )
    if "." not in host:
        return warning(
            name,
            f"players could not write to {address}",
            "set service.address to the address of your mailbox",
        )
    if any(
        section.tls == "none" and not _is_near(section.host)
        for section in (config.imap, config.smtp)
    ):
        return warning(
            name,
            "a password goes over the network in the clear",
            'set tls to "implicit" or "starttls"',
        )
    return ok(name, f"players write to {address}")


def _is_near(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _game_masters(config: Config) -> Finding:
    name = "game masters"
    addresses = config.gm.addresses
    if not addresses:
        return warning(
            name,
            "there are none, so nobody hears of notes, bounces and failures",
            "set gm.addresses",
        )
    if config.service.address in addresses:
        return broken(
            name,
            "the service would write to itself",
            f"take {config.service.address} out of gm.addresses",
        )
    return ok(name, f"{len(addresses)}, who hear of notes, bounces and failures")


def check_zones(config: Config, now: datetime) -> Finding:
    """The time zone data: there, and knowing the zone of the games."""
    name = "time zones"
    known = len(available_timezones())
    if known < FEWEST_ZONES:
        return broken(name, f"only {known} time zones are known", "reinstall the package tzdata")
    zone = config.service.zone
    here = now.astimezone(ZoneInfo(zone))
    return ok(
        name,
        f"{known} are known (tzdata {version('tzdata')}); in {zone} it is {here:%a %d %b %H:%M}",
    )
