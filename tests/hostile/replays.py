"""Mails that were true once, again: the same bytes, by another road, under another name, after
their time.
"""

from collections.abc import Iterator

from tests.desk.harness import AUTHSERV
from tests.hostile.case import Case
from tests.hostile.world import FAIL_HOUSE, FAIL_PLAYERS, World

ROADS: dict[str, bytes] = {
    "received": b"Received: from relay.elsewhere.example by mx.house.example; Tue, 17 Nov 2026 13:00:00 +0000\r\n",
    "received twice": b"Received: from a by b; x\r\nReceived: from b by c; y\r\n",
    "return-path": b"Return-Path: <eve@elsewhere.example>\r\n",
    "delivered-to": b"Delivered-To: orders@house.example\r\n",
    "original-to": b"X-Original-To: orders@house.example\r\n",
    "resent": b"Resent-From: eve@elsewhere.example\r\nResent-Date: Tue, 17 Nov 2026 13:00:00 +0000\r\n",
    "dkim": b"DKIM-Signature: v=1; d=players.example; bh=x; b=y\r\n",
    "spam": b"X-Spam-Flag: NO\r\n",
    "comments": b"Comments: again\r\n",
    "second id field": b"X-Message-ID: <other@elsewhere.example>\r\n",
}
"""What another road adds above a mail, and no signature of its sender covers."""


def replays(world: World) -> Iterator[Case]:
    for name, raw in world.sent.items():
        for turn in range(3):
            yield Case(f"{name}: the same bytes, {turn}", raw)
        for road, fields in ROADS.items():
            yield Case(f"{name}: by another road, {road}", fields + raw)
        yield Case(f"{name}: with a line more at the end", raw + b"\r\n")
        yield Case(f"{name}: with bare line feeds", raw.replace(b"\r\n", b"\n"))
        failed = FAIL_HOUSE if name.startswith("gm") else FAIL_PLAYERS
        for number in range(
            8
        ):  # what is signed was changed: the signature is broken, and the server has seen it
            head, _, body = raw.partition(b"\r\n\r\n")
            lines = [
                line
                for line in head.split(b"\r\n")
                if not line.lower().startswith((b"message-id:", b"authentication-results:"))
            ]
            lines += (
                [f"Message-ID: <again{number}@elsewhere.example>".encode()] if number % 4 else []
            )
            if number >= 4:
                lines = [line for line in lines if not line.startswith(b"Date:")] + [
                    f"Date: Wed, 18 Nov 2026 1{number}:00:00 +0000".encode()
                ]
            stamp = f"Authentication-Results: {failed}\r\n".encode()
            yield Case(
                f"{name}: under another name, {number}",
                stamp + b"\r\n".join(lines) + b"\r\n\r\n" + body,
            )
        forged = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=players.example\r\n".encode()
        stripped = raw.partition(b"\r\n")[2].replace(b"Message-ID: <", b"Message-ID: <x")
        yield Case(
            f"{name}: under another name with the old stamp",
            f"Authentication-Results: {failed}\r\n".encode() + forged + stripped,
        )
