"""The discovery modes, by slug. One more is one file beside this one and one line here."""

from playground.modes.eino import Eino
from playground.modes.eino_native import EinoNative, EinoNativeClient
from playground.modes.eino_regex import EinoRegexMode
from playground.modes.everything import Everything, Nothing
from playground.modes.mastra import Mastra, MastraAutoLoad
from playground.modes.mcpagent import Mcpagent
from playground.modes.protocol import DiscoveryMode
from playground.modes.sanqian import Sanqian

MODES: dict[str, type[DiscoveryMode]] = {
    "mcpagent": Mcpagent,
    "eino": Eino,
    "eino-native": EinoNative,
    "eino-native-client": EinoNativeClient,
    "eino-regex": EinoRegexMode,
    "mastra": Mastra,
    "mastra-autoload": MastraAutoLoad,
    "sanqian": Sanqian,
    "everything": Everything,
    "none": Nothing,
}


def engine_of_mode(slug: str) -> str:
    """The engine that a mode asks where its catalog names none; empty where there is no such mode."""
    return MODES[slug].default_engine if slug in MODES else ""
