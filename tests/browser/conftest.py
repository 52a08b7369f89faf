"""One browser for all tests of a worker process."""

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium, find_chromium, running_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with running_chromium(find_chromium()) as browser:
        yield browser
