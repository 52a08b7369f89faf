"""The settings of a service: defaults, then a TOML file, then the environment
(`PBEM_SMTP__HOST=...`).

Unknown keys are errors. A secret can be given as a file (`password_file`), as systemd and compose
hand them over.
"""

import re
import ssl
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from rapidfuzz import fuzz, process


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is no time zone; write one like Europe/Berlin") from error
    return name


def _plain_address(address: str) -> str:
    local, _, host = address.partition("@")
    if (
        not local
        or not host
        or not address.isascii()
        or any(c.isspace() for c in address)
        or "+" in local
    ):
        raise ValueError(f"{address!r} is not a plain address like orders@example.org")
    return address.lower()


def web_page(url: str) -> str:
    """The same. ValueError for what is no address of a page."""
    if not _WEB_PAGE.fullmatch(url):
        raise ValueError(
            f"{url!r} is not the address of a page; write one like https://play.example.org/rules.html,"
            " without a # in it"
        )
    return url


Zone = Annotated[str, AfterValidator(_known_zone)]
WebPage = Annotated[str, AfterValidator(web_page)]
Address = Annotated[str, AfterValidator(_plain_address)]
_WEB_PAGE = re.compile(r"https?://[^\s\"'<>#]+")
_BOT_TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{8,100}")
_WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
_SERVER = re.compile(r"https?://[^\s@?#]+")
_KEY = re.compile(r"[!-~]*")
_ALIKE = 70
"""From this likeness on, in percent, a wrong key is taken for a slip of the pen."""
Tls = Literal["implicit", "starttls", "none"]


class ConfigError(ValueError):
    """The configuration cannot be used; the message names the keys, a line each."""


def read_secret(file: Path, key: str) -> str:
    """What a file named under a key holds, without the line's end. ConfigError if it cannot be
    read.
    """
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{key}: cannot read {file} ({error})") from error


class _Section(BaseModel):
    """Keys of one kind. A value can be given as a file that holds it (`password_file`) instead."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    section: ClassVar[str]

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        for key in type(self).model_fields:
            if getattr(self, f"{key}_file", None) is not None and self._plain(key):
                raise ValueError(f"give {key} or {key}_file, not both")
        return self

    def _plain(self, key: str) -> str:
        value = getattr(self, key)
        return value.get_secret_value() if isinstance(value, SecretStr) else str(value)

    def _has(self, key: str) -> bool:
        return getattr(self, f"{key}_file") is not None or bool(self._plain(key))

    def _read(self, key: str) -> str:
        """The value, or what its file holds. ConfigError if that cannot be read."""
        file = getattr(self, f"{key}_file")
        return self._plain(key) if file is None else read_secret(file, f"{self.section}.{key}_file")


class _Login(_Section):
    host: str = "localhost"
    user: str = ""
    password: SecretStr = SecretStr("")
    password_file: Path | None = None
    ca_file: Path | None = None

    def secret(self) -> str:
        """The password itself. ConfigError if its file cannot be read."""
        return self._read("password")

    def trusted(self) -> ssl.SSLContext | None:
        """By which certificates the server is known, if not by the system's. ConfigError if their
        file cannot be used.
        """
        if self.ca_file is None:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(
                f"{self.section}.ca_file: cannot use {self.ca_file} ({error.strerror or error})"
            ) from error

    @property
    def has_password(self) -> bool:
        return self._has("password")


class ImapSection(_Login):
    """The mailbox that players write to."""

    section: ClassVar[str] = "imap"
    port: int = 993
    tls: Tls = "implicit"
    mailbox: str = "INBOX"
    poll_seconds: float = Field(default=60.0, gt=0)


class SmtpSection(_Login):
    """The server that takes our mails."""

    section: ClassVar[str] = "smtp"
    port: int = 587
    tls: Tls = "starttls"


class ServiceSection(_Section):
    """`address` is where players write; with subaddressing its local part gets `+TOKEN`."""

    data_dir: Path = Path("pbem-data")
    address: Address = "orders@localhost"
    name: str = "Post Office of the Realm"
    subaddressing: bool = True
    authserv_id: str | None = None
    zone: Zone = "UTC"
    sweep_seconds: float = Field(default=2.0, gt=0)
    hold_minutes: int = Field(default=240, ge=0)
    remind_hours: tuple[float, float] = (24.0, 4.0)
    open_days: int = Field(default=21, ge=1)
    keep_raw_days: int = Field(default=180, ge=1)
    rules_url: WebPage | None = None


class GmSection(_Section):
    """Who runs the tables: they get notes, bounces and what was shunted."""

    addresses: tuple[Address, ...] = ()


class GamesSection(_Section):
    """Which of the installed games are run, by their ids (`pbem games`); empty: all of them."""

    enabled: tuple[str, ...] = ()


class _Server(_Section):
    url: str = ""
    url_file: Path | None = None

    def address(self) -> str:
        """Where it is, with its password if it has one; empty: there is none. ConfigError if the
        file cannot be read.
        """
        return self._read("url")


class DatabaseSection(_Server):
    """Empty: a SQLite file in the data directory. With `upgrade` "backup" an older one is copied
    into the same folder and migrated; "ask": only by `pbem db migrate`, as every PostgreSQL.
    """

    section: ClassVar[str] = "database"
    upgrade: Literal["backup", "ask"] = "backup"


class BrokerSection(_Server):
    """Empty: jobs are done within the service's own process. With a Redis, by `pbem worker` on any
    number of hosts.
    """

    section: ClassVar[str] = "broker"


class TelegramSection(_Section):
    """The bot that players may use besides mail; without a token there is no bot.

    In the mode "polling" we ask Telegram; with "webhook" it calls `webhook_url` (HTTPS, as a rule a
    proxy's that leads to `webhook_host`:`webhook_port`) and shows `webhook_secret`. `api_url` is
    another server's of the same Bot API. Each update is written down in `journal_dir` as well
    (default: in the data directory).
    """

    section: ClassVar[str] = "telegram"
    token: SecretStr = SecretStr("")
    token_file: Path | None = None
    mode: Literal["polling", "webhook"] = "polling"
    api_url: str = "https://api.telegram.org"
    poll_seconds: int = Field(default=50, ge=1, le=50)
    journal_dir: Path | None = None
    webhook_url: str = ""
    webhook_secret: SecretStr = SecretStr("")
    webhook_secret_file: Path | None = None
    webhook_host: str = "127.0.0.1"
    webhook_port: int = Field(default=8443, ge=0, le=65535)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.mode == "webhook":
            if not self.webhook_url.startswith("https://"):
                raise ValueError("the mode webhook needs a webhook_url that begins with https://")
            if self.webhook_secret_file is None and not _WEBHOOK_SECRET.fullmatch(
                self.webhook_secret.get_secret_value()
            ):
                raise ValueError(
                    "the mode webhook needs a webhook_secret of 16 to 256 of A-Z, a-z, 0-9, _ and -"
                )
        return self

    @property
    def is_on(self) -> bool:
        return self._has("token")

    def secret(self) -> str:
        """The token itself. ConfigError if its file cannot be read, or what it holds is no
        token.
        """
        token = self._read("token")
        if not _BOT_TOKEN.fullmatch(token):
            raise ConfigError(
                "telegram.token: this is not a bot's token; @BotFather gives one like"
                " 123456:ABC-DEF..."
            )
        return token

    def hook_secret(self) -> str:
        """What Telegram shows when it calls. ConfigError if its file cannot be read, or it is
        unfit.
        """
        secret = self._read("webhook_secret")
        if self.webhook_secret_file is not None and not _WEBHOOK_SECRET.fullmatch(secret):
            raise ConfigError(
                "telegram.webhook_secret: use 16 to 256 characters of A-Z, a-z, 0-9, _ and -"
            )
        return secret


class ReadingSection(_Section):
    """A language model that we ask what a message may mean if nobody can tell; by default there is
    none. `url` is that of a server that speaks the chat-completions protocol, without
    `/chat/completions`; an answer may take `seconds`, and we ask it `requests_a_day` at most.
    """

    section: ClassVar[str] = "reading"
    model: str = ""
    url: str = ""
    key: SecretStr = SecretStr("")
    key_file: Path | None = None
    seconds: float = Field(default=10.0, gt=0, le=60)
    requests_a_day: int = Field(default=200, ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.model and not _SERVER.fullmatch(self.url):
            raise ValueError(
                "a model needs a url like https://models.example.org/v1, without a name or password"
            )
        return self

    @property
    def is_on(self) -> bool:
        return bool(self.model)

    def secret(self) -> str:
        """What the server wants to see; "": nothing. ConfigError if its file cannot be read, or it
        is unfit.
        """
        key = self._read("key")
        if not _KEY.fullmatch(key):
            raise ConfigError("reading.key: use letters, digits and signs, without a space")
        return key


class OAuthSection(_Section):
    """The account at a provider that lets programs in by OAuth alone: it logs in where there is a
    user and no password.

    The addresses and the scope are the provider's own unless they are set. `token_file` is written
    by us: by default in the data directory.
    """

    section: ClassVar[str] = "oauth"
    provider: Literal["", "google", "microsoft"] = ""
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    client_secret_file: Path | None = None
    token_file: Path | None = None
    tenant: str = Field(default="common", pattern=r"[A-Za-z0-9.-]+")
    device_url: str = ""
    browser_url: str = ""
    token_url: str = ""
    scope: str = ""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.provider and not self.client_id:
            raise ValueError("a provider needs a client_id, which identifies this program")
        return self

    def secret(self) -> str:
        """What the provider calls the client's secret; "" where it wants none. ConfigError if its
        file cannot be read.
        """
        return self._read("client_secret")


class MetricsSection(_Section):
    """Where a Prometheus may ask for numbers; without a port nowhere."""

    host: str = "127.0.0.1"
    port: int | None = Field(default=None, ge=0, le=65535)


def folder_url(url: str) -> str:
    """The address of a folder, with a slash at its end."""
    return f"{url.rstrip('/')}/"


class ArchiveSection(_Section):
    """Where the archives of the public games are published: a folder that a web server serves as
    `base_url`. Without a folder nothing is published.
    """

    folder: Path | None = None
    base_url: WebPage | None = None

    @property
    def url(self) -> str:
        """The address of the folder, with a slash at its end; "": it has none, or there is none."""
        return folder_url(self.base_url) if self.folder and self.base_url else ""


class Config(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        extra="forbid", env_prefix="PBEM_", env_nested_delimiter="__", frozen=True
    )

    service: ServiceSection = ServiceSection()
    imap: ImapSection = ImapSection()
    smtp: SmtpSection = SmtpSection()
    oauth: OAuthSection = OAuthSection()
    gm: GmSection = GmSection()
    games: GamesSection = GamesSection()
    database: DatabaseSection = DatabaseSection()
    broker: BrokerSection = BrokerSection()
    metrics: MetricsSection = MetricsSection()
    archive: ArchiveSection = ArchiveSection()
    telegram: TelegramSection = TelegramSection()
    reading: ReadingSection = ReadingSection()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment goes before the file, whose values come in as arguments."""
        return env_settings, init_settings

    def database_url(self) -> str:
        return (
            self.database.address()
            or f"sqlite+aiosqlite:///{self.service.data_dir / 'pbem.sqlite'}"
        )

    def journal_folder(self) -> Path:
        return self.telegram.journal_dir or self.service.data_dir / "chat-journal"

    def token_file(self) -> Path:
        return self.oauth.token_file or self.service.data_dir / "oauth-token"

    def logs_in_by_oauth(self, section: ImapSection | SmtpSection) -> bool:
        return bool(self.oauth.provider and section.user and not section.has_password)


def load_config(path: Path | None) -> Config:
    """Read a TOML file (None: defaults and environment alone). ConfigError tells every key that is
    wrong.
    """
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: {error}") from error
    try:
        config = Config(**values)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        raise ConfigError(
            "\n".join(_line_of(item["type"], item["loc"], item["msg"]) for item in wrong)
        ) from error
    return config if path is None else _seen_from(path.resolve().parent, config)


def _seen_from(folder: Path, config: Config) -> Config:
    """Folders and files that are named in a configuration are named as seen from where it lies."""
    sections: dict[str, _Section] = {name: getattr(config, name) for name in Config.model_fields}
    moved = {
        name: section.model_copy(
            update={key: folder / value for key, value in section if isinstance(value, Path)}
        )
        for name, section in sections.items()
    }
    return config.model_copy(update=moved)


def keys_of(section: str) -> tuple[str, ...]:
    """The keys that a section may have; none for what is no section."""
    field = Config.model_fields.get(section)
    return (
        tuple(field.annotation.model_fields)
        if field is not None and field.annotation is not None
        else ()
    )


def is_set_by(names: Iterable[str]) -> bool:
    """Whether any of these variables of the environment is a setting."""
    sections = {f"PBEM_{section.upper()}" for section in Config.model_fields}
    return any(name.upper().partition("__")[0] in sections for name in names)


def _line_of(kind: str, place: tuple[int | str, ...], message: str) -> str:
    """What is wrong with a key, and for one that does not exist which one may be meant."""
    named = ".".join(str(part) for part in place)
    if kind != "extra_forbidden":
        return f"{named}: {message.removeprefix('Value error, ')}"
    if len(place) > 1:
        return f"{named}: there is no such key{_meant(str(place[-1]), keys_of(str(place[0])))}"
    homes = [section for section in Config.model_fields if named in keys_of(section)]
    if homes:
        return f"{named}: it belongs in {' or '.join(f'[{section}]' for section in homes)}"
    return f"{named}: there is no such section{_meant(named, Config.model_fields)}"


def _meant(written: str, known: Iterable[str]) -> str:
    best = process.extractOne(
        written.casefold(), list(known), scorer=fuzz.ratio, score_cutoff=_ALIKE
    )
    return (
        f"; did you mean {best[0]}?" if best is not None else f"; choose one of {', '.join(known)}"
    )
