"""Servers that the tests of sources talk to."""

from tests.servers import everything_http, everything_sse, modern_http

__all__ = ["everything_http", "everything_sse", "modern_http"]
