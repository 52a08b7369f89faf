"""A fresh Debian or Ubuntu within this machine: its own files, processes and network, which end with
it.
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from tests.deploy.programs import find_program

CERTIFICATES = "etc/machine.crt"
_MOUNTS = """
set -e
mount --make-rprivate /
mount -t proc proc "$0/proc"
mkdir -p "$0/dev/shm" && mount -t tmpfs shm "$0/dev/shm"
mount -t tmpfs run "$0/run"
ip link set lo up
ip address add 203.0.113.1/32 dev lo
ip address add 203.0.113.7/32 dev lo
echo ready
sleep infinity & wait
"""
"""The first process waits for all that end, as an init does. 203.0.113.1 is the machine as the world
sees it, 203.0.113.7 the world (RFC 5737).
"""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Suite:
    """A release, who signs it, and the sample of dovecot that the page names for it. The script
    of debootstrap is its family's, and knows the mirror: older debootstraps have none for newer
    releases.
    """

    name: str
    dovecot: str
    keyring: str = "debian-archive-keyring.gpg"
    keyring_package: str = "debian-archive-keyring"
    components: str = "main"
    script: str = "sid"


def make_root(suite: Suite, root: Path) -> None:
    """The release as it is installed, with no more than the least, and a stand-in for `systemctl`.
    Skips the test where that cannot be made.
    """
    find_program("unshare", required=True)
    debootstrap = [find_program("debootstrap"), "--variant=minbase", "--include=systemd"]
    keyring = Path("/usr/share/keyrings", suite.keyring)
    if not keyring.exists():
        pytest.skip(f"{keyring} is missing: apt install {suite.keyring_package}")
    checked = ["--force-check-gpg", f"--keyring={keyring}", f"--components={suite.components}"]
    own_mirror = ""
    subprocess.run(
        [*debootstrap, *checked, suite.name, str(root), own_mirror, suite.script],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copy(Path(__file__).parent / "systemctl.sh", root / "usr/local/bin/systemctl")
    refusing = root / "usr/sbin/policy-rc.d"
    refusing.write_text("#!/bin/sh\nexit 101\n", "utf-8")
    for file in (root / "usr/local/bin/systemctl", refusing):
        file.chmod(0o755)
    (root / "etc/dpkg/dpkg.cfg.d/hasty").write_text("force-unsafe-io\n", "utf-8")
    trusted = os.environ.get("PIP_CERT")
    if trusted is not None:
        shutil.copy(trusted, root / CERTIFICATES)


class Machine:
    """What runs in a root until the block ends. Only lines that are `online` reach the network;
    the others have a loopback interface of their own.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = "/root"

    def __enter__(self) -> Self:
        command = ("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child")
        self._holder = subprocess.Popen(
            [*command, "bash", "-c", _MOUNTS, str(self.root)], stdout=subprocess.PIPE, text=True
        )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == "ready\n"
        own = f"/proc/{self._holder.pid}/task/{self._holder.pid}/children"
        self._init = Path(own).read_text("ascii").split()[0]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._holder.kill()
        self._holder.communicate()

    def run(self, script: str, *, online: bool = False) -> str:
        """What the lines say, in the folder that the last ones led to. AssertionError with all of
        it if one fails.
        """
        told = {name: value for name, value in os.environ.items() if name.startswith("PIP_INDEX")}
        environment = told | {"PATH": _PATH, "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb"}
        environment |= {"DEBIAN_FRONTEND": "noninteractive"}
        if (self.root / CERTIFICATES).exists():
            environment["PIP_CERT"] = f"/{CERTIFICATES}"
        whole = f"set -e\ncd {self._folder}\n{script}\npwd > /tmp/folder\n"
        joined = ("nsenter", "-t", self._init, "-m", "-p", *(() if online else ("-n",)))
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:  # daemons keep a pipe open
            done = subprocess.run(
                [*joined, "chroot", str(self.root), "bash", "-c", whole],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                check=False,
            )
            said.seek(0)
            words = said.read()
        assert done.returncode == 0, f"{script}\n{words[-4000:]}"
        self._folder = (self.root / "tmp/folder").read_text("utf-8").strip()
        return words
