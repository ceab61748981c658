"""Code that a deployment could name in PEGBOARD_POLICIES, and rules for the small catalog."""

from collections.abc import Sequence

from catalog.models import Catalog, PolicyRule
from catalog.policy import PHASES, Condition, Context, Phase
from catalog.tools import ToolSpec

NOT_A_FUNCTION = 5


def only_staff(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    return context.get("role") == "staff"


async def never(tool: ToolSpec, phase: Phase, context: Context) -> bool:
    return False


def add(
    catalog: Catalog,
    pattern: str,
    phases: Sequence[Phase] = PHASES,
    *conditions: Condition,
    allow: bool = False,
    enabled: bool = True,
) -> PolicyRule:
    """A rule at the end of the catalog's."""
    return PolicyRule.objects.create(
        catalog=catalog,
        position=catalog.policy_rules.count(),
        allow=allow,
        enabled=enabled,
        pattern=pattern,
        phases=list(phases),
        conditions=[{"key": one.key, "values": list(one.values), "is_not": one.is_not} for one in conditions],
    )
