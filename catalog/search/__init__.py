"""Finding tools: engines that rank them, and explanations of what they rank."""

from catalog.search.bm25f import WhooshBm25f
from catalog.search.eino_keyword import EinoKeyword
from catalog.search.eino_regex import EinoRegex
from catalog.search.engine import Engine
from catalog.search.hybrid import Hybrid
from catalog.search.like import Like
from catalog.search.mastra import MastraBm25
from catalog.search.mcpagent import McpagentPattern
from catalog.search.pegboard import Pegboard

ENGINES: dict[str, type[Engine]] = {
    "pegboard": Pegboard,
    "bm25f": WhooshBm25f,
    "eino-keyword": EinoKeyword,
    "eino-regex": EinoRegex,
    "mastra": MastraBm25,
    "mcpagent": McpagentPattern,
    "hybrid": Hybrid,
    "like": Like,
}
