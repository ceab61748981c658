"""What the agent's tests share: the sample's office agent, a runner that plays its tools, and a model that follows a plan."""

from tests.model_endpoint import model_endpoint

__all__ = ["model_endpoint"]
