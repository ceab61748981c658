"""The endpoint of embedding models."""

from tests.model_endpoint import model_endpoint

__all__ = ["model_endpoint"]
