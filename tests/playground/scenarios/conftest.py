"""What scenarios share: the endpoint on loopback that follows a plan."""

from tests.model_endpoint import model_endpoint

__all__ = ["model_endpoint"]
