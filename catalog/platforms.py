"""Where tools run, as S-1 and S-2 have it, against where a request comes from: a tool that does not run there is left out."""

from collections.abc import Mapping, Sequence
from typing import Any

from catalog.exposure import Exposure, LeftOut
from catalog.tools import ToolPool, ToolSpec

KEY = "platform"
"""The name in the context of a request under which it says where it comes from; not said, no tool is left out."""
PLATFORMS = {"darwin": "macOS", "linux": "Linux", "win32": "Windows"}
"""As Node and Python name them, by which tools are declared; others are compared letter by letter."""
_ALSO = {"macos": "darwin", "mac": "darwin", "osx": "darwin", "windows": "win32", "win": "win32"}


def platform_named(text: str) -> str:
    """The name by which platforms are compared: `macOS` is `darwin`, `Windows` is `win32`."""
    name = text.strip().lower()
    return _ALSO.get(name, name)


def platform_of(context: Mapping[str, Any]) -> str:
    """Where the request comes from; empty where its context does not say."""
    return platform_named(str(context.get(KEY, "")))


def refusal(tool: ToolSpec, platform: str) -> str:
    """Why the tool is left out, in words; empty if it runs there, or where either is not said."""
    if not platform or not tool.platforms or platform in map(platform_named, tool.platforms):
        return ""
    return f"it runs on {_told(tool.platforms)}, and the request comes from {PLATFORMS.get(platform, platform)}"


def on_platform(exposure: Exposure, platform: str) -> Exposure:
    """What is left for requests from there. Names were given out before: of two tools of one name the first stays in the way."""
    out = {tool.name: LeftOut(tool, "platform", why) for tool in exposure.pool if (why := refusal(tool, platform))}
    if not out:
        return exposure
    tools = tuple(tool for tool in exposure.pool if tool.name not in out)
    upfront = tuple(name for name in exposure.pool.upfront_names if name not in out)
    return Exposure(ToolPool(tools, upfront), (*exposure.left_out, *out.values()))


def _told(platforms: Sequence[str]) -> str:
    return ", ".join(PLATFORMS.get(platform_named(name), name) for name in platforms)
