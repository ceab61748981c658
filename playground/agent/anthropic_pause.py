"""Anthropic's `pause_turn`: an answer that its provider broke off amid its own searches, and goes on with when it is sent
back what it said so far, as its guide to stop reasons has it.
"""

import json
from collections.abc import Mapping
from typing import Any

MOST_PAUSES = 8
"""Pauses of one answer after which it is given up."""

Block = dict[str, Any]


class Content:
    """Fed with the frames of a stream; keeps the blocks of the answer as they were sent."""

    def __init__(self) -> None:
        self.is_paused = False
        self._blocks: dict[int, Block] = {}
        self._inputs: dict[int, str] = {}

    @property
    def blocks(self) -> list[Block]:
        """What goes back: the whole content. Empty texts are left out, which are refused."""
        whole = ({**block, **self._input(index)} for index, block in self._blocks.items())
        return [block for block in whole if block.get("text") != ""]

    @property
    def asked(self) -> dict[str, str]:
        """The arguments of its searches, by their ids: their answers may come with what follows."""
        own = {index: block for index, block in self._blocks.items() if block.get("type") == "server_tool_use"}
        return {str(block.get("id")): self._inputs.get(index, "") for index, block in own.items()}

    def take(self, frame: Mapping[str, Any]) -> None:
        match frame:
            case {"type": "content_block_start", "index": int(index), "content_block": dict(block)}:
                self._blocks[index] = dict(block)
            case {"type": "content_block_delta", "index": int(index), "delta": {"text": str(piece)}}:
                block = self._blocks.setdefault(index, {"type": "text", "text": ""})
                block["text"] = block.get("text", "") + piece
            case {"type": "content_block_delta", "index": int(index), "delta": {"partial_json": str(piece)}}:
                self._inputs[index] = self._inputs.get(index, "") + piece
            case {"type": "message_delta", "delta": {"stop_reason": "pause_turn"}}:
                self.is_paused = True

    def _input(self, index: int) -> Block:
        try:
            return {"input": json.loads(self._inputs[index])}
        except (KeyError, ValueError, RecursionError):
            return {}
