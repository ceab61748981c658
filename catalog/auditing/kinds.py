"""The kinds of rows that acts are done to: how each is named, addressed and told, and who may read of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from catalog.auditing import facts
from catalog.roles import Role

Facts = Callable[[Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """`key` and `name` are names of attributes; the parts of a key are joined by /, and are the arguments of the address.

    `name` is empty where a row has none that may be kept. `lookup` is the field that tells whether the row is still there,
    by the first part of the key. `least` is the role that may read of it.
    """

    word: str
    label: str
    key: tuple[str, ...]
    name: str
    address: str
    lookup: str
    facts: Facts = facts.nothing
    least: Role = Role.ADMIN


KINDS: dict[str, Kind] = {
    kind.label: kind
    for kind in (
        Kind("server", "catalog.Server", ("slug",), "title", "server", "slug", facts.of_server, Role.CURATOR),
        Kind(
            "tool",
            "catalog.Tool",
            ("server.slug", "name"),
            "exposed_name",
            "tool",
            "server__slug",
            facts.of_tool,
            Role.CURATOR,
        ),
        Kind("catalog", "catalog.Catalog", ("slug",), "title", "catalog", "slug", facts.of_catalog, Role.CURATOR),
        Kind("suite", "catalog.Suite", ("slug",), "title", "suite", "slug", facts.of_suite, Role.CURATOR),
        Kind("agent", "catalog.Agent", ("name",), "title", "agent", "name", facts.of_agent, Role.CURATOR),
        Kind("bulk edit", "catalog.BulkEdit", ("pk",), "", "bulk_edit", "pk", least=Role.CURATOR),
        Kind("access token", "catalog.AccessToken", ("pk",), "title", "", "pk"),
        Kind("person", "auth.User", ("pk",), "username", "account", "pk", facts.of_person),
    )
}
"""By the label of the model. The playground adds its own."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The row that an act was done to, as an entry keeps it."""

    kind: str
    key: str
    name: str


def subject_of(row: Model | str) -> Subject:
    """Of a row of one of the kinds; a text is the name of what is no row."""
    if isinstance(row, str):
        return Subject("", "", row)
    kind = KINDS[row._meta.label]
    key = "/".join(str(_attribute(row, path)) for path in kind.key)
    return Subject(kind.word, key, str(_attribute(row, kind.name)) if kind.name else "")


def kind_called(word: str) -> Kind | None:
    return next((kind for kind in KINDS.values() if kind.word == word), None)


def kinds_for(role: Role) -> list[Kind]:
    """Those that a person of this role may read of."""
    return [kind for kind in KINDS.values() if role >= kind.least]


def _attribute(row: Any, path: str) -> Any:
    for name in path.split("."):
        row = getattr(row, name)
    return row
