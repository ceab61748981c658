"""Servers that the tests of sources talk to."""

from tests.servers import everything_http, modern_http

__all__ = ["everything_http", "modern_http"]
