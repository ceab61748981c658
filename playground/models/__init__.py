"""The rows: chat models, threads, runs with their events, exchanges, tags and notes, calls made by hand, logs brought from elsewhere."""

from playground.models.chat_model import ChatModel
from playground.models.hand_call import HandCall
from playground.models.run import Run, RunEvent, Thread
from playground.models.run_exchange import RunExchange
from playground.models.run_import import RunImport
from playground.models.run_note import RunNote
from playground.models.run_tag import RunTag

__all__ = ["ChatModel", "HandCall", "Run", "RunEvent", "RunExchange", "RunImport", "RunNote", "RunTag", "Thread"]
