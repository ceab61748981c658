"""The rows: chat models, threads, sets of lanes, runs and all that hangs on them, calls by hand, logs brought along, tasks tried."""

from playground.models.chat_model import ChatModel
from playground.models.hand_call import HandCall
from playground.models.held_call import HeldCall
from playground.models.lane_set import LaneSet
from playground.models.run import Run, RunEvent, Thread
from playground.models.run_exchange import RunExchange
from playground.models.run_import import RunImport
from playground.models.run_note import RunNote
from playground.models.run_review import RunFinding, RunReview, RunSearch
from playground.models.run_tag import RunTag
from playground.models.shared_run import SharedRun
from playground.models.task_evaluation import TaskEvaluation, TaskTrial

__all__ = [
    "ChatModel",
    "HandCall",
    "HeldCall",
    "LaneSet",
    "Run",
    "RunEvent",
    "RunExchange",
    "RunFinding",
    "RunImport",
    "RunNote",
    "RunReview",
    "RunSearch",
    "RunTag",
    "SharedRun",
    "TaskEvaluation",
    "TaskTrial",
    "Thread",
]
