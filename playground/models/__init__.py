"""The rows: chat models, threads, runs and their events."""

from playground.models.chat_model import ChatModel
from playground.models.run import Run, RunEvent, Thread

__all__ = ["ChatModel", "Run", "RunEvent", "Thread"]
