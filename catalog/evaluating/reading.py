"""A suite as it is read from a file of any form (`formats`): what is taken so far, and every mistake with its line."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from catalog.evaluating.entries import ANSWERS, VERDICTS, Entry, Said, settled, tidy_tags

MOST_QUERIES, MOST_TEXT, MOST_MISTAKES = 20_000, 8_000, 50
LONGEST_SERVER, LONGEST_TOOL = 40, 200


@dataclass(frozen=True, slots=True)
class Mistake:
    """`line` counts from 1; `file` is told where there are several."""

    line: int
    text: str
    file: str = ""


class MistakesError(Exception):
    """A file cannot be read as a suite."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("; ".join(f"line {one.line}: {one.text}" for one in mistakes))
        self.mistakes = mistakes[:MOST_MISTAKES]


@dataclass
class Reading:
    """What was read so far, queries by what tells them apart in the file, and what is wrong.

    `named` gives the key of a tool, `server/name`, by a name without a slash.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    queries: dict[str, tuple[str, list[str], dict[str, Said]]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def query(self, id: str, text: str, tags: Iterable[str] = ()) -> None:
        """Take a query; one that was taken keeps its text and gets more tags. Raises ValueError."""
        text = one_ending(text)
        if not text.strip():
            raise ValueError("a query without a text")
        if len(text) > MOST_TEXT:
            raise ValueError(f"a query of more than {MOST_TEXT:,} characters")
        tags = [_storable(tag) for tag in tags]
        _storable(text)
        if len(self.queries) >= MOST_QUERIES:
            raise ValueError(f"more than {MOST_QUERIES:,} queries")
        self.queries.setdefault(id, (text.strip(), [], {}))[1].extend(tags)

    def say(self, id: str, tool: str, verdict: str, need: int = 1) -> None:
        """Raises ValueError."""
        said = _checked(self.named.get(tool, tool), verdict, need)
        verdicts = self.queries[id][2]
        if said.tool in verdicts and verdicts[said.tool] != said:
            raise ValueError(f"{said.tool or 'no tool'} is judged twice, and differently, for one query")
        verdicts[said.tool] = said
        kinds = {one.verdict for one in verdicts.values()}
        if "no tool" in kinds and kinds & set(ANSWERS):
            raise ValueError("that no tool answers and that one does, for one query")

    def at(self, line: int, act: Callable[[], None], file: str = "") -> None:
        """Do it, and note what is wrong with its line."""
        try:
            act()
        except RecursionError:
            self.mistakes.append(Mistake(line, "it is nested too deeply", file))
        except ValueError as error:
            self.mistakes.append(Mistake(line, str(error), file))

    def entries(self) -> list[Entry]:
        """Raises MistakesError, also where nothing was read."""
        if not self.queries and not self.mistakes:
            self.mistakes.append(Mistake(1, "there is no query"))
        if self.mistakes:
            raise MistakesError(self.mistakes)
        return [
            Entry(id, text, tidy_tags(tags), settled(said.values())) for id, (text, tags, said) in self.queries.items()
        ]


def _checked(tool: str, verdict: str, need: int) -> Said:
    if verdict not in VERDICTS:
        raise ValueError(f"“{verdict}” is no verdict: there are {', '.join(VERDICTS)}")
    server, _, name = tool.partition("/")
    if verdict != "no tool" and not (server and name):
        raise ValueError(f"“{tool}” is no tool: write server/name")
    if verdict == "no tool" and tool:
        raise ValueError("that no tool answers names no tool")
    if "\n" in tool or "\r" in tool or len(server) > LONGEST_SERVER or len(name) > LONGEST_TOOL:
        raise ValueError("a tool with a name that none can have")
    return Said(_storable(tool), verdict, need)


def one_ending(text: str) -> str:
    """With lines that end in one way, whatever system or browser they came from."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _storable(text: str) -> str:
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("a text with NUL or half a character")
    return text
