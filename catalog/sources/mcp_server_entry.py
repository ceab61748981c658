"""One entry of a configuration of MCP servers: what is started or reached, and what of it is not taken over."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from catalog.redaction import Redactor
from catalog.sources.fields import MAX_WORD_LENGTH, kind_of
from catalog.sources.storable import UnfitError, storable_text

_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_ADDRESSES = ("url", "serverUrl", "httpUrl")
_TAKEN = frozenset(
    ("type", "transport", "transportType", "command", "args", "env", "cwd", "headers", "disabled", "enabled")
)
_WORDS = frozenset(("name", "title", "description"))
_UNASKED = frozenset(("alwaysAllow", "autoApprove", "trust"))


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server as a configuration has it, placeholders and all. `env` and `headers` are secrets.

    `remarks` are plain sentences on what should be known before it is added.
    """

    name: str
    transport: Literal["stdio", "http"]
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    description: str = ""
    is_off: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def open_texts(self) -> tuple[str, ...]:
        """What people see of it wherever it is shown."""
        return (self.command, *self.args, self.cwd, self.url)

    @property
    def secret_texts(self) -> tuple[str, ...]:
        return (*self.env.values(), *self.headers.values())

    @property
    def variables(self) -> list[str]:
        """The names of what is secret."""
        return [*self.env, *self.headers]

    @property
    def reach(self) -> str:
        """What is started or reached as one line, without what looks like a secret."""
        return Redactor(self.secret_texts).text(self.url or " ".join((self.command, *self.args)))


def read_server(name: str, entry: Any) -> FoundServer:
    """Raises UnfitError; the text completes the sentence 'It is left out: …'."""
    if not isinstance(entry, dict):
        raise UnfitError(f"it is {kind_of(entry)}, not an object")
    if not name.strip() or len(name) > MAX_WORD_LENGTH:
        raise UnfitError(
            "its name is blank" if not name.strip() else f"its name is longer than {MAX_WORD_LENGTH} characters"
        )
    address = next((str(entry[key]) for key in _ADDRESSES if isinstance(entry.get(key), str) and entry[key]), "")
    command, args = _command(entry)
    if bool(command) == bool(address):
        raise UnfitError(
            "it has both a command and an address" if command else "it has neither a command nor an address"
        )
    if _SCHEME.match(address.strip()):
        raise UnfitError("its address does not begin with https:// or http://")
    found = FoundServer(
        name=storable_text(name),
        transport="stdio" if command else "http",
        command=command,
        args=args,
        cwd=_text(entry, "cwd") if command else "",
        env=_texts(entry, "env") if command else {},
        url=storable_text(address.strip()),
        headers={} if command else _texts(entry, "headers"),
        description=_text(entry, "description")[:2_000],
        is_off=entry.get("disabled") is True or entry.get("enabled") is False,
    )
    return replace(found, remarks=tuple(_remarks(found, entry)))


def _command(entry: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """A command that holds its arguments is taken apart, as a shell would."""
    command = _text(entry, "command").strip()
    args = entry.get("args")
    if args is None:
        try:
            command, *found = shlex.split(command) if command else [""]
        except ValueError:
            raise UnfitError("its command holds a quotation that does not end") from None
        return command, tuple(found)
    if not isinstance(args, list) or not all(isinstance(arg, str | int | float) for arg in args):
        raise UnfitError("its arguments are not a list of texts")
    return command, tuple(storable_text(str(arg)) for arg in args)


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise UnfitError(f"its {key} is {kind_of(value)}, not text")
    return storable_text(value or "")


def _texts(entry: Mapping[str, Any], key: str) -> dict[str, str]:
    values = entry.get(key)
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(
        isinstance(value, str | int | float | None) for value in values.values()
    ):
        raise UnfitError(f"its {key} is no list of names with texts")
    return {storable_text(name): "" if value is None else _plain(value) for name, value in values.items()}


def _plain(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else storable_text(str(value))


def _remarks(found: FoundServer, entry: Mapping[str, Any]) -> list[str]:
    remarks = []
    if found.is_off:
        remarks.append("It is switched off in the file.")
    if "envFile" in entry:
        remarks.append(
            "The file of variables that it names is not read: write those that it needs on the server’s page."
        )
    if Redactor(found.secret_texts).text(" ".join(found.open_texts)) != " ".join(found.open_texts):
        remarks.append(
            "Something like a secret stands in its command or address, which people see. Move it into a variable or header."
        )
    if entry.keys() & _UNASKED:
        remarks.append("What it may do without asking is not taken over: policies of a catalog decide that here.")
    if other := sorted(entry.keys() - _TAKEN - _WORDS - _UNASKED - {*_ADDRESSES, "envFile"}):
        remarks.append(f"Not taken over: {', '.join(storable_text(key)[:40] for key in other[:10])}.")
    return remarks
