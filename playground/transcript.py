"""The messages of a run, as the model has them; what is loaded is read off them and kept nowhere else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from catalog.sources.json_text import load_strict


class BadArguments(ValueError):
    """The arguments of a call are not one JSON object; the message says so in words fit for the model."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it: `arguments` is its JSON text, which may be broken."""

    id: str
    name: str
    arguments: str = "{}"

    @property
    def is_whole(self) -> bool:
        """Whether the arguments can be read."""
        try:
            self.read_arguments()
        except BadArguments:
            return False
        return True

    def read_arguments(self, *, last_counts: bool = True) -> dict[str, Any]:
        """The arguments as an object; none at all count as `{}`. `last_counts`: of a key that stands twice, as for most
        parsers; else it is refused. Raises BadArguments.
        """
        try:
            value = load_strict(self.arguments or "{}", last_counts=last_counts)
        except ValueError as error:
            raise BadArguments(f"the arguments are not valid JSON: {error}") from None
        if not isinstance(value, dict):
            raise BadArguments(f"the arguments must be a JSON object, not {type(value).__name__}")
        return value


@dataclass(frozen=True, slots=True)
class UserMessage:
    text: str


@dataclass(frozen=True, slots=True)
class ProviderSearch:
    """A search that the model's provider made amid an answer, over the tools handed to it; `names` are what it loaded.

    `arguments` is the JSON text of what it asked for, where that is more than a query.
    """

    id: str
    query: str
    names: tuple[str, ...] = ()
    problem: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    text: str
    calls: tuple[ToolCall, ...] = ()
    searches: tuple[ProviderSearch, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Of its calls and its provider's searches."""
        return (*(call.id for call in self.calls), *(search.id for search in self.searches))


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The answer to a call. `loaded` names the tools that it brought into view, in the order found.

    `edited`: a person wrote it in place of what was answered.
    """

    call_id: str
    tool: str
    content: str
    loaded: tuple[str, ...] = ()
    is_error: bool = False
    edited: bool = False


Message = UserMessage | AssistantMessage | ToolMessage
Transcript = tuple[Message, ...]


def loads(transcript: Iterable[Message]) -> dict[str, str]:
    """The tools that the transcript loaded, in the order found, each with the id of the call that loaded it first.

    A search of the provider's counts as a call.
    """
    found: dict[str, str] = {}
    for message in transcript:
        for call_id, names in _loads_of(message):
            for name in names:
                found.setdefault(name, call_id)
    return found


def loaded_names(transcript: Iterable[Message]) -> tuple[str, ...]:
    """The names of `loads`, in the order found."""
    return tuple(loads(transcript))


def _loads_of(message: Message) -> Iterator[tuple[str, tuple[str, ...]]]:
    match message:
        case ToolMessage():
            yield message.call_id, message.loaded
        case AssistantMessage():
            yield from ((search.id, search.names) for search in message.searches)
