"""A private postfix on free loopback ports, configured by the sample in deploy/: SMTP in, LMTP to a
dovecot of ours, real reports of failure.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.mail.smtp import SmtpSettings
from tests.servers.dovecot import Dovecot, free_ports, make_certificate

SAMPLE = Path(__file__).parents[2] / "deploy" / "mail" / "postfix"
SAMPLE_HOST = "play.example.org"
_ATTEMPTS = 3


def find_postfix() -> str:
    """Its program; skips the test where there is none or we may not start it, and fails it instead
    under REQUIRE_SERVERS=1.
    """
    program = shutil.which("postfix") or shutil.which("postfix", path="/usr/sbin:/usr/local/sbin")
    if program is not None and os.geteuid() == 0:
        return program
    reason = (
        "postfix is not installed"
        if program is None
        else "postfix can only be started by the superuser"
    )
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Postfix:
    """The running server, mail exchanger of `host`: everybody's mail comes in at `mx_port`, that of
    dovecot's users at `submission_port`.

    `gone` are mailboxes that it still believes in and dovecot does not know: mail to them is taken
    and comes back as a report.
    """

    def __init__(
        self,
        folder: Path,
        dovecot: Dovecot,
        host: str,
        gone: Sequence[str],
        settings: Mapping[str, str],
    ) -> None:
        self.folder = folder
        self.host = host
        self.mx_port = 0
        self.submission_port = 0
        self.dovecot = dovecot
        self._gone = gone
        self._settings = settings
        self._program = find_postfix()
        self._etc = folder / "etc"
        self.certificate = self._etc / f"mx.{host}.pem"

    def start(self) -> None:
        """Start it on ports that are free now; somebody may take one in between, so this is tried
        more than once.
        """
        for _ in range(_ATTEMPTS):
            self.mx_port, self.submission_port = free_ports(2)
            self._write()
            if self._run("start").returncode == 0:
                return
        pytest.fail("postfix did not start:\n" + self.log())

    def stop(self) -> None:
        self._run("stop")

    def log(self) -> str:
        """What it has logged; every mail is in it with its queue ID."""
        file = self.folder / "maillog"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def submission(self, user: str) -> SmtpSettings:
        """How a user of dovecot's sends."""
        return SmtpSettings(
            host="127.0.0.1",
            port=self.submission_port,
            tls="none",
            user=user,
            password=self.dovecot.users[user],
            local_hostname="localhost",
        )

    def exchanger(self) -> SmtpSettings:
        """How the rest of the world sends, without a password."""
        return SmtpSettings(
            host="127.0.0.1", port=self.mx_port, tls="none", local_hostname="localhost"
        )

    def _write(self) -> None:
        queue, data = self.folder / "queue", self.folder / "data"
        for folder in (self._etc, queue, data):
            folder.mkdir(exist_ok=True)
        shutil.chown(data, "postfix")
        for sample in SAMPLE.iterdir():
            text = (
                sample.read_text("ascii")
                .replace("/etc/postfix", str(self._etc))
                .replace(SAMPLE_HOST, self.host)
            )
            text = text.replace(SAMPLE_HOST.replace(".", r"\."), self.host.replace(".", r"\."))
            if sample.name == "master.cf":
                text = text.replace("127.0.0.1:587 ", f"127.0.0.1:{self.submission_port} ")
                text = text.replace("smtp            inet", f"127.0.0.1:{self.mx_port} inet")
            (self._etc / sample.name).write_text(text, "ascii")
        mailboxes = "".join(f"{user} there\n" for user in (*self.dovecot.users, *self._gone))
        (self._etc / "pbem-mailboxes").write_text(mailboxes, "ascii")
        certificate, key = make_certificate(self._etc)
        certificate.rename(self.certificate)
        key.rename(self.certificate.with_suffix(".key"))
        changed = {
            "queue_directory": str(queue),
            "data_directory": str(data),
            "maillog_file": str(self.folder / "maillog"),
            "maillog_file_prefixes": str(self.folder),
            "inet_interfaces": "127.0.0.1",
            "inet_protocols": "ipv4",
            "alias_maps": "",
            "alias_database": "",
            "virtual_transport": f"lmtp:inet:127.0.0.1:{self.dovecot.lmtp_port}",
            "smtpd_sasl_path": f"inet:127.0.0.1:{self.dovecot.auth_port}",
            "smtpd_milters": "",
            # Nothing leaves this machine, not even a question for a name.
            "default_transport": "error:5.4.4 this server knows no other",
            "smtp_dns_support_level": "disabled",
            "smtp_host_lookup": "native",
            **self._settings,
        }
        command = [str(Path(self._program).with_name("postconf")), "-c", str(self._etc), "-e"]
        subprocess.run(
            [*command, *(f"{name}={value}" for name, value in changed.items())],
            check=True,
            capture_output=True,
        )

    def _run(self, action: str) -> "subprocess.CompletedProcess[bytes]":
        # Its daemons outlive this call, so they must not hold our pipes open.
        return subprocess.run(
            [self._program, "-c", str(self._etc), action],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@contextmanager
def running_postfix(
    dovecot: Dovecot,
    host: str = "mail.example",
    gone: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> Iterator[Postfix]:
    """A postfix before this dovecot, in a folder of its own; `settings` go over the sample's."""
    find_postfix()
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    server = Postfix(folder, dovecot, host, gone, settings or {})
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


__all__ = ["Postfix", "find_postfix", "running_postfix"]
