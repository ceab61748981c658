"""The product as an ASGI application whose models take their time: served by tests in a process that they can kill."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.asgi import application  # noqa: E402  (models load only once Django is set up)
from playground.runs import assembling  # noqa: E402
from tests.playground.runs.doubles import PlannedModel, calls, says  # noqa: E402

__all__ = ["application"]

SLOW = PlannedModel(calls("team__notify_user"), says(*["and on "] * 5_000), pace=0.02)
setattr(assembling, "LiteLLMModel", lambda *_, **__: SLOW)  # noqa: B010  (the one patch: the network)
