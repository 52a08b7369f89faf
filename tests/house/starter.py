"""Starts `pbem serve` as often as it is asked, each time as a fork of a process that has everything
imported, and its templates compiled: a start costs little then.

Asked on standard input by lines `FOLDER`, in which `pbem.toml` is and `log` will be written. It
says `started PID`, and `ended PID STATUS` as soon as one has ended.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType

IMPORTED = (
    *("pbem.cli.service", "pbem.house", "httpcore", "aiosqlite", "pbem.mail.inbound.reader"),
    "pbem.store.migrations.steps",
)

COMPILED = ("mail/", "telegram/")
"""With those of the games."""


def main() -> None:
    for module in IMPORTED:  # not above: the painter's process imports this file as well
        import_module(module)
    games = import_module("pbem.registry").load_games()
    compiled = (*COMPILED, *(f"{game.replace('-', '_')}/" for game in games))
    folder = Path(import_module("templates").__path__[0])
    names = [str(file.relative_to(folder)) for file in folder.rglob("*.j2")]
    for environment in import_module("pbem.pages.rendering").environments():
        for name in names:
            if name.startswith(compiled) and "/board" not in name:
                environment.get_template(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, _tell_ended)
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        child = os.fork()
        if child == 0:
            _serve(folder)
        _say(f"started {child}")


def _serve(folder: Path) -> None:
    """In the new process: be what a shell would have started."""
    import pbem.cli

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    log, nothing = (
        os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        os.open(os.devnull, os.O_RDONLY),
    )
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(folder)
    sys.argv = ["pbem", "serve", "--config", str(folder / "pbem.toml")]
    try:
        pbem.cli.main()
    except SystemExit as ended:
        os._exit(ended.code if isinstance(ended.code, int) else 0)
    finally:
        os._exit(1)


def _tell_ended(number: int, frame: FrameType | None) -> None:
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if ended == 0:
            return
        _say(f"ended {ended} {os.waitstatus_to_exitcode(status)}")


def _say(words: str) -> None:
    os.write(1, f"{words}\n".encode())


if __name__ == "__main__":
    main()
