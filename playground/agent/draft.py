"""A model's answer while it streams in: pieces become text and calls, each call with an id of its own."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from catalog.prompt_size import estimate_text
from playground.agent.chat_model import CallPiece, Finished, ModelFailed, Piece, TextPiece
from playground.agent.spending import Usage
from playground.agent.well_formed import well_formed
from playground.transcript import AssistantMessage, ProviderSearch, ToolCall


@dataclass(slots=True)
class _CallDraft:
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def is_another(self, piece: CallPiece) -> bool:
        """Whether a piece at the same index begins a second call, as some endpoints number every call 0."""
        if piece.id and self.id:
            return piece.id != self.id
        return bool(piece.name and self.name and self.arguments)


class Draft:
    """Raises ModelFailed when the answer grows beyond `most_characters`."""

    def __init__(self, most_characters: int) -> None:
        self.finished: Finished | None = None
        self.used = Usage(0, 0)
        """What the answer took, once someone has counted it."""
        self.cost: float | None = None
        """In dollars, once it is counted and where a price is known."""
        self._most_characters = most_characters
        self._characters = 0
        self._text: list[str] = []
        self._calls: list[_CallDraft] = []
        self._open: dict[int, _CallDraft] = {}
        self._searches: list[ProviderSearch] = []

    @property
    def has_begun(self) -> bool:
        return bool(self._text or self._calls or self._searches)

    @property
    def finish_reason(self) -> str:
        return self.finished.reason if self.finished else ""

    def usage(self, prompt_tokens: int) -> Usage:
        """What the whole answer took: the provider's figures; where it gave none, estimates, of which `prompt_tokens` is one.

        Takes a second for the longest of answers: not for the event loop.
        """
        end = self.finished
        prompt = end.prompt_tokens if end else None
        completion = end.completion_tokens if end else None
        if completion is None:
            parts = (part for call in self._calls for part in (call.name, *call.arguments))
            completion = estimate_text("".join((*self._text, *parts)))
        if end is None or prompt is None:
            return Usage(prompt_tokens, completion)
        return Usage(prompt, completion, end.cached_tokens or 0, end.written_tokens or 0)

    def add(self, piece: Piece) -> None:
        match piece:
            case TextPiece(text):
                self._grow(text)
                self._text.append(text)
            case CallPiece():
                self._grow(piece.arguments)
                self._add_call_piece(piece)
            case ProviderSearch(query=query):
                self._grow(query)
                self._searches.append(piece)
            case Finished():
                self.finished = piece

    def to_message(self, turn: int, taken: Collection[str]) -> AssistantMessage:
        """The whole answer. An id that is missing, or in `taken`, is replaced: a call has its id to itself in a run."""
        used = set(taken)
        searches = [
            replace(search, id=_free(search.id, f"search_{turn}_{number}", used), query=well_formed(search.query))
            for number, search in enumerate(self._searches, start=1)
        ]
        calls: list[ToolCall] = []
        for number, call in enumerate(self._calls, start=1):
            call_id = _free(call.id, f"call_{turn}_{number}", used)
            calls.append(ToolCall(call_id, call.name or "unnamed", well_formed("".join(call.arguments))))
        return AssistantMessage("".join(self._text), tuple(calls), tuple(searches))

    def _grow(self, text: str) -> None:
        self._characters += len(text) or 1
        if self._characters > self._most_characters:
            raise ModelFailed("bad stream", f"the answer is longer than {self._most_characters:,} characters")

    def _add_call_piece(self, piece: CallPiece) -> None:
        call = self._open.get(piece.index)
        if call is None or call.is_another(piece):
            call = _CallDraft(piece.id)
            self._open[piece.index] = call
            self._calls.append(call)
        call.id = call.id or well_formed(piece.id)
        call.name = call.name or well_formed(piece.name)
        if piece.arguments:
            call.arguments.append(piece.arguments)


def _free(wanted: str, instead: str, used: set[str]) -> str:
    """An id that is not in `used`, which has it from then on."""
    free = wanted if wanted and wanted not in used else instead
    while free in used:
        free += "_"
    used.add(free)
    return free
