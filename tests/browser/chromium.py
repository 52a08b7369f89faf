"""A headless Chromium of the system, spoken to in its DevTools protocol over two pipes.

No driver and no port: messages are JSON objects that end with a NUL byte. A page has a profile of
its own; what goes wrong in it (errors of its scripts, its console's errors, requests that leave
its folder or fail) is collected in `Page.troubles`.
"""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-breakpad", "--hide-scrollbars", "--force-color-profile=srgb"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe"),
)
KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Escape": 27,
    "Tab": 9,
    " ": 32,
}
"""Keys with the numbers that controls of a page know them by; letters have their own."""

ALT = 1
_SECONDS = 30.0
_PIECE = 1 << 20
PATIENCE = 3.0
"""Seconds that a page has for what it is to do by and by."""


class ScriptFailed(Exception):
    """What was evaluated in a page has thrown."""


class BrowserFailed(Exception):
    """The browser refused a command, is gone, or said nothing for half a minute."""


def find_chromium() -> str:
    """Its program; skips the test where there is none, and fails it instead under
    REQUIRE_SERVERS=1.
    """
    program = look_for_chromium()
    if program is not None:
        return program
    reason = "chromium is not installed (Debian: chromium)"
    if os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def look_for_chromium() -> str | None:
    """Its program, or None."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Chromium:
    """The running browser; one is enough for all tests of a process."""

    def __init__(self, program: str, folder: Path, patience: float = PATIENCE) -> None:
        """`folder` is its home, and has its log; `patience` is for `Page.wait_for`, in seconds."""
        self.patience = patience
        self._log = folder / "log"
        self._buffer = bytearray()
        self._ids = itertools.count(1)
        self._replies: dict[int, dict[str, Any]] = {}
        self._pages: dict[str, Page] = {}
        theirs_in, self._writing = _pipe()
        self._reading, theirs_out = _pipe()
        words = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._pid = os.posix_spawn(
            program,
            words,
            {**os.environ, "HOME": str(folder), "TMPDIR": str(folder)},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                (os.POSIX_SPAWN_DUP2, theirs_in, 3),
                (os.POSIX_SPAWN_DUP2, theirs_out, 4),
            ],
            setpgroup=0,
        )
        for number in (log, theirs_in, theirs_out):
            os.close(number)

    def stop(self) -> None:
        """Kill it with all its processes."""
        os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._writing)
        os.close(self._reading)

    @contextmanager
    def page(self, folder: Path | None = None, **emulated: Any) -> Iterator["Page"]:
        """A page with cookies, cache and history of its own. `folder` is where its requests may
        lead; `emulated` is for `Page.emulate`.
        """
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        session = attached["sessionId"]
        page = self._pages[session] = Page(self, session, folder)
        try:
            yield page.open().emulate(**emulated)
        finally:
            self.call("Target.disposeBrowserContext", browserContextId=context)
            del self._pages[session]

    def call(self, method: str, session: str | None = None, /, **params: Any) -> dict[str, Any]:
        """One command, and what it returns; refused ones raise `BrowserFailed`."""
        number = next(self._ids)
        said: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session is not None:
            said["sessionId"] = session
        self._write(json.dumps(said).encode() + b"\0")
        until = time.monotonic() + _SECONDS
        while number not in self._replies:
            if time.monotonic() > until:
                raise BrowserFailed(f"{method}: no answer\n{self._last_words()}")
            self.pump(1.0)
        reply = self._replies.pop(number)
        if "error" in reply:
            raise BrowserFailed(f"{method}: {reply['error']['message']}")
        result: dict[str, Any] = reply["result"]
        return result

    def pump(self, seconds: float) -> None:
        """Take what the browser says, waiting for it so long at most."""
        ready, _, _ = select.select([self._reading], [], [], seconds)
        if not ready:
            return
        piece = os.read(self._reading, _PIECE)
        if not piece:
            raise BrowserFailed("the browser is gone\n" + self._last_words())
        self._buffer += piece
        if b"\0" not in piece:
            return
        *whole, rest = self._buffer.split(b"\0")
        self._buffer = rest
        for raw in whole:
            self._take(json.loads(raw))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._replies[message["id"]] = message
        elif message.get("sessionId") in self._pages:
            self._pages[message["sessionId"]].take(message["method"], message["params"])

    def _write(self, raw: bytes) -> None:
        view = memoryview(raw)
        while view:
            try:
                view = view[os.write(self._writing, view) :]
            except BrokenPipeError as error:
                raise BrowserFailed("the browser is gone\n" + self._last_words()) from error

    def _last_words(self) -> str:
        return self._log.read_text("utf-8", "replace")[-2000:]


class Page:
    """One tab. Lengths are CSS pixels."""

    def __init__(self, browser: Chromium, session: str, folder: Path | None) -> None:
        self._browser = browser
        self._session = session
        self._within = folder.resolve().as_uri() + "/" if folder is not None else None
        self._media: dict[str, str] = {}
        self._loads = 0
        self.medium = ""
        self.troubles: list[str] = []
        self.requests: list[str] = []

    def open(self) -> Self:
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self._call(f"{domain}.enable")
        self._call("Emulation.setFocusEmulationEnabled", enabled=True)
        return self

    def emulate(
        self,
        *,
        width: int = 1000,
        height: int = 740,
        scheme: str | None = None,
        is_still: bool | None = None,
        has_script: bool = True,
        has_touch: bool = False,
    ) -> Self:
        """The window's size, and what the reader prefers: `scheme` is `light` or `dark`, `is_still`
        asks for no motion. What is None stays as it was. `medium` of the page is shown, `print` or
        "" for the screen.
        """
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        if scheme is not None:
            self._media["prefers-color-scheme"] = scheme
        if is_still is not None:
            self._media["prefers-reduced-motion"] = "reduce" if is_still else "no-preference"
        features = [{"name": name, "value": value} for name, value in self._media.items()]
        self._call("Emulation.setEmulatedMedia", media=self.medium, features=features)
        self._call("Emulation.setScriptExecutionDisabled", value=not has_script)
        self._call("Emulation.setTouchEmulationEnabled", enabled=has_touch)
        return self

    def run_first(self, script: str) -> None:
        """Let this run in every page that is loaded from now on, before the page's own scripts."""
        self._call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def visit(self, place: Path | str) -> Self:
        """Load a file (or an address) and wait for its `load`, and as long as it says that it is
        busy; another fragment of the page that is shown loads nothing.
        """
        url = place if isinstance(place, str) else place.resolve().as_uri()
        before = self._loads
        went = self._call("Page.navigate", url=url)
        if went.get("errorText"):
            raise BrowserFailed(f"{url}: {went['errorText']}")
        until = time.monotonic() + _SECONDS
        while "loaderId" in went and self._loads == before:
            if time.monotonic() > until:
                raise BrowserFailed(f"{url}: not loaded in {_SECONDS:.0f} s")
            self._browser.pump(1.0)
        self.wait_for("document.documentElement?.ariaBusy !== 'true'")
        return self

    def evaluate(self, expression: str) -> Any:
        """Its value, as JSON has it; a promise is waited for. Raises `ScriptFailed`."""
        done = self._call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in done:
            raise ScriptFailed(_told(done["exceptionDetails"]))
        return done["result"].get("value")

    def apply(self, function: str, *values: object) -> Any:
        """What a function of JavaScript makes of these values."""
        return self.evaluate(f"({function})(...{json.dumps(values)})")

    def wait_for(self, expression: str) -> bool:
        """Whether it comes true while patience lasts; a page that is being left is no error."""
        until = time.monotonic() + self._browser.patience
        while True:
            try:
                if self.evaluate(expression):
                    return True
            except BrowserFailed:
                pass  # its context went with the page that was left
            if time.monotonic() > until:
                return False
            self._browser.pump(0.02)

    def press(self, key: str, modifiers: int = 0) -> None:
        """One key, by its name in the web's events (`ArrowLeft`, `b`, ` `)."""
        text = key if len(key) == 1 else ""
        code = KEYS[key] if key in KEYS else ord(key.upper())
        same = {
            "key": key,
            "code": key if text == "" else {" ": "Space"}.get(key, f"Key{key.upper()}"),
            "windowsVirtualKeyCode": code,
            "modifiers": modifiers,
        }
        kind = "keyDown" if text else "rawKeyDown"
        self._call("Input.dispatchKeyEvent", type=kind, text=text, **same)
        self._call("Input.dispatchKeyEvent", type="keyUp", **same)

    def tap(self, x: float, y: float) -> None:
        """A finger, down and up again; the page needs `has_touch`."""
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def turn_wheel(self, x: float, y: float, by: float) -> None:
        self._call(
            "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by
        )  # fmt: skip

    def shoot(self, clip: Mapping[str, float] | None = None, *, is_whole: bool = False) -> bytes:
        """A PNG of the window, of the whole page, or of a rectangle (x, y, width, height)."""
        asked: dict[str, Any] = {"format": "png", "captureBeyondViewport": is_whole}
        if clip is not None:
            asked["clip"] = {**clip, "scale": 1}
        elif is_whole:
            size = self._call("Page.getLayoutMetrics")["cssContentSize"]
            asked["clip"] = {"x": 0, "y": 0, **_size(size), "scale": 1}
        return base64.b64decode(self._call("Page.captureScreenshot", **asked)["data"])

    def take(self, method: str, said: dict[str, Any]) -> None:
        """What the browser says of this page."""
        if method == "Page.loadEventFired":
            self._loads += 1
        elif method == "Runtime.exceptionThrown":
            self.troubles.append("error: " + _told(said["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            words = (str(arg.get("value", arg.get("description"))) for arg in said["args"])
            self.troubles.append("console: " + " ".join(words))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.troubles.append(f"log: {said['entry']['text']} {said['entry'].get('url', '')}")
        elif method in ("Network.requestWillBeSent", "Network.webSocketCreated"):
            self._note(said["request"]["url"] if "request" in said else said["url"])

    def _note(self, url: str) -> None:
        self.requests.append(url)
        is_inside = self._within is None or url.startswith((self._within, "data:", "blob:file:"))
        if not is_inside:
            self.troubles.append(f"request: {url}")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)


def _pipe() -> Sequence[int]:
    """Two ends, with numbers that are not those a child gets them under."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 64) for end in ends]
    for end in ends:
        os.close(end)
    return high


def _told(details: Mapping[str, Any]) -> str:
    thrown = details.get("exception", {}).get("description") or details["text"]
    return f"{thrown} ({details.get('url', '')}:{details.get('lineNumber', 0) + 1})"


def _size(box: Mapping[str, float]) -> dict[str, float]:
    return {"width": box["width"], "height": box["height"]}


@contextmanager
def running_chromium(program: str, patience: float = PATIENCE) -> Iterator[Chromium]:
    """A browser with a home of its own."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    browser = Chromium(program, folder, patience)
    try:
        yield browser
    finally:
        browser.stop()
        shutil.rmtree(folder, ignore_errors=True)


__all__ = [
    "ALT",
    "BrowserFailed",
    "Chromium",
    "Page",
    "ScriptFailed",
    "find_chromium",
    "look_for_chromium",
    "running_chromium",
]
