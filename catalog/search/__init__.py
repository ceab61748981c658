"""Finding tools: engines that rank them, and explanations of what they rank."""

from catalog.search.bm25f import WhooshBm25f
from catalog.search.engine import Engine
from catalog.search.mcpagent import McpagentPattern
from catalog.search.pegboard import Pegboard

ENGINES: dict[str, type[Engine]] = {
    "pegboard": Pegboard,
    "bm25f": WhooshBm25f,
    "mcpagent": McpagentPattern,
}
