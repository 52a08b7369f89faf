"""Look archives over in a browser, and say what is wrong with them."""

import argparse
import sys
import time
from pathlib import Path

from tests.browser.checks import CHECKS
from tests.browser.chromium import look_for_chromium, running_chromium
from tests.browser.site import Site


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.browser", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--only", action="append", choices=list(CHECKS), metavar="CHECK")
    asked = parser.parse_args()
    if (program := look_for_chromium()) is None:
        sys.exit("chromium is not installed (Debian: chromium)")
    wrong = 0
    with running_chromium(program) as browser:
        for folder in asked.folders:
            for name in asked.only or CHECKS:
                began = time.monotonic()
                said = CHECKS[name](Site(browser, folder))
                wrong += len(said)
                seconds = time.monotonic() - began
                sys.stdout.write(f"{folder.name:20} {name:16} {seconds:5.1f} s  {len(said)}\n")
                sys.stdout.writelines(f"    {one}\n" for one in said)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
