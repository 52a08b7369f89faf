"""The service under a service manager: the command itself, and what it tells over the manager's
socket.
"""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

from pbem.demo.clock import FastClock
from pbem.demo.servers import EmbeddedMail

ORDERS = "orders@mail.example"


async def test_serve_tells_when_it_is_ready_that_it_sweeps_and_that_it_stops(
    tmp_path: Path,
) -> None:
    async with EmbeddedMail(FastClock(), host="mail.example") as mail:
        await mail.add_account(ORDERS, "secret")
        imap, smtp = mail.imap_settings(ORDERS), mail.smtp_settings(ORDERS)
        file = tmp_path / "pbem.toml"
        file.write_text(
            f'[service]\naddress = "{ORDERS}"\nsweep_seconds = 0.05\n'
            f'[imap]\nhost = "127.0.0.1"\nport = {imap.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {smtp.port}\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
        )
        address = tmp_path / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(address))
            manager.setblocking(False)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                "import pbem.cli; pbem.cli.main()",
                "serve",
                "--config",
                str(file),
                env=os.environ | {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "300000000"},
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            told: list[str] = []

            async def hear(wanted: str) -> None:
                async with asyncio.timeout(60):
                    while not told or told[-1].splitlines()[0] != wanted:
                        told.append(
                            (await asyncio.get_running_loop().sock_recv(manager, 4096)).decode()
                        )

            try:
                await hear("READY=1")
                assert len(told) == 1
                await hear("WATCHDOG=1")
                process.send_signal(signal.SIGTERM)
                await hear("STOPPING=1")
                assert await process.wait() == 0
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
