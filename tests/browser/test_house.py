"""The index of a house in a real browser: as a file, and from a web server with the policy of our
sample.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

from pbem.archive.catalogue import THUMBNAIL
from pbem.archive.feeds import CALENDAR, FEED, calendar_of, game_feed
from pbem.archive.folder import write_files
from pbem.archive.house import write_house
from tests.archive.shelves import BASE_URL, HALL, ON_THE_WEB, cards
from tests.browser import reading, replay
from tests.browser.chromium import Chromium
from tests.browser.site import Site
from tests.deploy.test_web import policy

pytestmark = pytest.mark.servers

CHECKS = (
    reading.check_requests,
    reading.check_widths,
    reading.check_stillness,
    reading.check_contrast,
    reading.check_pictures,
    reading.check_print,
    replay.check_targets,
)
PAGE = b'<!doctype html><html lang="en"><title>Game</title><main><h1>A game</h1></main></html>'
SHOWN = (
    "[...document.querySelectorAll('.games > li')].filter((one) => one.checkVisibility()).length"
)


class Index(Site):
    """The page of the house alone: what lies below is looked over by itself."""

    @property
    def pages(self) -> list[Path]:
        return [self.index]

    @property
    def kinds(self) -> list[Path]:
        return self.pages


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("house")
    for card in cards():
        files = {"index.html": PAGE, CALENDAR: calendar_of(card)}
        write_files(out / card.slug, {**files, FEED: game_feed(card, BASE_URL, "house")})
        Image.new("RGB", (480, 480), "#789").save(out / card.slug / THUMBNAIL)
    write_house(out, ON_THE_WEB, cards(), HALL)
    return out


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_index_is_sound(check: object, chromium: Chromium, folder: Path) -> None:
    assert callable(check)
    assert check(Index(chromium, folder)) == []


def test_without_a_script_every_game_is_there_and_no_filter(
    chromium: Chromium, folder: Path
) -> None:
    with Index(chromium, folder).opened(has_script=False) as tab:
        assert tab.evaluate(SHOWN) == 3
        assert tab.evaluate("document.querySelector('#filters').checkVisibility()") is False


def test_filters_leave_the_games_that_fit_all_of_them(chromium: Chromium, folder: Path) -> None:
    with Index(chromium, folder).opened() as tab:

        def choose(name: str, value: str) -> tuple[int, str]:
            tab.evaluate(
                f"(() => {{ const one = document.querySelector('select[name={name}]');"
                f" one.value = '{value}';"
                " one.dispatchEvent(new Event('change', { bubbles: true })); })()"
            )
            said = tab.evaluate("document.querySelector('#shown').textContent")
            return tab.evaluate(SHOWN), said

        assert tab.evaluate(SHOWN) == 3
        assert choose("player", "Fenna") == (1, "1 of 3 games")
        assert choose("size", "3") == (0, "0 of 3 games")
        assert choose("player", "Anna") == (1, "1 of 3 games")
        assert choose("size", "") == (3, "3 of 3 games")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """As a web server with our sample would serve it; its address."""
    rules = "; ".join(f"{name} {' '.join(allowed)}" for name, allowed in policy().items())

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", rules)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def test_nothing_of_it_is_blocked_by_the_policy_of_the_sample_for_a_web_server(
    chromium: Chromium, folder: Path
) -> None:
    with served(folder) as address, chromium.page() as tab:
        tab.visit(f"{address}index.html")
        tab.wait_for("[...document.images].every((one) => one.complete)")
        assert [one for one in tab.troubles if "favicon" not in one] == []
        assert tab.evaluate("document.querySelector('#filters').checkVisibility()") is True
        assert tab.evaluate("document.images[0].naturalWidth") == 480
        asked = tab.evaluate("fetch('index.html').then(() => 'sent', () => 'refused')")
        assert asked == "refused"
