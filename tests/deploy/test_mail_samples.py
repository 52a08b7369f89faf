"""Postfix and dovecot themselves look at the samples; dovecot's is run (postfix's is what
tests/servers/postfix.py runs).
"""

import imaplib
import os
import re
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.programs import DEPLOY, complaints, find_program
from tests.servers.dovecot import find_dovecot, free_ports
from tests.servers.postfix import find_postfix

POSTFIX = DEPLOY / "mail" / "postfix"
DOVECOT = DEPLOY / "mail"
ORDERS = "orders@play.example.org"

pytestmark = pytest.mark.servers


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path, for the sockets in it may have 100 characters; and other users may look into
    it.
    """
    path = Path(tempfile.mkdtemp(prefix="pbem-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def dovecot_sample() -> Path:
    """The one for the version that is here."""
    version = subprocess.run(
        [find_dovecot(), "--version"], capture_output=True, text=True, check=True
    ).stdout
    return DOVECOT / f"dovecot-{'.'.join(version.split('.')[:2])}.conf"


@pytest.mark.long(held_by="tests/mail/io/test_servers.py (dovecot and postfix at work)")
def test_postfix_check_finds_nothing(folder: Path) -> None:
    program = find_postfix()
    shutil.copytree(POSTFIX, folder / "etc")
    for name in ("queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    places = [f"queue_directory={folder / 'queue'}", f"data_directory={folder / 'data'}"]
    assert complaints(find_program("postconf"), "-c", folder / "etc", "-e", *places) == ""
    assert complaints(program, "-c", folder / "etc", "check") == ""


def test_every_parameter_of_the_postfix_sample_is_known_and_used() -> None:
    assert complaints(find_program("postconf", required=True), "-c", POSTFIX, "-n") == ""


def looked_up(key: str, table: str) -> str:
    command = [find_program("postmap", required=True), "-c", str(POSTFIX), "-q", key, table]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def test_the_tables_of_the_postfix_sample_answer() -> None:
    assert looked_up(ORDERS, f"texthash:{POSTFIX / 'pbem-mailboxes'}") == "orders"
    assert (
        looked_up("postmaster@play.example.org", f"texthash:{POSTFIX / 'pbem-aliases'}")
        == "you@example.org"
    )


@pytest.mark.parametrize(
    ("header", "answer"),
    [
        ("Authentication-Results: mx.play.example.org; dmarc=pass", "IGNORE"),
        ("authentication-results: (hello)\n mx.play.example.org 1;\n dmarc=pass", "IGNORE"),
        ("Authentication-Results: mx.elsewhere.example; dmarc=pass", ""),
        ("Subject: Authentication-Results: mx.play.example.org", ""),
    ],
)
def test_results_that_a_stranger_wrote_in_our_name_are_dropped(header: str, answer: str) -> None:
    assert looked_up(header, f"regexp:{POSTFIX / 'pbem-header-checks'}") == answer


def test_doveconf_reads_the_sample_and_finds_subaddressing() -> None:
    doveconf = find_program("doveconf", required=True)
    sample = dovecot_sample()
    assert complaints(doveconf, "-n", "-c", sample) == ""
    shown = subprocess.run(
        [doveconf, "-c", str(sample), "-h", "recipient_delimiter"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.strip() == "+"


@pytest.mark.long(held_by="tests/mail/io/test_servers.py (dovecot and postfix at work)")
@pytest.mark.skipif(os.geteuid() != 0, reason="the sample gives files and sockets to other users")
def test_dovecot_runs_the_sample_and_delivers_a_subaddress_into_the_inbox(folder: Path) -> None:
    (port,) = free_ports(1)
    sample = (
        dovecot_sample()
        .read_text("utf-8")
        .replace("port = 143\n", f"port = {port}\n")
        .replace("vmail", "mail")
    )
    for place in ("/etc/dovecot/pbem-users", "/var/mail/pbem"):
        sample = sample.replace(place, str(folder / Path(place).name))
    here = f"base_dir = {folder}/run\nstate_dir = {folder}/state\nlog_path = {folder}/log\nfirst_valid_uid = 1\ndefault_vsz_limit = 512M\n"
    (folder / "dovecot.conf").write_text(sample + here, "utf-8")
    hashed = subprocess.run(
        [find_program("doveadm"), "pw", "-s", "SHA512-CRYPT", "-p", "secret"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (folder / "pbem-users").write_text(f"{ORDERS}:{hashed}::::::\n")
    (folder / "pbem").mkdir()
    shutil.chown(folder / "pbem", "mail")
    subprocess.run(
        [find_dovecot(), "-c", str(folder / "dovecot.conf")], check=True
    )  # it returns when the sockets are open
    try:
        with smtplib.LMTP(str(folder / "run" / "postfix-lmtp")) as lmtp:
            lmtp.sendmail(
                "anna@example.org",
                [f"orders+o1-2-abc@{ORDERS.partition('@')[2]}"],
                b"Subject: hello\r\n\r\nbid 12\r\n",
            )
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                lmtp.sendmail(
                    "anna@example.org",
                    ["nobody@play.example.org"],
                    b"Subject: hello\r\n\r\nbid 12\r\n",
                )
        with imaplib.IMAP4("127.0.0.1", port) as imap:
            imap.login(ORDERS, "secret")
            assert imap.select("INBOX") == ("OK", [b"1"])
            (status, fetched) = imap.fetch("1", "(BODY[HEADER])")
            assert status == "OK"
            assert isinstance(fetched[0], tuple)
            assert b"Delivered-To: orders+o1-2-abc@play.example.org" in fetched[0][1]
        assert (folder / "run" / "postfix-auth").is_socket()
    finally:
        subprocess.run(
            [find_program("doveadm"), "-c", str(folder / "dovecot.conf"), "stop"], check=True
        )


def test_the_two_dovecot_samples_speak_of_the_same_files_sockets_and_ports() -> None:
    def places(file: Path) -> set[str]:
        text = re.sub(r"^#.*$", "", file.read_text("utf-8"), flags=re.MULTILINE).replace(
            "%{user}", "%u"
        )
        return set(re.findall(r"(?:/[\w%.-]+)+|port = \d+|unix_listener \S+", text))

    assert places(DOVECOT / "dovecot-2.3.conf") == places(DOVECOT / "dovecot-2.4.conf")
