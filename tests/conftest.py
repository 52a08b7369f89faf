"""Settings that every test shares."""

import os

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.servers.postgres"]

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted: `record_property("figures", "...")`."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "figures" and report.when == "call":
                    terminalreporter.write_line(str(value))
