"""Reading outputs that were put into files: what mcpagent's program answered, call by call.

Its answers hold the folder's path, ours only the file's name. Where ripgrep or jq refuse a pattern or a query, the words
are theirs, and a release's own: ours are RE2's and those of a later jq, so that only what refuses is compared.
"""

from pathlib import Path
from typing import Any

import pytest

from playground.agent.large_outputs.calls import answer_call
from playground.agent.large_outputs.files import OutputFiles
from playground.agent.tool_runner import ToolResult
from tests.conformance.recorded import Json, read, with_vectors

pytestmark = with_vectors
AMPLE = 100_000
NO_LONGER = "unknown context offloading virtual tool"
"""A later program forgot two names that the document has."""
THEIR_OWN = ("search failed: ", "jq query failed: ")


def cases() -> Any:
    """Each with the files that it is asked of, by the name of their session."""
    found = []
    for told in read("mcpagent_*__large_output*.json"):
        found += [pytest.param(told, case, id=case["id"]) for case in told["cases"] if is_ours(case)]
    return pytest.mark.parametrize(("told", "case"), found)


def is_ours(case: Json) -> bool:
    return not case["expected"]["error"].startswith(NO_LONGER)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tool_output_folder"


def answer(told: Json, case: Json, folder: Path) -> ToolResult:
    own = folder / told["session_id"]
    own.mkdir(parents=True)
    for name, text in told["files"].items():
        (own / name).write_text(text, encoding="utf-8")
    return answer_call(OutputFiles(own), case["tool"], case["args"], AMPLE)


def same_words(error: str, told: Json) -> str:
    """Without the folder's path, which ours does not tell, and Go's prefix of what the system says."""
    path = f"<DIR>/tool_output_folder/{told['session_id']}/"
    before, _, after = error.partition(": open ")
    return (f"{before}: {after.partition(': ')[2]}" if after else error).replace(path, "")


@cases()
def test_a_call_is_answered_as_the_original_answered_it(told: Json, case: Json, folder: Path) -> None:
    expected = case["expected"]
    said = answer(told, case, folder)
    assert said.is_error == bool(expected["error"])
    if not said.is_error:
        assert said.content == expected["output"]
    elif prefix := next((prefix for prefix in THEIR_OWN if expected["error"].startswith(prefix)), ""):
        assert said.content.startswith(prefix) and said.content != prefix
    else:
        assert said.content == same_words(expected["error"], told)
