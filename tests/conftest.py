"""Settings for all tests."""

import os
import signal

from hypothesis import HealthCheck, settings

from support.optional_parts import (
    pytest_configure,
    pytest_make_collect_report,
    pytest_runtest_makereport,
    pytest_terminal_summary,
)

__all__ = [
    "pytest_configure",
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
    "pytest_terminal_summary",
]

# Modules that tests share hold no tests, and some import what only their users need.
collect_ignore = ["support"]

# Commands speak the terminal's language; tests read English unless they ask for another.
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"

# A shell that runs the tests in the background may make them ignore Ctrl-C, which they test.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more about the machine than about the code.
settings.register_profile(
    "sumito", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("sumito")
