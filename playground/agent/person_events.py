"""What happens where a person is asked within a run: a call is held, and somebody decides, or nobody does."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from catalog.person_kinds import PersonKind

Decision = Literal["approved", "edited", "refused", "answered", "declined", "unanswered"]


@dataclass(frozen=True, slots=True)
class CallHeld:
    """A call waits for a person, for `wait` seconds at most; `asks` is the kind for which the catalog, or the run, asks.

    `arguments` is the JSON text of what would be sent. `digest` tells them, and the tool, from any others, before secrets
    were taken out of the record. A call of the kind `human` is a `question`, which may come with `choices`.
    """

    kind: ClassVar[str] = "call_held"
    turn: int
    call_id: str
    tool: str
    server: str
    asks: PersonKind
    arguments: str
    digest: str
    wait: float
    question: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallDecided:
    """What was decided of a call that waited, by whom, after so many `seconds`; of one that nobody answered, by nobody.

    `arguments` is the JSON text of what is sent in place of what the model wrote, where it was edited. `text` is the reason
    of a refusal, or the answer to a question.
    """

    kind: ClassVar[str] = "call_decided"
    turn: int
    call_id: str
    decision: Decision
    seconds: float
    by: str = ""
    arguments: str = ""
    text: str = ""

    @property
    def lets_go(self) -> bool:
        """Whether the call goes out."""
        return self.decision in ("approved", "edited")
