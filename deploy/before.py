"""Before the first download: whether this machine has what the program stands on.

One line tells what to install. Status 1 where nothing can be installed without it. This file is
for every Python from 3.6 on, so that an old one can say that it is old.
"""

import ctypes
import importlib
import shutil
import sys

LEAST_PYTHON, LEAST_SQLITE = (3, 11), (3, 35)
MODULES = {
    "ensurepip": "python3-venv",
    "venv": "python3-venv",
    "ssl": "",
    "sqlite3": "",
    "zlib": "",
}
"""What may be missing in a Python, and Debian's package that brings it."""
PAINTERS = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}
"""What paints boards is linked with these. Without them the service runs, and sends no pictures."""


def is_missing(module):
    """Whether this Python lacks a module."""
    try:
        importlib.import_module(module)
    except ImportError:
        return True
    return False


def is_unlinked(library):
    """Whether the system lacks a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return True
    return False


def examine():
    """What stops us, which libraries the painter lacks, and Debian's packages for both."""
    if sys.version_info < LEAST_PYTHON:
        number = ".".join(map(str, sys.version_info[:2]))
        return [f"Python 3.11 or newer (this is {number}; PYTHON=python3.12 names another)"], [], []
    modules = [module for module in MODULES if is_missing(module)]
    libraries = [one for one in PAINTERS if sys.platform == "linux" and is_unlinked(one)]
    stops = [f"the module {module} of Python" for module in modules]
    if "sqlite3" not in modules:
        number = importlib.import_module("sqlite3").sqlite_version
        if tuple(map(int, number.split("."))) < LEAST_SQLITE:
            stops.append(f"SQLite 3.35 or newer (this is {number})")
    packages = {MODULES[module] for module in modules} | {PAINTERS[one] for one in libraries}
    return stops, libraries, sorted(packages - {""})


def main():
    """Say it on standard error; 1 where we must stop."""
    stops, libraries, packages = examine()
    if stops or libraries:
        words = ["needed: " + ", ".join(stops)] if stops else []
        if libraries:
            words.append("no boards are painted without " + " and ".join(libraries))
        if packages and shutil.which("apt-get"):
            words.append("install with: apt install " + " ".join(packages))
        sys.stderr.write("; ".join(words) + "\n")
    return 1 if stops else 0


if __name__ == "__main__":
    sys.exit(main())
