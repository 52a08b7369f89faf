"""The world that hostile mails are sent into, made once for each worker."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
import structlog

from tests.hostile.world import World, build_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return asyncio.run(build_world(tmp_path_factory.mktemp("world")))


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Thousands of mails write tens of thousands of lines that nobody reads."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    yield
    structlog.configure(**before)
