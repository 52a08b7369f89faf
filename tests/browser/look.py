"""A picture of every page of an archive, in the light and in the dark, at three widths, for people.

`turns/07.html` becomes `OUT/turns-07.dark.360.png`.
"""

import argparse
import sys
from itertools import product
from pathlib import Path

from tests.browser.chromium import Chromium, look_for_chromium, running_chromium
from tests.browser.site import Site

WIDTHS = (360, 768, 1200)
SCHEMES = ("light", "dark")
_WINDOW = 740
_HIGHEST = 16_000
"""A picture can be so high at most."""


def shoot_pages(browser: Chromium, folder: Path, out: Path) -> list[Path]:
    """The pictures, written to `out`."""
    site = Site(browser, folder)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for scheme, width in product(SCHEMES, WIDTHS):
        for page, tab in site.shown(site.pages, scheme=scheme, is_still=True):
            tab.emulate(width=width, height=_WINDOW)
            high: int = tab.evaluate("Math.ceil(document.documentElement.scrollHeight)")
            tab.emulate(width=width, height=min(high, _HIGHEST))
            tab.wait_for("[...document.images].every((one) => one.complete)")
            name = site.name(page).removesuffix(".html").replace("/", "-")
            file = out / f"{name}.{scheme}.{width}.png"
            file.write_bytes(tab.shoot())
            written.append(file)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.look", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT")
    asked = parser.parse_args()
    if (program := look_for_chromium()) is None:
        sys.exit("chromium is not installed (Debian: chromium)")
    with running_chromium(program) as browser:
        for file in shoot_pages(browser, asked.folder, asked.out):
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
