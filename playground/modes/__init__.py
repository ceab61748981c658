"""The discovery modes, by slug. One more is one file beside this one and one line here."""

from playground.modes.mcpagent import Mcpagent
from playground.modes.protocol import DiscoveryMode

MODES: dict[str, type[DiscoveryMode]] = {
    "mcpagent": Mcpagent,
}
