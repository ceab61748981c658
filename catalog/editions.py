"""A catalog as a search or a run reads it: its draft, or one of its versions."""

from dataclasses import dataclass
from typing import Any

from catalog.models import Catalog, CatalogVersion
from catalog.person_kinds import USUAL, PersonKind, in_order
from catalog.policy import Condition, Rule

PUBLISHED = "published"
"""What agents get."""
DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Edition:
    """`version` is None for a draft as such. Where it `is_live` the rows are read: for a draft, and for the version of a
    catalog that publishes itself, which holds the same.

    What was `asked` for names it in addresses: "published", "draft" or a number.
    """

    catalog: Catalog
    asked: str
    version: CatalogVersion | None = None
    is_live: bool = True

    @property
    def pk(self) -> int:
        """That of its catalog."""
        return self.catalog.pk

    @property
    def slug(self) -> str:
        return self.catalog.slug

    @property
    def title(self) -> str:
        return self.catalog.title

    @property
    def number(self) -> int | None:
        return self.version.number if self.version else None

    @property
    def held(self) -> dict[str, Any]:
        """The settings of a version that is not live."""
        if self.version is None or self.is_live:
            raise ValueError("the rows have what a live edition is")
        settings: dict[str, Any] = self.version.content.settings
        return settings

    @property
    def mode(self) -> str:
        return self.catalog.mode if self.is_live else str(self.held["mode"]["name"])

    @property
    def mode_options(self) -> dict[str, Any]:
        options: dict[str, Any] = self.catalog.mode_options if self.is_live else self.held["mode"]["options"]
        return options

    @property
    def engine(self) -> str:
        return self.catalog.engine if self.is_live else str(self.held["engine"]["name"])

    @property
    def engine_settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self.catalog.engine_settings if self.is_live else self.held["engine"]["settings"]
        return settings

    @property
    def policy(self) -> str:
        return self.catalog.policy if self.is_live else str(self.held["policy"]["asks"])

    @property
    def context_to_try(self) -> dict[str, Any]:
        context: dict[str, Any] = self.catalog.context_to_try if self.is_live else self.held["policy"]["context_to_try"]
        return context

    @property
    def ask_person(self) -> list[PersonKind]:
        """Kinds of calls that wait for a person; a version that does not say has the usual ones."""
        return in_order(self.catalog.ask_person if self.is_live else self.held.get("ask_person", USUAL))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The policy's, in their order."""
        if self.is_live:
            return tuple(row.to_rule() for row in self.catalog.policy_rules.all() if row.enabled)
        return tuple(map(rule_of, self.held["policy"]["rules"]))


def draft(catalog: Catalog) -> Edition:
    return Edition(catalog, DRAFT)


def rule_of(told: dict[str, Any]) -> Rule:
    """A rule as versions hold it."""
    when = tuple(Condition(one["key"], tuple(one["values"]), one["is_not"]) for one in told["when"])
    return Rule(told["allow"], told["name"], tuple(told["phases"]), when)
