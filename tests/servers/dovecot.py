"""A private dovecot on free loopback ports: IMAP, LMTP, subaddressing, mailboxes in a temporary
folder.
"""

import asyncio
import getpass
import grp
import os
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

import aioimaplib
import pytest

from pbem.mail.imap_commands import ImapSettings

_START_SECONDS = 20.0
_STOP_SECONDS = 0.5
_ATTEMPTS = 3


def find_dovecot() -> str:
    """Its program; skips the test where there is none, and fails it instead under
    REQUIRE_SERVERS=1.
    """
    program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
    if program is not None:
        return program
    reason = "dovecot is not installed (Debian: dovecot-imapd dovecot-lmtpd)"
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def find_openssl() -> str:
    """For a certificate; the same rules."""
    program = shutil.which("openssl")
    if program is not None:
        return program
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail("openssl is not installed")
    pytest.skip("openssl is not installed")


class Dovecot:
    """The running server. `users` are addresses with their passwords; `user+detail@host` is
    delivered to `user@host`.
    """

    def __init__(
        self, folder: Path, users: Mapping[str, str], certificate: tuple[Path, Path] | None = None
    ) -> None:
        self.folder = folder
        self.users = dict(users)
        self._certificate = certificate
        self.imap_port = 0
        self.imaps_port = 0
        self.lmtp_port = 0
        self.auth_port = 0
        """Where a mail server asks whether a password is right."""
        self.log: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._appending: dict[str, aioimaplib.IMAP4] = {}

    def start(self) -> Self:
        """Start it on ports that are free now; somebody may take one in between, so this is tried
        more than once.
        """
        program = find_dovecot()
        for _ in range(_ATTEMPTS):
            self.imap_port, self.imaps_port, self.lmtp_port, self.auth_port = free_ports(4)
            if self._start(program):
                return self
        pytest.fail("dovecot did not start:\n" + "\n".join(self.log))

    def restart(self) -> None:
        """Stop, and start on the same ports."""
        self.stop()
        assert self._start(find_dovecot()), "\n".join(self.log)

    def stop(self) -> None:
        if self._process is not None and self._reader is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except (
                subprocess.TimeoutExpired
            ):  # it gives its clients 10 s to hang up, and they may wait for us
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait(_START_SECONDS)
            self._reader.join()
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._process = None

    def imap_settings(self, user: str) -> ImapSettings:
        return ImapSettings(
            host="127.0.0.1", port=self.imap_port, tls="none", user=user, password=self.users[user]
        )

    def add_user(self, address: str, password: str) -> None:
        """Takes effect at once: the file is read at every login."""
        self.users[address] = password
        self._write_users()

    def remove_user(self, address: str) -> None:
        """From now on LMTP refuses this recipient."""
        del self.users[address]
        self._write_users()

    async def deliver(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """By LMTP, at the server's own time. Raises `smtplib.SMTPRecipientsRefused` for an unknown
        user.
        """

        def work() -> None:
            with smtplib.LMTP("127.0.0.1", self.lmtp_port) as lmtp:
                lmtp.sendmail(sender, [recipient], raw)

        await asyncio.to_thread(work)

    async def append(self, user: str, raw: bytes, received_at: datetime) -> None:
        """By IMAP APPEND, with this INTERNALDATE (dovecot takes none of the future). The connection
        is kept until `hang_up`.
        """
        client = self._appending.get(user)
        if client is None:
            client = self._appending[user] = aioimaplib.IMAP4(
                "127.0.0.1", self.imap_port, timeout=10
            )
            await client.wait_hello_from_server()
            assert (await client.login(user, self.users[user])).result == "OK"
        answer = await client.append(raw, "INBOX", date=received_at)
        assert answer.result == "OK", answer

    async def hang_up(self) -> None:
        """Close the connections of `append`; before the event loop ends."""
        for client in self._appending.values():
            await client.logout()
            client.protocol.transport.close()
        self._appending.clear()

    def kick(self, user: str) -> None:
        """Hang up on this user's IMAP clients."""
        subprocess.run(
            [_beside(find_dovecot(), "doveadm"), "-c", str(self._configuration), "kick", user],
            check=True,
            capture_output=True,
        )

    def renumber(self, user: str) -> None:
        """Give the mailbox a new UIDVALIDITY and no flags, as after a restore, and hang up on its
        readers.

        Stops the server, which waits for its clients: call it in a thread when they live in this
        process.
        """
        self.stop()
        maildir = self.folder / "mail" / user / "Maildir"
        uidlist = maildir / "dovecot-uidlist"
        header, _, uids = uidlist.read_text(encoding="ascii").partition("\n")
        for index in maildir.glob("dovecot*"):
            if index.is_file() and index != uidlist:
                index.unlink()
        renumbered = re.sub(r"\bV(\d+)", lambda validity: f"V{int(validity[1]) + 1}", header)
        uidlist.write_text(f"{renumbered}\n{uids}", encoding="ascii")
        for mail in (maildir / "cur").iterdir():
            mail.rename(maildir / "cur" / (mail.name.split(":")[0] + ":2,"))
        self.restart()

    @property
    def _configuration(self) -> Path:
        return self.folder / "dovecot.conf"

    def _start(self, program: str) -> bool:
        self._write_users()
        self._configuration.write_text(self._configured(), encoding="ascii")
        self.log.clear()
        self._process = subprocess.Popen(
            [program, "-F", "-c", str(self._configuration)],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        ready = threading.Event()
        self._reader = threading.Thread(
            target=self._read_log, args=(self._process, ready), daemon=True
        )
        self._reader.start()
        ready.wait(_START_SECONDS)
        if any("starting up" in line for line in self.log):
            return True
        self.stop()
        return False

    def _read_log(self, process: "subprocess.Popen[str]", ready: threading.Event) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            self.log.append(line.rstrip())
            if "starting up" in line:
                ready.set()
        ready.set()

    def _write_users(self) -> None:
        lines = "".join(f"{user}:{{PLAIN}}{password}\n" for user, password in self.users.items())
        fresh = self.folder / "users.new"
        fresh.write_text(lines, encoding="utf-8")
        fresh.chmod(0o644)
        fresh.replace(self.folder / "users")

    def _configured(self) -> str:
        root = os.geteuid() == 0  # dovecot insists that mail belongs to somebody else than root
        me, my_group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
        owner, group = ("mail", "mail") if root else (me, my_group)
        internal, internal_group, login = (
            ("dovecot", "dovecot", "dovenull") if root else (me, my_group, me)
        )
        mail = self.folder / "mail"
        mail.mkdir(exist_ok=True)
        if root:
            shutil.chown(mail, owner, group)
        tls = "ssl = no"
        if self._certificate is not None:
            tls = (
                f"ssl = yes\nssl_cert = <{self._certificate[0]}\nssl_key = <{self._certificate[1]}"
            )
        return _CONFIGURATION.format(
            folder=self.folder,
            tls=tls,
            imap=self.imap_port,
            imaps=self.imaps_port if self._certificate else 0,
            lmtp=self.lmtp_port,
            auth=self.auth_port,
            owner=owner,
            group=group,
            internal=internal,
            internal_group=internal_group,
            login=login,
        )


@contextmanager
def running_dovecot(
    users: Mapping[str, str], certificate: tuple[Path, Path] | None = None
) -> Iterator[Dovecot]:
    """A dovecot in a folder of its own; a short path, for the sockets in it may have 100
    characters.
    """
    find_dovecot()
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    server = Dovecot(folder, users, certificate)
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _beside(program: str, name: str) -> str:
    return shutil.which(name) or str(Path(program).with_name(name))


def free_ports(count: int) -> list[int]:
    """Loopback ports that nobody listens on just now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(listening.getsockname()[1]) for listening in sockets]
    for listening in sockets:
        listening.close()
    return ports


_CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = /dev/stderr
info_log_path = /dev/stderr
protocols = imap lmtp
listen = 127.0.0.1
{tls}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_cache_size = 0
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
default_vsz_limit = 512M
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~/Maildir
mailbox_idle_check_interval = 1s
recipient_delimiter = +
postmaster_address = postmaster@mail.example
hostname = mail.example
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  user = {owner}
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service auth {{
  inet_listener {{
    port = {auth}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
protocol imap {{
  mail_max_userip_connections = 50
}}
"""


def make_certificate(folder: Path, names: str = "DNS:localhost,IP:127.0.0.1") -> tuple[Path, Path]:
    """A self-signed certificate for these names, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [
        find_openssl(),
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-days", "2"),
    ]
    named = ["-subj", "/CN=localhost", "-addext", f"subjectAltName={names}"]
    subprocess.run(
        [*command, "-keyout", str(key), "-out", str(certificate), *named],
        check=True,
        capture_output=True,
    )
    return certificate, key


__all__ = ["Dovecot", "find_dovecot", "free_ports", "make_certificate", "running_dovecot"]
