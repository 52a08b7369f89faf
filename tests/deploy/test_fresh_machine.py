"""A stranger with a fresh Debian or Ubuntu and two pages: every command of README.md and of the way
from zero in docs/operators.md, as it stands, until a mail is answered. `make machine` runs it, in
minutes.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.machine import Machine, Suite, make_root
from tests.deploy.programs import DEPLOY

ROOT = DEPLOY.parent
PAGE = (ROOT / "docs" / "operators.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
DEBIAN_12 = Suite("bookworm", "dovecot-2.3.conf")
DEBIAN_13 = Suite("trixie", "dovecot-2.4.conf")
UBUNTU_26_04 = Suite(
    "resolute",
    "dovecot-2.4.conf",
    keyring="ubuntu-archive-keyring.gpg",
    keyring_package="ubuntu-keyring",
    components="main,universe",
    script="gutsy",
)
MOST_MEGABYTES = 250
DOMAIN = "play.example.org"
MAILBOXES = ("ann", "house", "you")
"""Of a player, of the house of README.md, and of its game master."""
PROVIDER = ('[imap]\nhost = "127.0.0.1"\nport = 143', '[smtp]\nhost = "127.0.0.1"\nport = 587')

pytestmark = [
    pytest.mark.skipif("PBEM_MACHINE" not in os.environ, reason="make machine runs this"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser makes a machine"),
]


def section(page: str, title: str) -> str:
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def pieces(text: str) -> Iterator[str]:
    """What is shown to copy, paragraph by paragraph."""
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        plain = re.sub(r"^    ", "", block, flags=re.MULTILINE)
        yield from (piece for piece in re.split(r"\n\n+", plain.strip("\n")) if piece)


def reply_to(mail: str) -> str:
    found = re.search(r"^Reply-To: (\S+)$", mail, re.MULTILINE)
    assert found is not None, mail
    return found[1]


class Stranger:
    """Does what the pages say, and puts in what they leave to the reader."""

    def __init__(self, machine: Machine, suite: Suite) -> None:
        self.machine = machine
        self.suite = suite
        self.said = ""

    def follow(self, piece: str) -> None:
        """A file to write, a piece of pbem.toml, users of the mail server, or commands."""
        if piece.startswith("# /etc/"):
            head, _, text = piece.partition("\n")
            self.file(re.split(r"[: ]", head[2:])[0]).write_text(f"{text}\n", "utf-8")
        elif piece.startswith("["):
            self.configure(piece)
        elif "{SHA512-CRYPT}" in piece:
            self.add_mailboxes(piece, "orders", *MAILBOXES)
        else:
            self.command(piece)

    def command(self, lines: str) -> None:
        own = {"REPOSITORY": "file:///srv/pbem.git", "YOUR.DOMAIN": DOMAIN}
        own |= {"dovecot-2.3.conf": self.suite.dovecot}
        for theirs, ours in own.items():
            lines = lines.replace(theirs, ours)
        self.said = ""
        for line in re.split(r"\n(?<!\\\n)", lines):
            is_online = line.startswith(("apt ", "git ", "make "))
            line = line.replace("apt install", "apt-get install --quiet --yes")
            self.said += self.machine.run(line, online=is_online)

    def file(self, path: str) -> Path:
        return self.machine.root / path.lstrip("/")

    def add_mailboxes(self, line: str, *names: str) -> None:
        """Users of the mail server as this line has them; postfix knows the first already."""
        hashed = self.machine.run("doveadm pw -s SHA512-CRYPT -p secret").strip()
        line = line.replace("{SHA512-CRYPT}$6$...", hashed)
        lines = [line.replace("orders@", f"{name}@") for name in names]
        self.file("/etc/dovecot/pbem-users").write_text("\n".join(lines) + "\n", "utf-8")
        with self.file("/etc/postfix/pbem-mailboxes").open("a", encoding="utf-8") as boxes:
            boxes.writelines(f"{name}@{DOMAIN} {name}\n" for name in names[1:])

    def configure(self, piece: str, path: str = "/etc/pbem/pbem.toml") -> None:
        """Put these keys into the sample, in place of the ones that it has."""
        file = self.file(path)
        lines = file.read_text("utf-8").splitlines()
        head, *keys = piece.splitlines()
        at = lines.index(head)
        names = tuple(f"{key.partition(' ')[0]} = " for key in keys)
        end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("[")), len(lines))
        kept = [line for line in lines[at + 1 : end] if not line.startswith(names)]
        file.write_text("\n".join([*lines[: at + 1], *keys, *kept, *lines[end:], ""]), "utf-8")

    def fill_in(self, path: str, house: str, master: str) -> None:
        """The two addresses that a new configuration asks for."""
        sample = self.file(path)
        filled = sample.read_text("utf-8").replace("orders@example.org", f"{house}@{DOMAIN}")
        sample.write_text(filled.replace("gm@example.org", f"{master}@{DOMAIN}"), "utf-8")

    def write(self, to: str, words: str, by: str = "ann") -> None:
        """One of the people sends a mail from outside."""
        self.machine.run(f"""python3 - <<'END'
import smtplib
with smtplib.SMTP("203.0.113.1", 25, "mx.ann.example", source_address=("203.0.113.7", 0)) as server:
    server.sendmail("{by}@{DOMAIN}", ["{to}"], '''From: {by.title()} <{by}@{DOMAIN}>
To: {to}
Subject: A mail of {by.title()}

{words}
'''.replace("\\n", "\\r\\n"))
END""")

    def mail(self, number: int, to: str = "ann") -> str:
        """The mail of this number that somebody has got; it is waited for."""
        new = f"/var/mail/pbem/{to}@{DOMAIN}/Maildir/new"
        self.machine.run(
            f"timeout 90 bash -c 'until test $(ls {new} 2>/dev/null | wc -l) -ge {number};"
            " do sleep 0.2; done'"
        )
        return self.machine.run(f"cat {new}/$(ls -tr {new} | sed -n {number}p)")


@pytest.fixture(
    scope="module",
    params=[DEBIAN_12, DEBIAN_13, UBUNTU_26_04],
    ids=lambda suite: suite.name,
)
def stranger(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stranger]:
    root = tmp_path_factory.mktemp(request.param.name) / "root"
    make_root(request.param, root)
    repository = ["git", "clone", "--quiet", "--bare", "--no-local", str(ROOT)]
    subprocess.run([*repository, str(root / "srv/pbem.git")], check=True)
    with Machine(root) as machine:
        machine.run("apt-get update --quiet", online=True)
        yield Stranger(machine, request.param)
    shutil.rmtree(root)  # half a gigabyte and more


def test_the_page_for_operators_from_an_empty_machine_to_an_answered_mail(
    stranger: Stranger,
) -> None:
    *install, start = pieces(section(PAGE, "A small server from zero"))
    for piece in install:
        stranger.follow(piece)
    megabytes = int(stranger.machine.run("du -sm /opt/pbem/.venv").split()[0])
    assert megabytes <= MOST_MEGABYTES
    stranger.fill_in("/etc/pbem/pbem.toml", "orders", "greta")
    for name in ("imap", "smtp"):
        stranger.file(f"/etc/pbem/{name}-password").write_text("secret\n", "utf-8")
    for piece in pieces(section(PAGE, "A mail server of your own")):
        stranger.follow(piece)
    stranger.machine.run("systemctl start redis-server")  # apt has started it on a real machine
    stranger.follow(start)
    assert "Everything is well." in stranger.said
    code = re.search(r"`join (heron-\w+)`", stranger.said)
    assert code is not None
    stranger.write(f"orders@{DOMAIN}", f"join {code[1]}")
    asked = stranger.mail(1)
    assert re.search(
        rf"^DKIM-Signature: .*?\bd={DOMAIN};\s+s=post;", asked, re.MULTILINE | re.DOTALL
    )
    stranger.write(reply_to(asked), "yes")
    assert "Heron" in stranger.mail(2)
    stored = stranger.machine.run(f"cat /var/mail/pbem/orders@{DOMAIN}/Maildir/*/*")
    assert f"Authentication-Results: mx.{DOMAIN};" in stored
    assert "Traceback" not in stranger.file("/var/log/pbem.log").read_text("utf-8")


def test_then_systemd_finds_nothing_wrong_with_the_units(stranger: Stranger) -> None:
    units = "/etc/systemd/system/pbem*.service"
    assert stranger.machine.run(f"systemd-analyze verify {units}") == ""
    for unit in ("pbem.service", "pbem-backup.service"):
        stranger.machine.run(
            f"systemd-analyze security --offline=yes --threshold=20 --no-pager {unit}"
        )


def test_then_the_service_starts_without_the_painters_libraries_and_says_so_f_101(
    stranger: Stranger,
) -> None:
    run, log = stranger.machine.run, stranger.file("/var/log/pbem.log")
    run("mkdir /hidden; mv /usr/lib/*/libEGL.so.1* /usr/lib/*/libGL.so.1* /hidden; ldconfig")
    log.write_text("", "utf-8")
    run("systemctl restart pbem.service")
    run("timeout 60 bash -c 'until grep -q serving /var/log/pbem.log; do sleep 0.2; done'")
    said = log.read_text("utf-8")
    assert "libEGL.so.1 and libGL.so.1 missing: apt install libegl1 libgl1" in said
    assert "Traceback" not in said
    assert "apt install libegl1 libgl1" in run("cd /root; pbem doctor || true")  # it may not enter
    run("mv /hidden/* /usr/lib/*-linux-gnu/; ldconfig")


def test_then_the_readme_shows_a_game(stranger: Stranger) -> None:
    """`make test` of the same lines is what CI runs."""
    needed = re.search(r"`(apt install\s+git [^`]+)`", README)
    assert needed is not None
    stranger.command(" ".join(needed[1].split()))
    stranger.command("cd /srv\ngit clone --quiet REPOSITORY stranger\ncd stranger\nmake demo")
    assert "demo-out/index.html" in stranger.said
    assert stranger.file("/srv/stranger/demo-out/index.html").stat().st_size > 0
    shown = [piece for piece in pieces(section(README, "Try it")) if piece.startswith(".venv")]
    assert len(shown) >= 4
    for piece in shown:
        stranger.command(piece)


def test_then_the_house_of_the_readme_opens_a_game_by_mail(stranger: Stranger) -> None:
    """The mail server of the page for operators stands for the provider."""
    steps = section(README, "Run it with your own mailbox")
    commands = re.findall(r"`((?:make|chmod|\.venv/bin/pbem) [^`]+)`", steps)
    make, init, chmod, doctor, serve, invite, status = commands
    game = re.search(r"^ +(new game Heron: .+)$", steps, re.MULTILINE)
    assert game is not None
    for command in (make, init):
        stranger.command(command)
    folder = "/srv/stranger"
    stranger.fill_in(f"{folder}/pbem.toml", "house", "you")
    for piece in PROVIDER:
        stranger.configure(f'{piece}\ntls = "none"', f"{folder}/pbem.toml")
    for name in re.findall(r"`(\w+-password)`", steps):
        stranger.file(f"{folder}/{name}").write_text("secret\n", "utf-8")
    for command in (chmod, doctor):
        stranger.command(command)
    assert "Everything is well." in stranger.said
    log = f"{folder}/serve.log"
    stranger.command(f"setsid {serve} > {log} 2>&1 < /dev/null &")
    stranger.command(f"timeout 60 bash -c 'until grep -q serving {log}; do sleep 0.2; done'")
    stranger.command(invite.replace("you@example.org", f"you@{DOMAIN}"))
    stranger.write(reply_to(stranger.mail(1, "you")), game[1], by="you")
    code = re.search(r"join (heron-\w+)", stranger.mail(2, "you"))
    assert code is not None
    stranger.command(status)
    assert "Heron" in stranger.said
    assert "Traceback" not in stranger.file(log).read_text("utf-8")
