"""The two controls, without discovery: every tool in view, and only those in view from the start."""

from typing import ClassVar

from catalog.search.engine import Engine
from catalog.search.settings import DEFAULTS, TypedSettings
from catalog.tools import ToolPool, ToolSpec
from playground.modes.protocol import ALONE, Answer, Offer, Session
from playground.transcript import ToolCall, Transcript

INSTRUCTIONS = "You complete tasks by calling tools. If no tool fits, say so plainly."


class _Control:
    meta_tools: ClassVar[tuple[ToolSpec, ...]] = ()
    default_engine: ClassVar[str] = "pegboard"
    Options: ClassVar[type[TypedSettings]] = TypedSettings

    def __init__(
        self, pool: ToolPool, engine: Engine, options: TypedSettings = DEFAULTS, session: Session = ALONE
    ) -> None:
        self._pool = pool

    def answer(self, call: ToolCall, transcript: Transcript) -> Answer:
        return Answer(f"no meta-tool is named {call.name}", is_error=True)


class Everything(_Control):
    slug: ClassVar[str] = "everything"
    title: ClassVar[str] = "Everything"
    summary: ClassVar[str] = "No search: the model is sent every tool with every call, as without tool search."
    source: ClassVar[str] = "the control"

    def offer(self, transcript: Transcript) -> Offer:
        upfront = self._pool.upfront
        return Offer((*upfront, *self._pool.deferred), (), INSTRUCTIONS)


class Nothing(_Control):
    slug: ClassVar[str] = "none"
    title: ClassVar[str] = "Upfront only"
    summary: ClassVar[str] = "No search: the model has the tools in view from the start and no way to others."
    source: ClassVar[str] = "the control"

    def offer(self, transcript: Transcript) -> Offer:
        return Offer(self._pool.upfront, self._pool.deferred, INSTRUCTIONS)
