"""The rows: chat models, threads, runs and their events, calls made by hand."""

from playground.models.chat_model import ChatModel
from playground.models.hand_call import HandCall
from playground.models.run import Run, RunEvent, Thread

__all__ = ["ChatModel", "HandCall", "Run", "RunEvent", "Thread"]
