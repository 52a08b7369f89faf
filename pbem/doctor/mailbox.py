"""The mailbox as an examination needs it: what the server can do, and mails of our own that are
looked for and taken away again.
"""

import asyncio
import contextlib
import socket
import ssl
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.config import Tls
from pbem.mail.imap_commands import ImapConnection

Trouble = Literal[
    "unknown-host", "refused", "silent", "untrusted", "other-name", "over", "no-tls", "unreachable"
]
_OTHER_NAME, _OVER = frozenset({62, 64}), frozenset({9, 10})
"""Of OpenSSL's reasons not to believe a certificate: its host or address is another one; its time
has not come, or is over.
"""


class ProbingConnection(ImapConnection):
    """A connection that can tell the server's abilities, and remove mails."""

    def has(self, capability: str) -> bool:
        return bool(self._open_client.has_capability(capability))

    async def remove(self, uid: int) -> None:
        """Take a mail of ours out of the mailbox; where the server cannot remove a single one, it
        stays marked as deleted and read.
        """
        await self._run(
            "STORE", self._open_client.uid("store", str(uid), "+FLAGS.SILENT", r"(\Seen \Deleted)")
        )
        if self.has("UIDPLUS"):
            await self._run("EXPUNGE", self._open_client.uid("expunge", str(uid)))


@dataclass(frozen=True, slots=True)
class Found:
    """A mail of the examination as it lies in the mailbox."""

    uid: int
    received_at: datetime
    raw: bytes


async def find_mails(connection: ProbingConnection, word: str) -> list[Found]:
    """The mails in which the word occurs."""
    found = []
    for uid in await connection.search("TEXT", word):
        heads, raw = (
            await connection.fetch_heads([uid], 0),
            await connection.fetch(uid, "BODY.PEEK[]"),
        )
        if heads and raw is not None:
            found.append(Found(uid, heads[0].received_at, raw))
    return found


def distrust_of(error: ssl.SSLCertVerificationError) -> Trouble:
    """What is wrong with a certificate."""
    return (
        "other-name"
        if error.verify_code in _OTHER_NAME
        else "over"
        if error.verify_code in _OVER
        else "untrusted"
    )


def distrust_behind(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """The certificate's fault that a failure goes back to, if it does."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, ssl.SSLCertVerificationError):
        found = found.__cause__ or found.__context__
    return found


async def knock(
    host: str, port: int, tls: Tls, seconds: float, trusted: ssl.SSLContext | None = None
) -> tuple[Trouble, str] | None:
    """Whether somebody answers there, with a certificate we trust if TLS begins at once; what is
    wrong if not.
    """
    context = (trusted or ssl.create_default_context()) if tls == "implicit" else None
    try:
        async with asyncio.timeout(seconds):
            _reader, writer = await asyncio.open_connection(host, port, ssl=context)
    except ssl.SSLCertVerificationError as error:
        return distrust_of(error), error.verify_message
    except ssl.SSLError as error:
        return "no-tls", error.reason or "TLS"
    except TimeoutError:
        return "silent", f"no answer within {seconds:.0f} s"
    except ConnectionRefusedError:
        return "refused", "no server listens there"
    except OSError as error:
        return ("unknown-host" if isinstance(error, socket.gaierror) else "unreachable"), str(
            error.strerror or error
        )
    writer.close()
    with contextlib.suppress(OSError):  # it was only a knock
        await writer.wait_closed()
    return None
