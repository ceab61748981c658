"""Values that a configuration of MCP servers leaves open: `${input:key}`, `${env:NAME}`, `${NAME}`, `${NAME:-default}`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from catalog.sources.mcp_server_entry import FoundServer
from catalog.sources.storable import storable_text

_PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_][^${}\x00-\x1f]{0,199})\}")
_INPUT = "input:"
_ENV = "env:"


@dataclass(frozen=True, slots=True)
class Asked:
    """A value that somebody must give. `is_open` says that it stands where people see it, as in an argument."""

    key: str
    description: str = ""
    default: str = ""
    options: tuple[str, ...] = ()
    is_secret: bool = False
    is_open: bool = False
    servers: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """As it stands in the file."""
        return f"${{{self.key}}}"

    @property
    def label(self) -> str:
        return self.key.partition(":-")[0].removeprefix(_INPUT).removeprefix(_ENV)


def read_inputs(value: Any) -> dict[str, dict[str, Any]]:
    """VS Code's `inputs` by their ids; what is no input is left away."""
    found = value if isinstance(value, list) else []
    return {entry["id"]: entry for entry in found if isinstance(entry, dict) and isinstance(entry.get("id"), str)}


def asked_of(servers: Iterable[FoundServer], inputs: Mapping[str, Mapping[str, Any]]) -> tuple[Asked, ...]:
    """Each value that is left open once, in the order met."""
    found: dict[str, Asked] = {}
    for server in servers:
        in_open = keys_in(server.open_texts)
        for key in [*in_open, *keys_in(server.secret_texts)]:
            asked = found.get(key) or _asked(key, inputs.get(key.removeprefix(_INPUT), {}))
            names = dict.fromkeys((*asked.servers, server.name))
            found[key] = replace(asked, servers=tuple(names), is_open=asked.is_open or key in in_open)
    return tuple(found.values())


def keys_in(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key for text in texts for key in _PLACEHOLDER.findall(text)))


def filled(server: FoundServer, values: Mapping[str, str]) -> FoundServer:
    """The server with each placeholder replaced by its value; one without a value stays."""

    def fill(text: str) -> str:
        return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)

    return replace(
        server,
        command=fill(server.command),
        args=tuple(map(fill, server.args)),
        cwd=fill(server.cwd),
        url=fill(server.url),
        env={name: fill(value) for name, value in server.env.items()},
        headers={name: fill(value) for name, value in server.headers.items()},
    )


def _asked(key: str, entry: Mapping[str, Any]) -> Asked:
    options = entry.get("options")
    return Asked(
        key=key,
        description=_text(entry.get("description")),
        default=_text(entry.get("default")) or key.partition(":-")[2],
        options=tuple(_text(option) for option in options if _text(option)) if isinstance(options, list) else (),
        is_secret=entry.get("password") is True,
    )


def _text(value: Any) -> str:
    return storable_text(value)[:500] if isinstance(value, str) else ""
