"""The real MCP servers and the model endpoint that tests of the whole product use."""

from tests.catalog.conftest import submitted
from tests.model_endpoint import model_endpoint
from tests.servers import everything_http

__all__ = ["everything_http", "model_endpoint", "submitted"]
