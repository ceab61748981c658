"""A plug-in for pytest that writes down how each test went: `-p … --told FILE`, one JSON text a line."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--told", help="the file that is told of every test")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or (report.when == "setup" and not report.passed):
        error = call.excinfo.value if call.excinfo else None
        told = {
            "test": item.nodeid.partition("[")[0],
            "outcome": report.outcome if report.when == "call" or report.skipped else "not begun",
            "error": type(error).__name__ if error else "",
            "asserts": error is not None and _asserts(error),
            "threats": [mark.args[0] for mark in item.iter_markers("threat")],
        }
        with Path(item.config.getoption("--told")).open("a") as file:
            file.write(json.dumps(told) + "\n")
    return report


def _asserts(error: BaseException) -> bool:
    """Whether the test itself found what is not so: an assertion, or something that was to be raised and was not."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(_asserts, error.exceptions))
    return isinstance(error, AssertionError | pytest.fail.Exception)
