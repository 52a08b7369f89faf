"""A greylist for postfix: an unknown pair of sender and recipient is asked to come again later (RFC
6647), and let in when it does.
"""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_HUNG_SECONDS = 90.0


class Greylist(socketserver.ThreadingTCPServer):
    """Speaks postfix's policy delegation protocol. Only `watched` recipients are greylisted; `held`
    tells who was sent away.

    Who sends to a `hung` recipient gets no answer, until `let_go` is set; `hanging` tells that
    somebody waits for one.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.watched: set[str] = set()
        self.held: list[tuple[str, str]] = []
        self.hung: set[str] = set()
        self.hanging, self.let_go = threading.Event(), threading.Event()

    @property
    def restriction(self) -> str:
        """For `smtpd_recipient_restrictions`."""
        return f"check_policy_service inet:127.0.0.1:{self.server_address[1]}"

    def judge(self, sender: str, recipient: str) -> str:
        pair = sender, recipient
        if recipient in self.hung and not self.let_go.is_set():
            self.hanging.set()
            self.let_go.wait(_HUNG_SECONDS)
        if recipient not in self.watched or pair in self.held:
            return "DUNNO"
        self.held.append(pair)
        return "DEFER_IF_PERMIT 4.7.1 greylisted, come again later"


class _Asked(socketserver.StreamRequestHandler):
    server: Greylist

    def handle(self) -> None:
        """Questions are lines of name=value up to an empty one; postfix asks several over one
        connection.
        """
        question: dict[str, str] = {}
        for raw in self.rfile:
            line = raw.decode("utf-8").rstrip("\r\n")
            if line:
                name, _, question[name] = line.partition("=")
                continue
            answer = self.server.judge(question.get("sender", ""), question.get("recipient", ""))
            self.wfile.write(f"action={answer}\n\n".encode())
            question = {}


@contextmanager
def running_greylist() -> Iterator[Greylist]:
    with Greylist() as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        thread.start()
        try:
            yield server
        finally:
            server.let_go.set()
            server.shutdown()
            thread.join()


__all__ = ["Greylist", "running_greylist"]
