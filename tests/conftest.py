"""Settings that every test shares."""

import gc
import os

import pytest
import structlog
from hypothesis import HealthCheck, settings

from pbem.logs import processors
from tests.rings import IS_ALL, at_length, sampled

pytest_plugins = ["tests.servers.postgres"]

settings.register_profile(
    "default",
    max_examples=at_length(15, 30),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

structlog.configure(processors=processors(json_lines=True))
"""Lines of the log are those of the service: as they come, structlog draws every variable of a
traceback, for seconds.
"""


_LONG = (
    *("browser/test_archive.py", "demo/test_commands.py", "demo/test_demonstration.py"),
    *("house/test_table_of_eight.py", "house/test_kills_from_outside.py"),
    *("house/test_by_mail_alone.py", "scale/test_whole_game.py", "desk/whole/test_kills.py"),
    *("hostile/test_hostile.py", "desk/whole/test_twice.py", "store/test_migrations.py"),
    *("games/reading/test_offers.py", "games/reading/test_small_talk.py", "tests/test_facts.py"),
)
"""Files that take long: they go first, so that in the end no worker waits for another
one's.
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not str(item.path).endswith(_LONG))
    if IS_ALL or config.getoption("markexpr"):
        return
    rows: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("long"):
            rows.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {
        id(item)
        for tests in rows.values()
        for mark in [tests[0].get_closest_marker("sample")]
        for item in (tests if mark is None else sampled(tests, mark.args[0]))
    }
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
        items[:] = [item for item in items if id(item) in kept]


def pytest_collection_finish() -> None:
    """Let the collector look at what was collected no more: thousands of tests that stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted: `record_property("figures", "...")`."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "figures" and report.when == "call":
                    terminalreporter.write_line(str(value))
    _write_counts(terminalreporter)


def _write_counts(terminalreporter: pytest.TerminalReporter) -> None:
    """What families of mails came to: `record_property("counted", (title, family, {"sent": 5,
    "accepted": 0}))`, with a sum for each title.
    """
    tables: dict[str, dict[str, dict[str, int]]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "counted" and report.when == "call":
                    title, family, counts = value
                    tables.setdefault(title, {})[family] = dict(counts)
    for title, families in sorted(tables.items()):
        terminalreporter.section(title)
        words = list(next(iter(families.values())))
        together = {word: sum(counts[word] for counts in families.values()) for word in words}
        for family, counts in [*sorted(families.items()), ("together", together)]:
            terminalreporter.write_line(
                f"{family:34}" + "".join(f"{counts[word]:6} {word}" for word in words)
            )
