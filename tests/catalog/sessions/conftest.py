"""Servers that the tests of sessions talk to."""

from tests.servers import everything_http

__all__ = ["everything_http"]
