"""Every check catches what it is for; that it passes a good archive `test_archive.py` holds."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.browser import reading
from tests.browser.checks import CHECKS
from tests.browser.chromium import Chromium, find_chromium, running_chromium
from tests.browser.look import SCHEMES, WIDTHS, shoot_pages
from tests.browser.sample import write_sample
from tests.browser.site import Site
from tests.rings import IS_ALL

pytestmark = pytest.mark.servers

INDEX, TURN, DATA = "index.html", "turns/02.html", "game.js"
NEVER = "prefers-color-scheme: never"
BAD = (
    ("contract", INDEX, 'id="prev"', 'id="before"', "no #prev"),
    ("requests", INDEX, "read();\n<", "read();\nnone.at(1);\n<", "none is not defined"),
    ("requests", INDEX, "read();\n<", 'console.error("so");\nread();\n<', "console: so"),
    ("requests", TURN, "<h1>", '<img src="//example.org/a.png"><h1>', "example.org/a.png"),
    ("requests", TURN, "<h1>", '<img src="lost.png"><h1>', "lost.png"),
    ("requests", TURN, "<h1>", '<img src="/etc/hostname"><h1>', "request: file:///etc/hostname"),
    ("requests", TURN, "<h1>", '<link rel="icon" href="https://example.org/i"><h1>', "asked: "),
    ("requests", INDEX, "turns/01.html", "turns/10.html", "linked: "),
    ("widths", TURN, "<p>", '<p style="width:420px">', "02.html at 360: scrollWidth"),
    (
        "widths",
        TURN,
        "<main>",
        '<main style="overflow:hidden"><b style="display:block;width:500px">long</b>',
        "at 320: cut off: <b>",
    ),
    ("owners", INDEX, '?? "";\n  slider', "?? 1;\n  slider", 'P3 shows "1", held by ""'),
    (
        "owners",
        INDEX,
        "e.dataset.holder = GAME",
        "if (at) e.dataset.holder = GAME",
        't1-orders, by its address: P3 shows "1"',
    ),
    ("owners", INDEX, "slider.value = at", "slider.value = 0", "the slider stands at 0, not 3"),
    ("owners", INDEX, ".onclick = () => show(at + 1)", ".onclick = () => show(at + 2)", "#next"),
    ("addresses", INDEX, 'addEventListener("hashchange"', 'void ("hashchange"', "location.hash = "),
    ("addresses", INDEX, "if (!keys.includes(key))", "if (!key)", "a wrong address"),
    ("addresses", INDEX, "replaceState", "pushState", "#next adds"),
    (
        "addresses",
        INDEX,
        'history.replaceState(null, "",',
        'void (null, "",',
        "after #next: shows t1-dragon at #t1-orders",
    ),
    (
        "addresses",
        INDEX,
        "  draw();\n}\nfunction read",
        '  draw();\n  document.querySelector("#board").style.opacity = 0.5;\n}\nfunction read',
        "one picture when opened",
    ),
    ("hands", INDEX, "ArrowLeft: () => show(at - 1),", "", "ArrowLeft at t1-dragon"),
    ("hands", INDEX, "e.altKey ||", "", "Alt and ArrowLeft"),
    ("hands", INDEX, "skip(1)", "skip(-1)", "ArrowUp and ArrowDown at t2-orders go"),
    (
        "hands",
        INDEX,
        "  e.preventDefault();\n",
        "",
        "ArrowRight on #slider",
    ),
    ("hands", INDEX, "stop()), 1500)", "show(0)), 1500)", "play goes on from the last"),
    ("hands", INDEX, "1500)", "100)", "plays a step in 100 ms"),
    ("hands", INDEX, '" ": play', '" ": stop', "plays a step in 10000 ms"),
    ("hands", INDEX, "if (timer) return stop();", "", "paused, and goes on"),
    ("hands", INDEX, "show(at, e.target.dataset.area)", "show(at)", "a tap on P1 leads to"),
    ("hands", INDEX, '("#prev").onclick', '("#prev").onblur', "a tap on #prev"),
    ("hands", INDEX, "height: 44px; margin", "height: 20px; margin", "#slider"),
    ("hands", TURN, "min-height: 44px", "max-height: 20px", '02.html: <a> "The replay" is'),
    ("hands", TURN, "<p>", '<ul><li><a href="#">so</a></li></ul><p>', 'the link "so" is'),
    ("without-script", INDEX, 'href="turns/02.html"', 'data-to="turns/02.html"', "no link leads"),
    ("without-script", TURN, "h1>", "h2>", "no heading"),
    ("without-script", TURN, 'width="300"', 'width="30"', "no board"),
    (
        "without-script",
        TURN,
        "</main>",
        "</main><script>document.body.append('So a dragon came by night and burnt it')</script>",
        "only with script: ['a'",
    ),
    ("stillness", INDEX, "path { transition: none; }", "path { }", "CSSTransition of fill"),
    (
        "stillness",
        TURN,
        "<h1>",
        "<style>@keyframes k { to { opacity: 0; } } h1 { animation: k 9s; }</style><h1>",
        "CSSAnimation of k on <h1>",
    ),
    (
        "stillness",
        TURN,
        "<h1>",
        (
            '<svg width="9" height="9"><rect width="9" height="9">'
            '<animate attributeName="x" to="9" dur="9s"/></rect></svg><h1>'
        ),
        "<animate>",
    ),
    ("contrast", TURN, "--ink: #222", "--ink: #888", '02.html, light: 3.54:1 in <h1> "Turn 2'),
    ("contrast", TURN, "--ink: #eee", "--ink: #555", "02.html, dark: 2.4"),
    ("contrast", TURN, "prefers-color-scheme: dark", NEVER, "ground has the luminance 1.00"),
    ("contrast", TURN, "<p>", '<p style="opacity: 0.4">', 'in <p> "Anna marches'),
    (
        "contrast",
        INDEX,
        "</svg></figure>",
        (
            '<rect y="30" width="80" height="30" fill="#346"/>'
            '<text x="2" y="50" fill="#235">Anna</text></svg></figure>'
        ),
        'in <text> "Anna"',
    ),
    ("contrast", TURN, '<html lang="en">', "<html>", "axe html-has-lang"),
    ("contrast", INDEX, 'aria-label="Step"', "", "axe label"),
    ("pictures", TURN, 'width="300" ', "", "board.png: no width and height"),
    ("pictures", TURN, 'height="200" alt', 'height="300" alt', "300 x 300, but it is 30 x 20"),
    ("pictures", TURN, ": Anna holds P1, Bartek holds P2", "", 'alt "The board after turn 2"'),
    ("pictures", TURN, "<h1>", '<img src="../board.png" width="30" height="20"><h1>', "no alt"),
    ("pictures", TURN, "<h1>", '<noscript><img src="../board.png"></noscript><h1>', "no width"),
    ("pictures", INDEX, ": a row a province, a column a close", "", 'name "Who held what"'),
    ("plots", INDEX, 'data-plot="holds"', 'data-plot="points"', "no figure.plot"),
    ("plots", INDEX, 'data-area="P3" data-first', "data-first", "P3 is held, and has no row"),
    ("plots", DATA, '"P2": 1, "P3": 2', '"P2": 2, "P3": 2', 'P2: the cell has "1", held by "2"'),
    ("first-screen", INDEX, "#board { width: 300px", "#board { margin-top: 500px", "#slider is at"),
    ("first-screen", INDEX, "<h1>", "<h1 hidden>", "h1 is not shown"),
    ("first-screen", INDEX, '<button class="chip">Anna', "<button>Anna", "1 chips for 2 players"),
    ("print", TURN, "@media screen and", "@media", "02.html, on paper: the page's ground"),
    (
        "first-screen",
        INDEX,
        "main>",
        'main style="display:flex;flex-flow:column-reverse">',
        "order",
    ),
)
"""A check, a file of the sample with what is put in place of what, and what the check then says."""


@pytest.fixture(scope="module")
def hasty() -> Iterator[Chromium]:
    """It does not wait long for what a bad archive never does."""
    with running_chromium(find_chromium(), patience=1.0) as browser:
        yield browser


FIRST = {row[0]: row for row in reversed(BAD)}.values()
"""One a check."""


@pytest.mark.parametrize(
    ("check", "file", "old", "new", "complaint"), BAD if IS_ALL else tuple(FIRST)
)
def test_a_bad_archive_is_caught(
    check: str, file: str, old: str, new: str, complaint: str, hasty: Chromium, tmp_path: Path
) -> None:
    said = CHECKS[check](Site(hasty, write_sample(tmp_path, {file: (old, new)})))
    assert any(complaint in one for one in said), said


def test_every_check_has_a_bad_archive_that_it_catches() -> None:
    assert {row[0] for row in BAD} == CHECKS.keys() - {"bytes"}


def test_a_heavy_archive_is_caught_and_what_stands_apart_is_not_weighed(
    chromium: Chromium, tmp_path: Path
) -> None:
    site = Site(chromium, write_sample(tmp_path))
    (tmp_path / "stage").mkdir()
    (tmp_path / "stage" / "log.txt").write_bytes(bytes(reading.BYTES))
    assert CHECKS["bytes"](site) == []
    (tmp_path / "film.webp").write_bytes(bytes(reading.BYTES))
    assert f"film.webp ({reading.BYTES:,})" in CHECKS["bytes"](site)[0]


def test_a_moving_picture_is_no_stillness(chromium: Chromium, tmp_path: Path) -> None:
    write_sample(tmp_path)
    frames = [Image.new("RGB", (30, 20), colour) for colour in ("#789", "#987")]
    frames[0].save(tmp_path / "board.png", save_all=True, append_images=frames[1:])
    site = Site(chromium, tmp_path)
    moving = [f"{site.name(page)}: board.png" for page in site.kinds if page in site.turns]
    assert CHECKS["stillness"](site) == moving != []


def test_people_get_a_picture_of_every_page(chromium: Chromium, tmp_path: Path) -> None:
    shutil.copytree(write_sample(tmp_path / "whole") / "turns", tmp_path / "some" / "turns")
    shot = shoot_pages(chromium, tmp_path / "some", tmp_path / "shots")
    assert len(shot) == 2 * len(SCHEMES) * len(WIDTHS)
    assert (tmp_path / "shots" / "turns-02.dark.768.png") in shot
    grounds = set()
    for file in shot:
        with Image.open(file) as picture:
            assert picture.width == int(file.suffixes[-2][1:])
            assert picture.height >= 740
            grounds.add((file.suffixes[-3], picture.convert("RGB").getpixel((2, 2))))
    assert grounds == {(".light", (255, 255, 255)), (".dark", (23, 21, 19))}


def test_the_audit_is_the_one_that_its_note_names() -> None:
    data = Path(reading.__file__).with_name("data")
    found = hashlib.sha256((data / "axe.min.js").read_bytes()).hexdigest()
    note = (data / "README.md").read_text("utf-8")
    assert re.findall(r"\b[0-9a-f]{64}\b", note) == [found]
